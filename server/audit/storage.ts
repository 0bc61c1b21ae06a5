import { type RawBuilder, sql } from 'kysely'

import { auditKinds, type AuditKind, auditRowsPerPage, deliveryStates } from '#contract/index.ts'
import { nobody, searchedKeys } from '../events/auditing.ts'
import { runsOf, timeBounds } from '../events/matching-storage.ts'
import { stateOfEvent } from '../events/storage.ts'
import { type Handle, zoned } from '../store/sql.ts'

/** Filter for audit rows, and the start of the page. undefined fields do not filter. */
export interface AuditFilter {
  readonly actor?: string | undefined
  readonly user?: string | undefined
  readonly key?: string | undefined
  readonly kind?: AuditKind | undefined
  /** Span in epoch milliseconds; `from` is included, `to` is excluded. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Position of the last row of the previous page. */
  readonly after?: number | undefined
}

export interface AuditStoredRow {
  id: string
  /** UTC with `Z` and milliseconds. */
  time: string
  kind: AuditKind
  actor: string
  /** null for a search among many users. */
  user: string | null
  entity: string | null
  /** JSON object of keys by entity, for an act on several entities or one recorded in advance; otherwise null. */
  entities: string | null
  /** Kind of request behind a search. */
  by: string | null
  /** Number of users that a search revealed. */
  users: number | null
  segment: string | null
  /** Job that read the values; null if a request did. */
  job: string | null
  keys: string[]
  changeset: string | null
}

/**
 * Returns a page of matching rows plus one more, newest first. Indexes that end with the position keep the cost
 * independent of the size of the log, except that a filter by key tests the searches in the log one by one.
 */
export async function auditRows(database: Handle, filter: AuditFilter): Promise<AuditStoredRow[]> {
  const { rows } = await sql<AuditStoredRow>`
    with page as materialized (${positions(filter, { atMost: auditRowsPerPage + 1, exact: true })})
    select events.id, ${zoned(sql`audit.time`)} as time, kind, actor, nullif(user_id, ${nobody}) as "user",
      properties ->> 'entity' as entity, properties ->> 'entities' as entities, properties ->> 'changeset' as changeset, properties ->> 'by' as by,
      (properties ->> 'users')::int as users, properties ->> 'segment' as segment, properties ->> 'job' as job,
      case user_id when ${nobody} then array(
        select jsonb_array_elements_text(${searchedKeys(sql`properties ->> 'tested'`)}) as key order by key
      ) else array(
        select key from audit_keys
        where audit_keys.user_id = audit.user_id and audit_keys.seq = audit.seq order by key
      ) end as keys
    from page join audit using (user_id, seq) join events using (seq) order by seq desc`.execute(database)
  return rows
}

type Fragment = RawBuilder<unknown>

export interface Walk {
  readonly atMost: number
  /**
   * Whether each row's time is checked. If not, the result may include rows just outside the span, from the log blocks
   * in which it begins and ends.
   */
  readonly exact: boolean
}

