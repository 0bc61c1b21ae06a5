import { sql } from 'kysely'
import type { Logger } from 'pino'

import { blindTerms } from '../sealing/blind-index.ts'
import type { JoinedKey } from '../sealing/data-keys.ts'
import type { Database } from '../sealing/database.ts'
import { MissingKeyError } from '../sealing/encryption.ts'
import type { Handle } from '../store/sql.ts'
import { Worker } from '../store/worker.ts'
import { type AtRest, openRow } from './sealing.ts'

/** Entities whose values are opened between two statements: some ten milliseconds of work. */
const entitiesAtOnce = 200
const recoverMs = 3_600_000
const dayMs = 86_400_000

type SealedEmails = AtRest & JoinedKey & { readonly id: string }

interface Options {
  readonly atOnce?: number
  readonly signal?: AbortSignal
}

/**
 * Gives sealed e-mails that were indexed by the fold for names the terms of their mailboxes, which takes their keys and
 * so cannot be done by a migration. The table `sealed_emails` has the last entity that was looked at, and no row once
 * everything is done. Several processes may do this at once. Returns the number of changed values; undefined if there
 * was nothing to do. Throws a MissingKeyError, and continues at that entity the next time, if a master key is missing.
 */
export async function indexSealedEmails(
  { unlimited, keys }: Pick<Database, 'unlimited' | 'keys'>,
  { atOnce = entitiesAtOnce, signal }: Options = {},
): Promise<number | undefined> {
  return await unlimited(async (handle) => {
    for (let changed: number | undefined; ;) {
      if (signal?.aborted) return changed
      const rows = await nextSealedEmails(handle, atOnce)
      if (!rows) return changed
      changed ??= 0
      for (const row of rows) changed += await reindex(handle, row, keys)
      await moveOn(handle, rows.length < atOnce ? undefined : rows.at(-1))
    }
  })
}

/** Returns the next entities with sealed values, with their e-mails alone; undefined if all have been looked at. */
async function nextSealedEmails(handle: Handle, atOnce: number): Promise<SealedEmails[] | undefined> {
  const { rows: places } = await sql<{ user: string; id: string }>`
    select user_id as "user", entity_id as id from sealed_emails`.execute(handle)
  const [after] = places
  if (!after) return undefined
  const emails = sql`jsonb_each(properties) as each (key, property)
    where property ->> 'type' = 'EMAIL' and property ? 'blind' and sealed ? key`
  const { rows } = await sql<SealedEmails>`
    select user_id as "user", id, master, wrapped,
      coalesce((select jsonb_object_agg(key, property) from ${emails}), '{}') as properties,
      coalesce((select jsonb_object_agg(key, sealed -> key) from ${emails}), '{}') as sealed
    from entities left join user_keys using (user_id)
    where (user_id, id) > (${after.user}::uuid, ${after.id}::uuid) and sealed <> '{}'
    order by user_id, id limit ${atOnce}`.execute(handle)
  return rows
}

/** Writes those terms of an entity's e-mails that have changed; returns their number. */
async function reindex(handle: Handle, row: SealedEmails, keys: Database['keys']): Promise<number> {
  let changed = 0
  for (const [key, { type, value }] of Object.entries(openOrSkip(row, keys))) {
    const terms = JSON.stringify(blindTerms(keys.indexKey(), key, type, value))
    if (terms === JSON.stringify(row.properties[key]?.blind)) continue
    // A sealed text stands for one value: if it is still there, so is the value that was opened.
    await sql`
      update entities set properties = jsonb_set(properties, array[${key}::text, 'blind'], ${terms}::jsonb)
      where user_id = ${row.user}::uuid and id = ${row.id}::uuid and sealed ->> ${key}::text = ${row.sealed[key]}`.execute(
      handle,
    )
    changed += 1
  }
  return changed
}

/** Returns no properties if they are damaged: they cannot be found by their values. */
function openOrSkip(row: SealedEmails, { keyring }: Database['keys']) {
  try {
    return openRow(keyring, row)
  } catch (error) {
    if (error instanceof MissingKeyError) throw error
    return {}
  }
}

async function moveOn(handle: Handle, last: SealedEmails | undefined): Promise<void> {
  if (last)
    await sql`update sealed_emails set user_id = ${last.user}::uuid, entity_id = ${last.id}::uuid`.execute(
      handle,
    )
  else await sql`delete from sealed_emails`.execute(handle)
}

/** Runs `indexSealedEmails` in the background. */
export function startIndexingSealedEmails(database: Database, log: Logger): { stop(): Promise<void> } {
  const step = async (signal: AbortSignal) => {
    const changed = await indexSealedEmails(database, { signal })
    if (changed !== undefined && !signal.aborted)
      log.info({ changed }, 'sealed e-mails are found by their mailboxes')
    return dayMs
  }
  const tell = (error: unknown) => {
    const { name, code } = error as Error & { code?: unknown }
    log.error(
      { name, code },
      'not all sealed e-mails are found by their mailboxes yet; the next try is in an hour',
    )
  }
  return new Worker({ step, recoverMs, tell })
}
