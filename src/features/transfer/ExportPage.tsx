import { Box, Button, Group, Stack } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'

import type { Segment } from '#contract/index.ts'
import { ApiError, peek } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { segmentsQuery } from '../../domain/queries/segments.ts'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { recallList, searchOf } from '../../domain/user-list/list-state.ts'
import type { ExportFrom } from '../../domain/user-list/user-pages.ts'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { FileFailure, type OpenFile, openFile } from '../../domain/work/sink.ts'
import { useBegunWork } from '../../domain/work/use-work.ts'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { transferText, userExportText } from '../../messages/index.ts'
import { Callout } from '../../ui/Callout.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { createExport, type ExportPlan, type ExportProgress, nothingExported } from './export.ts'
import { ExportForm } from './ExportForm.tsx'
import { Buttons, FocusedTitle, Note } from './layout.tsx'

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
  const [running, setRunning] = useState<Omit<ExportRunProps, 'onAgain'>>()

  const start = async (plan: ExportPlan) => {
    const stem = stemOf(peek(client, segmentsQuery()), plan.source.segment)
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
      {running && <ExportRun key={running.file.name} {...running} onAgain={() => setRunning(undefined)} />}
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

interface ExportRunProps {
  readonly plan: ExportPlan
  readonly file: OpenFile
  readonly onAgain: () => void
}

/** Runs an export from the first page to the finished file, through pauses and failed pages. Unmounting ends it. */
function ExportRun({ plan, file, onAgain }: ExportRunProps) {
  const [run] = useState(() => createExport(plan, file.sink))
  const { work, pause, goOn } = useBegunWork(run)
  const [isCancelled, setCancelled] = useState(false)
  const isOver = work.phase === 'done' || isCancelled
  const isLost = work.phase === 'failed' && work.error instanceof FileFailure
  // Leaving discards an unfinished file; a finished one stays.
  useEffect(() => () => void file.sink.discard(), [file])

  const { users, rows, total, withheld, waitSeconds } = work.progress ?? nothingExported
  const cancel = () => {
    pause()
    setCancelled(true)
    void file.sink.discard()
  }
  return (
    <Stack component="section" gap={20} maw={640} aria-label={userExportText.running}>
      {!isOver && !isLost && <Unsaved question={transferText.leave} />}
      <FocusedTitle>
        {work.phase === 'done' ? userExportText.doneTitle : userExportText.runningTo({ file: file.name })}
      </FocusedTitle>
      {!isOver && (
        <ProgressLine label={userExportText.running} done={users} of={total} waitSeconds={waitSeconds} />
      )}
      {/* A screen reader announces only changes of an element that exists already, so this one is rendered empty at
        first. */}
      <output className={isOver || work.phase === 'paused' ? undefined : 'ds-visually-hidden'}>
        {work.phase === 'done' ? (
          <Exported {...{ users, rows, total, withheld }} file={file.name} />
        ) : isCancelled ? (
          userExportText.cancelled
        ) : (
          work.phase === 'paused' && userExportText.paused
        )}
      </output>
      {!isOver && (
        <>
          {work.phase === 'running' && <Note>{userExportText.keepOpen}</Note>}
          {work.phase === 'failed' && <ExportFailure error={work.error} rows={rows} onRetry={goOn} />}
        </>
      )}
      <Buttons>
        {isOver || isLost ? (
          <>
            {work.phase === 'done' && file.download && (
              <Button variant="default" onClick={file.download}>
                {userExportText.download}
              </Button>
            )}
            <Button variant="default" onClick={onAgain}>
              {userExportText.again}
            </Button>
          </>
        ) : (
          <>
            <Button variant="default" onClick={cancel}>
              {transferText.cancel}
            </Button>
            {work.phase === 'running' && <Button onClick={pause}>{transferText.pause}</Button>}
            {work.phase === 'paused' && <Button onClick={goOn}>{transferText.goOn}</Button>}
          </>
        )}
      </Buttons>
    </Stack>
  )
}

function Exported({ total, withheld, ...exported }: ExportProgress & { readonly file: string }) {
  const { done, doneUsers, countDiffers, withheld: notGiven } = userExportText
  const { users, rows } = exported
  return (
    <Group component="span" align="flex-start" wrap="nowrap" gap={12}>
      <IconCircleCheck size={20} color="var(--ds-added)" style={{ flex: 'none' }} aria-hidden />
      <span>
        <span>
          {users === rows ? done(exported) : doneUsers(exported)}
          {total !== undefined && total !== users && ` ${countDiffers({ count: total })}`}
        </span>
        {withheld > 0 && (
          <Box component="span" display="block">
            {notGiven({ count: withheld })}
          </Box>
        )}
      </span>
    </Group>
  )
}

interface ExportFailureProps {
  readonly error: unknown
  readonly rows: number
  readonly onRetry: () => void
}

function ExportFailure({ error, rows, onRetry }: ExportFailureProps) {
  if (error instanceof FileFailure)
    return (
      <InlineFailure title={userExportText.fileFailedTitle}>{userExportText.fileFailedBody}</InlineFailure>
    )
  // A 4xx concerns the request itself, so a retry will probably fail too. Offering it costs nothing.
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return (
    <InlineFailure
      title={isRefused ? userExportText.refusedTitle : userExportText.failedTitle}
      error={error}
      own={{ kept: userExportText.failedBody({ rows }) }}
      onRetry={onRetry}
    />
  )
}
