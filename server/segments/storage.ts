import { sql } from 'kysely'

import type { Filter, SegmentId } from '#contract/index.ts'
import { nameOfKey, type TestedKey } from '../events/sealed-gate.ts'
import { type Handle, zoneless } from '../store/sql.ts'
import type { Subject } from './evaluation/evaluate.ts'
import type { StoredFilter } from './sql/filter-sql.ts'

/** A segment as stored; null for fields that were not given. */
export interface SegmentRow extends StoredFilter {
  readonly id: SegmentId
  readonly name: string
  readonly description: string | null
  readonly created: string
  readonly updated: string
}

const segmentColumns = sql`id, name, description, filter, tz, ${zoneless(sql`created`)} as created, ${zoneless(sql`updated`)} as updated`

/** Returns at most `atMost` segments, oldest first, that follow the one with this id. */
export async function segmentsAfter(
  database: Handle,
  after: string | undefined,
  atMost: number,
): Promise<SegmentRow[]> {
  const { rows } = await sql<SegmentRow>`
    select ${segmentColumns} from segments where ${after === undefined ? sql`true` : sql`id > ${after}::uuid`}
    order by id limit ${atMost}`.execute(database)
  return rows
}

/** Returns a segment; `undefined` if there is none with this id. */
export async function segmentById(database: Handle, id: string): Promise<SegmentRow | undefined> {
  const { rows } =
    await sql<SegmentRow>`select ${segmentColumns} from segments where id = ${id}::uuid`.execute(database)
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

/**
 * Returns the filters of those segments that exist. With `keep`, none of them can be deleted until the transaction
 * ends.
 */
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

/** Locks a segment against changes and new references to it. Returns `undefined` if there is none. */
export async function lockSegment(transaction: Handle, id: string): Promise<SegmentRow | undefined> {
  const { rows } = await sql<SegmentRow>`
    select ${segmentColumns} from segments where id = ${id}::uuid for update`.execute(transaction)
  return rows[0]
}

/**
 * Locks the references between segments until the transaction ends: two concurrent changes that are each valid could
 * create a cycle together.
 */
export async function lockReferences(transaction: Handle): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('data-store segments'))`.execute(transaction)
}

export async function updateSegment(
  transaction: Handle,
  segment: { id: string; name: string; description: string | null; filter: Filter; tz: string | null },
): Promise<void> {
  const { id, name, description, filter, tz } = segment
  await sql`
    update segments set name = ${name}, description = ${description}, filter = ${JSON.stringify(filter)}::jsonb,
      tz = ${tz}, updated = now() at time zone 'UTC'
    where id = ${id}::uuid`.execute(transaction)
}

/** A segment whose filter names another one. */
export interface DependentRow {
  readonly id: string
  readonly name: string
}

/** Returns at most `atMost` segments whose filters name this one. */
export async function dependentsOf(
  transaction: Handle,
  id: string,
  atMost: number,
): Promise<readonly DependentRow[]> {
  const { rows } = await sql<DependentRow>`
    select id, name from segments
    where jsonb_path_exists(filter, '$.**.segment ? (@ == $id)', ${JSON.stringify({ id })}::jsonb)
    order by id limit ${atMost}`.execute(transaction)
  return rows
}

/** Returns the segments that use this one, directly or through others, with their filters as stored. */
export async function allDependents(transaction: Handle, id: string): Promise<SegmentRow[]> {
  const { rows } = await sql<SegmentRow>`
    with recursive found (id) as (
      select ${id}::uuid
      union
      select s.id from found join segments s on
        jsonb_path_exists(s.filter, '$.**.segment ? (@ == $id)', jsonb_build_object('id', found.id))
    )
    select ${segmentColumns} from segments where id in (select id from found) and id <> ${id}::uuid order by id`.execute(
    transaction,
  )
  return rows
}

export async function deleteSegment(transaction: Handle, id: string): Promise<void> {
  await sql`delete from segments where id = ${id}::uuid`.execute(transaction)
}

/** Whether PostgreSQL knows a time zone. The API has checked it only against the list of Node.js. */
export async function isKnownZone(database: Handle, tz: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_timezone_names where lower(name) = lower(${tz})`.execute(
    database,
  )
  return rows.length > 0
}

/**
 * Returns all data of one user that a filter can test, with sealed values still sealed; `undefined` if there is no
 * such user.
 */
export async function subjectById(database: Handle, id: string): Promise<Subject | undefined> {
  const { rows } = await sql<Subject['user'] & Pick<Subject, 'entities'>>`
    select u.email, u.name, u.ref, ${zoneless(sql`u.since`)} as since, ${zoneless(sql`u.created`)} as created, u.account,
      (select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'type', e.type, 'properties', e.properties,
        'sealed', e.sealed) order by e.id), '[]') from entities e where e.user_id = u.id) as entities
    from users u where u.id = ${id}::uuid`.execute(database)
  const [row] = rows
  if (!row) return undefined
  const { entities, ...user } = row
  return { user, entities }
}

/**
 * Returns those keys that are or were a sensitive property of any entity. An operand that a segment compares with one
 * may be a user's value, even after that user was deleted. `now`: those that are one now, if that is known.
 */
export async function everSensitiveOf<Key extends TestedKey>(
  database: Handle,
  keys: readonly Key[],
  now?: readonly Key[],
): Promise<readonly Key[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<TestedKey>`
    select distinct entity_type as type, key from property_keys
    where sensitive and entity_type = any(${keys.map(({ type }) => type)}::text[])`.execute(database)
  const known = new Set(rows.map(nameOfKey))
  const isKnown = (key: Key) => known.has(nameOfKey(key))
  // Keys are recorded only for writes by the service, so the entities count as well.
  const others =
    now ??
    (await sensitiveOf(
      database,
      keys.filter((key) => !isKnown(key)),
    ))
  return keys.filter((key) => isKnown(key) || others.includes(key))
}

/** Returns those keys that are a sensitive property of any entity now. */
export async function sensitiveOf<Key extends TestedKey>(
  database: Handle,
  keys: readonly Key[],
): Promise<readonly Key[]> {
  if (keys.length === 0) return []
  const tests = keys.map(
    ({ type, key }) => sql`exists (
      select 1 from entities e
      where e.type = ${type} and e.properties @> ${JSON.stringify({ [key]: { sensitive: true } })}::jsonb)`,
  )
  const { rows } = await sql<{ found: boolean[] }>`select array[${sql.join(tests)}] as found`.execute(
    database,
  )
  return keys.filter((_, index) => rows[0]?.found[index] ?? true)
}
