import { sql } from 'kysely'

import type { Database } from '../sealing/database.ts'
import { type Handle, zoned } from '../store/sql.ts'

/** A deletion that is not final yet. */
export interface WaitingRow {
  user: string
  /** UTC with `Z`. */
  deleted: string
}

/**
 * Notes what the deletion of a user waits for, before the user's key is deleted. With a master key of its own the store
 * sees to every deletion, since names and e-mails lie in dead rows too; elsewhere there is nothing to wait for where
 * nothing of the user's was ever sealed.
 */
export async function recordErasure(
  transaction: Handle,
  keys: Database['keys'],
  user: string,
): Promise<void> {
  // Asked for under the user's lock: a key that is being wrapped anew has the new master key among these by then.
  const { ids } = keys.keyring
  await sql`
    insert into erasures (user_id, deleted, masters)
    select ${user}::uuid, now() at time zone 'UTC', array(
      select distinct id from unnest(${ids}::text[] || array(select master from user_keys where user_id = ${user}::uuid)) as id
    )
    where ${keys.file !== undefined} or exists (select 1 from user_keys where user_id = ${user}::uuid)
    on conflict (user_id) do nothing`.execute(transaction)
}

const withZone = zoned(sql`deleted`)

/** The oldest deletions that wait for one of these master keys, how many there are, and since when. */
export async function waitingErasures(
  database: Handle,
  masters: readonly string[],
  { atMost, user }: { readonly atMost: number; readonly user?: string | undefined },
): Promise<{ total: number; since: string | null; erasures: WaitingRow[] }> {
  const waiting = sql`masters && ${masters}::text[]
    and (${user ?? null}::uuid is null or user_id = ${user ?? null}::uuid)`
  const { rows } = await sql<{ total: number; since: string | null; erasures: WaitingRow[] }>`
    select count(*) as total, (select ${withZone} from erasures where ${waiting} order by deleted limit 1) as since,
      coalesce((
        select json_agg(json_build_object('user', user_id, 'deleted', ${withZone}) order by deleted, user_id)
        from (select * from erasures where ${waiting} order by deleted, user_id limit ${atMost}) as oldest
      ), '[]') as erasures
    from erasures where ${waiting}`.execute(database)
  return rows[0] ?? { total: 0, since: null, erasures: [] }
}

/** Forgets those that are final: none of the master keys that they waited for is left. */
export async function dropFinal(database: Handle, masters: readonly string[]): Promise<void> {
  await sql`delete from erasures where not masters && ${masters}::text[]`.execute(database)
}
