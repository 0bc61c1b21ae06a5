import type { Turn, WorkTurn } from '../jobs/turn.ts'
import type { Database } from '../sealing/database.ts'
import { applyRows, isOfRows, tookTooLong } from './apply.ts'
import { checkRows } from './check.ts'
import { chunkOf, readChunk } from './chunks.ts'
import { columnReaderOf, type ImportColumns, mappedIn } from './columns.ts'
import { firstUnchecked, firstWaiting, noteRows } from './row-storage.ts'
import { undoRows } from './undo.ts'

/** Size of the file, as the job has it in clear. */
export interface ImportTask {
  readonly rows: number
}

/** Number of attempts for rows that the database aborts, before they are tried one by one. */
const maxTries = 3

/** Work of imports: a check, then the import itself, then its undo if that is asked for. */
export function importWork(database: Database): WorkTurn {
  const reader = columnReaderOf(database)
  const failures = new Map<string, { readonly at: number; readonly times: number }>()

  /** Works on the chunk of a row; row by row if the database has aborted it several times. */
  async function workOnChunk(turn: Turn, columns: ImportColumns, at: number): Promise<boolean> {
    const { claim } = turn
    const chunk = chunkOf(at)
    const fileRows = await readChunk(turn.database, claim.id, chunk)
    if (!fileRows) throw new MissingRows()
    const rows = { chunk, fileRows }
    const last = failures.get(claim.id)
    const isSingle = last?.at === at && last.times >= maxTries
    try {
      if (claim.dry_run) return await checkRows(turn, columns, rows)
      return await applyRows(turn, columns, isSingle ? { ...rows, only: at } : rows)
    } catch (error) {
      if (!isOfRows(error)) throw error
      failures.set(claim.id, { at, times: last?.at === at ? last.times + 1 : 1 })
      if (!isSingle || claim.dry_run) throw error
      await turn.database.sql.transaction().execute(async (transaction) => {
        await noteRows(transaction, claim.id, [{ at, ...tookTooLong }])
      })
      return true
    }
  }

  return async (turn) => {
    const { claim, endsAtMs, signal } = turn
    const isOver = () => performance.now() >= endsAtMs || signal.aborted
    if (claim.undo) {
      for (let at: number | undefined = 0; !isOver();) {
        at = await undoRows(turn, at)
        if (at === undefined) return 'undone'
      }
      return 'undoing'
    }
    const file = mappedIn(turn.typed.value)
    if (!file) return 'failed'
    const columns = await reader.read(claim.id, file, { endsAtMs, signal })
    while (columns && !isOver()) {
      const at = await nextRow(turn)
      if (at === undefined) return 'finished'
      try {
        if (!(await workOnChunk(turn, columns, at))) break
      } catch (error) {
        if (error instanceof MissingRows) return 'failed'
        throw error
      }
    }
    return 'running'
  }
}

/** Returns the ordinal of the next row to check or to import; undefined if there is none. */
async function nextRow({ database: { sql }, claim }: Turn): Promise<number | undefined> {
  if (!claim.dry_run) return await firstWaiting(sql, claim.id)
  const at = await firstUnchecked(sql, claim.id)
  return at > (claim.asked as ImportTask).rows ? undefined : at
}

/** Thrown if the rows of a file are not kept any more. */
class MissingRows extends Error {}
