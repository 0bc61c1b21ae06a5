import { type RawBuilder, sql } from 'kysely'

import { type DeliveryState, deliveryStates, type Endpoints, type Query } from '#contract/index.ts'
import { Refusal } from '../http/errors/problem.ts'
import { type Handle, zoned } from '../store/sql.ts'
import { statesOf, typesIn } from './filter.ts'
import { instantOf } from './matching-storage.ts'
import { stateOfEvent } from './storage.ts'

type CountQuery = Query<Endpoints['countEvents']>

/** Maximum number of rows in an answer, one per span and type. More would take megabytes, and no chart shows them. */
const maxRows = 50_000

/**
 * Returns the number of events in each span of time, by type and by delivery state, as JSON. The database writes it:
 * there may be tens of thousands of spans, and everybody would wait while the service goes through them.
 */
export async function eventCountsJson(database: Handle, query: CountQuery): Promise<string> {
  const states = statesOf(query) ?? deliveryStates
  if (states.length === 0) return '{"series":[]}'
  const { from, to, by = 'day', tz = 'UTC', type } = query
  const first = sql`date_trunc('hour', ${instantOf(from === undefined ? -Infinity : Date.parse(from))})`
  const past = instantOf(to === undefined ? Infinity : Date.parse(to))
  const types = typesIn(type)
  const total = sql.join(
    states.map((state) => sql.ref(state)),
    sql` + `,
  )
  const sums = sql.join(
    deliveryStates.map((state) =>
      states.includes(state)
        ? sql`${sql.lit(state)}, sum(${sql.ref(state)})::float8`
        : sql`${sql.lit(state)}, 0`,
    ),
  )
  const { rows } = await sql<{ counts: number; json: string }>`
    with counts as materialized (
      select ${zoned(startOf(by, tz))} as start, type, ${sql.join(
        deliveryStates.map((state) => sql`sum(${sql.ref(state)}) as ${sql.ref(state)}`),
      )}
      from ${query.jobs === 'one' ? countsOfActs({ first, past }) : sql`event_counts`}
      where hour >= ${first} and hour < ${past} and ${total} > 0
        ${types ? sql`and type = any(${types}::text[])` : sql``}
      group by 1, 2 limit ${maxRows + 1}
    ), spans as (
      select start, json_build_object('start', start,
        'types', json_object_agg(type, (${total})::float8 order by type),
        'states', json_build_object(${sums})) as span
      from counts group by start
    )
    select (select count(*)::int from counts) as counts,
      json_build_object('series', coalesce((select json_agg(span order by start) from spans), '[]'))::text as json`
    .execute(database)
    .catch((error: unknown) => {
      // Time zone that browsers know and this database does not.
      if ((error as { code?: unknown }).code === '22023') throw unknownZoneRefusal()
      throw error
    })
  const [{ counts, json } = { counts: 0, json: '' }] = rows
  if (counts > maxRows) throw tooManySpans()
  return json
}

/**
 * Selects the counts of each hour without the changes that jobs made. These are counted at each request, because a
 * process of an earlier release, which may run beside this one, would not count them apart.
 */
function countsOfActs({ first, past }: Record<'first' | 'past', RawBuilder<unknown>>): RawBuilder<unknown> {
  const countOf = (state: DeliveryState) => sql`count(*) filter (where ${stateOfEvent} = ${sql.lit(state)})`
  const columns = deliveryStates.map((state) => sql.ref(state))
  return sql`(
    select hour, type, ${sql.join(columns.map((column) => sql`sum(${column}) as ${column}`))}
    from (
      select hour, type, ${sql.join(columns)} from event_counts
      where hour >= ${first} and hour < ${past}
      union all
      select date_trunc('hour', eventtime), type, ${sql.join(deliveryStates.map((state) => sql`-${countOf(state)}`))}
      from events
      where eventtime >= ${first} and date_trunc('hour', eventtime) < ${past}
        and properties ->> 'job' is not null and properties ->> 'changeset' is not null
      group by 1, 2
    ) as each group by hour, type
  ) as of_acts`
}

/** Returns the start of the span that contains an hour, in UTC. */
function startOf(by: NonNullable<CountQuery['by']>, tz: string): RawBuilder<unknown> {
  if (by === 'hour') return sql`hour`
  const zone = sql`${tz}::text`
  return sql`date_trunc(${sql.lit(by)}, hour at time zone 'UTC' at time zone ${zone}) at time zone ${zone} at time zone 'UTC'`
}

function tooManySpans(): Refusal {
  const detail = 'This period has too many of these intervals. Ask for longer intervals or a shorter period.'
  return new Refusal('invalid_parameter', detail, {
    errors: [{ pointer: '', parameter: 'by', code: 'invalid_parameter', detail }],
  })
}

function unknownZoneRefusal(): Refusal {
  const detail = 'The database of this service does not know this time zone. Give another name of it.'
  return new Refusal('invalid_parameter', detail, {
    errors: [{ pointer: '', parameter: 'tz', code: 'invalid_parameter', detail }],
  })
}
