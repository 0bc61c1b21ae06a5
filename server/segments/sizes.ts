import { sql } from 'kysely'

import { historyDays, type SegmentHistory } from '#contract/index.ts'
import type { TestedKey } from '../events/sealed-gate.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import { allUsers } from '../users/storage.ts'
import { allDependents, everSensitiveOf } from './storage.ts'

/** Days for which sizes are kept: more than the API shows, enough to look back a year. */
const keptDays = 400

/** Number of members counted for segments that had the same filter when the count began. */
export interface SegmentSize {
  readonly segments: readonly string[]
  readonly total: number
  /** Properties that decided who was counted. */
  readonly keys: readonly TestedKey[]
}

/** Stores a count as today's size of segments, replacing an earlier one of the same day. */
export async function keepSize(database: Handle, { segments, total, keys }: SegmentSize): Promise<void> {
  const { total: users } = await allUsers(database)
  // Whether the counted filter tests sensitive properties; the segments may have another filter by now.
  const isSensitive = (await everSensitiveOf(database, keys)).length > 0
  await sql`
    with today as (select (now() at time zone 'UTC')::date as day),
      old as (
        delete from segment_sizes using today
        where segment_id = any(${segments}::uuid[]) and segment_sizes.day < today.day - ${keptDays}::int
      )
    insert into segment_sizes (segment_id, day, total, users, sensitive)
    select id, today.day, ${total}, ${users}, ${isSensitive} from segments, today where id = any(${segments}::uuid[])
    on conflict on constraint segment_sizes_pkey do update
      set total = excluded.total, users = excluded.users, sensitive = excluded.sensitive`.execute(database)
}

/**
 * Hides past sizes of a segment and its dependents if the previous filter tested sensitive properties, since they
 * still reveal its results. The caller must have locked the segment.
 */
export async function hideSizes(
  transaction: Transaction,
  segment: string,
  keys: readonly TestedKey[],
): Promise<void> {
  if ((await everSensitiveOf(transaction, keys)).length === 0) return
  const dependents = await allDependents(transaction, segment)
  const all = [segment, ...dependents.map(({ id }) => id)]
  await sql`update segment_sizes set sensitive = true where segment_id = any(${all}::uuid[])`.execute(
    transaction,
  )
}

/** Returns the recent daily sizes of these segments, by segment id. */
export async function sizesOf(
  database: Handle,
  segments: readonly string[],
  { showsAll }: { readonly showsAll: boolean },
): Promise<ReadonlyMap<string, SegmentHistory['sizes']>> {
  const { rows } = await sql<{ id: string; sizes: SegmentHistory['sizes'] }>`
    select segment_id as id,
      json_agg(json_build_object('day', day::text, 'total', total, 'users', users) order by day) as sizes
    from segment_sizes
    where segment_id = any(${segments}::uuid[]) and day > (now() at time zone 'UTC')::date - ${historyDays}::int
      and (${showsAll} or not sensitive)
    group by segment_id`.execute(database)
  return new Map(rows.map(({ id, sizes }) => [id, sizes]))
}
