import * as z from 'zod'

import { issueAt } from './code.ts'
import { formatCount, text } from './common.ts'
import { type DictionaryKey, isKnownSensitive } from './dictionary.ts'
import type { Endpoint } from './endpoint.ts'
import { entityType, propertyKey } from './entity.ts'
import { wordDuration } from './operator.ts'
import { dataType, readValue } from './property-value.ts'
import { trimEnds } from './visible.ts'

/** Languages of a label, as BCP 47 tags such as `en` and `de-AT`. */
const language = z.string().regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'Give a language such as en or de-AT.')

/** One line that people read: without line breaks, control characters, and blanks at its ends. */
const line = (maxLength: number) =>
  text(maxLength)
    .overwrite(trimEnds)
    .refine(
      (value) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(value),
      'Write this in one line, without line breaks and control characters.',
    )

/** A text for people in one or more languages. A reader with none of them gets the first one. */
const inLanguages = (maxLength: number) =>
  z
    .record(language, line(maxLength).min(1, 'Give a text.'))
    .refine((texts) => Object.keys(texts).length > 0, 'Give a text in at least one language.')

/** How a role without `sensitive:read` sees a sealed value. */
export const maskForms = ['none', 'last4', 'first1', 'domain', 'year'] as const

/** Legal bases of Art. 6(1) GDPR. */
export const legalBases = [
  'consent',
  'contract',
  'legal_obligation',
  'vital_interests',
  'public_task',
  'legitimate_interests',
] as const

/** Icons that an entity type may have. */
export const typeIcons = [
  'person',
  'car',
  'home',
  'building',
  'card',
  'file',
  'device',
  'bag',
  'heart',
  'phone',
  'mail',
  'box',
] as const

/** Data types whose values are ordered, so that a filter may test a range. */
export const rangeTypes = ['CURRENCY', 'DATE', 'DATETIME', 'TIME', 'DECIMAL', 'NUMBER'] as const

export const maxChoices = 200
export const maxDefinitions = 5000

const choice = z.strictObject({
  value: z.union([text(200).min(1), z.number()], 'Give a text or a number.'),
  label: inLanguages(200).optional(),
})

/** ISO 8601 duration in whole units, such as `P10Y`. */
const keptFor = z
  .string()
  .refine((value) => /^P(?=.)(\d{1,4}Y)?(\d{1,4}M)?(\d{1,4}W)?(\d{1,5}D)?$/.test(value), {
    error: ({ input }) => wordDuration(input, 'Give a duration such as P10Y or P6M.'),
  })

/** Members of a property's definition, all optional. */
const propertyMembers = {
  label: inLanguages(100).optional(),
  description: inLanguages(1000).optional(),
  type: dataType.optional(),
  /** Whether every value of the key is meant to be sealed. */
  sensitive: z.boolean().optional(),
  choices: z
    .array(choice)
    .min(1)
    .max(maxChoices, `At most ${formatCount(maxChoices)} choices.`)
    .optional(),
  /** Unit of a number, such as "km". */
  unit: line(20).min(1).optional(),
  mask: z.enum(maskForms).optional(),
  /** Heading under which the record lists the property. */
  group: line(100).min(1).optional(),
  /** Place within the record, ascending; properties without one follow. */
  order: z.int().min(0).max(9999).optional(),
  /** Whether the value is shown in the title of its entity and in lists. */
  keyFact: z.boolean().optional(),
  /** Whether an index for tests of ranges is kept. */
  range: z.boolean().optional(),
  purpose: line(1000).min(1).optional(),
  basis: z.enum(legalBases).optional(),
  recipients: line(1000).min(1).optional(),
  keptFor: keptFor.optional(),
  /** `off`: the definition suggests; `on`: writes obey it. */
  enforce: z.enum(['off', 'on']).optional(),
}

