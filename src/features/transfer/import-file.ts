import type { Encoding, Separator } from '#contract/import.ts'
import { decodeText, type TextProblem } from '#contract/reading/encoding.ts'
import { stripGuard } from '#contract/reading/guards.ts'
import type { FileColumn } from '#contract/reading/headers.ts'
import {
  BrokenQuotes,
  byteOrderMark,
  findHeader,
  findSeparator,
  headerRows,
  readRows,
  shapeTable,
  type TableRow,
} from '#contract/reading/table.ts'
import { yieldToMain } from '../../domain/work/concurrency.ts'
import { importColumnsText } from '../../messages/index.ts'

export type ImportSource =
  | { readonly kind: 'file'; readonly name: string; readonly blob: Blob }
  | { readonly kind: 'paste'; readonly text: string }

/** How the person wants the file to be read; what is undefined is found. */
export interface ReadingChoices {
  readonly encoding?: Encoding | undefined
  readonly separator?: Separator | undefined
  /** Number of the row with the names of the columns. */
  readonly header?: number | 'none' | undefined
}

export interface ImportFile {
  readonly source: ImportSource
  readonly choices: ReadingChoices
  /** Encoding of the file; undefined for pasted text. */
  readonly encoding: Encoding | undefined
  readonly separator: Separator
  /** Number of the row with the names of the columns; undefined if there is none. */
  readonly header: number | undefined
  /** First rows of the file, one of which may be the header. */
  readonly firstRows: readonly TableRow[]
  /** Names of the columns, made from the position for a column without a name. */
  readonly headers: readonly string[]
  /** Names that several columns have in the file. */
  readonly doubled: readonly string[]
  readonly rows: readonly TableRow[]
  /** Number of cells with a guard against formulas or numbers, which the import ignores. */
  readonly guarded: number
}

export type FileProblem =
  | { readonly kind: TextProblem | 'large' | 'empty' | 'rows' | 'unreadable' }
  | { readonly kind: 'quotes'; readonly row: number; readonly isOpen: boolean }

export type FileReading = { readonly file: ImportFile } | { readonly problem: FileProblem }

/** Limited because the rows and their verdicts stay in memory. */
const maxFileBytes = 64 * 1024 * 1024

export async function readImportFile(
  source: ImportSource,
  choices: ReadingChoices,
  signal: AbortSignal,
): Promise<FileReading> {
  let text: string
  let encoding: Encoding | undefined
  if (source.kind === 'paste') text = source.text
  else {
    if (source.blob.size > maxFileBytes) return { problem: { kind: 'large' } }
    try {
      const decoded = decodeText(new Uint8Array(await source.blob.arrayBuffer()), choices.encoding)
      if (decoded.problem !== undefined) return { problem: { kind: decoded.problem } }
      ;({ text, encoding } = decoded)
    } catch (error) {
      // Browsers throw a DOMException if the file was moved, changed or removed after it was chosen.
      if (error instanceof DOMException) return { problem: { kind: 'unreadable' } }
      throw error
    }
  }
  if (text.replace(byteOrderMark, '').trim() === '') return { problem: { kind: 'empty' } }
  try {
    const separator = choices.separator ?? findSeparator(text)
    const all = await collectRows(text, separator, signal)
    const chosen = all.findIndex(({ row }) => row === choices.header)
    const header = choices.header === 'none' ? undefined : chosen === -1 ? findHeader(all) : chosen
    const { headers, rows, doubled } = shapeTable(all, header)
    if (rows.length === 0) return { problem: { kind: 'rows' } }
    return {
      file: {
        source,
        choices,
        encoding,
        separator,
        header: header === undefined ? undefined : all[header]?.row,
        firstRows: all.slice(0, headerRows),
        headers: headers.map((name, index) =>
          name === '' ? importColumnsText.nameless({ position: index + 1 }) : name,
        ),
        doubled,
        rows,
        guarded: rows.reduce((sum, { cells }) => sum + cells.filter(isGuarded).length, 0),
      },
    }
  } catch (error) {
    if (!(error instanceof BrokenQuotes)) throw error
    return { problem: { kind: 'quotes', row: error.row, isOpen: error.isOpen } }
  }
}

const isGuarded = (cell: string) => stripGuard(cell) !== cell

const rowsPerTurn = 2000

/** Reads all rows, in turns that leave the page responsive. Rejects with `BrokenQuotes`, or when aborted. */
async function collectRows(text: string, separator: Separator, signal: AbortSignal): Promise<TableRow[]> {
  const rows: TableRow[] = []
  for (const row of readRows(text, separator)) {
    rows.push(row)
    if (rows.length % rowsPerTurn > 0) continue
    await yieldToMain()
    signal.throwIfAborted()
  }
  return rows
}

const sampled = 3
const lookedAt = 200

/** Returns the columns with their first values, without their guards. */
export function columnsOf({ headers, rows }: ImportFile): FileColumn[] {
  return headers.map((header, index) => {
    const values = rows
      .slice(0, lookedAt)
      .map(({ cells }) => stripGuard(cells[index] ?? ''))
      .filter((value) => value.trim() !== '')
    return { header, samples: values.slice(0, sampled) }
  })
}
