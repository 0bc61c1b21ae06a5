import { type RawBuilder, sql } from 'kysely'

import type { JoinedKey } from '../sealing/data-keys.ts'
import { isDistributed } from '../store/distributed.ts'
import { prepared } from '../store/prepared.ts'
import { everyUser, type Handle, isOneOf, type OnlyUsers, transactionTime, zoneless } from '../store/sql.ts'
import type { AtRest } from './sealing.ts'

/** An entity's row with its sealed values and the key that opens them. */
export interface EntityRow extends AtRest, JoinedKey {
  id: string
  type: string
  /** Zone-less UTC with milliseconds. */
  created: string
  /** Size of the entity, as `maxEntityBytes` measures it. */
  bytes: number
}

const entityColumns = sql`user_id as "user", id, type, ${zoneless(sql`created`)} as created, bytes, properties, sealed, master, wrapped`

/** A batch of a user's entities. */
export interface EntityBatch {
  readonly rows: readonly EntityRow[]
  /** Id of the batch's last entity if others follow. */
  readonly next: string | undefined
}

/**
 * Returns a user's entities after `after`, oldest first, until they hold `bytes` together; undefined if there is no
 * such user.
 */
export async function entitiesOf(
  database: Handle,
  user: string,
  { after = null, bytes }: { readonly after?: string | null | undefined; readonly bytes: number },
): Promise<EntityBatch | undefined> {
  // One statement, so that a user without entities and a missing user are distinguished consistently.
  const { rows } = await sql<(EntityRow | { id: null }) & { more: boolean | null }>`
    with sized as materialized (
      select id, sum(bytes) over (order by id) - bytes as before from entities
      where user_id = ${user}::uuid and (${after}::uuid is null or id > ${after}::uuid)
    )
    select u.id as "user", e.id, e.type, ${zoneless(sql`e.created`)} as created, e.bytes, e.properties, e.sealed,
      k.master, k.wrapped, (select max(before) >= ${bytes}::int from sized) as more
    from users u
    left join (select id from sized where before < ${bytes}::int) batch on true
    left join entities e on e.user_id = u.id and e.id = batch.id
    left join user_keys k on k.user_id = u.id
    where u.id = ${user}::uuid order by e.id`.execute(database)
  if (rows.length === 0) return undefined
  const found = rows.filter((row): row is EntityRow & { more: boolean } => row.id !== null)
  return { rows: found, next: found[0]?.more ? found.at(-1)?.id : undefined }
}

/** Returns an entity; undefined if the user has no such entity. */
export async function entityById(database: Handle, user: string, id: string): Promise<EntityRow | undefined> {
  const { rows } = await sql<EntityRow>`${prepared}
    select ${entityColumns} from entities left join user_keys using (user_id)
    where user_id = ${user}::uuid and id = ${id}::uuid`.execute(database)
  return rows[0]
}

/** Returns the user's entities that hold sealed values, with the keys that are or were sealed. */
export async function findSealedKeys(
  database: Handle,
  user: string,
): Promise<{ readonly user: string; readonly entity: string; readonly keys: readonly string[] }[]> {
  const { rows } = await sql<{ user: string; entity: string; keys: string[] }>`
    select user_id as "user", entity, array_agg(key order by key) as keys from (
      select user_id, id as entity, jsonb_object_keys(sealed) as key from entities where user_id = ${user}::uuid
      union
      select user_id, entity_id, jsonb_array_elements_text(sensitive_keys) from changesets
      where user_id = ${user}::uuid and entity_id in (
        select id from entities where user_id = ${user}::uuid and sealed <> '{}'
      )
    ) known group by user_id, entity order by entity`.execute(database)
  return rows
}

/**
 * Like `entityById`, but locks the entity until the transaction ends. Locks the user first, as a deletion does: the
 * opposite order would deadlock. The user's lock also serialises writes to the entities of one user, which together
 * could exceed the user's size limit.
 */
export async function lockEntity(
  transaction: Handle,
  user: string,
  id: string,
): Promise<EntityRow | undefined> {
  const owner = sql`select id as user_id from users where id = ${user}::uuid for no key update`
  const isApart = isDistributed(transaction)
  if (isApart) await owner.execute(transaction)
  const { rows } = await sql<EntityRow>`${prepared}
    ${isApart ? sql`` : sql`with owner as materialized (${owner})`}
    select ${entityColumns} from ${isApart ? sql`entities` : sql`owner join entities using (user_id)`}
    left join user_keys using (user_id) where entities.user_id = ${user}::uuid and id = ${id}::uuid
    for update of entities`.execute(transaction)
  return rows[0]
}

