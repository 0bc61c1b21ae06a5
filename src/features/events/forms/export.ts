import { type Event, eventsPerPage } from '#contract/index.ts'
import { api, isFull } from '../../../api/index.ts'
import { fileRun } from '../../../domain/work/file-run.ts'
import { byteOrderMark, csvRows, type Separator } from '../../../domain/work/csv.ts'
import type { Sink } from '../../../domain/work/sink.ts'
import { askedOf, type EventFilter } from '../log/filter.ts'

export type ExportFormat =
  | { readonly kind: 'csv'; readonly separator: Separator }
  | { readonly kind: 'jsonl' }

/** The events of the list as they are, or all that the service finds for a filter, newest first. */
export type ExportFrom = { readonly rows: readonly Event[] } | { readonly filter: EventFilter }

export function exportInto(sink: Sink, from: ExportFrom, format: ExportFormat) {
  const head = format.kind === 'csv' ? byteOrderMark + csvRows([columns()], format.separator) : ''
  return fileRun(sink, head, async ({ place, rows }, signal) => {
    const events =
      'rows' in from
        ? from.rows.slice(rows, rows + eventsPerPage)
        : await api.listEvents({
            query: { ...askedOf(from.filter), order: 'desc', after: place },
            signal,
          })
    return {
      text: format.kind === 'csv' ? csvOf(events, format.separator) : linesOf(events),
      rows: events.length,
      back: events.at(-1)?.eventtime,
      next: events.length < eventsPerPage ? undefined : events.at(-1)?.id,
    }
  })
}

/** Delivery state has a column if the service reports more than whether an event is delivered. */
const columns = () => [
  ...(['id', 'eventtime', 'type', 'delivered', 'deliveredtime'] as const),
  ...(isFull() ? (['delivery'] as const) : []),
  ...(['user', 'entity', 'segment', 'changeset', 'properties'] as const),
]

/** Ids have a column each; all other properties are JSON in the last one. */
function csvOf(events: readonly Event[], separator: Separator): string {
  return csvRows(
    events.map(({ properties: said, delivery, ...event }) => {
      const { user, entity, segment, changeset, ...rest } = said
      const properties = Object.keys(rest).length === 0 ? undefined : rest
      const cells = { ...event, delivery: delivery?.state, user, entity, segment, changeset, properties }
      return columns().map((name) => cell(cells[name]))
    }),
    separator,
  )
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function linesOf(events: readonly Event[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('')
}
