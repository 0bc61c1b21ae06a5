import { type RawBuilder, sql } from 'kysely'

import { type DeliveryState, eventsPerPage, type EventType, managementTypes } from '#contract/index.ts'
import type { JoinedKey } from '../sealing/data-keys.ts'
import { newId } from '../store/new-id.ts'
import {
  everyUser,
  type Handle,
  type OnlyUsers,
  statementTime,
  type Transaction,
  zoned,
} from '../store/sql.ts'
import { auditing, auditKeys } from './auditing.ts'

/**
 * Records an event in the transaction of the change that it describes, and returns its id. The event waits in the
 * inbox until `numberEvents` assigns a position: a counter updated here would make all writers wait for each other.
 */
export async function recordEvent(
  transaction: Transaction,
  type: EventType,
  properties: Readonly<Record<string, string>>,
): Promise<string> {
  const [id = ''] = await recordEvents(transaction, type, [properties])
  return id
}

/** Records several events of one type and returns their ids. */
export async function recordEvents(
  database: Handle,
  type: EventType,
  properties: readonly Readonly<Record<string, string>>[],
): Promise<readonly string[]> {
  const events = properties.map((each) => ({ id: newId(), type, properties: each }))
  await eventsInsert(events).execute(database)
  return events.map(({ id }) => id)
}

/** An event before it has a position. */
export interface NewEvent {
  readonly id: string
  readonly type: EventType
  readonly properties: Readonly<Record<string, string>>
  /** Sensitive keys that a change touched. */
  readonly keys?: readonly string[] | undefined
  /** Zone-less UTC; the time of the statement if undefined. */
  readonly eventtime?: string
}

/** Returns the statement that records events, for combination with other inserts. */
export function eventsInsert(events: readonly NewEvent[], only: OnlyUsers = everyUser): RawBuilder<unknown> {
  // Time of the statement, not of the transaction: one that began later may have changed the same data first.
  return sql`
    insert into event_inbox (id, eventtime, type, properties, keys)
    select id, coalesce(eventtime, ${statementTime}), type, properties, keys
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as row (id uuid, eventtime timestamp, type text, properties jsonb, keys jsonb)
    where ${only(sql`(properties ->> 'user')::uuid`)}`
}

/** Returns an act of reading that was recorded with a reason within the last `hours`. */
export async function actOf(
  database: Handle,
  id: string,
  { actor, hours }: { readonly actor: string; readonly hours: number },
): Promise<{ readonly user: string; readonly entities: string; readonly ms: number } | undefined> {
  const { rows } = await sql<{ user: string; entities: string; ms: number }>`
    select properties ->> 'user' as user, properties ->> 'entities' as entities,
      extract(epoch from eventtime)::float8 * 1000 as ms
    from (
      select eventtime, type, properties from event_inbox where id = ${id}::uuid
      union all select eventtime, type, properties from events where id = ${id}::uuid
    ) recorded
    where type = 'SENSITIVE_DATA_ACCESSED' and properties ->> 'actor' = ${actor} and properties ? 'entities'
      and eventtime > statement_timestamp() at time zone 'UTC' - make_interval(hours => ${hours}::int)`.execute(
    database,
  )
  const [act] = rows
  if (!act) return undefined
  // A separate query: the user's data may be on another machine than the log.
  const { rows: given } = await sql`
    select 1 from reasons where user_id = ${act.user}::uuid and id = ${id}::uuid`.execute(database)
  return given.length > 0 ? act : undefined
}

/** Arbitrary id of the advisory lock that serialises numbering across all processes. */
const numberingLock = 7_205_759_403

/** Events per block; the migrations created `event_blocks` with the same number. */
export const eventsPerBlock = 2048

/** Whether events wait for their positions. False on a standby, which cannot assign any. */
const someWait = sql<boolean>`(not current_setting('transaction_read_only')::boolean and exists (select from event_inbox))`

/**
 * Moves committed events from the inbox to the log, with consecutive positions from 0 up. A position that was read is
 * never reused, and no event is inserted before it: positions only grow from the highest one, and only one numbering
 * runs at a time. Call it before every read of events, so that readers see all earlier writes. One statement also
 * creates each event's deliveries, one for every subscription that wants it at that moment, so an event never exists
 * without them.
 */