/** Selects the users and positions of matching rows, newest first. */
export function positions(
  { actor, user, key, kind, after, ...span }: AuditFilter,
  { atMost, exact }: Walk,
): Fragment {
  const limit = sql.lit(atMost)
  const times = timeBounds(span)
  const run = times
    ? runsOf(times)
    : sql`(select 0::bigint as first, ${Number.MAX_SAFE_INTEGER}::bigint as past) run`
  const past = after === undefined ? sql`run.past` : sql`least(run.past, ${after}::bigint)`
  const kinds = sql`unnest(${kind === undefined ? [...auditKinds] : [kind]}::text[]) wanted (kind)`
  const tests =
    times && exact
      ? [
          sql`coalesce((select time >= ${times.from} and time < ${times.to} from audit
          where audit.user_id = walked.user_id and audit.seq = walked.seq), false)`,
        ]
      : []
  const page = (from: Fragment, walk: Fragment, order: Fragment) => sql`
    select found.user_id, found.seq from ${from} cross join lateral (
      select user_id, seq from ${walk} order by ${order} limit ${limit}
    ) found order by found.seq desc limit ${limit}`
  const where = (parts: readonly Fragment[]) => sql.join([...parts, ...tests], sql` and `)
  const positive = sql`seq >= run.first and seq < ${past}`
  const negative = sql`-seq <= -run.first and -seq > -${past}`
  if (user !== undefined) {
    // One user has few rows, so each is read. `coalesce` keeps the planner from using the actor index for these tests.
    const also = [sql`user_id = ${user}::uuid`, positive]
    if (kind !== undefined) also.push(sql`coalesce(kind = ${kind}, false)`)
    if (actor !== undefined) also.push(sql`coalesce(actor = ${actor}, false)`)
    if (key !== undefined)
      also.push(sql`exists (select 1 from audit_keys where audit_keys.user_id = walked.user_id
        and audit_keys.seq = walked.seq and coalesce(key = ${key}, false))`)
    return page(run, sql`audit walked where ${where(also)}`, sql`seq desc`)
  }
  const keys = [sql`kind = wanted.kind collate "C"`]
  if (actor !== undefined) keys.push(sql`actor = ${actor}`)
  const [range, order] = actor === undefined ? [negative, sql`-seq`] : [positive, sql`seq desc`]
  const wanted = sql`${run} cross join ${kinds}`
  if (key === undefined) return page(wanted, sql`audit walked where ${where([...keys, range])}`, order)
  const ofUsers = page(
    wanted,
    sql`audit_keys walked where ${where([...keys, sql`key = ${key}`, range])}`,
    order,
  )
  if (kind !== undefined && kind !== 'read') return ofUsers
  // `audit_keys` has no rows for searches among many users: their events are tested one by one, newest first.
  const searched = [
    sql`type collate "C" = 'SENSITIVE_DATA_SEARCHED' and ${stateOfEvent} = mark.state and not properties ? 'user'`,
    sql`coalesce(${searchedKeys(sql`properties ->> 'tested'`)} ? ${key}, false)`,
    negative,
  ]
  if (actor !== undefined) searched.push(sql`coalesce(properties ->> 'actor' = ${actor}, false)`)
  if (times) searched.push(sql`coalesce(eventtime >= ${times.from} and eventtime < ${times.to}, false)`)
  const marks = sql`unnest(${[...deliveryStates]}::text[]) mark (state)`
  return sql`
    select user_id, seq from ((${ofUsers}) union all (
      select ${nobody}::uuid, found.seq from ${run} cross join ${marks} cross join lateral (
        select seq from events where ${sql.join(searched, sql` and `)} order by -seq limit ${limit}
      ) found
    )) found order by seq desc limit ${limit}`
}

export interface ActorRow {
  actor: string
  reads: number
  checks: number
  changes: number
  people: number
  most: number
  /** UTC with `Z`. */
  hour: string
  /** null if the actor was active on only one day. */
  usual: number | null
}

export interface Days {
  readonly from: string
  readonly to: string
  readonly actor?: string | undefined
  readonly atMost: number
}

/**
 * Returns the activity of actors on these days (UTC; `to` is excluded), sorted by the number of different users in the
 * busiest hour.
 */
export async function actorsOf(database: Handle, { from, to, actor, atMost }: Days): Promise<ActorRow[]> {
  const also = actor === undefined ? sql`` : sql` and actor = ${actor}`
  const { rows } = await sql<ActorRow>`
    with days as materialized (
      select * from audit_days where day >= ${from}::date and day < ${to}::date${also}
    ), busiest as (
      select distinct on (actor) actor, day, most, hour from days order by actor, most desc, day desc
    ), totals as (
      select actor, sum(reads)::int as reads, sum(checks)::int as checks, sum(changes)::int as changes,
        percentile_cont(0.5) within group (order by days.most) filter (where days.day <> busiest.day) as usual
      from days join busiest using (actor) group by actor
    ), met as (
      select actor, least(sum(people), 2147483647)::int as people from audit_people
      where day >= ${from}::date and day < ${to}::date and previous < ${from}::date${also} group by actor
    )
    select actor, reads, checks, changes, coalesce(people, 0) as people, most, ${zoned(sql`hour`)} as hour, usual
    from totals join busiest using (actor) left join met using (actor)
    order by most desc, actor limit ${atMost}`.execute(database)
  return rows
}
