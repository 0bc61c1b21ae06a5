import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'

import { isFull } from '../../../api/index.ts'
import type { Separator } from '../../../domain/work/csv.ts'
import { FileExport, SeparatorChoice } from '../../../domain/work/FileExport.tsx'
import { eventLogText } from '../../../messages/index.ts'
import { type EventFilter, isFiltered } from '../log/filter.ts'
import type { EventLog } from '../log/log.ts'
import type { LogState } from '../log/state.ts'
import { type ExportFormat, exportInto } from './export.ts'

const exportText = eventLogText.export

export interface ExportDialogProps {
  readonly log: EventLog
  readonly state: LogState
  readonly filter: EventFilter
  readonly onClose: () => void
}

/** Exports the filtered events as a file. A service without filters leaves only the loaded events to export. */
export function ExportDialog({ log, state, filter, onClose }: ExportDialogProps) {
  const [kind, setKind] = useState<ExportFormat['kind']>('csv')
  const [separator, setSeparator] = useState<Separator>(',')
  // Rows at the time the dialog was opened; later events are not in the file.
  const [rows] = useState(state.rows)
  const isAsked = isFull()
  const format = kind === 'csv' ? { kind, separator } : { kind }
  return (
    <FileExport
      title={exportText.title}
      name="events"
      kind={kind}
      runInto={(sink) => exportInto(sink, isAsked ? { filter } : { rows }, format)}
      words={exportText}
      onClose={onClose}
    >
      <p>
        {!isAsked
          ? exportText.loaded(rows.length)
          : isFiltered(filter)
            ? exportText.all
            : exportText.everything}
        {log.isSearch && ` ${eventLogText.scope.explain}`}
      </p>
      <Radio.Group
        label={exportText.format}
        value={kind}
        onChange={(next) => setKind(next === 'csv' ? 'csv' : 'jsonl')}
      >
        <Stack gap="xs">
          <Radio value="csv" label={exportText.csv} description={exportText.csvHint} />
          <Radio value="jsonl" label={exportText.jsonl} description={exportText.jsonlHint} />
        </Stack>
      </Radio.Group>
      {kind === 'csv' && <SeparatorChoice value={separator} onChange={setSeparator} />}
    </FileExport>
  )
}
