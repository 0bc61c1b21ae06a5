import { newPropertyKey } from '../entity.ts'
import type { ImportField } from '../import.ts'
import { trimEnds } from '../visible.ts'
import { readPropertyHeader } from './cells.ts'
import { type FileColumn, isNamePart, isSameProperty, plainHeader, proposeFields } from './headers.ts'

// Destinations of the columns of a file: proposed by headers and values, and what is wrong with those that were chosen.

/** Entity type whose properties a column is taken for, unless its header names another one. */
export const importedEntity = 'person'

export interface PropertyTarget {
  readonly to: 'property'
  readonly entity: string
  readonly key: string
  readonly type: string
  readonly sensitive: boolean
}
export type ColumnTarget =
  | { readonly to: 'ignore' }
  | { readonly to: 'field'; readonly field: ImportField }
  | PropertyTarget

/** Property that exists or is defined, by which a column is recognised. */
export interface MappedProperty {
  /** `importedEntity` if absent. */
  readonly entity?: string
  readonly key: string
  readonly label?: string | undefined
  readonly type?: string | undefined
  readonly sensitive?: boolean | undefined
}

interface GuessedColumn extends FileColumn {
  /** Data type that the values look like; found from the samples if absent. */
  readonly type?: string
}

const ignored = { to: 'ignore' } as const

/**
 * Guesses the target of each column by its header. An unknown column is ignored, so that a guess never writes anything
 * unexpected. A property column of our own export keeps its key, but is ignored if values were withheld.
 */
export function guessTargets(
  columns: readonly GuessedColumn[],
  known: readonly MappedProperty[],
): ColumnTarget[] {
  const fields = proposeFields(columns)
  const taken = new Set<string>()
  return columns.map((column, index) => {
    const field = fields[index]
    if (field !== undefined) return { to: 'field', field }
    const guess = guessProperty(column, known)
    // If several columns have the same guess, only the first one gets it.
    if (guess.to !== 'property' || taken.has(`${guess.entity}.${guess.key}`)) return ignored
    taken.add(`${guess.entity}.${guess.key}`)
    return guess
  })
}

function guessProperty(
  { header: written, samples, type: seen = guessType(samples) }: GuessedColumn,
  known: readonly MappedProperty[],
): ColumnTarget {
  const header = trimEnds(written)
  const own = readPropertyHeader(header)
  if (own?.withheld === true) return ignored
  const entity = own?.entity ?? importedEntity
  const there = known.filter((each) => (each.entity ?? importedEntity) === entity)
  const plain = plainHeader(header)
  const same =
    there.find(({ key }) => key === (own?.key ?? header)) ??
    there.find(({ key, label = key }) => plainHeader(key) === plain || plainHeader(label) === plain) ??
    (own
      ? undefined
      : there.find(({ key, label = key }) => [key, label].some((each) => isSameProperty(header, each))))
  if (same)
    return {
      to: 'property',
      entity,
      key: same.key,
      type: same.type ?? seen,
      sensitive: same.sensitive === true || (own !== undefined && own.sensitive !== false),
    }
  if (!own) return ignored
  return { to: 'property', entity, key: own.key, type: seen, sensitive: own.sensitive !== false }
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

export type MappingProblem = 'twice' | 'whole name' | 'no key' | 'bad key'

/** Returns what is wrong with the targets of columns, by column. */
export function mappingProblems(
  targets: readonly (
    | Exclude<ColumnTarget, PropertyTarget>
    | Pick<PropertyTarget, 'to' | 'key'>
    | PropertyTarget
  )[],
): Map<number, MappingProblem> {
  const taken = new Set<string>()
  const problems = new Map<number, MappingProblem>()
  const hasName = targets.some((target) => target.to === 'field' && target.field === 'name')
  for (const [index, target] of targets.entries()) {
    if (target.to === 'ignore') continue
    const what =
      target.to === 'field'
        ? target.field
        : `${'entity' in target ? target.entity : importedEntity}.${trimEnds(target.key)}`
    if (target.to === 'property' && trimEnds(target.key) === '') problems.set(index, 'no key')
    else if (target.to === 'property' && !newPropertyKey.safeParse(target.key).success)
      problems.set(index, 'bad key')
    else if (taken.has(what)) problems.set(index, 'twice')
    else if (hasName && target.to === 'field' && isNamePart(target.field)) problems.set(index, 'whole name')
    taken.add(what)
  }
  return problems
}
