import type { ImportField } from '#contract/import.ts'
import { readPropertyHeader } from '#contract/reading/cells.ts'
import { type ColumnChoices, type ColumnReading, readColumn } from '#contract/reading/columns.ts'
import type { FileColumn } from '#contract/reading/headers.ts'
import { summariseColumn } from '#contract/reading/summary.ts'
import type { TableRow } from '#contract/reading/table.ts'
import {
  guessTargets,
  importedEntity,
  type MappedProperty,
  type MappingProblem,
  mappingProblems,
} from '#contract/reading/targets.ts'
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

const ignored: Target = { to: 'ignore' }

/** Proposes targets of columns: those of the entity type that is imported. */
export function proposeTargets(columns: readonly FileColumn[], known: readonly MappedProperty[]): Target[] {
  return guessTargets(columns, known).map((target) => {
    if (target.to !== 'property') return target
    const { entity, ...property } = target
    return entity === importedEntity ? property : ignored
  })
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

export type Problem = MappingProblem | 'unchecked' | 'not allowed'

/** Returns problems by column. `isUnchecked`: perhaps sensitive elsewhere. `maySeal`: may write sensitive values. */
export function problemsOf(
  targets: readonly Target[],
  {
    isUnchecked,
    maySeal,
  }: { readonly isUnchecked: (property: WrittenProperty) => boolean; readonly maySeal: boolean },
): Map<number, Problem> {
  const problems = new Map<number, Problem>(mappingProblems(targets))
  for (const [index, target] of targets.entries()) {
    if (target.to !== 'property' || problems.has(index)) continue
    if (isUnchecked(target)) problems.set(index, 'unchecked')
    else if (target.sensitive && !maySeal) problems.set(index, 'not allowed')
  }
  return problems
}
