import { formatCount } from '#contract/index.ts'
import type { TableRow } from '#contract/reading/table.ts'
import { Archive } from './archive.ts'
import { badFile, badFileOf, refusalOfText } from './bad-file.ts'
import { SheetRows } from './sheet.ts'
import { readWorkbook, type Sheet } from './workbook.ts'
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

  /** @param chosen Name of the sheet; undefined for the first one that a person sees. */
  constructor(chosen: string | undefined) {
    this.#chosen = chosen
  }

  get found(): FoundSheet {
    return this.#found
  }

  async *read(pieces: AsyncIterable<Buffer>): AsyncGenerator<readonly TableRow[], void> {
    const archive = await Archive.receive(pieces)
    const book = await readWorkbook(archive)
    const { name, file } = this.#choose(book.sheets)
    this.#found = {
      sheet: name,
      sheets: book.sheets.filter(({ isHidden }) => !isHidden).map((sheet) => sheet.name),
    }
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

  #choose(sheets: readonly Sheet[]): Sheet {
    const chosen = this.#chosen
    const found =
      chosen === undefined
        ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
        : sheets.find(({ name }) => name === chosen)
    if (found) return found
    if (chosen === undefined) throw badFileOf('no_sheets')
    const names = sheets.slice(0, shownSheets).map(({ name }) => `“${name}”`)
    const more = sheets.length > shownSheets ? ` and ${formatCount(sheets.length - shownSheets)} more` : ''
    throw badFile(
      'sheet',
      `The workbook has no sheet “${chosen}”. Its sheets are ${names.join(', ')}${more}.`,
    )
  }
}
