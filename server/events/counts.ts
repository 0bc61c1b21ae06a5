import { type RawBuilder, sql } from 'kysely'

import {
  type DeliveryState,
  deliveryStates,
  type Endpoints,
  type Query,
  type ReplyInput,
} from '#contract/index.ts'
import { Refusal } from '../http/problem.ts'
import { type Handle, zoned } from '../store/sql.ts'
import { statesOf, typesIn } from './filter.ts'
import { instantOf } from './matching-storage.ts'

type CountQuery = Query<Endpoints['countEvents']>
type Counts = ReplyInput<Endpoints['countEvents']>
type CountRow = Readonly<Record<DeliveryState, number>> & { readonly start: string; readonly type: string }

/** Maximum number of rows in an answer, one per span and type. More would take megabytes, and no chart shows them. */
const maxRows = 50_000

/** Returns the number of events in each span of time, by type and by delivery state. */
export async function eventCounts(database: Handle, asked: CountQuery): Promise<Counts> {
  const states = statesOf(asked) ?? deliveryStates
  if (states.length === 0) return { series: [] }
  const spans = Map.groupBy(await countRows(database, asked, states), ({ start }) => start)
  return {
    series: Array.from(spans, ([start, rows]) => {
      const counted = (state: DeliveryState) =>
        states.includes(state) ? addUp(rows.map((row) => row[state])) : 0
      return {
        start,
        types: Object.fromEntries(rows.map((row) => [row.type, addUp(states.map((state) => row[state]))])),
        states: {
          delivered: counted('delivered'),
          waiting: counted('waiting'),
          failed: counted('failed'),
          none: counted('none'),
        },
      }
    }),
  }
}

async function countRows(
  database: Handle,
  { from, to, by = 'day', tz = 'UTC', type }: CountQuery,
  states: readonly DeliveryState[],
): Promise<readonly CountRow[]> {
  const first = sql`date_trunc('hour', ${instantOf(from === undefined ? -Infinity : Date.parse(from))})`
  const past = instantOf(to === undefined ? Infinity : Date.parse(to))
  const types = typesIn(type)
  const { rows } = await sql<CountRow>`
    select ${zoned(startOf(by, tz))} as start, type, sum(delivered)::float8 as delivered,
      sum(waiting)::float8 as waiting, sum(failed)::float8 as failed, sum(none)::float8 as none
    from event_counts
    where hour >= ${first} and hour < ${past} and ${sql.join(
      states.map((state) => sql.ref(state)),
      sql` + `,
    )} > 0
      ${types ? sql`and type = any(${types}::text[])` : sql``}
    group by 1, 2 order by 1, 2 limit ${maxRows + 1}`
    .execute(database)
    .catch((error: unknown) => {
      // Time zone that browsers know and this database does not.
      if ((error as { code?: unknown }).code === '22023') throw unknownZoneRefusal()
      throw error
    })
  if (rows.length > maxRows) throw tooManySpans()
  return rows
}

/** Returns the start of the span that contains an hour, in UTC. */
function startOf(by: NonNullable<CountQuery['by']>, tz: string): RawBuilder<unknown> {
  if (by === 'hour') return sql`hour`
  const zone = sql`${tz}::text`
  return sql`date_trunc(${sql.lit(by)}, hour at time zone 'UTC' at time zone ${zone}) at time zone ${zone} at time zone 'UTC'`
}

const addUp = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

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
