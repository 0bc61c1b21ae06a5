import { sql } from 'kysely'

import { importChunkRows } from '#contract/import.ts'
import {
  type Change,
  type ImportChange,
  importRowsPerPage,
  type ImportRow,
  type Outcome,
  type UndoOutcome,
  userId,
} from '#contract/index.ts'
import { toChanges } from '../changesets/changes.ts'
import { changesetsById, sensitiveKeysOfEntities } from '../changesets/storage.ts'
import { cutReportedText } from '../jobs/report.ts'
import type { Database } from '../sealing/database.ts'
import type { Handle } from '../store/sql.ts'
import { chunkOf, type FileRow, readChunk } from './chunks.ts'
import { type ImportColumns, readFileRows } from './columns.ts'
import { findKnown, type OrderedRow } from './matching.ts'
import { changedSince, planRow, type PlannedRow, type RowTask } from './planning.ts'
import type { RowProblem } from './reading.ts'
import { type KeptRow, readPage } from './row-storage.ts'

interface Asked {
  readonly outcome: Outcome | undefined
  readonly undone: UndoOutcome | undefined
  readonly after: number
  /** Whether the job is undone, or has been. */
  readonly isUndo: boolean
  /** Whether nothing has been imported yet. */
  readonly isDryRun: boolean
}

/** Columns of a file, and how its rows are planned. */
export interface PlannedFile {
  readonly columns: ImportColumns
  readonly task: RowTask
}

/**
 * Returns a page of the rows of a file. Rows that are not imported yet are planned as they would be imported now: those of
 * users who have changed since the check would be left alone.
 *
 * @param file Undefined if the rows of the file are no longer kept.
 */
export async function rowsPage(
  database: Database,
  job: string,
  asked: Asked,
  file: PlannedFile | undefined,
): Promise<{ readonly next: string; readonly rows: ImportRow[] }> {
  const found = await readPage(database.sql, job, { ...asked, atMost: importRowsPerPage + 1 })
  const page = found.slice(0, importRowsPerPage)
  const next = found.length > page.length ? String(page.at(-1)?.at ?? '') : ''
  const inFile = await rowsInFile(database, job, page)
  const read = new Map<number, OrderedRow>()
  if (file)
    for (const { at } of page) {
      const row = inFile.get(at)
      for (const each of row ? await readFileRows(file.columns, [row], [{ at: 1 }]) : [])
        read.set(at, { ...each, at })
    }
  const plans = file ? await planRows(database.sql, file, page, read) : new Map<number, PlannedRow>()
  const recorded = await recordedChanges(database.sql, page)
  const columns = new Map(
    file?.columns.columns.map(({ column, to }) => [
      'key' in to ? `${to.entity} ${to.key}` : ` ${to.field}`,
      column,
    ]),
  )
  const userOf = ({ at, user }: KeptRow) => user ?? plans.get(at)?.user?.user
  const names = await namesOf(
    database.sql,
    page.flatMap((row) => userOf(row) ?? []),
  )
  const rows = Array.from(page, (row): ImportRow => {
    const { at, outcome, undone, code, detail, seen } = row
    const [number = at, cells = []] = inFile.get(at) ?? []
    const plan = plans.get(at)
    const user = userOf(row)
    const name = user === undefined ? undefined : names.get(user)
    const ofCells = read.get(at)?.problems ?? []
    const isSaid = code === null || ofCells.some((each) => each.code === code)
    const open = asked.isDryRun || outcome === 'waiting' ? plan : undefined
    const isStale = open !== undefined && seen !== null && seen !== open.seen
    const all = recorded.get(at) ?? (open && !isStale ? plannedChanges(open) : [])
    // A new user gets this date from the service if the file has none.
    const changes = all.filter(({ entity, key }) => entity || key !== 'since' || columns.has(' since'))
    return {
      row: number,
      outcome,
      ...(undone !== null && { undone }),
      ...(user !== undefined && { user: userId.parse(user) }),
      ...(name !== undefined && { name }),
      ...(plan?.by !== undefined && { by: plan.by }),
      cells: cells.map((cell) => String(cutReportedText(cell))),
      changes: changes.map((change) => {
        const column = columns.get(`${change.entity ?? ''} ${change.key}`)
        return column === undefined ? change : Object.assign(change, { column })
      }),
      problems: [
        ...ofCells.map(toProblem),
        ...(isSaid ? [] : [{ code, detail: detail ?? '' }]),
        ...(isStale ? [changedSince] : []),
      ],
    }
  })
  return { next, rows }
}

