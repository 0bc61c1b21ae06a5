import { type RawBuilder, sql } from 'kysely'

import type { JoinedKey } from '../sealing/data-keys.ts'
import {
  everyUser,
  type Handle,
  type OnlyUsers,
  statementTime,
  type Transaction,
  zoned,
} from '../store/sql.ts'
import type { ChangeAtRest, NewChangeset } from './changes.ts'

export interface ChangesetRow extends JoinedKey {
  id: string
  entity_id: string | null
  entity_type: string | null
  entity_type_before: string | null
  op: NewChangeset['op']
  actor: string
  /** UTC with `Z` and milliseconds. */
  time: string
  changes: ChangeAtRest[]
  /** Sealed reason; null if none was given. */
  reason: string | null
  reverts: string | null
  reverted: boolean
}

/** A changeset as stored. */
export interface NewChangesetRow extends NewChangeset {
  readonly id: string
  /** The token's `sub`. */
  readonly actor: string
  readonly changes: readonly ChangeAtRest[]
  /** Zone-less UTC; that of the statement if undefined. */
  readonly time?: string
}

/** Returns the statement that inserts changesets. */
export function changesetsInsert(
  changesets: readonly NewChangesetRow[],
  {
    time = statementTime,
    only = everyUser,
  }: { readonly time?: RawBuilder<unknown>; readonly only?: OnlyUsers | undefined } = {},
): RawBuilder<unknown> {
  return sql`
    insert into changesets (
      user_id, id, entity_id, entity_type, entity_type_before, op, actor, time, changes, reverts
    )
    select "user", id, (entity ->> 'id')::uuid, entity ->> 'type', entity ->> 'typeBefore', op, actor,
      coalesce(time, ${time}), changes, reverts
    from jsonb_to_recordset(${JSON.stringify(changesets)}::jsonb)
      as row ("user" uuid, id uuid, entity jsonb, op text, actor text, time timestamp, changes jsonb, reverts uuid)
    where ${only(sql`"user"`)}`
}

/** Changes of an entity, as they are stored. */
export interface StoredChanges extends Pick<ChangesetRow, 'id' | 'user' | 'changes'> {
  readonly entity: string
}

/** Returns the changesets of entities that hold a clear value of any of these keys. */
export async function changesetsInTheClear(
  transaction: Transaction,
  {
    users,
    entities,
    keys,
  }: {
    readonly users: readonly string[]
    readonly entities: readonly string[]
    readonly keys: readonly string[]
  },
): Promise<StoredChanges[]> {
  const { rows } = await sql<StoredChanges>`
    select id, user_id as "user", entity_id as entity, changes from changesets
    where user_id = any(${users}::uuid[]) and entity_id = any(${entities}::uuid[]) and keys ?| ${keys}::text[] and exists (
      select 1 from jsonb_array_elements(changes) as change
      where change ->> 'key' = any(${keys}::text[]) and change ?| array['before', 'after'])`.execute(
    transaction,
  )
  return rows
}

export async function updateChanges(
  transaction: Transaction,
  changesets: readonly StoredChanges[],
): Promise<void> {
  await sql`
    update changesets set changes = given.changes
    from jsonb_to_recordset(${JSON.stringify(changesets)}::jsonb) as given (id uuid, "user" uuid, changes jsonb)
    where changesets.user_id = any(${changesets.map(({ user }) => user)}::uuid[])
      and changesets.user_id = given."user" and changesets.id = given.id`.execute(transaction)
}

/** Whether the whole of a changeset was reverted, and that not reverted in turn. */
const isReverted = sql`exists (
    select 1 from changesets as undo where undo.user_id = changesets.user_id and undo.reverts = changesets.id
      and not exists (
        select 1 from changesets as redo where redo.user_id = undo.user_id and redo.reverts = undo.id))`

const changesetColumns = sql`id, user_id as "user", entity_id, entity_type, entity_type_before, op, actor,
  ${zoned(sql`time`)} as time, changes, master, wrapped, reverts, ${isReverted} as reverted,
  (select sealed from reasons where reasons.user_id = changesets.user_id and reasons.id = changesets.id) as reason`

/** Returns a changeset; undefined if this id has none or its user was deleted. */
export async function changesetById(database: Handle, id: string): Promise<ChangesetRow | undefined> {
  const { rows } = await sql<ChangesetRow>`
    select ${changesetColumns} from changesets left join user_keys using (user_id) where id = ${id}::uuid`.execute(
    database,
  )
  return rows[0]
}

