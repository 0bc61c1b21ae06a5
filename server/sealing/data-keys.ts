import type { Handle } from '../store/sql.ts'
import { type Keyring, MissingKeyError } from './encryption.ts'
import { insertFirstServiceKey, insertUserKey, insertUserKeys, serviceKeys, userKey } from './storage.ts'

/** Gives the key of the blind index. Throws where a master key that it needs is missing from the settings. */
export type IndexKey = () => Buffer

/** Keys that seal and find the sensitive values of a store. */
export interface StoreKeys {
  readonly keyring: Keyring
  /** Key of the blind index. Throws a MissingKeyError if its master key is not among the settings. */
  readonly indexKey: IndexKey
}

/** A user's key as an outer join finds it; null: nothing of this user's has ever been sealed. */
export interface JoinedKey {
  user: string
  master: string | null
  wrapped: Buffer | null
}

const indexKeyName = 'blind index'

/** Throws with a message for the operator when the settings have a key's name, but not the key. */
export async function readStoreKeys(database: Handle, keyring: Keyring): Promise<StoreKeys> {
  let [stored] = await serviceKeys(database, [indexKeyName])
  if (!stored) {
    // Another one would find nothing of what is stored.
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

/** For reading: `undefined` where nothing of the user's has been sealed. */
export function openDataKey(keyring: Keyring, { user, master, wrapped }: JoinedKey): Buffer | undefined {
  return master === null || wrapped === null ? undefined : keyring.unwrap(user, { master, wrapped })
}

/** For writing: made with the first value that needs it. The user's row is locked against deletion by then. */
export async function dataKeyOf(transaction: Handle, keyring: Keyring, joined: JoinedKey): Promise<Buffer> {
  const there = openDataKey(keyring, joined)
  if (there) return there
  const { user } = joined
  const { stored } = keyring.create(user)
  // The one that is there wins: made meanwhile, for another entity of the user's, or since the row was waited for.
  return keyring.unwrap(user, (await insertUserKey(transaction, { name: user, ...stored })) ?? stored)
}

/** `dataKeyOf`, where only the user is known. */
export async function dataKeyOfUser(transaction: Handle, keyring: Keyring, user: string): Promise<Buffer> {
  return await dataKeyOf(transaction, keyring, await userKey(transaction, user))
}

/** For users who have none yet: one new key each. */
export async function createDataKeys(
  transaction: Handle,
  keyring: Keyring,
  users: Iterable<string>,
): Promise<ReadonlyMap<string, Buffer>> {
  const created = Array.from(new Set(users), (user) => ({ user, ...keyring.create(user) }))
  if (created.length === 0) return new Map()
  await insertUserKeys(
    transaction,
    created.map(({ user, stored: { master, wrapped } }) => ({ name: user, master, wrapped })),
  )
  return new Map(created.map(({ user, dataKey }) => [user, dataKey]))
}