/** Refuses members that do not fit each other: choices of another type, a unit of a text. */
function checkMembers(
  { type, choices = [], unit, mask, sensitive, range }: z.infer<z.ZodObject<typeof propertyMembers>>,
  context: z.core.$RefinementCtx,
) {
  const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (choices.length > 0 && type !== undefined && type !== 'TEXT' && type !== 'NUMBER')
    refuse(['choices'], 'Only TEXT and NUMBER have choices.')
  for (const [at, { value }] of choices.entries()) {
    const isOfType = typeof value === (type === 'NUMBER' ? 'number' : 'string')
    const { issues } = isOfType
      ? readValue(type ?? 'TEXT', value)
      : { issues: [{ detail: `Give a ${type ?? 'TEXT'}.` }] }
    if (issues?.[0]) refuse(['choices', at, 'value'], issues[0].detail)
    if (choices.findIndex((each) => each.value === value) < at)
      refuse(['choices', at, 'value'], 'The choice is there already.')
  }
  if (unit !== undefined && type !== 'NUMBER' && type !== 'DECIMAL')
    refuse(['unit'], 'Only NUMBER and DECIMAL have a unit.')
  if (mask !== undefined && mask !== 'none' && sensitive !== true)
    refuse(['mask'], 'Only a sensitive property has a mask.')
  if (range === true && !rangeTypes.some((each) => each === type))
    refuse(['range'], `Only ${rangeTypes.join(', ')} have ranges.`)
}

export const propertyDefinition = z.strictObject(propertyMembers).superRefine(checkMembers)
export type PropertyDefinition = z.infer<typeof propertyDefinition>

const typeMembers = {
  label: inLanguages(100).optional(),
  plural: inLanguages(100).optional(),
  description: inLanguages(1000).optional(),
  icon: z.enum(typeIcons).optional(),
  /** Pattern of an entity's title: text with keys in braces, such as "{brand} {plate}". */
  title: line(200).min(1).optional(),
  /** Whether keys without a definition are refused. */
  noOtherKeys: z.boolean().optional(),
}
export const typeDefinition = z.strictObject(typeMembers)
export type TypeDefinition = z.infer<typeof typeDefinition>

/**
 * Definition of a property as returned. `inferred` ones were not written by anybody: type and sensitivity are those of
 * nearly all values. Lenient: another release may know further members.
 */
export const knownDefinition = z.looseObject({
  ...propertyMembers,
  key: z.string(),
  type: z.string().optional(),
  mask: z.string().optional(),
  basis: z.string().optional(),
  enforce: z.string().optional(),
  inferred: z.boolean().optional(),
  /** Number of users who have the property; absent if it is not counted yet, or the caller may not know. */
  users: z.number().optional(),
  /** Time of the last change, UTC with `Z`; absent if inferred. */
  updated: z.string().optional(),
})
export type KnownDefinition = z.infer<typeof knownDefinition>

export const knownType = z.looseObject({
  ...typeMembers,
  type: z.string(),
  icon: z.string().optional(),
  inferred: z.boolean().optional(),
  users: z.number().optional(),
  updated: z.string().optional(),
  /** In the order of the record: by `order`, then the number of users, most first. */
  properties: z.array(knownDefinition),
})
export type KnownType = z.infer<typeof knownType>

export const definitions = z.looseObject({
  /** Time as of which inferred definitions and users are known, UTC with `Z`; absent without such counts. */
  made: z.string().optional(),
  entityTypes: z.array(knownType),
})
export type Definitions = z.infer<typeof definitions>

/** Type and sensitivity that a key has where nobody defined it, judging by its values. */
export function inferDefinition(counted: DictionaryKey): KnownDefinition {
  const { key, users, types } = counted
  return { key, type: types[0]?.type, sensitive: isKnownSensitive(counted), inferred: true, users }
}

/** Members that answers have and writes ignore, so that an answer can be sent back as it is. */
const answered = {
  inferred: z.boolean().optional(),
  users: z.unknown().optional(),
  updated: z.unknown().optional(),
}

const listedProperty = z
  .strictObject({ ...propertyMembers, ...answered, key: propertyKey })
  .superRefine(checkMembers)
const listedType = z.strictObject({
  ...typeMembers,
  ...answered,
  type: entityType,
  properties: z.array(listedProperty).default([]),
})

const propertyWrite = z
  .strictObject({ ...propertyMembers, ...answered, key: z.unknown().optional() })
  .superRefine(checkMembers)
const typeWrite = typeDefinition.extend({ ...answered, type: z.unknown().optional() })

/**
 * All definitions as one file, in the form in which they are returned. An inferred entry says nothing of its own and is
 * left out.
 */
