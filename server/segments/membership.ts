import { setImmediate } from 'node:timers/promises'

import { validate as isUuid } from 'uuid'

import {
  filter as filterSchema,
  isTimeZone,
  type Judged,
  type Filter,
  type Membership,
  segmentsPerPage,
} from '#contract/index.ts'
import {
  accessesOf,
  distinctKeys,
  collectSealedKeys,
  nameOfKey,
  type SealedGate,
  type TestedKey,
} from '../events/sealed-gate.ts'
import type { Caller } from '../http/auth/caller.ts'
import { inParts } from '../http/list-parts.ts'
import type { Database } from '../sealing/database.ts'
import type { Handle } from '../store/sql.ts'
import type { StoredFilter } from './sql/filter-sql.ts'
import { evaluate, type EvaluationContext } from './evaluation/evaluate.ts'
import { referencesOf, collectTestedKeys } from './references.ts'
import { maskOperands, openOperands, operandKeys } from './sealed-operands.ts'
import {
  everSensitiveOf,
  filtersById,
  segmentsAfter,
  type SegmentRow,
  subjectById,
  sensitiveOf,
} from './storage.ts'
import type { IndexKey } from '../sealing/data-keys.ts'

/** Segments that are opened, evaluated and answered at a time. */
const segmentsAtOnce = 50

/** A batch of segments, oldest first. */
interface OpenSegments {
  readonly rows: readonly SegmentRow[]
  /** Filters that can be evaluated, by segment id: those of this batch and of the segments that they use. */
  readonly usable: ReadonlyMap<string, StoredFilter>
}

/** Answers a page of the list of segments; `answer` makes each part of it. */
export async function segmentList<Entry>(
  { sql: database, keys: { indexKey } }: Pick<Database, 'sql' | 'keys'>,
  offset: string | undefined,
  answer: (segments: OpenSegments) => Promise<Entry[]>,
) {
  let left = segmentsPerPage
  const listed = await inParts(async (after = offset) => {
    const atMost = Math.min(left, segmentsAtOnce)
    const stored = await segmentsAfter(database, after, atMost)
    left -= stored.length
    const rows = stored.map((row) => openOperands(indexKey, row))
    const fit = rows.filter(isUsable)
    const used = await findUsedSegments(database, indexKey, fit)
    const usable = new Map<string, StoredFilter>([...used, ...fit.map((row) => [row.id, row] as const)])
    const next = left > 0 && stored.length === atMost ? stored.at(-1)?.id : undefined
    return { entries: await answer({ rows, usable }), next }
  })
  return listed ?? { status: 200 as const, body: [] }
}

/**
 * Lists segments, oldest first, and whether a user is in each; returns `undefined` if there is no such user. `member`
 * is null if it would reveal a sensitive value that the caller may not read, or if the filter cannot be evaluated.
 */
export async function membershipsOf(
  database: Pick<Database, 'sql' | 'keys'>,
  user: string,
  { caller, gate }: { readonly caller: Caller; readonly gate: SealedGate },
  { explain, offset }: { readonly explain: boolean; readonly offset?: string | undefined },
) {
  const subject = await subjectById(database.sql, user)
  if (!subject) return undefined
  const now = new Date()
  return await segmentList(database, offset, async ({ rows, usable }): Promise<Membership[]> => {
    const showsAll = gate.shows(caller)
    const withheld = showsAll ? none : await findSealedBySegment(database.sql, usable)
    // `why` reveals the operands of a segment. Even if nobody has the sensitive property any more, they may be values
    // of a deleted user.
    const unexplained =
      explain && !showsAll ? await findSealedBySegment(database.sql, usable, everSensitiveOf) : withheld
    const context = { segments: usable, indexKey: database.keys.indexKey, terms: new Map(), now }
    const memberships = []
    const told = []
    for (const row of rows) {
      const judged =
        usable.has(row.id) && !withheld.has(row.id)
          ? evaluate(row.filter, subject, contextOf(row, context))
          : undefined
      memberships.push(toMembership(row, judged, explain && !unexplained.has(row.id)))
      if (judged) told.push(judged)
      // A single segment may take 50 ms for a user with much data, so other requests run in between.
      await setImmediate()
    }
    const about = user.toLowerCase()
    const question = { caller, by: 'membership', user: about } as const
    if (explain) await gate.recordAccesses(database.sql, caller, accessesOf(about, told))
    else await gate.record(database.sql, question, distinctKeys(collectSealedKeys(told)), 1)
    return memberships
  })
}

