import type { RecentAttempt, Subscription } from '#contract/index.ts'
import { utcMs } from '../../domain/webhooks/health.ts'

/**
 * The service retries an event for about three days, so an event that it gave up on may be up to four days older than
 * the end of its attempts.
 */
const givenUpMs = 4 * 86_400_000

/**
 * Returns the start of the search for missed events: early enough for every event that may have been missed, judging
 * by the last attempts. A test that arrived tells nothing about other events. Searching too far back does no harm,
 * because delivered events are not sent again and events from before the webhook existed are not meant for it.
 */
export function missedSince(subscription: Subscription, attempts: readonly RecentAttempt[] = []): string {
  const { created, disabled, waitingSince } = subscription
  const createdMs = utcMs(created) ?? 0
  const arrived = attempts.find(({ error, type }) => typeof error !== 'string' && type !== 'WEBHOOK_TEST')
  const stoppedMs = utcMs(disabled?.since)
  const possible = [
    utcMs(arrived?.time) ?? createdMs,
    stoppedMs !== undefined && stoppedMs - givenUpMs,
    utcMs(waitingSince),
  ]
  const earliest = Math.min(...possible.filter((ms) => typeof ms === 'number'))
  return new Date(Math.max(createdMs, earliest)).toISOString()
}
