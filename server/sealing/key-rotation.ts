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

/** Ids of the master keys without which something stored cannot be read. */
async function mastersInUse(database: Handle): Promise<string[]> {
  const secrets = (await subscriptionSecrets(database)).flatMap(mastersOf)
  return [...new Set([...(await wrappingMasters(database)), ...secrets])].toSorted()
}

/** Ids of the master keys in use that are not among the settings. */
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
  // Those that somebody else is at come last, and are waited for.
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

/** `undefined`: what is stored does not open. */
function orUndefined<Result>(rewrap: () => Result): Result | undefined {
  try {
    return rewrap()
  } catch {
    return undefined
  }
}
