import { importChunkRows, type ImportMapping, type Separator } from '#contract/import.ts'
import { readPropertyHeader } from '#contract/reading/cells.ts'
import { type ColumnReading, type DefinedChoice, readColumn } from '#contract/reading/columns.ts'
import { type ColumnSummary, summariseColumn } from '#contract/reading/summary.ts'
import { readDefinitions } from '../definitions/storage.ts'
import { readMarks } from '../entities/property-keys.ts'
import { mapInSlices } from '../http/limits/slices.ts'
import type { Database } from '../sealing/database.ts'
import type { Handle } from '../store/sql.ts'
import { type FileRow, readChunk } from './chunks.ts'
import type { ImportInput } from './input.ts'
import type { OrderedRow } from './matching.ts'
import { type ReadableColumn, readRow } from './reading.ts'
import type { WaitingRow } from './row-storage.ts'

/** File of an import with its mapping, as the job keeps it sealed. */
export interface MappedFile {
  readonly headers: readonly string[]
  /** Separator of the file; a comma for a workbook. */
  readonly separator: Separator
  readonly mapping: ImportMapping
}

/** Returns the file of an import; undefined if it is not mapped, or no longer kept. */
export function mappedIn(input: unknown): MappedFile | undefined {
  const { columns = [], found, mapping } = (input ?? {}) as Partial<ImportInput>
  return (
    mapping && { headers: columns.map(({ header }) => header), separator: found?.separator ?? ',', mapping }
  )
}

/** Returns whether values of new properties are sealed: as they are defined, or else if all others are. */
async function readSealed(sql: Handle): Promise<(entity: string, key: string) => Promise<boolean>> {
  const defined = new Map(
    (await readDefinitions(sql)).map(({ entityType, key, definition }) => [
      `${entityType} ${key}`,
      'sensitive' in definition ? definition.sensitive : undefined,
    ]),
  )
  return async (entity, key) =>
    defined.get(`${entity} ${key}`) ?? (await readMarks(sql, entity, key)) === 'sensitive'
}

/** Returns which choices the properties of an import are defined to have. */
export async function readDefinedChoices(sql: Handle) {
  const defined = new Map(
    (await readDefinitions(sql)).map(({ entityType, key, definition }) => [
      `${entityType} ${key}`,
      'choices' in definition ? definition.choices : undefined,
    ]),
  )
  return ({ entity, key }: { readonly entity: string; readonly key: string }): readonly DefinedChoice[] =>
    defined.get(`${entity} ${key}`) ?? []
}

/** Returns the properties whose values an import stores in clear. */
export async function propertiesInClear(
  { sql }: Database,
  input: unknown,
): Promise<{ readonly entity: string; readonly key: string }[]> {
  const isSealed = await readSealed(sql)
  const inClear: { readonly entity: string; readonly key: string }[] = []
  for (const target of mappedIn(input)?.mapping.columns ?? [])
    if (target.to === 'property' && !target.sensitive && !(await isSealed(target.entity, target.key)))
      inClear.push(target)
  return inClear
}

/** Columns of a file, each read as all its cells together demand. */
export interface ImportColumns {
  readonly mapping: ImportMapping
  readonly width: number
  readonly columns: readonly ReadableColumn[]
  /** Types of the entities that the file writes. */
  readonly types: readonly string[]
}

/** Files whose columns are kept in memory. */
const keptFiles = 4

/** Reading of a file from its first to its last row. */
class Scan {
  readonly key: string
  /** Chunks that have been read. */
  chunks = 0
  /** How the cells of each column are read; undefined before the last chunk. */
  readings: ReadonlyMap<number, ColumnReading> | undefined
  readonly #summaries: ReadonlyMap<number, ColumnSummary>

