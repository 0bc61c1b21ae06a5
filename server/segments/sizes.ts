import { sql } from 'kysely'

import { historyDays, type SegmentHistory } from '#contract/index.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import { allUsers } from '../users/storage.ts'
import type { TestedKey } from '../events/sealed-gate.ts'
import { allDependents, everSensitiveOf } from './storage.ts'

/** Beyond what is answered: a year and what a comparison with it needs. */
const keptDays = 400

/** A count of what segments stood for when it was begun. */
export interface SegmentSize {
  readonly segments: readonly string[]
  readonly total: number
  /** The properties that decided who was counted. */
  readonly keys: readonly TestedKey[]
}

/** Keeps what segments were counted at today, in place of an earlier count of the day. */
export async function keepSize(database: Handle, { segments, total, keys }: SegmentSize): Promise<void> {
  const { total: users } = await allUsers(database)
  // Sensitivity of the counted filter's properties: the segments may have another filter by now.
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
 * Hides past sizes of a segment and its dependents: they still show results of the filter before this change. The
 * caller must have locked the segment before.
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

/** Sizes of these segments on recent days, by segment id. */
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
