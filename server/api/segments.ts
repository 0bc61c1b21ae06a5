import { type Segment, segmentsPerPage } from '#contract/index.ts'
import { canonical } from '../entities/properties.ts'
import { distinctKeys, type TestedKey } from '../events/sealed-gate.ts'
import { recordEvent } from '../events/storage.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { notFound } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import { entityTag } from '../http/headers/etag.ts'
import { conditionOf, openSegment } from '../segments/conditions.ts'
import { explain } from '../segments/explanation.ts'
import { isUsable, loadFilter } from '../segments/facts.ts'
import {
  maskSegments,
  membershipsOf,
  segmentList,
  segmentsTesting,
  testedKeys,
} from '../segments/membership.ts'
import { previewer } from '../segments/preview.ts'
import { inUse, readSegment, refuseTooLargeUsers } from '../segments/rules.ts'
import { openOperands, operandKeys, sealOperands } from '../segments/sealed-operands.ts'
import { hideSizes, sizesOf } from '../segments/sizes.ts'
import {
  deleteSegment,
  dependentsOf,
  everSensitiveOf,
  insertSegment,
  lockReferences,
  lockSegment,
  type SegmentRow,
  updateSegment,
} from '../segments/storage.ts'
import { newId } from '../store/new-id.ts'
import type { Needs } from './needs.ts'

/** Age at which a count in the segment list is repeated in the background; the list shows each count with its time. */
const listedFreshMs = 300_000

export function segmentHandlers({
  database,
  searches,
  counts,
  gate,
  additions,
}: Needs): Handlers<
  | 'listSegments'
  | 'createSegment'
  | 'getSegment'
  | 'deleteSegment'
  | 'listUserSegments'
  | 'explainUser'
  | 'replaceSegment'
  | 'previewSegment'
  | 'listSegmentHistory'
  | 'listDependents'
> {
  const { indexKey, secrets } = database.keys
  const etagOf = ({ id, name, description, filter, tz }: SegmentRow) =>
    entityTag(secrets.etag, [id, name, description, canonical(filter), tz])
  const preview = previewer(searches, gate)
  /** Records that operands and counts are shown. They identify no user, so the number of users is 0. */
  const recordShown = (caller: Caller, keys: readonly TestedKey[], segment?: string) =>
    gate.record(database.sql, { caller, by: 'segment', segment }, distinctKeys(keys), 0)
  return {
    listSegments: ({ query: { offset }, caller }) =>
      segmentList(database, offset, async ({ rows, usable }) => {
        const compared = rows.flatMap(({ filter }) => operandKeys(filter))
        // Includes keys that are no longer sensitive: an operand, or a user behind a cached count, may have been
        // deleted since, along with the last such property.
        const keys = distinctKeys(compared, additions ? testedKeys(usable) : [])
        const sealed = await everSensitiveOf(database.sql, keys)
        const shown = gate.shows(caller) ? rows : maskSegments(rows, sealed)
        if (gate.shows(caller)) await recordShown(caller, sealed)
        if (!additions) return shown.map((row) => toSegment(row))
        const withheld = segmentsTesting(usable, gate.shows(caller) ? [] : sealed)
        return shown.map((row) => {
          const facts = usable.get(row.id)
          if (withheld.has(row.id) || !facts) return toSegment(row)
          const { name } = facts
          // The segment picker on every page of users reads this list, so counts are not refreshed on every read.
          counts.refresh(name, () => conditionOf(facts, database).where(), {
            stillFreshMs: listedFreshMs,
            sizeOf: { segments: [row.id], keys: facts.keys },
          })
          return toSegment(row, counts.lastCount(name))
        })
      }),

    async createSegment({ body, caller, baseUrl, write }) {
      const id = newId()
      return await write(async (transaction) => {
        const segment = { ...(await readSegment(transaction, indexKey, id, body, caller)), id }
        await insertSegment(transaction, { ...segment, filter: sealOperands(indexKey, segment) })
        await recordEvent(transaction, 'SEGMENT_CREATED', { segment: id, actor: caller.subject })
        return { status: 201, location: `${baseUrl}/segments/${id}` }
      })
    },

    async getSegment({ params: { segment_id: id }, caller }) {
      const row = await openSegment(database, id)
      const sealed = await everSensitiveOf(database.sql, distinctKeys(operandKeys(row.filter)))
      const [shown = row] = gate.shows(caller) ? [row] : maskSegments([row], sealed)
      if (gate.shows(caller)) await recordShown(caller, sealed, row.id)
      return { status: 200, body: toSegment(shown), etag: etagOf(row) }
    },

    async deleteSegment({ params: { segment_id: id }, caller, write, requireUnchanged }) {
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

    async listUserSegments({ params: { user_id: user }, query, caller }) {
      const explain = query.explain === 'true'
      // An explanation shows the values that the tests found.
      if (explain) requireScopes(caller, ['entities:read'])
      const options = { explain, offset: query.offset }
      const memberships = await membershipsOf(searches, user, { caller, gate }, options)
      if (!memberships) throw notFound('user')
      return memberships
    },

    async explainUser({ params: { user_id: user }, body, caller }) {
      const explanation = await explain(searches, user, body, { caller, gate })
      if (!explanation) throw notFound('user')
      return { status: 200, body: explanation }
    },

    async replaceSegment({ params: { segment_id }, body, caller, write, requireUnchanged }) {
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
        if (isUsable(before)) {
          const { keys } = await loadFilter(transaction, indexKey, before)
          await hideSizes(transaction, before.id, keys)
        }
        await recordEvent(transaction, 'SEGMENT_UPDATED', {
          segment: before.id,
          actor: caller.subject,
        })
        return { status: 204 }
      })
    },

    async previewSegment({ body, caller }) {
      return { status: 200, json: await preview(body, caller) }
    },

    listSegmentHistory: ({ query: { offset }, caller }) =>
      segmentList(database, offset, async ({ rows, usable }) => {
        const sealed = await everSensitiveOf(database.sql, testedKeys(usable))
        const showsAll = gate.shows(caller)
        if (showsAll) await recordShown(caller, sealed)
        const withheld = segmentsTesting(usable, showsAll ? [] : sealed)
        const shown = rows.map(({ id }) => id).filter((id) => !withheld.has(id))
        const sizes = await sizesOf(database.sql, shown, { showsAll })
        return rows.map(({ id }) => ({ id, sizes: [...(sizes.get(id) ?? [])] }))
      }),

    async listDependents({ params: { segment_id: id } }) {
      const { id: segment } = await openSegment(database, id)
      return { status: 200, body: await dependentsOf(database.sql, segment, segmentsPerPage) }
    },
  }
}

function toSegment(
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
