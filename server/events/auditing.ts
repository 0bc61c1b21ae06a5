import { type RawBuilder, sql } from 'kysely'

import { isDistributed } from '../store/distributed.ts'
import type { Transaction } from '../store/sql.ts'

/** User id in the rows of searches among many users. No user has it, because it is of no UUID version. */
export const nobody = sql.lit('00000000-0000-0000-0000-000000000000')

/** Keys that a search tested, without the entity types: `card.code` becomes `code`. A type contains no dot. */
export const searchedKeys = (tested: RawBuilder<unknown>) => sql`(
  select coalesce(jsonb_agg(distinct substr(name, strpos(name, '.') + 1)), '[]')
  from jsonb_array_elements_text((${tested})::jsonb) as name)`

/**
 * Cap for sums over the users of searches, so that twice the cap fits an integer: a single search can reveal ten
 * million users.
 */
const most = sql.lit(1_000_000_000)

/**
 * Audit rows for events about sensitive values, as parts of the numbering statement, over `numbered` (the events that
 * have just received a position). Numbering never runs concurrently, so there is only one writer. A search counts as a
 * read of one user, or of many unidentified users, each of whom counts every time.
 */
export const auditing = sql`
  acts as materialized (
    select seq, coalesce((properties ->> 'user')::uuid, ${nobody}) as user_id, eventtime as time,
      case when type in ('SENSITIVE_DATA_ACCESSED', 'SENSITIVE_DATA_SEARCHED') then 'read'
        when type = 'SENSITIVE_DATA_CHECKED' then 'check' else 'change' end as kind,
      coalesce(properties ->> 'actor', '') as actor,
      case type when 'SENSITIVE_DATA_SEARCHED' then ${searchedKeys(sql`properties ->> 'tested'`)}
        else coalesce(keys, (properties ->> 'keys')::jsonb) end as keys,
      case when properties ? 'user' then 0 else (properties ->> 'users')::bigint end as users
    from numbered where keys is not null or properties ? 'keys' or type = 'SENSITIVE_DATA_SEARCHED'
  ),
  audited as (
    insert into audit (user_id, seq, time, kind, actor) select user_id, seq, time, kind, actor from acts
  ),
  touched as (
    select distinct user_id, seq, key, kind, actor from acts, jsonb_array_elements_text(keys) as key
    where user_id <> ${nobody}
  ),
  met as (
    select actor, user_id, hours.hour,
      greatest(lag(hours.hour) over (partition by actor, user_id order by hours.hour), audit_met.hour) as previous
    from (
      select distinct actor, user_id, date_trunc('hour', time) as hour from acts where user_id <> ${nobody}
    ) as hours
      left join audit_met using (actor, user_id)
  ),
  -- An event that arrives after one of a later hour is not counted: the actor has already met the user.
  first_met as (select * from met where previous is null or previous < hour),
  last_met as (
    insert into audit_met (actor, user_id, hour) select actor, user_id, max(hour) from first_met group by actor, user_id
    on conflict (actor, user_id) do update set hour = excluded.hour
  ),
  searched as (
    select date_trunc('hour', time) as hour, actor, users from acts where user_id = ${nobody} and users > 0
  ),
  hours as (
    insert into audit_hours (hour, actor, people)
    select hour, actor, least(${most}, sum(users))
    from (select hour, actor, 1 as users from first_met union all select * from searched) as counted
    group by hour, actor
    on conflict (hour, actor) do update set people = least(${most}, audit_hours.people + excluded.people)
    returning hour, actor, people
  ),
  days as (
    insert into audit_days (day, actor, reads, checks, changes, most, hour)
    select day, actor, reads, checks, changes, coalesce(people, 0), coalesce(hour, day)
    from (
      select time::date as day, actor, count(*) filter (where kind = 'read') as reads,
        count(*) filter (where kind = 'check') as checks, count(*) filter (where kind = 'change') as changes
      from acts group by 1, actor
    ) as done left join (
      select distinct on (hour::date, actor) hour::date as day, actor, people, hour
      from hours order by hour::date, actor, people desc, hour
    ) as busiest using (day, actor)
    on conflict (day, actor) do update set reads = audit_days.reads + excluded.reads,
      checks = audit_days.checks + excluded.checks, changes = audit_days.changes + excluded.changes,
      most = greatest(audit_days.most, excluded.most),
      hour = case when excluded.most > audit_days.most then excluded.hour else audit_days.hour end
  ),
  people as (
    insert into audit_people (day, actor, previous, people)
    select day, actor, previous, least(${most}, sum(users))
    from (
      select hour::date as day, actor, coalesce(previous::date, '-infinity') as previous, 1 as users
      from first_met where previous is null or previous::date < hour::date
      union all
      select hour::date, actor, '-infinity', users from searched
    ) as counted
    group by day, actor, previous
    on conflict (day, actor, previous) do update set people = least(${most}, audit_people.people + excluded.people)
  )`

/** Adds a row for each touched key of each existing user. These rows are deleted with their users. */
export async function auditKeys(
  transaction: Transaction,
  touched: readonly { readonly user_id: string }[],
): Promise<void> {
  if (touched.length === 0) return
  const users = [...new Set(touched.map((row) => row.user_id))]
  // Locked against deletion: nothing is kept about a user who is being deleted.
  const present = isDistributed(transaction)
    ? await lockPresentUsers(transaction, users)
    : sql`select id from users where id = any(${users}::uuid[]) for key share`
  await sql`
    with present as materialized (${present})
    insert into audit_keys (user_id, seq, key, kind, actor)
    select user_id, seq, key, kind, actor
    from jsonb_to_recordset(${JSON.stringify(touched)}::jsonb)
      as row (user_id uuid, seq bigint, key text, kind text, actor text)
    where user_id in (select id from present)`.execute(transaction)
}

/** Locks the users one by one, as distributed tables require. */
async function lockPresentUsers(
  transaction: Transaction,
  users: readonly string[],
): Promise<RawBuilder<unknown>> {
  const present: string[] = []
  for (const user of users) {
    const { rows } = await sql`select 1 from users where id = ${user}::uuid for key share`.execute(
      transaction,
    )
    if (rows.length > 0) present.push(user)
  }
  return sql`select unnest(${present}::uuid[]) as id`
}
