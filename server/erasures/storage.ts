import { sql } from 'kysely'

import type { Database } from '../sealing/database.ts'
import { type Handle, zoned } from '../store/sql.ts'

export interface ErasureRow {
  user: string
  /** UTC with `Z`. */
  deleted: string
  waits: boolean
  /** Null: it waits, or it became final when nobody noted that. */
  final: string | null
  /** Null: of a time when it was not kept. */
  actor: string | null
  /** Null: none was given. */
  reference: string | null
}

/** A user to delete, and the actor. */
export interface NewErasure {
  readonly user: string
  /** The token's `sub`. */
  readonly actor: string
  readonly reference: string | undefined
  /** Which its event names. */
  readonly changeset: string
}

/**
 * Notes the deletion of a user and what it waits for, before the user's key is deleted. With a master key of its own the store
 * sees to every deletion, since names and e-mails lie in dead rows too; elsewhere one is final at once where nothing of the
 * user's was ever sealed.
 */
export async function recordErasure(
  transaction: Handle,
  keys: Database['keys'],
  { user, actor, reference, changeset }: NewErasure,
): Promise<void> {
  // Asked for under the user's lock: a key that is being wrapped anew has the new master key among these by then.
  const { ids } = keys.keyring
  const now = sql`statement_timestamp() at time zone 'UTC'`
  await sql`
    insert into erasures (user_id, deleted, masters, final, actor, reference, changeset)
    select ${user}::uuid, ${now}, masters, case when masters is null then ${now} end, ${actor}::text, ${reference ?? null}::text,
      ${changeset}::uuid
    from (
      select case when ${keys.file !== undefined} or exists (select 1 from user_keys where user_id = ${user}::uuid) then array(
        select distinct id from unnest(${ids}::text[] || array(select master from user_keys where user_id = ${user}::uuid)) as id
      ) end as masters
    ) as waited
    on conflict (user_id) do nothing`.execute(transaction)
}

/** One of these master keys could still open the user's. The first half has an index, in which little stands. */
const waitsFor = (masters: readonly string[]) =>
  sql<boolean>`(masters is not null and masters && ${masters}::text[])`

const erasureColumns = (masters: readonly string[]) =>
  sql`user_id as "user", ${zoned(sql`deleted`)} as deleted, ${waitsFor(masters)} as waits,
    ${zoned(sql`final`)} as final, actor, reference`

/** How many deletions wait for one of these master keys, since when, and the oldest of them. */
export async function waitingErasures(
  database: Handle,
  masters: readonly string[],
  { atMost, user }: { readonly atMost: number; readonly user?: string | undefined },
): Promise<{ total: number; since: string | null; erasures: ErasureRow[] }> {
  const those = sql`from erasures where ${waitsFor(masters)}
    and (${user ?? null}::uuid is null or user_id = ${user ?? null}::uuid)`
  const { rows } = await sql<{ total: number; since: string | null; erasures: ErasureRow[] }>`
    select count(*) as total, (select ${zoned(sql`deleted`)} ${those} order by deleted limit 1) as since,
      coalesce((
        select json_agg(oldest order by deleted, "user")
        from (select ${erasureColumns(masters)} ${those} order by erasures.deleted, user_id limit ${atMost}) as oldest
      ), '[]') as erasures
    ${those}`.execute(database)
  return rows[0] ?? { total: 0, since: null, erasures: [] }
}

/** Some deletions, newest first. `after`: of the last user of the page before. */
export async function erasures(
  database: Handle,
  masters: readonly string[],
  {
    state,
    user,
    after,
    atMost,
  }: {
    readonly state: 'waiting' | 'final' | 'all'
    readonly user?: string | undefined
    readonly after?: string | undefined
    readonly atMost: number
  },
): Promise<ErasureRow[]> {
  const waits = waitsFor(masters)
  const inState = { waiting: waits, final: sql`not ${waits}`, all: sql`true` }[state]
  const { rows } = await sql<ErasureRow>`
    select ${erasureColumns(masters)} from erasures
    where ${inState} and (${user ?? null}::uuid is null or user_id = ${user ?? null}::uuid)
      and (${after ?? null}::uuid is null
        or (erasures.deleted, user_id) < (select deleted, user_id from erasures where user_id = ${after ?? null}::uuid))
    order by erasures.deleted desc, user_id desc limit ${atMost}`.execute(database)
  return rows
}

/** A deletion as what it did, which its event names. */
export interface DeletionRow {
  id: string
  user: string
  actor: string | null
  reference: string | null
  /** UTC with `Z` and milliseconds. */
  time: string
}

/** The deletions of users among these changesets. */
export async function deletionsByChangesets(
  database: Handle,
  ids: readonly string[],
): Promise<DeletionRow[]> {
  const { rows } = await sql<DeletionRow>`
    select changeset as id, user_id as "user", actor, reference, ${zoned(sql`deleted`)} as time
    from erasures where changeset = any(${ids}::uuid[])`.execute(database)
  return rows
}

/** Notes which have become final: none of the master keys that they waited for is left. */
export async function markFinal(database: Handle, masters: readonly string[]): Promise<void> {
  await sql`
    update erasures set masters = null, final = statement_timestamp() at time zone 'UTC'
    where masters is not null and not masters && ${masters}::text[]`.execute(database)
}
