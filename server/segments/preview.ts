import { previewSampleSize } from '#contract/index.ts'
import type { SealedGate } from '../events/sealed-gate.ts'
import type { Caller } from '../http/auth/caller.ts'
import type { Database } from '../sealing/database.ts'
import { segmentPage } from '../users/storage.ts'
import { findBy } from './conditions.ts'
import { countFirst, countUsers } from './counts.ts'
import type { UnsavedFilter } from './rules.ts'

/** Time limit of a preview, including the count and the shown users; it answers with whatever it has found by then. */
const previewMs = 250
/** Share of the remaining time that a full count gets. The rest is for a partial count, shown as "at least n". */
const wholeShare = 0.6

/**
 * Returns a function that answers `previewSegment` as JSON text: the users that a filter finds while it is still being
 * edited.
 */
export function previewer(
  database: Database,
  gate: SealedGate,
): (given: UnsavedFilter, caller: Caller) => Promise<string> {
  return (given, caller) =>
    findBy(database, given, { caller, gate, by: 'preview' }, async (segment) => {
      const untilMs = performance.now() + previewMs
      const left = () => Math.max(1, Math.ceil(untilMs - performance.now()))
      const users = await database.within(left(), (handle) =>
        segmentPage(handle, segment, { atMost: previewSampleSize }),
      )
      if (users && !users.more) return toPreview(users.count, false, users.json)
      const all = await countUsers(database, segment.where(), { limitMs: Math.ceil(left() * wholeShare) })
      if (all !== undefined) return toPreview(all, false, users?.json)
      const some = await countFirst(database, segment.oneByOne(), left)
      return toPreview(Math.max(some, users ? users.count + 1 : 0), true, users?.json)
    })
}

/** Builds the answer; the users are already JSON text. */
const toPreview = (total: number, atLeast: boolean, users = '[]') => ({
  answer: `{"total":${total},"atLeast":${atLeast},"users":${users}}`,
  users: total,
})
