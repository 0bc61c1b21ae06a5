import type { Handle } from '../store/sql.ts'
import { type Keyring, MissingKeyError } from './encryption.ts'
import {
  countOtherUserKeys,
  lockOtherServiceKeys,
  lockUserKeys,
  subscriptionSecrets,
  updateServiceKey,
  updateSubscriptionSecrets,
  updateUserKeys,
  wrappingMasters,
} from './storage.ts'
import { mastersOf, rewrapSecrets } from './webhook-secrets.ts'

/** Returns the ids of the master keys that stored data needs. */
async function mastersInUse(database: Handle): Promise<string[]> {
  const secrets = (await subscriptionSecrets(database)).flatMap(mastersOf)
  return [...new Set([...(await wrappingMasters(database)), ...secrets])].toSorted()
}

/** Returns the ids of the master keys in use that the settings lack. */
export async function missingMasters(database: Handle, { ids }: Keyring): Promise<string[]> {
  return (await mastersInUse(database)).filter((id) => !ids.includes(id))
}

export interface Rewrapped {
  readonly done: number
  /**
   * Ids of users whose key does not open: their sensitive values are lost unless a backup has the key. Ids of
   * subscriptions whose secret does not open: they get no deliveries until it is rotated.
   */
  readonly damaged: readonly string[]
}

/**
 * Wraps all data keys with the first master key; the values sealed with them stay as they are. Each batch is a
 * transaction, so a stopped run can be resumed, and other runs and writers can work at the same time. If a master key is
 * missing, throws a MissingKeyError before anything is changed.
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
    for (const { name, ...stored } of await lockOtherServiceKeys(transaction, keyring.current))
      await updateServiceKey(transaction, { name, ...keyring.rewrap(name, stored) })
  })

  const damaged: string[] = []
  await database.transaction().execute(async (transaction) => {
    for (const stored of await subscriptionSecrets(transaction, { lock: true })) {
      const rewrapped = orUndefined(() => rewrapSecrets(keyring, stored))
      if (rewrapped) await updateSubscriptionSecrets(transaction, rewrapped)
      else damaged.push(stored.id)
    }
  })

  const total = await countOtherUserKeys(database, keyring.current)
  let done = 0
  // Rows that others have locked come last; only those are waited for.
  for (let wait = false; ;) {
    if (signal?.aborted) break
    const { found, written } = await rewrapSome(database, keyring, { batch, wait, damaged })
    done += written
    progress(done, total)
    if (done === 0 && damaged.length >= batch)
      throw new Error(
        'The keys of the users do not open. Is a master key in the settings a different key under an old id?',
      )
    if (found > 0) wait = false
    else if (wait) break
    else wait = true
  }
  return { done, damaged }
}

async function rewrapSome(
  database: Handle,
  keyring: Keyring,
  { batch, wait, damaged }: { batch: number; wait: boolean; damaged: string[] },
): Promise<{ found: number; written: number }> {
  const others = keyring.ids.filter((id) => id !== keyring.current)
  return await database.transaction().execute(async (transaction) => {
    const rows = await lockUserKeys(transaction, others, { except: damaged, atMost: batch, wait })
    const rewrapped = rows.flatMap(({ name, ...stored }) => {
      const key = orUndefined(() => keyring.rewrap(name, stored))
      if (!key) damaged.push(name)
      return key ? [{ name, ...key }] : []
    })
    if (rewrapped.length > 0) await updateUserKeys(transaction, rewrapped)
    return { found: rows.length, written: rewrapped.length }
  })
}

/** Returns `undefined` if the stored key does not open. */
function orUndefined<Result>(rewrap: () => Result): Result | undefined {
  try {
    return rewrap()
  } catch {
    return undefined
  }
}
