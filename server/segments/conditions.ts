import { createHash } from 'node:crypto'

import { sql } from 'kysely'
import { validate as isUuid } from 'uuid'

import type { Body, Endpoints, Filter, SegmentWrite, UserField } from '#contract/index.ts'
import { canonical } from '../entities/properties.ts'
import { type Caller, requireScopes } from '../http/caller.ts'
import { notFound } from '../http/problem.ts'
import type { Database } from '../sealing/database.ts'
import { fence } from '../store/sql.ts'
import type { SegmentCondition } from '../users/storage.ts'
import { filterSql, type StoredFilter } from './filter-sql.ts'
import { usedSegments } from './membership.ts'
import { hasIndex, type Ranged } from './ranged.ts'
import { referencesOf, testsEntities, testsUsers } from './references.ts'
import { checkFilter, refuseSensitive, toldSensitive } from './rules.ts'
import { openOperands } from './sealed-operands.ts'
import { segmentById, type SegmentRow } from './storage.ts'

/** In a transaction its `sql` is that. */
type Reading = Pick<Database, 'sql' | 'keys'>

/** A segment with its operands open. 404 for none. */
export async function openSegment(database: Reading, id: string): Promise<SegmentRow> {
  const row = isUuid(id) ? await segmentById(database.sql, id) : undefined
  if (!row) throw notFound('segment')
  return openOperands(database.keys.indexKey, row)
}

/** The condition that a segment stands for. 404 for none, 403 where it would tell a sensitive value. */
export async function loadCondition(
  database: Reading,
  segmentId: string,
  caller: Caller,
): Promise<SegmentCondition> {
  const segment = await openSegment(database, segmentId)
  const used = await usedSegments(database.sql, database.keys.indexKey, [segment])
  await refuseSensitive(database.sql, segment.filter, used, caller)
  return await conditionFor(caller, segment, used, database)
}

/** A filter that nobody saved, as `checkFilter` checks one. Who matches, and how many, tells values as a read of them would. */
export async function checkUnsaved(
  { sql: handle, keys }: Reading,
  given: Pick<SegmentWrite, 'filter' | 'tz'> | StoredFilter,
  caller: Caller,
): Promise<ReadonlyMap<string, StoredFilter>> {
  if (testsEntities(given.filter)) requireScopes(caller, ['entities:read'])
  return await checkFilter(handle, keys.indexKey, given, caller)
}

/** The condition of a search: a filter that nobody saved, a segment, both, or none. Refuses as `loadCondition` does. */
export async function searchedCondition(
  database: Reading,
  {
    filter,
    tz = null,
    segment,
  }: Pick<Body<Endpoints['searchUsers']>, 'filter' | 'segment'> & { tz?: string | null | undefined },
  caller: Caller,
): Promise<SegmentCondition | undefined> {
  if (!filter) return segment === undefined ? undefined : await loadCondition(database, segment, caller)
  const { sql: handle, keys } = database
  const used = await checkUnsaved(database, { filter, tz }, caller)
  if (segment === undefined) return await conditionFor(caller, { filter, tz }, used, database)
  const both = { filter: { all: [{ segment: (await openSegment(database, segment)).id }, filter] }, tz }
  const usedByBoth = await usedSegments(handle, keys.indexKey, [both])
  await refuseSensitive(handle, both.filter, usedByBoth, caller)
  return await conditionFor(caller, both, usedByBoth, database)
}

async function conditionFor(
  caller: Caller,
  stored: StoredFilter,
  used: ReadonlyMap<string, StoredFilter>,
  database: Reading,
): Promise<SegmentCondition> {
  const onlyNow = await toldSensitive(database.sql, stored.filter, used, caller)
  return { ...conditionOf(stored, used, database), onlyNow }
}

/** A filter, with the segments that it uses, as a condition at this moment. */
export function conditionOf(
  { filter, tz }: StoredFilter,
  segments: ReadonlyMap<string, StoredFilter>,
  database: Reading,
): SegmentCondition {
  const { indexKey } = database.keys
  const context = {
    segments,
    indexKey,
    tz: tz ?? 'UTC',
    now: new Date(),
    hasIndex: (ranged: Ranged) => hasIndex(database, ranged),
  }
  const oneByOne = filterSql(filter, { ...context, oneByOne: true })
  const readsUsers = [filter, ...[...segments.values()].map((used) => used.filter)].some(testsUsers)
  const user = readsUsers ? sql`users u where u.id = w.id` : sql`(select w.id) u where true`
  return {
    name: nameOf({ filter, tz }, segments),
    where: filterSql(filter, context),
    oneByOne,
    isMember: sql`exists (select 1 from ${user} and ${oneByOne} ${fence})`,
    fields: {
      email: filterSql({ all: testsOfField(filter, 'email') }, context),
      since: filterSql({ all: testsOfField(filter, 'since') }, context),
    },
  }
}

/** The tests of a field that every user passes whom the filter finds. */
function testsOfField(filter: Filter, field: UserField): readonly Filter[] {
  if ('all' in filter) return filter.all.flatMap((part) => testsOfField(part, field))
  return 'user' in filter && filter.user === field ? [filter] : []
}

/** The same for filters that are the same condition: counts are kept by it. */
export function nameOf({ filter, tz }: StoredFilter, segments: ReadonlyMap<string, StoredFilter>): string {
  const parts = [filter, tz, ...withUsed(filter, segments)]
  return createHash('sha256').update(canonical(parts)).digest('base64')
}

/** What a filter comes to depends on these, each once. */
function withUsed(filter: Filter, segments: ReadonlyMap<string, StoredFilter>): unknown[] {
  const found = new Map<string, unknown>()
  const visit = (part: Filter) => {
    for (const { id } of referencesOf(part)) {
      const used = segments.get(id)
      if (!used || found.has(id)) continue
      found.set(id, [id, used.filter, used.tz])
      visit(used.filter)
    }
  }
  visit(filter)
  return [...found.values()]
}
