import { useState } from 'react'

/** Progress at a moment, in epoch milliseconds. */
interface Sample {
  readonly done: number
  readonly atMs: number
}

/** Speed of some work, and the time that it still takes; undefined as long as either is unknown. */
export interface Pace {
  readonly perSecond: number
  readonly leftSeconds: number
}

/** Span that the speed is measured over: long enough that it does not jump, short enough to follow a change. */
const spanMs = 15_000
/** Shortest span that tells a speed. */
const leastMs = 3000

/** Adds a sample and drops those that are too old. Starts again once progress goes back, as for another step. */
export function addSample(samples: readonly Sample[], next: Sample): readonly Sample[] {
  const last = samples.at(-1)
  if (!last || next.done < last.done) return [next]
  if (next.atMs <= last.atMs) return samples
  const kept = samples.filter(({ atMs }) => next.atMs - atMs <= spanMs)
  return [...(kept.length > 0 ? kept : [last]), next]
}

export function paceOf(samples: readonly Sample[], total: number): Pace | undefined {
  const [first] = samples
  const last = samples.at(-1)
  if (!first || !last || last.atMs - first.atMs < leastMs || last.done <= first.done) return undefined
  const perSecond = ((last.done - first.done) / (last.atMs - first.atMs)) * 1000
  return { perSecond, leftSeconds: Math.max(0, total - last.done) / perSecond }
}

/** Measures the pace of work from the progress that is read of it. */
export function usePace(progress: Sample, total: number): Pace | undefined {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  const next = addSample(samples, progress)
  // Kept during rendering, as React advises for state that follows from earlier props.
  if (next !== samples) setSamples(next)
  return paceOf(next, total)
}
