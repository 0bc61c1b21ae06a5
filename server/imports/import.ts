import { importChunkRows } from '#contract/import.ts'
import { isOfRows } from '../jobs/splitting.ts'
import { noteOutcomes } from '../jobs/storage.ts'
import type { Turn, WorkTurn } from '../jobs/turn.ts'
import type { Database } from '../sealing/database.ts'
import { applyRows, tookTooLong } from './apply.ts'
import { checkRows } from './check.ts'
import { chunkOf, readChunk } from './chunks.ts'
import { columnReaderOf, type ImportColumns, mappedIn } from './columns.ts'
import { firstUnchecked, firstWaiting } from './row-storage.ts'
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
  /** Times in a row that the database has aborted the rows from this one on, by job and row. */
  const failures = new Map<string, number>()

  /** Works on the chunk of a row; row by row if the database has aborted it several times. */
  async function workOnChunk(turn: Turn, columns: ImportColumns, at: number): Promise<boolean> {
    const { database: store, claim } = turn
    const chunk = chunkOf(at)
    const fileRows = await readChunk(store, claim.id, chunk)
    if (!fileRows) throw new MissingRows()
    const rows = { chunk, fileRows }
    const key = `${claim.id} ${at}`
    const times = failures.get(key) ?? 0
    const isSingle = times >= maxTries && !claim.dry_run
    try {
      const isOurs = claim.dry_run
        ? await checkRows(turn, columns, rows)
        : await applyRows(turn, columns, isSingle ? { ...rows, only: at } : rows)
      failures.delete(key)
      return isOurs
    } catch (error) {
      if (!isOfRows(error)) throw error
      failures.set(key, times + 1)
      if (!isSingle) throw error
      await store.sql.transaction().execute(async (transaction) => {
        await noteOutcomes(transaction, claim.id, [{ at, ...tookTooLong }])
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
      const next = await nextRows(turn)
      if (next.length === 0) return 'finished'
      const works = await Promise.allSettled(next.map((at) => workOnChunk(turn, columns, at)))
      const failed = works.find((work) => work.status === 'rejected')
      if (failed?.reason instanceof MissingRows) return 'failed'
      if (failed) throw failed.reason
      if (!works.some((work) => work.status === 'fulfilled' && work.value)) break
    }
    return 'running'
  }
}

/**
 * Returns the first rows of the next chunks. A check knows what earlier rows of the file were about, so it takes one
 * chunk after the other; an import takes two, so that one is planned while the database writes the other.
 */
async function nextRows({ database: { sql }, claim }: Turn): Promise<readonly number[]> {
  if (claim.dry_run) {
    const unchecked = await firstUnchecked(sql, claim.id)
    return unchecked > (claim.asked as ImportTask).rows ? [] : [unchecked]
  }
  const at = await firstWaiting(sql, claim.id, 0)
  if (at === undefined) return []
  const second = await firstWaiting(sql, claim.id, (chunkOf(at) + 1) * importChunkRows)
  return second === undefined ? [at] : [at, second]
}

/** Thrown if the rows of a file are not kept any more. */
class MissingRows extends Error {}