function toMembership({ id, name }: SegmentRow, why: Judged | undefined, explain: boolean): Membership {
  return { id, name, member: why?.pass ?? null, ...(explain && why && { why }) }
}

function contextOf({ tz }: SegmentRow, context: Omit<EvaluationContext, 'tz'>): EvaluationContext {
  return { ...context, tz: tz ?? 'UTC' }
}

/**
 * Returns the segments that filters refer to, directly or through others; omits segments that are missing or have no
 * valid filter.
 */
export async function findUsedSegments(
  handle: Handle,
  indexKey: IndexKey,
  named: readonly Pick<StoredFilter, 'filter'>[],
  options: { keep?: boolean } = {},
): Promise<ReadonlyMap<string, StoredFilter>> {
  const found = new Map<string, StoredFilter>()
  const asked = new Set<string>()
  for (let holders = named; holders.length > 0;) {
    const all = holders.flatMap(({ filter }) => referencesOf(filter).map(({ id }) => id))
    const ids = [...new Set(all)].filter((id) => isUuid(id) && !asked.has(id))
    if (ids.length === 0) break
    for (const id of ids) asked.add(id)
    const stored = await filtersById(handle, ids, options)
    const rows = stored.map((row) => openOperands(indexKey, row)).filter(isUsable)
    for (const row of rows) found.set(row.id, row)
    holders = rows
  }
  return found
}

/** Whether a stored filter is valid. One that was not stored through our API may be anything. */
export function isUsable({ filter, tz }: StoredFilter): boolean {
  return filterSchema.safeParse(structuredClone(filter)).success && (tz === null || isTimeZone(tz))
}

/** Masks the operands that segments compare with properties that are or were sensitive; returns these properties. */
export async function maskSegments(
  database: Handle,
  rows: readonly SegmentRow[],
): Promise<{ readonly masked: readonly SegmentRow[]; readonly keys: readonly TestedKey[] }> {
  const keys = await everSensitiveOf(database, distinctKeys(rows.flatMap((row) => operandKeys(row.filter))))
  const hidden = new Set(keys.map(nameOfKey))
  const masked = rows.map((row) => ({
    ...row,
    filter: maskOperands(row.filter, (key) => hidden.has(nameOfKey(key))),
  }))
  return { masked, keys }
}

const none: ReadonlyMap<string, readonly TestedKey[]> = new Map()

/** Returns the segments whose membership reveals a sensitive value, each with the sensitive properties it tests. */
export async function findSealedBySegment(
  database: Handle,
  segments: ReadonlyMap<string, StoredFilter>,
  /** Function that finds sensitive keys: those that are sensitive now, or that ever were. */
  among: typeof sensitiveOf = sensitiveOf,
): Promise<ReadonlyMap<string, readonly TestedKey[]>> {
  const named = Array.from(segments.keys(), (id) => [id, keysOf(id, segments)] as const)
  const found = await among(database, distinctKeys(...named.map(([, keys]) => keys)))
  const sensitive = new Set(found.map(nameOfKey))
  return new Map(
    named.flatMap(([id, keys]) => {
      const sealed = keys.filter((key) => sensitive.has(nameOfKey(key)))
      return sealed.length > 0 ? [[id, sealed]] : []
    }),
  )
}

/** Returns the properties that decide who is in a segment. */
export function keysOf(id: string, segments: ReadonlyMap<string, StoredFilter>): readonly TestedKey[] {
  return collectTestedKeys(withUsed(id, segments))
}

/** Returns the filters of a segment and of all segments that it uses. */
function withUsed(id: string, segments: ReadonlyMap<string, StoredFilter>): Filter[] {
  const ids = new Set([id])
  const filters: Filter[] = []
  for (const each of ids) {
    const segment = segments.get(each)
    if (!segment) continue
    filters.push(segment.filter)
    for (const used of referencesOf(segment.filter)) ids.add(used.id)
  }
  return filters
}
