import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import type { Segment, SegmentWrite } from '#contract/index.ts'
import { api, ApiError, keyedWrites } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { QueryFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { segmentsQuery } from '../../domain/queries/segments.ts'
import { segmentName, segmentNamesById } from '../../domain/segments/names.ts'
import { conflictText, segmentEditText, segmentFormText } from '../../messages/index.ts'
import { listed } from '../../messages/listed.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { BackToSegments } from './BackToSegments.tsx'
import {
  type Content,
  type ContentKey,
  contentOf,
  isSame,
  mergeContent,
  segmentBody,
} from './form/content.ts'
import { creationFailure, SegmentForm } from './form/SegmentForm.tsx'
import {
  createSegment,
  editedSegmentQuery,
  forgetSegments,
  readSegment,
  type SegmentReading,
} from './queries.ts'
import { sentenceOf } from '../../domain/filters/sentence.ts'
import { ConflictDialog } from '../../domain/writing/ConflictDialog.tsx'
import { guardedWrite } from '../../domain/writing/guarded-write.ts'

interface ConflictQuestion {
  readonly conflict: Conflict
  readonly answer: (chosen: Content | undefined) => void
}

export function EditSegmentPage() {
  const { segmentId = '' } = useParams()
  return <EditSegment key={segmentId} id={segmentId} />
}

function EditSegment({ id }: { readonly id: string }) {
  const navigate = useNavigate()
  const denied = useDenied('segments:write')
  const { data: read } = useSuspenseQuery(editedSegmentQuery(id))
  const others = useQuery(segmentsQuery())
  const { data: segments = [], error } = others
  // The edit keeps its starting version, even if a newer one is read later.
  const [base] = useState(read)
  const { save, question, isGone } = useEdit(base)
  const { failed, lost, missing } = segmentEditText
  const reason = denied ?? (base.segment.filter === undefined ? segmentEditText.noFilter : undefined)

  return (
    <>
      <PageHeader
        above={<BackToSegments />}
        title={segmentEditText.title({ segment: segmentName(base.segment) })}
      />
      {error && segments.length === 0 && <QueryFailure title={segmentFormText.noSegments} query={others} />}
      {reason !== undefined ? (
        <EmptyState title={reason} underHeading />
      ) : (
        <SegmentForm
          id={id}
          segments={segments}
          start={contentOf(base.segment)}
          submit={isGone ? segmentFormText.submit : segmentEditText.submit}
          wordsFor={(error) => ({
            ...(isGone ? creationFailure(error) : { failed, lost }),
            missing,
          })}
          onSave={save}
          onCancel={() => void navigate(isGone ? links.segments() : links.segment(id))}
        />
      )}
      {question && <EditConflict segments={segments} {...question} />}
    </>
  )
}

/** Saves the edit, asks about conflicts, and recreates the segment if it was deleted. */
function useEdit(base: SegmentReading) {
  const { id } = base.segment
  const navigate = useNavigate()
  const client = useQueryClient()
  const [saver] = useState(segmentSaver)
  const [write] = useState(keyedWrites)
  const create = useMutation(createSegment(write))
  const [question, setQuestion] = useState<ConflictQuestion>()
  const [isGone, setGone] = useState(false)

  const ask = async (conflict: Conflict) => {
    const chosen = await new Promise<Content | undefined>((answer) => setQuestion({ conflict, answer }))
    setQuestion(undefined)
    return chosen
  }
  const leaveTo = (newId: string | undefined, message: string) => {
    showToast({ message })
    void navigate(newId === undefined ? links.segments() : links.segment(newId), { replace: true })
  }
  const change = async (body: SegmentWrite) => {
    let result = await saver(base, contentOf(body))
    while (result.outcome === 'conflict') {
      const chosen = await ask(result)
      if (!chosen) return undefined
      result = await saver(result.now, chosen)
    }
    const theirs = result.theirs.map((key) => segmentEditText.fields[key])
    const { saved, savedWith } = segmentEditText
    const said =
      theirs.length > 0
        ? savedWith({ segment: body.name, fields: listed(theirs) })
        : saved({ segment: body.name })
    return () => leaveTo(id, said)
  }
  const save = async (body: SegmentWrite) => {
    try {
      if (!isGone) return await change(body)
      const { id: newId } = await create.mutateAsync(body)
      return () => leaveTo(newId, segmentFormText.created({ segment: body.name }))
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) setGone(true)
      throw error
    } finally {
      await forgetSegments(client)
    }
  }
  return { save, question, isGone }
}

interface EditConflictProps {
  readonly conflict: Conflict
  readonly segments: readonly Segment[]
  /** Resolves the question with the content to save, or with undefined to return to the form. */
  readonly answer: (chosen: Content | undefined) => void
}

function EditConflict({ conflict, segments, answer }: EditConflictProps) {
  const { keys, base, mine, now } = conflict
  const theirs = contentOf(now.segment)
  const nameById = segmentNamesById(segments)
  const shown = (content: Content, key: ContentKey) => {
    const { tz } = content
    const value = key === 'filter' ? sentenceOf(content.filter, { tz, segmentName: nameById }) : content[key]
    return value === '' ? conflictText.empty : value
  }
  return (
    <ConflictDialog
      title={segmentEditText.conflict}
      on={conflict}
      questions={keys.map((key) => ({
        id: key,
        legend: segmentFormText[key === 'tz' ? 'zone' : key],
        mine: shown(mine, key),
        theirs: shown(theirs, key),
        before: shown(base, key),
      }))}
      onSave={(choices) => {
        const taken = keys.filter((key) => choices.get(key) === 'theirs')
        answer({ ...mine, ...Object.fromEntries(taken.map((key) => [key, theirs[key]])) })
      }}
      onClose={() => answer(undefined)}
    />
  )
}

interface Conflict {
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
function segmentSaver() {
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
