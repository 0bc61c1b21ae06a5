import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import type { SegmentWrite } from '#contract/index.ts'
import { api, ApiError, keyedWrites } from '../../api/index.ts'
import { sentenceOf } from '../../domain/filters/sentence.ts'
import { links } from '../../domain/links.ts'
import { segmentsQuery } from '../../domain/queries/segments.ts'
import { segmentName, segmentNamesById } from '../../domain/segments/names.ts'
import { ConflictDialog } from '../../domain/writing/ConflictDialog.tsx'
import { guardedWrite, type Merged } from '../../domain/writing/guarded-write.ts'
import { conflictText, segmentEditText, segmentFormText } from '../../messages/index.ts'
import { listNames } from '../../messages/listed.ts'
import { showToast } from '../../ui/toast.tsx'
import {
  type Content,
  type ContentKey,
  contentOf,
  isSame,
  type Merge,
  mergeContent,
  segmentBody,
} from './form/content.ts'
import { creationFailure, SegmentFormPage } from './form/SegmentForm.tsx'
import { createSegment, editedSegmentQuery, readSegment, type SegmentReading } from './queries.ts'

interface ConflictQuestion {
  readonly conflict: Conflict
  /** Resolves the question with the content to save, or with undefined to return to the form. */
  readonly answer: (chosen: Content | undefined) => void
}

export function EditSegmentPage() {
  const { segmentId = '' } = useParams()
  return <EditSegment key={segmentId} id={segmentId} />
}

function EditSegment({ id }: { readonly id: string }) {
  const navigate = useNavigate()
  const { data: read } = useSuspenseQuery(editedSegmentQuery(id))
  // The edit keeps its starting version, even if a newer one is read later.
  const [base] = useState(read)
  const { save, question, isGone } = useEdit(base)
  const { failed, lost, missing } = segmentEditText

  return (
    <>
      <SegmentFormPage
        title={segmentEditText.title({ segment: segmentName(base.segment) })}
        original={base.segment}
        id={id}
        start={contentOf(base.segment)}
        submit={isGone ? segmentFormText.submit : segmentEditText.submit}
        wordsFor={(error) => ({
          ...(isGone ? creationFailure(error) : { failed, lost }),
          missing,
        })}
        onSave={save}
        onCancel={() => void navigate(isGone ? links.segments() : links.segment(id))}
      />
      {question && <EditConflict {...question} />}
    </>
  )
}

/** Saves the edit, asks about conflicts, and recreates the segment if it was deleted. */
function useEdit(base: SegmentReading) {
  const { id } = base.segment
  const navigate = useNavigate()
  const [write] = useState(keyedWrites)
  const create = useMutation(createSegment(write))
  const [question, setQuestion] = useState<ConflictQuestion>()
  const [isGone, setGone] = useState(false)

  const leaveTo = (newId: string | undefined, message: string) => {
    showToast({ message })
    void navigate(newId === undefined ? links.segments() : links.segment(newId), { replace: true })
  }
  const change = async (body: SegmentWrite) => {
    let result = await saveEdit(write, base, contentOf(body))
    while ('conflict' in result) {
      const { conflict } = result
      const chosen = await new Promise<Content | undefined>((answer) => setQuestion({ conflict, answer }))
      setQuestion(undefined)
      if (!chosen) return undefined
      result = await saveEdit(write, conflict.now, chosen)
    }
    const fields = result.theirs.map((key) => segmentEditText.fields[key])
    const { saved, savedWith } = segmentEditText
    const segment = body.name
    const said = fields.length > 0 ? savedWith({ segment, fields: listNames(fields) }) : saved({ segment })
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
    }
  }
  return { save, question, isGone }
}

function EditConflict({ conflict, answer }: ConflictQuestion) {
  const { conflicts, base, merged, now } = conflict
  // Only the names that the form has read; the dialog asks for nothing.
  const { data: segments = [] } = useQuery({ ...segmentsQuery(), enabled: false })
  const theirs = contentOf(now.segment)
  const nameById = segmentNamesById(segments)
  const show = (content: Content, key: ContentKey) => {
    const { tz } = content
    const value = key === 'filter' ? sentenceOf(content.filter, { tz, segmentName: nameById }) : content[key]
    return value === '' ? conflictText.empty : value
  }
  return (
    <ConflictDialog
      title={segmentEditText.conflict({ segment: base.name })}
      on={conflict}
      questions={conflicts.map((key) => ({
        id: key,
        legend: segmentFormText[key === 'tz' ? 'zone' : key],
        mine: show(merged, key),
        theirs: show(theirs, key),
        before: show(base, key),
      }))}
      onSave={(choices) => {
        const taken = conflicts.filter((key) => choices.get(key) === 'theirs')
        answer({ ...merged, ...Object.fromEntries(taken.map((key) => [key, theirs[key]])) })
      }}
      onClose={() => answer(undefined)}
    />
  )
}

interface Conflict extends Merge {
  readonly base: Content
  readonly now: SegmentReading
}

type SaveResult = Pick<Merge, 'theirs'> | { readonly conflict: Conflict }

/** Saves an edit of a segment. Throws the `ApiError` of a failure, after which the same edit may be saved again. */
async function saveEdit(write: ReturnType<typeof keyedWrites>, base: SegmentReading, mine: Content) {
  const { id } = base.segment
  const before = contentOf(base.segment)
  const written = await guardedWrite({
    write,
    base,
    read: () => readSegment(id),
    tag: ({ etag }) => etag,
    merge: (now): Merged<Merge, SaveResult> => {
      const current = contentOf(now.segment)
      const merge = mergeContent(before, mine, current)
      if (merge.conflicts.length > 0) return { done: { conflict: { ...merge, base: before, now } } }
      return isSame(merge.merged, current) ? { done: merge } : { send: merge }
    },
    requestOf: ({ merged }) => segmentBody(merged),
    send: ({ merged }, guard) =>
      api.replaceSegment({ params: { segment_id: id }, body: segmentBody(merged), ...guard }),
  })
  if ('error' in written) throw written.error
  return written.outcome === 'done' ? written.result : written.attempt.plan
}
