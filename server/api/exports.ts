import { type exportEndpoints, type ExportRequest, formatCount, maxSortedUsers } from '#contract/index.ts'
import { readSensitiveKeys } from '../entities/property-keys.ts'
import { nameOfKey, type TestedKey, unrecordedRefusal } from '../events/sealed-gate.ts'
import { recordEvent } from '../events/storage.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { notFound, Refusal } from '../http/errors/problem.ts'
import type { Handlers } from '../http/handler.ts'
import {
  type ExportTask,
  fileNameOf,
  fileTypeOf,
  type FoundBy,
  openChunk,
  propertiesOf,
  scopesOfExport,
  writeHead,
} from '../jobs/export-task.ts'
import { dropFile, filesOf, type Gone, insertFile, type JobFile, readChunk } from '../jobs/files.ts'
import { refuseTooMany } from '../jobs/limits.ts'
import { insertJob, jobById, type JobRow, namesDeleted } from '../jobs/storage.ts'
import { sealTyped } from '../jobs/task.ts'
import { findBy } from '../segments/conditions.ts'
import { countUsers } from '../segments/counts.ts'
import { newId } from '../store/new-id.ts'
import { findInOrder } from '../users/listing.ts'
import { answerLeftOut } from './import-rows.ts'
import type { Needs } from './needs.ts'

/** Time limit for counting whom an export finds; without a count its progress has no end. */
const countMs = 1000

export function exportHandlers({ database, gate }: Needs): Handlers<keyof typeof exportEndpoints> {
  const { indexKey } = database.keys
  const leftOutFile = answerLeftOut(database)

  /** Returns how many users an export finds; 0 if counting takes too long. */
  async function countFound(body: ExportRequest, caller: Caller): Promise<number> {
    return await findBy(database, body, { caller, gate, by: 'export' }, async ({ where }) => {
      const count = (await countUsers(database, where(), { limitMs: countMs })) ?? 0
      return { answer: count, users: count }
    })
  }

  /** Returns the users whom an export finds, in the order that it asks for. Throws the refusal of too many. */
  async function findSorted(
    body: ExportRequest,
    sort: NonNullable<ExportRequest['sort']>,
    caller: Caller,
  ): Promise<string[]> {
    return await findBy(database, body, { caller, gate, by: 'export' }, async (condition) => {
      const found = await findInOrder(database.sql, condition, sort, maxSortedUsers + 1)
      if (found.length > maxSortedUsers) throw tooManyToSort()
      return { answer: found, users: found.length }
    })
  }

  /** Returns the properties whose sensitive values a file holds. */
  async function keysOpened(task: ExportTask): Promise<TestedKey[]> {
    if (task.sensitive === 'masked' || task.entities === undefined) return []
    const own = propertiesOf(task)
    const known = await readSensitiveKeys(database.sql)
    return known.filter(({ type, key }) => !own || (type === own.entity && own.keys.includes(key)))
  }

  /** Records that somebody gets a file, before the first byte of it is sent. */
  async function recordFetch(caller: Caller, { id, asked }: JobRow, { users }: JobFile): Promise<void> {
    const task = asked as ExportTask
    const opened = await keysOpened(task)
    if (opened.length > 0) await caller.countSensitive?.()
    const { columns } = task
    const act = { job: id, actor: caller.subject, users: String(users) }
    const recording = database.sql.transaction().execute(async (transaction) => {
      await recordEvent(transaction, 'EXPORT_FETCHED', {
        ...act,
        ...(columns && { columns: JSON.stringify(columns) }),
        sensitive: task.sensitive,
      })
      if (opened.length > 0)
        await recordEvent(transaction, 'SENSITIVE_DATA_SEARCHED', {
          ...act,
          by: 'export',
          tested: JSON.stringify(opened.map(nameOfKey)),
        })
    })
    await recording.catch((error: unknown) => {
      throw unrecordedRefusal(error)
    })
  }

  async function* readParts({ job, chunks }: JobFile): AsyncGenerator<Buffer> {
    for (let at = 0; at < chunks; at++) {
      const sealed = await readChunk(database.sql, job, at)
      // Somebody in the file was deleted while it was sent, so the rest of it is not.
      if (!sealed) throw fileGone('erased')
      yield openChunk(indexKey, job, at, sealed)
    }
  }

  return {
    async createExport({ body, caller, baseUrl, write }) {
      const { format, columns, entities, separator, sensitive, filter, tz, segment, sort, reason } = body
      requireScopes(caller, scopesOfExport(body))
      if (sensitive === 'open') await caller.countSensitive?.()
      // Users are found and counted before the transaction, so that no request waits for a second connection.
      const ids = body.ids ? [...new Set(body.ids)] : sort && (await findSorted(body, sort, caller))
      const total = ids ? ids.length : await countFound(body, caller)
      const head = await writeHead(database.sql, body)
      const found: FoundBy | null = body.ids ? null : { filter, tz, segment }
      return await write(async (transaction) => {
        await refuseTooMany(transaction, caller, 0)
        const id = newId()
        const asked: ExportTask = {
          format,
          columns,
          entities,
          separator,
          sensitive,
          head,
          segment: segment?.toLowerCase(),
        }
        const job = {
          id,
          kind: 'export' as const,
          actor: caller.subject,
          scopes: [...caller.scopes],
          dry_run: false,
          asked,
          sealed: sealTyped(indexKey, id, { value: found, reason }),
        }
        await insertJob(transaction, job, [])
        await insertFile(transaction, id, { actor: caller.subject, ids, total })
        return { status: 201, location: `${baseUrl}/jobs/${id}` }
      })
    },

    async getJobFile({ params: { job_id: id }, caller }) {
      const row = await jobById(database.sql, id)
      if (row?.kind === 'import') return { status: 200, file: await leftOutFile(row, caller) }
      const [file] = await filesOf(database.sql, [id])
      if (row?.actor !== caller.subject || !file) throw notFound('job')
      const task = row.asked as ExportTask
      requireScopes(caller, scopesOfExport(task))
      if (file.gone) throw fileGone(file.gone)
      if (file.until === null) throw fileNotReady()
      if (await namesDeleted(database.sql, id)) {
        await dropFile(database.sql, id, 'erased')
        throw fileGone('erased')
      }
      await recordFetch(caller, row, file)
      return {
        status: 200,
        file: {
          name: fileNameOf(task, row.created),
          type: fileTypeOf(task),
          bytes: file.bytes,
          parts: readParts(file),
        },
      }
    },
  }
}

function tooManyToSort(): Refusal {
  return new Refusal(
    'too_many_users',
    `This finds more than ${formatCount(maxSortedUsers)} users, which is the most that a file can have in another order. Leave out sort, or narrow it down.`,
  )
}

function fileNotReady(): Refusal {
  return new Refusal('file_not_ready', 'The file is not complete yet. Fetch it once the job is finished.')
}

const whyGone: Readonly<Record<Gone, string>> = {
  expired: 'its time is over',
  erased: 'somebody in it has been deleted',
  replaced: 'you have begun newer exports, and only the newest files are kept',
}

function fileGone(gone: Gone): Refusal {
  return new Refusal('file_gone', `The file is gone: ${whyGone[gone]}. Export again.`)
}
