import { createHash } from 'node:crypto'

import { v7 as uuidv7, validate as isUuid } from 'uuid'

import {
  type Filter,
  previewSampleSize,
  type Segment,
  segmentsPerPage,
  type SegmentWrite,
} from '#contract/index.ts'
import type { Caller } from '../http/caller.ts'
import type { Database } from '../store/database.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import { canonical } from '../entities/properties.ts'
import { entityTag } from '../http/etag.ts'
import type { SensitiveReads } from '../events/accesses.ts'
import { recordEvent } from '../events/storage.ts'
import { pointer } from '../http/json.ts'
import { insufficientScope, invalid, notFound, Refusal, type RefusalError } from '../http/problem.ts'
import type { Secrets } from '../sealing/secrets.ts'
import type { Handlers } from '../http/serve.ts'
import { Turns } from '../http/turns.ts'
import { segmentPage } from '../users/storage.ts'
import { countUsers, type SegmentCounts, countFirst } from '../segments/counts.ts'
import { filterSql, type StoredFilter, type SegmentCondition } from '../segments/filter-sql.ts'
import {
  isUsable,
  membershipsOf,
  segmentList,
  shownTo,
  usedSegments,
  withheldOf,
} from '../segments/membership.ts'
import type { Clock } from '../segments/moments.ts'
import {
  type Extent,
  extentOf,
  maxInlinedTests,
  maxReferenceDepth,
  propertyTests,
  referencesOf,
  testedKeys,
} from '../segments/references.ts'
import { openOperands, sealOperands } from '../segments/sealed-operands.ts'
import { sealedObjection } from '../segments/sealed-test.ts'
import {
  allDependents,
  deleteSegment,
  dependentsOf,
  insertSegment,
  isKnownZone,
  lockReferences,
  lockSegment,
  segmentById,
  type SegmentRow,
  sensitiveOf,
  updateSegment,
} from '../segments/storage.ts'

/** In which a preview answers, whatever it has found by then: counting, and the users that it shows. */
const previewMs = 250
const embeddedStatementMs = 150
/** Under way at once, waiting ones too: who types a filter has given up those before the last. */
const previewsOfSubject = 3
/** In the list of segments a count is shown, with its time, until it is so old. */
const listedFreshMs = 300_000
/** Of a preview's time, to count all of them; in the rest as many as can be, to say "at least so many". */
const wholeShare = 0.6

export function segmentRoutes({
  database,
  secrets,
  counts,
  additions,
  sensitiveReads,
}: {
  readonly database: Database
  readonly secrets: Secrets
  readonly counts: SegmentCounts
  readonly additions?: 'all' | 'none'
  readonly sensitiveReads?: SensitiveReads | undefined
}): Handlers<
  | 'listSegments'
  | 'createSegment'
  | 'getSegment'
  | 'replaceSegment'
  | 'deleteSegment'
  | 'previewSegment'
  | 'listDependents'
  | 'listUserSegments'
