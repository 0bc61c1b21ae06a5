import { fold, type KnownKey, newPropertyKey, trimEnds } from '#contract/index.ts'
import type { WrittenProperty } from '../../domain/known-properties/known-property.ts'
import { fieldNames, type UserFieldName } from '../../domain/people/user-fields.ts'
import { readPropertyHeader } from './cells.ts'
import type { DecimalSign } from './column-numbers.ts'

/** Destination of a column: nothing, a field of the user, or a property. */
export type Target =
  | { readonly to: 'ignore' }
  | { readonly to: 'field'; readonly field: UserFieldName }
  | (WrittenProperty & {
      /** Property of the user's first entity of type `person`. */
      readonly to: 'property'
      /** Decimal sign chosen by the person; undefined to derive it from the column. */
      readonly decimal?: DecimalSign
    })

/** Returns whether values of a type contain numbers, whose notation depends on the country. */
export function isNumeric(type: string): boolean {
  return type === 'NUMBER' || type === 'DECIMAL' || type === 'CURRENCY'
}

export interface FileColumn {
  readonly header: string
  /** First values that are not empty. */
  readonly samples: readonly string[]
}

const ignored: Target = { to: 'ignore' }
export const importedEntity = 'person'

const names: Readonly<Record<UserFieldName, readonly string[]>> = {
  name: ['name', 'fullname', 'displayname', 'username', 'customer', 'customername'],
  email: ['email', 'mail', 'emailaddress', 'mailaddress', 'emails'],
  ref: [
    'ref',
    'reference',
    'customerref',
    'customernumber',
    'customerno',
    'customerid',
    'externalid',
    'number',
  ],
  since: ['since', 'customersince', 'membersince', 'usersince'],
}

/**
 * Guesses the target of each column by its header. An unknown column is ignored, so that a guess never writes anything
 * unexpected. A property column of our own export keeps its key, but is ignored if values were withheld or its entity
 * is not a `person`.
 */
export function guessTargets(columns: readonly FileColumn[], known: readonly KnownKey[]): Target[] {
  const taken = new Set<string>()
  return columns.map(({ header, samples }) => {
    const guess = guessTarget(trimEnds(header), samples, known)
    const what =
      guess.to === 'field' ? `.${guess.field}` : guess.to === 'property' ? `:${guess.key}` : undefined
    // If several columns have the same guess, only the first one gets it.
    if (what === undefined || taken.has(what)) return ignored
    taken.add(what)
    return guess
  })
}

function guessTarget(header: string, samples: readonly string[], known: readonly KnownKey[]): Target {
  const plain = plainly(header)
  const field = fieldNames.find((field) => names[field].includes(plain))
  if (field !== undefined) return { to: 'field', field }
  const own = readPropertyHeader(header)
  if (own?.withheld === true || (own && own.entity !== importedEntity)) return ignored
  const same =
    known.find(({ key }) => key === own?.key) ??
    known.find(({ key }) => fold(key) === fold(header)) ??
    known.find(({ key }) => plainly(key) === plain)
  if (same)
    return {
      to: 'property',
      key: same.key,
      type: same.type,
      sensitive: same.sensitive === true || (own !== undefined && own.sensitive !== false),
    }
  if (!own) return ignored
  return { to: 'property', key: own.key, type: guessType(samples), sensitive: own.sensitive !== false }
}

/** Removes differences that people overlook (case, spaces and punctuation), so that a key matches its label. */
const plainly = (text: string) => fold(text).replaceAll(/[\s._-]/g, '')

const shapes = {
  BOOLEAN: /^(?:true|false)$/i,
  DATE: /^\d{4}-\d{2}-\d{2}$/,
  DATETIME: /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/,
  CURRENCY: /^-?\d+(?:\.\d+)? [A-Z]{3}$/,
  EMAIL: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  URL: /^https?:\/\/\S+$/i,
} as const

/** Guesses the type of a column. Never guesses a number, because postcodes and phone numbers are texts of digits. */
export function guessType(samples: readonly string[]): string {
  if (samples.length === 0) return 'TEXT'
  const shape = Object.entries(shapes).find(([, pattern]) =>
    samples.every((sample) => pattern.test(sample.trim())),
  )
  return shape?.[0] ?? 'TEXT'
}

export type Problem = 'twice' | 'no key' | 'bad key' | 'unchecked' | 'not allowed'

/** Returns problems by column. `isUnchecked`: perhaps sensitive elsewhere. `maySeal`: may write sensitive values. */
export function mappingProblems(
  targets: readonly Target[],
  {
    isUnchecked,
    maySeal,
  }: { readonly isUnchecked: (property: WrittenProperty) => boolean; readonly maySeal: boolean },
): Map<number, Problem> {
  const taken = new Set<string>()
  const problems = new Map<number, Problem>()
  for (const [index, target] of targets.entries()) {
    if (target.to === 'ignore') continue
    const what = target.to === 'field' ? `.${target.field}` : `:${trimEnds(target.key)}`
    if (target.to === 'property' && trimEnds(target.key) === '') problems.set(index, 'no key')
    else if (target.to === 'property' && !newPropertyKey.safeParse(target.key).success)
      problems.set(index, 'bad key')
    else if (taken.has(what)) problems.set(index, 'twice')
    else if (target.to === 'property' && isUnchecked(target)) problems.set(index, 'unchecked')
    else if (target.to === 'property' && target.sensitive && !maySeal) problems.set(index, 'not allowed')
    taken.add(what)
  }
  return problems
}
