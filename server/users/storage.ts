import { type RawBuilder, sql } from 'kysely'

import { emailKey, fold, unknownEmail, unknownName, usersPerPage } from '#contract/index.ts'
import type { StoredRow } from '../entities/storage.ts'
import type { JoinedKey } from '../sealing/data-keys.ts'
import { isDistributed } from '../store/distributed.ts'
import { prepared } from '../store/prepared.ts'
import { type Handle, isOneOf, transactionTime, zoneless } from '../store/sql.ts'
import { leave } from './identifiers.ts'
import type { BoundedField } from './orders.ts'
import { walkOrFindAll } from './walk-or-find-all.ts'

/** The user fields that a caller sets; null if not given. */
export interface UserFields {
  email: string | null
  name: string | null
  ref: string | null
  /** UTC without a zone, to the millisecond. */
  since: string
}

/** A user to be written, with the key that seals what belongs to the user. */
export interface LockedUser extends UserFields, JoinedKey {
  account: boolean
}

/** A user as the API returns it, without the invitation. */
export interface UserRow {
  id: string
  email: string
  name: string
  ref: string | null
  created: string
  since: string
  account: boolean
}

export const answeredColumns = sql`u.id, coalesce(u.email, ${sql.lit(unknownEmail)}) as email,
  coalesce(u.name, ${sql.lit(unknownName)}) as name, u.ref,
  ${zoneless(sql`u.created`)} as created, ${zoneless(sql`u.since`)} as since, u.account`

/** A page of users as JSON text, in the order of the list. */
export interface UserPage {
  readonly json: string
  readonly count: number
  readonly more: boolean
  readonly last: string | undefined
}

/** SQL conditions for the users `u` of a segment. */
export interface SegmentCondition {
  /** Name of the condition; equal for equal filters that use equal segments. */
  readonly name: string
  /**
   * True: earlier results must not be shown, since they may reveal a sensitive value of a user who has since been
   * deleted.
   */
  readonly onlyNow?: boolean
  readonly where: () => RawBuilder<boolean>
  /** Condition for users tested one by one: reads the entities of each, never of all users that have a matching one. */
  readonly oneByOne: () => RawBuilder<boolean>
  /** Like `oneByOne`, for a row `w` with a user's id. Reads the user only if the filter tests more than entities. */
  readonly isMember: () => RawBuilder<boolean>
  /** Bounds on a field. All members meet them; they limit a scan in the order of that field. */
  readonly fields?: Partial<Record<BoundedField, RawBuilder<boolean>>>
}

/** Condition on a row `w` with a user's id: the user is in a segment, whose members are found as a set. */
export const memberOf = ({ where }: SegmentCondition) =>
  sql<boolean>`w.id in (select u.id from users u where ${where()})`

interface PageOptions {
  readonly after?: string | undefined
  readonly atMost?: number
}

/** Returns a page of all users and the total. */
export async function userPage(
  database: Handle,
  options: PageOptions,
): Promise<UserPage & { total: number }> {
  // Each creation or deletion updates the total: counting a million rows would be most of the cost of a page.
  const { total, ...page } = await pageOf(database, {
    ...options,
    where: sql`true`,
    isUsual: true,
    beside: sql<number>`(${userTotal})`,
  })
  return { ...page, total: total ?? 0 }
}

const userTotal = sql<{ total: number }>`select coalesce(sum(users), 0)::int as total from user_counts`

/** Returns the number of users. */
export async function allUsers(database: Handle): Promise<{ total: number }> {
  return (await userTotal.execute(database)).rows[0] ?? { total: 0 }
}

/** Returns a page of the users in a segment. */
export async function segmentPage(
  database: Handle,
  segment: SegmentCondition,
  { after, atMost = usersPerPage }: PageOptions,
): Promise<UserPage> {
  const findAll = async () => {
    // The total is left out, since it would be taken for the size of the segment.
    const { total: _, ...page } = await pageOf(database, { after, atMost, where: segment.where() })
    return page
  }
  if (isDistributed(database)) return await findAll()
  return await walkOrFindAll<UserPage>(
    atMost,
    async (walk) => {
      const beside = sql<number>`(select count(*) from (select 1 from users u where ${isAfter(after)} limit ${walk}) as walked)`
      const { total, ...page } = await pageOf(database, {
        after,
        atMost,
        where: segment.oneByOne(),
        walk,
        beside,
      })
      return { ...page, walked: total ?? 0 }
    },
    findAll,
  )
}

/** Returns a page after an id. Reads one row more than it shows, to know whether there is another page. */
async function pageOf(
  database: Handle,
  {
    after,
    atMost = usersPerPage,
    where,
    walk,
    beside,
    isUsual = false,
  }: PageOptions & {
    readonly where: RawBuilder<boolean>
    /** Maximum number of users to test. */
    readonly walk?: number
    /** Additional number, returned as `total`. */
    readonly beside?: RawBuilder<number>
    /** Whether the statement is kept prepared. */
    readonly isUsual?: boolean
  },
): Promise<UserPage & { total: number | null }> {
  // The inner limit, which the planner cannot undo, makes it read in this order and only as far as needed.
  const from =
    walk === undefined
      ? sql`users u where ${isAfter(after)} and`
      : sql`(select * from users u where ${isAfter(after)} order by id limit ${walk}) as u where`
  const { rows } = await sql<{
    json: string
    found: number
    last: string | null
    total: number | null
  }>`${isUsual ? prepared : sql``}
    with page as materialized (
      select ${answeredColumns} from ${from} ${where} order by u.id limit ${sql.lit(atMost + 1)}
    ), shown as (select * from page order by id limit ${sql.lit(atMost)})
    select coalesce(json_agg(json_strip_nulls(row_to_json(shown)) order by id), '[]')::text as json,
      (select count(*) from page)::int as found,
      (select id from shown order by id desc limit 1) as last,
      ${beside ?? sql`null`}::int as total
    from shown`.execute(database)
  const row = rows[0] ?? { json: '[]', found: 0, last: null, total: null }
  const more = row.found > atMost
  return {
    json: row.json,
    count: more ? atMost : row.found,
    more,
    last: row.last ?? undefined,
    total: row.total,
  }
}

