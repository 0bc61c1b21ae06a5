import { type RawBuilder, sql } from 'kysely'

import { type DeliveryState, deliveryStates, eventsPerPage } from '#contract/index.ts'
import type { Handle } from '../store/sql.ts'
import { eventJsonWith, eventsPerBlock, isAct, stateOfEvent } from './storage.ts'

/** Filter for events, and the start of the page. undefined fields do not filter. */
export interface EventFilter {
  readonly order: 'asc' | 'desc'
  readonly types?: readonly string[] | undefined
  readonly user?: string | undefined
  readonly entity?: string | undefined
  readonly actor?: string | undefined
  /** Job that made the change, or that the event is about. */
  readonly job?: string | undefined
  /** Whether each job is one row: changes that jobs made are left out. */
  readonly isFolded?: boolean
  readonly states?: readonly DeliveryState[] | undefined
  /** Span in epoch milliseconds; `from` is included, `to` is excluded. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Position of the last event of the previous page. */
  readonly after?: number | undefined
  /** Whether the answer includes each event's delivery state. */
  readonly withDelivery: boolean
}

/**
 * Returns up to 100 matching events in the requested order, each as JSON. The indexes that it uses keep the cost
 * independent of the size of the log.
 */
export async function matchingEvents(
  database: Handle,
  filter: EventFilter,
): Promise<{ seq: number; id: string; json: string }[]> {
  const { rows } = await sql<{ seq: number; id: string; json: string }>`
    with page as materialized (${positions(filter)})
    select seq, id, ${eventJsonWith({ delivery: filter.withDelivery })}::text as json
    from page join events using (seq) order by seq ${sql.raw(filter.order)}`.execute(database)
  return rows
}

type Fragment = RawBuilder<unknown>

/** Selects the positions of a page. */
function positions(filter: EventFilter): Fragment {
  const { types, user, entity, actor, job, states, after } = filter
  const [order, opposite] = filter.order === 'asc' ? [sql`asc`, sql`desc`] : [sql`desc`, sql`asc`]
  const times = timeBounds(filter)
  const within = [
    times ? runsOf(times) : sql`(select 0::bigint as first, ${maxPosition}::bigint as past) run`,
  ]
  let first = sql`run.first`
  let past = sql`run.past`
  if (after !== undefined && filter.order === 'asc') first = sql`greatest(run.first, ${after}::bigint + 1)`
  if (after !== undefined && filter.order === 'desc') past = sql`least(run.past, ${after}::bigint)`

  const keys: Fragment[] = []
  // `coalesce` hides the selectivity from the planner: if it expected fewer matches than a page, it would read all of
  // them instead of the next hundred.
  const tests = times ? [sql`coalesce(eventtime >= ${times.from} and eventtime < ${times.to}, false)`] : []
  if (user !== undefined) keys.push(sql`(properties ->> 'user') collate "C" = ${user}`)
  if (job !== undefined) keys.push(sql`(properties ->> 'job') collate "C" = ${job}`)
  // An event names an entity alone or among several; each form has its index.
  const naming =
    entity === undefined
      ? [[]]
      : [
          [sql`(properties ->> 'entity') collate "C" = ${entity}`],
          [sql`properties ->> 'entities' is not null and (properties ->> 'entities')::jsonb ? ${entity}`],
        ]
  const isOfFew = user !== undefined || entity !== undefined || job !== undefined
  if (isOfFew) {
    // A user or an entity has few events, and those of a job are much alike, so each of them is tested.
    if (types) tests.push(sql`type = any(${types}::text[])`)
    if (states) tests.push(sql`${stateOfEvent} = any(${states}::text[])`)
    if (actor !== undefined) tests.push(isBy(actor))
    if (filter.isFolded) tests.push(sql`coalesce(${isAct}, false)`)
  } else if (types || states || actor !== undefined) {
    // Selects a page for each type and state; the first hundred of all these form the page.
    within.push(types ? sql`unnest(${types}::text[]) kind (type)` : everyType)
    within.push(sql`unnest(${states ?? deliveryStates}::text[]) mark (state)`)
    keys.push(sql`type collate "C" = kind.type`, sql`${stateOfEvent} = mark.state`)
    if (actor !== undefined) {
      keys.push(
        sql`left(properties ->> 'actor', ${indexedOfActor}) collate "C" = left(${actor}, ${indexedOfActor})`,
      )
      tests.push(isBy(actor))
    }
  }
  // The indexes hold the negated position; those of acts count down from -1. Without a key, the primary key is used.
  const isOfActs = filter.isFolded === true && !isOfFew
  if (isOfActs) tests.push(isAct)
  const [range, sorted] = isOfActs
    ? [sql`(-1 - seq) <= -1 - ${first} and (-1 - seq) > -1 - ${past}`, sql`(-1 - seq) ${opposite}`]
    : keys.length > 0 || entity !== undefined
      ? [sql`-seq <= -${first} and -seq > -${past}`, sql`-seq ${opposite}`]
      : [sql`seq >= ${first} and seq < ${past}`, sql`seq ${order}`]
  const walks = naming.map(
    (named) => sql`
      (select seq from events where ${sql.join([...keys, ...named, range, ...tests], sql` and `)}
      order by ${sorted} limit ${eventsPerPage})`,
  )
  return sql`
    select found.seq from ${sql.join(within, sql` cross join `)} cross join lateral (
      ${sql.join(walks, sql` union all `)}
    ) found order by found.seq ${order} limit ${eventsPerPage}`
}

/** Number of characters of an actor that `events_actor_index` holds. */
const indexedOfActor = sql.lit(200)

const isBy = (actor: string) => sql`coalesce(properties ->> 'actor' = ${actor}, false)`

const maxPosition = Number.MAX_SAFE_INTEGER

export function timeBounds({
  from,
  to,
}: Pick<EventFilter, 'from' | 'to'>): { from: Fragment; to: Fragment } | undefined {
  if (from === undefined && to === undefined) return undefined
  return { from: instantOf(from ?? -Infinity), to: instantOf(to ?? Infinity) }
}

/** Converts epoch milliseconds, including infinite ones, into the stored form of event times. */
export function instantOf(ms: number): Fragment {
  const text = Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, -1) : ''
  // PostgreSQL writes years outside 1 to 9999 differently; no event has such a year.
  return sql`${/^\d{4}-/.test(text) && !text.startsWith('0000') ? text : ms < 0 ? '-infinity' : 'infinity'}::timestamp`
}

/** Positions at which events of a time span can be, as runs of blocks. A log nearly in order of time has one run. */
export const runsOf = ({ from, to }: { from: Fragment; to: Fragment }) => sql`(
  select min(block) * ${sql.lit(eventsPerBlock)} as first, (max(block) + 1) * ${sql.lit(eventsPerBlock)} as past
  from (
    select block, block - row_number() over (order by block) as run
    from event_blocks where last_time >= ${from} and first_time < ${to}
  ) met group by run) run`

/** All event types in the log, with one index lookup each. */
const everyType = sql`(
  with recursive known (type) as (
    (select type collate "C" from events order by 1 limit 1)
    union all
    select (select type collate "C" from events where type collate "C" > known.type order by 1 limit 1)
    from known where known.type is not null
  ) select type from known where type is not null) kind`