const toProblem = ({ column, cell, code, detail }: RowProblem): ImportRow['problems'][number] => ({
  ...(column !== undefined && { column }),
  code,
  ...(cell !== undefined && { cell: String(cutReportedText(cell)) }),
  detail,
})

/** Returns the rows as they are in the file, by their ordinals; without those that are no longer kept. */
async function rowsInFile(
  database: Database,
  job: string,
  page: readonly KeptRow[],
): Promise<ReadonlyMap<number, FileRow>> {
  const rows = new Map<number, FileRow>()
  for (const [chunk, some] of Map.groupBy(page, ({ at }) => chunkOf(at))) {
    const inChunk = await readChunk(database, job, chunk)
    for (const { at } of some) {
      const row = inChunk?.[(at - 1) % importChunkRows]
      if (row) rows.set(at, row)
    }
  }
  return rows
}

/** Plans those rows of a page that the import has not changed anybody for. */
async function planRows(
  database: Handle,
  { columns, task }: PlannedFile,
  page: readonly KeptRow[],
  read: ReadonlyMap<number, OrderedRow>,
): Promise<ReadonlyMap<number, PlannedRow>> {
  const planned = new Set(['created', 'changed', 'unchanged', 'skipped', 'ambiguous', 'waiting', 'conflict'])
  const rows = page.flatMap(({ at, outcome, changesets, code }) => {
    const row = read.get(at)
    const isOpen = changesets === null && planned.has(outcome) && code !== 'repeated'
    return row && isOpen && !row.isLeftOut ? [row] : []
  })
  const known = await findKnown(database, rows, columns.types, { lock: false })
  return new Map(rows.map((row) => [row.at, planRow(task, row, known)]))
}

function plannedChanges({ plans }: PlannedRow): ImportChange[] {
  return plans.flatMap(({ changes: records }) =>
    records.flatMap(({ entity, changes }) =>
      changes.map((change) => {
        const isMasked = change.sensitive || change.sensitiveBefore === true
        return toImportChange(entity?.type, isMasked ? { ...change, masked: true } : change)
      }),
    ),
  )
}

/** Returns what the import has changed, by the ordinals of rows, from the changesets of their users. */
async function recordedChanges(
  database: Handle,
  page: readonly KeptRow[],
): Promise<ReadonlyMap<number, ImportChange[]>> {
  const own = page.flatMap(({ at, user, changesets }) =>
    user !== null && changesets ? [{ at, user, changesets }] : [],
  )
  if (own.length === 0) return new Map()
  const users = own.map(({ user }) => user)
  const recorded = await changesetsById(
    database,
    users,
    own.flatMap(({ changesets }) => changesets),
  )
  const found = new Map(recorded.map((each) => [each.id, each]))
  const entities = recorded.flatMap(({ entity_id }) => entity_id ?? [])
  const masked = await sensitiveKeysOfEntities(database, users, entities)
  return new Map(
    own.map(({ at, changesets }) => [
      at,
      changesets
        .flatMap((id) => found.get(id) ?? [])
        .flatMap(({ entity_id, entity_type, changes }) =>
          toChanges(changes, (key) => masked.get(entity_id ?? '')?.has(key) === true).map((change) =>
            toImportChange(entity_type ?? undefined, change),
          ),
        ),
    ]),
  )
}

function toImportChange(
  entity: string | undefined,
  {
    key,
    type,
    typeBefore,
    before,
    after,
    masked,
  }: Pick<Change, 'key' | 'type' | 'typeBefore' | 'before' | 'after' | 'masked'>,
): ImportChange {
  return {
    ...(entity !== undefined && { entity }),
    key,
    type,
    ...(typeBefore !== undefined && { typeBefore }),
    ...(masked
      ? { masked: true }
      : {
          ...(before !== undefined && { before: cutReportedText(before) }),
          ...(after !== undefined && { after: cutReportedText(after) }),
        }),
  }
}

async function namesOf(database: Handle, users: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string | null }>`
    select id, name from users where id = any(${users}::uuid[])`.execute(database)
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])))
}
