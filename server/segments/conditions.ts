import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

import { sql } from 'kysely'
import { validate as isUuid } from 'uuid'

import type { Filter, UserField } from '#contract/index.ts'
import { canonical } from '../entities/properties.ts'
import { type GatedAnswer, nameOfKey, type Question, type SealedGate } from '../events/sealed-gate.ts'
import { requireScopes } from '../http/auth/caller.ts'
import { notFound } from '../http/problem.ts'
import type { Database } from '../sealing/database.ts'
import { fence } from '../store/sql.ts'
import type { SegmentCondition } from '../users/storage.ts'
import { filterSql, type StoredFilter } from './sql/filter-sql.ts'
import { findUsedSegments } from './membership.ts'
import { hasIndex, type Ranged } from './sql/range-order.ts'
import { propertyTests, referencesOf, collectTestedKeys, testsEntities, testsUsers } from './references.ts'
import {
  checkFilter,
  refuseUnanswerable,
  findSealedKeys,
  everTestedSensitive,
  type UnsavedFilter,
} from './rules.ts'
import { openOperands } from './sealed-operands.ts'
import { type SealedContext, searchedTerms } from './sealed-test.ts'
import { segmentById, type SegmentRow } from './storage.ts'

/** Database to read from; `sql` may be a transaction. */
type Reading = Pick<Database, 'sql' | 'keys'>

/** Returns a segment with its operands opened. Throws a 404 if there is none. */
export async function openSegment(database: Reading, id: string): Promise<SegmentRow> {
  const row = isUuid(id) ? await segmentById(database.sql, id) : undefined
  if (!row) throw notFound('segment')
  return openOperands(database.keys.indexKey, row)
}

/** Caller who asks which users a filter finds, with the kind of request and the gate that the answer passes. */
export interface Asking extends Pick<Question, 'caller' | 'by' | 'user' | 'sought'> {
  readonly gate: SealedGate
}

/** Users that are searched for: by an unsaved filter, by a segment, or by both together. */
export interface Sought extends Pick<UnsavedFilter, 'tz'> {
  readonly filter?: Filter | undefined
  readonly segment?: string | undefined
}

/**
 * Answers a question about the users that a filter finds. Passes the condition to `find` only through the gate for
 * sensitive values. Throws a 404 if the segment does not exist, and a 403 if the answer would reveal a sensitive value
 * that the caller may not read.
 */
export async function findBy<Answer>(
  database: Reading,
  sought: Sought,
  asking: Asking,
  find: (condition: SegmentCondition) => Promise<GatedAnswer<Answer>>,
): Promise<Answer> {
  const { caller } = asking
  return await askWith(database, sought, asking, async (stored, used) => {
    // A cached count may include users who were deleted since. If they were the last with a sensitive property that the
    // filter tests, the gate no longer knows that the count reveals its value.
    const onlyNow =
      !caller.scopes.has('sensitive:read') && (await everTestedSensitive(database.sql, stored.filter, used))
    const prepared = await prepareTerms(stored, used, database)
    return await find({ ...conditionOf(stored, used, database, prepared), onlyNow })
  })
}

/**
 * Like `findBy`, for callers that evaluate the filter in another way: `find` gets the filter and the segments that it
 * uses.
 */
export async function askWith<Answer>(
  database: Reading,
  { filter, tz = null, segment }: Sought,
  { gate, ...asking }: Asking,
  find: (stored: StoredFilter, used: ReadonlyMap<string, StoredFilter>) => Promise<GatedAnswer<Answer>>,
): Promise<Answer> {
  const { sql: handle, keys } = database
  if (filter && testsEntities(filter)) requireScopes(asking.caller, ['entities:read'])
  const checked = filter && (await checkFilter(handle, keys.indexKey, { filter, tz }))
  const named = segment === undefined ? undefined : await openSegment(database, segment)
  const stored = toStoredFilter({ filter, tz }, named)
  const used = checked && !named ? checked : await findUsedSegments(handle, keys.indexKey, [stored])
  const sealed = await findSealedKeys(handle, stored.filter, used)
  const own = new Set(filter ? collectTestedKeys([filter]).map(nameOfKey) : [])
  const question = {
    ...asking,
    segment: named?.id,
    filter: sealed.length > 0 && asking.by !== 'preview' ? nameOf(stored, used) : undefined,
  }
  const told = { keys: sealed, unsaved: sealed.filter((key) => own.has(nameOfKey(key))) }
  return await gate.tell(handle, question, told, async () => {
    if (filter) await refuseUnanswerable(handle, { filter, tz })
    return await find(stored, used)
  })
}

