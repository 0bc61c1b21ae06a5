import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Radio.layer.css'

import { Button, Group, Radio } from '@mantine/core'
import { use, useEffect, useRef, useState } from 'react'

import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import type { Separator } from '../../domain/work/csv.ts'
import { ProgressLine } from '../../domain/work/ProgressLine.tsx'
import { FileFailure, type OpenFile, openFile } from '../../domain/work/sink.ts'
import { useWork } from '../../domain/work/use-work.ts'
import { auditText, sharedText, transferText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { exactTime } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { createExport, type ExportProgress } from './export.ts'
import { type AuditFilter, isFiltered } from './filter.ts'

const text = auditText.export

export interface ExportDialogProps {
  readonly filter: AuditFilter
  readonly onClose: () => void
}

/** What is filtered, into a file, which says before it is made what it will hold. */
export function ExportDialog({ filter, onClose }: ExportDialogProps) {
  const [separator, setSeparator] = useState<Separator>(',')
  const { work, file, start, cancel, pause, goOn } = useFileExport(filter, separator)
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
          <p>{isFiltered(filter) ? text.filtered : text.all}</p>
          <p>{text.holds}</p>
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
        </>
      )}
    </Dialog>
  )
}

/** What has become a file is not touched; what has not, leaves nothing behind. */
function useFileExport(filter: AuditFilter, separator: Separator) {
  const { work, begin, pause, goOn, reset } = useWork<ExportProgress>()
  const [file, setFile] = useState<OpenFile>()
  const open = useRef<OpenFile>(undefined)
  useEffect(() => () => void open.current?.sink.discard(), [])

  const start = async () => {
    const opened = await openFile({
      name: `audit-${new Date().toISOString().slice(0, 10)}.csv`,
      type: 'text/csv',
    })
    if (!opened) return
    void open.current?.sink.discard()
    open.current = opened
    setFile(opened)
    begin(createExport(filter, separator, opened.sink).run)
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
