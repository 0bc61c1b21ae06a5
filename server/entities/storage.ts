import { type Kysely, sql, type Transaction } from 'kysely'

import type { Tables } from '../database.ts'
import { zoneless } from '../users/storage.ts'
import type { StoredProperties } from './properties.ts'

type Handle = Kysely<Tables> | Transaction<Tables>

export interface EntityRow {
  id: string
  type: string
  /** Zone-less UTC, milliseconds. */
  created: string
  properties: StoredProperties
}

const columns = sql`id, type, ${zoneless(sql`created`)} as created, properties`

/** Oldest first; `undefined`: no such user. */
export async function entitiesOf(database: Handle, user: string): Promise<EntityRow[] | undefined> {
  // One statement, so that a user without entities is told from no user at the same moment.
  const { rows } = await sql<EntityRow | { id: null }>`
    select e.id, e.type, ${zoneless(sql`e.created`)} as created, e.properties
    from users u left join entities e on e.user_id = u.id
    where u.id = ${user}::uuid order by e.id`.execute(database)
  return rows.length === 0 ? undefined : rows.filter((row): row is EntityRow => row.id !== null)
}

/** `undefined`: no such entity of this user. */
export async function entityById(database: Handle, user: string, id: string): Promise<EntityRow | undefined> {
  const { rows } = await sql<EntityRow>`
    select ${columns} from entities where user_id = ${user}::uuid and id = ${id}::uuid`.execute(database)
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
    select ${columns} from owner join entities using (user_id) where id = ${id}::uuid
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
    select ${columns} from entities where user_id = ${user}::uuid and type = ${type}
    order by id limit 1 for update`.execute(transaction)
  return rows[0]
}

export async function countEntities(transaction: Handle, user: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from entities where user_id = ${user}::uuid`.execute(transaction)
  return rows[0]?.count ?? 0
}

export async function insertEntity(
  transaction: Handle,
  user: string,
  entity: { id: string; type: string; properties: StoredProperties },
): Promise<void> {
  await sql`
    insert into entities (user_id, id, type, created, properties)
    values (${user}::uuid, ${entity.id}::uuid, ${entity.type}, now() at time zone 'UTC',
      ${JSON.stringify(entity.properties)}::jsonb)`.execute(transaction)
}

export async function updateEntity(
  transaction: Handle,
  user: string,
  entity: { id: string; type: string; properties: StoredProperties },
): Promise<void> {
  await sql`
    update entities set type = ${entity.type}, properties = ${JSON.stringify(entity.properties)}::jsonb
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
