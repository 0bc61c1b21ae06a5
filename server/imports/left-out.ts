import { importChunkRows } from '#contract/import.ts'
import { guardCell, keepGuard } from '#contract/reading/guards.ts'
import { byteOrderMark, writeRows } from '#contract/reading/table.ts'
import type { Database } from '../sealing/database.ts'
import { chunkOf, readChunk } from './chunks.ts'
import { type ImportColumns, type MappedFile, readFileRows } from './columns.ts'
import { leftOutRows } from './row-storage.ts'

/** Header of the column with the reasons, which no import proposes to read. */
const errorHeader = 'error'

/** Cells that have their guards already. */
const asGuarded = (cell: string) => cell

/**
 * Writes the rows that an import leaves out as a file to correct and bring back: the cells as they are in the file, and
 * a last column that says why. Opens 500 rows at a time.
 */
export async function* writeLeftOut(
  database: Database,
  job: string,
  { headers: all, separator }: MappedFile,
  columns: ImportColumns,
): AsyncGenerator<Buffer> {
  // If the file is itself a report, new reasons replace its old ones.
  const headers = all.at(-1) === errorHeader ? all.slice(0, -1) : all
  yield Buffer.from(byteOrderMark + writeRows([[...headers, errorHeader]], separator))
  for (let after = 0; ;) {
    const next = await leftOutRows(database.sql, job, after)
    const [first] = next
    if (!first) return
    const chunk = chunkOf(first.at)
    const some = next.filter(({ at }) => chunkOf(at) === chunk)
    const fileRows = (await readChunk(database, job, chunk)) ?? []
    const read = new Map((await readFileRows(columns, fileRows, some)).map((row) => [row.at, row]))
    const rows = some.flatMap(({ at, detail }) => {
      const [, cells] = fileRows[(at - 1) % importChunkRows] ?? []
      const problems = read.get(at)?.problems ?? []
      const reasons = problems.map(({ column, detail: why }) => {
        const header = column === undefined ? '' : (headers[column] ?? '')
        return header === '' ? why : `${header}: ${why}`
      })
      const error = reasons.length > 0 ? reasons.join(' ') : (detail ?? '')
      return cells ? [[...headers.map((_, column) => keepGuard(cells[column] ?? '')), guardCell(error)]] : []
    })
    yield Buffer.from(writeRows(rows, separator, asGuarded))
    after = some.at(-1)?.at ?? first.at
  }
}
