import { type RawBuilder, sql } from 'kysely'

import { type DeliveryState, deliveryStates, eventsPerPage } from '#contract/index.ts'
import type { Handle } from '../store/sql.ts'
import { eventJsonWith, eventsPerBlock, stateOfEvent } from './storage.ts'

/** Which events, and where their page begins. Absent: not asked for. */
export interface EventFilter {
  readonly order: 'asc' | 'desc'
  readonly types?: readonly string[] | undefined
  readonly user?: string | undefined
  readonly entity?: string | undefined
  readonly states?: readonly DeliveryState[] | undefined
  /** Milliseconds of the epoch: the first that counts, and the first that does not. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Position of the event that the page follows. */
  readonly after?: number | undefined
  /** How each stands is told. */
  readonly withDelivery: boolean
}

/**
 * Up to 100 matching events in the asked order, each as JSON. Each question walks an index that ends with the position,
 * so that its cost is that of the page and not of the log.
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

/** The positions of a page. */
function positions(filter: EventFilter): Fragment {
  const { types, user, entity, states, after } = filter
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
  // Behind coalesce an engine does not guess how many there are: where it expects fewer than a page it looks at all
  // there are instead of the next hundred.
  const tests = times ? [sql`coalesce(eventtime >= ${times.from} and eventtime < ${times.to}, false)`] : []
  if (user !== undefined) keys.push(sql`(properties ->> 'user') collate "C" = ${user}`)
  // An entity is named alone, or among several: each has its index.
  const naming =
    entity === undefined
      ? [[]]
      : [
          [sql`(properties ->> 'entity') collate "C" = ${entity}`],
          [sql`properties ->> 'entities' is not null and (properties ->> 'entities')::jsonb ? ${entity}`],
        ]
  if (user !== undefined || entity !== undefined) {
    // One user has few events, so each of them is tested.
    if (types) tests.push(sql`type = any(${types}::text[])`)
    if (states) tests.push(sql`${stateOfEvent} = any(${states}::text[])`)
  } else if (types || states) {
    // A page of each type and state: the first hundred of all these are the page.
    within.push(types ? sql`unnest(${types}::text[]) kind (type)` : everyType)
    within.push(sql`unnest(${states ?? deliveryStates}::text[]) mark (state)`)
    keys.push(sql`type collate "C" = kind.type`, sql`${stateOfEvent} = mark.state`)
  }
  // Negated as the indexes have it; without a key it is the primary key that answers.
  const [range, sorted] =
    keys.length > 0 || entity !== undefined
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

const maxPosition = Number.MAX_SAFE_INTEGER

export function timeBounds({
  from,
  to,
}: Pick<EventFilter, 'from' | 'to'>): { from: Fragment; to: Fragment } | undefined {
  if (from === undefined && to === undefined) return undefined
  return { from: instantOf(from ?? -Infinity), to: instantOf(to ?? Infinity) }
}

/** Milliseconds of the epoch, or none of them, as the times of events are stored. */
export function instantOf(ms: number): Fragment {
  const text = Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, -1) : ''
  // PostgreSQL writes other years than 1 to 9999 in another way; no event has one.
  return sql`${/^\d{4}-/.test(text) && !text.startsWith('0000') ? text : ms < 0 ? '-infinity' : 'infinity'}::timestamp`
}

/** Positions at which events of a time span can be, as runs of blocks. A log nearly in the order of time has one run. */
export const runsOf = ({ from, to }: { from: Fragment; to: Fragment }) => sql`(
  select min(block) * ${sql.lit(eventsPerBlock)} as first, (max(block) + 1) * ${sql.lit(eventsPerBlock)} as past
  from (
    select block, block - row_number() over (order by block) as run
    from event_blocks where last_time >= ${from} and first_time < ${to}
  ) met group by run) run`

/** The types that there are, one look into the index for each. */
const everyType = sql`(
  with recursive known (type) as (
    (select type collate "C" from events order by 1 limit 1)
    union all
    select (select type collate "C" from events where type collate "C" > known.type order by 1 limit 1)
    from known where known.type is not null
  ) select type from known where type is not null) kind`
