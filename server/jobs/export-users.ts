import { asRefusal } from '../http/errors/problem.ts'
import { ask, type Asking, findBy } from '../segments/conditions.ts'
import { evaluate } from '../segments/evaluation/evaluate.ts'
import { subjectById } from '../segments/storage.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import { usersInOrder } from '../users/answers.ts'
import { segmentPage, type UserRow } from '../users/storage.ts'
import { writePart, type WrittenPart } from './export-formats.ts'
import { listMatching, readableAtOnce } from './export-rows.ts'
import { type ExportTask, type FoundBy, propertiesOf, sealChunk } from './export-task.ts'
import {
  appendChunk,
  beginAgain,
  completeFile,
  filesOf,
  type JobFile,
  lockFile,
  usersOfFile,
} from './files.ts'
import { namesDeleted } from './storage.ts'
import type { Turn, WorkTurn } from './turn.ts'
import { LargeArchive } from './workbook/archive.ts'

/** Number of users read at once. */
const usersAtOnce = 1000

/**
 * Writes users to a file, some at a time, in the order that was asked for or that of their ids: each part is stored in
 * the transaction that notes how far the job has come, while the next one is read. The users were asked about when the
 * job began, which recorded that, so it is not recorded again.
 */
export const exportUsers: WorkTurn = async (turn) => {
  const { database, claim, endsAtMs, signal, failed } = turn
  let next: Promise<ExportPart> | undefined
  try {
    const pages = await pagesOf(turn)
    const [file] = await filesOf(database.sql, [claim.id])
    if (!file) return 'running'
    const readAhead = (from: Begun) => {
      const reading = readPart(turn, pages, from)
      // A failure is thrown where the part is waited for; until then it counts as handled.
      reading.catch(() => undefined)
      return reading
    }
    next = readAhead(file)
    while (next && performance.now() < endsAtMs && !signal.aborted) {
      const part: ExportPart = await next
      next = part.isLast ? undefined : readAhead({ ...part, chunks: part.chunks + 1 })
      const step = await database.sql
        .transaction()
        .execute((transaction) => storePart(turn, transaction, part))
      if (step !== 'more') return step === 'done' ? 'finished' : 'running'
    }
    return 'running'
  } catch (error) {
    const refusal = asRefusal(error)
    if (error instanceof LargeArchive) {
      failed(error)
      return 'failed'
    }
    // A segment that is gone, or a filter that its author may no longer ask, ends the job; else the store is in trouble.
    if (!refusal || refusal.status >= 500) throw error
    failed(error)
    return 'failed'
  } finally {
    await next?.catch(() => undefined)
  }
}

type Begun = Pick<JobFile, 'after' | 'chunks' | 'workbook'>

interface UsersPage {
  readonly users: readonly UserRow[]
  readonly more: boolean
  /** Last user looked at; undefined if there is none. */
  readonly last: string | undefined
}

interface Pages {
  readonly next: (database: Handle, after: string | null) => Promise<UsersPage>
  readonly matching?: (database: Handle, user: string) => Promise<ReadonlySet<string>>
}

/** Returns how the users of an export are found, and which of their entities match. */
async function pagesOf({ database, claim, typed, caller, gate }: Turn): Promise<Pages> {
  const task = claim.asked as ExportTask
  const selection = typed.value as FoundBy | null
  const ids = await usersOfFile(database.sql, claim.id)
  const asking: Asking = { caller, gate, by: 'export' }
  const unrecorded = { users: 0, accesses: [] }
  const condition =
    selection && !ids
      ? await findBy(database, selection, asking, (answer) => Promise.resolve({ answer, ...unrecorded }))
      : undefined
  const next: Pages['next'] = async (handle, after) => {
    if (condition) {
      const page = await segmentPage(handle, condition, { after: after ?? undefined, atMost: usersAtOnce })
      return { users: JSON.parse(page.json) as UserRow[], more: page.more, last: page.last }
    }
    const from = after === null ? 0 : (ids ?? []).indexOf(after) + 1
    const some = (ids ?? []).slice(from, from + usersAtOnce)
    const { json } = await usersInOrder(
      handle,
      some.map((id) => ({ id })),
    )
    const more = from + some.length < (ids ?? []).length
    return { users: JSON.parse(json) as UserRow[], more, last: some.at(-1) }
  }
  if (!selection || task.entities !== 'matching') return { next }
  const facts = await ask(database, selection, asking, (answer) => Promise.resolve({ answer, ...unrecorded }))
  const type = propertiesOf(task)?.entity ?? ''
  const { indexKey } = database.keys
  const context = { segments: facts.used, indexKey, terms: new Map(), tz: facts.tz ?? 'UTC', now: new Date() }
  return {
    next,
    async matching(handle, user) {
      const subject = await subjectById(handle, user)
      return new Set(subject ? listMatching(evaluate(facts.filter, subject, context), type) : [])
    },
  }
}

/** Users as they will be in a file. */
interface ExportPart extends WrittenPart {
  /** Last user of the parts before; null in the first one. */
  readonly before: string | null
  readonly users: readonly string[]
  /** Number of parts before. */
  readonly chunks: number
  /** Last user looked at. */
  readonly after: string | null
  readonly isLast: boolean
}

/** Reads the users after those that the file has. */
async function readPart(
  { database: { sql: database, keys }, claim }: Turn,
  { next, matching }: Pages,
  file: Begun,
): Promise<ExportPart> {
  const task = claim.asked as ExportTask
  const page = await next(database, file.after)
  const type = propertiesOf(task)?.entity
  const users = task.entities === undefined ? page.users : await readableAtOnce(database, page.users, type)
  const isCut = users.length < page.users.length
  const isLast = !page.more && !isCut
  const written = await writePart[task.format](
    {
      database,
      keyring: keys.keyring,
      task,
      matching: matching && ((user) => matching(database, user)),
    },
    users,
    { ...file, isLast },
  )
  const ids = users.map(({ id }) => id)
  const after = (isCut ? ids.at(-1) : page.last) ?? file.after
  return { ...written, before: file.after, users: ids, chunks: file.chunks, after, isLast }
}

/** Stores a part. `lost`: the job was stopped, is another process's, or has begun again. */
async function storePart(
  { database: { keys }, claim }: Turn,
  transaction: Transaction,
  { before, isLast, bytes, ...part }: ExportPart,
): Promise<'more' | 'done' | 'lost'> {
  const file = await lockFile(transaction, claim)
  if (!file || file.after !== before || file.chunks !== part.chunks) return 'lost'
  const sealed = sealChunk(keys.indexKey, claim.id, file.chunks, bytes)
  await appendChunk(transaction, file, { ...part, sealed, bytes: bytes.length })
  if (!isLast) return 'more'
  // Somebody who was deleted while the file was written must not be in it.
  if (await namesDeleted(transaction, claim.id)) {
    await beginAgain(transaction, claim.id)
    return 'more'
  }
  await completeFile(transaction, claim.id)
  return 'done'
}
