import pLimit from 'p-limit'

import { ApiError } from '../../api/api-error.ts'
import { wait } from '../../api/wait.ts'

const mostRetries = 6
const longestWaitSeconds = 300

/** The service asks for a pause. */
export function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 429 || error.status === 503)
}

/**
 * Seconds to wait after this failure (`Retry-After`, or a growing guess). `undefined`: the service did not ask for a
 * pause, asks for a longer one than anybody waits for, or has been asked often enough.
 */
export function busyWaitSeconds(error: unknown, attempts: number): number | undefined {
  if (!isBusy(error)) return undefined
  const seconds = Math.max(1, error.retryAfterSeconds ?? 2 ** attempts)
  return attempts > mostRetries || seconds > longestWaitSeconds ? undefined : seconds
}

export interface BusyRetryOptions {
  readonly signal: AbortSignal
  /** How far the work is: only attempts that come no further are counted. */
  readonly place: () => number
  readonly onWait: (seconds: number) => void
}

/** Repeats work through the pauses that the service asks for. The work itself continues where it was. */
export async function retryWhileBusy(
  work: () => Promise<void>,
  { signal, place, onWait }: BusyRetryOptions,
): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    const before = place()
    try {
      return await work()
    } catch (error) {
      if (place() > before) attempts = 1
      const seconds = busyWaitSeconds(error, attempts)
      if (seconds === undefined) throw error
      onWait(seconds)
      await wait(seconds * 1000, signal)
    }
  }
}

/**
 * Runs a task for each item, a few at a time, and answers in the order of the items. After a failure no further task
 * starts. The failure is thrown once the tasks that were running have ended, so that their outcome is known.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit(concurrency)
  let failure: { readonly error: unknown } | undefined
  const run = async (item: Item) => {
    if (failure) return undefined
    try {
      return await task(item)
    } catch (error) {
      failure ??= { error }
      return undefined
    }
  }
  const results = await Promise.all(items.map((item) => limit(run, item)))
  if (failure) throw failure.error
  return results as Result[]
}
