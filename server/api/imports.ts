import type { importEndpoints, ImportView } from '#contract/import.ts'
import { readNotedProperties } from '../entities/property-keys.ts'
import { Refusal } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import { FileRows } from '../imports/file/file-rows.ts'
import type { ImportInput } from '../imports/input.ts'
import {
  isOwnFile,
  knownProperties,
  proposeTargets,
  readFirstRows,
  requireMapping,
} from '../imports/mapping.ts'
import { fileGone, findOwnImport, requireUnapplied } from '../imports/own.ts'
import { FileReceiver } from '../imports/receiving.ts'
import { beginImport, dropImport, insertImport, setMapping } from '../imports/storage.ts'
import { refuseTooMany } from '../jobs/limits.ts'
import type { JobRow } from '../jobs/storage.ts'
import { openTyped, sealTyped } from '../jobs/task.ts'
import { newId } from '../store/new-id.ts'
import type { Needs } from './needs.ts'

/** Files that a process receives at once, in all and of one caller. */
const filesAtOnce = { all: 4, ofCaller: 2 }

export function importHandlers({
  database,
  definitions,
  dictionary,
}: Needs): Handlers<keyof typeof importEndpoints> {
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

  /** Returns what is kept of a file. Throws the refusal if that is no longer kept. */
  function inputOf({ id, sealed }: JobRow): ImportInput {
    const { value } = openTyped(keys.indexKey, id, sealed)
    if (value === null) throw fileGone()
    return value as ImportInput
  }

  async function toView(job: string, state: string, input: ImportInput): Promise<ImportView> {
    const { found, columns, firstRows, mapping, readings } = input
    const known = knownProperties(
      await definitions.read(),
      await dictionary.read(),
      await readNotedProperties(sql),
    )
    const proposed = proposeTargets(columns, known)
    return {
      job,
      state,
      found: {
        ...found,
        doubled: [...found.doubled],
        sheets: found.sheets && [...found.sheets],
        isOwn: isOwnFile(columns),
      },
      columns: columns.map(({ header, samples }, index) => ({
        header,
        samples: [...samples],
        proposed: { ...(proposed[index] ?? { to: 'ignore' }) },
      })),
      firstRows: firstRows.map(({ row, cells }) => ({ row, cells: [...cells] })),
      ...(mapping && { mapping, readings }),
    }
  }

  return {
    async createImport({ query, caller, upload, baseUrl, write }) {
      const { subject } = caller
      refuseManyFiles(subject)
      receiving.push(subject)
      const id = newId()
      try {
        // Asked before the file is received, so that nobody sends a gigabyte in vain.
        await sql.transaction().execute((transaction) => refuseTooMany(transaction, caller, 0))
        await beginImport(sql, id)
        const file = new FileRows(query)
        const receiver = new FileReceiver(database, id, {
          chosen: headerOf(query.header),
          names: () => file.names,
        })
        const { found, columns, firstRows } = await receiver.receive(file.read(upload.pieces))
        const value: ImportInput = { found: { ...file.found, ...found }, columns, firstRows }
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

    async getImport({ params: { job_id: id }, caller }) {
      const row = await findOwnImport(sql, id, caller)
      return { status: 200, body: await toView(row.id, row.state, inputOf(row)) }
    },

    async mapImport({ params: { job_id: id }, body: mapping, caller, write }) {
      const before = await findOwnImport(sql, id, caller)
      requireUnapplied(before)
      const input = inputOf(before)
      requireMapping(mapping, input.columns, caller)
      const readings = await readFirstRows(database, id, input.columns, mapping)
      const mapped: ImportInput = { ...input, mapping, readings: [...readings] }
      const view = await toView(id, 'ready', mapped)
      return await write(async (transaction) => {
        requireUnapplied(await findOwnImport(transaction, id, caller, { lock: true }))
        const sealed = sealTyped(keys.indexKey, id, { value: mapped })
        await setMapping(transaction, { id, sealed, rows: input.found.rows })
        return { status: 200, body: view }
      })
    },
  }
}

const headerOf = (given: string | undefined) =>
  given === undefined || given === 'none' ? given : Number(given)
