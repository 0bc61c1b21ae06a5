import { sql } from 'kysely'

import { numberEvents } from '../events/storage.ts'
import type { Database } from '../sealing/database.ts'
import { inBulk, insertGenerated, settle } from './bulk.ts'
import { plainPerson, plainPersonId } from './people.ts'

export const maxVolume = 10_000_000

/** Number of users per transaction: an interruption leaves complete users only. */
const usersPerBatch = 1000

/**
 * Fills a store with the first `users` of an endless sequence of users, each with one or two entities of six
 * properties and an event for every write. Existing users are left unchanged, so a load that was interrupted, or a
 * larger one, continues after the previous one. `progress` receives the number of these users in the store,
 * and how many of them this call has added.
 */
export async function loadVolume(
  database: Database,
  users: number,
  options: { readonly progress?: (there: number, added: number) => void; readonly signal?: AbortSignal } = {},
): Promise<{ readonly there: number; readonly added: number }> {
  let there = 0
  let added = 0
  for (let first = 0; first < users && !options.signal?.aborted; first += usersPerBatch) {
    const indexes = Array.from(
      { length: Math.min(usersPerBatch, users - first) },
      (_, place) => first + place,
    )
    const present = await countPresent(database, indexes.map(plainPersonId))
    there += present
    if (present < indexes.length) {
      const inserted = await inBulk(
        database,
        async (transaction) => await insertGenerated(transaction, database.keys, indexes.map(plainPerson)),
      )
      await numberEvents(database.sql)
      there += inserted
      added += inserted
    }
    options.progress?.(there, added)
  }
  await settle(database)
  return { there, added }
}

async function countPresent(database: Database, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from users where id = any(${ids}::uuid[])`.execute(database.sql)
  return rows[0]?.count ?? 0
}
