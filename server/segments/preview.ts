import { previewSampleSize } from '#contract/index.ts'
import type { SealedGate } from '../events/sealed-gate.ts'
import type { Caller } from '../http/auth/caller.ts'
import type { Database } from '../sealing/database.ts'
import { segmentPage } from '../users/storage.ts'
import { findBy } from './conditions.ts'
import { countFirst, countUsers } from './counts.ts'
import type { UnsavedFilter } from './rules.ts'

/** In which a preview answers, whatever it has found by then: counting, and the users that it shows. */
const previewMs = 250
/** Share of the preview's time for a full count. The rest is for a partial count, as "at least n". */
const wholeShare = 0.6

/** Makes the answer of `previewSegment` as JSON text: the users of a filter that is still being edited. */
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

/** The users are JSON text already. */
const toPreview = (total: number, atLeast: boolean, users = '[]') => ({
  answer: `{"total":${total},"atLeast":${atLeast},"users":${users}}`,
  users: total,
})
