import { Button, Group, Radio } from '@mantine/core'
import { type ReactNode, use, useEffect, useState } from 'react'

import type { Separator } from '#contract/import.ts'
import { type auditExportText, logPageText, sharedText, transferText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { minuteOf } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { InlineFailure } from '../failures/InlineFailure.tsx'
import { retryWhileBusy } from '../work/concurrency.ts'
import { ProgressLine } from '../work/ProgressLine.tsx'
import { FileFailure, type OpenFile, openFile, type Sink } from '../work/sink.ts'
import { useWork, type Work } from '../work/use-work.ts'

const { export: exportText } = logPageText

export interface LogExportProps {
  /** Prefix of the file name, followed by the date. */
  readonly name: string
  readonly kind: 'csv' | 'jsonl'
  readonly createRun: (sink: Sink, separator: Separator) => ReturnType<typeof createExportRun>
  readonly texts: Pick<typeof auditExportText, 'title' | 'running' | 'rows' | 'rowsBackTo' | 'done'>
  readonly onClose: () => void
  /** Description of the file, and the options to choose before the export; the separator of a CSV follows them. */
  readonly children: ReactNode
}

/** Dialog that exports a log to a file: first the options, then the progress, then the result. */
export function LogExport({ name, kind, createRun, texts, onClose, children }: LogExportProps) {
  const { work, begin, pause, goOn, reset } = useWork<ExportProgress>()
  const [file, setFile] = useState<OpenFile>()
  const [separator, setSeparator] = useState<Separator>(',')
  // On cancelling or leaving, an unfinished file is removed; a finished one on disk stays.
  useEffect(() => () => void file?.sink.discard(), [file])

  const start = async () => {
    const opened = await openFile({
      name: `${name}-${new Date().toISOString().slice(0, 10)}.${kind}`,
      type: kind === 'csv' ? 'text/csv' : 'application/jsonl',
    })
    if (!opened) return
    setFile(opened)
    begin(createRun(opened.sink, separator))
  }
  const cancel = () => {
    reset()
    setFile(undefined)
  }
  const isRunning = work.phase === 'running' || work.phase === 'paused'
  return (
    <Dialog
      title={texts.title}
      {...(!isRunning && { onClose })}
      actions={
        work.phase === 'done' ? (
          <>
            {file?.download && (
              <Button variant="default" onClick={file.download}>
                {exportText.download}
              </Button>
            )}
            <Button onClick={onClose}>{sharedText.close}</Button>
          </>
        ) : (
          <>
            <Button variant="default" onClick={file ? cancel : onClose}>
              {sharedText.cancel}
            </Button>
            {!file && <Button onClick={() => void start()}>{exportText.start}</Button>}
            {work.phase === 'running' && <Button onClick={pause}>{transferText.pause}</Button>}
            {work.phase === 'paused' && <Button onClick={goOn}>{transferText.goOn}</Button>}
          </>
        )
      }
    >
      {file ? (
        <ExportRun texts={texts} work={work} file={file} onRetry={goOn} />
      ) : (
        <>
          {children}
          {kind === 'csv' && (
            <Radio.Group
              label={exportText.separator}
              value={separator}
              onChange={(next) => setSeparator(next === ';' ? ';' : ',')}
            >
              <Group gap="6px 16px">
                <Radio value="," label={exportText.comma} />
                <Radio value=";" label={exportText.semicolon} />
              </Group>
            </Radio.Group>
          )}
        </>
      )}
    </Dialog>
  )
}

interface ExportRunProps extends Pick<LogExportProps, 'texts'> {
  readonly work: Work<ExportProgress, void>
  readonly file: OpenFile
  readonly onRetry: () => void
}

function ExportRun({ texts, work, file, onRetry }: ExportRunProps) {
  const { shown } = use(ZonesContext)
  const { rows, back, waitSeconds } = work.progress ?? { rows: 0 }
  if (work.phase === 'failed' && work.error instanceof FileFailure)
    return <InlineFailure title={exportText.fileFailed}>{exportText.fileFailedBody}</InlineFailure>
  const isDone = work.phase === 'done'
  return (
    <>
      {!isDone && (
        <>
          <ProgressLine label={texts.running} done={rows} of={undefined} waitSeconds={waitSeconds} />
          <p className="ds-dimmed">
            {back === undefined
              ? texts.rows({ count: rows })
              : texts.rowsBackTo({ count: rows, time: minuteOf(Date.parse(back), shown) })}
          </p>
        </>
      )}
      {/* The output is rendered empty at first: screen readers ignore an output that is added together with its text. */}
      <output className={isDone ? undefined : 'ds-visually-hidden'}>
        {isDone && texts.done({ count: rows, file: file.name })}
      </output>
      {work.phase === 'failed' && (
        <InlineFailure
          title={exportText.failed}
          error={work.error}
          own={{ kept: exportText.failedBody }}
          onRetry={onRetry}
        />
      )}
    </>
  )
}

interface ExportProgress {
  readonly rows: number
  readonly back?: string | undefined
  readonly waitSeconds?: number | undefined
}

interface ExportPage {
  readonly text: string
  readonly rows: number
  readonly back: string | undefined
  /** Position of the next page; undefined for the last page. */
  readonly next?: string | undefined
}

/**
 * Returns a function that exports a log to a file, newest first, page by page. It throws the error of a failed page,
 * or an abort error. Called again, it continues after the last page in the file.
 *
 * @param head First lines of the file; "" for none.
 * @param readPage Reads the page at a position (undefined for the first page). `rows` is the number of rows already in
 * the file.
 */
export function createExportRun(
  sink: Sink,
  head: string,
  readPage: (
    from: { readonly place: string | undefined; readonly rows: number },
    signal: AbortSignal,
  ) => Promise<ExportPage>,
) {
  let progress: ExportProgress = { rows: 0 }
  let place: string | undefined
  let isComplete = false

  const writePages = async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void) => {
    while (!isComplete) {
      signal.throwIfAborted()
      const { text, rows, back, next } = await readPage({ place, rows: progress.rows }, signal)
      await sink.write(place === undefined ? head + text : text)
      progress = { rows: progress.rows + rows, back: back ?? progress.back }
      place = next
      isComplete = next === undefined
      onProgress(progress)
    }
  }
  return async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void): Promise<void> => {
    await retryWhileBusy(() => writePages(signal, onProgress), {
      signal,
      place: () => progress.rows,
      onWait: (waitSeconds) => onProgress({ ...progress, waitSeconds }),
    })
    await sink.close()
  }
}
