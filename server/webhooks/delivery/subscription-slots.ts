import { performance } from 'node:perf_hooks'

import { failuresInARow } from './schedule.ts'

/**
 * Maximum number of concurrent deliveries to one subscription. A slow receiver fills only its own slots and delays no
 * others.
 */
export const maxConcurrent = 32
/**
 * Maximum for a failing subscription: enough to notice that it answers again. Each subscription always has these slots,
 * however many others hang.
 */
export const maxConcurrentFailing = 2

/** State of this process's deliveries to one subscription. */
export class SubscriptionSlots {
  /** Number of deliveries claimed and not yet recorded. */
  taken = 0
  /** Number of consecutive failures. */
  failures = 0
  heldUntilMs = 0
  restsUntilMs = 0
  /** Whether the last response was 2xx. */
  isWell = false
  /**
   * Whether all slots were taken, so that more deliveries may be due. If the receiver accepts, they do not wait for
   * the next poll.
   */
  isFull = false

  get room(): number {
    return performance.now() < Math.max(this.heldUntilMs, this.restsUntilMs) ? 0 : this.free
  }

  get free(): number {
    return Math.max(0, (this.isFailing ? maxConcurrentFailing : maxConcurrent) - this.taken)
  }

  get isIdle(): boolean {
    return this.taken === 0 && this.failures === 0 && performance.now() >= this.restsUntilMs
  }

  get isFailing(): boolean {
    return this.failures >= failuresInARow
  }
}

/**
 * Returns the pause of a subscription after each delivery while requests keep this process busy. It grows with the
 * number of subscriptions whose receivers accept, so that deliveries take only a small share of the process's time.
 * Failing or hanging receivers cost little and delay no others.
 */
export function restMsAmong(all: readonly Pick<SubscriptionSlots, 'isWell'>[]): number {
  return 20 * Math.max(1, all.filter((slots) => slots.isWell).length)
}