  constructor(key: string, headers: readonly string[], { columns }: ImportMapping) {
    this.key = key
    this.#summaries = new Map(
      columns.flatMap((target, column) => {
        const header = headers[column] ?? ''
        const isOurs = readPropertyHeader(header) !== undefined
        return target.to === 'ignore' ? [] : [[column, summariseColumn({ header, isOurs })] as const]
      }),
    )
  }

  add(rows: readonly FileRow[]): void {
    for (const [, cells] of rows)
      for (const [column, summary] of this.#summaries) summary.add(cells[column] ?? '')
    this.chunks += 1
  }

  async finish(sql: Handle, { columns }: ImportMapping): Promise<void> {
    const choicesOf = await readDefinedChoices(sql)
    const read = await mapInSlices([...this.#summaries], ([column, summary]) => {
      const target = columns[column]
      if (!target || target.to === 'ignore') return []
      const reading =
        target.to === 'field'
          ? readColumn(fieldTypes[target.field] ?? 'TEXT', summary, target.choices)
          : readColumn(target.type, summary, target.choices, target.words, choicesOf(target))
      return [[column, reading] as const]
    })
    this.readings = new Map(read.flat())
  }
}

/**
 * Reads the columns of files. A file is read through once for it, in as many turns as that takes, and the result kept in
 * memory: another process reads it again.
 */
class ColumnReader {
  readonly #database: Database
  readonly #scans = new Map<string, Scan>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the columns of a job's file; undefined if the time ended before, so that the next call goes on. */
  async read(
    job: string,
    { headers, mapping }: MappedFile,
    { endsAtMs = Infinity, signal }: { readonly endsAtMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<ImportColumns | undefined> {
    const scan = this.#scanOf(job, headers, mapping)
    while (!scan.readings) {
      if (performance.now() >= endsAtMs || signal?.aborted) return undefined
      const at = scan.chunks
      const rows = await readChunk(this.#database, job, at)
      // A job and a request may read the same file at once; each chunk counts once.
      if (scan.chunks !== at) continue
      if (rows) scan.add(rows)
      else await scan.finish(this.#database.sql, mapping)
    }
    return await this.#columnsOf(headers, mapping, scan.readings)
  }

  #scanOf(job: string, headers: readonly string[], mapping: ImportMapping): Scan {
    const key = JSON.stringify(mapping)
    const before = this.#scans.get(job)
    this.#scans.delete(job)
    const scan = before?.key === key ? before : new Scan(key, headers, mapping)
    this.#scans.set(job, scan)
    if (this.#scans.size > keptFiles) this.#scans.delete(this.#scans.keys().next().value ?? '')
    return scan
  }

  /** Adds what the store says of the properties, which may have changed since the file was read through. */
  async #columnsOf(
    headers: readonly string[],
    mapping: ImportMapping,
    readings: ReadonlyMap<number, ColumnReading>,
  ): Promise<ImportColumns> {
    const { sql } = this.#database
    const isSealed = await readSealed(sql)
    const columns: ReadableColumn[] = []
    for (const [column, reading] of readings) {
      const target = mapping.columns[column]
      if (!target || target.to === 'ignore') continue
      const header = headers[column] ?? ''
      if (target.to === 'field') {
        columns.push({ column, header, reading, to: { field: target.field } })
        continue
      }
      const { entity, key, type } = target
      const sensitive = target.sensitive ? 'always' : (await isSealed(entity, key)) ? 'new' : 'never'
      columns.push({ column, header, reading, to: { entity, key, type, sensitive } })
    }
    const types = columns.flatMap(({ to }) => ('entity' in to ? [to.entity] : []))
    return { mapping, width: headers.length, columns, types: [...new Set(types)] }
  }
}

/** Data types that the fields of users are read as; the others are texts. */
export const fieldTypes: Readonly<Record<string, string>> = { email: 'EMAIL', since: 'DATETIME' }

const readers = new WeakMap<Database, ColumnReader>()

/** Returns the reader of this process, which jobs and requests share. */
export function columnReaderOf(database: Database): ColumnReader {
  const reader = readers.get(database) ?? new ColumnReader(database)
  readers.set(database, reader)
  return reader
}

/** Reads those rows of a chunk that are to be worked on. */
export async function readFileRows(
  { columns, width, mapping }: ImportColumns,
  fileRows: readonly FileRow[],
  waiting: readonly Pick<WaitingRow, 'at'>[],
): Promise<OrderedRow[]> {
  const rows = await mapInSlices(waiting, ({ at }) => {
    const row = fileRows[(at - 1) % importChunkRows]
    return row && { at, ...readRow(row, columns, { width, bad: mapping.bad }) }
  })
  return rows.filter((row) => row !== undefined)
}
