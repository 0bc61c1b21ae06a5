import { type RawBuilder, sql } from 'kysely'

import { maxColumnText, maxColumnValues, readColumn } from '#contract/index.ts'
import { isDistributed } from '../store/distributed.ts'
import type { Handle } from '../store/sql.ts'
import { answeredColumns } from './storage.ts'

/** A user to return; `term` is the search term that one of their values matched. */
interface WantedUser {
  readonly id: string
  readonly term?: string | undefined
}

/**
 * Returns users in the given order, in the form of the API; deleted ones are left out. `columns`: properties to
 * include for each, masked, so that nothing sealed is opened.
 */
export async function usersInOrder(
  database: Handle,
  wanted: readonly WantedUser[],
  columns?: readonly string[],
): Promise<{ json: string; count: number }> {
  const ids = wanted.map(({ id }) => id)
  const shown = columns && columnsOf(database, columns, ids)
  const user = withColumns(sql`json_strip_nulls(row_to_json(answered))`, shown)
  const isMatched = wanted.some(({ term }) => term !== undefined)
  const { rows } = await sql<{ json: string; count: number }>`
    select coalesce(json_agg(${isMatched ? withMatch(user) : user} order by wanted.at), '[]')::text as json,
      count(*)::int as count
    from unnest(${ids}::uuid[], ${wanted.map(({ term }) => term ?? null)}::text[])
      with ordinality as wanted (id, term, at)
    cross join lateral (select ${answeredColumns} from users u where u.id = wanted.id) answered
    ${shown?.from ?? sql``}`.execute(database)
  return rows[0] ?? { json: '[]', count: 0 }
}

/** Adds the property that the search matched. */
function withMatch(user: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${user}::jsonb || coalesce((
    select jsonb_build_object('matched', jsonb_build_object('entity', e.id, 'type', e.type, 'key', v.key,
      'value', e.properties -> v.key -> 'value'))
    from value_terms v join entities e on e.user_id = v.user_id and e.id = v.entity_id
    where v.user_id = answered.id and v.term = wanted.term order by v.entity_id, v.key limit 1
  ), '{}'))`
}

interface Columns {
  /** JSON of the columns of `answered`. */
  readonly json: RawBuilder<unknown>
  /** Join that `json` needs, on `answered`. */
  readonly from: RawBuilder<unknown>
}

const owned = sql`jsonb_agg(jsonb_build_object('id', own -> 'id', 'key', wanted_key, 'type', own -> 'type',
  'sensitive', own -> 'sensitive') || case
    when (own ->> 'sensitive')::boolean then '{"masked": true}'
    when length(own ->> 'value') > ${sql.lit(maxColumnText)} and jsonb_typeof(own -> 'value') = 'string'
      then jsonb_build_object('value', left(own ->> 'value', ${sql.lit(maxColumnText)}), 'cut', true)
    else jsonb_build_object('value', own -> 'value') end order by entity_id)`

/** Reads the columns of some users. Number and length of the values are limited, since one user may own 16 MiB. */
function columnsOf(database: Handle, names: readonly string[], users: readonly string[]): Columns {
  const columns = [...new Set(names)].flatMap((name) => {
    const column = readColumn(name)
    return column ? [{ name, ...column }] : []
  })
  const listOf = (values: readonly string[]) => sql`${values}::text[]`
  const wanted = sql`unnest(${listOf(columns.map(({ name }) => name))}, ${listOf(columns.map(({ entity }) => entity))},
    ${listOf(columns.map(({ key }) => key))}) as wanted (name, entity, key)`
  if (isDistributed(database)) {
    // Each machine finds the columns of its own users.
    const empty = JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, []])))
    return {
      json: sql`${empty}::jsonb || coalesce(of_columns.found, '{}')`,
      from: sql`left join (
        select user_id, jsonb_object_agg(name, listed) as found
        from (
          select user_id, name, ${owned} as listed
          from (
            select e.user_id, wanted.name, wanted.key as wanted_key, e.id as entity_id, e.properties -> wanted.key as own,
              row_number() over (partition by e.user_id, wanted.name order by e.id) as place
            from entities e join ${wanted} on e.type = wanted.entity
            where e.user_id = any(${users}::uuid[]) and e.properties -> wanted.key is not null
          ) owned where place <= ${maxColumnValues} group by user_id, name
        ) listed group by user_id
      ) of_columns on of_columns.user_id = answered.id`,
    }
  }
  return {
    json: sql`(
      select coalesce(jsonb_object_agg(wanted.name, coalesce(properties, '[]')), '{}')
      from ${wanted} cross join lateral (
        select ${owned} as properties
        from (
          select e.id as entity_id, wanted.key as wanted_key, e.properties -> wanted.key as own from entities e
          where e.user_id = answered.id and e.type = wanted.entity and e.properties -> wanted.key is not null
          order by e.id limit ${maxColumnValues}
        ) owned
      ) of_column
    )`,
    from: sql``,
  }
}

const withColumns = (user: RawBuilder<unknown>, columns: Columns | undefined) =>
  columns ? sql`(${user}::jsonb || jsonb_build_object('columns', ${columns.json}))` : user

/** Returns names, e-mails and the given columns of some users as JSON text, in the order of the ids. */
export async function peopleByIds(
  database: Handle,
  ids: readonly string[],
  columns?: readonly string[],
): Promise<string> {
  const plain = sql`json_build_object('id', answered.id, 'name', answered.name, 'email', answered.email)`
  const shown = columns && columnsOf(database, columns, ids)
  const { rows } = await sql<{ json: string }>`
    select coalesce(json_agg(${withColumns(plain, shown)} order by wanted.at), '[]')::text as json
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, at)
    cross join lateral (select ${answeredColumns} from users u where u.id = wanted.id) answered
    ${shown?.from ?? sql``}`.execute(database)
  return rows[0]?.json ?? '[]'
}