/** Returns the oldest entities of a type, locked. The caller holds the user's lock, so none is added. */
export async function lockOldestOfType(
  transaction: Handle,
  user: string,
  type: string,
  atMost: number,
): Promise<EntityRow[]> {
  const { rows } = await sql<EntityRow>`
    select ${entityColumns} from entities left join user_keys using (user_id)
    where user_id = ${user}::uuid and type = ${type} order by id limit ${atMost} for update of entities`.execute(
    transaction,
  )
  return rows
}

/**
 * Returns the oldest entities of each of these types of each user, oldest first. With `lock`, the entities are locked;
 * the caller then holds the users' locks.
 */
export async function oldestOfTypes(
  database: Handle,
  users: readonly string[],
  types: readonly string[],
  { lock, atMost = 1 }: { readonly lock: boolean; readonly atMost?: number },
): Promise<EntityRow[]> {
  if (users.length === 0 || types.length === 0) return []
  if (lock && isDistributed(database)) {
    const found: EntityRow[] = []
    for (const user of users)
      for (const type of types) found.push(...(await lockOldestOfType(database, user, type, atMost)))
    return found
  }
  const { rows } = await sql<EntityRow>`
    select ${entityColumns} from entities left join user_keys using (user_id)
    where user_id = any(${users}::uuid[]) and id in (
      select id from (
        select id, row_number() over (partition by user_id, type order by id) as place from entities
        where user_id = any(${users}::uuid[]) and type = any(${types}::text[])
      ) as placed where place <= ${atMost}
    ) order by user_id, id ${lock ? sql`for update of entities` : sql``}`.execute(database)
  return rows
}

/** Returns these entities of users, locked. The caller holds the users' locks. */
export async function lockEntities(
  transaction: Handle,
  entities: readonly { readonly user: string; readonly id: string }[],
): Promise<EntityRow[]> {
  if (entities.length === 0) return []
  if (isDistributed(transaction)) {
    const found: EntityRow[] = []
    // A statement about several users locks nothing there, but fails.
    for (const { user, id } of entities)
      found.push(...[(await lockEntity(transaction, user, id)) ?? []].flat())
    return found
  }
  const { rows } = await sql<EntityRow>`
    select ${entityColumns} from entities left join user_keys using (user_id)
    where user_id = any(${entities.map(({ user }) => user)}::uuid[])
      and id = any(${entities.map(({ id }) => id)}::uuid[])
    order by user_id, id for update of entities`.execute(transaction)
  return rows
}

/** Returns how many entities users have, and their bytes together; users without entities are left out. */
export async function countEntities(
  database: Handle,
  users: readonly string[],
): Promise<ReadonlyMap<string, { readonly count: number; readonly bytes: number }>> {
  const { rows } = await sql<{ user: string; count: number; bytes: number }>`
    select user_id as "user", count(*)::int as count, coalesce(sum(bytes), 0) as bytes from entities
    where user_id = any(${users}::uuid[]) group by user_id`.execute(database)
  return new Map(rows.map(({ user, ...counted }) => [user, counted]))
}

/** Owner of a new entity, with the counts before it and the user's data key. */
export interface EntityOwner extends JoinedKey {
  /** Number of the user's entities. */
  count: number
  /** Type of the new entity. */
  type: string
  /** Number of the user's entities of that type. */
  ofType: number
  /** Total bytes of the user's entities. */
  bytes: number
  /** Whether the user was created in this transaction, so that nobody else can be creating the key. */
  isNew?: boolean
}

export async function entityOwner(transaction: Handle, user: string, type: string): Promise<EntityOwner> {
  const { rows } = await sql<EntityOwner>`
    select ${user}::text as "user", count, ${type}::text as type, "ofType", bytes, master, wrapped
    from (
      select count(*)::int as count, (count(*) filter (where type = ${type}))::int as "ofType",
        coalesce(sum(bytes), 0) as bytes
      from entities where user_id = ${user}::uuid
    ) as entities
    left join user_keys on user_id = ${user}::uuid`.execute(transaction)
  return rows[0] ?? newOwner(user, type)
}

/** Returns the owner for a user created in this transaction, who has no entities yet. */
export function newOwner(user: string, type: string): EntityOwner {
  return { user, count: 0, type, ofType: 0, bytes: 0, master: null, wrapped: null, isNew: true }
}

/** An entity to be stored. */
export interface NewEntityRow extends AtRest {
  readonly user: string
  readonly id: string
  readonly type: string
  /** Given for a restored entity; the time of the transaction if undefined. */
  readonly created?: string | undefined
  /** Counted under the user's lock. */
  readonly nthOfType: number
}

