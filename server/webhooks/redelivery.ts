import { sql } from 'kysely'

import type { Handle } from '../store/sql.ts'
import { isSent } from '../events/storage.ts'

const now = sql`now() at time zone 'UTC'`

/** Whom an event is for: those that are enabled and have its type; a test is for the one that it tests. */
export async function recipientsOf(
  database: Handle,
  { type, subscription }: { type: string; subscription: string | null },
): Promise<string[]> {
  const isFor =
    type === 'WEBHOOK_TEST'
      ? sql`id::text = ${subscription}`
      : sql`${isSent(sql`${type}::text`)} and (types is null or ${type} = any(types))`
  const { rows } = await sql<{ id: string }>`select id from subscriptions where enabled and ${isFor}`.execute(
    database,
  )
  return rows.map(({ id }) => id)
}

/** Due now and with all tries before them, whatever became of them. Answers how many there are. */
export async function deliverAgain(
  database: Handle,
  seq: number,
  subscriptions: readonly string[],
): Promise<number> {
  const { rows } = await sql`
    insert into deliveries (subscription_id, seq, next)
    select id, ${seq}::bigint, ${now} from subscriptions where id = any(${subscriptions}::uuid[]) and deleted is null
    on conflict on constraint deliveries_pkey do update
      set state = 'waiting', next = excluded.next, attempts = 0
    returning 1`.execute(database)
  return rows.length
}

/** A span of time: its first moment, and the one before which it ends. UTC without a zone. */
export interface Span {
  readonly since: string
  readonly until: string
}

/** Blocks of positions, see migrations/, in which events of a span can stand. */
export async function blocksWithin(database: Handle, { since, until }: Span): Promise<number[]> {
  const { rows } = await sql<{ block: number }>`
    select block from event_blocks
    where last_time >= ${since}::timestamp and first_time < ${until}::timestamp order by block`.execute(
    database,
  )
  return rows.map(({ block }) => block)
}

/** Which events of these positions a subscription is for, in a span, and has not got. Tests are not sent again. */
const missed = (subscription: string, { since, until }: Span, first: number, past: number) => sql`
  select s.id as subscription_id, e.seq
  from subscriptions s join events e on e.type <> 'WEBHOOK_TEST' and ${isSent(sql`e.type`)} and (s.types is null or e.type = any(s.types))
  where s.id = ${subscription}::uuid and s.deleted is null and e.seq >= ${first}::bigint and e.seq < ${past}::bigint
    and e.eventtime >= ${since}::timestamp and e.eventtime < ${until}::timestamp
    and not exists (
      select from deliveries d where d.subscription_id = s.id and d.seq = e.seq and d.state = 'delivered')`

export async function countMissed(database: Handle, ...of: Parameters<typeof missed>): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from (${missed(...of)}) missed`.execute(database)
  return rows[0]?.count ?? 0
}

/** Due now; those that wait for another try as well. Answers how many there are. */
export async function deliverMissed(database: Handle, ...of: Parameters<typeof missed>): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into deliveries (subscription_id, seq, next)
    select subscription_id, seq, ${now} from (${missed(...of)}) missed order by seq
    on conflict on constraint deliveries_pkey do update
      set state = 'waiting', next = excluded.next, attempts = 0
      where deliveries.state <> 'delivered'`.execute(database)
  return Number(numAffectedRows ?? 0)
}
