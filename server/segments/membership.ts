import type { Kysely, Transaction } from 'kysely'

import {
  filter as filterSchema,
  isTimeZone,
  type Judged,
  type Filter,
  type Membership,
} from '#contract/index.ts'
import type { Caller } from '../caller.ts'
import type { Database, Tables } from '../database.ts'
import { accessesOf, recordAccesses, type SensitiveReads, showsValues } from '../events/accesses.ts'
import { judge, type JudgeContext } from './judge.ts'
import { referencesOf, type TestedKey, testedKeys } from './references.ts'
import { maskOperands, openOperands, operandKeys } from './sealed-operands.ts'
import { allSegments, everSensitiveOf, type SegmentRow, sensitiveOf, subjectById } from './storage.ts'

/**
 * All segments, oldest first, and whether a user is in them; `undefined`: there is no such user. `member` is null where
 * the answer would tell a sensitive value that the caller may not read, and where the filter cannot be evaluated.
 */
export async function membershipsOf(
  { sql: database, keys: { indexKey } }: Pick<Database, 'sql' | 'keys'>,
  user: string,
  caller: Caller,
  { explain, sensitiveReads }: { explain: boolean; sensitiveReads?: SensitiveReads | undefined },
): Promise<Membership[] | undefined> {
  const subject = await subjectById(database, user)
  if (!subject) return undefined
  const { rows, usable } = await openSegments(database, indexKey)
  const withheld = await withheldOf(database, usable, showsValues(caller, {}, sensitiveReads))
  const context = { segments: usable, indexKey, now: new Date() }
  const judged = new Map<string, Judged>()
  for (const [id, row] of usable)
    if (!withheld.has(id)) judged.set(id, judge(row.filter, subject, contextOf(row, context)))
  if (explain) await recordAccesses(database, caller, accessesOf(user.toLowerCase(), [...judged.values()]))
  return rows.map((row) => answered(row, judged.get(row.id), explain))
}

function answered({ id, name }: SegmentRow, why: Judged | undefined, explain: boolean): Membership {
  return { id, name, member: why?.pass ?? null, ...(explain && why && { why }) }
}

function contextOf({ tz }: SegmentRow, context: Omit<JudgeContext, 'tz'>): JudgeContext {
  return { ...context, tz: tz ?? 'UTC' }
}

/** All segments, oldest first, and by their ids those that can be evaluated. */
export async function openSegments(
  database: Kysely<Tables> | Transaction<Tables>,
  indexKey: () => Buffer,
): Promise<{ rows: SegmentRow[]; usable: ReadonlyMap<string, SegmentRow> }> {
  const stored = await allSegments(database)
  const rows = stored.map((row) => openOperands(indexKey, row))
  return { rows, usable: new Map(rows.filter(isUsable).map((row) => [row.id, row])) }
}

/** Stored by other means than ours it may be anything. */
function isUsable({ filter, tz }: SegmentRow): boolean {
  return filterSchema.safeParse(structuredClone(filter)).success && (tz === null || isTimeZone(tz))
}

/** Segments as a caller may see them: without `sensitive:read` what sensitive properties are compared with is masked. */
export async function shownTo(
  database: Kysely<Tables>,
  caller: Caller,
  rows: readonly SegmentRow[],
): Promise<readonly SegmentRow[]> {
  if (caller.scopes.has('sensitive:read')) return rows
  const keys = new Map(rows.flatMap((row) => operandKeys(row.filter)).map((key) => [nameOf(key), key]))
  const hidden = new Set((await everSensitiveOf(database, [...keys.values()])).map(nameOf))
  return rows.map((row) => ({
    ...row,
    filter: maskOperands(row.filter, (key) => hidden.has(nameOf(key))),
  }))
}

/** The segments of which a caller may not know who is in them. */
export async function withheldOf(
  database: Kysely<Tables>,
  segments: ReadonlyMap<string, SegmentRow>,
  showsAll: boolean,
): Promise<ReadonlySet<string>> {
  if (showsAll) return new Set()
  const all = new Map<string, TestedKey>()
  const keysOf = Array.from(segments.keys(), (id) => {
    const keys = testedKeys(withUsed(id, segments))
    for (const key of keys) all.set(nameOf(key), key)
    return [id, keys.map(nameOf)] as const
  })
  const sensitive = new Set((await sensitiveOf(database, [...all.values()])).map(nameOf))
  return new Set(keysOf.flatMap(([id, keys]) => (keys.some((key) => sensitive.has(key)) ? [id] : [])))
}

const nameOf = ({ type, key }: TestedKey) => JSON.stringify([type, key])

/** The filters of a segment and of all that it uses. */
function withUsed(id: string, segments: ReadonlyMap<string, SegmentRow>): Filter[] {
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
