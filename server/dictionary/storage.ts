import { sql } from 'kysely'

import type { Handle } from '../store/sql.ts'

/**
 * Counts of one batch of entities. If `key` is null, the entities of the type are counted; if only `type` is null, the
 * properties with the key, of all data types.
 */
export interface CountRow {
  readonly entity_type: string
  readonly key: string | null
  readonly type: string | null
  readonly count: number
  readonly users: number
  readonly sensitive: number
  /** Number of texts in clear. */
  readonly open: number
  /** Number of texts in clear that are written like an e-mail address, an IBAN or a phone number. */
  readonly email: number
  readonly iban: number
  readonly phone: number
  /** Last user of the batch; null if no users follow. */
  readonly last: string | null
}

/** Longest text, in characters, that may be an e-mail address, an IBAN or a phone number; a longer one is cut beyond it. */
const longestLook = 254

/** Limits each statement to about 50 ms. */
const entitiesAtOnce = 5000

export const beforeAll = '00000000-0000-0000-0000-000000000000'
const afterAll = beforeAll.replaceAll('0', 'f')

/**
 * Counts for the users after `user`, about 5,000 entities at a time. A batch never splits a user, so that sums over
 * batches count each user once.
 */
export async function countsAfter(database: Handle, user: string): Promise<CountRow[]> {
  const { rows } = await sql<CountRow>`
    with last as materialized (
      select user_id from entities where user_id > ${user}::uuid
      order by user_id offset ${entitiesAtOnce - 1} limit 1
    ), part as materialized (
      select user_id, type, properties from entities
      where user_id > ${user}::uuid and user_id <= coalesce((select user_id from last), ${afterAll}::uuid)
    ), counted as (
      select type as entity_type, null as key, null as type, count(*) as count, count(distinct user_id) as users,
        0 as sensitive, 0 as open, 0 as email, 0 as iban, 0 as phone
      from part group by part.type
      union all
      select part.type, key, content ->> 'type', count(*), count(distinct user_id),
        count(*) filter (where content @> '{"sensitive":true}'), count(text),
        count(*) filter (where length(text) <= ${longestLook} and text ~ '^[^@[:space:]]+@[^@[:space:]]+[.][^@[:space:].]+$'),
        count(*) filter (where text ~ '^[A-Z]{2}[0-9]{2}( ?[A-Z0-9]){11,30}$'),
        count(*) filter (where text ~ '^([+]|00)[0-9]([ ()/.-]{0,2}[0-9]){6,14}$')
      from part, jsonb_each(properties) as property (key, content), lateral (select case
          when content @> '{"type":"TEXT"}' and not content @> '{"sensitive":true}'
            and content ->> 'value' <> '' then left(content ->> 'value', ${longestLook + 1})
        end as text) as look
      group by grouping sets ((part.type, key), (part.type, key, content ->> 'type'))
    )
    select entity_type, key, type, count::int, users::int, sensitive::int, open::int, email::int, iban::int,
      phone::int, (select user_id::text from last) as last
    from counted`.execute(database)
  return rows
}

/** Longest value that is counted, in characters; a longer one is no choice to offer. */
const maxCountedLength = 200

/** Number of users of one batch who have a value. */
export interface ValueRow {
  readonly type: string
  readonly value: string | number
  readonly users: number
}

/**
 * Counts open texts and numbers of a key for the users after `user`, about 5,000 entities at a time, which takes some
 * 20 ms. A batch never splits a user. `last` is null if no users follow.
 */
export async function valuesAfter(
  database: Handle,
  entityType: string,
  key: string,
  user: string,
): Promise<{ readonly values: readonly ValueRow[]; readonly last: string | null }> {
  const { rows } = await sql<{ values: readonly ValueRow[]; last: string | null }>`
    with last as materialized (
      select user_id from entities where user_id > ${user}::uuid
      order by user_id offset ${entitiesAtOnce - 1} limit 1
    ), part as materialized (
      select user_id, properties -> ${key}::text as content from entities
      where user_id > ${user}::uuid and user_id <= coalesce((select user_id from last), ${afterAll}::uuid)
        and type = ${entityType}
    ), counted as (
      select content ->> 'type' as type, content -> 'value' as value, count(distinct user_id) as users
      from part
      where content is not null and not content @> '{"sensitive":true}'
        and jsonb_typeof(content -> 'value') in ('string', 'number')
        and length(content ->> 'value') <= ${maxCountedLength}
      group by 1, 2
    )
    select (select user_id::text from last) as last, (
      select coalesce(jsonb_agg(jsonb_build_object('type', type, 'value', value, 'users', users)), '[]') from counted
    ) as values`.execute(database)
  return rows[0] ?? { values: [], last: null }
}
