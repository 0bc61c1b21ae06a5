import { exportTypes, type importRowEndpoints } from '#contract/index.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { notFound, Refusal } from '../http/errors/problem.ts'
import type { FileAnswer, Handlers } from '../http/handler.ts'
import { reasonRequired } from '../http/headers/change-reason.ts'
import { taskOf, withoutSealed } from '../imports/check.ts'
import { readChunk } from '../imports/chunks.ts'
import { columnReaderOf, type MappedFile, mappedIn } from '../imports/columns.ts'
import type { ImportTask } from '../imports/import.ts'
import { writeLeftOut } from '../imports/left-out.ts'
import { fileGone, findOwnImport, openStates, requireUnapplied } from '../imports/own.ts'
import { beginCheck } from '../imports/row-storage.ts'
import { rowsPage } from '../imports/rows.ts'
import { refuseTooMany } from '../jobs/limits.ts'
import type { JobRow } from '../jobs/storage.ts'
import { openTyped, sealTyped } from '../jobs/task.ts'
import type { Database } from '../sealing/database.ts'
import { foreign } from '../users/paging.ts'
import type { Needs } from './needs.ts'

export function importRowHandlers({ database, gate, log }: Needs): Handlers<keyof typeof importRowEndpoints> {
  const { sql, keys } = database

  return {
    async checkImport({ params: { job_id: id }, body, caller, reason, write }) {
      if (reason.required && body.reason === undefined) throw reasonRequired('give it as reason')
      const hasRows = (await readChunk(database, id, 0)) !== undefined
      return await write(async (transaction) => {
        const row = await findOwnImport(transaction, id, caller, { lock: true })
        requireUnapplied(row)
        if (!hasRows) throw fileGone()
        const { value } = openTyped(keys.indexKey, id, row.sealed)
        if (mappedIn(value) === undefined) throw notMapped()
        await refuseTooMany(transaction, caller)
        const sealed = sealTyped(keys.indexKey, id, { value, reason: body.reason })
        const rows = (row.asked as ImportTask).rows
        await beginCheck(transaction, { id, rows, sealed, scopes: [...caller.scopes] })
        return { status: 204 }
      })
    },

    async getImportRows({ params: { job_id: id }, query: { outcome, undone, offset = '' }, caller }) {
      const row = await findOwnImport(sql, id, caller)
      if (!/^\d{0,7}$/.test(offset)) throw foreign()
      const typed = openTyped(keys.indexKey, id, row.sealed)
      const file = mappedIn(typed.value)
      const columns = file && (await readColumns(database, id, file))
      const failed = (error: unknown) =>
        log?.error({ job: id, name: (error as Error).name }, 'a row of an import cannot be planned')
      const author = { subject: row.actor, scopes: new Set(row.scopes), expires: Infinity }
      const task =
        columns &&
        taskOf({ claim: row, typed, caller: author, gate, database, failed }, columns, withoutSealed)
      const planned = columns && task && { columns, task }
      const asked = { outcome, undone, after: Number(offset), isUndo: row.undo, isDryRun: row.dry_run }
      return { status: 200, body: await rowsPage(database, id, asked, planned) }
    },
  }
}

/** Answers with the rows that an import of the caller leaves out, as a file. */
export function answerLeftOut(database: Database) {
  return async (row: JobRow, caller: Caller): Promise<FileAnswer> => {
    const { id } = row
    if (row.actor !== caller.subject) throw notFound('job')
    requireScopes(caller, scopesOfImport)
    if (row.state === 'ready' || (row.dry_run && openStates.has(row.state))) throw notChecked()
    const file = mappedIn(openTyped(database.keys.indexKey, id, row.sealed).value)
    const columns = file && (await readColumns(database, id, file))
    if (!columns) throw fileGone()
    const name = `left-out-${row.created.slice(0, 10)}.csv`
    return { name, type: exportTypes.csv, parts: writeLeftOut(database, id, file, columns) }
  }
}

/** Returns the columns of a file; undefined if its rows are no longer kept. */
const readColumns = async (database: Database, job: string, file: MappedFile) =>
  (await readChunk(database, job, 0)) && (await columnReaderOf(database).read(job, file))

/** Scopes without which nobody imports, or sees what is imported. */
export const scopesOfImport = ['users:read', 'users:write', 'entities:read', 'entities:write'] as const

function notMapped(): Refusal {
  return new Refusal(
    'not_mapped',
    'Nobody has said what the columns of this file are. Send its mapping first.',
  )
}

function notChecked(): Refusal {
  return new Refusal(
    'check_not_finished',
    'The file has not been checked yet. Its rows are told apart by the check.',
  )
}
