import { setTimeout as wait } from 'node:timers/promises'

/**
 * A count becomes stale after this multiple of its own duration, so that counting takes a twentieth of the time. Stale
 * counts are refreshed on demand.
 */
const freshTimes = 20
/** Upper limit for the age of a fresh count. */
export const mostFreshMs = 3_600_000

export interface Count {
  /** Time when counting began: the count includes everything stored by then. */
  readonly madeMs: number
  readonly tookMs: number
}

/** Latest result of a count that may take long: made when it is asked for, and told as it was while it is made again. */
export class KeptCount<Result extends Count> {
  readonly #make: () => Promise<Result | undefined>
  readonly #patienceMs: number
  #kept: Result | undefined
  #making: Promise<void> | undefined

  /**
   * @param make Counts; undefined leaves the earlier result.
   * @param patienceMs Time that a reader waits for a count; a longer one continues in the background.
   */
  constructor(make: () => Promise<Result | undefined>, patienceMs: number) {
    this.#make = make
    this.#patienceMs = patienceMs
  }

  /** The latest result, as old as it may be. */
  get kept(): Result | undefined {
    return this.#kept
  }

  /** Returns the latest result; undefined while the first count is running, which takes a while. */
  async read(): Promise<Result | undefined> {
    const kept = this.#kept
    const isDue = !kept || Date.now() - kept.madeMs > Math.min(kept.tookMs * freshTimes, mostFreshMs)
    if (isDue) {
      const making = (this.#making ??= this.#count().finally(() => (this.#making = undefined)))
      // If no reader waits, a failure is ignored: the next reader starts a new count.
      making.catch(() => undefined)
      // A count that took long before will not be done within the patience of this reader either.
      if (kept && kept.tookMs > this.#patienceMs) return kept
      // On failure, readers fall back to the previous result.
      const awaited = kept ? making.catch(() => undefined) : making
      await Promise.race([awaited, wait(this.#patienceMs, undefined, { ref: false })])
    }
    return this.#kept
  }

  /** Waits until no count is running. */
  async settle(): Promise<void> {
    await this.#making?.catch(() => undefined)
  }

  async #count(): Promise<void> {
    this.#kept = (await this.#make()) ?? this.#kept
  }
}
