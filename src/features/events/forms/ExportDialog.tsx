import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'

import { Button, Group, Radio, Stack } from '@mantine/core'
import { use, useEffect, useRef, useState } from 'react'

import { offers } from '../../../api/index.ts'
import { eventLogText, sharedText, transferText } from '../../../messages/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { InlineFailure } from '../../../domain/failures/InlineFailure.tsx'
import { exactTime } from '../../../ui/time.ts'
import { ZonesContext } from '../../../ui/Timestamp.tsx'
import type { Separator } from '../../../domain/work/csv.ts'
import { ProgressLine } from '../../../domain/work/ProgressLine.tsx'
import { FileFailure, type OpenFile, openFile } from '../../../domain/work/sink.ts'
import { useWork } from '../../../domain/work/use-work.ts'
import { createExport, type ExportFormat, type ExportFrom, type ExportProgress } from './export.ts'
import type { EventLog } from '../log/log.ts'
import type { LogState } from '../log/state.ts'
import { type EventFilter, isFiltered } from '../log/filter.ts'

const text = eventLogText.export

export interface ExportDialogProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
  readonly onClose: () => void
}

/** What is filtered, into a file. Where the service does not filter, that is what the list holds. */
export function ExportDialog({ log, state, filter, onClose }: ExportDialogProps) {
  const [kind, setKind] = useState<ExportFormat['kind']>('csv')
  const [separator, setSeparator] = useState<Separator>(',')
  // As they were when the dialog was opened: what comes in meanwhile is not in the file.
  const [rows] = useState(state.rows)
  const isAsked = offers('events.filter')
  const { work, file, start, cancel, pause, goOn } = useFileExport(
    isAsked ? { filter } : { rows },
    kind === 'csv' ? { kind, separator } : { kind },
  )
  const isRunning = work.phase === 'running' || work.phase === 'paused'
  return (
    <Dialog
      title={text.title}
      {...(!isRunning && { onClose })}
      actions={
        work.phase === 'done' ? (
          <>
            {file?.download && (
              <Button variant="default" onClick={file.download}>
                {text.download}
              </Button>
            )}
            <Button onClick={onClose}>{sharedText.close}</Button>
          </>
        ) : (
          <>
            <Button variant="default" onClick={file ? cancel : onClose}>
              {sharedText.cancel}
            </Button>
            {!file && <Button onClick={() => void start()}>{text.start}</Button>}
            {work.phase === 'running' && <Button onClick={pause}>{transferText.pause}</Button>}
            {work.phase === 'paused' && <Button onClick={goOn}>{transferText.goOn}</Button>}
          </>
        )
      }
    >
      {file ? (
        <Run work={work} file={file} onRetry={goOn} />
      ) : (
        <>
          <p>
            {!isAsked ? text.loaded(rows.length) : isFiltered(filter) ? text.all : text.everything}
            {log.isSearch && ` ${eventLogText.scope.explain}`}
          </p>
          <Radio.Group
            label={text.format}
            value={kind}
            onChange={(next) => setKind(next === 'csv' ? 'csv' : 'jsonl')}
          >
            <Stack gap="xs">
              <Radio value="csv" label={text.csv} description={text.csvHint} />
              <Radio value="jsonl" label={text.jsonl} description={text.jsonlHint} />
            </Stack>
          </Radio.Group>
          {kind === 'csv' && (
            <Radio.Group
              label={text.separator}
              value={separator}
              onChange={(next) => setSeparator(next === ';' ? ';' : ',')}
            >
              <Group gap="6px 16px">
                <Radio value="," label={text.comma} />
                <Radio value=";" label={text.semicolon} />
              </Group>
            </Radio.Group>
          )}
        </>
      )}
    </Dialog>
  )
}

/** What has become a file is not touched; what has not, leaves nothing behind. */
function useFileExport(from: ExportFrom, format: ExportFormat) {
  const { work, begin, pause, goOn, reset } = useWork<ExportProgress>()
  const [file, setFile] = useState<OpenFile>()
  const open = useRef<OpenFile>(undefined)
  useEffect(() => () => void open.current?.sink.discard(), [])

  const start = async () => {
    const opened = await openFile({
      name: `events-${new Date().toISOString().slice(0, 10)}.${format.kind}`,
      type: format.kind === 'csv' ? 'text/csv' : 'application/jsonl',
    })
    if (!opened) return
    void open.current?.sink.discard()
    open.current = opened
    setFile(opened)
    begin(createExport(from, format, opened.sink).run)
  }
  const cancel = () => {
    reset()
    void file?.sink.discard()
    setFile(undefined)
  }
  return { work, file, start, cancel, pause, goOn }
}

interface RunProps {
  readonly work: ReturnType<typeof useWork<ExportProgress, void>>['work']
  readonly file: OpenFile
  readonly onRetry: () => void
}

function Run({ work, file, onRetry }: RunProps) {
  const { shown } = use(ZonesContext)
  const { rows, back, waitSeconds } = work.progress ?? { rows: 0 }
  if (work.phase === 'failed' && work.error instanceof FileFailure)
    return <InlineFailure title={text.fileFailed}>{text.fileFailedBody}</InlineFailure>
  if (work.phase === 'done') return <output>{text.done(rows, file.name)}</output>
  return (
    <>
      <ProgressLine label={text.running} done={rows} of={undefined} waitSeconds={waitSeconds} />
      <p className="ds-dimmed">
        {text.rows(rows, back === undefined ? undefined : exactTime(Date.parse(back), shown))}
      </p>
      {work.phase === 'failed' && (
        <InlineFailure
          title={text.failed}
          error={work.error}
          own={{ kept: text.failedBody }}
          onRetry={onRetry}
        />
      )}
    </>
  )
}