/** Returns those of these changesets of users that there are, in their order. */
export async function changesetsById(
  database: Handle,
  users: readonly string[],
  ids: readonly string[],
): Promise<ChangesetRow[]> {
  const { rows } = await sql<ChangesetRow>`
    select ${changesetColumns} from changesets left join user_keys using (user_id)
    where user_id = any(${users}::uuid[]) and id = any(${ids}::uuid[])
    order by array_position(${ids}::uuid[], id)`.execute(database)
  return rows
}

/** Summary of a changeset, as JSON represents it. */
export interface ShortChangesetRow {
  id: string
  op: NewChangeset['op']
  entityType: string | null
  reverted: boolean
  total: number
  /** The first changes, without their values. */
  changes: { op: string; key: string; type: string; sensitive: boolean }[]
}

/** Returns summaries in the order of `ids`, without unknown ones. Values, sealed or not, stay in the database. */
export async function shortChangesets(
  database: Handle,
  ids: readonly string[],
  most: number,
): Promise<ShortChangesetRow[]> {
  const { rows } = await sql<ShortChangesetRow>`
    select kept.* from unnest(${ids}::uuid[]) with ordinality as wanted (id, at)
    cross join lateral (
      select id, op, entity_type as "entityType", ${isReverted} as reverted, jsonb_array_length(changes) as total, (
        select coalesce(json_agg(json_build_object(
          'op', change -> 'op', 'key', change -> 'key', 'type', change -> 'type',
          'sensitive', coalesce((change ->> 'sensitive')::boolean, false)
            or coalesce((change ->> 'sensitiveBefore')::boolean, false)) order by n), '[]')
        from jsonb_array_elements(changes) with ordinality as each (change, n) where n <= ${most}::int
      ) as changes
      from changesets where changesets.id = wanted.id) kept
    order by wanted.at`.execute(database)
  return rows
}

/**
 * Returns the latest removal of an entity, which may have been restored and deleted again; undefined if no removal is
 * on record.
 */
export async function lastRemoval(
  database: Handle,
  user: string,
  entity: string,
): Promise<ChangesetRow | undefined> {
  const { rows } = await sql<ChangesetRow>`
    select ${changesetColumns} from changesets left join user_keys using (user_id)
    where user_id = ${user}::uuid and entity_id = ${entity}::uuid and op = 'remove'
    order by time desc, id desc limit 1`.execute(database)
  return rows[0]
}

/**
 * Returns, by the ids of changesets, the keys of their entities that were written after them, even if their values are
 * the same as then.
 */
export async function findKeysChangedAfter(
  database: Handle,
  users: readonly string[],
  changesets: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (changesets.length === 0) return new Map()
  const { rows } = await sql<{ changeset: string; keys: string[] }>`
    select earlier.id as changeset, array_agg(key) as keys from changesets as earlier
    join changesets as later on later.user_id = earlier.user_id and later.entity_id = earlier.entity_id
      and (later.time, later.id) > (earlier.time, earlier.id)
    cross join lateral jsonb_array_elements_text(later.keys) as key
    where earlier.user_id = any(${users}::uuid[]) and earlier.id = any(${changesets}::uuid[])
    group by earlier.id`.execute(database)
  return new Map(rows.map(({ changeset, keys }) => [changeset, new Set(keys)]))
}

/** Returns the keys that were sensitive before or after any recorded change, by the ids of entities. */
export async function sensitiveKeysOfEntities(
  database: Handle,
  users: readonly string[],
  entities: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { rows } = await sql<{ entity: string; keys: string[] }>`
    select entity_id as entity, array_agg(key) as keys
    from changesets cross join lateral jsonb_array_elements_text(sensitive_keys) as key
    where user_id = any(${users}::uuid[]) and entity_id = any(${entities}::uuid[]) group by entity_id`.execute(
    database,
  )
  return new Map(rows.map(({ entity, keys }) => [entity, new Set(keys)]))
}

/** Returns the keys of an entity that are sensitive now, or were before or after any of its recorded changes. */
export async function sensitiveKeys(
  database: Handle,
  user: string,
  entity: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ key: string }>`
    select jsonb_array_elements_text(sensitive_keys) as key from changesets
    where user_id = ${user}::uuid and entity_id = ${entity}::uuid
    union
    select key from entities, jsonb_each(properties) as property (key, content)
    where user_id = ${user}::uuid and id = ${entity}::uuid and content @> '{"sensitive":true}'`.execute(
    database,
  )
  return new Set(rows.map(({ key }) => key))
}
