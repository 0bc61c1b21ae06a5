import { ApiError } from '../../api/api-error.ts'
import { wait } from '../../api/wait.ts'

const mostTries = 6
const longestWaitSeconds = 300

/** The service wants to be left alone. */
export function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 429 || error.status === 503)
}

/**
 * How long the service wants to be left alone after this failure (`Retry-After`, or a growing guess); `undefined`: it
 * did not ask for that, asks for more than anybody waits, or was asked often enough.
 */
export function askedWait(error: unknown, tries: number): number | undefined {
  if (!isBusy(error)) return undefined
  const seconds = Math.max(1, error.retryAfterSeconds ?? 2 ** tries)
  return tries > mostTries || seconds > longestWaitSeconds ? undefined : seconds
}

export interface Patience {
  readonly signal: AbortSignal
  /** How far the work is: only tries that come no further are counted. */
  readonly place: () => number
  readonly onWait: (seconds: number) => void
}

/** Work that goes on where it stood when it is begun again, through whatever waits the service asks for. */
export async function patiently(
  work: () => Promise<void>,
  { signal, place, onWait }: Patience,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const before = place()
    try {
      return await work()
    } catch (error) {
      if (place() > before) tries = 1
      const seconds = askedWait(error, tries)
      if (seconds === undefined) throw error
      onWait(seconds)
      await wait(seconds * 1000, signal)
    }
  }
}

/**
 * Runs a task for each item, a few at a time, and answers in the order of the items. After a failure nothing more is
 * begun; what is under way is waited for, so that its outcome is known, and then the failure is thrown.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let failure: { readonly error: unknown } | undefined
  const queue = items.entries()
  const work = async () => {
    for (const [index, item] of queue) {
      if (failure) return
      try {
        results[index] = await task(item)
      } catch (error) {
        failure ??= { error }
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  if (failure) throw failure.error
  return results
}
