import type { Logger } from 'pino'

import type { Store } from '../store/store.ts'
import { Worker } from '../store/worker.ts'
import { pruneDays } from './health.ts'
import { type PrunePosition, pruneDeliveries, pruneAttempts } from './pruning.ts'
import { sweepDeleted } from './sweeping.ts'

/** Number of days for which finished attempts and deliveries are kept. */
export interface Keep {
  readonly attempts: number
  readonly deliveries: number
}

interface TidyingOptions {
  readonly database: Store
  /** Interval of the search for due deliveries. */
  readonly pollMs: number
  readonly keep?: Keep | undefined
  readonly log?: Logger | undefined
}

/** Default of `keep`. */
const keptDays: Keep = { attempts: 30, deliveries: 90 }

const pollsPerLook = 5
/**
 * Interval of the search for old rows. Rows that were old before and are still kept are tested again only once a day.
 */
const pruneEveryMs = 10 * 60_000
const wholeEveryMs = 24 * 3_600_000
/** Delay after a failure. */
const tidyRecoverMs = 5000

/**
 * Removes obsolete rows: deleted subscriptions, old attempts and deliveries. Works in steps of a few milliseconds with a
 * pause of the same length after each, so that it delays no request.
 */
export class Tidying {
  readonly #database: Store
  readonly #keep: Keep
  readonly #pollMs: number
  #place: PrunePosition | undefined
  #prunesAtMs = 0
  #beginsAtMs = 0
  readonly #worker: Worker

  constructor({ database, pollMs, keep = keptDays, log }: TidyingOptions) {
    this.#database = database
    this.#keep = keep
    this.#pollMs = pollsPerLook * pollMs
    this.#worker = new Worker({
      step: () => this.#work(),
      recoverMs: tidyRecoverMs,
      tell: (error) => {
        const { name, code } = error as { name?: unknown; code?: unknown }
        log?.error({ name, code }, 'old deliveries cannot be taken away')
      },
    })
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
  }

  async #work(): Promise<number> {
    if (this.#database.isReadOnly()) return this.#pollMs
    const startedMs = performance.now()
    return (await this.#step()) ? performance.now() - startedMs : this.#pollMs
  }

  /** Runs one step. Returns whether there may be more to do. */
  async #step(): Promise<boolean> {
    const { sql } = this.#database
    if (await sweepDeleted(sql)) return true
    if (performance.now() < this.#prunesAtMs) return false
    if (await pruneAttempts(sql, this.#keep.attempts)) return true
    if (performance.now() >= this.#beginsAtMs) {
      this.#place = undefined
      this.#beginsAtMs = performance.now() + wholeEveryMs
    }
    const place = await pruneDeliveries(sql, this.#keep.deliveries, this.#place)
    this.#place = place ?? this.#place
    if (place) return true
    await pruneDays(sql)
    this.#prunesAtMs = performance.now() + pruneEveryMs
    return false
  }
}
