import { hkdfSync } from 'node:crypto'

import {
  type ExportRequest,
  exportTypes,
  isUserColumn,
  type Job,
  readColumn,
  type Scope,
} from '#contract/index.ts'
import { propertyHeader } from '#contract/reading/cells.ts'
import { byteOrderMark, writeRows } from '#contract/reading/table.ts'
import { readMarks } from '../entities/property-keys.ts'
import type { IndexKey } from '../sealing/data-keys.ts'
import { openBytes, sealBytes } from '../sealing/encryption.ts'
import type { Selection } from '../segments/conditions.ts'
import type { Handle } from '../store/sql.ts'
import type { JobFile } from './files.ts'
import type { JobRow } from './storage.ts'
import { sheetHead } from './workbook/workbook.ts'

/** Task of an export without what people typed. Stored in clear. */
export interface ExportTask extends Pick<
  ExportRequest,
  'format' | 'columns' | 'entities' | 'separator' | 'sensitive'
> {
  /** Text above the first row: the titles of a table, as the format writes them. */
  readonly head: string
  readonly segment?: string | undefined
}

/** Input that people typed: the filter may name somebody. Undefined members if the users were named by id. */
export type FoundBy = Pick<Selection, 'filter' | 'tz' | 'segment'>

/** Entity type and keys of the columns that are properties; undefined if there are none. */
export function propertiesOf({ columns = [] }: Pick<ExportTask, 'columns'>) {
  const found = columns.flatMap((name) => (isUserColumn(name) ? [] : (readColumn(name) ?? [])))
  const [first] = found
  return first && { entity: first.entity, keys: found.map(({ key }) => key) }
}

/** Scopes that somebody needs to read elsewhere what an export shows. */
export function scopesOfExport({ entities, sensitive }: Pick<ExportTask, 'entities' | 'sensitive'>): Scope[] {
  return [
    'users:read',
    ...(entities === undefined ? [] : (['entities:read'] as const)),
    ...(sensitive === 'open' ? (['sensitive:read'] as const) : []),
  ]
}

/** Writes the row of titles, each with what a reader of its values should know. */
export async function writeHead(
  database: Handle,
  { format, columns, titles, entities, separator, sensitive, byteOrderMark: isMarked }: ExportRequest,
): Promise<string> {
  if (!columns) return ''
  const written = await Promise.all(
    columns.map(async (name, at) => {
      if (titles) return titles[at] ?? ''
      const column = isUserColumn(name) ? undefined : readColumn(name)
      if (!column) return name
      const marks = await readMarks(database, column.entity, column.key)
      const isSensitive = marks === 'sensitive' || marks === 'both'
      const withheld = isSensitive && sensitive === 'masked'
      return propertyHeader({ ...column, which: entities, sensitive: isSensitive, withheld })
    }),
  )
  if (format === 'xlsx') return sheetHead(written)
  return `${isMarked ? byteOrderMark : ''}${writeRows([written], separator)}`
}

/** Name of the file: without the name of a segment, since that may be personal. */
export const fileNameOf = ({ format }: Pick<ExportTask, 'format'>, created: string) =>
  `users-${created.slice(0, 10)}.${format}`

export const fileTypeOf = ({ format }: Pick<ExportTask, 'format'>) => exportTypes[format]

/** Returns what a job answers of its export and of its file. */
export function toExport(
  { kind, asked, created }: JobRow,
  file: JobFile | undefined,
): Pick<Job, 'export' | 'file' | 'segment'> {
  if (kind !== 'export' || !file) return {}
  const task = asked as ExportTask
  const { format, columns, entities, sensitive, segment } = task
  const { rows, withheld, bytes, until, gone, workbook } = file
  return {
    ...(segment !== undefined && { segment }),
    export: {
      format,
      ...(columns && { columns }),
      ...(entities && { entities }),
      sensitive,
      rows,
      withheld,
      ...(workbook && workbook.shortened > 0 && { shortened: workbook.shortened }),
    },
    ...(until !== null && {
      file: { name: fileNameOf(task, created), type: fileTypeOf(task), bytes, until, ...(gone && { gone }) },
    }),
  }
}

/** Seals a part of a file under a key of the service, since it belongs to many users. */
export function sealChunk(indexKey: IndexKey, job: string, at: number, text: Buffer): Buffer {
  return sealBytes(fileKey(indexKey), placeOfChunk(job, at), text)
}

export function openChunk(indexKey: IndexKey, job: string, at: number, sealed: Buffer): Buffer {
  return openBytes(fileKey(indexKey), placeOfChunk(job, at), sealed)
}

const placeOfChunk = (job: string, at: number) => ({ user: job, key: String(at), type: 'file' })

function fileKey(indexKey: IndexKey): Buffer {
  return Buffer.from(hkdfSync('sha256', indexKey(), '', 'data-store files', 32))
}
