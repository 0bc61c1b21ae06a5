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
  /** Last user of the batch; null if no users follow. */
  readonly last: string | null
}

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
        0 as sensitive
      from part group by part.type
      union all
      select part.type, key, content ->> 'type', count(*), count(distinct user_id),
        count(*) filter (where content @> '{"sensitive":true}')
      from part, jsonb_each(properties) as property (key, content)
      group by grouping sets ((part.type, key), (part.type, key, content ->> 'type'))
    )
    select entity_type, key, type, count::int, users::int, sensitive::int, (select user_id::text from last) as last
    from counted`.execute(database)
  return rows
}