> {
  const etagOf = ({ id, name, description, filter, tz }: SegmentRow) =>
    entityTag(secrets.etag, [id, name, description, canonical(filter), tz])
  const { indexKey } = database.keys
  const isEmbedded = database.engine === 'embedded'
  const previews = new Turns({ atOnce: isEmbedded ? 1 : 4, ofSubject: previewsOfSubject })
  // All others wait for the one connection meanwhile.
  const statementMs = isEmbedded ? embeddedStatementMs : previewMs
  return {
    listSegments: ({ query: { offset }, caller }) =>
      segmentList(database, offset, async ({ rows, usable }) => {
        const shown = await shownTo(database.sql, caller, rows)
        if (additions === 'none') return shown.map((row) => answered(row))
        const withheld = await withheldOf(database.sql, usable, caller.scopes.has('sensitive:read'))
        return shown.map((row) => {
          const open = usable.get(row.id)
          if (withheld.has(row.id) || !open) return answered(row)
          const name = nameOf(open, usable)
          // Every page of users reads this list for its picker: all counts are not made again each time.
          counts.refresh(name, () => conditionOf(open, usable, database).where, listedFreshMs)
          return answered(row, counts.kept(name))
        })
      }),

    async createSegment({ body, caller, baseUrl, write }) {
      const id = uuidv7()
      return await write(async (transaction) => {
        const segment = { ...(await readSegment(transaction, indexKey, id, body, caller)), id }
        await insertSegment(transaction, { ...segment, filter: sealOperands(indexKey, segment) })
        await recordEvent(transaction, 'SEGMENT_CREATED', { segment: id, actor: caller.subject })
        return { status: 201, location: `${baseUrl}/segments/${id}` }
      })
    },

    async getSegment({ params: { segment_id: id }, caller }) {
      const row = await existing(database, id)
      const [shown = row] = await shownTo(database.sql, caller, [row])
      return { status: 200, body: answered(shown), etag: etagOf(row) }
    },

    async replaceSegment({ params: { segment_id }, body, caller, write, requireUnchanged }) {
      if (!isUuid(segment_id)) throw notFound('segment')
      return await write(async (transaction) => {
        await lockReferences(transaction)
        const locked = await lockSegment(transaction, segment_id)
        if (!locked) throw notFound('segment')
        const before = openOperands(indexKey, locked)
        requireUnchanged(() => etagOf(before))
        const segment = { ...before, ...(await readSegment(transaction, indexKey, before.id, body, caller)) }
        if (etagOf(segment) === etagOf(before)) return { status: 204 }
        await updateSegment(transaction, { ...segment, filter: sealOperands(indexKey, segment) })
        await refuseTooLargeUsers(transaction, indexKey, before.id)
        await recordEvent(transaction, 'SEGMENT_UPDATED', {
          segment: before.id,
          actor: caller.subject,
        })
        return { status: 204 }
      })
    },

    async deleteSegment({ params: { segment_id: id }, caller, write, requireUnchanged }) {
      if (!isUuid(id)) throw notFound('segment')
      return await write(async (transaction) => {
        const row = await lockSegment(transaction, id)
        if (!row) throw notFound('segment')
        requireUnchanged(() => etagOf(openOperands(indexKey, row)))
        const dependents = await dependentsOf(transaction, row.id, segmentsPerPage)
        if (dependents.length > 0) throw inUse(dependents, caller)
        await deleteSegment(transaction, id)
        await recordEvent(transaction, 'SEGMENT_DELETED', { segment: row.id, actor: caller.subject })
        return { status: 204 }
      })
    },

    async previewSegment({ body: { filter, tz }, caller }) {
      return await previews.take(caller.subject, async () => {
        await checkZone(database.sql, tz)
        const used = await usedSegments(database.sql, indexKey, [{ filter }])
        checkReferences(filter, used)
        await refuseSensitive(database.sql, filter, used, caller)
        await refuseUnanswerable(database.sql, filter, { now: new Date(), tz: tz ?? 'UTC' })
        const segment = conditionOf({ filter, tz: tz ?? null }, used, database)
        const untilMs = performance.now() + previewMs
        const left = () => Math.max(1, Math.min(statementMs, Math.ceil(untilMs - performance.now())))
        const users = await database.within(left(), (handle) =>
          segmentPage(handle, segment, { atMost: previewSampleSize }),
        )
        if (users && !users.more) return preview(users.count, false, users.json)
        const all = await countUsers(database, segment.where, { limitMs: Math.ceil(left() * wholeShare) })
        if (all !== undefined) return preview(all, false, users?.json)
        const some = await countFirst(database, segment.oneByOne, left)
        return preview(Math.max(some, users ? users.count + 1 : 0), true, users?.json)
      })
    },

    async listDependents({ params: { segment_id: id } }) {
      const { id: segment } = await existing(database, id)
      return { status: 200, body: await dependentsOf(database.sql, segment, segmentsPerPage) }
    },

    async listUserSegments({ params: { user_id: user }, query, caller }) {
      const asked = { explain: query.explain === 'true', offset: query.offset, sensitiveReads }
      const memberships = isUuid(user) ? await membershipsOf(database, user, caller, asked) : undefined
      if (!memberships) throw notFound('user')
      return memberships
    },
  }
}

/** As JSON text: the users are that already. */
function preview(total: number, atLeast: boolean, users = '[]') {
  return { status: 200, json: `{"total":${total},"atLeast":${atLeast},"users":${users}}` } as const
}

/** The condition that a segment stands for. 404 for none, 403 where it would tell a sensitive value. */
export async function loadFilter(
  database: Database,
  segmentId: string,
  caller: Caller,
): Promise<SegmentCondition> {
  const segment = await existing(database, segmentId)
  const used = await usedSegments(database.sql, database.keys.indexKey, [segment])
  await refuseSensitive(database.sql, segment.filter, used, caller)
  return conditionOf(segment, used, database)
}

function conditionOf(
  { filter, tz }: StoredFilter,
  segments: ReadonlyMap<string, StoredFilter>,
  { keys: { indexKey } }: Database,
): SegmentCondition {
  const context = { segments, indexKey, tz: tz ?? 'UTC', now: new Date() }
  return {
    name: nameOf({ filter, tz }, segments),
    where: filterSql(filter, context),
    oneByOne: filterSql(filter, { ...context, oneByOne: true }),
  }
}

