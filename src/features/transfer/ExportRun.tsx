import { Box, Button, Group, Stack } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'

import { ApiError } from '../../api/index.ts'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { transferText, userExportText } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { createExport, type ExportPlan, nothingExported } from './export.ts'
import { Buttons, FocusedTitle, Note } from './layout.tsx'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { FileFailure, type OpenFile } from '../../domain/work/sink.ts'
import { useBegunWork } from '../../domain/work/use-work.ts'

export interface ExportRunProps {
  readonly plan: ExportPlan
  readonly file: OpenFile
  /** Buttons shown once the export has ended. */
  readonly actions: ReactNode
}

/** Runs an export from the first page to the finished file, through pauses and failed pages. Unmounting ends it. */
export function ExportRun({ plan, file, actions }: ExportRunProps) {
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
          <Group component="span" align="flex-start" wrap="nowrap" gap={12}>
            <IconCircleCheck size={20} color="var(--ds-added)" style={{ flex: 'none' }} aria-hidden />
            <span>
              <span>
                {doneLabel({ users, rows, file: file.name })}
                {total !== undefined &&
                  total !== users &&
                  ` ${userExportText.countDiffers({ count: total })}`}
              </span>
              {withheld > 0 && (
                <Box component="span" display="block">
                  {userExportText.withheld({ count: withheld })}
                </Box>
              )}
            </span>
          </Group>
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
            {actions}
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

function doneLabel(exported: {
  readonly users: number
  readonly rows: number
  readonly file: string
}): string {
  const { done, doneUsers } = userExportText
  return exported.users === exported.rows ? done(exported) : doneUsers(exported)
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