/** A stored row, as the database tells of it. */
export interface StoredRow {
  readonly id: string
  /** Size of an entity; null for a user. */
  readonly bytes: number | null
  /** Size of the user's other entities; null if the entity is new. */
  readonly others: number | null
}

/** Returns the statement that inserts entities. */
export function entitiesInsert(
  entities: readonly NewEntityRow[],
  only: OnlyUsers = everyUser,
): RawBuilder<StoredRow> {
  return sql`
    insert into entities (user_id, id, type, created, properties, sealed, nth_of_type)
    select "user", id, type, coalesce(created, ${transactionTime}), properties, sealed, "nthOfType"
    from jsonb_to_recordset(${JSON.stringify(entities)}::jsonb) as row ("user" uuid, id uuid, type text,
      created timestamp, properties jsonb, sealed jsonb, "nthOfType" smallint)
    where ${only(sql`"user"`)}
    returning id, bytes, null::bigint as others`
}

/** `nth_of_type` of an entity whose type was changed, instead of a count: large enough for any filter's `min`. */
const notCounted = 32_767

/** Returns the statement that updates entities, at most one of each user. */
export function entitiesUpdate(
  entities: readonly (AtRest & Pick<EntityRow, 'user' | 'id' | 'type'>)[],
): RawBuilder<StoredRow> {
  return sql`
    update entities set type = row.type,
      nth_of_type = case when entities.type = row.type then nth_of_type else ${sql.lit(notCounted)} end,
      properties = row.properties, sealed = row.sealed
    from jsonb_to_recordset(${JSON.stringify(entities)}::jsonb)
      as row ("user" uuid, id uuid, type text, properties jsonb, sealed jsonb)
    where entities.user_id ${isOneOf(entities.map(({ user }) => user))}
      and entities.user_id = row."user" and entities.id = row.id
    returning entities.id, entities.bytes, (select coalesce(sum(other.bytes), 0) from entities other
      where other.user_id = entities.user_id and other.id <> entities.id)::bigint as others`
}

/** Returns the statement that deletes entities. */
export function entitiesDelete(
  entities: readonly { readonly user: string; readonly id: string }[],
): RawBuilder<unknown> {
  return sql`
    delete from entities where user_id = any(${entities.map(({ user }) => user)}::uuid[])
      and id = any(${entities.map(({ id }) => id)}::uuid[])`
}

/** Returns a user's entities with sensitive properties under these keys, reduced to those properties. */
export async function findSealed(
  database: Handle,
  user: string,
  keys: readonly string[],
): Promise<readonly EntityRow[]> {
  const { rows } = await sql<EntityRow>`
    select e.user_id as "user", e.id, e.type, ${zoneless(sql`e.created`)} as created, e.bytes, wanted.properties,
      wanted.sealed, k.master, k.wrapped
    from entities e
    cross join lateral (
      select jsonb_object_agg(key, e.properties -> key) as properties, jsonb_object_agg(key, value) as sealed
      from jsonb_each(e.sealed) where key = any(${keys}::text[])
    ) wanted
    left join user_keys k using (user_id)
    where e.user_id = ${user}::uuid and e.sealed <> '{}' and wanted.sealed is not null order by e.id`.execute(
    database,
  )
  return rows
}

/** Whether any entity of a user has a sensitive property. */
export async function holdsSealed(transaction: Handle, user: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from entities where user_id = ${user}::uuid and sealed <> '{}' limit 1`.execute(transaction)
  return rows.length > 0
}

/** The user, or an entity of the user, that a relationship names. */
export interface Target {
  readonly user: string
  readonly entity?: string | null | undefined
}

/** Returns those of the targets that exist, as `nameOfTarget` names them. */
export async function existingTargets(
  database: Handle,
  targets: readonly Target[],
): Promise<ReadonlySet<string>> {
  const users = targets.flatMap(({ user, entity }) => (entity === undefined ? [user] : []))
  const entities = targets.filter(({ entity }) => entity !== undefined)
  const found = [
    ...(users.length > 0
      ? [sql<Target>`select id as "user", null as entity from users where id = any(${users}::uuid[])`]
      : []),
    ...(entities.length > 0
      ? [
          sql<Target>`select user_id as "user", id as entity from entities
            where user_id = any(${entities.map(({ user }) => user)}::uuid[])
              and id = any(${entities.map(({ entity }) => entity)}::uuid[])`,
        ]
      : []),
  ]
  const names = new Set<string>()
  for (const each of found)
    for (const row of (await each.execute(database)).rows) names.add(nameOfTarget(row))
  return names
}

export const nameOfTarget = ({ user, entity }: Target) => `${user} ${entity ?? ''}`.toLowerCase()
