import pLimit from 'p-limit'

import { ApiError } from '../../api/api-error.ts'
import { wait } from '../../api/wait.ts'

const mostRetries = 6
const longestWaitSeconds = 300

/** Whether the service asks the client to slow down. */
export function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 429 || error.status === 503)
}

/**
 * Returns the seconds to wait after a failure (`Retry-After`, or a growing estimate). Returns `undefined` if the
 * service did not ask for a pause, if the pause is too long, or if there have been too many attempts.
 */
export function busyWaitSeconds(error: unknown, attempts: number): number | undefined {
  if (!isBusy(error)) return undefined
  const seconds = Math.max(1, error.retryAfterSeconds ?? 2 ** attempts)
  return attempts > mostRetries || seconds > longestWaitSeconds ? undefined : seconds
}

interface BusyRetryOptions {
  readonly signal: AbortSignal
  /** Progress of the work: only attempts that make no progress count towards the limit. */
  readonly place: () => number
  readonly onWait: (seconds: number) => void
}

/** Retries work through the pauses that the service asks for. The work itself resumes where it left off. */
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
 * Runs a task for each item, a few in parallel, and returns the results in the order of the items. After a failure, no
 * further task starts; the error is thrown once all running tasks have ended, so that their outcome is known.
 */
export async function runInParallel<Item, Result>(
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
