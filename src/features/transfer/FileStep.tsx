import { Button, FileButton, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'

import { encodings, separators } from '#contract/import.ts'
import { stripGuard } from '#contract/reading/guards.ts'
import type { TableRow } from '#contract/reading/table.ts'
import { describe } from '../../domain/failures/describe-failure.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { useWork } from '../../domain/work/use-work.ts'
import { userImportText } from '../../messages/index.ts'
import { listNames } from '../../messages/listed.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import {
  type FileProblem,
  type FileReading,
  type ImportFile,
  type ImportSource,
  readImportFile,
  type ReadingChoices,
} from './import-file.ts'
import { Buttons, Note, StepSection } from './layout.tsx'
import classes from './layout.module.css'

const previewRows = 5
const previewColumns = 6

/** Source of the rows, and how to read it. A failed read can be repeated with other options. */
interface Chosen {
  readonly source: ImportSource
  readonly choices: ReadingChoices
}

interface FileStepProps {
  readonly file: ImportFile | undefined
  readonly onFile: (file: ImportFile | undefined) => void
  readonly onNext: () => void
}

export function FileStep({ file, onFile, onNext }: FileStepProps) {
  const { work, begin, reset } = useWork<Chosen, FileReading>()
  const isReading = work.phase === 'running'
  const problem = work.phase === 'done' && 'problem' in work.result ? work.result.problem : undefined
  const chosen = file ?? (problem && work.progress)

  const read = (next: Chosen) =>
    begin(async (signal, onProgress) => {
      onProgress(next)
      const reading = await readImportFile(next.source, next.choices, signal)
      signal.throwIfAborted()
      onFile('file' in reading ? reading.file : undefined)
      return reading
    })
  const chooseOther = () => {
    onFile(undefined)
    reset()
  }
  const again = (change: Partial<ReadingChoices>) => {
    if (chosen) read({ source: chosen.source, choices: { ...chosen.choices, ...change } })
  }

  return (
    <StepSection label={userImportText.steps.file}>
      {work.phase === 'failed' && <InlineFailure title={describe(work.error)} />}
      {problem && (
        <Failed
          problem={problem}
          onWindows={() => again({ encoding: 'windows-1252', separator: undefined, header: undefined })}
        />
      )}
      {chosen ? (
        <>
          <Group gap="8px 16px">
            <Text fw={600}>
              {chosen.source.kind === 'file' ? chosen.source.name : userImportText.file.pasted}
            </Text>
            {file && (
              <p className="ds-dimmed">
                {userImportText.file.found({ rows: file.rows.length, columns: file.headers.length })}
              </p>
            )}
            <Button variant="default" onClick={chooseOther}>
              {userImportText.file.other}
            </Button>
          </Group>
          <ReadAs chosen={chosen} file={file} onChange={again} />
        </>
      ) : (
        <FileChooser isReading={isReading} onSource={(source) => read({ source, choices: {} })} />
      )}
      {file && (
        <>
          <Preview file={file} />
          <Buttons>
            <Button ref={focusIfLost} onClick={onNext} loading={isReading}>
              {userImportText.file.next}
            </Button>
          </Buttons>
        </>
      )}
    </StepSection>
  )
}

/** Moves the focus to the button, because choosing a file removes the control that had it. */
function focusIfLost(button: HTMLButtonElement | null) {
  if (document.activeElement === document.body) button?.focus({ preventScroll: true })
}

interface ReadAsProps {
  readonly chosen: Chosen
  readonly file: ImportFile | undefined
  readonly onChange: (change: Partial<ReadingChoices>) => void
}

