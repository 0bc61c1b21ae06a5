import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'

import { encodings, type ImportView, separators } from '#contract/import.ts'
import { stripGuard } from '#contract/reading/guards.ts'
import { InlineFailure } from '../../domain/failures/InlineFailure.tsx'
import { links } from '../../domain/links.ts'
import { importsText } from '../../messages/index.ts'
import { listNames } from '../../messages/listed.ts'
import { useUpload } from './FilePage.tsx'
import { Note } from './layout.tsx'
import { chosenFiles, type FileReading } from './queries.ts'

const fileText = importsText.file

/** Says how the file was read, and reads it another way while this tab has it. */
export function FoundFile({ view }: { readonly view: ImportView }) {
  const { found, columns, job } = view
  const chosen = chosenFiles.get(useQueryClient())
  const file = chosen?.jobId === job ? chosen : undefined
  const { upload, isUploading, error } = useUpload()
  const codePage = encodings.find((each) => each === found.encoding && !each.startsWith('utf'))
  const again = (change: Partial<FileReading>) => {
    if (file) upload(file.source, { ...file.reading, ...change })
  }
  return (
    <Stack component="section" gap={12} mb={20} aria-label={importsText.steps.file}>
      {error && <InlineFailure title={fileText.failed} error={error} />}
      <Group gap="8px 16px">
        {file && <Text fw={600}>{file.source.name ?? fileText.pasted}</Text>}
        <p className="ds-dimmed">{fileText.found({ rows: found.rows, columns: columns.length })}</p>
        <Button component={Link} to={links.importUsers()} variant="default" size="xs">
          {fileText.other}
        </Button>
      </Group>
      {file && <ReadAs view={view} isBusy={isUploading} onChange={again} />}
      {codePage !== undefined && <Note>{fileText.codePage({ encoding: fileText.encodings[codePage] })}</Note>}
      {found.doubled.length > 0 && <Note>{fileText.doubled({ names: listNames(found.doubled) })}</Note>}
      {found.guarded > 0 && <Note>{fileText.guarded({ count: found.guarded })}</Note>}
    </Stack>
  )
}

interface ReadAsProps {
  readonly view: ImportView
  readonly isBusy: boolean
  readonly onChange: (change: Partial<FileReading>) => void
}

function ReadAs({ view: { found, firstRows }, isBusy, onChange }: ReadAsProps) {
  const { encoding, separator, header, lines, sheet, sheets = [] } = found
  return (
    <Group align="flex-end" gap="12px 16px">
      {encoding !== undefined && (
        <NativeSelect
          label={fileText.encoding}
          disabled={isBusy}
          value={encoding}
          onChange={({ currentTarget: { value } }) =>
            onChange({ encoding: encodings.find((each) => each === value), header: undefined })
          }
          data={encodings.map((value) => ({ value, label: fileText.encodings[value] }))}
        />
      )}
      {separator !== undefined && (
        <NativeSelect
          label={fileText.separator}
          disabled={isBusy}
          value={separator}
          onChange={({ currentTarget: { value } }) =>
            onChange({ separator: separators.find((each) => each === value), header: undefined })
          }
          data={separators.map((value) => ({ value, label: fileText.separators[value] }))}
        />
      )}
      {sheets.length > 1 && (
        <NativeSelect
          label={fileText.sheet}
          disabled={isBusy}
          value={sheet}
          onChange={({ currentTarget: { value } }) => onChange({ sheet: value, header: undefined })}
          data={sheets}
        />
      )}
      {lines !== true && (
        <NativeSelect
          label={fileText.header}
          disabled={isBusy}
          maw={320}
          value={header ?? 'none'}
          onChange={({ currentTarget: { value } }) => onChange({ header: value })}
          data={[
            ...firstRows.map(({ row, cells }) => ({
              value: String(row),
              label: fileText.headerRow({ row, names: namesIn(cells) }),
            })),
            { value: 'none', label: fileText.noHeader },
          ]}
        />
      )}
    </Group>
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
