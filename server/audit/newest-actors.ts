import { sql } from 'kysely'

import { nobody } from '../events/auditing.ts'
import { timeBounds } from '../events/matching-storage.ts'
import { type Handle, zoned } from '../store/sql.ts'
import { type ActorRow, type AuditFilter, positions } from './storage.ts'

export interface NewestActors {
  readonly actors: ActorRow[]
  /** Time of the oldest counted row: UTC with `Z` and milliseconds; null if there are no rows. */
  readonly oldest: string | null
  /** Whether there may be older rows that were not counted. */
  readonly isCut: boolean
}

/**
 * Counts the activity of actors in the newest `rows` rows that match the filter. The figures are those of `actorsOf`,
 * whose daily counts record neither users nor keys. Every row is read, so the number of rows bounds the cost.
 */
export async function countNewestActors(
  database: Handle,
  filter: AuditFilter,
  { atMost, rows: most }: { readonly atMost: number; readonly rows: number },
): Promise<NewestActors> {
  const times = timeBounds(filter)
  const within = times ? sql`where time >= ${times.from} and time < ${times.to}` : sql``
  const { rows } = await sql<{ actors: ActorRow[] | null; oldest: string | null; isCut: boolean }>`
    with found as materialized (${positions(filter, { atMost: most + 1, exact: false })}),
    newest as materialized (
      -- With offset 0, the planner looks up each row. Without it, expecting many rows, it may scan the whole table.
      select time, kind, actor, user_id, users from (select * from found order by seq desc limit ${sql.lit(most)}) as counted
        cross join lateral (
          select time, kind, actor, case user_id when ${nobody}
            then (select (properties ->> 'users')::bigint from events where events.seq = audit.seq) end as users
          from audit where audit.user_id = counted.user_id and audit.seq = counted.seq offset 0
        ) as act ${within}
    ), acts as (
      select actor, count(*) filter (where kind = 'read') as reads, count(*) filter (where kind = 'check') as checks,
        count(*) filter (where kind = 'change') as changes,
        count(distinct user_id) filter (where user_id <> ${nobody}) + coalesce(sum(users), 0) as people
      from newest group by actor
    ), hours as (
      select actor, date_trunc('hour', time) as hour,
        count(distinct user_id) filter (where user_id <> ${nobody}) + coalesce(sum(users), 0) as people
      from newest group by actor, 2
    ), days as (
      -- A day with nothing but searches without a hit gets its first hour, as in audit_days.
      select distinct on (actor, hour::date) actor, hour::date as day, least(people, 1000000000)::int as most,
        case when people > 0 then hour else hour::date end as hour
      from hours order by actor, hour::date, people desc, hours.hour
    ), ranked as (
      select *, row_number() over (partition by actor order by most desc, day desc) as rank from days
    ), busiest as (
      select actor, max(most) as most, max(hour) filter (where rank = 1) as hour,
        percentile_cont(0.5) within group (order by most) filter (where rank > 1) as usual
      from ranked group by actor
    ), answered as (
      select actor, reads, checks, changes, least(people, 2147483647) as people, most, ${zoned(sql`hour`)} as hour, usual
      from acts join busiest using (actor) order by most desc, actor limit ${sql.lit(atMost)}
    )
    select (select json_agg(answered order by most desc, actor) from answered) as actors,
      ${zoned(sql`(select min(time) from newest)`)} as oldest, (select count(*) from found) > ${sql.lit(most)} as "isCut"`.execute(
    database,
  )
  const { actors, oldest, isCut } = rows[0] ?? { actors: null, oldest: null, isCut: false }
  return { actors: actors ?? [], oldest, isCut }
}
