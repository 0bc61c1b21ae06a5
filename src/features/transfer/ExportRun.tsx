import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'

import { ApiError } from '../../api/index.ts'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { transferText } from '../../messages/index.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { createExport, type ExportPlan, type ExportProgress } from './export.ts'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { FileFailure, type OpenFile } from '../../domain/work/sink.ts'
import classes from './transfer.module.css'
import { useWork } from '../../domain/work/use-work.ts'

const text = transferText.export

export interface ExportRunProps {
  readonly plan: ExportPlan
  readonly file: OpenFile
  /** What to do once it is over. */
  readonly actions: ReactNode
}

/** An export from its first page to its file, through pauses and failed pages. It ends with the component. */
export function ExportRun({ plan, file, actions }: ExportRunProps) {
  const { work, begin, pause, goOn } = useWork<ExportProgress>()
  const [isCancelled, setCancelled] = useState(false)
  const isOver = work.phase === 'done' || isCancelled
  const isLost = work.phase === 'failed' && work.error instanceof FileFailure
  const begun = useRef(begin)
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    heading.current?.focus()
    begun.current(createExport(plan, file.sink).run)
    // What has become a file is not touched; what has not, leaves nothing behind.
    return () => void file.sink.discard()
  }, [plan, file])

  const { rows, total, withheld, waitSeconds } = work.progress ?? { rows: 0, total: undefined, withheld: 0 }
  const cancel = () => {
    pause()
    setCancelled(true)
    void file.sink.discard()
  }
  return (
    <section className={classes.column} aria-label={text.running}>
      {!isOver && !isLost && <Unsaved question={transferText.leave} />}
      <h2 ref={heading} tabIndex={-1}>
        {work.phase === 'done' ? text.doneTitle : text.runningTo(file.name)}
      </h2>
      {work.phase === 'done' ? (
        <output className={classes.done}>
          <IconCircleCheck size={20} aria-hidden />
          <span className={classes.lines}>
            <span>
              {text.done(rows, file.name)}{' '}
              {total !== undefined && (total === rows ? text.saidSame(total) : text.saidOther(total))}
            </span>
            {withheld > 0 && <span>{text.withheld(withheld)}</span>}
          </span>
        </output>
      ) : (
        !isCancelled && <ProgressLine label={text.running} done={rows} of={total} waitSeconds={waitSeconds} />
      )}
      {isCancelled && <output className={classes.status}>{text.cancelled}</output>}
      {work.phase === 'running' && !isCancelled && <p className={classes.note}>{text.keepOpen}</p>}
      {work.phase === 'paused' && !isCancelled && <output className={classes.status}>{text.paused}</output>}
      {work.phase === 'failed' && !isCancelled && (
        <ExportFailure error={work.error} rows={rows} onRetry={goOn} />
      )}
      <div className={classes.buttons}>
        {isOver || isLost ? (
          <>
            {work.phase === 'done' && file.download && (
              <Button variant="default" onClick={file.download}>
                {text.download}
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
      </div>
    </section>
  )
}

interface ExportFailureProps {
  readonly error: unknown
  readonly rows: number
  readonly onRetry: () => void
}

function ExportFailure({ error, rows, onRetry }: ExportFailureProps) {
  if (error instanceof FileFailure)
    return <InlineFailure title={text.fileFailedTitle}>{text.fileFailedBody}</InlineFailure>
  // A 4xx is said about the request itself: it would be said again, but trying costs nothing.
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return (
    <InlineFailure
      title={isRefused ? text.refusedTitle : text.failedTitle}
      error={error}
      own={{ kept: text.failedBody(rows) }}
      onRetry={onRetry}
    />
  )
}
