import * as z from 'zod'

import {
  dataTypes,
  type KnownDefinition,
  legalBases,
  type PropertyDefinition,
  propertyDefinition,
  rangeTypes,
  type TypeDefinition,
  typeDefinition,
  typeIcons,
} from '#contract/index.ts'
import { sameJson } from '../../../domain/values/same-json.ts'
import { definitionText, language } from '../../../messages/index.ts'

type Texts = Readonly<Record<string, string>>

const contentFields = z.object({
  label: z.record(z.string(), z.string()),
  plural: z.record(z.string(), z.string()),
  description: z.record(z.string(), z.string()),
  type: z.string(),
  sensitive: z.string(),
  choices: z.array(
    z.object({ value: z.string(), label: z.string(), labels: z.record(z.string(), z.string()) }),
  ),
  unit: z.string(),
  group: z.string(),
  order: z.string(),
  keyFact: z.boolean(),
  purpose: z.string(),
  basis: z.string(),
  recipients: z.string(),
  keptFor: z.string(),
  icon: z.string(),
  title: z.string(),
})

/** Definition of a property or an entity type as its form holds it. Members that only the other has are empty. */
export type DefinitionContent = z.infer<typeof contentFields>
export type DefinitionField = keyof DefinitionContent

/** Names what a definition is of: an entity type, or the property of it that has the key. */
export interface DefinedName {
  readonly type: string
  readonly key: string | undefined
}

const typeFields = ['label', 'plural', 'description', 'icon', 'title'] as const
const onlyOfTypes: readonly string[] = ['plural', 'icon', 'title'] satisfies (typeof typeFields)[number][]
const allFields = Object.keys(contentFields.shape) as DefinitionField[]
const propertyFields = allFields.filter((field) => !onlyOfTypes.includes(field))

export const fieldsOf = ({ key }: DefinedName): readonly DefinitionField[] =>
  key === undefined ? typeFields : propertyFields

/** Members of a definition as it is stored, of a property or of an entity type. */
export type StoredDefinition = Partial<KnownDefinition> & {
  readonly plural?: Texts | undefined
  readonly icon?: string | undefined
  readonly title?: string | undefined
}

export const hasUnit = (type: string) => type === 'NUMBER' || type === 'DECIMAL'
export const hasChoices = (type: string) => type === '' || type === 'TEXT' || type === 'NUMBER'

