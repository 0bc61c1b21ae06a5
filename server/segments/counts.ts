import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../sealing/database.ts'
import type { SegmentCondition } from '../users/storage.ts'
import { keepSize, type SegmentSize } from './sizes.ts'

/** Number of users that a filter finds. */
export interface Total {
  readonly total: number
  /** Time of the count if it was not made just now; UTC with `Z`. */
  readonly counted?: string
}

interface KeptCount {
  readonly total: number
  readonly countedMs: number
  readonly tookMs: number
}

interface Waiting {
  readonly where: () => RawBuilder<boolean>
  /** Segments for which this count is stored as today's size. */
  readonly sizeOf: Omit<SegmentSize, 'total'> | undefined
}

/** A count that takes at most this long is repeated for every page. */
const cheapMs = 20
/** Age at which a cached count is repeated in the background on the next request. */
const countFreshMs = 30_000
/** Age at which a cached count is no longer shown. */
const maxAgeMs = 600_000
/** Ages of a slow count, as multiples of its duration: when it is repeated, and when it is no longer shown. */
const times = { again: 20, shown: 60 }
/** Time limit of a count that a caller waits for. */
const inlineLimitMs = 1000
/** Time limit of a background count: with ten million users, most filters exceed the 5 s limit of other statements. */
const backgroundLimitMs = 60_000
const maxKept = 1000

/**
 * Caches counts of segments in memory: counting half a million users would be most of the cost of each page. Counts
 * are keyed by the condition, so a changed filter starts without one.
 */
