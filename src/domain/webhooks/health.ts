import type { Subscription } from '#contract/index.ts'

import { instantMs } from '../../ui/time.ts'

/** How a webhook is doing. `stopped`: by the service itself; `unused`: nothing was sent yet. */
export type Health = 'working' | 'failing' | 'paused' | 'stopped' | 'unused'

export function healthOf({ enabled, disabled, lastSuccess, lastFailure }: Subscription): Health {
  if (!enabled) return disabled ? 'stopped' : 'paused'
  const [succeededMs, failedMs] = [utcMs(lastSuccess), utcMs(lastFailure)]
  if (failedMs === undefined) return succeededMs === undefined ? 'unused' : 'working'
  return succeededMs === undefined || failedMs > succeededMs ? 'failing' : 'working'
}

/** Whether events stop arriving until somebody looks at the webhook. */
export function needsAttention(subscription: Subscription): boolean {
  return ['failing', 'stopped'].includes(healthOf(subscription))
}

/** Milliseconds of a time that the contract gives in UTC, with a zone or without. */
export function utcMs(time: string | null | undefined): number | undefined {
  return time === null || time === undefined ? undefined : instantMs(time, 'UTC')
}
