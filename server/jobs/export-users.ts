import { asRefusal } from '../http/errors/problem.ts'
import { ask, type Asking, findBy } from '../segments/conditions.ts'
import { evaluate } from '../segments/evaluation/evaluate.ts'
import { subjectById } from '../segments/storage.ts'
import type { Transaction } from '../store/sql.ts'
import { usersInOrder } from '../users/answers.ts'
import { segmentPage, type UserRow } from '../users/storage.ts'
import { listMatching, readableAtOnce, writeLines, writeTable } from './export-rows.ts'
import { type ExportTask, type FoundBy, propertiesOf, sealChunk } from './export-task.ts'
import { appendChunk, beginAgain, completeFile, type JobFile, lockFile } from './files.ts'
import { namesDeleted } from './storage.ts'
import type { Turn, WorkTurn } from './turn.ts'

/** Number of users read at once. */
const usersAtOnce = 1000

/**
 * Writes users to a file, some at a time in the order of their ids: each part is stored in the transaction that notes how
 * far the job has come. The users were asked about when the job began, which recorded that, so it is not recorded again.
 */
export const exportUsers: WorkTurn = async (turn) => {
  const { database, endsAtMs, signal, failed } = turn
  try {
    const pages = await pagesOf(turn)
    while (performance.now() < endsAtMs && !signal.aborted) {
      const step = await database.sql
        .transaction()
        .execute((transaction) => writePart(turn, transaction, pages))
      if (step !== 'more') return step === 'done' ? 'finished' : 'running'
    }
    return 'running'
  } catch (error) {
    const refusal = asRefusal(error)
    // A segment that is gone, or a filter that its author may no longer ask, ends the job; else the store is in trouble.
    if (!refusal || refusal.status >= 500) throw error
    failed(error)
    return 'failed'
  }
}

interface UsersPage {
  readonly users: readonly UserRow[]
  readonly more: boolean
  /** Last user looked at; undefined if there is none. */
  readonly last: string | undefined
}

interface Pages {
  readonly next: (transaction: Transaction, file: JobFile) => Promise<UsersPage>
  readonly matching?: (transaction: Transaction, user: string) => Promise<ReadonlySet<string>>
}

/** Returns how the users of an export are found, and which of their entities match. */
async function pagesOf({ database, claim, typed, caller, gate }: Turn): Promise<Pages> {
  const task = claim.asked as ExportTask
  const selection = typed.value as FoundBy | null
  if (!selection)
    return {
      async next(transaction, { ids, after }) {
        const left = (ids ?? []).filter((id) => after === null || id > after)
        const some = left.slice(0, usersAtOnce)
        const { json } = await usersInOrder(
          transaction,
          some.map((id) => ({ id })),
        )
        return { users: JSON.parse(json) as UserRow[], more: left.length > some.length, last: some.at(-1) }
      },
    }
  const asking: Asking = { caller, gate, by: 'export' }
  const unrecorded = { users: 0, accesses: [] }
  const condition = await findBy(database, selection, asking, (answer) =>
    Promise.resolve({ answer, ...unrecorded }),
  )
  const facts = await ask(database, selection, asking, (answer) => Promise.resolve({ answer, ...unrecorded }))
  const type = propertiesOf(task)?.entity ?? ''
  const { indexKey } = database.keys
  const context = { segments: facts.used, indexKey, terms: new Map(), tz: facts.tz ?? 'UTC', now: new Date() }
  return {
    async next(transaction, { after }) {
      const page = await segmentPage(transaction, condition, {
        after: after ?? undefined,
        atMost: usersAtOnce,
      })
      return { users: JSON.parse(page.json) as UserRow[], more: page.more, last: page.last }
    },
    ...(task.entities === 'matching' && {
      async matching(transaction, user) {
        const subject = await subjectById(transaction, user)
        return new Set(subject ? listMatching(evaluate(facts.filter, subject, context), type) : [])
      },
    }),
  }
}

/** Writes the next part. `lost`: the job was stopped, or is another process's. */
async function writePart(
  { database, claim }: Turn,
  transaction: Transaction,
  { next, matching }: Pages,
): Promise<'more' | 'done' | 'lost'> {
  const { keyring, indexKey } = database.keys
  const task = claim.asked as ExportTask
  const file = await lockFile(transaction, claim)
  if (!file) return 'lost'
  const page = await next(transaction, file)
  const type = task.format === 'csv' ? propertiesOf(task)?.entity : undefined
  const users = task.entities === undefined ? page.users : await readableAtOnce(transaction, page.users, type)
  const write = task.format === 'csv' ? writeTable : writeLines
  const { text, rows, withheld } = await write(
    {
      database: transaction,
      keyring,
      task,
      matching: matching && ((user) => matching(transaction, user)),
    },
    users,
  )
  const bytes = Buffer.from(file.chunks === 0 ? task.head + text : text)
  const sealed = sealChunk(indexKey, claim.id, file.chunks, bytes)
  const ids = users.map(({ id }) => id)
  const isCut = users.length < page.users.length
  const after = isCut ? ids.at(-1) : page.last
  await appendChunk(transaction, file, { users: ids, after, sealed, rows, withheld, bytes: bytes.length })
  if (page.more || isCut) return 'more'
  // Somebody who was deleted while the file was written must not be in it.
  if (await namesDeleted(transaction, claim.id)) {
    await beginAgain(transaction, claim.id)
    return 'more'
  }
  await completeFile(transaction, claim.id)
  return 'done'
}
