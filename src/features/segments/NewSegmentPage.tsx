import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import type { SegmentWrite } from '#contract/index.ts'
import { keyedWrites } from '../../api/index.ts'
import { links } from '../../app/links.ts'
import { useDenied } from '../../auth/use-session.ts'
import { segments as text } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showToast } from '../../ui/toast.tsx'
import { BackToSegments } from './BackToSegments.tsx'
import { createSegment, segmentsQuery } from './queries.ts'
import { SegmentForm } from './SegmentForm.tsx'

export function NewSegmentPage() {
  const navigate = useNavigate()
  const denied = useDenied('segments:write')
  const [write] = useState(keyedWrites)
  const create = useMutation(createSegment(write))
  const { data: segments } = useSuspenseQuery(segmentsQuery())

  const save = async (segment: SegmentWrite) => {
    const { id } = await create.mutateAsync(segment)
    return () => {
      showToast({ message: text.create.created(segment.name) })
      // Where the service does not tell the id, the list has the new one.
      void navigate(id === undefined ? links.segments() : links.segment(id), { replace: true })
    }
  }
  return (
    <>
      <PageHeader above={<BackToSegments />} title={text.create.title} />
      {denied === undefined ? (
        <SegmentForm segments={segments} onSave={save} onCancel={() => void navigate(links.segments())} />
      ) : (
        <EmptyState title={denied} />
      )}
    </>
  )
}
