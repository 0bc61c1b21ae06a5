import { formatCount } from '#contract/index.ts'
import type { TableRow } from '#contract/reading/table.ts'
import { Archive } from './archive.ts'
import { badFile, badFileOf, refusalOfText } from './bad-file.ts'
import { SheetRows } from './sheet.ts'
import { readWorkbook, type Sheet, type Workbook } from './workbook.ts'
import { XmlReader } from './xml.ts'

/** Sheets that the refusal of an unknown one names. */
const shownSheets = 20

interface FoundSheet {
  /** Name of the sheet that is read. */
  readonly sheet: string | undefined
  /** Names of the sheets that a person sees. */
  readonly sheets: readonly string[]
}

/** Reads the rows of one sheet of a workbook, once all of the file is there. Throws the refusal of one that cannot be. */
export class WorkbookRows {
  readonly #chosen: string | undefined
  #found: FoundSheet = { sheet: undefined, sheets: [] }

  /** @param chosen Name of the sheet; undefined for the first one with rows that a person sees. */
  constructor(chosen: string | undefined) {
    this.#chosen = chosen
  }

  get found(): FoundSheet {
    return this.#found
  }

  async *read(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly TableRow[], void> {
    const archive = await Archive.receive(pieces)
    const book = await readWorkbook(archive)
    const sheets = book.sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name)
    for (const { name, file } of this.#choose(book.sheets)) {
      this.#found = { sheet: name, sheets }
      let isEmpty = true
      for await (const rows of readSheet(archive, book, file)) {
        isEmpty &&= rows.length === 0
        yield rows
      }
      if (!isEmpty) return
    }
  }

  /** Returns the chosen sheet, or those that a person sees, of which the first one with rows is read. */
  #choose(sheets: readonly Sheet[]): readonly Sheet[] {
    const chosen = this.#chosen
    const seen = sheets.filter(({ isHidden }) => !isHidden)
    const found =
      chosen !== undefined
        ? sheets.filter(({ name }) => name === chosen)
        : seen.length > 0
          ? seen
          : sheets.slice(0, 1)
    if (found.length > 0) return found
    if (chosen === undefined) throw badFileOf('no_sheets')
    const names = sheets.slice(0, shownSheets).map(({ name }) => `“${name}”`)
    const more = sheets.length > shownSheets ? ` and ${formatCount(sheets.length - shownSheets)} more` : ''
    throw badFile(
      'sheet',
      `The workbook has no sheet “${chosen}”. Its sheets are ${names.join(', ')}${more}.`,
    )
  }
}

async function* readSheet(
  archive: Archive,
  book: Workbook,
  file: string,
): AsyncGenerator<readonly TableRow[], void> {
  const rows = new SheetRows(book)
  const xml = new XmlReader(rows)
  try {
    for await (const piece of archive.read(file)) {
      xml.push(piece)
      yield rows.take()
    }
    xml.end()
    yield rows.take()
  } catch (error) {
    throw refusalOfText(error) ?? error
  }
}
