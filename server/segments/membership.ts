import { setImmediate } from 'node:timers/promises'

import { type Judged, type Membership, segmentsPerPage } from '#contract/index.ts'
import {
  accessesOf,
  collectSealedKeys,
  distinctKeys,
  nameOfKey,
  type SealedGate,
  type TestedKey,
} from '../events/sealed-gate.ts'
import type { Caller } from '../http/auth/caller.ts'
import { inParts } from '../http/list-parts.ts'
import type { Database } from '../sealing/database.ts'
import { evaluate } from './evaluation/evaluate.ts'
import { type FilterFacts, isUsable, loadFilters } from './facts.ts'
import { maskOperands, openOperands } from './sealed-operands.ts'
import { everSensitiveOf, segmentsAfter, type SegmentRow, sensitiveOf, subjectById } from './storage.ts'

/** Segments that are opened, evaluated and answered at a time. */
const segmentsAtOnce = 50

/** A batch of segments, oldest first. */
interface OpenSegments {
  readonly rows: readonly SegmentRow[]
  /** Facts of the filters that can be evaluated, by segment id. */
  readonly usable: SegmentFacts
}

type SegmentFacts = ReadonlyMap<string, FilterFacts>

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
    const facts = await loadFilters(database, indexKey, rows.filter(isUsable))
    const usable = new Map(Array.from(facts, ([{ id }, each]) => [id, each]))
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
  const { sql: handle, keys } = database
  const subject = await subjectById(handle, user)
  if (!subject) return undefined
  const now = new Date()
  return await segmentList(database, offset, async ({ rows, usable }): Promise<Membership[]> => {
    const showsAll = gate.shows(caller)
    const tested = showsAll ? [] : testedKeys(usable)
    const sealed = await sensitiveOf(handle, tested)
    // `why` reveals the operands of a segment. Even if nobody has the sensitive property any more, they may be values
    // of a deleted user.
    const everSealed = explain ? await everSensitiveOf(handle, tested, sealed) : sealed
    const [withheld, unexplained] = [segmentsTesting(usable, sealed), segmentsTesting(usable, everSealed)]
    const terms = new Map()
    const memberships = []
    const evaluated = []
    for (const row of rows) {
      const facts = withheld.has(row.id) ? undefined : usable.get(row.id)
      const context = { indexKey: keys.indexKey, terms, now, tz: row.tz ?? 'UTC' }
      const judged = facts && evaluate(facts.filter, subject, { ...context, segments: facts.used })
      memberships.push(toMembership(row, judged, explain && !unexplained.has(row.id)))
      if (judged) evaluated.push(judged)
      // A single segment may take 50 ms for a user with much data, so other requests run in between.
      await setImmediate()
    }
    const about = user.toLowerCase()
    const question = { caller, by: 'membership', user: about } as const
    if (explain) await gate.recordAccesses(handle, caller, accessesOf(about, evaluated))
    else await gate.record(handle, question, distinctKeys(collectSealedKeys(evaluated)), 1)
    return memberships
  })
}

function toMembership({ id, name }: SegmentRow, why: Judged | undefined, explain: boolean): Membership {
  return { id, name, member: why?.pass ?? null, ...(explain && why && { why }) }
}

/** Masks the operands that segments compare with these properties. */
export function maskSegments(
  rows: readonly SegmentRow[],
  masked: readonly TestedKey[],
): readonly SegmentRow[] {
  const names = new Set(masked.map(nameOfKey))
  return rows.map((row) => ({ ...row, filter: maskOperands(row.filter, (key) => names.has(nameOfKey(key))) }))
}

/** Returns the properties that decide who is in segments, without duplicates. */
export const testedKeys = (segments: SegmentFacts) =>
  distinctKeys(...Array.from(segments.values(), ({ keys }) => keys))

/** Returns the segments whose members some of these properties decide, each with those properties. */
export function segmentsTesting(
  segments: SegmentFacts,
  among: readonly TestedKey[],
): ReadonlyMap<string, readonly TestedKey[]> {
  const names = new Set(among.map(nameOfKey))
  const found = new Map<string, readonly TestedKey[]>()
  for (const [id, { keys }] of segments) {
    const tested = keys.filter((key) => names.has(nameOfKey(key)))
    if (tested.length > 0) found.set(id, tested)
  }
  return found
}
