import { stripGuard } from '#contract/reading/guards.ts'
import { byteOrderMark, writeRows } from '#contract/reading/table.ts'
import { saveText } from '../../domain/work/sink.ts'
import { userImportText } from '../../messages/index.ts'
import type { ImportFile } from './import-file.ts'
import type { ImportRow } from './rows.ts'

/** Header of the report's column with the reasons; the import ignores this column. */
const errorHeader = 'error'

interface ReportedRow {
  readonly row: Pick<ImportRow, 'cells'>
  readonly error: string
}

/** Returns the original rows as CSV, with the reason in an extra column. The corrected file can be imported again. */
function reportCsv({ headers, separator, header }: ImportFile, rows: readonly ReportedRow[]): string {
  // If the imported file is itself a report, new reasons replace its old ones.
  const isReport = header !== undefined && headers.at(-1) === errorHeader
  const width = headers.length - (isReport ? 1 : 0)
  return (
    byteOrderMark +
    writeRows(
      [
        [...headers.slice(0, width), errorHeader],
        ...rows.map(({ row, error }) => {
          const cells = row.cells.map(stripGuard)
          // A row with too many or too few cells keeps all of them; the reason goes to its own column if possible.
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
