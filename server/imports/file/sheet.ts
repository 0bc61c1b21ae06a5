import { maxImportColumns } from '#contract/import.ts'
import { LongRow, longestRow, isFilled, type TableRow } from '#contract/reading/table.ts'
import { badFileOf, tooManyOf } from './bad-file.ts'
import { showNumber } from './number-format.ts'
import { decodeSigns, TextCollector, type Workbook } from './workbook.ts'
import type { XmlAttributes, XmlHandler } from './xml.ts'

/** Rows of the largest sheet of a spreadsheet. */
const mostRows = 1_048_576

interface Cell {
  readonly column: number
  /** Type of the value; `n` for a number, a date or a time. */
  readonly type: string
  readonly format: number
}

/** Makes rows of the XML of a sheet: what its cells show, and the stored result of a formula. */
export class SheetRows implements XmlHandler {
  readonly #book: Workbook
  readonly #inline = new TextCollector()
  #done: TableRow[] = []
  #row = 0
  #cells: string[] = []
  #length = 0
  #column = 0
  #cell: Cell | undefined
  #isValue = false
  #value = ''

  constructor(book: Workbook) {
    this.#book = book
  }

  /** Returns the rows that have ended since it was last called, without blank ones. */
  take(): readonly TableRow[] {
    const rows = this.#done
    this.#done = []
    return rows
  }

  open = (at: readonly string[], attributes: XmlAttributes): void => {
    if (at[1] !== 'sheetData') return
    if (at.length === 3 && at[2] === 'row') this.#beginRow(attributes)
    else if (at.length === 4 && at[3] === 'c') this.#beginCell(attributes)
    else if (at.length === 5 && at[4] === 'v') this.#isValue = true
    else if (at.length > 5 && at[4] === 'is') this.#inline.open(at)
  }

  text = (text: string): void => {
    if (this.#isValue) this.#value += text
    else if (this.#cell) this.#inline.add(text)
  }

  close = (at: readonly string[]): void => {
    if (at[1] !== 'sheetData') return
    if (at.length > 5) this.#inline.close(at)
    else if (at.length === 5) this.#isValue = false
    else if (at.length === 4 && this.#cell) this.#endCell(this.#cell)
    else if (at.length === 3) this.#endRow()
  }

  #beginRow({ r: given }: XmlAttributes): void {
    const row = given === undefined ? this.#row + 1 : Number(given)
    if (!Number.isInteger(row) || row <= this.#row || row > mostRows) throw badFileOf('broken')
    this.#row = row
    this.#cells = []
    this.#length = 0
    this.#column = 0
  }

  #beginCell({ r: place, t: type = 'n', s: format = '0' }: XmlAttributes): void {
    const column = place === undefined ? this.#column : columnOf(place)
    if (column === undefined) throw badFileOf('broken')
    this.#column = column + 1
    this.#cell = { column, type, format: Number(format) }
    this.#value = ''
    this.#inline.begin()
  }

  #endCell(cell: Cell): void {
    this.#cell = undefined
    const text = this.#show(cell)
    if (text === '') return
    const { column } = cell
    if (column >= maxImportColumns) throw tooManyOf('columns', 'columns', maxImportColumns, this.#row)
    while (this.#cells.length < column) this.#cells.push('')
    this.#cells[column] = text
    this.#length += text.length
    if (this.#length > longestRow) throw new LongRow(this.#row)
  }

  #endRow(): void {
    if (this.#cells.some(isFilled)) this.#done.push({ row: this.#row, cells: this.#cells })
  }

  #show({ type, format }: Cell): string {
    const value = this.#value
    const { strings, formats, is1904 } = this.#book
    if (type === 'inlineStr') return this.#inline.text
    if (value === '') return ''
    switch (type) {
      case 's': {
        const text = strings[Number(value)]
        if (text === undefined) throw badFileOf('broken')
        return text
      }
      case 'str':
        return decodeSigns(value)
      case 'b':
        return value.trim() === '1' || value.trim() === 'true' ? 'true' : 'false'
      case 'n':
        return showNumber(value, formats[format], is1904)
      case 'd':
        return value.replace(/T00:00(?::00(?:\.0+)?)?Z?$/, '')
      default:
        return value
    }
  }
}

/** Returns the index of a column by the name of a cell, such as AB12. */
function columnOf(place: string): number | undefined {
  const [, letters] = /^([A-Z]{1,3})\d+$/.exec(place) ?? []
  if (letters === undefined) return undefined
  // A is 10 in base 36, and the first of 26.
  return letters.split('').reduce((sum, letter) => sum * 26 + Number.parseInt(letter, 36) - 9, 0) - 1
}
