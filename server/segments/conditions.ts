import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { validate as isUuid } from 'uuid'

import type { Filter, UserField } from '#contract/index.ts'
import {
  type GatedAnswer,
  nameOfKey,
  type Question,
  type SealedGate,
  type TestedKey,
} from '../events/sealed-gate.ts'
import { notFound } from '../http/errors/problem.ts'
import type { Database } from '../sealing/database.ts'
import { fence } from '../store/sql.ts'
import type { SegmentCondition } from '../users/storage.ts'
import { type FilterFacts, loadFilter } from './facts.ts'
import { type SealedContext, searchedTerms } from './operands/sealed-test.ts'
import { readGiven, refuseUnanswerable, type UnsavedFilter } from './rules.ts'
import { openOperands } from './sealed-operands.ts'
import { filterSql, type StoredFilter } from './sql/filter-sql.ts'
import { hasIndex, type Ranged } from './sql/range-order.ts'
import { everSensitiveOf, segmentById, type SegmentRow, sensitiveOf } from './storage.ts'

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
export interface Selection extends Pick<UnsavedFilter, 'tz'> {
  readonly filter?: Filter | undefined
  readonly segment?: string | undefined
}

/**
 * Answers a question about the users that a filter finds. Passes the facts of the filter, and the sensitive properties
 * that it tests, to `find` only through the gate for sensitive values. Throws a 404 if the segment does not exist, and
 * a 403 if the answer would reveal a sensitive value that the caller may not read.
 */
export async function ask<Answer>(
  database: Reading,
  selection: Selection,
  { gate, ...asking }: Asking,
  find: (facts: FilterFacts, sealed: readonly TestedKey[]) => Promise<GatedAnswer<Answer>>,
): Promise<Answer> {
  const { sql: handle, keys } = database
  const { filter, tz, segment } = selection
  const given = filter && (await readGiven(handle, keys.indexKey, { filter, tz }, asking.caller))
  const named = segment === undefined ? undefined : await openSegment(database, segment)
  const facts =
    given && !named ? given : await loadFilter(handle, keys.indexKey, toStoredFilter(selection, named))
  const sealed = await sensitiveOf(handle, facts.keys)
  const own = new Set(given?.tests.map(({ entity, test }) => nameOfKey({ type: entity, key: test.key })))
  const question = {
    ...asking,
    segment: named?.id,
    filter: sealed.length > 0 && asking.by !== 'preview' ? facts.name : undefined,
  }
  const tested = { keys: sealed, unsaved: sealed.filter((key) => own.has(nameOfKey(key))) }
  return await gate.tell(handle, question, tested, async () => {
    if (given) refuseUnanswerable(given, sealed)
    return await find(facts, sealed)
  })
}

function toStoredFilter({ filter, tz = null }: Selection, named: SegmentRow | undefined): StoredFilter {
  if (!filter) return named ?? { filter: { all: [] }, tz }
  return named ? { filter: { all: [{ segment: named.id }, filter] }, tz } : { filter, tz }
}

/** Like `ask`, for callers that find the users by SQL. */
export async function findBy<Answer>(
  database: Reading,
  selection: Selection,
  asking: Asking,
  find: (condition: SegmentCondition) => Promise<GatedAnswer<Answer>>,
): Promise<Answer> {
  return await ask(database, selection, asking, async (facts, sealed) => {
    // A cached count may include users who were deleted since. If they were the last with a sensitive property that the
    // filter tests, the gate no longer knows that the count reveals its value.
    const onlyNow =
      !asking.caller.scopes.has('sensitive:read') &&
      (await everSensitiveOf(database.sql, facts.keys, sealed)).length > 0
    const prepared = await prepareTerms(facts, database)
    return await find({ ...conditionOf(facts, database, prepared), onlyNow })
  })
}

/** Converts a filter and the segments that it uses to an SQL condition as of now. */
export function conditionOf(
  { filter, tz, used, name, required, testsUsers }: FilterFacts,
  database: Reading,
  { now, terms }: Prepared = { now: new Date(), terms: new Map() },
): SegmentCondition {
  const { indexKey } = database.keys
  const context = {
    segments: used,
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
    const readsUsers = testsUsers || [...used.values()].some(({ tree }) => tree.testsUsers)
    const user = readsUsers ? sql`users u where u.id = w.id` : sql`(select w.id) u where true`
    return sql<boolean>`exists (select 1 from ${user} and ${oneByOne()} ${fence})`
  })
  const bound = (field: UserField) =>
    filterSql({ all: required.filter(({ user }) => user === field) }, context)
  return { name, where, oneByOne, isMember, fields: { email: bound('email'), since: bound('since') } }
}

interface Prepared {
  readonly now: Date
  readonly terms: NonNullable<SealedContext['terms']>
}

/** Computes the blind index terms of value lists, one list at a time, so that other requests can run in between. */
async function prepareTerms(facts: FilterFacts, { keys: { indexKey } }: Reading): Promise<Prepared> {
  const prepared = { now: new Date(), terms: new Map() }
  const own = { tz: facts.tz, tree: facts }
  for (const { tz, tree } of [own, ...facts.used.values()]) {
    for (const { test } of tree.tests) {
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
