import { Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import { keyedWrites } from '../../api/keyed-writes.ts'
import { useDenied } from '../../auth/use-session.ts'
import { jobOrigins } from '../../domain/jobs/origin.ts'
import { links } from '../../domain/links.ts'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { recallList, searchOf } from '../../domain/user-list/list-state.ts'
import type { ExportFrom } from '../../domain/user-list/user-pages.ts'
import { userExportText } from '../../messages/index.ts'
import { Callout } from '../../ui/Callout.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import type { ExportBody } from './export-choices.ts'
import { ExportForm } from './ExportForm.tsx'
import { createExport } from './queries.ts'

export function ExportPage() {
  const denied = useDenied('users:read')
  return (
    <>
      <PageHeader above={<BackToList />} title={userExportText.title} />
      {denied === undefined ? <Export /> : <EmptyState title={denied} underHeading />}
    </>
  )
}

/** Begins an export. The URL holds the segment; a search is found through the history entry of its list. */
function Export() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const place = useLocation()
  const { state } = place
  const [address] = useSearchParams()
  const segment = address.get('segment') ?? ''
  const [write] = useState(keyedWrites)
  const { mutateAsync } = useMutation(createExport())
  // Read once, so that the search stays the same however long this page is open.
  const [{ ids, search, isGone }] = useState(() => {
    const { ids } = (state ?? {}) as { readonly ids?: readonly string[] }
    const { isSearch } = (state ?? {}) as Partial<ExportFrom>
    const entry = recallList(client, state)
    const search = isSearch === true && entry !== undefined ? searchOf(entry) : undefined
    return { ids, search, isGone: isSearch === true && search === undefined && ids === undefined }
  })

  const start = async (body: ExportBody) => {
    const { id } = await write(body, (keyed) => mutateAsync({ body, ...keyed }))
    if (id !== undefined) jobOrigins.set(client, { jobId: id, title: userExportText.title, place })
    void navigate(id === undefined ? links.jobs() : links.job(id))
  }

  return (
    <Stack gap={20} maw={640}>
      {isGone && (
        <Callout
          title={userExportText.searchGoneTitle}
          actions={<Link to={links.users({ segment })}>{userExportText.toList}</Link>}
        >
          {userExportText.searchGoneBody}
        </Callout>
      )}
      <ExportForm
        segment={segment}
        ids={ids}
        search={search}
        onSegment={(next) =>
          void navigate(links.exportUsers({ segment: next }), { replace: true, state: state as unknown })
        }
        onStart={start}
      />
    </Stack>
  )
}
