import Papa, { type ParseLocalConfig } from 'papaparse'

import { yieldToMain } from './yield-to-main.ts'
import { formula } from './formula.ts'

export const separators = [',', ';', '\t', '|'] as const
export type Separator = (typeof separators)[number]

/** Shows spreadsheets that a file is UTF-8; readers that know of it leave it out. */
export const byteOrderMark = '\uFEFF'

/**
 * RFC 4180, every cell quoted: a spreadsheet that splits at another sign than ours then still does not begin a cell in
 * the middle of a text.
 */
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
  /** Row number as in a spreadsheet: the file's first row is 1. Blank rows count, though they are left out. */
  readonly row: number
  readonly cells: readonly string[]
}

export interface Table {
  readonly separator: Separator
  readonly rows: readonly TableRow[]
}

export interface ReadOptions {
  /** Absent: found out from the first rows. */
  readonly separator?: Separator | undefined
  readonly signal?: AbortSignal | undefined
}

/** Error for quotes that do not come in pairs: from this row on, the ends of cells and rows would be a guess. */
export class BrokenQuotes extends Error {
  override readonly name = 'BrokenQuotes'
  readonly row: number
  /** Whether the quote is never closed; false: text follows the closing quote. */
  readonly isOpen: boolean
  constructor(row: number, isOpen: boolean) {
    super(`The quotes in row ${row} do not come in pairs.`)
    this.row = row
    this.isOpen = isOpen
  }
}

const chunkCharacters = 256 * 1024
/** Longer than any cell that the service takes (64 KiB), with room for a row of many. */
const longestRowCharacters = 4 * 1024 * 1024

/** Papa's types allow chunks of a text only in workers, which load from a `blob:` that the page's policy forbids. */
const parseBits = Papa.parse as unknown as (text: string, config: ParseLocalConfig<string[], string>) => void

/** Reads a table bit by bit, so that a long one does not stop the page. Rejects with `BrokenQuotes`, or when aborted. */
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
        // Errors in a row that the chunk cuts off are ignored: real ones come again once the row is complete.
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
