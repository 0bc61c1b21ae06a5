import { sql } from 'kysely'

import type { Handle } from '../store/sql.ts'
import { type Keyring, MissingKeyError, type WrappedKey } from './encryption.ts'

/** What the sensitive values of a store are sealed and found with. */
export interface StoreKeys {
  readonly keyring: Keyring
  /** Of the blind index. Throws a MissingKeyError where its master key is not among the settings. */
  readonly indexKey: () => Buffer
}

/** A user's key as an outer join finds it; null: nothing of this user's has ever been sealed. */
export interface JoinedKey {
  user: string
  master: string | null
  wrapped: Buffer | null
}

const indexKeyName = 'blind index'

/** Made when nothing has been sealed yet: another one would find nothing of what is stored. */
async function createIndexKey(database: Handle, keyring: Keyring): Promise<void> {
  const { stored } = keyring.create(indexKeyName)
  // Of several services that start together, the first one's stays.
  await sql`
    insert into service_keys (name, master, wrapped) select ${indexKeyName}, ${stored.master}, ${stored.wrapped}
    where not exists (select from user_keys) and not exists (select from segments)
    on conflict (name) do nothing`.execute(database)
}

async function readIndexKey(database: Handle): Promise<WrappedKey | undefined> {
  const { rows } = await sql<WrappedKey>`
    select master, wrapped from service_keys where name = ${indexKeyName}`.execute(database)
  return rows[0]
}

/** Throws with a message for the operator when the settings have a key's name, but not the key. */
export async function readStoreKeys(database: Handle, keyring: Keyring): Promise<StoreKeys> {
  let stored = await readIndexKey(database)
  if (!stored) {
    await createIndexKey(database, keyring)
    stored = await readIndexKey(database)
  }
  if (!stored) throw new Error('The store has lost the key of its index (table service_keys).')
  const { master } = stored
  try {
    const indexKey = keyring.unwrap(indexKeyName, stored)
    return { keyring, indexKey: () => indexKey }
  } catch (error) {
    if (!(error instanceof MissingKeyError))
      throw new Error(`The master key "${master}" is not the one that this store was written with.`, {
        cause: error,
      })
    return {
      keyring,
      indexKey: () => {
        throw error
      },
    }
  }
}

/** For reading: `undefined` where nothing of the user's has been sealed. */
export function joinedKey(keyring: Keyring, { user, master, wrapped }: JoinedKey): Buffer | undefined {
  return master === null || wrapped === null ? undefined : keyring.unwrap(user, { master, wrapped })
}

/** For writing: made with the first value that needs it. The user's row is locked against deletion by then. */
export async function dataKeyOf(transaction: Handle, keyring: Keyring, joined: JoinedKey): Promise<Buffer> {
  const there = joinedKey(keyring, joined)
  if (there) return there
  const { user } = joined
  const { stored } = keyring.create(user)
  // The one that is there wins: made meanwhile, for another entity of the user's, or since the row was waited for.
  const { rows } = await sql<WrappedKey>`
    insert into user_keys (user_id, master, wrapped) values (${user}::uuid, ${stored.master}, ${stored.wrapped})
    on conflict (user_id) do update set master = user_keys.master
    returning master, wrapped`.execute(transaction)
  return keyring.unwrap(user, rows[0] ?? stored)
}

/** For users who have none yet: one new key each. */
export async function createDataKeys(
  transaction: Handle,
  keyring: Keyring,
  users: Iterable<string>,
): Promise<ReadonlyMap<string, Buffer>> {
  const created = Array.from(new Set(users), (user) => ({ user, ...keyring.create(user) }))
  if (created.length === 0) return new Map()
  const rows = created.map(({ user, stored: { master, wrapped } }) => ({
    user,
    master,
    wrapped: wrapped.toString('base64'),
  }))
  await sql`
    insert into user_keys (user_id, master, wrapped)
    select "user", master, decode(wrapped, 'base64')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row ("user" uuid, master text, wrapped text)`.execute(
    transaction,
  )
  return new Map(created.map(({ user, dataKey }) => [user, dataKey]))
}
