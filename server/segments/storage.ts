import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'

import type { Filter, SegmentId } from '#contract/index.ts'
import type { Tables } from '../database.ts'
import { zoneless } from '../users/storage.ts'
import type { StoredFilter } from './filter-sql.ts'
import type { TestedKey } from './references.ts'

type Handle = Kysely<Tables> | Transaction<Tables>

/** A segment as stored; null: not given. */
export interface SegmentRow extends StoredFilter {
  readonly id: SegmentId
  readonly name: string
  readonly description: string | null
  readonly created: string
  readonly updated: string
}

const columns = sql`id, name, description, filter, tz, ${zoneless(sql`created`)} as created, ${zoneless(sql`updated`)} as updated`

/** Oldest first. */
export async function allSegments(database: Handle): Promise<SegmentRow[]> {
  const { rows } = await sql<SegmentRow>`select ${columns} from segments order by id`.execute(database)
  return rows
}

/** `undefined`: no such segment. */
export async function segmentById(database: Handle, id: string): Promise<SegmentRow | undefined> {
  const { rows } = await sql<SegmentRow>`select ${columns} from segments where id = ${id}::uuid`.execute(
    database,
  )
  return rows[0]
}

export async function insertSegment(
  transaction: Handle,
  segment: { id: string; name: string; description: string | null; filter: Filter; tz: string | null },
): Promise<void> {
  const { id, name, description, filter, tz } = segment
  await sql`
    insert into segments (id, name, description, filter, tz, created, updated)
    values (${id}, ${name}, ${description}, ${JSON.stringify(filter)}::jsonb, ${tz},
      now() at time zone 'UTC', now() at time zone 'UTC')`.execute(transaction)
}

/** The filters of segments, as many as there are. `keep`: none of them can be deleted until the transaction ends. */
export async function filtersById(
  database: Handle,
  ids: readonly string[],
  options: { keep?: boolean } = {},
): Promise<(StoredFilter & { id: string })[]> {
  const { rows } = await sql<StoredFilter & { id: string }>`
    select id, filter, tz from segments where id = any(${ids}::uuid[]) order by id
    ${options.keep ? sql`for key share` : sql``}`.execute(database)
  return rows
}

/** Locks a segment for its deletion: nobody begins to use it from now on. False: there is none. */
export async function lockSegment(transaction: Handle, id: string): Promise<boolean> {
  const { rows } = await sql`select id from segments where id = ${id}::uuid for update`.execute(transaction)
  return rows.length === 1
}

/** The segments whose filters name this one. */
export async function dependentsOf(transaction: Handle, id: string): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from segments
    where jsonb_path_exists(filter, '$.**.segment ? (@ == $id)', ${JSON.stringify({ id })}::jsonb)
    order by id`.execute(transaction)
  return rows
}

export async function deleteSegment(transaction: Handle, id: string): Promise<void> {
  await sql`delete from segments where id = ${id}::uuid`.execute(transaction)
}

/** Whether the time zone database of the engine has a zone, too. */
export async function isKnownZone(database: Handle, tz: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_timezone_names where lower(name) = lower(${tz})`.execute(
    database,
  )
  return rows.length > 0
}

/** Whether each condition holds for one user; `undefined`: there is no such user. */
export async function conditionsOf(
  database: Handle,
  user: string,
  conditions: readonly RawBuilder<boolean>[],
): Promise<readonly boolean[] | undefined> {
  const columns = conditions.map((condition) => sql`${condition} is true`)
  const { rows } = await sql<{ hold: boolean[] }>`
    select array[${sql.join(columns)}]::boolean[] as hold from users u where u.id = ${user}::uuid`.execute(
    database,
  )
  return rows[0]?.hold
}

/** Those of the keys that any entity holds as a sensitive property. */
export async function sensitiveOf<Key extends TestedKey>(
  database: Handle,
  keys: readonly Key[],
): Promise<readonly Key[]> {
  if (keys.length === 0) return []
  const tests = keys.map(
    ({ type, key }) => sql`exists (
      select from entities e
      where e.type = ${type} and e.properties @> ${JSON.stringify({ [key]: { sensitive: true } })}::jsonb)`,
  )
  const { rows } = await sql<{ found: boolean[] }>`select array[${sql.join(tests)}] as found`.execute(
    database,
  )
  return keys.filter((_, index) => rows[0]?.found[index] ?? true)
}
