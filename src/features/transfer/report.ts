import { userImportText } from '../../messages/index.ts'
import { byteOrderMark, csvRows } from '../../domain/work/csv.ts'
import { stripFormulaGuard } from '../../domain/work/formula.ts'
import type { ImportFile } from './import-file.ts'
import type { ImportRow } from './rows.ts'
import { saveText } from '../../domain/work/sink.ts'

/** The column of a report that says why; an import leaves it out. */
const errorHeader = 'error'

export interface ReportedRow {
  readonly row: Pick<ImportRow, 'cells'>
  readonly error: string
}

/** Rows as they came, with the reason in one more column: put right, the file can be imported again. */
export function reportCsv({ headers, separator, choices }: ImportFile, rows: readonly ReportedRow[]): string {
  // The report of an imported report: its reasons are the new ones.
  const isReport = choices.hasHeader && headers.at(-1) === errorHeader
  const width = headers.length - (isReport ? 1 : 0)
  return (
    byteOrderMark +
    csvRows(
      [
        [...headers.slice(0, width), errorHeader],
        ...rows.map(({ row, error }) => {
          const cells = row.cells.map(stripFormulaGuard)
          // A ragged row keeps all of its cells; the reason is in its own column if possible.
          const padded = [...cells, ...Array.from({ length: width - cells.length }, () => '')]
          const kept = isReport && cells.length === headers.length ? padded.slice(0, width) : padded
          return [...kept, error]
        }),
      ],
      separator,
    )
  )
}

export async function saveReport(file: ImportFile, rows: readonly ReportedRow[]): Promise<void> {
  await saveText(
    {
      name: `${userImportText.reportName}-${new Date().toISOString().slice(0, 10)}.csv`,
      type: 'text/csv',
    },
    reportCsv(file, rows),
  )
}
