import type { Logger } from 'pino'

import type { Store } from '../store/store.ts'
import { Worker } from '../store/worker.ts'
import { pruneDays } from './health.ts'
import { type PrunePosition, pruneDeliveries, pruneTries } from './pruning.ts'
import { sweepDeleted } from './sweeping.ts'

/** For how many days what is done is kept. */
export interface Keep {
  readonly tries: number
  readonly deliveries: number
}

interface TidyingOptions {
  readonly database: Store
  /** How often deliveries are looked for. */
  readonly pollMs: number
  readonly keep?: Keep | undefined
  readonly log?: Logger | undefined
}

/** Unless the settings say otherwise. */
const keptDays: Keep = { tries: 30, deliveries: 90 }

const pollsPerLook = 5
/** How often it looks for what has become old; that of before which is kept all the same is passed by once a day. */
const pruneEveryMs = 10 * 60_000
const wholeEveryMs = 24 * 3_600_000
/** After a failure, or while the disk is full. */
const tidyRecoverMs = 5000

/**
 * Takes away what nobody needs any more: subscriptions that were deleted, tries and deliveries that are old. In steps of some
 * milliseconds with a rest as long after each, so that nobody waits for it.
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

  /** Whether there may be more to do. */
  async #step(): Promise<boolean> {
    const { sql } = this.#database
    if (await sweepDeleted(sql)) return true
    if (performance.now() < this.#prunesAtMs) return false
    if (await pruneTries(sql, this.#keep.tries)) return true
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
