import type { AuditRow } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { byteOrderMark, csvRows, type Separator } from '../../domain/work/csv.ts'
import { patiently } from '../../domain/work/pace.ts'
import type { Sink } from '../../domain/work/sink.ts'
import type { AuditFilter } from './filter.ts'

export interface ExportProgress {
  readonly rows: number
  /** Time of the last row in the file. */
  readonly back?: string | undefined
  readonly waitSeconds?: number | undefined
}

const columns = ['id', 'time', 'kind', 'actor', 'user', 'entity', 'keys', 'reason', 'changeset'] as const

/**
 * Writes the audit into a file, page by page, newest first. `run` throws what a page failed with, or that it was aborted; run
 * again, it goes on behind the last page that is in the file.
 */
export function createExport(filter: AuditFilter, separator: Separator, sink: Sink) {
  let progress: ExportProgress = { rows: 0 }
  let after: string | undefined
  let hasBegun = false
  const pages = async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void) => {
    while (after !== '') {
      signal.throwIfAborted()
      const { rows, next } = await api.listAudit({ query: { ...filter, after }, signal })
      await sink.write(csvRows(rows.map(cells), separator))
      progress = { rows: progress.rows + rows.length, back: rows.at(-1)?.time ?? progress.back }
      after = next
      onProgress(progress)
    }
  }
  return {
    run: async (signal: AbortSignal, onProgress: (progress: ExportProgress) => void): Promise<void> => {
      if (!hasBegun) await sink.write(byteOrderMark + csvRows([columns], separator))
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

/** Keys may hold any sign: they are told apart as JSON has them. */
function cells(row: AuditRow): string[] {
  return columns.map((name) => (name === 'keys' ? JSON.stringify(row.keys ?? []) : (row[name] ?? '')))
}
