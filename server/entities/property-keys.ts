import { sql } from 'kysely'

import type { KnownKey } from '#contract/index.ts'
import type { InClear } from '../changesets/record.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import type { StoredProperties } from './properties.ts'

interface Noted {
  readonly entity_type: string
  readonly key: string
  readonly type: string
  readonly sensitive: boolean
}

/** Maximum number of keys in an answer; a store with more of them probably uses data as keys. */
const maxListed = 10_000
const maxRememberedKeys = 50_000

/** Recorded properties of a key: only sensitive ones, only clear ones, or both. */
type Marks = NonNullable<InClear['others']>

interface Remembered {
  readonly names: Set<string>
  readonly marks: Map<string, Marks>
}

/**
 * Cache of committed keys for each database of this process. A write without new keys, the usual case, needs no
 * statement.
 */
const remembered = new WeakMap<object, Remembered>()

/** Returns the marks that earlier transactions recorded for a key; undefined if there are none. */
export type MarksOf = (entityType: string, key: string) => Marks | undefined

/**
 * Records the keys of written properties for suggestions, in the write's transaction. Call it last in the transaction:
 * of two transactions with the same new key, one waits for the other. Returns the earlier records of these keys.
 */
export async function noteKeys(
  transaction: Transaction,
  entities: Iterable<{ readonly type: string; readonly properties: StoredProperties }>,
): Promise<MarksOf> {
  // The adapter is the only object that a transaction shares with its database.
  const database = transaction.getExecutor().adapter
  const known: Remembered = remembered.get(database) ?? { names: new Set(), marks: new Map() }
  remembered.set(database, known)
  const marksOf: MarksOf = (entityType, key) => known.marks.get(joinTypeAndKey(entityType, key))
  const fresh = new Map<string, Noted>()
  for (const entity of entities)
    for (const [key, { type, sensitive }] of Object.entries(entity.properties)) {
      const name = `${entity.type}\0${type}\0${sensitive}\0${key}`
      if (!known.names.has(name)) fresh.set(name, { entity_type: entity.type, key, type, sensitive })
    }
  if (fresh.size === 0) return marksOf
  // Rows of this transaction may be rolled back, so only those of others are cached; its own are cached by the next
  // write. A fixed insertion order prevents deadlocks.
  const { rows } = await sql<Noted>`
    with given as materialized (
      select entity_type, key, type, sensitive from jsonb_to_recordset(${JSON.stringify([...fresh.values()])}::jsonb)
        as row (entity_type text, key text, type text, sensitive boolean)
    ), added as (
      insert into property_keys (entity_type, key, type, sensitive)
      select * from given order by entity_type collate "C", key collate "C", type, sensitive
      on conflict do nothing
    )
    select k.entity_type, k.key, k.type, k.sensitive from property_keys k
    join (select distinct entity_type, key from given) as place on (k.entity_type, k.key) = (place.entity_type, place.key)
    where k.xmin <> pg_current_xact_id()::xid`.execute(transaction)
  if (known.names.size + rows.length > maxRememberedKeys) {
    known.names.clear()
    known.marks.clear()
  }
  const nameOf = ({ entity_type: of, key, type, sensitive }: Noted) => `${of}\0${type}\0${sensitive}\0${key}`
  const committed = new Set(rows.map(nameOf))
  const unsettled = new Set(
    [...fresh].flatMap(([name, { entity_type: of, key }]) =>
      committed.has(name) ? [] : [joinTypeAndKey(of, key)],
    ),
  )
  for (const row of rows) {
    const { entity_type: of, key, sensitive } = row
    const mark = sensitive ? 'sensitive' : 'clear'
    const before = marksOf(of, key) ?? mark
    known.marks.set(joinTypeAndKey(of, key), before === mark ? mark : 'both')
    // The transaction adds a row for this key, so the next write reads the key again.
    if (unsettled.has(joinTypeAndKey(of, key))) known.names.delete(nameOf(row))
    else known.names.add(nameOf(row))
  }
  return marksOf
}

const joinTypeAndKey = (entityType: string, key: string) => `${entityType}\0${key}`

/** Returns how the properties of a key are recorded, outside any write. */
export async function readMarks(
  database: Handle,
  entityType: string,
  key: string,
): Promise<Marks | undefined> {
  const { rows } = await sql<{ sensitive: boolean; clear: boolean }>`
    select coalesce(bool_or(sensitive), false) as sensitive, coalesce(bool_or(not sensitive), false) as clear
    from property_keys where entity_type = ${entityType} and key = ${key}`.execute(database)
  const { sensitive = false, clear = false } = rows[0] ?? {}
  return sensitive && clear ? 'both' : sensitive ? 'sensitive' : clear ? 'clear' : undefined
}

/**
 * Returns the keys that properties have or have had, with their types, sorted by key; `sensitive` if any such property
 * is or was sensitive. A key stays known after its last use, because only reading all entities would show whether it
 * is still in use.
 */
export async function readKnownKeys(database: Handle, entityType: string | undefined): Promise<KnownKey[]> {
  const { rows } = await sql<KnownKey>`
    select key, type, bool_or(sensitive) as sensitive from property_keys
    where ${entityType === undefined ? sql`true` : sql`entity_type = ${entityType}`}
    group by key, type order by key, type limit ${maxListed}`.execute(database)
  return rows
}

/** Property of an entity type that exists or has existed. */
export interface NotedProperty {
  readonly entity: string
  readonly key: string
  /** Undefined if it has been of several types. */
  readonly type: string | undefined
  /** Whether it is or was sensitive for anybody. */
  readonly sensitive: boolean
}

/** Returns the properties that exist or have existed, those of the latest write too. */
export async function readNotedProperties(database: Handle): Promise<NotedProperty[]> {
  const { rows } = await sql<Omit<NotedProperty, 'type'> & { readonly type: string | null }>`
    select entity_type as entity, key, bool_or(sensitive) as sensitive,
      case when count(distinct type) = 1 then min(type) end as type
    from property_keys group by entity_type, key order by entity_type, key limit ${maxListed}`.execute(
    database,
  )
  return rows.map(({ type, ...row }) => Object.assign(row, { type: type ?? undefined }))
}

/** Returns the keys that are or were a sensitive property, each with its entity type. */
export async function readSensitiveKeys(
  database: Handle,
): Promise<{ readonly type: string; readonly key: string }[]> {
  const { rows } = await sql<{ type: string; key: string }>`
    select distinct entity_type as type, key from property_keys where sensitive
    order by type, key limit ${maxListed}`.execute(database)
  return rows
}
