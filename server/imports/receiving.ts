import {
  importChunkRows,
  maxImportChunkCharacters,
  maxImportColumns,
  maxImportRows,
} from '#contract/import.ts'
import { formatCount } from '#contract/index.ts'
import { stripGuard } from '#contract/reading/guards.ts'
import { findHeader, fitCells, headerRows, shapeTable, type TableRow } from '#contract/reading/table.ts'
import { guessType } from '#contract/reading/targets.ts'
import type { Database } from '../sealing/database.ts'
import { storeChunk } from './chunks.ts'
import { badFile, badFileOf, tooManyOf } from './file/bad-file.ts'
import { cutShown, type FileColumn, type FileFound } from './input.ts'

/** Rows by which the header, the width and the columns of a file are found. */
const headRows = 200
const headCharacters = 1024 * 1024
const sampled = 3

export interface ReceivedFile {
  readonly found: Pick<FileFound, 'header' | 'rows' | 'guarded' | 'doubled'>
  readonly columns: readonly FileColumn[]
  readonly firstRows: readonly TableRow[]
}

/** Receives the rows of a file: finds its columns, and keeps what is below their names, sealed, 500 rows together. */
export class FileReceiver {
  readonly #database: Database
  readonly #id: string
  /** Number of the row with the names of the columns, as a person has chosen it. */
  readonly #chosen: number | 'none' | undefined
  /** Returns the names of the columns so far; undefined if they are in a row of the file. */
  readonly #names: () => readonly string[] | undefined
  #head: TableRow[] | undefined = []
  #headLength = 0
  #firstRows: readonly TableRow[] = []
  #columns: FileColumn[] = []
  #doubled: readonly string[] = []
  #header: number | undefined
  #rows = 0
  #guarded = 0
  #chunk: [number, readonly string[]][] = []
  #chunkLength = 0
  #chunks = 0

  constructor(
    database: Database,
    id: string,
    {
      chosen,
      names,
    }: {
      readonly chosen: number | 'none' | undefined
      readonly names: () => readonly string[] | undefined
    },
  ) {
    this.#database = database
    this.#id = id
    this.#chosen = chosen
    this.#names = names
  }

  async receive(batches: AsyncIterable<readonly TableRow[]>): Promise<ReceivedFile> {
    for await (const batch of batches) await this.#add(batch)
    if (this.#head) await this.#begin(this.#head)
    if (this.#rows === 0) throw badFileOf('rows')
    await this.#storeChunk()
    const { found, columns, firstRows } = {
      found: { header: this.#header, rows: this.#rows, guarded: this.#guarded, doubled: this.#doubled },
      columns: this.#columns,
      firstRows: this.#firstRows,
    }
    return { found, columns, firstRows }
  }

  async #add(rows: readonly TableRow[]): Promise<void> {
    for (const each of rows) {
      if (each.cells.length > maxImportColumns)
        throw tooManyOf('columns', 'columns', maxImportColumns, each.row)
      if (!this.#head) await this.#keep(each)
      else {
        this.#head.push(each)
        this.#headLength += lengthOf(each)
        if (this.#head.length >= headRows || this.#headLength > headCharacters) await this.#begin(this.#head)
      }
    }
  }

  async #begin(head: readonly TableRow[]): Promise<void> {
    this.#head = undefined
    if (head.length === 0) throw badFileOf('empty')
    const names = this.#names()
    if (names) {
      this.#columns = names.map((name, column) => columnOf(name, column, head))
      for (const each of head) await this.#keep(each)
      return
    }
    const header = this.#headerIn(head)
    const { headers, rows, doubled } = shapeTable(head, header)
    this.#header = header === undefined ? undefined : head[header]?.row
    this.#doubled = doubled
    this.#columns = headers.map((name, column) => columnOf(name, column, rows))
    this.#firstRows = head.slice(0, headerRows).map(({ row, cells }) => ({ row, cells: cells.map(cutShown) }))
    for (const each of rows) await this.#keep(each)
  }

  #headerIn(head: readonly TableRow[]): number | undefined {
    if (this.#chosen === 'none') return undefined
    if (this.#chosen === undefined) return findHeader(head)
    const at = head.findIndex(({ row }) => row === this.#chosen)
    if (at !== -1) return at
    const row = formatCount(this.#chosen)
    throw badFile(
      'header',
      `Row ${row} is none of the first rows of the file that have a value.`,
      this.#chosen,
    )
  }

  async #keep({ row, cells: given }: TableRow): Promise<void> {
    if (this.#rows === maxImportRows) throw tooManyOf('many_rows', 'rows', maxImportRows)
    const names = this.#names() ?? []
    for (let column = this.#columns.length; column < names.length; column++)
      this.#columns.push(columnOf(names[column] ?? '', column, [{ row, cells: given }]))
    const cells = fitCells(given, this.#columns.length)
    this.#rows += 1
    for (const cell of cells) if (stripGuard(cell) !== cell) this.#guarded += 1
    this.#chunk.push([row, cells])
    this.#chunkLength += lengthOf({ cells })
    if (this.#chunkLength > maxImportChunkCharacters)
      throw badFile('large_rows', `The rows up to row ${formatCount(row)} are larger than rows can be.`, row)
    if (this.#chunk.length === importChunkRows) await this.#storeChunk()
  }

  async #storeChunk(): Promise<void> {
    if (this.#chunk.length === 0) return
    await storeChunk(this.#database, this.#id, this.#chunks, this.#chunk)
    this.#chunks += 1
    this.#chunk = []
    this.#chunkLength = 0
  }
}

const lengthOf = ({ cells }: Pick<TableRow, 'cells'>) => cells.reduce((sum, { length }) => sum + length, 0)

function columnOf(header: string, column: number, rows: readonly TableRow[]): FileColumn {
  const values = new Set(
    rows.map(({ cells }) => stripGuard(cells[column] ?? '')).filter((value) => value.trim() !== ''),
  )
  return {
    header,
    samples: [...values].slice(0, sampled).map(cutShown),
    type: guessType([...values]),
  }
}
