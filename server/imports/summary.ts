import { hkdfSync } from 'node:crypto'

import type { ImportSummary } from '#contract/index.ts'
import type { IndexKey } from '../sealing/data-keys.ts'
import { openValue, sealValue } from '../sealing/encryption.ts'
import type { Effect } from './planning.ts'
import type { RowProblem } from './reading.ts'

/** Different cells of a cause that are counted, so that the most frequent ones are known of nearly every file. */
const countedCells = 200
/** Longest cell that is kept, in characters. */
const longestCell = 60

/** Counts of one property or field. */
interface EffectCounts {
  readonly entity: string | undefined
  readonly key: string
  created: number
  changed: number
  cleared: number
  older: number
}

interface CauseCounts {
  readonly column: number | undefined
  readonly code: string
  readonly detail: string
  count: number
  readonly cells: Record<string, number>
}

/** Sum of what a check found in the rows of a file; sealed, as it has cells. */
export interface Summary {
  rows: number
  readonly effects: EffectCounts[]
  readonly causes: CauseCounts[]
  /** Effects of the rows that have been imported; undefined before the first, and in imports of earlier releases. */
  done?: EffectCounts[]
}

export const emptySummary = (): Summary => ({ rows: 0, effects: [], causes: [] })

export function addRow(summary: Summary, effects: readonly Effect[], problems: readonly RowProblem[]): void {
  summary.rows += 1
  countEffects(summary.effects, effects)
  for (const { column, code, detail, cell } of problems) {
    let cause = summary.causes.find((each) => each.code === code && each.column === column)
    if (!cause) summary.causes.push((cause = { column, code, detail, count: 0, cells: {} }))
    cause.count += 1
    if (cell === undefined) continue
    const shown = cell.slice(0, longestCell).toWellFormed()
    const before = Object.hasOwn(cause.cells, shown) ? cause.cells[shown] : undefined
    if (before !== undefined || Object.keys(cause.cells).length < countedCells)
      cause.cells[shown] = (before ?? 0) + 1
  }
}

/** Adds the effects of rows that were imported. */
export function addDone(summary: Summary, effects: readonly Effect[]): void {
  summary.done ??= []
  countEffects(summary.done, effects)
}

function countEffects(all: EffectCounts[], effects: readonly Effect[]): void {
  for (const { entity, key, is } of effects) {
    let counts = all.find((each) => each.entity === entity && each.key === key)
    if (!counts) all.push((counts = { entity, key, created: 0, changed: 0, cleared: 0, older: 0 }))
    counts[is] += 1
  }
}

export function sealSummary(indexKey: IndexKey, job: string, summary: Summary): string {
  return sealValue(summaryKey(indexKey), placeOfSummary(job), summary)
}

export function openSummary(indexKey: IndexKey, job: string, sealed: string): Summary {
  return openValue(summaryKey(indexKey), placeOfSummary(job), sealed) as Summary
}

const placeOfSummary = (job: string) => ({ user: job, key: 'summary', type: 'import' })

function summaryKey(indexKey: IndexKey): Buffer {
  return Buffer.from(hkdfSync('sha256', indexKey(), '', 'data-store imports', 32))
}

/** Number of the most frequent cells of a cause that are told. */
const listedCells = 10

/** Returns the summary as the API answers it; with cells only for the author of the import. */
export function toImportSummary(
  { rows, effects, causes, done = effects }: Summary,
  headers: readonly string[],
  { cells: withCells }: { readonly cells: boolean },
): ImportSummary {
  return {
    rows,
    effects: done.map(({ entity, older, ...counts }) =>
      Object.assign(counts, { olderConsents: older }, entity === undefined ? {} : { entity }),
    ),
    causes: Array.from(
      causes.toSorted((a, b) => b.count - a.count),
      ({ column, code, detail, count, cells }) => {
        const header = column === undefined ? undefined : headers[column]
        const most = Object.entries(cells)
          .toSorted(([, a], [, b]) => b - a)
          .slice(0, listedCells)
        const place = { ...(column !== undefined && { column }), ...(header !== undefined && { header }) }
        const told = withCells &&
          most.length > 0 && { cells: most.map(([cell, times]) => ({ cell, count: times })) }
        return Object.assign(place, { code, detail, count }, told || {})
      },
    ),
  }
}
