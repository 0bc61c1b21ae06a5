import type { Outcome } from './receiver.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** How long to wait after each try that failed, as Standard Webhooks recommends: ten tries in about three days. */
const waits = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** A subscription whose tries have all failed so often in a row fails, and after so long it is given up. */
export const failuresInARow = 10
export const failingMs = 72 * hour

/** Longest that a receiver can put a delivery off. */
const maxRetryAfterMs = 24 * hour

/** Next state of a delivery. `disable`: its subscription stops too, since the receiver is gone or has accepted nothing. */
export type Verdict =
  | { readonly state: 'delivered' }
  | { readonly state: 'failed'; readonly disable?: 'exhausted' | 'gone' }
  | { readonly state: 'waiting'; readonly delayMs: number; readonly disable?: 'gone' }

/**
 * After an answer, or none. `tries`: how many failed since the delivery was queued, this one included. A test is tried
 * once: somebody looks at what becomes of it.
 */
export function evaluateTry(
  { status, error, retryAfterMs = 0 }: Outcome,
  { tries, isTest, random = Math.random }: { tries: number; isTest: boolean; random?: () => number },
): Verdict {
  if (error === undefined) return { state: 'delivered' }
  const gone = status === 410 ? ({ disable: 'gone' } as const) : {}
  if (isTest) return { state: 'failed', ...gone }
  const wait = waits[tries - 1]
  if (wait === undefined) return { state: 'failed', disable: 'exhausted', ...gone }
  // Spread by a fifth either way, so that what failed together does not come back together.
  const delayMs = Math.max(wait * (0.8 + 0.4 * random()), Math.min(retryAfterMs, maxRetryAfterMs))
  // Even on 410 the delivery keeps waiting, so that it is sent if the subscription is ever enabled again.
  return { state: 'waiting', delayMs: Math.round(delayMs), ...gone }
}