export const definitionsFile = z
  .strictObject({ made: z.unknown().optional(), entityTypes: z.array(listedType) })
  .check(({ value: { entityTypes }, issues }) => {
    const types = new Set<string>()
    for (const [at, { type, properties }] of entityTypes.entries()) {
      if (types.has(type))
        issues.push(issueAt(['entityTypes', at, 'type'], 'duplicate_key', 'This entity type appears twice.'))
      types.add(type)
      const keys = new Set<string>()
      for (const [each, { key }] of properties.entries()) {
        if (keys.has(key))
          issues.push(
            issueAt(
              ['entityTypes', at, 'properties', each, 'key'],
              'duplicate_key',
              'This key appears twice.',
            ),
          )
        keys.add(key)
      }
    }
  })
export type DefinitionsFile = z.infer<typeof definitionsFile>

/** Value that several users have for a key. */
export const commonValue = z.looseObject({
  /** Data type of the value. */
  type: z.string(),
  value: z.union([z.string(), z.number()]),
  /** Number of users who have it, at least two. */
  users: z.number(),
})
export type CommonValue = z.infer<typeof commonValue>

export const commonValues = z.looseObject({
  /** When the count began: UTC with `Z`. Absent while it is made for the first time; the values are those met so far. */
  made: z.string().optional(),
  /** True if the key has too many different values to count each: numbers of users are at least these. */
  atLeast: z.boolean().optional(),
  /** True if the key is or was sensitive, or is defined so: none of its values is listed. */
  masked: z.boolean().optional(),
  /** Up to 20, those that most users have first. */
  values: z.array(commonValue),
})
export type CommonValues = z.infer<typeof commonValues>

const ofType = { path: '/definitions/{entity_type}', texts: z.object({ entity_type: entityType }) } as const
const keyTexts = z.object({ entity_type: entityType, key: propertyKey })
const ofKey = { path: '/definitions/{entity_type}/{key}', texts: keyTexts } as const
const read = {
  method: 'GET',
  tag: 'Definitions',
  status: [200],
  conditional: true,
  addition: 'definitions',
} as const
const write = {
  tag: 'Definitions',
  needs: ['definitions:write'],
  status: [204],
  conditional: true,
  addition: 'definitions',
} as const

export const definitionEndpoints = {
  listDefinitions: {
    ...read,
    path: '/definitions',
    summary:
      'Definitions of entity types and properties. With `entities:read` also those that values suggest, and the numbers of users.',
    needs: [],
    reply: definitions,
  },
  replaceDefinitions: {
    ...write,
    method: 'PUT',
    path: '/definitions',
    summary: 'Replaces all definitions by those of a file, as they are listed.',
    body: definitionsFile,
  },
  getTypeDefinition: {
    ...read,
    ...ofType,
    summary: 'The definition of an entity type, without those of its properties.',
    needs: [],
    reply: knownType.omit({ properties: true }),
  },
  putTypeDefinition: {
    ...write,
    ...ofType,
    method: 'PUT',
    summary: 'Defines an entity type, or replaces its definition.',
    body: typeWrite,
    creates: true,
  },
  deleteTypeDefinition: {
    ...write,
    ...ofType,
    method: 'DELETE',
    summary: 'Removes the definition of an entity type, without those of its properties.',
  },
  getDefinition: {
    ...read,
    ...ofKey,
    summary: 'The definition of a property.',
    needs: [],
    reply: knownDefinition,
  },
  putDefinition: {
    ...write,
    ...ofKey,
    method: 'PUT',
    summary: 'Defines a property, or replaces its definition.',
    body: propertyWrite,
    creates: true,
  },
  deleteDefinition: {
    ...write,
    ...ofKey,
    method: 'DELETE',
    summary: 'Removes the definition of a property. Its values stay.',
  },
  listKeyValues: {
    method: 'GET',
    path: '/keys/{entity_type}/{key}/values',
    texts: keyTexts,
    tag: 'Definitions',
    summary: 'The values of a property that most users have, unless the property is sensitive.',
    needs: ['entities:read'],
    /** `q`: only values that contain this text, however it is cased. */
    query: z.object({ q: text(200).optional() }),
    reply: commonValues,
    status: [200],
    addition: 'keys.values',
  },
} as const satisfies Record<string, Endpoint>
