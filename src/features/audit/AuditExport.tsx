import type { Separator } from '#contract/import.ts'
import type { AuditRow } from '#contract/index.ts'
import { byteOrderMark, writeRows } from '#contract/reading/table.ts'
import { api } from '../../api/index.ts'
import { createExportRun, LogExport } from '../../domain/log-page/LogExport.tsx'
import type { Sink } from '../../domain/work/sink.ts'
import { auditExportText } from '../../messages/index.ts'
import { type AuditFilter, isAuditFiltered } from './queries.ts'

export interface AuditExportProps {
  readonly filter: AuditFilter
  readonly onClose: () => void
}

export function AuditExport({ filter, onClose }: AuditExportProps) {
  return (
    <LogExport
      name="audit"
      kind="csv"
      createRun={(sink, separator) => exportAudit(sink, filter, separator)}
      texts={auditExportText}
      onClose={onClose}
    >
      <p>{isAuditFiltered(filter) ? auditExportText.filtered : auditExportText.all}</p>
      <p>{auditExportText.holds}</p>
    </LogExport>
  )
}

const auditCsvColumns = [
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

function exportAudit(sink: Sink, filter: AuditFilter, separator: Separator) {
  return createExportRun(
    sink,
    byteOrderMark + writeRows([auditCsvColumns], separator),
    async ({ place }, signal) => {
      const { rows, next } = await api.listAudit({ query: { ...filter, after: place }, signal })
      return {
        text: writeRows(rows.map(toCells), separator),
        rows: rows.length,
        back: rows.at(-1)?.time,
        next: next === '' ? undefined : next,
      }
    },
  )
}

/** Returns the cells of a row. Keys may contain any character, so they are written as a JSON array. */
function toCells(row: AuditRow): string[] {
  return auditCsvColumns.map((name) =>
    name === 'keys' ? JSON.stringify(row.keys ?? []) : String(row[name] ?? ''),
  )
}