function toStoredFilter({ filter, tz = null }: Sought, named: SegmentRow | undefined): StoredFilter {
  if (!filter) return named ?? { filter: { all: [] }, tz }
  return named ? { filter: { all: [{ segment: named.id }, filter] }, tz } : { filter, tz }
}

/** Converts a filter and the segments that it uses to an SQL condition as of now. */
export function conditionOf(
  { filter, tz }: StoredFilter,
  segments: ReadonlyMap<string, StoredFilter>,
  database: Reading,
  { now, terms }: Prepared = { now: new Date(), terms: new Map() },
): SegmentCondition {
  const { indexKey } = database.keys
  const context = {
    segments,
    indexKey,
    tz: tz ?? 'UTC',
    now,
    hasIndex: (ranged: Ranged) => hasIndex(database, ranged),
    terms,
  }
  // Converting a filter with a thousand values takes about ten milliseconds per form, and few callers need both.
  const where = memoize(() => filterSql(filter, context))
  const oneByOne = memoize(() => filterSql(filter, { ...context, oneByOne: true }))
  const isMember = memoize(() => {
    const readsUsers = [filter, ...[...segments.values()].map((used) => used.filter)].some(testsUsers)
    const user = readsUsers ? sql`users u where u.id = w.id` : sql`(select w.id) u where true`
    return sql<boolean>`exists (select 1 from ${user} and ${oneByOne()} ${fence})`
  })
  return {
    name: nameOf({ filter, tz }, segments),
    where,
    oneByOne,
    isMember,
    fields: {
      email: filterSql({ all: testsOfField(filter, 'email') }, context),
      since: filterSql({ all: testsOfField(filter, 'since') }, context),
    },
  }
}

interface Prepared {
  readonly now: Date
  readonly terms: NonNullable<SealedContext['terms']>
}

/** Computes the blind index terms of value lists, one list at a time, so that other requests can run in between. */
async function prepareTerms(
  stored: StoredFilter,
  segments: ReadonlyMap<string, StoredFilter>,
  { keys: { indexKey } }: Reading,
): Promise<Prepared> {
  const prepared = { now: new Date(), terms: new Map() }
  for (const { filter, tz } of [stored, ...segments.values()]) {
    for (const { test } of propertyTests(filter)) {
      if (!Array.isArray(test.value)) continue
      searchedTerms(test, { ...prepared, indexKey, tz: tz ?? 'UTC' })
      await setImmediate()
    }
  }
  return prepared
}

function memoize<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}

/** Returns the tests on `field` that are not inside `any` or `not`: every user whom the filter finds passes them. */
function testsOfField(filter: Filter, field: UserField): readonly Filter[] {
  if ('all' in filter) return filter.all.flatMap((part) => testsOfField(part, field))
  return 'user' in filter && filter.user === field ? [filter] : []
}

/** Name of a condition, under which counts are cached. Filters that differ only in key order have the same name. */
export function nameOf({ filter, tz }: StoredFilter, segments: ReadonlyMap<string, StoredFilter>): string {
  const parts = [filter, tz, ...withUsed(filter, segments)]
  return createHash('sha256').update(canonical(parts)).digest('base64')
}

/** Segments that determine the filter's result, directly or indirectly, each once. */
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