function nameOf({ filter, tz }: StoredFilter, segments: ReadonlyMap<string, StoredFilter>): string {
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

/** A segment as it is to be stored, or a Refusal. */
async function readSegment(
  transaction: Transaction,
  indexKey: () => Buffer,
  id: string,
  { name, description, filter, tz }: SegmentWrite,
  caller: Caller,
) {
  await checkZone(transaction, tz)
  const used = await usedSegments(transaction, indexKey, [{ filter }], { keep: true })
  checkReferences(filter, used, id)
  await refuseSensitive(transaction, filter, used, caller)
  await refuseUnanswerable(transaction, filter, { now: new Date(), tz: tz ?? 'UTC' })
  return { name, description: description ?? null, filter, tz: tz ?? null }
}

async function checkZone(handle: Handle, tz: string | null | undefined) {
  if (tz && !(await isKnownZone(handle, tz)))
    throw invalid([
      { pointer: '/tz', code: 'unknown_zone', detail: 'The database does not know this time zone.' },
    ])
}

/** With a filter that has grown, the segments that use it may have grown beyond what can be evaluated. */
async function refuseTooLargeUsers(
  transaction: Transaction,
  indexKey: () => Buffer,
  id: string,
): Promise<void> {
  const rows = await allDependents(transaction, id)
  const dependents = rows.map((row) => openOperands(indexKey, row)).filter(isUsable)
  const segments = await usedSegments(transaction, indexKey, dependents)
  for (const { name, filter } of dependents)
    if (isTooLarge(extentOf(filter, segments)))
      throw invalid([
        {
          pointer: '/filter',
          code: 'too_large',
          detail: `The segment “${name}” uses this one and would have too many tests: at most ${maxInlinedTests}, through ${maxReferenceDepth} segments in a row.`,
        },
      ])
}

async function existing(database: Database, id: string): Promise<SegmentRow> {
  const row = isUuid(id) ? await segmentById(database.sql, id) : undefined
  if (!row) throw notFound('segment')
  return openOperands(database.keys.indexKey, row)
}

function answered(
  { description, tz, ...segment }: SegmentRow,
  count?: { total: number; counted: string },
): Segment {
  return {
    ...segment,
    ...(description !== null && { description }),
    ...(tz !== null && { tz }),
    ...(count && { total: count.total, counted: count.counted.slice(0, -1) }),
  }
}

/** References must exist, and must not lead back to the segment `id`. */
function checkReferences(filter: Filter, used: ReadonlyMap<string, StoredFilter>, id?: string): void {
  const leadsBack = (from: string): boolean =>
    from === id || referencesOf(used.get(from)?.filter ?? { any: [] }).some((each) => leadsBack(each.id))
  const errors = referencesOf(filter).flatMap(({ id: named, path }): RefusalError[] => {
    const place = pointer(['filter', ...path])
    if (named === id) return [{ pointer: place, code: 'cycle', detail: 'A segment cannot use itself.' }]
    if (!used.has(named))
      return [{ pointer: place, code: 'segment_not_found', detail: 'There is no segment with this id.' }]
    if (leadsBack(named))
      return [
        { pointer: place, code: 'cycle', detail: 'This segment uses the one that it is to be used in.' },
      ]
    return []
  })
  if (errors.length > 0) throw invalid(errors)
  const extent = extentOf(filter, used)
  if (isTooLarge(extent))
    throw invalid([
      {
        pointer: '/filter',
        code: 'too_large',
        detail: `With the segments that it uses this filter has ${extent.tests} tests, through ${extent.depth} segments in a row; at most ${maxInlinedTests} and ${maxReferenceDepth}.`,
      },
    ])
}

function isTooLarge({ tests, depth }: Extent): boolean {
  return tests > maxInlinedTests || depth > maxReferenceDepth
}

/** Who is in a segment, and even how many, tells the value that it asks for. */
async function refuseSensitive(
  handle: Handle,
  filter: Filter,
  used: ReadonlyMap<string, StoredFilter>,
  caller: Caller,
): Promise<void> {
  if (caller.scopes.has('sensitive:read')) return
  const keys = testedKeys([filter, ...[...used.values()].map((segment) => segment.filter)])
  if ((await sensitiveOf(handle, keys)).length > 0) throw insufficientScope(['sensitive:read'])
}

/** A test that no sealed value can pass would quietly leave out the very users whom it is about. */
async function refuseUnanswerable(handle: Handle, filter: Filter, clock: Clock): Promise<void> {
  const errors = propertyTests(filter).flatMap(({ entity: type, test, path }) => {
    const objection = sealedObjection(test, clock)
    return objection ? [{ type, key: test.key, path, ...objection }] : []
  })
  const sensitive = await sensitiveOf(handle, errors)
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

/** As many are named; the others stand in `GET /segments/{segment_id}/dependents`. */
const maxNamed = 20

function inUse(dependents: readonly { id: string; name: string }[], caller: Caller): Refusal {
  const mayRead = caller.scopes.has('segments:read')
  const named = dependents.slice(0, maxNamed)
  const more = dependents.length - named.length
  const names = `${named.map(({ name }) => `“${name}”`).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const detail = mayRead ? `These segments use it: ${names}.` : `Segments that use it: ${dependents.length}.`
  return new Refusal('segment_in_use', `${detail} Delete them first. Nothing was changed.`, {
    members: mayRead ? { dependents: named } : {},
  })
}
