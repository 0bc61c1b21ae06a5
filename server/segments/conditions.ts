import { createHash } from 'node:crypto'

import { sql } from 'kysely'
import { validate as isUuid } from 'uuid'

import type { Body, Endpoints, Filter, SegmentWrite, UserField } from '#contract/index.ts'
import { canonical } from '../entities/properties.ts'
import type { Caller } from '../http/caller.ts'
import { notFound } from '../http/problem.ts'
import type { Database } from '../sealing/database.ts'
import type { SegmentCondition } from '../users/storage.ts'
import { filterSql, type StoredFilter } from './filter-sql.ts'
import { usedSegments } from './membership.ts'
import { referencesOf, testsEntities, testsUsers } from './references.ts'
import { refuseSensitive } from './rules.ts'
import { openOperands } from './sealed-operands.ts'
import { segmentById, type SegmentRow } from './storage.ts'

/** A segment with its operands open. 404 for none. */
export async function openSegment(database: Database, id: string): Promise<SegmentRow> {
  const row = isUuid(id) ? await segmentById(database.sql, id) : undefined
  if (!row) throw notFound('segment')
  return openOperands(database.keys.indexKey, row)
}

/** The condition that a segment stands for. 404 for none, 403 where it would tell a sensitive value. */
export async function loadCondition(
  database: Database,
  segmentId: string,
  caller: Caller,
): Promise<SegmentCondition> {
  const segment = await openSegment(database, segmentId)
  const used = await usedSegments(database.sql, database.keys.indexKey, [segment])
  await refuseSensitive(database.sql, segment.filter, used, caller)
  return conditionOf(segment, used, database)
}

/** A filter, with the segments that it uses, as a condition at this moment. */
export function conditionOf(
  { filter, tz }: StoredFilter,
  segments: ReadonlyMap<string, StoredFilter>,
  { keys: { indexKey } }: Pick<Database, 'keys'>,
): SegmentCondition {
  const context = { segments, indexKey, tz: tz ?? 'UTC', now: new Date() }
  const oneByOne = filterSql(filter, { ...context, oneByOne: true })
  const readsUsers = [filter, ...[...segments.values()].map((used) => used.filter)].some(testsUsers)
  const user = readsUsers ? sql`users u where u.id = w.id` : sql`(select w.id) u where true`
  return {
    name: nameOf({ filter, tz }, segments),
    where: filterSql(filter, context),
    oneByOne,
    isMember: sql`exists (select from ${user} and ${oneByOne} offset 0)`,
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
