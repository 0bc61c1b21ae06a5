import { type CommonValue, fold, maxChoices } from '#contract/index.ts'
import { nameOfKey } from '../events/sealed-gate.ts'
import type { Database } from '../sealing/database.ts'
import { type Count, KeptCount, mostFreshMs } from './kept-count.ts'
import { beforeAll, type ValueRow, valuesAfter } from './storage.ts'

/** Time that a reader waits for a count, short enough for a list that opens beside its field. */
const patienceMs = 25
/** Number of values in an answer. */
const maxAnswered = 20
/** Fewest users who must share a value, so that no answer is about one person alone. */
const fewestUsers = 2
/** Number of keys whose values are kept; the one that was asked for longest ago is dropped first. */
const maxKeptKeys = 100
/** Number of keys that may wait while another one is counted; further ones are counted when they are asked for again. */
const maxQueuedKeys = 20
/** Number of different values that a count tells apart. Beyond it, the rarer half is dropped. */
const maxDifferent = 10_000

interface ValueCount extends Count {
  readonly isCut: boolean
  readonly values: readonly CommonValue[]
}

/** Commonest values of a key; without `made`, those met so far by the first count. */
interface ReadValues {
  readonly madeMs?: number
  readonly isCut: boolean
  readonly values: readonly CommonValue[]
}

interface Entry {
  readonly count: KeptCount<ValueCount>
  /** The count that is running. */
  tally: Tally
}

/**
 * In-memory cache of the commonest open values of keys. Whether a key may be told at all is for the caller to ask, each
 * time. Counting reads all entities, of one key after the other and in the background. Nothing is told for more than an
 * hour after it was counted, since the users who had the values may have been deleted.
 */
export class CommonValueCounts {
  readonly #database: Database
  readonly #entries = new Map<string, Entry>()
  /** Settles when the last waiting count has ended. */
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #closed = false

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the commonest values that contain a text. */
  async read(entityType: string, key: string, typed = ''): Promise<ReadValues> {
    this.#dropOld()
    const entry = this.#entryOf(entityType, key)
    const kept = await entry.count.read()
    const { isCut, values } = kept ?? { isCut: entry.tally.isCut, values: entry.tally.commonest() }
    const query = fold(typed)
    return {
      ...(kept && { madeMs: kept.madeMs }),
      isCut,
      values: values.filter(({ value }) => fold(String(value)).includes(query)).slice(0, maxAnswered),
    }
  }

  /** Drops what is known of a key whose values may not be told any more. */
  forget(entityType: string, key: string): void {
    this.#entries.delete(nameOfKey({ type: entityType, key }))
  }

  /** Waits for the current batch and stops counting. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#last
  }

  #dropOld(): void {
    for (const [name, { count }] of this.#entries)
      if (count.kept && Date.now() - count.kept.madeMs > mostFreshMs) this.#entries.delete(name)
  }

  #entryOf(entityType: string, key: string): Entry {
    const name = nameOfKey({ type: entityType, key })
    const entry: Entry = this.#entries.get(name) ?? {
      count: new KeptCount(async () => this.#inTurn(() => this.#count(entityType, key, entry)), patienceMs),
      tally: new Tally(),
    }
    // The order of the map is that of the latest use.
    this.#entries.delete(name)
    this.#entries.set(name, entry)
    const [oldest = ''] = this.#entries.keys()
    if (this.#entries.size > maxKeptKeys) this.#entries.delete(oldest)
    return entry
  }

  async #inTurn(count: () => Promise<ValueCount | undefined>): Promise<ValueCount | undefined> {
    if (this.#waiting > maxQueuedKeys) return undefined
    this.#waiting += 1
    const turn = this.#last.then(count).finally(() => (this.#waiting -= 1))
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #count(entityType: string, key: string, entry: Entry): Promise<ValueCount | undefined> {
    const madeMs = Date.now()
    const startedMs = performance.now()
    const tally = new Tally()
    entry.tally = tally
    try {
      let after: string | null = beforeAll
      while (after !== null) {
        // Nobody would read the result for a key that was dropped.
        if (this.#closed || this.#entries.get(nameOfKey({ type: entityType, key })) !== entry)
          return undefined
        const { values, last } = await valuesAfter(this.#database.sql, entityType, key, after)
        tally.add(values)
        after = last
      }
    } finally {
      entry.tally = new Tally()
    }
    return { madeMs, tookMs: performance.now() - startedMs, isCut: tally.isCut, values: tally.commonest() }
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Numbers of users by value. */
class Tally {
  #values = new Map<string, CommonValue>()
  isCut = false

  add(rows: readonly ValueRow[]): void {
    for (const { type, value, users } of rows) {
      const name = JSON.stringify([type, value])
      const known = this.#values.get(name)
      if (known) known.users += users
      else this.#values.set(name, { type, value, users })
    }
    if (this.#values.size <= maxDifferent) return
    this.isCut = true
    this.#values = new Map(
      [...this.#values].toSorted(([, a], [, b]) => b.users - a.users).slice(0, maxDifferent / 2),
    )
  }

  commonest(): readonly CommonValue[] {
    return [...this.#values.values()]
      .filter(({ users }) => users >= fewestUsers)
      .toSorted((a, b) => b.users - a.users || compare(String(a.value), String(b.value)))
      .slice(0, maxChoices)
  }
}
