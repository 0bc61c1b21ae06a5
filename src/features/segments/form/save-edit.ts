import type { Segment, SegmentWrite } from '#contract/index.ts'
import { api, ApiError, keyedWrites } from '../../../api/index.ts'
import { segmentBody, type Content, contentOf, type ContentKey, isSame, mergeContent } from './content.ts'
import { guardedWrite } from '../../../domain/writing/guarded-write.ts'
import { dependentsOf } from '../dependents.ts'
import { type SegmentReading, readSegment } from '../queries.ts'
import { everyPage } from '../../../api/every-page.ts'

/** Result of a save that created the new segment but left the old one, with the reason. */
export interface Both {
  readonly outcome: 'both'
  readonly id: string
  readonly content: Content
  readonly why: 'used' | 'differs' | 'unread' | 'failed'
  readonly dependents: readonly Segment[]
  readonly error?: ApiError
}

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
  readonly id: string
  /** Members that somebody else changed meanwhile and this edit did not touch. */
  readonly theirs: readonly ContentKey[]
}

interface SegmentWritePlan {
  readonly body: SegmentWrite
  readonly theirs: readonly ContentKey[]
}

export type SegmentSaveResult = Saved | Conflict | Both

/** Saves an edit. Throws the `ApiError` of a failure, after which the same edit may be saved again. */
export type SegmentSaver = (base: SegmentReading, mine: Content) => Promise<SegmentSaveResult>

/** Saves edits of one segment on a service that can change it. */
export function replacingSaver(): SegmentSaver {
  const write = keyedWrites()
  return (base, mine) => replace(write, base, mine)
}

/** Saves edits on a service that cannot change a segment: each edit creates a new segment, then deletes the old one. */
export function recreatingSaver(id: string, all: readonly Segment[]): SegmentSaver {
  const knownIds = new Set(all.map((each) => each.id))
  return (base, mine) => recreate(id, knownIds, base, mine)
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
      if (isSame(merge.merged, contentOf(now.segment))) return { done: { outcome: 'saved', id, theirs } }
      return { send: { body: segmentBody(merge.merged), theirs } }
    },
    requestOf: ({ body }) => body,
    send: ({ body }, guard) => api.replaceSegment({ params: { segment_id: id }, body, ...guard }),
  })
  if ('error' in written) throw written.error
  if (written.outcome === 'done') return written.result
  return { outcome: 'saved', id, theirs: written.attempt.plan.theirs }
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

async function recreate(
  id: string,
  knownIds: ReadonlySet<string>,
  base: SegmentReading,
  mine: Content,
): Promise<SegmentSaveResult> {
  const merge = mergeReading(base, mine, await readSegment(id))
  if ('outcome' in merge) return merge
  const content = merge.merged
  if (isSame(content, contentOf(base.segment))) return { outcome: 'saved', id, theirs: merge.theirs }
  // An earlier attempt may have succeeded although its answer was lost.
  const newId =
    (await findCreated(knownIds, content)) ??
    (await api.createSegment({ body: segmentBody(content) })).id ??
    (await findCreated(knownIds, content))
  if (newId === undefined) throw new ApiError({ status: 0, code: 'unreadable', outcomeUnknown: true })
  const end = await retire(id, newId, content)
  return end.outcome === 'both' ? end : { ...end, theirs: merge.theirs }
}

async function findCreated(knownIds: ReadonlySet<string>, content: Content): Promise<string | undefined> {
  const all = await everyPage((query) => api.listSegments({ query }))
  return all.find((each) => !knownIds.has(each.id) && isSame(contentOf(each), content))?.id
}

/** Deletes the old segment if the new one is stored as written and no other segment uses the old one. */
export async function retire(id: string, newId: string, content: Content): Promise<Saved | Both> {
  const both = (why: Both['why'], more: Partial<Both> = {}): Both => ({
    outcome: 'both',
    id: newId,
    content,
    why,
    dependents: [],
    ...more,
  })
  let step: Both['why'] = 'unread'
  try {
    if (!isSame(contentOf((await readSegment(newId)).segment), content)) return both('differs')
    const dependents = dependentsOf(id, await everyPage((query) => api.listSegments({ query })))
    if (dependents.length > 0) return both('used', { dependents })
    step = 'failed'
    await api.deleteSegment({ params: { segment_id: id } })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // A 404 of the deletion counts as success, because the old segment is gone. A 404 while reading means that the new
    // segment is missing.
    if (step === 'unread' || error.status !== 404) return both(step, { error })
  }
  return { outcome: 'saved', id: newId, theirs: [] }
}
