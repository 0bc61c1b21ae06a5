import { type DictionaryKey, isKnownSensitive } from '#contract/index.ts'
import type { Database } from '../sealing/database.ts'
import { readFilter } from '../segments/facts.ts'
import type { SegmentRow } from '../segments/storage.ts'
import { type Count, KeptCount, mostFreshMs } from './kept-count.ts'
import { beforeAll, type CountRow, countsAfter } from './storage.ts'

/** Time that a reader waits for a count; a longer one continues in the background. */
const patienceMs = 200
/** Limit for the keys of all entity types together. A store with more of them probably uses data as keys. */
const maxKeys = 5000
const maxTypes = 1000

interface UseCounts {
  count: number
  users: number
  sensitive: number
}

/** Forms of personal data by which texts in clear are counted. */
const looks = ['email', 'iban', 'phone'] as const

interface KeyCounts extends UseCounts {
  readonly key: string
  /** Number of texts in clear, and of those in each form. */
  readonly texts: { open: number } & Record<(typeof looks)[number], number>
  readonly types: Map<string, UseCounts>
}

interface TypeCounts {
  readonly type: string
  entities: number
  users: number
  readonly keys: Map<string, KeyCounts>
}

/** Counts of the stored entities and properties. */
export interface DictionaryCounts extends Count {
  readonly isCut: boolean
  readonly types: readonly TypeCounts[]
}

/**
 * In-memory cache of the property keys and the number of users who have each; counting reads all entities. Holds no
 * values. A new process counts when it is first asked.
 */
export class Dictionary {
  readonly #database: Database
  readonly #counts = new KeptCount(() => this.#count(), patienceMs)
  #closed = false

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the latest counts; undefined while the first count is running, which takes a while. */
  async read(): Promise<DictionaryCounts | undefined> {
    return await this.#counts.read()
  }

  /**
   * Whether nearly all properties of a key are sensitive according to the latest count, without waiting. `inDoubt`:
   * some are known to be sensitive. An uncounted key then counts as sensitive, and a stale count is refreshed for the
   * next caller.
   */
  isSensitive(entityType: string, key: string, inDoubt: boolean): boolean {
    const { kept } = this.#counts
    const isOld = !kept || Date.now() - kept.madeMs > mostFreshMs
    if (inDoubt && isOld) this.read().catch(() => undefined)
    const counted = kept?.types.find(({ type }) => type === entityType)?.keys.get(key)
    return counted ? isKnownSensitive(counted) : inDoubt
  }

  /** Waits for the current batch and stops counting. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#counts.settle()
  }

  async #count(): Promise<DictionaryCounts | undefined> {
    const madeMs = Date.now()
    const startedMs = performance.now()
    const types = new Map<string, TypeCounts>()
    let size = 0
    let isCut = false
    let after: string | null = beforeAll
    while (after !== null) {
      if (this.#closed) return undefined
      const rows: readonly CountRow[] = await countsAfter(this.#database.sql, after)
      for (const row of rows) {
        const knownType = types.get(row.entity_type)
        if (!knownType && types.size === maxTypes) {
          isCut = true
          continue
        }
        const type = knownType ?? { type: row.entity_type, entities: 0, users: 0, keys: new Map() }
        types.set(row.entity_type, type)
        if (row.key === null) {
          type.entities += row.count
          type.users += row.users
          continue
        }
        const known = type.keys.get(row.key)
        if (!known && size === maxKeys) {
          isCut = true
          continue
        }
        if (!known) size += 1
        const texts = { open: 0, email: 0, iban: 0, phone: 0 }
        const key = known ?? { key: row.key, ...nothing, texts, types: new Map() }
        type.keys.set(row.key, key)
        if (row.type === null) {
          add(key, row)
          for (const name of ['open', ...looks] as const) key.texts[name] += row[name]
        } else {
          const counted = key.types.get(row.type) ?? { ...nothing }
          key.types.set(row.type, counted)
          add(counted, row)
        }
      }
      after = rows[0]?.last ?? null
    }
    const tookMs = performance.now() - startedMs
    return { madeMs, tookMs, isCut, types: [...types.values()] }
  }
}

const nothing: UseCounts = { count: 0, users: 0, sensitive: 0 }

function add(sum: UseCounts, { count, users, sensitive }: UseCounts): void {
  sum.count += count
  sum.users += users
  sum.sensitive += sensitive
}

/**
 * Returns the entity types as the API answers them, with the segments that use each key; without `segments`, these are
 * left out.
 */
export function toDictionaryTypes({ types }: DictionaryCounts, segments: readonly SegmentRow[] | undefined) {
  const using = segments && usesOf(segments)
  const answeredKey = (type: string, { key, types: ofKey, texts, ...counted }: KeyCounts): DictionaryKey => ({
    key,
    ...counted,
    ...lookOf(texts),
    types: Array.from(ofKey, ([name, each]) => ({ type: name, ...each })).toSorted(
      (a, b) => b.count - a.count || compare(a.type, b.type),
    ),
    ...(using && { segments: using.get(joinTypeAndKey(type, key)) ?? [] }),
  })
  return types
    .map(({ type, entities, users, keys }) => ({
      type,
      entities,
      users,
      keys: [...keys.values()]
        .map((key) => answeredKey(type, key))
        .toSorted((a, b) => b.users - a.users || compare(a.key, b.key)),
    }))
    .toSorted((a, b) => b.entities - a.entities || compare(a.type, b.type))
}

/** Fewer texts say nothing of the others that will be written. */
const leastTexts = 3

function lookOf({ open, ...texts }: KeyCounts['texts']): Pick<DictionaryKey, 'looksLike'> {
  const found = looks.find((look) => texts[look] * 2 > open)
  return found && open >= leastTexts ? { looksLike: found } : {}
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
const joinTypeAndKey = (type: string, key: string) => JSON.stringify([type, key])

function usesOf(segments: readonly SegmentRow[]): ReadonlyMap<string, { id: string; name: string }[]> {
  const using = new Map<string, { id: string; name: string }[]>()
  for (const { id, name, ...stored } of segments)
    for (const { type, key } of readFilter(stored).keys) {
      const place = joinTypeAndKey(type, key)
      using.set(place, [...(using.get(place) ?? []), { id, name }])
    }
  return using
}
