import { sql } from 'kysely'

import type { KnownKey } from '#contract/index.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import type { StoredProperties } from './properties.ts'

interface Noted {
  readonly entity_type: string
  readonly key: string
  readonly type: string
  readonly sensitive: boolean
}

/** Answered at most; a store whose properties have more keys than this uses them for values. */
const maxListed = 10_000
const maxRemembered = 50_000

/**
 * What is known to be noted and committed, for each database that this process has open: a write with nothing new,
 * as nearly all are, costs no statement.
 */
const remembered = new WeakMap<object, Set<string>>()

/**
 * Notes the keys of written properties for completion, in the transaction of the write. Last in it: two that note the
 * same new key wait for each other.
 */
export async function noteKeys(
  transaction: Transaction,
  entities: Iterable<{ readonly type: string; readonly properties: StoredProperties }>,
): Promise<void> {
  // A transaction shares nothing with its database but this.
  const database = transaction.getExecutor().adapter
  const known = remembered.get(database) ?? new Set()
  remembered.set(database, known)
  const fresh = new Map<string, Noted>()
  for (const entity of entities)
    for (const [key, { type, sensitive }] of Object.entries(entity.properties)) {
      const name = `${entity.type}\0${type}\0${sensitive}\0${key}`
      if (!known.has(name)) fresh.set(name, { entity_type: entity.type, key, type, sensitive })
    }
  if (fresh.size === 0) return
  // Rows of this transaction may be undone: only those of others are remembered, which is from the next write on. In
  // one order, so that no two transactions hold what the other waits for.
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
    join given on (k.entity_type, k.key, k.type, k.sensitive) = (given.entity_type, given.key, given.type, given.sensitive)
    where k.xmin <> pg_current_xact_id()::xid`.execute(transaction)
  if (known.size + rows.length > maxRemembered) known.clear()
  for (const { entity_type: of, key, type, sensitive } of rows)
    known.add(`${of}\0${type}\0${sensitive}\0${key}`)
}

/**
 * The keys that properties have or have had, with their types, by key; `sensitive` where such a property is or was
 * sensitive. A key stays known when no entity has it any more: whether one does, only reading all of them would tell.
 */
export async function knownKeys(database: Handle, entityType: string | undefined): Promise<KnownKey[]> {
  const { rows } = await sql<KnownKey>`
    select key, type, bool_or(sensitive) as sensitive from property_keys
    where ${entityType === undefined ? sql`true` : sql`entity_type = ${entityType}`}
    group by key, type order by key, type limit ${maxListed}`.execute(database)
  return rows
}
