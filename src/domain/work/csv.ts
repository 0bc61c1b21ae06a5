import Papa, { type ParseLocalConfig } from 'papaparse'

import { yieldToMain } from './concurrency.ts'
import { formula } from './formula.ts'

export const separators = [',', ';', '\t', '|'] as const
export type Separator = (typeof separators)[number]

/** Byte order mark that tells spreadsheets that a file is UTF-8. Readers that know it skip it. */
export const byteOrderMark = '\uFEFF'

/** Formats rows as CSV (RFC 4180). All cells are quoted, in case a spreadsheet expects another separator. */
export function csvRows(rows: readonly (readonly string[])[], separator: Separator): string {
  if (rows.length === 0) return ''
  const text = Papa.unparse(rows as string[][], {
    delimiter: separator,
    newline: '\r\n',
    quotes: true,
    escapeFormulae: formula,
  })
  return `${text}\r\n`
}

export interface TableRow {
  /** Row number as in a spreadsheet: the file's first row is 1. Skipped blank rows count. */
  readonly row: number
  readonly cells: readonly string[]
}

export interface Table {
  readonly separator: Separator
  readonly rows: readonly TableRow[]
}

export interface ReadOptions {
  /** Separator; detected from the first rows if undefined. */
  readonly separator?: Separator | undefined
  readonly signal?: AbortSignal | undefined
}

/** Error for unbalanced quotes: from this row on, cell and row boundaries would be guesses. */
export class BrokenQuotes extends Error {
  override readonly name = 'BrokenQuotes'
  readonly row: number
  /** Whether the quote is never closed; otherwise, text follows the closing quote. */
  readonly isOpen: boolean
  constructor(row: number, isOpen: boolean) {
    super(`The quotes in row ${row} do not come in pairs.`)
    this.row = row
    this.isOpen = isOpen
  }
}

const chunkCharacters = 256 * 1024
/** Maximum length of an incomplete row: room for many of the largest cells that the service accepts (64 KiB). */
const longestRowCharacters = 4 * 1024 * 1024

/** Papa's types allow chunks of a text only in workers, whose `blob:` URL the content security policy forbids. */
const parseBits = Papa.parse as unknown as (text: string, config: ParseLocalConfig<string[], string>) => void

/** Parses a table in chunks, so that the page stays responsive. Rejects with `BrokenQuotes`, or when aborted. */
export function readCsv(text: string, { separator, signal }: ReadOptions = {}): Promise<Table> {
  return new Promise((resolve, reject) => {
    const rows: TableRow[] = []
    let counted = 0
    let pendingCharacters = 0
    let found: string | undefined
    parseBits(text, {
      delimiter: separator ?? '',
      delimitersToGuess: [...separators],
      chunkSize: chunkCharacters,
      chunk: ({ data, errors, meta }, parser) => {
        found = meta.delimiter
        // Errors in a row cut off by the chunk are ignored: real ones recur once the row is complete.
        const broken = errors.find(({ type, row = Infinity }) => type === 'Quotes' && row < data.length)
        pendingCharacters = data.length === 0 ? pendingCharacters + chunkCharacters : 0
        if (broken !== undefined || pendingCharacters > longestRowCharacters) {
          const isOpen = broken?.code !== 'InvalidQuotes'
          reject(new BrokenQuotes(counted + (broken?.row ?? 0) + 1, isOpen))
          parser.abort()
          return
        }
        for (const [index, cells] of data.entries())
          if (cells.some((cell) => cell.trim() !== '')) rows.push({ row: counted + index + 1, cells })
        counted += data.length
        parser.pause()
        void yieldToMain().then(() => {
          if (signal?.aborted !== true) return parser.resume()
          reject(signal.reason)
          return parser.abort()
        })
      },
      complete: () => resolve({ separator: separators.find((known) => known === found) ?? ',', rows }),
    })
  })
}
