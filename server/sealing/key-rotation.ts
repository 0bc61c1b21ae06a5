import { sql } from 'kysely'

import type { Handle } from '../store/sql.ts'
import { type Keyring, MissingKeyError, type WrappedKey } from './encryption.ts'
import { allSecrets, mastersOf, rewrapSecrets, updateSecrets } from './webhook-secrets.ts'

/** A key that a master key wraps: a user's, or one of the service's. */
interface Wrapped extends WrappedKey {
  readonly name: string
}

/** Ids of the master keys without which something stored cannot be read; one step of the index each. */
async function mastersInUse(database: Handle): Promise<string[]> {
  const { rows } = await sql<{ master: string }>`
    with recursive used (master) as (
      select min(master) from user_keys
      union all
      select (select min(master) from user_keys where master > used.master) from used where used.master is not null
    )
    select master from used where master is not null union select master from service_keys order by 1`.execute(
    database,
  )
  const secrets = (await allSecrets(database)).flatMap(mastersOf)
  return [...new Set([...rows.map(({ master }) => master), ...secrets])].toSorted()
}

/** Those of them that are not among the settings. */
export async function missingMasters(database: Handle, { ids }: Keyring): Promise<string[]> {
  return (await mastersInUse(database)).filter((id) => !ids.includes(id))
}

export interface Rewrapped {
  readonly done: number
  /**
   * Users whose key does not open: their sensitive values are lost unless a backup has it. Subscriptions whose secret
   * does not: nothing is sent to them until it is rotated.
   */
  readonly damaged: readonly string[]
}

/**
 * Wraps all data keys with the first master key. What is sealed with them stays as it is. Each batch is a transaction:
 * stopped at any time, it goes on where it was; several at once, and writers, do not wait for each other. Throws a
 * MissingKeyError before anything is changed.
 */
export async function rewrapAll(
  database: Handle,
  keyring: Keyring,
  {
    batch = 500,
    progress = () => {},
    signal,
  }: { batch?: number; progress?: (done: number, of: number) => void; signal?: AbortSignal } = {},
): Promise<Rewrapped> {
  const [missing] = await missingMasters(database, keyring)
  if (missing !== undefined) throw new MissingKeyError(missing)

  await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<Wrapped>`
      select name, master, wrapped from service_keys where master <> ${keyring.current} for update`.execute(
      transaction,
    )
    for (const { name, ...stored } of rows) {
      const { master, wrapped } = keyring.rewrap(name, stored)
      await sql`update service_keys set master = ${master}, wrapped = ${wrapped} where name = ${name}`.execute(
        transaction,
      )
    }
  })

  const damaged: string[] = []
  await database.transaction().execute(async (transaction) => {
    for (const stored of await allSecrets(transaction, { lock: true })) {
      const rewrapped = orUndefined(() => rewrapSecrets(keyring, stored))
      if (rewrapped) await updateSecrets(transaction, rewrapped)
      else damaged.push(stored.id)
    }
  })

  const total = await countOthers(database, keyring.current)
  let done = 0
  // Those that somebody else is at come last, and are waited for.
  for (let wait = false; ;) {
    if (signal?.aborted) break
    const { found, written } = await rewrapSome(database, keyring, { batch, wait, damaged })
    done += written
    progress(done, total)
    if (done === 0 && damaged.length >= batch)
      throw new Error(
        'The keys of the users do not open. Is a master key of the settings another one under an old id?',
      )
    if (found > 0) wait = false
    else if (wait) break
    else wait = true
  }
  return { done, damaged }
}

async function countOthers(database: Handle, current: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from user_keys where master <> ${current}`.execute(database)
  return rows[0]?.count ?? 0
}

async function rewrapSome(
  database: Handle,
  keyring: Keyring,
  { batch, wait, damaged }: { batch: number; wait: boolean; damaged: string[] },
): Promise<{ found: number; written: number }> {
  const others = keyring.ids.filter((id) => id !== keyring.current)
  return await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<Wrapped>`
      select user_id as name, master, wrapped from user_keys
      where master = any(${others}::text[]) and user_id <> all(${damaged}::uuid[])
      limit ${batch} for update ${wait ? sql`` : sql`skip locked`}`.execute(transaction)
    const rewrapped = rows.flatMap(({ name, ...stored }) => {
      const key = orUndefined(() => keyring.rewrap(name, stored))
      if (!key) damaged.push(name)
      return key ? [{ name, ...key }] : []
    })
    if (rewrapped.length > 0)
      await sql`
        update user_keys set master = ${keyring.current}, wrapped = decode(given.wrapped, 'base64')
        from jsonb_to_recordset(${JSON.stringify(
          rewrapped.map(({ name, wrapped }) => ({ name, wrapped: wrapped.toString('base64') })),
        )}::jsonb) as given (name uuid, wrapped text)
        where user_id = given.name`.execute(transaction)
    return { found: rows.length, written: rewrapped.length }
  })
}

/** `undefined`: what is stored does not open. */
function orUndefined<Result>(rewrap: () => Result): Result | undefined {
  try {
    return rewrap()
  } catch {
    return undefined
  }
}
