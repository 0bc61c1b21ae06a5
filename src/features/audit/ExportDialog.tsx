import { useState } from 'react'

import type { AuditRow } from '#contract/index.ts'
import { byteOrderMark, csvRows, type Separator } from '../../domain/work/csv.ts'
import { FileExport, SeparatorChoice } from '../../domain/work/FileExport.tsx'
import { auditText } from '../../messages/index.ts'
import { type AuditFilter, isFiltered } from './filter.ts'
import { api } from '../../api/index.ts'
import { fileRun } from '../../domain/work/file-run.ts'
import type { Sink } from '../../domain/work/sink.ts'

const exportText = auditText.export

export interface ExportDialogProps {
  readonly filter: AuditFilter
  readonly onClose: () => void
}

/** Exports the filtered audit log as a file, and says beforehand what the file will contain. */
export function ExportDialog({ filter, onClose }: ExportDialogProps) {
  const [separator, setSeparator] = useState<Separator>(',')
  return (
    <FileExport
      title={exportText.title}
      name="audit"
      kind="csv"
      runInto={(sink) => exportInto(sink, filter, separator)}
      words={exportText}
      onClose={onClose}
    >
      <p>{isFiltered(filter) ? exportText.filtered : exportText.all}</p>
      <p>{exportText.holds}</p>
      <SeparatorChoice value={separator} onChange={setSeparator} />
    </FileExport>
  )
}

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
function exportInto(sink: Sink, filter: AuditFilter, separator: Separator) {
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

/** Keys may contain any character, so they are separated as a JSON array. */
function cells(row: AuditRow): string[] {
  return columns.map((name) => (name === 'keys' ? JSON.stringify(row.keys ?? []) : String(row[name] ?? '')))
}
