import { type Kysely, sql, type Transaction } from 'kysely'

import type { JoinedKey } from '../data-keys.ts'
import type { Tables } from '../database.ts'
import type { WrappedKey } from '../encryption.ts'
import { zoneless } from '../users/storage.ts'
import type { AtRest } from './sealing.ts'

type Handle = Kysely<Tables> | Transaction<Tables>

/** Its sensitive values sealed, and the key to them with it. */
export interface EntityRow extends AtRest, JoinedKey {
  id: string
  type: string
  /** Zone-less UTC, milliseconds. */
  created: string
}

const columns = sql`user_id as "user", id, type, ${zoneless(sql`created`)} as created, properties, sealed, master, wrapped`

/** Oldest first; `undefined`: no such user. */
export async function entitiesOf(database: Handle, user: string): Promise<EntityRow[] | undefined> {
  // One statement, so that a user without entities is told from no user at the same moment.
  const { rows } = await sql<EntityRow | { id: null }>`
    select u.id as "user", e.id, e.type, ${zoneless(sql`e.created`)} as created, e.properties, e.sealed, k.master, k.wrapped
    from users u left join entities e on e.user_id = u.id left join user_keys k on k.user_id = u.id
    where u.id = ${user}::uuid order by e.id`.execute(database)
  return rows.length === 0 ? undefined : rows.filter((row): row is EntityRow => row.id !== null)
}

/** `undefined`: no such entity of this user. */
export async function entityById(database: Handle, user: string, id: string): Promise<EntityRow | undefined> {
  const { rows } = await sql<EntityRow>`
    select ${columns} from entities left join user_keys using (user_id)
    where user_id = ${user}::uuid and id = ${id}::uuid`.execute(database)
  return rows[0]
}

/**
 * As `entityById`, locked against change until the transaction ends. The user first, as whoever deletes a user does:
 * the other way round the two would wait for each other.
 */
export async function lockEntity(
  transaction: Handle,
  user: string,
  id: string,
): Promise<EntityRow | undefined> {
  const { rows } = await sql<EntityRow>`
    with owner as materialized (select id as user_id from users where id = ${user}::uuid for key share)
    select ${columns} from owner join entities using (user_id) left join user_keys using (user_id) where id = ${id}::uuid
    for update of entities`.execute(transaction)
  return rows[0]
}

/** The oldest entity of a type, locked. The caller holds the user's lock, so none appears meanwhile. */
export async function lockFirstOfType(
  transaction: Handle,
  user: string,
  type: string,
): Promise<EntityRow | undefined> {
  const { rows } = await sql<EntityRow>`
    select ${columns} from entities left join user_keys using (user_id)
    where user_id = ${user}::uuid and type = ${type} order by id limit 1 for update of entities`.execute(
    transaction,
  )
  return rows[0]
}

/** How many entities a user has, with the key of the user's sensitive values. */
export interface EntityOwner extends JoinedKey {
  count: number
  /** Made in this transaction: nobody else can be making the key. */
  isNew?: boolean
}

export async function entityOwner(transaction: Handle, user: string): Promise<EntityOwner> {
  const { rows } = await sql<EntityOwner>`
    select ${user}::text as "user", count, master, wrapped
    from (select count(*)::int as count from entities where user_id = ${user}::uuid) as entities
    left join user_keys on user_id = ${user}::uuid`.execute(transaction)
  return rows[0] ?? newOwner(user)
}

/** Who was made in the same transaction has nothing yet. */
export function newOwner(user: string): EntityOwner {
  return { user, count: 0, master: null, wrapped: null, isNew: true }
}

/** `newKey`: the user's key, in the same statement. */
export async function insertEntity(
  transaction: Handle,
  user: string,
  entity: AtRest & { readonly id: string; readonly type: string },
  newKey?: WrappedKey,
): Promise<void> {
  const key =
    newKey &&
    sql`insert into user_keys (user_id, master, wrapped) values (${user}::uuid, ${newKey.master}, ${newKey.wrapped})`
  await sql`
    ${key ? sql`with key as (${key})` : sql``}
    insert into entities (user_id, id, type, created, properties, sealed)
    values (${user}::uuid, ${entity.id}::uuid, ${entity.type}, now() at time zone 'UTC',
      ${JSON.stringify(entity.properties)}::jsonb, ${JSON.stringify(entity.sealed)}::jsonb)`.execute(
    transaction,
  )
}

export async function updateEntity(
  transaction: Handle,
  user: string,
  entity: AtRest & { readonly id: string; readonly type: string },
): Promise<void> {
  await sql`
    update entities set type = ${entity.type}, properties = ${JSON.stringify(entity.properties)}::jsonb,
      sealed = ${JSON.stringify(entity.sealed)}::jsonb
    where user_id = ${user}::uuid and id = ${entity.id}::uuid`.execute(transaction)
}

export async function deleteEntity(transaction: Handle, user: string, id: string): Promise<void> {
  await sql`delete from entities where user_id = ${user}::uuid and id = ${id}::uuid`.execute(transaction)
}

/** Whether a relationship's target is there: the user, and of that user the entity where one is named. */
export async function targetExists(
  database: Handle,
  target: { user: string; entity?: string | undefined },
): Promise<boolean> {
  const { rows } = await (
    target.entity === undefined
      ? sql`select 1 from users where id = ${target.user}::uuid`
      : sql`select 1 from entities where user_id = ${target.user}::uuid and id = ${target.entity}::uuid`
  ).execute(database)
  return rows.length === 1
}
