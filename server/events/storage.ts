import { type Kysely, sql, type Transaction } from 'kysely'
import { v7 as uuidv7 } from 'uuid'

import { eventsPerPage, type EventType } from '#contract/index.ts'
import type { Tables } from '../database.ts'

/**
 * Notes an event in the transaction of the change it tells of. It waits in the inbox until `numberEvents` gives it a
 * position: a counter updated here would make every writer wait for every other.
 */
export async function recordEvent(
  transaction: Transaction<Tables>,
  type: EventType,
  properties: Readonly<Record<string, string>>,
): Promise<void> {
  await sql`insert into event_inbox (id, eventtime, type, properties)
    values (${uuidv7()}, now() at time zone 'UTC', ${type}, ${JSON.stringify(properties)}::jsonb)`.execute(
    transaction,
  )
}

/** Any constant of our own: all numbering, in every process, waits on this one advisory lock. */
const numberingLock = 7_205_759_403

/**
 * Moves what has been committed from the inbox to the log, with dense positions from 0 up. A number that was read is
 * never given again and nothing is put behind it: positions only grow from the highest one, one numbering at a time.
 * Run before every read of events, so that a reader sees what was written before.
 */
export async function numberEvents(database: Kysely<Tables>): Promise<void> {
  const waiting = await sql`select 1 from event_inbox limit 1`.execute(database)
  if (waiting.rows.length === 0) return
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${numberingLock}::bigint)`.execute(transaction)
    // A statement of its own: it must see what the holder of the lock before us has committed.
    await sql`
      with moved as (delete from event_inbox returning id, eventtime, type, properties)
      insert into events (seq, id, eventtime, type, properties)
      select (select coalesce(max(seq), -1) from events) + row_number() over (order by eventtime, id),
        id, eventtime, type, properties
      from moved`.execute(transaction)
  })
}

/** An event as the API answers it, written by the database: parsing and printing it again would only cost time. */
const eventJson = sql<string>`json_strip_nulls(json_build_object(
  'id', id,
  'eventtime', to_char(eventtime, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'type', type,
  'properties', properties,
  'delivered', delivered,
  'deliveredtime', to_char(deliveredtime, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`

/** Up to 100 events from a position on, as a JSON array. The position is the key: as fast at the end as at the start. */
export async function eventPageJson(database: Kysely<Tables>, offset: number): Promise<string> {
  const { rows } = await sql<{ page: string }>`
    select coalesce(json_agg(${eventJson} order by seq), '[]')::text as page
    from (select * from events where seq >= ${offset}::bigint order by seq limit ${eventsPerPage}) as page`.execute(
    database,
  )
  return rows[0]?.page ?? '[]'
}

/** One event as JSON; `undefined`: there is none. */
export async function eventJsonById(database: Kysely<Tables>, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ event: string }>`
    select ${eventJson}::text as event from events where id = ${id}`.execute(database)
  return rows[0]?.event
}
