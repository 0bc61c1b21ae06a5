import { effects, type Event, type Job } from '#contract/index.ts'
import { jobsText } from '../../messages/index.ts'
import { eventProperty } from '../changes/what-happened.ts'

type Outcomes = Readonly<Record<string, number>>

/** Returns how many users a job changed, or would change. */
export const countEffects = (outcomes: Outcomes = {}) =>
  effects.reduce((sum, outcome) => sum + (outcomes[outcome] ?? 0), 0)

const results: Readonly<Record<string, typeof jobsText.set.result>> = {
  set: jobsText.set.result,
  import: jobsText.import.result,
}

/** Describes the result of a job; undefined if it is unknown. */
export function describeResult({ kind, outcomes, undone, undo, dryRun }: Partial<Job>): string | undefined {
  if (kind === 'export') return outcomes && jobsText.export.result({ count: outcomes['exported'] ?? 0 })
  if (kind === 'delete') return outcomes && jobsText.delete.result({ count: outcomes['deleted'] ?? 0 })
  const result = kind === undefined ? undefined : results[kind]
  if (!result) return undefined
  if (undo === true) return undone && result.restored({ count: undone['undone'] ?? 0 })
  if (!outcomes) return undefined
  const count = countEffects(outcomes)
  const { unchanged = 0 } = outcomes
  if (count === 0 && unchanged > 0) return result.unchanged({ count: unchanged })
  return result[dryRun === true ? 'would' : 'changed']({ count })
}

/** Job that an event tells the end or the stop of; undefined for other events. */
export interface JobOfEvent {
  readonly id: string
  readonly kind: string
  readonly result: string | undefined
  /** Whether the job changed users in a way that it can put back, and this is not yet about putting back. */
  readonly isUndoable: boolean
}

export function jobOfEvent(event: Event): JobOfEvent | undefined {
  const id = eventProperty(event, 'job')
  const kind = eventProperty(event, 'kind')
  if (!event.type.startsWith('JOB_') || id === undefined || kind === undefined) return undefined
  const outcomes = readOutcomes(eventProperty(event, 'outcomes'))
  const undo = eventProperty(event, 'undo') === 'true'
  const isUndoable = Object.hasOwn(results, kind) && !undo && countEffects(outcomes) > 0
  return { id, kind, result: describeResult({ kind, undo, outcomes, undone: outcomes }), isUndoable }
}

function readOutcomes(json = ''): Outcomes | undefined {
  try {
    return JSON.parse(json) as Outcomes
  } catch {
    return undefined
  }
}
