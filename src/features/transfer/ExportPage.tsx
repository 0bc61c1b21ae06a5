import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import { links } from '../../domain/links.ts'
import { segmentsQuery } from '../../domain/queries/segments.ts'
import { useDenied } from '../../auth/use-session.ts'
import { userExportText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { Callout } from '../../ui/Callout.tsx'
import type { ExportFrom } from '../../domain/user-list/user-pages.ts'
import { recallList, searchOf } from '../../domain/user-list/list-state.ts'
import type { ExportPlan } from './export.ts'
import { ExportForm } from './ExportForm.tsx'
import { ExportRun } from './ExportRun.tsx'
import { type OpenFile, openFile } from '../../domain/work/sink.ts'
import type { Segment } from '#contract/index.ts'

export function ExportPage() {
  const denied = useDenied('users:read')
  return (
    <>
      <PageHeader above={<BackToList />} title={userExportText.title} />
      {denied === undefined ? <Export /> : <EmptyState title={denied} underHeading />}
    </>
  )
}

/** Exports users to a file. The URL holds the segment; a search is found through the history entry of its list. */
function Export() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { state } = useLocation()
  const [address] = useSearchParams()
  const segment = address.get('segment') ?? ''
  // Read once, so that the search stays the same however long this page is open.
  const [{ ids, search, isGone }] = useState(() => {
    const { ids } = (state ?? {}) as { readonly ids?: readonly string[] }
    const { isSearch } = (state ?? {}) as Partial<ExportFrom>
    const entry = recallList(client, state)
    const search = isSearch === true && entry !== undefined ? searchOf(entry) : undefined
    return { ids, search, isGone: isSearch === true && search === undefined && ids === undefined }
  })
  const [running, setRunning] = useState<{ readonly plan: ExportPlan; readonly file: OpenFile }>()

  const start = async (plan: ExportPlan) => {
    const stem = stemOf(client.getQueryData(segmentsQuery().queryKey), plan.source.segment)
    const file = await openFile({
      name: `${stem}-${new Date().toISOString().slice(0, 10)}.${plan.format.kind}`,
      type: plan.format.kind === 'csv' ? 'text/csv' : 'application/jsonl',
    })
    if (file) setRunning({ plan, file })
  }

  return (
    <>
      {/* The form stays mounted during the export, so that the next export starts with the same choices. */}
      <Stack gap={20} maw={640} display={running && 'none'}>
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
      {running && (
        <ExportRun
          key={running.file.name}
          {...running}
          actions={
            <Button variant="default" onClick={() => setRunning(undefined)}>
              {userExportText.again}
            </Button>
          }
        />
      )}
    </>
  )
}

const longestName = 80

/**
 * Returns the name of an exported file without date and extension: the segment's name, in characters that every file
 * system accepts, or a default. A search is left out, because it may contain personal data.
 */
function stemOf(segments: readonly Segment[] | undefined, id: string | undefined): string {
  const name = segments?.find((segment) => segment.id === id)?.name ?? ''
  const plain = name
    .normalize('NFC')
    .replaceAll(/[\p{C}\p{Z}\\/:*?"<>|.-]+/gu, '-')
    .slice(0, longestName)
    .replaceAll(/^-+|-+$/g, '')
    .toWellFormed()
  return plain === '' ? userExportText.fileNames[id ? 'segment' : 'users'] : plain
}
