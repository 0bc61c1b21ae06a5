import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'

import type { Separator } from '#contract/import.ts'
import { type Event, eventsPerPage } from '#contract/index.ts'
import { byteOrderMark, writeRows } from '#contract/reading/table.ts'
import { api } from '../../../api/index.ts'
import { createExportRun, LogExport } from '../../../domain/log-page/LogExport.tsx'
import type { Sink } from '../../../domain/work/sink.ts'
import { eventExportText } from '../../../messages/index.ts'
import { type EventFilter, isFiltered, queryOf } from '../log/filter.ts'
import type { LogView } from '../log/use-event-log.ts'

export interface EventExportProps extends Pick<LogView, 'isFull' | 'rows' | 'filter'> {
  readonly onClose: () => void
}

/** Exports the filtered events as a file. On a service without filters, only the loaded events can be exported. */
export function EventExport({ isFull, rows: shown, filter, onClose }: EventExportProps) {
  const [kind, setKind] = useState<'csv' | 'jsonl'>('csv')
  // Rows at the time the dialog opened; later events are not in the file.
  const [rows] = useState(shown)
  return (
    <LogExport
      name="events"
      kind={kind}
      createRun={(sink, separator) =>
        exportEvents(sink, filter, isFull ? undefined : rows, kind === 'csv' ? separator : undefined)
      }
      texts={eventExportText}
      onClose={onClose}
    >
      <p>
        {!isFull
          ? eventExportText.loaded({ count: rows.length })
          : isFiltered(filter)
            ? eventExportText.all
            : eventExportText.everything}
      </p>
      <Radio.Group
        label={eventExportText.format}
        value={kind}
        onChange={(next) => setKind(next === 'csv' ? 'csv' : 'jsonl')}
      >
        <Stack gap="xs">
          <Radio value="csv" label={eventExportText.csv} description={eventExportText.csvHint} />
          <Radio value="jsonl" label={eventExportText.jsonl} description={eventExportText.jsonlHint} />
        </Stack>
      </Radio.Group>
    </LogExport>
  )
}

/**
 * @param loaded Events in the list; undefined to export all that the service finds for the filter.
 * @param separator Separator of a CSV; undefined for JSON lines.
 */
function exportEvents(
  sink: Sink,
  filter: EventFilter,
  loaded: readonly Event[] | undefined,
  separator: Separator | undefined,
) {
  // Only a service that filters also reports more about a delivery than whether it was made.
  const columns = csvColumns.filter((name) => name !== 'delivery' || !loaded)
  const head = separator ? byteOrderMark + writeRows([columns], separator) : ''
  return createExportRun(sink, head, async ({ place, rows }, signal) => {
    const query = { ...queryOf(filter), with: 'delivery', order: 'desc', after: place } as const
    const events = loaded?.slice(rows, rows + eventsPerPage) ?? (await api.listEvents({ query, signal }))
    return {
      text: separator
        ? toCsv(events, columns, separator)
        : events.map((event) => `${JSON.stringify(event)}\n`).join(''),
      rows: events.length,
      back: events.at(-1)?.eventtime,
      next: events.length < eventsPerPage ? undefined : events.at(-1)?.id,
    }
  })
}

const csvColumns = [
  ...(['id', 'eventtime', 'type', 'delivered', 'deliveredtime', 'delivery'] as const),
  ...(['user', 'entity', 'segment', 'changeset', 'properties'] as const),
]

/** Formats events as CSV. Four ids have columns of their own; all other properties are JSON in the last column. */
function toCsv(events: readonly Event[], columns: typeof csvColumns, separator: Separator): string {
  return writeRows(
    events.map(({ properties, delivery, ...event }) => {
      const { user, entity, segment, changeset, ...rest } = properties
      const others = Object.keys(rest).length === 0 ? undefined : rest
      const ids = { user, entity, segment, changeset }
      const cells = { ...event, ...ids, delivery: delivery?.state, properties: others }
      return columns.map((name) => toCell(cells[name]))
    }),
    separator,
  )
}

function toCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
