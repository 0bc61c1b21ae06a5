import type { Separator } from '#contract/import.ts'
import { byteOrderMark, writeRows } from '#contract/reading/table.ts'
import { api } from '../../api/index.ts'
import { createExportRun, LogExport } from '../../domain/log-page/LogExport.tsx'
import type { Sink } from '../../domain/work/sink.ts'
import { deletedText } from '../../messages/index.ts'
import { type DeletedFilter, isDeletedFiltered } from './list-state.ts'

const exportText = deletedText.export

export interface DeletedExportProps {
  readonly filter: DeletedFilter
  readonly onClose: () => void
}

export function DeletedExport({ filter, onClose }: DeletedExportProps) {
  return (
    <LogExport
      name="deleted-users"
      kind="csv"
      createRun={(sink, separator) => exportDeleted(sink, filter, separator)}
      texts={exportText}
      onClose={onClose}
    >
      <p>{isDeletedFiltered(filter) ? exportText.filtered : exportText.all}</p>
      <p>{exportText.holds}</p>
    </LogExport>
  )
}

const csvColumns = ['user', 'deleted', 'actor', 'reference', 'state', 'due', 'final'] as const

function exportDeleted(sink: Sink, filter: DeletedFilter, separator: Separator) {
  return createExportRun(
    sink,
    byteOrderMark + writeRows([csvColumns], separator),
    async ({ place }, signal) => {
      const { erasures, next } = await api.searchErasures({ body: { ...filter, offset: place }, signal })
      const rows = erasures.map((erasure) => csvColumns.map((name) => erasure[name] ?? ''))
      return {
        text: writeRows(rows, separator),
        rows: rows.length,
        back: erasures.at(-1)?.deleted,
        next: next || undefined,
      }
    },
  )
}
