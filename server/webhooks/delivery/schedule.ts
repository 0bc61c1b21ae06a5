import type { Outcome } from './receiver.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Delay after each failed attempt, as recommended by Standard Webhooks: ten attempts in about three days. */
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

/** Number of consecutive failed attempts after which a subscription counts as failing. */
export const failuresInARow = 10
/** Time after which a failing subscription is disabled. */
export const failingMs = 72 * hour

/** Longest delay that a receiver can request. */
const maxRetryAfterMs = 24 * hour

/**
 * Next state of a delivery. `disable`: the subscription is disabled too, because the receiver is gone or all attempts of
 * this delivery have failed.
 */
export type Verdict =
  | { readonly state: 'delivered' }
  | { readonly state: 'failed'; readonly disable?: 'exhausted' | 'gone' }
  | { readonly state: 'waiting'; readonly delayMs: number; readonly disable?: 'gone' }

/**
 * Evaluates an attempt with or without a response. `attempts`: number of failures since the delivery was queued, including
 * this one. A test is tried only once, since a person watches the result.
 */
export function evaluateAttempt(
  { status, error, retryAfterMs = 0 }: Outcome,
  { attempts, isTest, random = Math.random }: { attempts: number; isTest: boolean; random?: () => number },
): Verdict {
  if (error === undefined) return { state: 'delivered' }
  const gone = status === 410 ? ({ disable: 'gone' } as const) : {}
  if (isTest) return { state: 'failed', ...gone }
  const wait = waits[attempts - 1]
  if (wait === undefined) return { state: 'failed', disable: 'exhausted', ...gone }
  // Jitter of a fifth either way, so that deliveries that failed together are not retried together.
  const delayMs = Math.max(wait * (0.8 + 0.4 * random()), Math.min(retryAfterMs, maxRetryAfterMs))
  // Even after a 410 the delivery keeps waiting, so that it is sent if the subscription is enabled again.
  return { state: 'waiting', delayMs: Math.round(delayMs), ...gone }
}
