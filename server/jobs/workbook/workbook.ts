import { maxExportColumns } from '#contract/index.ts'
import { ArchiveWriter, type BegunArchive } from './archive.ts'
import { cellXml, isShortened, type SheetCell, stylesXml, titleXml } from './cells.ts'

/** Workbook up to here, as it is stored between two parts. */
export interface BegunWorkbook {
  readonly archive: BegunArchive
  readonly sheets: number
  /** Rows of the last sheet, the titles included. */
  readonly rows: number
  /** Number of texts that were longer than a cell can be. */
  readonly shortened: number
}

/** Rows that a sheet of a spreadsheet can have. Further ones are in further sheets. */
export const sheetLimits = { rows: 1_048_576 }

const schemas = 'http://schemas.openxmlformats.org'
const relationTypes = `${schemas}/officeDocument/2006/relationships`
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const typesXml = `${declaration}<Types xmlns="${schemas}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${spreadsheet}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`

const relationsXml = (relations: readonly (readonly [id: string, type: string, target: string])[]) =>
  `${declaration}<Relationships xmlns="${schemas}/package/2006/relationships">${relations
    .map(
      ([id, type, target]) => `<Relationship Id="${id}" Type="${relationTypes}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

/** Letters of the columns, such as AB. */
const columnNames = Array.from({ length: maxExportColumns }, (_, at) => {
  const before = Math.floor(at / 26)
  return `${before === 0 ? '' : String.fromCharCode(64 + before)}${String.fromCharCode(65 + (at % 26))}`
})

/** Beginning of a sheet whose first row has titles, and stays in view. */
export function sheetHead(titles: readonly string[]): string {
  const widths = titles.map(
    (title, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${Math.min(60, Math.max(24, title.length + 2))}" customWidth="1"/>`,
  )
  const cells = titles.map((title, at) => titleXml(title, `${columnNames[at]}1`))
  return `${declaration}<worksheet xmlns="${schemas}/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData><row r="1">${cells.join('')}</row>`
}

/** Writes a workbook (ECMA-376, Office Open XML) in parts. */
export class WorkbookWriter {
  readonly #archive: ArchiveWriter
  readonly #head: string
  #sheets: number
  #rows: number
  #shortened: number

  /** @param begun Null for a workbook that begins. */
  constructor(head: string, begun: BegunWorkbook | null) {
    const { archive, sheets, rows, shortened } = begun ?? { sheets: 0, rows: 0, shortened: 0 }
    this.#head = head
    this.#archive = new ArchiveWriter(archive)
    this.#sheets = sheets
    this.#rows = rows
    this.#shortened = shortened
  }

  get begun(): BegunWorkbook {
    return {
      archive: this.#archive.begun,
      sheets: this.#sheets,
      rows: this.#rows,
      shortened: this.#shortened,
    }
  }

  /** Appends rows, in as many sheets as they need. */
  async append(rows: readonly (readonly SheetCell[])[]): Promise<void> {
    if (this.#sheets === 0) {
      await this.#archive.add('[Content_Types].xml', typesXml)
      await this.#archive.add('_rels/.rels', relationsXml([['r1', 'officeDocument', 'xl/workbook.xml']]))
      await this.#archive.add('xl/styles.xml', `${declaration}${stylesXml}`)
      await this.#beginSheet()
    }
    for (let rest = rows; rest.length > 0;) {
      if (this.#rows === sheetLimits.rows) {
        await this.#endSheet()
        await this.#beginSheet()
      }
      const some = rest.slice(0, sheetLimits.rows - this.#rows)
      await this.#archive.append(some.map((cells) => this.#rowXml(cells)).join(''))
      rest = rest.slice(some.length)
    }
  }

  async finish(): Promise<void> {
    await this.#endSheet()
    const sheets = Array.from({ length: this.#sheets }, (_, at) => at + 1)
    const names = sheets.map(
      (sheet) => `<sheet name="Users${sheet === 1 ? '' : ` ${sheet}`}" sheetId="${sheet}" r:id="r${sheet}"/>`,
    )
    await this.#archive.add(
      'xl/workbook.xml',
      `${declaration}<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${relationTypes}"><bookViews><workbookView/></bookViews><sheets>${names.join('')}</sheets></workbook>`,
    )
    await this.#archive.add(
      'xl/_rels/workbook.xml.rels',
      relationsXml([
        ...sheets.map((sheet) => [`r${sheet}`, 'worksheet', `worksheets/sheet${sheet}.xml`] as const),
        [`r${this.#sheets + 1}`, 'styles', 'styles.xml'],
      ]),
    )
    this.#archive.finish()
  }

  take(): Buffer {
    return this.#archive.take()
  }

  async #beginSheet(): Promise<void> {
    this.#sheets += 1
    this.#archive.begin(`xl/worksheets/sheet${this.#sheets}.xml`)
    await this.#archive.append(this.#head)
    this.#rows = 1
  }

  async #endSheet(): Promise<void> {
    await this.#archive.append('</sheetData></worksheet>')
    this.#archive.end()
  }

  #rowXml(cells: readonly SheetCell[]): string {
    this.#rows += 1
    const written = cells.map((cell, at) => {
      if (isShortened(cell)) this.#shortened += 1
      return cellXml(cell, `${columnNames[at]}${this.#rows}`)
    })
    return `<row r="${this.#rows}">${written.join('')}</row>`
  }
}
