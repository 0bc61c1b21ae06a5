import type { SegmentWrite } from '#contract/index.ts'
import { api, keyedWrites } from '../../../api/index.ts'
import { segmentBody, type Content, contentOf, type ContentKey, isSame, mergeContent } from './content.ts'
import { guardedWrite } from '../../../domain/writing/guarded-write.ts'
import { type SegmentReading, readSegment } from '../queries.ts'

export interface Conflict {
  readonly outcome: 'conflict'
  readonly keys: readonly ContentKey[]
  readonly base: Content
  /** Own content, merged with the members that only the other side changed. */
  readonly mine: Content
  readonly now: SegmentReading
}

interface Saved {
  readonly outcome: 'saved'
  /** Members that somebody else changed meanwhile and this edit did not touch. */
  readonly theirs: readonly ContentKey[]
}

interface SegmentWritePlan {
  readonly body: SegmentWrite
  readonly theirs: readonly ContentKey[]
}

type SegmentSaveResult = Saved | Conflict

/**
 * Returns a function that saves edits of one segment. It throws the `ApiError` of a failure, after which the same edit
 * may be saved again.
 */
export function segmentSaver() {
  const write = keyedWrites()
  return (base: SegmentReading, mine: Content) => replace(write, base, mine)
}

async function replace(
  write: ReturnType<typeof keyedWrites>,
  base: SegmentReading,
  mine: Content,
): Promise<SegmentSaveResult> {
  const { id } = base.segment
  const written = await guardedWrite<SegmentReading, SegmentWritePlan, unknown, SegmentSaveResult>({
    write,
    base,
    read: () => readSegment(id),
    tag: ({ etag }) => etag,
    merge: (now) => {
      const merge = mergeReading(base, mine, now)
      if ('outcome' in merge) return { done: merge }
      const { theirs } = merge
      if (isSame(merge.merged, contentOf(now.segment))) return { done: { outcome: 'saved', theirs } }
      return { send: { body: segmentBody(merge.merged), theirs } }
    },
    requestOf: ({ body }) => body,
    send: ({ body }, guard) => api.replaceSegment({ params: { segment_id: id }, body, ...guard }),
  })
  if ('error' in written) throw written.error
  if (written.outcome === 'done') return written.result
  return { outcome: 'saved', theirs: written.attempt.plan.theirs }
}

function mergeReading(base: SegmentReading, mine: Content, now: SegmentReading) {
  const before = contentOf(base.segment)
  const merge = mergeContent(before, mine, contentOf(now.segment))
  if (merge.conflicts.length === 0) return merge
  return {
    outcome: 'conflict',
    keys: merge.conflicts,
    base: before,
    mine: merge.merged,
    now,
  } satisfies Conflict
}
