import type { AuditRow } from '#contract/index.ts'
import { api } from '../../api/index.ts'
import { byteOrderMark, csvRows, type Separator } from '../../domain/work/csv.ts'
import { fileRun } from '../../domain/work/file-run.ts'
import type { Sink } from '../../domain/work/sink.ts'
import type { AuditFilter } from './filter.ts'

const columns = [
  'id',
  'time',
  'kind',
  'actor',
  'user',
  'entity',
  'keys',
  'reason',
  'changeset',
  'by',
  'users',
  'segment',
] as const

/** All that matches, newest first. */
export function exportInto(sink: Sink, filter: AuditFilter, separator: Separator) {
  return fileRun(sink, byteOrderMark + csvRows([columns], separator), async ({ place }, signal) => {
    const { rows, next } = await api.listAudit({ query: { ...filter, after: place }, signal })
    return {
      text: csvRows(rows.map(cells), separator),
      rows: rows.length,
      back: rows.at(-1)?.time,
      next: next === '' ? undefined : next,
    }
  })
}

/** Keys may hold any sign: they are told apart as JSON has them. */
function cells(row: AuditRow): string[] {
  return columns.map((name) => (name === 'keys' ? JSON.stringify(row.keys ?? []) : String(row[name] ?? '')))
}
