import { performance } from 'node:perf_hooks'

import { failuresInARow } from './schedule.ts'

/** So many at a time to one subscription: a slow receiver fills its own slots, and keeps nobody else waiting. */
export const maxConcurrent = 32
/** And so many to one that fails: enough to notice that it answers again. Each has these, however many others hang. */
export const maxConcurrentFailing = 2

/** Work of this process for one subscription. */
export class SubscriptionSlots {
  /** Claimed, and nothing written down of it yet. */
  taken = 0
  /** In a row. */
  failures = 0
  heldUntilMs = 0
  restsUntilMs = 0
  /** The last answer was 2xx. */
  isWell = false
  /**
   * True: no slot was left, so more may be due. If the receiver accepts, this does not wait for the next poll.
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
