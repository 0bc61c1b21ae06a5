import { type RawBuilder, sql } from 'kysely'

import { isDistributed } from '../store/distributed.ts'
import { everyUser, type Handle, type OnlyUsers, type Transaction } from '../store/sql.ts'
import type { WrappedKey } from './encryption.ts'

/** A key wrapped by a master key, named by the user's id or the service's purpose. */
export interface NamedKey extends WrappedKey {
  readonly name: string
}

/** Returns the service keys with these names. */
export async function serviceKeys(database: Handle, names: readonly string[]): Promise<NamedKey[]> {
  const { rows } = await sql<NamedKey>`
    select name, master, wrapped from service_keys where name = any(${names}::text[])`.execute(database)
  return rows
}

/** Inserts a service key. If several processes start at the same time, the first one's key stays. */
export async function insertServiceKey(database: Handle, { name, master, wrapped }: NamedKey): Promise<void> {
  await sql`
    insert into service_keys (name, master, wrapped) values (${name}, ${master}, ${wrapped})
    on conflict (name) do nothing`.execute(database)
}

/** Inserts a service key, unless data may already be sealed or indexed under another one. */
export async function insertFirstServiceKey(
  database: Handle,
  { name, master, wrapped }: NamedKey,
): Promise<void> {
  await sql`
    insert into service_keys (name, master, wrapped) select ${name}, ${master}, ${wrapped}
    where not exists (select 1 from user_keys) and not exists (select 1 from segments)
    on conflict (name) do nothing`.execute(database)
}

/** Returns a user's key in the form of an outer join, with nulls if there is none. */
export async function userKey(database: Handle, user: string) {
  const { rows } = await sql<WrappedKey>`
    select master, wrapped from user_keys where user_id = ${user}::uuid`.execute(database)
  return { user, ...(rows[0] ?? { master: null, wrapped: null }) }
}

/**
 * Returns the statement that inserts keys of users and returns the stored ones. An existing key wins, such as one made
 * at the same time for another entity of the user.
 */
export function userKeysInsert(keys: readonly NamedKey[], only: OnlyUsers = everyUser): RawBuilder<NamedKey> {
  return sql`
    insert into user_keys (user_id, master, wrapped)
    select name, master, decode(wrapped, 'base64')
    from jsonb_to_recordset(${asJson(keys)}::jsonb) as row (name uuid, master text, wrapped text)
    where ${only(sql`name`)}
    on conflict (user_id) do update set master = user_keys.master
    returning user_id as name, master, wrapped`
}

/**
 * Returns the ids of all master keys that wrap a key of a user or the service. Takes one index lookup for each id,
 * except in distributed tables.
 */
export async function wrappingMasters(database: Handle): Promise<string[]> {
  if (isDistributed(database)) {
    const { rows } = await sql<{ master: string }>`
      select distinct master from user_keys union select master from service_keys order by 1`.execute(
      database,
    )
    return rows.map(({ master }) => master)
  }
  const { rows } = await sql<{ master: string }>`
    with recursive used (master) as (
      select min(master) from user_keys
      union all
      select (select min(master) from user_keys where master > used.master) from used where used.master is not null
    )
    select master from used where master is not null union select master from service_keys order by 1`.execute(
    database,
  )
  return rows.map(({ master }) => master)
}

/** Locks and returns the service keys that a master key other than `current` wraps. */
export async function lockOtherServiceKeys(transaction: Transaction, current: string): Promise<NamedKey[]> {
  const { rows } = await sql<NamedKey>`
    select name, master, wrapped from service_keys where master <> ${current} for update`.execute(transaction)
  return rows
}

export async function updateServiceKey(
  transaction: Transaction,
  { name, master, wrapped }: NamedKey,
): Promise<void> {
  await sql`update service_keys set master = ${master}, wrapped = ${wrapped} where name = ${name}`.execute(
    transaction,
  )
}

export async function countOtherUserKeys(database: Handle, current: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from user_keys where master <> ${current}`.execute(database)
  return rows[0]?.count ?? 0
}

/**
 * Locks and returns at most `atMost` users' keys that one of these master keys wraps. Without `wait`, skips keys that
 * are already locked.
 */
export async function lockUserKeys(
  transaction: Transaction,
  masters: readonly string[],
  options: { readonly except: readonly string[]; readonly atMost: number; readonly wait: boolean },
): Promise<NamedKey[]> {
  const those = sql`select user_id as name, master, wrapped from user_keys where master = any(${masters}::text[])`
  const among = sql`${those} and user_id <> all(${options.except}::uuid[]) limit ${options.atMost}`
  const lock = options.wait ? sql`for update` : sql`for update skip locked`
  if (!isDistributed(transaction)) return (await sql<NamedKey>`${among} ${lock}`.execute(transaction)).rows
  const locked: NamedKey[] = []
  for (const { name } of (await sql<NamedKey>`${among}`.execute(transaction)).rows) {
    const { rows } = await sql<NamedKey>`${those} and user_id = ${name}::uuid ${lock}`.execute(transaction)
    locked.push(...rows)
  }
  return locked
}

export async function updateUserKeys(transaction: Transaction, keys: readonly NamedKey[]): Promise<void> {
  await sql`
    update user_keys set master = given.master, wrapped = decode(given.wrapped, 'base64')
    from jsonb_to_recordset(${asJson(keys)}::jsonb) as given (name uuid, master text, wrapped text)
    where user_id = given.name`.execute(transaction)
}

const asJson = (keys: readonly NamedKey[]) =>
  JSON.stringify(
    keys.map(({ name, master, wrapped }) => ({ name, master, wrapped: wrapped.toString('base64') })),
  )

/** Secrets of a subscription: the current one and the previous one. */
export interface StoredSecrets {
  readonly id: string
  readonly secret: Buffer
  readonly previous_secret: Buffer | null
}

/** Returns all subscription secrets that still sign. With `lock`, they cannot change until the transaction ends. */
export async function subscriptionSecrets(
  database: Handle,
  options: { lock?: boolean } = {},
): Promise<StoredSecrets[]> {
  const { rows } = await sql<StoredSecrets>`
    select id, secret, case when previous_until > now() at time zone 'UTC' then previous_secret end as previous_secret
    from subscriptions order by id ${options.lock ? sql`for no key update` : sql``}`.execute(database)
  return rows
}

export async function updateSubscriptionSecrets(
  transaction: Transaction,
  { id, secret, previous_secret: previous }: StoredSecrets,
): Promise<void> {
  await sql`
    update subscriptions set secret = ${secret}, previous_secret = ${previous},
      previous_until = case when ${previous}::bytea is not null then previous_until end
    where id = ${id}::uuid`.execute(transaction)
}
