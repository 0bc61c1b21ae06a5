import { type Separator, separators } from '../import.ts'
import { trimEnds } from '../visible.ts'
import { guardCell, stripGuard } from './guards.ts'
import { isFieldHeader } from './headers.ts'

// Tables as text: CSV (RFC 4180) with any of four separators, as spreadsheets and other products write it.

/** Byte order mark that tells spreadsheets that a file is UTF-8. Readers that know it skip it. */
export const byteOrderMark = '\uFEFF'

/** Writes rows. All cells are quoted, in case a spreadsheet expects another separator, and guarded. */
export function writeRows(
  rows: readonly (readonly string[])[],
  separator: Separator,
  guard = guardCell,
): string {
  const write = (cell: string) => `"${guard(cell).replaceAll('"', '""')}"`
  return rows.map((cells) => `${cells.map(write).join(separator)}\r\n`).join('')
}

export interface TableRow {
  /** Row number as in a spreadsheet: the file's first row is 1. Skipped blank rows count. */
  readonly row: number
  readonly cells: readonly string[]
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

/** Row that tells a spreadsheet the separator, above all others. */
const separatorRow = /^\uFEFF?"?sep=([,;\t|])"?[,;\t| ]*(?:\r\n?|\n|$)/i

export const isFilled = (cell: string) => trimEnds(cell) !== ''

/** Longest row, in characters, unless the whole text is there at once. */
export const longestRow = 16 * 1024 * 1024

/** Error for a text that goes on without the end of a row for longer than a row can be. */
export class LongRow extends Error {
  override readonly name = 'LongRow'
  readonly row: number
  constructor(row: number) {
    super(`Row ${row} does not end.`)
    this.row = row
  }
}

/** Characters at the start of a text that are enough to see whether it names its separator. */
const longestStart = 1000

/** Reads the rows of a table from pieces of its text, without blank rows and the one that names the separator. */
export class RowReader {
  readonly #rules: CellRules
  #text = ''
  #row = 0
  #hasBegun = false
  /** Length that the text must have before the row that it begins with is tried again. */
  #enough = longestStart

  constructor(separator: Separator) {
    this.#rules = cellRules(separator)
  }

