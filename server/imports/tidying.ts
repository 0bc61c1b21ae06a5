import type { Logger } from 'pino'

import { openTyped, sealTyped } from '../jobs/task.ts'
import type { Database } from '../sealing/database.ts'
import { Worker } from '../store/worker.ts'
import { dropOldJob, dropOldRows, dropUnfinished, findOldImport, type OldImport } from './storage.ts'

const tidyEveryMs = 10 * 60_000
const recoverMs = 60_000

/** Deletes files whose time is over: those that were never received to their end, and those of imports long done. */
export class ImportTidying {
  readonly #worker: Worker

  constructor(database: Database, log?: Logger) {
    this.#worker = new Worker({
      step: async () => {
        if (database.isReadOnly()) return tidyEveryMs
        return (await dropOne(database)) ? 0 : tidyEveryMs
      },
      recoverMs,
      tell: (error) => {
        const { name, code } = error as { name?: unknown; code?: unknown }
        log?.error({ name, code }, 'old imports cannot be taken away')
      },
    })
  }

  async stop(): Promise<void> {
    await this.#worker.stop()
  }
}

/** Deletes one file, which may have a million rows; returns false if there is none to delete. */
export async function dropOne(database: Database): Promise<boolean> {
  const { sql } = database
  if (await dropUnfinished(sql)) return true
  const old = await findOldImport(sql)
  if (!old) return false
  if (old.isDryRun) await dropOldJob(sql, old.id)
  else await dropOldRows(sql, old.id, withoutInput(database, old))
  return true
}

/** Returns the sealed input of a job without what the file had; only the reasons stay. */
function withoutInput({ keys: { indexKey } }: Database, { id, sealed }: OldImport): string {
  const reasons = openReasons()
  return sealTyped(indexKey, id, { value: null, ...reasons })

  function openReasons() {
    try {
      const { reason, undoReason } = openTyped(indexKey, id, sealed)
      return { reason, undoReason }
    } catch {
      // Sealed under a key that is not available: nobody can read its reasons either.
      return {}
    }
  }
}