const isAfter = (id: string | undefined) => (id === undefined ? sql`true` : sql`u.id > ${id}::uuid`)

/** Returns a user; undefined if there is none. */
export async function userById(database: Handle, id: string): Promise<UserRow | undefined> {
  const { rows } =
    await sql<UserRow>`${prepared}select ${answeredColumns} from users u where u.id = ${id}::uuid`.execute(
      database,
    )
  return rows[0]
}

/** A user to be stored. */
export interface NewUserRow extends UserFields {
  readonly id: string
  /** Zone-less UTC; the time of the transaction if undefined. */
  readonly created?: string
  readonly account: boolean
}

const givenUsers = (users: readonly NewUserRow[]) => {
  const rows = users.map((user) => ({
    ...user,
    email_key: keyOfEmail(user.email),
    name_key: foldOrNull(user.name),
    ref_key: foldOrNull(user.ref),
  }))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id uuid, email text, email_key text,
    name text, name_key text, ref text, ref_key text, created timestamp, since timestamp, account boolean)`
}

/**
 * Returns the statement that inserts users, except those whose e-mail or ref is taken. Waits for a concurrent insert
 * with the same one.
 */
export function usersInsert(users: readonly NewUserRow[]): RawBuilder<StoredRow> {
  return sql`
    insert into users (id, email, email_key, name, name_key, ref, ref_key, created, since, account)
    select id, email, email_key, name, name_key, ref, ref_key, coalesce(created, ${transactionTime}), since, account
    from ${givenUsers(users)}
    on conflict do nothing returning id, null::integer as bytes, null::bigint as others`
}

/** Returns the statement that updates users. Violates a unique constraint if an e-mail or a ref is taken. */
export function usersUpdate(users: readonly NewUserRow[]): RawBuilder<unknown> {
  return sql`
    update users set email = row.email, email_key = row.email_key, name = row.name, name_key = row.name_key,
      ref = row.ref, ref_key = row.ref_key, since = row.since, account = row.account
    from ${givenUsers(users)}
    where users.id ${isOneOf(users.map(({ id }) => id))} and users.id = row.id`
}

/** Returns the users that an e-mail or a ref matches: none, one, or two different ones. */
export async function matchingUsers(
  database: Handle,
  email: string | null,
  ref: string | null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${prepared}
    select id from users where email_key = ${keyOfEmail(email)}::text or ref = ${ref}::text order by id`.execute(
    database,
  )
  return rows.map(({ id }) => id)
}

const lockedColumns = sql`id as "user", email, name, ref, ${zoneless(sql`since`)} as since, account, master, wrapped`

/** Returns the users who have any of these ids, keys of e-mails or refs. */
export async function usersBy(
  database: Handle,
  by: {
    readonly ids: readonly string[]
    readonly emailKeys: readonly string[]
    readonly refs: readonly string[]
  },
): Promise<LockedUser[]> {
  const { rows } = await sql<LockedUser>`
    select ${lockedColumns} from users left join user_keys on user_id = id
    where id = any(${by.ids}::uuid[]) or email_key = any(${by.emailKeys}::text[]) or ref = any(${by.refs}::text[])`.execute(
    database,
  )
  return rows
}

/** Keeps a user from being deleted until the transaction ends; returns false if there is no such user. */
export async function keepUser(transaction: Handle, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from users where id = ${id}::uuid for key share`.execute(transaction)
  return rows.length > 0
}

/**
 * Locks a user against changes until the transaction ends; with `entities`, also against new entities. Returns
 * undefined if there is no such user.
 */
export async function lockUser(
  transaction: Handle,
  id: string,
  { entities = false } = {},
): Promise<LockedUser | undefined> {
  const { rows } = await sql<LockedUser>`${prepared}
    select ${lockedColumns} from users left join user_keys on user_id = id where id = ${id}::uuid
    ${entities ? sql`for update of users` : sql`for no key update of users`}`.execute(transaction)
  return rows[0]
}

/** Like `lockUser`, for many users, in the order of their ids, so that two who lock some of them do not wait for each other. */
export async function lockUsers(transaction: Handle, ids: readonly string[]): Promise<LockedUser[]> {
  if (isDistributed(transaction)) {
    const found: LockedUser[] = []
    for (const id of ids.toSorted()) found.push(...[(await lockUser(transaction, id)) ?? []].flat())
    return found
  }
  const { rows } = await sql<LockedUser>`
    select ${lockedColumns} from users left join user_keys on user_id = id where id = any(${ids}::uuid[])
    order by id for no key update of users`.execute(transaction)
  return rows
}

export async function deleteUser(transaction: Handle, id: string): Promise<void> {
  if (isDistributed(transaction)) await leave(transaction, id)
  await sql`delete from users where id = ${id}::uuid`.execute(transaction)
}

export const keyOfEmail = (value: string | null) => (value === null ? null : emailKey(value))
const foldOrNull = (value: string | null) => (value === null ? null : fold(value))