  /** Yields the rows that the text has up to here, but for one that it may not have to its end. */
  *push(piece: string): Generator<TableRow, void> {
    this.#text += piece
    if (this.#text.length < Math.min(this.#enough, longestRow)) return
    yield* this.#read(false)
    // Tried again only after half as much again, so that a long row is not read once for each piece of it.
    this.#enough = this.#text.length * 1.5
    if (this.#text.length > longestRow) throw new LongRow(this.#row + 1)
  }

  *end(): Generator<TableRow, void> {
    yield* this.#read(true)
  }

  *#read(isWhole: boolean): Generator<TableRow, void> {
    const text = this.#text
    let at = this.#hasBegun ? 0 : this.#begin()
    while (at < text.length) {
      const found = rowAt(text, at, this.#row + 1, this.#rules, isWhole)
      if (!found) break
      this.#row += 1
      at = found.end
      if (found.cells.some(isFilled)) yield { row: this.#row, cells: found.cells }
    }
    this.#text = text.slice(at)
  }

  #begin(): number {
    this.#hasBegun = true
    const named = separatorRow.exec(this.#text)?.[0]
    if (named !== undefined) this.#row = 1
    return named?.length ?? (this.#text.startsWith(byteOrderMark) ? 1 : 0)
  }
}

export function* readRows(text: string, separator: Separator): Generator<TableRow, void> {
  const reader = new RowReader(separator)
  yield* reader.push(text)
  yield* reader.end()
}

/** Returns a row and where the next one begins; undefined if more text could change the row. */
function rowAt(text: string, from: number, row: number, rules: CellRules, isWhole: boolean) {
  const cells: string[] = []
  let at = from
  do {
    const found = cellAt(text, at + (cells.length > 0 ? 1 : 0), row, rules, isWhole)
    if (!found) return undefined
    cells.push(found.cell)
    at = found.end
  } while (text[at] === rules.separator)
  if (text[at] === '\r') at += 1
  // Ends a row alone too, as on Unix.
  if (text[at] === '\n') at += 1
  return at < text.length || isWhole ? { cells, end: at } : undefined
}

/** Longest quoted cell, in characters: many times the largest value that the service accepts (64 KiB). */
const longestCell = 4 * 1024 * 1024

function cellRules(separator: Separator) {
  const sign = separator === '|' ? '\\|' : separator
  const blanks = `(?:(?!${sign})[^\\S\\r\\n]|\\u200b)*`
  return {
    separator,
    plain: new RegExp(`[^${sign}\\r\\n]*`, 'y'),
    opening: new RegExp(`${blanks}"`, 'y'),
    closing: new RegExp(`${blanks}(?=[${sign}\\r\\n]|$)`, 'y'),
  }
}
type CellRules = ReturnType<typeof cellRules>

function matchAt(rule: RegExp, text: string, at: number): string | undefined {
  rule.lastIndex = at
  return rule.exec(text)?.[0]
}

/** Returns a cell and where it ends; undefined if the text ends within its quotes and may go on. */
function cellAt(text: string, from: number, row: number, rules: CellRules, isWhole: boolean) {
  const opened = matchAt(rules.opening, text, from)
  if (opened !== undefined) {
    const start = from + opened.length
    const quoted = quotedAt(text, start, rules, isWhole)
    if (quoted === 'unknown') return undefined
    if (typeof quoted === 'object') return quoted
    // After blanks, a quote that does not enclose the whole cell is part of it: `5, "inch" pipes`.
    if (opened.length === 1) throw new BrokenQuotes(row, quoted === 'open')
  }
  const cell = matchAt(rules.plain, text, from) ?? ''
  return { cell, end: from + cell.length }
}

function quotedAt(text: string, start: number, { closing }: CellRules, isWhole: boolean) {
  for (let quote = text.indexOf('"', start); ; quote = text.indexOf('"', quote + 2)) {
    if (quote < 0) return isWhole || text.length - start > longestCell ? 'open' : 'unknown'
    if (quote - start > longestCell) return 'open'
    if (text[quote + 1] === '"') continue
    const after = matchAt(closing, text, quote + 1)
    if (after === undefined) return 'broken'
    return { cell: text.slice(start, quote).replaceAll('""', '"'), end: quote + 1 + after.length }
  }
}

const sampledRows = 200

/**
 * Returns the separator that a file names, or else the one by which most of its first rows have equal widths.
 *
 * @param isWhole Whether the text is the whole file, not only its beginning.
 */
export function findSeparator(text: string, isWhole = true): Separator {
  const named = separators.find((separator) => separator === separatorRow.exec(text)?.[1])
  if (named !== undefined) return named
  const rated = separators.map((separator) => ({
    separator,
    rate: rate(firstRows(text, separator, isWhole)),
  }))
  const { separator } = rated.reduce((best, next) => (next.rate > best.rate ? next : best))
  return separator
}

/** Returns the cells of the first rows, up to one that this separator makes unreadable. */
function firstRows(text: string, separator: Separator, isWhole: boolean): readonly (readonly string[])[] {
  const rows: (readonly string[])[] = []
  const reader = new RowReader(separator)
  try {
    for (const each of isWhole ? [reader.push(text), reader.end()] : [reader.push(text)])
      for (const { cells } of each) {
        rows.push(cells)
        if (rows.length === sampledRows) return rows
      }
  } catch (error) {
    if (!(error instanceof BrokenQuotes)) throw error
    rows.push([])
  }
  return rows
}

/**
 * Rates a separator: by how many rows have the commonest width, and a little by that width. A first row of another
 * width is against it, as where a sign is a decimal comma below the header, and so is a first row that has other
 * separators within its cells.
 */
function rate(rows: readonly (readonly string[])[]): number {
  const byWidth = Map.groupBy(rows, ({ length }) => length)
  const [width = 0, same = []] = [...byWidth].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? []
  if (width < 2) return 0
  const [first = []] = rows
  const against = (first.length === width ? 1 : 0.5) * (/[;\t|]/.test(first.join()) ? 0.5 : 1)
  return (same.length / rows.length) * (2 - 1 / width) * against
}

/** Number of rows within which the header is looked for. */
export const headerRows = 20

const mailAddress = /^\S+@\S+\.\S+$/
const figure = /^[\d\s.,:/+()€$£%-]*\d[\d\s.,:/+()€$£%TZ-]*$/

/**
 * Returns the header's index: the first row that names fields, or else one below a few lines that are no rows of the
 * table, such as a title. Undefined if the table begins with a person, who has an e-mail address.
 */
export function findHeader(rows: readonly TableRow[]): number | undefined {
  const first = rows.slice(0, headerRows).map(({ cells }) => cells.map((cell) => trimEnds(stripGuard(cell))))
  const filled = first.map((cells) => cells.filter((cell) => cell !== '').length)
  const isWide = (index: number) => (filled[index] ?? 0) >= Math.max(...filled) * 0.6
  const isPerson = (cells: readonly string[]) => cells.some((cell) => mailAddress.test(cell))
  const known = first.findIndex(
    (cells, index) => isWide(index) && !isPerson(cells) && cells.some(isFieldHeader),
  )
  if (known !== -1) return known
  const at = first.findIndex((_, index) => isWide(index))
  const begun = first[at] ?? []
  if (isPerson(begun)) return undefined
  return begun.some((cell) => figure.test(cell)) ? 0 : Math.max(0, at)
}

export interface ShapedTable {
  /** Names of the columns, of which no two are alike; empty for a column without a name. */
  readonly headers: readonly string[]
  /** Rows below the header. One has another number of cells only if it has more values than there are columns. */
  readonly rows: readonly TableRow[]
  /** Names that several columns have. */
  readonly doubled: readonly string[]
}

/** Gives all rows the width of the table: spreadsheets leave out empty cells at the end of a row, or add some. */
export function shapeTable(rows: readonly TableRow[], header: number | undefined): ShapedTable {
  const named = header === undefined ? [] : (rows[header]?.cells ?? [])
  const body = header === undefined ? rows : rows.slice(header + 1)
  const full = header === undefined ? (rows[0]?.cells.length ?? 0) : named.length
  const names = Array.from({ length: full }, (_, index) =>
    trimEnds(stripGuard(named[index] ?? '').replaceAll(/\s+/g, ' ')),
  )
  const isUsed = (column: number) =>
    (names[column] ?? '') !== '' || body.some(({ cells }) => isFilled(cells[column] ?? ''))
  let width = full
  while (width > 1 && !isUsed(width - 1)) width -= 1
  const times = new Map<string, number>()
  const headers = names.slice(0, width).map((name) => {
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    return name === '' || time === 1 ? name : `${name} (${time})`
  })
  return {
    headers,
    rows: body.map(({ row, cells }) => ({ row, cells: fitCells(cells, width) })),
    doubled: [...times].flatMap(([name, time]) => (name !== '' && time > 1 ? [name] : [])),
  }
}

/** Gives a row the width of the table, unless it has more values than there are columns. */
export function fitCells(cells: readonly string[], width: number): readonly string[] {
  if (cells.length === width) return cells
  if (cells.length > width) return cells.slice(width).some(isFilled) ? cells : cells.slice(0, width)
  return [...cells, ...Array.from({ length: width - cells.length }, () => '')]
}
