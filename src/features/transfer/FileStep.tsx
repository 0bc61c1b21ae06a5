import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'

import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

import { transferText } from '../../messages/index.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { separators, type TableRow } from '../../domain/work/csv.ts'
import { FileChooser } from './FileChooser.tsx'
import { unguarded } from '../../domain/work/formula.ts'
import {
  type FileProblem,
  type ImportFile,
  type ImportSource,
  readImportFile,
  type ReadingChoices,
} from './import-file.ts'
import classes from './import.module.css'
import common from './transfer.module.css'
import { encodings } from './text-file.ts'

const text = transferText.import.file
const previewRows = 5
const previewColumns = 6

export interface FileStepProps {
  readonly file: ImportFile | undefined
  readonly onFile: (file: ImportFile | undefined) => void
  readonly onNext: () => void
}

/** A file is chosen, dropped or pasted, and read; how it was read is shown and can be changed. */
export function FileStep({ file, onFile, onNext }: FileStepProps) {
  const [reading, setReading] = useState(false)
  const [failed, setFailed] = useState<{
    source: ImportSource
    choices: ReadingChoices
    problem: FileProblem
  }>()
  const leave = useRef<AbortController>(undefined)
  useEffect(() => () => leave.current?.abort(), [])

  const read = async (source: ImportSource, choices: ReadingChoices) => {
    leave.current?.abort()
    const mine = (leave.current = new AbortController())
    setReading(true)
    setFailed(undefined)
    const result = await readImportFile(
      source,
      choices,
      transferText.import.columns.nameless,
      mine.signal,
    ).catch((error: unknown) => {
      // Another file was chosen while this one was read.
      if (!mine.signal.aborted) throw error
    })
    if (!result || leave.current !== mine) return
    setReading(false)
    if ('file' in result) onFile(result.file)
    else {
      onFile(undefined)
      setFailed({ source, choices, problem: result.problem })
    }
  }
  const again = (change: Partial<ReadingChoices>) => {
    const before = file ?? failed
    if (before) void read(before.source, { ...before.choices, ...change })
  }

  return (
    <section className={classes.step} aria-label={transferText.import.steps[0]}>
      {failed && (
        <Failed
          problem={failed.problem}
          onWindows={() => again({ encoding: 'windows-1252', separator: undefined })}
        />
      )}
      {file || failed ? (
        <Choices
          file={file}
          source={(file ?? failed)?.source}
          choices={(file ?? failed)?.choices ?? { hasHeader: true }}
          onChange={again}
          onOther={() => {
            onFile(undefined)
            setFailed(undefined)
          }}
        />
      ) : (
        <FileChooser reading={reading} onSource={(source) => void read(source, { hasHeader: true })} />
      )}
      {file && (
        <>
          <Preview file={file} />
          <div className={common.buttons}>
            <Button ref={focusIfLost} onClick={onNext} loading={reading}>
              {text.next}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

/** What had the focus went with the choice of a file. */
function focusIfLost(button: HTMLButtonElement | null) {
  if (document.activeElement === document.body) button?.focus({ preventScroll: true })
}

interface ChoicesProps {
  readonly file: ImportFile | undefined
  readonly source: ImportSource | undefined
  readonly choices: ReadingChoices
  readonly onChange: (change: Partial<ReadingChoices>) => void
  readonly onOther: () => void
}

function Choices({ file, source, choices, onChange, onOther }: ChoicesProps) {
  return (
    <>
      <div className={classes.fileLine}>
        <p className={classes.fileName}>{source?.kind === 'file' ? source.name : text.pasted}</p>
        {file && <p className="ds-dimmed">{text.found(file.rows.length, file.headers.length)}</p>}
        <Button variant="default" onClick={onOther}>
          {text.other}
        </Button>
      </div>
      <div className={classes.choices}>
        {source?.kind === 'file' && (
          <NativeSelect
            label={text.encoding}
            value={file?.encoding ?? choices.encoding ?? 'utf-8'}
            onChange={({ currentTarget: { value } }) =>
              onChange({ encoding: encodings.find((encoding) => encoding === value) })
            }
            data={encodings.map((value) => ({ value, label: text.encodings[value] }))}
          />
        )}
        <NativeSelect
          label={text.separator}
          value={file?.separator ?? choices.separator ?? ','}
          onChange={({ currentTarget: { value } }) =>
            onChange({ separator: separators.find((separator) => separator === value) })
          }
          data={separators.map((value) => ({ value, label: text.separators[value] }))}
        />
        <Checkbox
          className={classes.headerCheck ?? ''}
          label={text.header}
          checked={choices.hasHeader}
          onChange={(event) => onChange({ hasHeader: event.currentTarget.checked })}
        />
      </div>
      {file && file.guarded > 0 && <p className={common.note}>{text.guarded(file.guarded)}</p>}
    </>
  )
}

function Preview({ file }: { readonly file: ImportFile }) {
  const columns = file.headers.slice(0, previewColumns).map((header, index): Column<TableRow> => ({
    id: String(index),
    header,
    narrow: 'labelled',
    cell: ({ cells }) => unguarded(cells[index] ?? ''),
  }))
  return (
    <DataTable
      label={text.preview}
      columns={columns}
      rows={file.rows.slice(0, previewRows)}
      rowKey={({ row }) => String(row)}
      empty={null}
    />
  )
}

function Failed({ problem, onWindows }: { readonly problem: FileProblem; readonly onWindows: () => void }) {
  if (problem.kind === 'quotes')
    return (
      <InlineFailure title={text.quotesTitle(problem.row)}>
        {problem.isOpen ? text.quotesOpen : text.quotesEarly}
      </InlineFailure>
    )
  const [title, body] = text.problem[problem.kind]
  return (
    <InlineFailure title={title ?? ''}>
      <p>{body}</p>
      {problem.kind === 'encoding' && (
        <Button variant="default" mt="xs" onClick={onWindows}>
          {text.asWindows}
        </Button>
      )}
    </InlineFailure>
  )
}
