import { type Event, eventsPerPage } from '#contract/index.ts'
import { api } from '../../../api/index.ts'
import { patiently } from '../../../domain/work/pace.ts'
import { byteOrderMark, csvRows, type Separator } from '../../../domain/work/csv.ts'
import type { Sink } from '../../../domain/work/sink.ts'
import { type EventFilter, parametersOf } from '../log/filter.ts'

export type ExportFormat =
  | { readonly kind: 'csv'; readonly separator: Separator }
  | { readonly kind: 'jsonl' }

export interface ExportProgress {
  readonly rows: number
  /** Time of the last event in the file. */
  readonly back?: string | undefined
  readonly waitSeconds?: number | undefined
}

/** The events of the list as they are, or all that the service finds for a filter, newest first. */
export type ExportFrom = { readonly rows: readonly Event[] } | { readonly filter: EventFilter }

/**
 * Writes events into a file, page by page. `run` throws what a page failed with, or that it was aborted; run again, it
 * goes on behind the last page that is in the file.
 */
export function createExport(from: ExportFrom, format: ExportFormat, sink: Sink) {
  let progress: ExportProgress = { rows: 0 }
  let after: string | undefined
  let hasBegun = false
  let isComplete = false

  const write = async (events: readonly Event[]) => {
    await sink.write(format.kind === 'csv' ? csvOf(events, format.separator) : linesOf(events))
    progress = { rows: progress.rows + events.length, back: events.at(-1)?.eventtime ?? progress.back }
  }
  const pages = async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void) => {
    while (!isComplete) {
      signal.throwIfAborted()
      const events =
        'rows' in from
          ? from.rows.slice(progress.rows, progress.rows + eventsPerPage)
          : await api.listEvents({ query: { ...parametersOf(from.filter), order: 'desc', after }, signal })
      await write(events)
      after = events.at(-1)?.id
      isComplete = events.length < eventsPerPage
      onProgress(progress)
    }
  }
  return {
    run: async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void): Promise<void> => {
      if (!hasBegun && format.kind === 'csv')
        await sink.write(byteOrderMark + csvRows([[...columns, 'properties']], format.separator))
      hasBegun = true
      await patiently(() => pages(signal, onProgress), {
        signal,
        place: () => progress.rows,
        onWait: (waitSeconds) => onProgress({ ...progress, waitSeconds }),
      })
      await sink.close()
    },
  }
}

const named = ['user', 'entity', 'segment', 'changeset'] as const
const columns = ['id', 'eventtime', 'type', 'delivered', 'deliveredtime', ...named] as const

/** Ids have a column each; what else an event says stands in the last one, as JSON. */
function csvOf(events: readonly Event[], separator: Separator): string {
  return csvRows(
    events.map(({ id, eventtime, type, delivered, deliveredtime, properties }) => {
      const { user, entity, segment, changeset, ...rest } = properties
      const cells = [id, eventtime, type, delivered, deliveredtime, user, entity, segment, changeset]
      return [...cells.map(cell), Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)]
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
