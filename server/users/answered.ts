import { type RawBuilder, sql } from 'kysely'

import { maxColumnText, maxColumnValues, readColumn } from '#contract/index.ts'
import type { Handle } from '../store/sql.ts'
import { answeredColumns } from './storage.ts'

/** A user who is to be answered; `term`: by which a value of theirs was found. */
interface Asked {
  readonly id: string
  readonly term?: string | undefined
}

/**
 * Users in this order, as they are answered; those who are gone are left out. `columns`: properties that come with each,
 * masked, so that nothing sealed is opened.
 */
export async function usersInOrder(
  database: Handle,
  asked: readonly Asked[],
  columns?: readonly string[],
): Promise<{ json: string; count: number }> {
  const plain = sql`json_strip_nulls(row_to_json(answered))`
  const user = columns ? withColumns(plain, columns) : plain
  const isMatched = asked.some(({ term }) => term !== undefined)
  const { rows } = await sql<{ json: string; count: number }>`
    select coalesce(json_agg(${isMatched ? withMatch(user) : user} order by wanted.at), '[]')::text as json,
      count(*)::int as count
    from unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ term }) => term ?? null)}::text[])
      with ordinality as wanted (id, term, at)
    cross join lateral (select ${answeredColumns} from users u where u.id = wanted.id) answered`.execute(
    database,
  )
  return rows[0] ?? { json: '[]', count: 0 }
}

/** With the property that the search has found. */
function withMatch(user: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${user}::jsonb || coalesce((
    select jsonb_build_object('matched', jsonb_build_object('entity', e.id, 'type', e.type, 'key', v.key,
      'value', e.properties -> v.key -> 'value'))
    from value_terms v join entities e on e.user_id = v.user_id and e.id = v.entity_id
    where v.user_id = answered.id and v.term = wanted.term order by v.entity_id, v.key limit 1
  ), '{}'))`
}

/** Bounded by how many there are and how long: one user may own 16 MiB. */
function withColumns(user: RawBuilder<unknown>, names: readonly string[]): RawBuilder<unknown> {
  const columns = [...new Set(names)].flatMap((name) => {
    const column = readColumn(name)
    return column ? [{ name, ...column }] : []
  })
  const listOf = (values: readonly string[]) => sql`${values}::text[]`
  return sql`(${user}::jsonb || jsonb_build_object('columns', (
    select coalesce(jsonb_object_agg(asked.name, coalesce(properties, '[]')), '{}')
    from unnest(${listOf(columns.map(({ name }) => name))}, ${listOf(columns.map(({ entity }) => entity))},
      ${listOf(columns.map(({ key }) => key))}) as asked (name, entity, key)
    cross join lateral (
      select jsonb_agg(jsonb_build_object('id', own -> 'id', 'key', asked.key, 'type', own -> 'type',
          'sensitive', own -> 'sensitive') || case
          when (own ->> 'sensitive')::boolean then '{"masked": true}'
          when length(own ->> 'value') > ${maxColumnText} and jsonb_typeof(own -> 'value') = 'string'
            then jsonb_build_object('value', left(own ->> 'value', ${maxColumnText}), 'cut', true)
          else jsonb_build_object('value', own -> 'value') end order by entity_id) as properties
      from (
        select e.id as entity_id, e.properties -> asked.key as own from entities e
        where e.user_id = answered.id and e.type = asked.entity and e.properties -> asked.key is not null
        order by e.id limit ${maxColumnValues}
      ) owned
    ) of_column
  )))`
}

/** Names and e-mails of some users, and what stands in these columns, in the order of their ids, as JSON text. */
export async function peopleByIds(
  database: Handle,
  ids: readonly string[],
  columns?: readonly string[],
): Promise<string> {
  const plain = sql`json_build_object('id', answered.id, 'name', answered.name, 'email', answered.email)`
  const { rows } = await sql<{ json: string }>`
    select coalesce(json_agg(${columns ? withColumns(plain, columns) : plain} order by wanted.at), '[]')::text as json
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, at)
    cross join lateral (select ${answeredColumns} from users u where u.id = wanted.id) answered`.execute(
    database,
  )
  return rows[0]?.json ?? '[]'
}
