import { Button, Group, Radio } from '@mantine/core'
import { type ReactNode, use, useEffect, useState } from 'react'

import { logPageText, sharedText, transferText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { minuteOf } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { InlineFailure } from '../failures/InlineFailure.tsx'
import type { Separator } from '../work/csv.ts'
import type { createExportRun, ExportProgress } from './export-run.ts'
import { ProgressLine } from '../work/ProgressLine.tsx'
import { FileFailure, type OpenFile, openFile, type Sink } from '../work/sink.ts'
import { useWork } from '../work/use-work.ts'

const { export: exportText } = logPageText

export interface LogExportProps {
  readonly title: string
  /** Prefix of the file name, followed by the date. */
  readonly name: string
  readonly kind: 'csv' | 'jsonl'
  readonly createRun: (sink: Sink) => ReturnType<typeof createExportRun>
  readonly texts: {
    readonly running: string
    readonly rows: (parts: { readonly count: number }) => string
    readonly rowsBackTo: (parts: { readonly count: number; readonly time: string }) => string
    readonly done: (parts: { readonly count: number; readonly file: string }) => string
  }
  readonly onClose: () => void
  /** Description of the file, and the options to choose before the export. */
  readonly children: ReactNode
}

/** Dialog that exports a log to a file: first the options, then the progress, then the result. */
export function LogExport({ title, onClose, children, ...given }: LogExportProps) {
  const { work, file, start, cancel, pause, goOn } = useExport(given)
  const isRunning = work.phase === 'running' || work.phase === 'paused'
  return (
    <Dialog
      title={title}
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
      {file ? <ExportRun texts={given.texts} work={work} file={file} onRetry={goOn} /> : children}
    </Dialog>
  )
}

/** Runs an export. On cancelling or leaving, an unfinished file is removed; a finished one on disk stays. */
function useExport({ name, kind, createRun }: Pick<LogExportProps, 'name' | 'kind' | 'createRun'>) {
  const { work, begin, pause, goOn, reset } = useWork<ExportProgress>()
  const [file, setFile] = useState<OpenFile>()
  useEffect(() => () => void file?.sink.discard(), [file])

  const start = async () => {
    const opened = await openFile({
      name: `${name}-${new Date().toISOString().slice(0, 10)}.${kind}`,
      type: kind === 'csv' ? 'text/csv' : 'application/jsonl',
    })
    if (!opened) return
    setFile(opened)
    begin(createRun(opened.sink))
  }
  const cancel = () => {
    reset()
    setFile(undefined)
  }
  return { work, file, start, cancel, pause, goOn }
}

interface ExportRunProps extends Pick<LogExportProps, 'texts'> {
  readonly work: ReturnType<typeof useWork<ExportProgress, void>>['work']
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

interface SeparatorChoiceProps {
  readonly value: Separator
  readonly onChange: (separator: Separator) => void
}

export function SeparatorChoice({ value, onChange }: SeparatorChoiceProps) {
  return (
    <Radio.Group
      label={exportText.separator}
      value={value}
      onChange={(next) => onChange(next === ';' ? ';' : ',')}
    >
      <Group gap="6px 16px">
        <Radio value="," label={exportText.comma} />
        <Radio value=";" label={exportText.semicolon} />
      </Group>
    </Radio.Group>
  )
}
