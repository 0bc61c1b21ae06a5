import type { Handle } from '../store/sql.ts'
import { type Keyring, MissingKeyError } from './encryption.ts'
import { insertFirstServiceKey, type NamedKey, serviceKeys, userKey, userKeysInsert } from './storage.ts'

/** Returns the key of the blind index. Throws a MissingKeyError if its master key is missing from the settings. */
export type IndexKey = () => Buffer

/** Keys for sealing and finding the sensitive values of a store. */
export interface StoreKeys {
  readonly keyring: Keyring
  readonly indexKey: IndexKey
}

/** A user's data key as returned by an outer join; null if nothing of this user was ever sealed. */
export interface JoinedKey {
  user: string
  master: string | null
  wrapped: Buffer | null
}

const indexKeyName = 'blind index'

/**
 * Reads the keys of the store, and makes the index key of a new store. Throws with a message for the operator if that
 * key is lost, or if the settings have a master key of the right name that is a different key.
 */
export async function readStoreKeys(database: Handle, keyring: Keyring): Promise<StoreKeys> {
  let [stored] = await serviceKeys(database, [indexKeyName])
  if (!stored) {
    // Inserted only if no value is sealed yet: with another index key, none of the stored values would be found.
    await insertFirstServiceKey(database, { name: indexKeyName, ...keyring.create(indexKeyName).stored })
    ;[stored] = await serviceKeys(database, [indexKeyName])
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

/** Unwraps a user's data key for reading; returns `undefined` if nothing of the user was ever sealed. */
export function openDataKey(keyring: Keyring, { user, master, wrapped }: JoinedKey): Buffer | undefined {
  return master === null || wrapped === null ? undefined : keyring.unwrap(user, { master, wrapped })
}

/**
 * Returns a user's data key for writing; makes one for the first sealed value. The caller has locked the user's row
 * against deletion.
 */
export async function dataKeyOf(transaction: Handle, keyring: Keyring, joined: JoinedKey): Promise<Buffer> {
  const dataKey = (await dataKeysOf(transaction, keyring, [joined])).get(joined.user)
  if (!dataKey) throw new Error('A key that was stored is missing.')
  return dataKey
}

/** Like `dataKeyOf`, for many users, by their ids. */
export async function dataKeysOf(
  transaction: Handle,
  keyring: Keyring,
  users: Iterable<JoinedKey>,
): Promise<ReadonlyMap<string, Buffer>> {
  const dataKeys = new Map<string, Buffer>()
  const made = new Map<string, NamedKey>()
  for (const joined of users) {
    const { user } = joined
    const there = openDataKey(keyring, joined)
    if (there) dataKeys.set(user, there)
    else if (!made.has(user)) made.set(user, { name: user, ...keyring.create(user).stored })
  }
  if (made.size === 0) return dataKeys
  // An existing key wins: a write to another entity of the user may have inserted one since the row was read.
  const { rows } = await userKeysInsert([...made.values()]).execute(transaction)
  for (const { name, ...stored } of rows) dataKeys.set(name, keyring.unwrap(name, stored))
  return dataKeys
}

/** Like `dataKeyOf`, if only the user's id is known. */
export async function dataKeyOfUser(transaction: Handle, keyring: Keyring, user: string): Promise<Buffer> {
  return await dataKeyOf(transaction, keyring, await userKey(transaction, user))
}
