import type { Subscription } from '#contract/index.ts'
import { sampleDescription } from '#contract/sample-description.ts'
import { instantMs } from '../../ui/time.ts'

/** Health of a webhook. `stopped`: disabled by the service itself; `unused`: nothing has been sent yet. */
export type Health = 'working' | 'failing' | 'paused' | 'stopped' | 'unused'

export function healthOf({ enabled, disabled, lastSuccess, lastFailure }: Subscription): Health {
  if (!enabled) return disabled ? 'stopped' : 'paused'
  const [succeededMs, failedMs] = [utcMs(lastSuccess), utcMs(lastFailure)]
  if (failedMs === undefined) return succeededMs === undefined ? 'unused' : 'working'
  return succeededMs === undefined || failedMs > succeededMs ? 'failing' : 'working'
}

/** Whether the webhook came with the sample data, so that nobody has to care how it fares. */
export function isSample({ description }: Pick<Subscription, 'description'>): boolean {
  return description?.startsWith(sampleDescription) === true
}

/** Whether the webhook is failing or was stopped by the service, so that somebody should look at it. */
export function needsAttention(subscription: Subscription): boolean {
  return !isSample(subscription) && ['failing', 'stopped'].includes(healthOf(subscription))
}

/** Returns the milliseconds of one of the contract's UTC times, which may omit the zone. */
export function utcMs(time: string | null | undefined): number | undefined {
  return time === null || time === undefined ? undefined : instantMs(time, 'UTC')
}