function ReadAs({ chosen: { source, choices }, file, onChange }: ReadAsProps) {
  return (
    <>
      <Group align="flex-end" gap="12px 16px">
        {source.kind === 'file' && (
          <NativeSelect
            label={userImportText.file.encoding}
            value={file?.encoding ?? choices.encoding ?? 'utf-8'}
            onChange={({ currentTarget: { value } }) =>
              onChange({ encoding: encodings.find((encoding) => encoding === value), header: undefined })
            }
            data={encodings.map((value) => ({ value, label: userImportText.file.encodings[value] }))}
          />
        )}
        <NativeSelect
          label={userImportText.file.separator}
          value={file?.separator ?? choices.separator ?? ','}
          onChange={({ currentTarget: { value } }) =>
            onChange({ separator: separators.find((separator) => separator === value), header: undefined })
          }
          data={separators.map((value) => ({ value, label: userImportText.file.separators[value] }))}
        />
        {file && (
          <NativeSelect
            label={userImportText.file.header}
            maw={320}
            value={file.header ?? 'none'}
            onChange={({ currentTarget: { value } }) =>
              onChange({ header: value === 'none' ? value : Number(value) })
            }
            data={[
              ...file.firstRows.map(({ row, cells }) => ({
                value: String(row),
                label: userImportText.file.headerRow({ row, names: namesIn(cells) }),
              })),
              { value: 'none', label: userImportText.file.noHeader },
            ]}
          />
        )}
      </Group>
      {file?.encoding === 'windows-1252' && choices.encoding === undefined && (
        <Note>{userImportText.file.windows}</Note>
      )}
      {file && file.doubled.length > 0 && (
        <Note>{userImportText.file.doubled({ names: listNames(file.doubled) })}</Note>
      )}
      {file && file.guarded > 0 && <Note>{userImportText.file.guarded({ count: file.guarded })}</Note>}
    </>
  )
}

/** Returns the first values of a row, by which people recognise it. */
function namesIn(cells: readonly string[]): string {
  return cells
    .map((cell) => stripGuard(cell).trim())
    .filter((cell) => cell !== '')
    .slice(0, 3)
    .join(', ')
    .slice(0, 60)
}

function Preview({ file }: { readonly file: ImportFile }) {
  const columns = file.headers.slice(0, previewColumns).map((header, index): Column<TableRow> => ({
    id: String(index),
    header,
    narrow: 'labelled',
    cell: ({ cells }) => stripGuard(cells[index] ?? ''),
  }))
  return (
    <DataTable
      label={userImportText.file.preview}
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
      <InlineFailure title={userImportText.file.quotesTitle({ row: problem.row })}>
        {problem.isOpen ? userImportText.file.quotesOpen : userImportText.file.quotesEarly}
      </InlineFailure>
    )
  const { title, body } = userImportText.file.problem[problem.kind]
  return (
    <InlineFailure title={title}>
      <p>{body}</p>
      {problem.kind === 'encoding' && (
        <Button variant="default" mt="xs" onClick={onWindows}>
          {userImportText.file.asWindows}
        </Button>
      )}
    </InlineFailure>
  )
}

interface FileChooserProps {
  readonly isReading: boolean
  readonly onSource: (source: ImportSource) => void
}

function FileChooser({ isReading, onSource }: FileChooserProps) {
  const [isOver, setOver] = useState(false)
  const [pasted, setPasted] = useState('')
  const take = (file: File | null | undefined) => {
    if (file) onSource({ kind: 'file', name: file.name, blob: file })
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <>
      {/* Dropping a file needs a pointer; keyboard users have the button inside the drop area. */}
      <Stack
        align="center"
        gap="xs"
        maw={640}
        px={16}
        py={32}
        className={classes.drop ?? ''}
        data-over={isOver || undefined}
        onDragEnter={over}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files[0])
        }}
      >
        <IconFileUpload size={28} stroke={1.5} aria-hidden className="ds-dimmed" />
        <p>{userImportText.file.drop}</p>
        <p className="ds-dimmed">{userImportText.file.or}</p>
        <FileButton onChange={take} accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values">
          {(button) => (
            <Button {...button} variant="default" loading={isReading}>
              {userImportText.file.choose}
            </Button>
          )}
        </FileButton>
      </Stack>
      <Stack
        component="form"
        align="flex-start"
        gap="xs"
        maw={640}
        onSubmit={(event) => {
          event.preventDefault()
          onSource({ kind: 'paste', text: pasted })
        }}
      >
        <Textarea
          w="100%"
          label={userImportText.file.paste}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
          rows={4}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="default" disabled={pasted.trim() === ''} loading={isReading}>
          {userImportText.file.read}
        </Button>
      </Stack>
    </>
  )
}
