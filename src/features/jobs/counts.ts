import {
  effects,
  type Job,
  type Outcome,
  outcomes as allOutcomes,
  type UndoOutcome,
  undoOutcomes,
} from '#contract/index.ts'
import { jobsText } from '../../messages/index.ts'
import type { ReportFilter } from './queries.ts'
import type { JobView } from './view.ts'

const colors: Readonly<Record<string, `var(--${string})`>> = {
  created: 'var(--ds-added)',
  added: 'var(--ds-added)',
  changed: 'var(--ds-added)',
  undone: 'var(--ds-added)',
  refused: 'var(--ds-removed)',
  conflict: 'var(--ds-removed)',
}
export const outcomeColor = (outcome: string) => colors[outcome] ?? 'var(--mantine-color-text)'

export interface Count {
  readonly id: string
  readonly name: string
  readonly color: string
  readonly count: number
  readonly filter: ReportFilter
}

type Names = Pick<JobView, 'nameOutcome' | 'nameUndone'>

/**
 * Returns the counts by result, in the contract's order: what the job has changed comes first, or in its place what its
 * undo has done.
 */
export function countsOf(job: Job, { nameOutcome, nameUndone }: Names): Count[] {
  const { outcomes = {}, undone = {}, undo } = job
  const changed: readonly string[] = undo === true ? effects : []
  return [
    ...inOrder(undone, undoOutcomes).map(([outcome, count]) => ({
      id: `undone ${outcome}`,
      name: nameUndone?.(outcome) ?? outcome,
      color: outcomeColor(outcome),
      count,
      filter: { undone: outcome as UndoOutcome },
    })),
    ...inOrder(outcomes, allOutcomes)
      .filter(([outcome]) => !changed.includes(outcome))
      .map(([outcome, count]) => ({
        id: outcome,
        name: nameOutcome?.(job, outcome) ?? outcome,
        color: outcomeColor(outcome),
        count,
        filter: { outcome: outcome as Outcome },
      })),
  ]
}

/** Sorts counts by a list of their names; those of a later release come last. */
function inOrder(counts: Readonly<Record<string, number>>, names: readonly string[]) {
  const placeOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length)
  return Object.entries(counts).toSorted(([one], [other]) => placeOf(one) - placeOf(other))
}

export const describeCounts = (job: Job, names: Names) =>
  countsOf(job, names)
    .map(({ name, count }) => jobsText.counted({ outcome: name, count }))
    .join(', ')
