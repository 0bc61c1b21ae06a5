import { sql } from 'kysely'

import { instantOf } from '../events/matching-storage.ts'
import type { Database } from '../sealing/database.ts'
import { type Handle, zoned } from '../store/sql.ts'

export interface ErasureRow {
  user: string
  /** UTC with `Z`. */
  deleted: string
  waits: boolean
  /** Time when the deletion became final; null while it waits, or if that time was not recorded. */
  final: string | null
  /** null for a deletion from before actors were recorded. */
  actor: string | null
  /** null if none was given. */
  reference: string | null
  /** Whether segments and jobs have been emptied of the user. */
  emptied: boolean
}

export interface NewErasure {
  readonly user: string
  /** The token's `sub`. */
  readonly actor: string
  readonly reference: string | undefined
  /** Id of the changeset that the deletion's event names. */
  readonly changeset: string
  /** Digests of what identified the user; undefined if none are kept. */
  readonly digests: readonly string[] | undefined
}

/**
 * Records the deletion of a user and the master keys that it waits for, before the user's key is deleted. In a store
 * with its own master key, every deletion waits, because dead rows hold names and e-mails too; elsewhere a deletion is
 * final at once if the user never had a sealed value.
 */
export async function recordErasure(
  transaction: Handle,
  keys: Database['keys'],
  { user, actor, reference, changeset, digests }: NewErasure,
): Promise<void> {
  // Read under the user's lock: if the user's key is being rewrapped, these ids already include the new master key.
  const { ids } = keys.keyring
  const now = sql`statement_timestamp() at time zone 'UTC'`
  await sql`
    insert into erasures (user_id, deleted, masters, final, actor, reference, changeset, digests)
    select ${user}::uuid, ${now}, masters, case when masters is null then ${now} end, ${actor}::text, ${reference ?? null}::text,
      ${changeset}::uuid, ${digests ?? null}::text[]
    from (
      select case when ${keys.file !== undefined} or exists (select 1 from user_keys where user_id = ${user}::uuid) then array(
        select distinct id from unnest(${ids}::text[] || array(select master from user_keys where user_id = ${user}::uuid)) as id
      ) end as masters
    ) as waited
    on conflict (user_id) do nothing`.execute(transaction)
}

/**
 * Whether one of these master keys could still open the user's key. The first condition matches an index with few
 * rows.
 */
const waitsFor = (masters: readonly string[]) =>
  sql<boolean>`(masters is not null and masters && ${masters}::text[])`

const erasureColumns = (masters: readonly string[]) =>
  sql`user_id as "user", ${zoned(sql`deleted`)} as deleted, ${waitsFor(masters)} as waits,
    ${zoned(sql`final`)} as final, actor, reference, segments_emptied and jobs_emptied as emptied`

/**
 * Returns how many deletions wait until these master keys are gone, the time of the oldest, and the `atMost` oldest.
 */
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

/** Compares by "C", so that the database's locale does not decide what is found. */
function matches(q: string | undefined) {
  if (q === undefined) return sql<boolean>`true`
  const sought = sql`lower(${q}::text collate "C")`
  return sql<boolean>`(strpos(lower(reference collate "C"), ${sought}) > 0 or strpos(lower(actor collate "C"), ${sought}) > 0
    or starts_with(user_id::text collate "C", ${sought}))`
}

/** Returns a page of deletions, newest first. `after` is the user of the previous page's last one. */
export async function erasures(
  database: Handle,
  masters: readonly string[],
  {
    state,
    user,
    q,
    from,
    to,
    after,
    atMost,
  }: {
    readonly state: 'waiting' | 'final' | 'all'
    readonly user?: string | undefined
    /** Part of the reference or of the actor, or the beginning of the id. */
    readonly q?: string | undefined
    /** Start, inclusive, and end, exclusive, of the time of the deletion. */
    readonly from?: string | undefined
    readonly to?: string | undefined
    readonly after?: string | undefined
    readonly atMost: number
  },
): Promise<ErasureRow[]> {
  const waits = waitsFor(masters)
  const inState = { waiting: waits, final: sql`not ${waits}`, all: sql`true` }[state]
  const { rows } = await sql<ErasureRow>`
    select ${erasureColumns(masters)} from erasures
    where ${inState} and (${user ?? null}::uuid is null or user_id = ${user ?? null}::uuid)
      and erasures.deleted >= ${instantOf(from === undefined ? -Infinity : Date.parse(from))}
      and erasures.deleted < ${instantOf(to === undefined ? Infinity : Date.parse(to))}
      and ${matches(q)}
      and (${after ?? null}::uuid is null
        or (erasures.deleted, user_id) < (select deleted, user_id from erasures where user_id = ${after ?? null}::uuid))
    order by erasures.deleted desc, user_id desc limit ${atMost}`.execute(database)
  return rows
}

/** Returns the newest deletions, at most `atMost`, of users who had one of these digests. */
export async function erasuresByDigests(
  database: Handle,
  masters: readonly string[],
  { digests, atMost }: { readonly digests: readonly string[]; readonly atMost: number },
): Promise<ErasureRow[]> {
  const { rows } = await sql<ErasureRow>`
    select ${erasureColumns(masters)} from erasures where digests is not null and digests && ${digests}::text[]
    order by erasures.deleted desc, user_id desc limit ${atMost}`.execute(database)
  return rows
}

/** Returns the time of the newest deletion of which no digests are kept; null if there is none. */
export async function lastWithoutDigests(database: Handle): Promise<string | null> {
  const { rows } = await sql<{ deleted: string }>`
    select ${zoned(sql`deleted`)} as deleted from erasures where digests is null
    order by erasures.deleted desc limit 1`.execute(database)
  return rows[0]?.deleted ?? null
}

/** Deletions whose digests are removed in one transaction. */
const forgottenAtOnce = 5_000

/** Removes all digests. */
export async function forgetDigests(database: Handle): Promise<void> {
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      update erasures set digests = null where user_id in (
        select user_id from erasures where digests is not null limit ${forgottenAtOnce}
      )`.execute(database)
    if (numAffectedRows === 0n) return
  }
}

/** A deletion by its changeset id, which its event names. */
export interface DeletionRow {
  id: string
  user: string
  actor: string | null
  reference: string | null
  /** UTC with `Z` and milliseconds. */
  time: string
}

/** Returns the deletions of users among these changesets. */
export async function deletionsByChangesets(
  database: Handle,
  ids: readonly string[],
): Promise<DeletionRow[]> {
  const { rows } = await sql<DeletionRow>`
    select changeset as id, user_id as "user", actor, reference, ${zoned(sql`deleted`)} as time
    from erasures where changeset = any(${ids}::uuid[])`.execute(database)
  return rows
}

/** Records deletions as final if none of the master keys that they waited for remains. */
export async function markFinal(database: Handle, masters: readonly string[]): Promise<void> {
  await sql`
    update erasures set masters = null, final = statement_timestamp() at time zone 'UTC'
    where masters is not null and not masters && ${masters}::text[]`.execute(database)
}