export async function numberEvents(database: Handle): Promise<void> {
  const { rows: waiting } = await sql`select 1 where ${someWait}`.execute(database)
  if (waiting.length > 0) await numberWaiting(database)
}

async function numberWaiting(database: Handle): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${numberingLock}::bigint)`.execute(transaction)
    // A separate statement: it must see the commits of the lock's previous holder.
    const { rows } = await sql<{ user_id: string }>`
      with receivers as (
        -- Locked only against deletion: inserting a delivery to a deleted subscription would fail.
        select id, enabled, types from subscriptions where deleted is null for key share
      ),
      moved as (delete from event_inbox returning id, eventtime, type, properties, keys),
      -- Has every column that later parts need. The planner does not know how many rows there are: a join of 50,000
      -- rows with each other might compare all pairs.
      numbered as materialized (
        select (select coalesce(max(seq), -1) from events) + row_number() over (order by eventtime, id) as seq,
          id, eventtime, type, properties, keys,
          case when exists (select 1 from receivers where ${isFor(sql`moved`)}) then 'waiting' else 'none' end as undelivered
        from moved
      ),
      logged as (
        insert into events (seq, id, eventtime, type, properties, undelivered)
        select seq, id, eventtime, type, properties, undelivered from numbered order by seq
      ),
      ${auditing},
      queued as (
        insert into deliveries (subscription_id, seq, next)
        select receivers.id, numbered.seq, statement_timestamp() at time zone 'UTC'
        from numbered join receivers on ${isFor(sql`numbered`)}
      ),
      counted as (
        insert into event_counts (hour, type, waiting, none)
        select date_trunc('hour', eventtime), type, count(*) filter (where undelivered = 'waiting'),
          count(*) filter (where undelivered = 'none')
        from numbered group by 1, 2 order by 1, 2
        on conflict on constraint event_counts_pkey do update set
          waiting = event_counts.waiting + excluded.waiting, none = event_counts.none + excluded.none
      ),
      blocks as (
        insert into event_blocks (block, first_time, last_time)
        select seq / ${sql.lit(eventsPerBlock)}, min(eventtime), max(eventtime) from numbered group by 1
        on conflict (block) do update set
          first_time = least(event_blocks.first_time, excluded.first_time),
          last_time = greatest(event_blocks.last_time, excluded.last_time)
      )
      select * from touched`.execute(transaction)
    await auditKeys(transaction, rows)
  })
}

/** Whether a webhook receives an event. */
const isFor = (event: RawBuilder<unknown>) => sql`case ${event}.type
  when 'WEBHOOK_TEST' then receivers.id::text = ${event}.properties ->> 'subscription'
  else receivers.enabled and ${isSent(sql`${event}.type`)}
    and (receivers.types is null or ${event}.type = any(receivers.types)) end`

/** Whether events of a type are sent to the webhooks that want them. */
export const isSent = (type: RawBuilder<unknown>) =>
  sql<boolean>`${type} not in (${sql.join(managementTypes.map((name) => sql.lit(name)))})`

/** Delivery state of an event, in the form that `events_state_index` uses. */
export const stateOfEvent = sql<DeliveryState>`(case when delivered then 'delivered' else undelivered end)`

/**
 * Whether an event is a row of its own where each job is one: it is no change that a job made. In the form that the
 * indexes of acts use.
 */
export const isAct = sql<boolean>`(properties ->> 'job' is null or properties ->> 'changeset' is null)`

/** Delivery state with its details as JSON. A paused webhook has no next attempt, except for a test event. */
const deliveryJson = sql`case when delivered or undelivered = 'none' then json_build_object('state', ${stateOfEvent})
  else (
    select json_strip_nulls(json_build_object('state', undelivered,
      'next', case undelivered when 'waiting' then ${zoned(sql`min(d.next) filter (where s.enabled or events.type = 'WEBHOOK_TEST')`)} end,
      'attempts', max(d.attempts) filter (where d.state = undelivered)))
    from deliveries d join subscriptions s on s.id = d.subscription_id where d.seq = events.seq
  ) end`

const members = sql`
  'id', id,
  'eventtime', ${zoned(sql`eventtime`)},
  'type', type,
  'properties', properties,
  'delivered', delivered,
  'deliveredtime', ${zoned(sql`deliveredtime`)}`

/** An event in the API's format, built by the database: parsing and serialising it again would only cost time. */
const eventJson = sql<string>`json_strip_nulls(json_build_object(${members}))`

/** An event in the API's format, optionally with its delivery state. */
export const eventJsonWith = ({ delivery }: { readonly delivery: boolean }) =>
  delivery
    ? sql<string>`json_strip_nulls(json_build_object(${members}, 'delivery', ${deliveryJson}))`
    : eventJson

/**
 * Returns up to 100 events from a position on as a JSON array, after numbering all committed events. The position is
 * the key, so the end of the log is as fast as the start. Takes one statement if no event waits, the usual case.
 */
export async function eventPageJson(database: Handle, offset: number): Promise<string> {
  const page = sql<string>`(
    select coalesce(json_agg(${eventJson} order by seq), '[]')::text
    from (select * from events where seq >= ${offset}::bigint order by seq limit ${eventsPerPage}) as page)`
  const { rows } = await sql<{ page: string | null }>`
    select case when not ${someWait} then ${page} end as page`.execute(database)
  if (typeof rows[0]?.page === 'string') return rows[0].page
  await numberWaiting(database)
  const again = await sql<{ page: string }>`select ${page} as page`.execute(database)
  return again.rows[0]?.page ?? '[]'
}

/** An event of the log, with the fields that filters test. */
export interface LoggedEvent {
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly user: string | null
  readonly entity: string | null
  readonly actor: string | null
  readonly job: string | null
  /** Whether it is no change that a job made. */
  readonly isAct: boolean
  /** Keys by entity, as JSON, if the event names several entities or is an act of reading. */
  readonly entities: string | null
  readonly state: DeliveryState
  /** Epoch milliseconds. */
  readonly time: number
  readonly json: string
  /** JSON of the event with its delivery state. */
  readonly jsonWithDelivery: string
}

/** Returns the events after a position, oldest first. */
export async function eventsAfter(database: Handle, position: number, limit: number): Promise<LoggedEvent[]> {
  const { rows } = await sql<LoggedEvent>`
    select seq, id, type, properties ->> 'user' as user, properties ->> 'entity' as entity,
      properties ->> 'actor' as actor, properties ->> 'job' as job, ${isAct} as "isAct", properties ->> 'entities' as entities,
      ${stateOfEvent} as state,
      extract(epoch from eventtime)::float8 * 1000 as time, ${eventJson}::text as json,
      ${eventJsonWith({ delivery: true })}::text as "jsonWithDelivery"
    from events where seq > ${position}::bigint order by seq limit ${limit}`.execute(database)
  return rows
}

/** Returns the position of the last event; -1 if the log is empty. */
export async function lastPosition(database: Handle): Promise<number> {
  const { rows } = await sql<{ last: number }>`select coalesce(max(seq), -1) as last from events`.execute(
    database,
  )
  return rows[0]?.last ?? -1
}

/** Returns the position of an event in the log; undefined if there is no such event. */
export async function positionOf(database: Handle, id: string): Promise<number | undefined> {
  const { rows } = await sql<{ seq: number }>`select seq from events where id = ${id}`.execute(database)
  return rows[0]?.seq
}

/** Returns one event as JSON; undefined if there is none. */
export async function eventJsonById(
  database: Handle,
  id: string,
  more: Parameters<typeof eventJsonWith>[0],
): Promise<string | undefined> {
  const { rows } = await sql<{ event: string }>`
    select ${eventJsonWith(more)}::text as event from events where id = ${id}`.execute(database)
  return rows[0]?.event
}

/** Reason of an event or a changeset, with the data key that seals it. */
export interface ReasonRow extends JoinedKey {
  id: string
  sealed: string
}

export function reasonsInsert(
  reasons: readonly Pick<ReasonRow, 'user' | 'id' | 'sealed'>[],
  only: OnlyUsers = everyUser,
): RawBuilder<unknown> {
  return sql`
    insert into reasons (user_id, id, sealed) select "user", id, sealed
    from jsonb_to_recordset(${JSON.stringify(reasons)}::jsonb) as row ("user" uuid, id uuid, sealed text)
    where ${only(sql`"user"`)}`
}

export async function reasonsById(database: Handle, ids: readonly string[]): Promise<ReasonRow[]> {
  const { rows } = await sql<ReasonRow>`
    select id, user_id as "user", sealed, master, wrapped from reasons left join user_keys using (user_id)
    where id = any(${ids}::uuid[])`.execute(database)
  return rows
}
