import type { Event } from '#contract/index.ts'
import { wait } from '../../../api/wait.ts'

const tailPollMs = 5000
/** Delay before the first retry after a failure; doubled after each further one. */
const tailRetryMs = 2000
const longestRetryMs = 60_000
/** Events that arrive within this time are shown together. */
const gatherMs = 150

/**
 * Streams the events after a given one, oldest first. Resolves when the service ends the stream, and rejects if it
 * fails.
 */
export type ReadStream = (
  after: string,
  onEvent: (event: Event) => void,
  signal: AbortSignal,
) => Promise<void>

export interface WatchedLog {
  /** Stream of new events; undefined if the service offers none. */
  readonly stream: ReadStream | undefined
  /** Reads the events missed since; returns false if there are too many. */
  readonly catchUp: (signal: AbortSignal) => Promise<boolean>
  readonly newestId: () => string | undefined
  readonly onEvents: (oldestFirst: readonly Event[]) => void
  readonly onState: (tail: 'off' | 'live' | 'failing') => void
}

export function watchLog(watched: WatchedLog): () => void {
  const leave = new AbortController()
  // Only an abort rejects; the loop retries every other failure.
  watch(watched, leave.signal).catch(() => undefined)
  return () => {
    leave.abort()
    // Behind another tab the log only rests: what came meanwhile is followed when the reader returns.
    if (document.visibilityState === 'visible') watched.onState('off')
  }
}

async function watch(watched: WatchedLog, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      if (!(await watched.catchUp(signal))) return
      failures = 0
      watched.onState('live')
      const after = watched.newestId()
      if (watched.stream && after !== undefined) await follow(watched.stream, after, watched.onEvents, signal)
      // Pause here too, in case the stream ends at once.
      await wait(watched.stream && after !== undefined ? tailRetryMs / 2 : tailPollMs, signal)
    } catch {
      if (signal.aborted) return
      failures += 1
      // A single failure is retried before it is reported.
      if (failures > 1) watched.onState('failing')
      await wait(Math.min(longestRetryMs, tailRetryMs * 2 ** (failures - 1)), signal)
    }
  }
}

async function follow(
  stream: ReadStream,
  after: string,
  onEvents: WatchedLog['onEvents'],
  signal: AbortSignal,
): Promise<void> {
  let gathered: Event[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    onEvents(gathered)
    gathered = []
  }
  try {
    await stream(
      after,
      (event) => {
        gathered.push(event)
        timer ??= setTimeout(flush, gatherMs)
      },
      signal,
    )
  } finally {
    clearTimeout(timer)
    // After an abort, the next catch-up reads the gathered events again.
    if (!signal.aborted) flush()
  }
}
