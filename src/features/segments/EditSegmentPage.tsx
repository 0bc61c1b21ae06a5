import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import type { SegmentWrite } from '#contract/index.ts'
import { api, ApiError, keyedWrites, offers } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { segmentEditText, segmentText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { BackToSegments } from './BackToSegments.tsx'
import { type Content, contentOf } from './form/content.ts'
import { forgetSegments, editedSegmentQuery } from './queries.ts'
import { nameOf } from '../../domain/segments/names.ts'
import { notCreated, SegmentForm } from './form/SegmentForm.tsx'
import { segmentsQuery } from '../../domain/queries/segments.ts'
import { type Both, type Conflict, type SaveResult, segmentSaver } from './form/save-edit.ts'
import { BothThere, IdWillChange } from './form/Recreation.tsx'

// Seldom needed, and fetched behind the form, so that nothing typed hangs on it.
const loadConflict = () => import('./form/EditConflict.tsx')
const EditConflict = lazy(async () => ({ default: (await loadConflict()).EditConflict }))

interface Question {
  readonly conflict: Conflict
  readonly answer: (chosen: Content | undefined) => void
}

/** A segment in the form. The service keeps its id; where it cannot, a new one takes its place. */
export function EditSegmentPage() {
  const { segmentId = '' } = useParams()
  useEffect(() => void loadConflict().catch(() => undefined), [])
  return <Edit key={segmentId} id={segmentId} />
}

function Edit({ id }: { readonly id: string }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const denied = useDenied('segments:write')
  const { data: read } = useSuspenseQuery(editedSegmentQuery(id))
  const { data: segments } = useSuspenseQuery(segmentsQuery())
  // Whatever is read later: this is what is edited.
  const [base] = useState(read)
  const [save] = useState(() => segmentSaver(id, segments))
  const [create] = useState(keyedWrites)
  const [question, setQuestion] = useState<Question>()
  const [both, setBoth] = useState<Both>()
  const [isGone, setGone] = useState(false)
  const name = nameOf(base.segment)
  const reason = denied ?? (base.segment.filter === undefined ? segmentEditText.noFilter : undefined)

  const ask = async (conflict: Conflict) => {
    const chosen = await new Promise<Content | undefined>((answer) => setQuestion({ conflict, answer }))
    setQuestion(undefined)
    return chosen
  }
  const leaveTo = (newId: string | undefined, message: string) => {
    showToast({ message })
    void navigate(newId === undefined ? links.segments() : links.segment(newId), { replace: true })
  }
  const send = async (mine: Content): Promise<Exclude<SaveResult, Conflict> | undefined> => {
    let result = await save(base, mine)
    while (result.outcome === 'conflict') {
      const chosen = await ask(result)
      if (!chosen) return undefined
      result = await save(result.now, chosen)
    }
    return result
  }
  const onSave = async (body: SegmentWrite) => {
    try {
      if (isGone) {
        const { id: newId } = await create(body, (keyed) => api.createSegment({ body, ...keyed }))
        return () => leaveTo(newId, segmentText.create.created(body.name))
      }
      const result = await send(contentOf(body))
      if (!result) return undefined
      if (result.outcome === 'both') return () => setBoth(result)
      const theirs = result.theirs.map((field) => segmentEditText.fields[field])
      const said =
        result.id !== id
          ? segmentEditText.savedAnew(body.name)
          : theirs.length > 0
            ? segmentEditText.savedWith(body.name, theirs)
            : segmentEditText.saved(body.name)
      return () => leaveTo(result.id, said)
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) setGone(true)
      throw error
    } finally {
      await forgetSegments(client)
    }
  }

  return (
    <>
      <PageHeader above={<BackToSegments />} title={segmentEditText.title(name)} />
      {reason !== undefined ? (
        <EmptyState title={reason} />
      ) : both ? (
        <BothThere
          both={both}
          oldId={id}
          onRetired={(newId) => leaveTo(newId, segmentEditText.savedAnew(both.content.name))}
        />
      ) : (
        <SegmentForm
          id={id}
          segments={segments}
          start={contentOf(base.segment)}
          submit={isGone ? segmentText.create.submit : segmentEditText.submit}
          failure={{
            ...(isGone ? notCreated() : { failed: segmentEditText.failed, lost: segmentEditText.lost }),
            missing: segmentEditText.missing,
          }}
          onSave={onSave}
          onCancel={() => void navigate(isGone ? links.segments() : links.segment(id))}
        >
          {!offers('segments.replace') && <IdWillChange segment={base.segment} segments={segments} />}
        </SegmentForm>
      )}
      <Suspense>{question && <EditConflict segments={segments} {...question} />}</Suspense>
    </>
  )
}
