import { v7 as uuidv7 } from 'uuid'

import type { importEndpoints } from '#contract/import.ts'
import { Refusal } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import type { ImportInput } from '../imports/input.ts'
import { FileReceiver } from '../imports/receiving.ts'
import { beginImport, dropImport, insertImport } from '../imports/storage.ts'
import { TextRows } from '../imports/text-rows.ts'
import { refuseTooMany } from '../jobs/limits.ts'
import { sealTyped } from '../jobs/task.ts'
import type { Needs } from './needs.ts'

/** Files that a process receives at once, in all and of one caller. */
const filesAtOnce = { all: 4, ofCaller: 2 }

export function importHandlers({ database }: Needs): Handlers<keyof typeof importEndpoints> {
  const { sql, keys } = database
  const receiving: string[] = []

  function refuseManyFiles(subject: string): void {
    const own = receiving.filter((each) => each === subject).length
    if (own < filesAtOnce.ofCaller && receiving.length < filesAtOnce.all) return
    throw new Refusal(
      'too_many_at_once',
      'Other files are being received. Wait until one of them is there. Nothing was kept.',
      { headers: { 'retry-after': '10' } },
    )
  }

  return {
    async createImport({ query, caller, upload, baseUrl, write }) {
      const { subject } = caller
      refuseManyFiles(subject)
      receiving.push(subject)
      const id = uuidv7()
      try {
        // Asked before the file is received, so that nobody sends a gigabyte in vain.
        await sql.transaction().execute((transaction) => refuseTooMany(transaction, caller, 0))
        await beginImport(sql, id)
        const text = new TextRows(query)
        const receiver = new FileReceiver(database, id, headerOf(query.header))
        const { found, columns, firstRows } = await receiver.receive(text.read(upload.pieces))
        const value: ImportInput = { found: { ...text.found, ...found }, columns, firstRows }
        return await write(async (transaction) => {
          await refuseTooMany(transaction, caller, found.rows)
          await insertImport(transaction, {
            id,
            actor: subject,
            scopes: [...caller.scopes],
            rows: found.rows,
            columns: columns.length,
            sealed: sealTyped(keys.indexKey, id, { value }),
          })
          return { status: 201, location: `${baseUrl}/imports/${id}` }
        })
      } catch (error) {
        // Otherwise deleted within the hour, as after a killed process.
        await dropImport(sql, id).catch(() => undefined)
        throw error
      } finally {
        receiving.splice(receiving.indexOf(subject), 1)
      }
    },
  }
}

const headerOf = (given: string | undefined) =>
  given === undefined || given === 'none' ? given : Number(given)
