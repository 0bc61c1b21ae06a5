import { sql } from 'kysely'

import type { Handle } from '../store/sql.ts'

/** Number of rows read or deleted by one statement: 5 to 50 ms (2 busy cores, PostgreSQL, 5,000,000 events). */
const atOnce = 500

/** Deletes some of the attempts older than this many days. Returns false if there were none. */
export async function pruneAttempts(database: Handle, days: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from delivery_attempts where ctid = any(array(
      select old.ctid from subscriptions s cross join lateral (
        select ctid from delivery_attempts
        where subscription_id = s.id and time < ${daysAgo(days)} order by time limit ${atOnce}
      ) old limit ${atOnce}))`.execute(database)
  return numAffectedRows > 0n
}

/** Position of a walk through finished deliveries: the last one tested. */
export interface PrunePosition {
  readonly done: string
  readonly subscription_id: string
  readonly seq: number
}

/**
 * Tests some of the deliveries that finished more than this many days ago, and deletes those no longer needed. A
 * successful delivery is kept if nothing else shows that its subscription got the event: because other subscriptions
 * have not got it, or because the event is older than the subscription. Returns the position reached; undefined at
 * the end.
 */
export async function pruneDeliveries(
  database: Handle,
  days: number,
  after: PrunePosition | undefined,
): Promise<PrunePosition | undefined> {
  return await database.transaction().execute(async (transaction) => {
    const { rows: looked } = await sql<PrunePosition & { isOld: boolean; cutoff: string }>`
      select d.done::text, d.subscription_id, d.seq, ${daysAgo(days)}::text as cutoff,
        d.state = 'failed'
          or (e.delivered and e.deliveredtime < ${daysAgo(days)} and s.created <= e.eventtime) as "isOld"
      from (
        select * from deliveries
        where state <> 'waiting' and done < ${daysAgo(days)}
          ${after ? sql`and (done, subscription_id, seq) > (${after.done}::timestamp, ${after.subscription_id}::uuid, ${after.seq}::bigint)` : sql``}
        order by done, subscription_id, seq limit ${atOnce}
      ) d join events e using (seq) join subscriptions s on s.id = d.subscription_id
      order by d.done, d.subscription_id, d.seq`.execute(transaction)
    const old = looked.filter(({ isOld }) => isOld)
    // Subscriptions are locked first, as everywhere.
    await sql`
      update subscriptions set pruned = greatest(pruned, ${looked[0]?.cutoff}::timestamp)
      where id in (
        select id from subscriptions where id = any(${[...new Set(old.map((row) => row.subscription_id))]}::uuid[])
        order by id for no key update)`.execute(transaction)
    await sql`
      delete from deliveries d
      using jsonb_to_recordset(${JSON.stringify(old)}::jsonb) as old (subscription_id uuid, seq bigint, done timestamp)
      where d.subscription_id = old.subscription_id and d.seq = old.seq and d.state <> 'waiting' and d.done = old.done`.execute(
      transaction,
    )
    return looked.at(-1)
  })
}

/** Time this many days ago, truncated to the hour, so that the `pruned` time of a subscription seldom changes. */
const daysAgo = (days: number) =>
  sql`(date_trunc('hour', statement_timestamp() at time zone 'UTC') - ${days}::float8 * interval '1 day')`