export class SegmentCounts {
  readonly #database: Database
  readonly #lastCounts = new Map<string, KeptCount>()
  /** Time at which a count last exceeded the limit for waiting callers; removed once the count succeeds. */
  readonly #inVainMs = new Map<string, number>()
  /** Time at which a background count was given up. */
  readonly #givenUpMs = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting>()
  readonly #closing = new AbortController()
  #running: Promise<void> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Returns a count. Counts at once if that was quick before or no cached count may be shown; otherwise returns the
   * cached count, and repeats an old one in the background. Returns `undefined` if counting takes too long and no
   * cached count may be shown. After such a failure, no caller waits again until a count has succeeded or some time has
   * passed: with ten million users, every page would wait.
   */
  async total({
    name,
    where,
    onlyNow = false,
  }: Pick<SegmentCondition, 'name' | 'where' | 'onlyNow'>): Promise<Total | undefined> {
    const kept = onlyNow ? undefined : this.lastCount(name)
    if (kept && (this.#lastCounts.get(name)?.tookMs ?? 0) > cheapMs) {
      this.refresh(name, where)
      return kept
    }
    if (Date.now() - (this.#inVainMs.get(name) ?? 0) > maxAgeMs) {
      const counted = await this.#count(name, where, inlineLimitMs)
      if (counted) return { total: counted.total }
      keepNewest(this.#inVainMs, name, Date.now())
    }
    this.refresh(name, where)
    return kept
  }

  /** Returns the cached count unless it is too old. */
  lastCount(name: string): Required<Total> | undefined {
    const kept = this.#lastCounts.get(name)
    if (!kept || Date.now() - kept.countedMs > Math.max(maxAgeMs, kept.tookMs * times.shown)) return undefined
    return { total: kept.total, counted: new Date(kept.countedMs).toISOString() }
  }

  /**
   * Queues a count for the background, where counts run one at a time, unless the cached count is fresh, the queue is
   * full, or this count was given up in the last 20 minutes.
   */
  refresh(
    name: string,
    where: () => RawBuilder<boolean>,
    {
      stillFreshMs = countFreshMs,
      sizeOf,
    }: { readonly stillFreshMs?: number; readonly sizeOf?: Omit<SegmentSize, 'total'> } = {},
  ): void {
    const kept = this.#lastCounts.get(name)
    // The queue is no longer than the cache, which would otherwise evict counts before they are shown.
    if (this.#waiting.size >= maxKept) return
    if (kept && Date.now() - kept.countedMs < Math.max(stillFreshMs, kept.tookMs * times.again)) return
    if (Date.now() - (this.#givenUpMs.get(name) ?? 0) < backgroundLimitMs * times.again) return
    this.#waiting.set(name, { where, sizeOf: mergeSizeOf(this.#waiting.get(name)?.sizeOf, sizeOf) })
    this.#running ??= this.#work().finally(() => (this.#running = undefined))
  }

  /** Number of counts in the queue. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Clears the queue, stops the current count and waits for its end. */
  async close(): Promise<void> {
    this.#waiting.clear()
    this.#closing.abort()
    await this.#running
  }

  async #work(): Promise<void> {
    for (const [name, { where, sizeOf }] of this.#waiting) {
      this.#waiting.delete(name)
      // A failed count is requested again by the next caller who needs it.
      const kept = await this.#count(name, where, backgroundLimitMs).catch(() => null)
      if (kept === undefined) keepNewest(this.#givenUpMs, name, Date.now())
      // If the store takes no writes now, the size is stored with a later count.
      if (kept && sizeOf)
        await keepSize(this.#database.sql, { ...sizeOf, total: kept.total }).catch(() => undefined)
    }
  }

  /** Counts and caches; returns `undefined` if that exceeds the limit. */
  async #count(
    name: string,
    where: () => RawBuilder<boolean>,
    limitMs: number,
  ): Promise<KeptCount | undefined> {
    const startedMs = performance.now()
    const total = await countUsers(this.#database, where(), { limitMs, stop: this.#closing.signal })
    if (total === undefined) return undefined
    const kept = { total, countedMs: Date.now(), tookMs: performance.now() - startedMs }
    keepNewest(this.#lastCounts, name, kept)
    this.#inVainMs.delete(name)
    return kept
  }
}

/** Adds an entry as the newest and evicts the oldest from a full map. */
function keepNewest<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name)
  map.set(name, value)
  if (map.size > maxKept) map.delete(map.keys().next().value ?? '')
}

/** Merges two requests with the same name. Their filters are equivalent, so they test the same properties. */
function mergeSizeOf(one: Waiting['sizeOf'], other: Waiting['sizeOf']): Waiting['sizeOf'] {
  if (!one || !other) return one ?? other
  return { ...other, segments: [...new Set([...one.segments, ...other.segments])] }
}

/** Counts users who meet a condition; returns `undefined` if that takes longer than `limitMs` or is aborted. */
export async function countUsers(
  database: Database,
  where: RawBuilder<boolean>,
  { limitMs, stop }: { readonly limitMs?: number; readonly stop?: AbortSignal },
): Promise<number | undefined> {
  const statement = sql<{ total: number }>`select count(*)::int as total from users u where ${where}`
  const found =
    limitMs === undefined
      ? await statement.execute(database.sql)
      : await database.within(limitMs, (handle) => statement.execute(handle), stop)
  return found?.rows[0]?.total
}

/** Number of users checked between two looks at the clock. Checking them takes 20 to 50 ms. */
const counted = 10_000

const lowestId = '00000000-0000-0000-0000-000000000000'
const highestId = lowestId.replaceAll('0', 'f')

/** Counts users who meet a condition, checking one by one until all are checked or the time is up. */
export async function countFirst(
  database: Database,
  oneByOne: RawBuilder<boolean>,
  leftMs: () => number,
): Promise<number> {
  let total = 0
  let after: string | null = lowestId
  const next = (from: string) => sql<{ total: number; last: string | null }>`
    with last as materialized (
      select id from users where id > ${from}::uuid order by id offset ${counted - 1} limit 1
    )
    select count(*)::int as total, (select id from last) as last from users u
    where u.id > ${from}::uuid and u.id <= coalesce((select id from last), ${highestId}::uuid) and ${oneByOne}`
  while (after !== null && leftMs() > 1) {
    const statement = next(after)
    const found = await database.within(leftMs(), (handle) => statement.execute(handle))
    total += found?.rows[0]?.total ?? 0
    after = found?.rows[0]?.last ?? null
  }
  return total
}
