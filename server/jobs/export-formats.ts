import type { ExportRequest } from '#contract/index.ts'
import { userCell, valueCell } from '#contract/reading/cells.ts'
import { writeRows } from '#contract/reading/table.ts'
import type { UserRow } from '../users/storage.ts'
import { type CellKind, type Exporting, readTable, writeLines } from './export-rows.ts'
import type { JobFile } from './files.ts'
import { type SheetCell, userSheetCell, valueSheetCell } from './workbook/cells.ts'
import { WorkbookWriter } from './workbook/workbook.ts'

/** File up to where a part begins. */
export interface FileSoFar extends Pick<JobFile, 'chunks' | 'workbook'> {
  /** Whether the part is the last one. */
  readonly isLast: boolean
}

/** Some users in a file. */
export interface WrittenPart extends Pick<JobFile, 'rows' | 'withheld' | 'workbook'> {
  readonly bytes: Buffer
}

type WritePart = (exporting: Exporting, users: readonly UserRow[], file: FileSoFar) => Promise<WrittenPart>

const texts: CellKind<string> = { none: '', ofUser: userCell, ofValue: valueCell }
const sheetCells: CellKind<SheetCell> = { none: '', ofUser: userSheetCell, ofValue: valueSheetCell }

/** Writes users as the next part of a file. */
export const writePart: Readonly<Record<ExportRequest['format'], WritePart>> = {
  async csv(exporting, users, { chunks }) {
    const { head, separator } = exporting.task
    const { rows, withheld } = await readTable(exporting, users, texts)
    const bytes = Buffer.from((chunks === 0 ? head : '') + writeRows(rows, separator))
    return { bytes, rows: rows.length, withheld, workbook: null }
  },

  async ndjson(exporting, users) {
    const { text, withheld } = await writeLines(exporting, users)
    return { bytes: Buffer.from(text), rows: users.length, withheld, workbook: null }
  },

  async xlsx(exporting, users, { workbook, isLast }) {
    const { rows, withheld } = await readTable(exporting, users, sheetCells)
    const writer = new WorkbookWriter(exporting.task.head, workbook)
    await writer.append(rows)
    if (isLast) await writer.finish()
    return { bytes: writer.take(), rows: rows.length, withheld, workbook: writer.begun }
  },
}