const propertySchema = contentFields.superRefine((content, context) => {
  const refuse = (path: PropertyKey[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (!/^\d{0,4}$/.test(content.order.trim())) refuse(['order'], definitionText.orderInvalid)
  const choices = [...content.choices.entries()].filter(([, each]) => !isEmptyChoice(each))
  if (hasChoices(content.type))
    for (const [at, { value }] of choices) {
      if (value.trim() === '') refuse(['choices', at, 'value'], definitionText.choice.missing)
      else if (content.type === 'NUMBER' && Number.isNaN(Number(value)))
        refuse(['choices', at, 'value'], definitionText.choice.noNumber)
    }
  // The first error of a field is the one that it shows.
  for (const { path, message } of propertyDefinition.safeParse(definitionBody(content)).error?.issues ?? []) {
    const row = path[0] === 'choices' ? choices[Number(path[1])]?.[0] : undefined
    refuse(row === undefined ? path : ['choices', row, ...path.slice(2, 3)], message)
  }
})

const typeSchema = contentFields.superRefine((content, context) => {
  for (const { path, message } of typeDefinition.safeParse(definitionBody(content)).error?.issues ?? [])
    context.addIssue({ code: 'custom', path, message })
})

/** Schema that validates by the rules of the service, so that each error is at its field before anything is sent. */
export const schemaOf = ({ key }: DefinedName) => (key === undefined ? typeSchema : propertySchema)

type Choice = DefinitionContent['choices'][number]

/** Whether nothing was entered for a choice. Such a choice is not saved, so a new one is not wrong. */
function isEmptyChoice({ value, label, labels }: Choice): boolean {
  return value.trim() === '' && textsOf({ ...labels, [language]: label }) === undefined
}

export const filledChoices = (choices: readonly Choice[]) => choices.filter((each) => !isEmptyChoice(each))

export function definitionContent(definition: StoredDefinition = {}): DefinitionContent {
  const { label = {}, plural = {}, description = {}, choices = [], sensitive, order } = definition
  const languages = [...new Set([language, ...[label, plural, description].flatMap(Object.keys)])]
  const inEach = (texts: Texts) => Object.fromEntries(languages.map((each) => [each, texts[each] ?? '']))
  return {
    label: inEach(label),
    plural: inEach(plural),
    description: inEach(description),
    type: definition.type ?? '',
    sensitive: sensitive === undefined ? '' : String(sensitive),
    choices: choices.map(({ value, label: labels = {} }) => ({
      value: String(value),
      label: labels[language] ?? '',
      labels,
    })),
    unit: definition.unit ?? '',
    group: definition.group ?? '',
    order: order === undefined ? '' : String(order),
    keyFact: definition.keyFact === true,
    purpose: definition.purpose ?? '',
    basis: definition.basis ?? '',
    recipients: definition.recipients ?? '',
    keptFor: definition.keptFor ?? '',
    icon: definition.icon ?? '',
    title: definition.title ?? '',
  }
}

/** @param stored Definition to replace, whose members without a field are kept if they still fit. */
export function definitionBody(
  content: DefinitionContent,
  stored: StoredDefinition = {},
): PropertyDefinition & TypeDefinition {
  const { type } = content
  const isSensitive = content.sensitive === 'true'
  const choices = hasChoices(type) ? filledChoices(content.choices) : []
  const order = content.order.trim()
  const body = {
    ...stored,
    label: textsOf(content.label),
    plural: textsOf(content.plural),
    description: textsOf(content.description),
    type: given(type),
    sensitive: content.sensitive === '' ? undefined : isSensitive,
    choices: choices.length === 0 ? undefined : choices.map((choice) => writtenChoice(choice, type)),
    unit: hasUnit(type) ? given(content.unit) : undefined,
    mask: isSensitive ? stored.mask : undefined,
    group: given(content.group),
    order: order === '' ? undefined : Number(order),
    keyFact: content.keyFact || undefined,
    range: rangeTypes.some((each) => each === type) ? stored.range : undefined,
    purpose: given(content.purpose),
    basis: given(content.basis),
    recipients: given(content.recipients),
    keptFor: given(content.keptFor),
    icon: given(content.icon),
    title: given(content.title),
  }
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
}

const given = (text: string) => (text.trim() === '' ? undefined : text.trim())

function writtenChoice({ value, label, labels }: Choice, type: string) {
  const texts = textsOf({ ...labels, [language]: label })
  return { value: type === 'NUMBER' ? Number(value) : value, ...(texts && { label: texts }) }
}

function textsOf(texts: Texts): Texts | undefined {
  const all = Object.entries(texts).flatMap(([each, text]) =>
    text.trim() === '' ? [] : [[each, text.trim()]],
  )
  return all.length === 0 ? undefined : (Object.fromEntries(all) as Texts)
}

export interface DefinitionMerge {
  readonly merged: DefinitionContent
  /** Fields that both edits changed, to different values. */
  readonly conflicts: readonly DefinitionField[]
  /** Fields that only the other edit changed. */
  readonly theirs: readonly DefinitionField[]
}

/** Merges two edits of the same definition, field by field. */
export function mergeDefinitions(
  before: DefinitionContent,
  mine: DefinitionContent,
  theirs: DefinitionContent,
): DefinitionMerge {
  const bodies = [before, mine, theirs].map((each) => definitionBody(each))
  const isSame = (name: DefinitionField, a: number, b: number) =>
    sameJson(bodies[a]?.[name], bodies[b]?.[name])
  const changed = allFields.filter((name) => !isSame(name, 0, 2) && !isSame(name, 1, 2))
  const onlyTheirs = changed.filter((name) => isSame(name, 0, 1))
  return {
    merged: takeFields(mine, theirs, onlyTheirs),
    conflicts: changed.filter((name) => !onlyTheirs.includes(name)),
    theirs: onlyTheirs,
  }
}

export function takeFields(
  mine: DefinitionContent,
  theirs: DefinitionContent,
  names: readonly DefinitionField[],
): DefinitionContent {
  return { ...mine, ...Object.fromEntries(names.map((name) => [name, theirs[name]])) }
}

/** Options of the fields that a list answers, with what is stored if this console does not know it. */
export const offered = (known: readonly string[], stored: string) => [
  ...new Set([...known, ...(stored === '' ? [] : [stored])]),
]
export const offeredTypes = (stored: string) => offered(dataTypes, stored)
export const offeredBases = (stored: string) => offered(legalBases, stored)
export const offeredIcons = (stored: string) => offered(typeIcons, stored)
