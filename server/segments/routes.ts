import { type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { v7 as uuidv7, validate as isUuid } from 'uuid'

import type { Filter, Segment } from '#contract/index.ts'
import type { Caller } from '../caller.ts'
import type { Database, Tables } from '../database.ts'
import { recordEvent } from '../events/storage.ts'
import { pointer } from '../json.ts'
import { insufficientScope, invalid, notFound, Refusal } from '../problem.ts'
import type { Handlers } from '../serve.ts'
import { filterSql, type StoredFilter } from './filter-sql.ts'
import { membershipsOf } from './membership.ts'
import type { Clock } from './moments.ts'
import {
  extentOf,
  maxInlinedTests,
  maxReferenceDepth,
  propertyTests,
  referencesOf,
  testedKeys,
} from './references.ts'
import { openOperands, sealOperands } from './sealed-operands.ts'
import { sealedObjection } from './sealed-test.ts'
import {
  allSegments,
  deleteSegment,
  dependentsOf,
  filtersById,
  insertSegment,
  isKnownZone,
  lockSegment,
  segmentById,
  type SegmentRow,
  sensitiveOf,
} from './storage.ts'

export function segmentRoutes({
  database,
}: {
  database: Database
}): Handlers<'listSegments' | 'createSegment' | 'getSegment' | 'deleteSegment' | 'listUserSegments'> {
  const { indexKey } = database.keys
  return {
    async listSegments() {
      const segments = await allSegments(database.sql)
      return { status: 200, body: segments.map((segment) => answered(openOperands(indexKey, segment))) }
    },

    async createSegment({ body, caller, baseUrl, write }) {
      const { name, description = null, filter, tz = null } = body
      if (tz !== null && !(await isKnownZone(database.sql, tz)))
        throw invalid([
          { pointer: '/tz', code: 'unknown_zone', detail: 'The database does not know this time zone.' },
        ])
      const id = uuidv7()
      return await write(async (transaction) => {
        const used = await usedSegments(transaction, indexKey, filter, { keep: true })
        checkReferences(filter, used)
        await refuseSensitive(transaction, filter, used, caller)
        await refuseUnanswerable(transaction, filter, { now: new Date(), tz: tz ?? 'UTC' })
        const sealed = sealOperands(indexKey, { id, filter })
        await insertSegment(transaction, { id, name, description, filter: sealed, tz })
        await recordEvent(transaction, 'SEGMENT_CREATED', { segment: id })
        return { status: 201, location: `${baseUrl}/segments/${id}` }
      })
    },

    async getSegment({ params: { segment_id: id } }) {
      return { status: 200, body: answered(await existing(database, id)) }
    },

    async deleteSegment({ params: { segment_id: id }, caller, write }) {
      if (!isUuid(id)) throw notFound('segment')
      return await write(async (transaction) => {
        if (!(await lockSegment(transaction, id))) throw notFound('segment')
        const dependents = await dependentsOf(transaction, id.toLowerCase())
        if (dependents.length > 0) throw inUse(dependents, caller)
        await deleteSegment(transaction, id)
        await recordEvent(transaction, 'SEGMENT_DELETED', { segment: id.toLowerCase() })
        return { status: 204 }
      })
    },

    async listUserSegments({ params: { user_id: user }, caller }) {
      const memberships = isUuid(user) ? await membershipsOf(database, user, caller) : undefined
      if (!memberships) throw notFound('user')
      return { status: 200, body: memberships }
    },
  }
}

/** A segment as a condition on `users u`. */
export interface SegmentCondition {
  readonly where: RawBuilder<boolean>
  /** The same for users who are looked at one by one, see `FilterContext`. */
  readonly oneByOne: RawBuilder<boolean>
}

/** The condition that a segment stands for. 404 for none, 403 where it would tell a sensitive value. */
export async function loadFilter(
  database: Database,
  segmentId: string,
  caller: Caller,
): Promise<SegmentCondition> {
  const { filter, tz } = await existing(database, segmentId)
  const { indexKey } = database.keys
  const segments = await usedSegments(database.sql, indexKey, filter)
  await refuseSensitive(database.sql, filter, segments, caller)
  const context = { segments, tz: tz ?? 'UTC', now: new Date(), indexKey }
  return { where: filterSql(filter, context), oneByOne: filterSql(filter, { ...context, oneByOne: true }) }
}

async function existing(database: Database, id: string): Promise<SegmentRow> {
  const row = isUuid(id) ? await segmentById(database.sql, id) : undefined
  if (!row) throw notFound('segment')
  return openOperands(database.keys.indexKey, row)
}

function answered({ description, tz, ...segment }: SegmentRow): Segment {
  return { ...segment, ...(description !== null && { description }), ...(tz !== null && { tz }) }
}

/** The segments that a filter names and those that they name; what does not exist is not in the answer. */
async function usedSegments(
  handle: Kysely<Tables> | Transaction<Tables>,
  indexKey: () => Buffer,
  filter: Filter,
  options: { keep?: boolean } = {},
): Promise<ReadonlyMap<string, StoredFilter>> {
  const found = new Map<string, StoredFilter>()
  const asked = new Set<string>()
  for (let filters: Filter[] = [filter]; filters.length > 0;) {
    const named = filters.flatMap((each) => referencesOf(each).map(({ id }) => id))
    const ids = [...new Set(named)].filter((id) => isUuid(id) && !asked.has(id))
    if (ids.length === 0) break
    for (const id of ids) asked.add(id)
    const stored = await filtersById(handle, ids, options)
    const rows = stored.map((row) => openOperands(indexKey, row))
    for (const row of rows) found.set(row.id, row)
    filters = rows.map((row) => row.filter)
  }
  return found
}

/** References must exist. They cannot run in a circle: a filter never changes, and only names what was there before. */
function checkReferences(filter: Filter, used: ReadonlyMap<string, StoredFilter>): void {
  const missing = referencesOf(filter).filter(({ id }) => !used.has(id))
  if (missing.length > 0)
    throw invalid(
      missing.map(({ path }) => ({
        pointer: pointer(['filter', ...path]),
        code: 'segment_not_found',
        detail: 'There is no segment with this id.',
      })),
    )
  const { tests, depth } = extentOf(filter, used)
  if (tests > maxInlinedTests || depth > maxReferenceDepth)
    throw invalid([
      {
        pointer: '/filter',
        code: 'too_large',
        detail: `With the segments that it uses this filter has ${tests} tests, through ${depth} segments in a row; at most ${maxInlinedTests} and ${maxReferenceDepth}.`,
      },
    ])
}

/** Who is in a segment, and even how many, tells the value that it asks for. */
async function refuseSensitive(
  handle: Kysely<Tables> | Transaction<Tables>,
  filter: Filter,
  used: ReadonlyMap<string, StoredFilter>,
  caller: Caller,
): Promise<void> {
  if (caller.scopes.has('sensitive:read')) return
  const keys = testedKeys([filter, ...[...used.values()].map((segment) => segment.filter)])
  if ((await sensitiveOf(handle, keys)).length > 0) throw insufficientScope(['sensitive:read'])
}

/** A test that no sealed value can pass would quietly leave out the very users whom it is about. */
async function refuseUnanswerable(
  transaction: Transaction<Tables>,
  filter: Filter,
  clock: Clock,
): Promise<void> {
  const errors = propertyTests(filter).flatMap(({ entity: type, test, path }) => {
    const objection = sealedObjection(test, clock)
    return objection ? [{ type, key: test.key, path, ...objection }] : []
  })
  const sensitive = await sensitiveOf(transaction, errors)
  const refused = errors.filter((error) => sensitive.includes(error))
  if (refused.length > 0)
    throw invalid(
      refused.map(({ path, member, detail }) => ({
        pointer: pointer(['filter', ...path, member]),
        code: 'sensitive_property',
        detail,
      })),
    )
}

function inUse(dependents: readonly { id: string; name: string }[], caller: Caller): Refusal {
  const mayRead = caller.scopes.has('segments:read')
  const names = dependents.map(({ name }) => `“${name}”`).join(', ')
  const detail = mayRead ? `These segments use it: ${names}.` : `Segments that use it: ${dependents.length}.`
  return new Refusal(409, 'segment_in_use', `${detail} Delete them first. Nothing was changed.`, {
    members: mayRead ? { dependents } : {},
  })
}
