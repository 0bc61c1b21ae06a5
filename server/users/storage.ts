import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'

import { fold, unknownEmail, unknownName, usersPerPage } from '#contract/index.ts'
import type { Tables } from '../database.ts'
import { termRows } from './term-rows.ts'

type Handle = Kysely<Tables> | Transaction<Tables>

/** The fields of a user that a caller gives; null: not given. */
export interface UserFields {
  email: string | null
  name: string | null
  ref: string | null
  /** Zone-less UTC, milliseconds. */
  since: string
}

/** A user as answered, without the invitation. */
export interface UserRow {
  id: string
  email: string
  name: string
  ref: string | null
  created: string
  since: string
  account: boolean
}

export const zoneless = (column: RawBuilder<unknown>) =>
  sql<string>`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS')`

export const answeredColumns = sql`u.id, coalesce(u.email, ${sql.lit(unknownEmail)}) as email,
  coalesce(u.name, ${sql.lit(unknownName)}) as name, u.ref,
  ${zoneless(sql`u.created`)} as created, ${zoneless(sql`u.since`)} as since, u.account`

/** A page after an id, with one row more than it shows to know whether there is another page. */
export async function userPage(
  database: Handle,
  options: { after?: string | undefined; where?: RawBuilder<boolean> | undefined },
): Promise<{
  json: string
  count: number
  more: boolean
  last: string | undefined
  /** All users; null: not asked for, since only some are listed. */
  total: number | null
}> {
  const { after, where } = options
  // The total of all users is kept by triggers: counting a million rows for each page would be most of its cost.
  const total = where ? sql`null` : sql`(select coalesce(sum(users), 0) from user_counts)`
  const { rows } = await sql<{ json: string; found: number; last: string | null; total: number | null }>`
    with page as materialized (
      select ${answeredColumns} from users u
      where ${after === undefined ? sql`true` : sql`u.id > ${after}::uuid`} and ${where ?? sql`true`}
      order by u.id limit ${usersPerPage + 1}
    ), shown as (select * from page order by id limit ${usersPerPage})
    select coalesce(json_agg(json_strip_nulls(row_to_json(shown)) order by id), '[]')::text as json,
      (select count(*) from page)::int as found,
      (select id from shown order by id desc limit 1) as last,
      ${total}::int as total
    from shown`.execute(database)
  const row = rows[0] ?? { json: '[]', found: 0, last: null, total: null }
  const more = row.found > usersPerPage
  return {
    json: row.json,
    count: more ? usersPerPage : row.found,
    more,
    last: row.last ?? undefined,
    total: row.total,
  }
}

/** The oldest users who meet a condition, as JSON text. */
export async function someUsers(
  database: Handle,
  where: RawBuilder<boolean>,
  atMost: number,
): Promise<{ json: string; count: number }> {
  const { rows } = await sql<{ json: string; count: number }>`
    select coalesce(json_agg(json_strip_nulls(row_to_json(shown)) order by id), '[]')::text as json, count(*)::int as count
    from (select ${answeredColumns} from users u where ${where} order by u.id limit ${atMost}) as shown`.execute(
    database,
  )
  return rows[0] ?? { json: '[]', count: 0 }
}

/** `undefined`: no such user. */
export async function userById(database: Handle, id: string): Promise<UserRow | undefined> {
  const { rows } =
    await sql<UserRow>`select ${answeredColumns} from users u where u.id = ${id}::uuid`.execute(database)
  return rows[0]
}

/** Inserts a user unless the e-mail or the ref is taken: then false. Waits for a twin that is being inserted. */
export async function insertUser(transaction: Handle, id: string, fields: UserFields): Promise<boolean> {
  const { rows } = await sql`
    with inserted as (
      insert into users (id, email, email_key, name, name_key, ref, ref_key, created, since)
      values (${id}, ${fields.email}, ${folded(fields.email)}, ${fields.name}, ${folded(fields.name)},
        ${fields.ref}, ${folded(fields.ref)}, now() at time zone 'UTC', ${fields.since}::timestamp)
      on conflict do nothing returning id
    ), found_by as (
      insert into user_terms (user_id, name, term) select id, name, term from inserted, ${termRows(fields)}
    )
    select id from inserted`.execute(transaction)
  return rows.length === 1
}

/** The users that an e-mail or a ref matches: none, one, or two different ones. */
export async function matchingUsers(
  database: Handle,
  email: string | null,
  ref: string | null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where email_key = ${folded(email)}::text or ref = ${ref}::text order by id`.execute(
    database,
  )
  return rows.map(({ id }) => id)
}

/** Locks a user against change until the transaction ends; `undefined`: no such user. */
export async function lockUser(
  transaction: Handle,
  id: string,
): Promise<(UserFields & { account: boolean }) | undefined> {
  const { rows } = await sql<UserFields & { account: boolean }>`
    select email, name, ref, ${zoneless(sql`since`)} as since, account from users where id = ${id}::uuid
    for no key update`.execute(transaction)
  return rows[0]
}

export async function updateUser(transaction: Handle, id: string, fields: UserFields): Promise<void> {
  await sql`
    with terms as (select * from ${termRows(fields)}), no_longer as (
      delete from user_terms where user_id = ${id}::uuid and term not in (select term from terms)
    ), found_by as (
      insert into user_terms (user_id, name, term) select ${id}::uuid, name, term from terms
      on conflict on constraint user_terms_pkey do update set name = excluded.name
        where user_terms.name <> excluded.name
    )
    update users set email = ${fields.email}, email_key = ${folded(fields.email)},
      name = ${fields.name}, name_key = ${folded(fields.name)}, ref = ${fields.ref}, ref_key = ${folded(fields.ref)},
      since = ${fields.since}::timestamp
    where id = ${id}::uuid`.execute(transaction)
}

export async function markAccount(transaction: Handle, id: string): Promise<void> {
  await sql`update users set account = true where id = ${id}::uuid`.execute(transaction)
}

export async function deleteUser(transaction: Handle, id: string): Promise<void> {
  await sql`delete from users where id = ${id}::uuid`.execute(transaction)
}

const folded = (value: string | null) => (value === null ? null : fold(value))
