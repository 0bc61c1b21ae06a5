import { Button, Group, Radio } from '@mantine/core'
import { type ReactNode, use, useEffect, useRef, useState } from 'react'

import { fileExportText, sharedText, transferText } from '../../messages/index.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { minuteOf } from '../../ui/time.ts'
import { ZonesContext } from '../../ui/Timestamp.tsx'
import { InlineFailure } from '../failures/InlineFailure.tsx'
import type { Separator } from './csv.ts'
import type { FileProgress, fileRun } from './file-run.ts'
import { ProgressLine } from './ProgressLine.tsx'
import { FileFailure, type OpenFile, openFile, type Sink } from './sink.ts'
import { useWork } from './use-work.ts'

export interface FileExportProps {
  readonly title: string
  /** Begins the file's name, before the day. */
  readonly name: string
  readonly kind: 'csv' | 'jsonl'
  readonly runInto: (sink: Sink) => ReturnType<typeof fileRun>
  readonly words: {
    readonly running: string
    readonly rows: (count: number, back: string | undefined) => string
    readonly done: (count: number, file: string) => string
  }
  readonly onClose: () => void
  /** Description of the file, and the choices before it is written. */
  readonly children: ReactNode
}

/** A list into a file: what it will hold, how far it is, and what came of it. */
export function FileExport({ title, onClose, children, ...given }: FileExportProps) {
  const { work, file, start, cancel, pause, goOn } = useFile(given)
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
                {fileExportText.download}
              </Button>
            )}
            <Button onClick={onClose}>{sharedText.close}</Button>
          </>
        ) : (
          <>
            <Button variant="default" onClick={file ? cancel : onClose}>
              {sharedText.cancel}
            </Button>
            {!file && <Button onClick={() => void start()}>{fileExportText.start}</Button>}
            {work.phase === 'running' && <Button onClick={pause}>{transferText.pause}</Button>}
            {work.phase === 'paused' && <Button onClick={goOn}>{transferText.goOn}</Button>}
          </>
        )
      }
    >
      {file ? <Run words={given.words} work={work} file={file} onRetry={goOn} /> : children}
    </Dialog>
  )
}

/** Runs an export. A finished file is never touched; an unfinished one is removed. */
function useFile({ name, kind, runInto }: Pick<FileExportProps, 'name' | 'kind' | 'runInto'>) {
  const { work, begin, pause, goOn, reset } = useWork<FileProgress>()
  const [file, setFile] = useState<OpenFile>()
  const open = useRef<OpenFile>(undefined)
  useEffect(() => () => void open.current?.sink.discard(), [])

  const start = async () => {
    const opened = await openFile({
      name: `${name}-${new Date().toISOString().slice(0, 10)}.${kind}`,
      type: kind === 'csv' ? 'text/csv' : 'application/jsonl',
    })
    if (!opened) return
    void open.current?.sink.discard()
    open.current = opened
    setFile(opened)
    begin(runInto(opened.sink))
  }
  const cancel = () => {
    reset()
    void file?.sink.discard()
    setFile(undefined)
  }
  return { work, file, start, cancel, pause, goOn }
}

interface RunProps extends Pick<FileExportProps, 'words'> {
  readonly work: ReturnType<typeof useWork<FileProgress, void>>['work']
  readonly file: OpenFile
  readonly onRetry: () => void
}

function Run({ words, work, file, onRetry }: RunProps) {
  const { shown } = use(ZonesContext)
  const { rows, back, waitSeconds } = work.progress ?? { rows: 0 }
  if (work.phase === 'failed' && work.error instanceof FileFailure)
    return <InlineFailure title={fileExportText.fileFailed}>{fileExportText.fileFailedBody}</InlineFailure>
  const isDone = work.phase === 'done'
  return (
    <>
      {!isDone && (
        <>
          <ProgressLine label={words.running} done={rows} of={undefined} waitSeconds={waitSeconds} />
          <p className="ds-dimmed">
            {words.rows(rows, back === undefined ? undefined : minuteOf(Date.parse(back), shown))}
          </p>
        </>
      )}
      {/* There before its words, or a screen reader would pass over them. */}
      <output className={isDone ? undefined : 'ds-visually-hidden'}>
        {isDone && words.done(rows, file.name)}
      </output>
      {work.phase === 'failed' && (
        <InlineFailure
          title={fileExportText.failed}
          error={work.error}
          own={{ kept: fileExportText.failedBody }}
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
      label={fileExportText.separator}
      value={value}
      onChange={(next) => onChange(next === ';' ? ';' : ',')}
    >
      <Group gap="6px 16px">
        <Radio value="," label={fileExportText.comma} />
        <Radio value=";" label={fileExportText.semicolon} />
      </Group>
    </Radio.Group>
  )
}
