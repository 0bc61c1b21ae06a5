import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

import type { SegmentWrite } from '#contract/index.ts'
import { keyedWrites } from '../../api/index.ts'
import { links } from '../../domain/links.ts'
import { segmentQuery } from '../../domain/queries/segments.ts'
import { segmentName } from '../../domain/segments/names.ts'
import { isFromList, recallList, segmentFilterOf } from '../../domain/user-list/list-state.ts'
import { segmentEditText, segmentFormText } from '../../messages/index.ts'
import { Callout } from '../../ui/Callout.tsx'
import { localZone } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { type Content, contentOf } from './form/content.ts'
import { creationFailure, SegmentFormPage } from './form/SegmentForm.tsx'
import { createSegment } from './queries.ts'

const blankSegment: Content = { name: '', description: '', tz: 'UTC', filter: { all: [] } }

/** Form for a new segment: empty, a copy of another one, or based on the current filter of the list of users. */
export function NewSegmentPage() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const from = search.get('from')
  const [write] = useState(keyedWrites)
  const { shown } = use(ZonesContext)
  const { state } = useLocation()
  const client = useQueryClient()
  const [{ listed, isGone }] = useState(() => {
    const listed = recallList(client, state)
    return { listed, isGone: isFromList(state) && listed === undefined }
  })
  const create = useMutation(createSegment(write))
  const { data: original } = useQuery({ ...segmentQuery(from ?? ''), enabled: from !== null })

  const save = async (segment: SegmentWrite) => {
    const { id } = await create.mutateAsync(segment)
    return () => {
      showToast({ message: segmentFormText.created({ segment: segment.name }) })
      // If the service does not return the new id, only the list can show the new segment.
      void navigate(id === undefined ? links.segments() : links.segment(id), { replace: true })
    }
  }
  return (
    <SegmentFormPage
      title={segmentFormText.title}
      original={original}
      start={
        original
          ? {
              ...contentOf(original),
              name: segmentEditText.copyOf.asValue({ segment: segmentName(original) }),
            }
          : {
              ...blankSegment,
              // The list of users counts its days in UTC.
              ...(listed
                ? { filter: segmentFilterOf(listed) }
                : { tz: shown === 'utc' ? 'UTC' : localZone() }),
            }
      }
      submit={segmentFormText.submit}
      wordsFor={creationFailure}
      onSave={save}
      onCancel={() => {
        if (listed || isGone) return void navigate(-1)
        void navigate(original ? links.segment(original.id) : links.segments())
      }}
    >
      {isGone && (
        <Callout
          title={segmentFormText.listGone}
          actions={
            <Button variant="default" size="compact-sm" onClick={() => void navigate(-1)}>
              {segmentFormText.toList}
            </Button>
          }
        >
          {segmentFormText.listGoneBody}
        </Callout>
      )}
    </SegmentFormPage>
  )
}
