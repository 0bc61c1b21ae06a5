import type { ImportField } from '#contract/import.ts'
import { newPropertyKey, trimEnds } from '#contract/index.ts'
import { readPropertyHeader } from '#contract/reading/cells.ts'
import { type ColumnChoices, type ColumnReading, readColumn } from '#contract/reading/columns.ts'
import {
  type FileColumn,
  isNamePart,
  isSameProperty,
  plainHeader,
  proposeFields,
} from '#contract/reading/headers.ts'
import { summariseColumn } from '#contract/reading/summary.ts'
import type { TableRow } from '#contract/reading/table.ts'
import type { KnownProperty, WrittenProperty } from '../../domain/known-properties/known-property.ts'

/** Destination of a column: nothing, a field of the user, or a property. */
export type Target =
  | { readonly to: 'ignore' }
  | { readonly to: 'field'; readonly field: ImportField; readonly choices?: ColumnChoices }
  | (WrittenProperty & {
      /** Property of the user's first entity of type `person`. */
      readonly to: 'property'
      /** Choices of the person, for cells that can be read in several ways. */
      readonly choices?: ColumnChoices
    })

const fieldTypes: Partial<Record<ImportField, string>> = { email: 'EMAIL', since: 'DATETIME' }

export const typeOf = (target: Exclude<Target, { readonly to: 'ignore' }>) =>
  target.to === 'field' ? (fieldTypes[target.field] ?? 'TEXT') : target.type

/** Returns how a column of the file is read as its target. Nobody reads a column that is ignored. */
export function readTarget(
  target: Exclude<Target, { readonly to: 'ignore' }>,
  header: string,
  { rows, column }: { readonly rows: readonly TableRow[]; readonly column: number },
): ColumnReading {
  const cells = rows.map((row) => row.cells[column] ?? '')
  const isOurs = readPropertyHeader(header) !== undefined
  return readColumn(typeOf(target), summariseColumn({ header, isOurs }, cells), target.choices)
}

/** Property that exists or is defined, by which a column is recognised. */
export interface MappedProperty {
  readonly key: string
  readonly label?: string
  readonly type?: string | undefined
  readonly sensitive?: boolean | undefined
}

const ignored: Target = { to: 'ignore' }
export const importedEntity = 'person'

/**
 * Guesses the target of each column by its header. An unknown column is ignored, so that a guess never writes anything
 * unexpected. A property column of our own export keeps its key, but is ignored if values were withheld or its entity
 * is not a `person`.
 */
export function guessTargets(columns: readonly FileColumn[], known: readonly MappedProperty[]): Target[] {
  const fields = proposeFields(columns)
  const taken = new Set<string>()
  return columns.map(({ header, samples }, index) => {
    const field = fields[index]
    if (field !== undefined) return { to: 'field', field }
    const guess = guessProperty(trimEnds(header), samples, known)
    // If several columns have the same guess, only the first one gets it.
    if (guess.to !== 'property' || taken.has(guess.key)) return ignored
    taken.add(guess.key)
    return guess
  })
}

function guessProperty(header: string, samples: readonly string[], known: readonly MappedProperty[]): Target {
  const own = readPropertyHeader(header)
  if (own?.withheld === true || (own && own.entity !== importedEntity)) return ignored
  const plain = plainHeader(header)
  const same =
    known.find(({ key }) => key === (own?.key ?? header)) ??
    known.find(({ key, label = key }) => plainHeader(key) === plain || plainHeader(label) === plain) ??
    (own
      ? undefined
      : known.find(({ key, label = key }) => [key, label].some((each) => isSameProperty(header, each))))
  if (same)
    return {
      to: 'property',
      key: same.key,
      type: same.type ?? guessType(samples),
      sensitive: same.sensitive === true || (own !== undefined && own.sensitive !== false),
    }
  if (!own) return ignored
  return { to: 'property', key: own.key, type: guessType(samples), sensitive: own.sensitive !== false }
}

/** Adds what a definition says to what is counted: a type, or that values are sensitive, before anybody has one. */
export function knownWith(
  counted: KnownProperty | undefined,
  defined: Pick<MappedProperty, 'type' | 'sensitive'> | undefined,
): KnownProperty | undefined {
  if (!defined) return counted
  const { type, sensitive } = defined
  return {
    ...counted,
    ...(type !== undefined && { type }),
    sensitive: sensitive === true || counted?.sensitive === true,
  }
}

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

export type Problem = 'twice' | 'whole name' | 'no key' | 'bad key' | 'unchecked' | 'not allowed'

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
  const hasName = targets.some((target) => target.to === 'field' && target.field === 'name')
  for (const [index, target] of targets.entries()) {
    if (target.to === 'ignore') continue
    const what = target.to === 'field' ? `.${target.field}` : `:${trimEnds(target.key)}`
    if (target.to === 'property' && trimEnds(target.key) === '') problems.set(index, 'no key')
    else if (target.to === 'property' && !newPropertyKey.safeParse(target.key).success)
      problems.set(index, 'bad key')
    else if (taken.has(what)) problems.set(index, 'twice')
    else if (hasName && target.to === 'field' && isNamePart(target.field)) problems.set(index, 'whole name')
    else if (target.to === 'property' && isUnchecked(target)) problems.set(index, 'unchecked')
    else if (target.to === 'property' && target.sensitive && !maySeal) problems.set(index, 'not allowed')
    taken.add(what)
  }
  return problems
}
