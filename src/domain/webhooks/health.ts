import type { RecentAttempt, Subscription } from '#contract/index.ts'

import { instantMs } from '../../ui/time.ts'

/** How a webhook is doing. `stopped`: by the service itself; `unused`: nothing was sent yet. */
export type Health = 'working' | 'failing' | 'paused' | 'stopped' | 'unused'

export function healthOf({ enabled, disabled, lastSuccess, lastFailure }: Subscription): Health {
  if (!enabled) return disabled ? 'stopped' : 'paused'
  const [succeededMs, failedMs] = [momentOf(lastSuccess), momentOf(lastFailure)]
  if (failedMs === undefined) return succeededMs === undefined ? 'unused' : 'working'
  return succeededMs === undefined || failedMs > succeededMs ? 'failing' : 'working'
}

/** Somebody has to look at it, or nothing arrives. */
export function needsAttention(subscription: Subscription): boolean {
  return ['failing', 'stopped'].includes(healthOf(subscription))
}

const dayMs = 86_400_000
/** An event is tried for about three days before the service gives up: what it gave up on is older by that. */
const givenUpMs = 4 * dayMs

/**
 * Returns the start of the search for missed events: early enough for every event that can have been missed, judging by
 * the last attempts. A test that arrived says nothing about events. Searching too far back costs nothing, since
 * delivered events are not sent again, and events from before the webhook existed are not meant for it.
 */
export function missedSince(subscription: Subscription, attempts: readonly RecentAttempt[] = []): string {
  const { created, disabled, waitingSince } = subscription
  const createdMs = momentOf(created) ?? 0
  const arrived = attempts.find(({ error, type }) => typeof error !== 'string' && type !== 'WEBHOOK_TEST')
  const stoppedMs = momentOf(disabled?.since)
  const possible = [
    momentOf(arrived?.time) ?? createdMs,
    stoppedMs !== undefined && stoppedMs - givenUpMs,
    momentOf(waitingSince),
  ]
  const earliest = Math.min(...possible.filter((ms) => typeof ms === 'number'))
  return new Date(Math.max(createdMs, earliest)).toISOString()
}

/** The contract has these in UTC, with a zone or without. */
function momentOf(time: string | null | undefined): number | undefined {
  return time === null || time === undefined ? undefined : instantMs(time, 'UTC')
}
