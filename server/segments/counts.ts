import { type RawBuilder, sql } from 'kysely'

import type { Database } from '../sealing/database.ts'
import type { SegmentCondition } from '../users/storage.ts'
import { keepSize, type SegmentSize } from './sizes.ts'

/** How many users a filter finds. */
export interface Total {
  readonly total: number
  /** When it was counted, where that was not just now; UTC with `Z`. */
  readonly counted?: string
}

interface KeptCount {
  readonly total: number
  readonly countedMs: number
  readonly tookMs: number
}

interface Waiting {
  readonly where: () => RawBuilder<boolean>
  /** Segments that store this count as their size of today. */
  readonly sizeOf: Omit<SegmentSize, 'total'> | undefined
}

/** A count that takes no longer is done anew for every page. */
const cheapMs = 20
/** A kept count older than this is counted again in the background, when somebody asks for it. */
const countFreshMs = 30_000
/** Older than this it is not shown any more. */
const maxAgeMs = 600_000
/** Ages of a slow count, as multiples of the time it took: when it is repeated, and when it is no longer shown. */
const times = { again: 20, shown: 60 }
/** Somebody waits for it. */
const inlineLimitMs = 1000
/** Nobody waits for it: of ten million users most filters take more than the 5 s that other statements may. */
const backgroundLimitMs = 60_000
const maxKept = 1000

/**
 * Counts of segments, kept in memory: counting half a million users for every page of them would be most of its cost.
 * Named by what they are a count of, so that a changed filter has none.
 */
export class SegmentCounts {
  readonly #database: Database
  readonly #lastCounts = new Map<string, KeptCount>()
  /** When a count last took longer than somebody waits for it; removed once the count succeeds. */
  readonly #inVainMs = new Map<string, number>()
  /** When a count in the background was given up. */
  readonly #givenUpMs = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting>()
  readonly #closing = new AbortController()
  #running: Promise<void> | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /**
   * Counts now where that is quick or never was done; `undefined`: it takes too long, and goes on in the background. Nobody
   * waits for it again then until it was counted, or for a while: of ten million users every page would wait.
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

  /** The last count, if there is one. */
  lastCount(name: string): Required<Total> | undefined {
    const kept = this.#lastCounts.get(name)
    if (!kept || Date.now() - kept.countedMs > Math.max(maxAgeMs, kept.tookMs * times.shown)) return undefined
    return { total: kept.total, counted: new Date(kept.countedMs).toISOString() }
  }

  /** Counts again in the background, one after the other, unless the last count is fresh. */
  refresh(
    name: string,
    where: () => RawBuilder<boolean>,
    {
      stillFreshMs = countFreshMs,
      sizeOf,
    }: { readonly stillFreshMs?: number; readonly sizeOf?: Omit<SegmentSize, 'total'> } = {},
  ): void {
    const kept = this.#lastCounts.get(name)
    // No more than are kept: the first would be forgotten before they are shown.
    if (this.#waiting.size >= maxKept) return
    if (kept && Date.now() - kept.countedMs < Math.max(stillFreshMs, kept.tookMs * times.again)) return
    if (Date.now() - (this.#givenUpMs.get(name) ?? 0) < backgroundLimitMs * times.again) return
    this.#waiting.set(name, { where, sizeOf: mergeSizeOf(this.#waiting.get(name)?.sizeOf, sizeOf) })
    this.#running ??= this.#work().finally(() => (this.#running = undefined))
  }

  /** How many are still to be counted. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Waits for what is being counted, and counts no more. */
  async close(): Promise<void> {
    this.#waiting.clear()
    this.#closing.abort()
    await this.#running
  }

  async #work(): Promise<void> {
    for (const [name, { where, sizeOf }] of this.#waiting) {
      this.#waiting.delete(name)
      // A count that fails is asked for again by whoever needs it next.
      const kept = await this.#count(name, where, backgroundLimitMs).catch(() => null)
      if (kept === undefined) keepNewest(this.#givenUpMs, name, Date.now())
      // A store that takes no writes now keeps the size with a later count.
      if (kept && sizeOf)
        await keepSize(this.#database.sql, { ...sizeOf, total: kept.total }).catch(() => undefined)
    }
  }

  /** `undefined`: it took longer. */
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

/** Adds an entry as the newest; the oldest is dropped. */
function keepNewest<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name)
  map.set(name, value)
  if (map.size > maxKept) map.delete(map.keys().next().value ?? '')
}

/** Merges two requests of one name. Their filters are equivalent, so they test the same properties. */
function mergeSizeOf(one: Waiting['sizeOf'], other: Waiting['sizeOf']): Waiting['sizeOf'] {
  if (!one || !other) return one ?? other
  return { ...other, segments: [...new Set([...one.segments, ...other.segments])] }
}

/** Users who meet a condition; `undefined`: counting took longer than `limitMs`, or was told to stop. */
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

/** Users who are looked at between two looks at the clock: 20 to 50 ms. */
const counted = 10_000

const lowestId = '00000000-0000-0000-0000-000000000000'
const highestId = lowestId.replaceAll('0', 'f')

/** Users who meet a condition, looked at one by one until all were or the time is up. */
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
