import { sql } from 'kysely'

import type { Writing } from '../changesets/record.ts'
import { changesetsById, type ChangesetRow } from '../changesets/storage.ts'
import { revertChange } from '../entities/revert.ts'
import { lockEntity } from '../entities/storage.ts'
import { removeEntity } from '../entities/write.ts'
import { requireScopes } from '../http/auth/caller.ts'
import { Refusal } from '../http/errors/problem.ts'
import { eraseUser } from '../jobs/erase-user.ts'
import { toRefusedWrite } from '../jobs/refused.ts'
import { isOfRows } from '../jobs/splitting.ts'
import type { Turn } from '../jobs/turn.ts'
import { findUntouched, noteUndone, type PlacedUndone, type Undone } from '../jobs/undoing.ts'
import type { Transaction } from '../store/sql.ts'
import { lockUser, type UserFields } from '../users/storage.ts'
import { storeUsers } from '../users/store.ts'
import { planUserChange, toTakenRefusal } from '../users/write.ts'
import { tookTooLong } from './apply.ts'
import { lockImported, type ImportedRow } from './row-storage.ts'

/** Rows that are put back in one transaction. */
export const undoneTogether = 100

/**
 * Puts back what the next rows changed, by the rules of reverts, and deletes the users whom they created and nobody has
 * touched since. Returns the ordinal of the last row; undefined if there are none.
 */
export async function undoRows(
  turn: Turn,
  after: number,
  atMost = undoneTogether,
): Promise<number | undefined> {
  const { database, claim, caller, typed, gate } = turn
  const reason = { given: typed.undoReason, required: false }
  return await database.sql.transaction().execute(async (transaction) => {
    const rows = await lockImported(transaction, claim, { after, atMost })
    const writing = { transaction, keys: database.keys, caller, reason, gate, saidAt: claim.created }
    const undone: PlacedUndone[] = []
    for (const row of rows) undone.push({ at: row.at, ...(await undoRow(writing, row, turn)) })
    if (undone.length > 0) await noteUndone(transaction, claim.id, undone)
    return rows.at(-1)?.at
  })
}

async function undoRow(writing: Writing, row: ImportedRow, turn: Turn): Promise<Undone> {
  const { transaction } = writing
  await sql`savepoint before_row`.execute(transaction)
  try {
    const undone =
      row.outcome === 'created' ? await deleteCreated(writing, row, turn) : await putBack(writing, row)
    await sql`release savepoint before_row`.execute(transaction)
    return undone
  } catch (error) {
    if (isOfRows(error)) {
      await sql`rollback to savepoint before_row`.execute(transaction)
      return tookTooLong
    }
    const refused = toRefusedWrite(toTakenRefusal(error) ?? error, turn)
    await sql`rollback to savepoint before_row`.execute(transaction)
    return refused
  }
}

/** Deletes a user whom the import created, by the rules of any deletion. */
async function deleteCreated(
  writing: Writing,
  { user, changesets }: ImportedRow,
  { database, claim }: Turn,
): Promise<Undone> {
  const { transaction, caller } = writing
  const row = user === null ? undefined : await lockUser(transaction, user, { entities: true })
  if (!row) return { outcome: 'not_found' }
  if (row.account || !(await hasOnly(transaction, row.user, changesets))) return { outcome: 'conflict' }
  requireScopes(caller, ['users:delete'])
  await eraseUser(
    { transaction, keys: database.keys, caller, required: false },
    row,
    `undo of import ${claim.id}`,
  )
  return { outcome: 'undone' }
}

/** Whether a user has these changesets alone, so that nobody else has written anything of the user. */
async function hasOnly(
  transaction: Transaction,
  user: string,
  changesets: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from changesets where user_id = ${user}::uuid and id <> all(${changesets}::uuid[]) limit 1`.execute(
    transaction,
  )
  return rows.length === 0
}

/** Puts back the fields and properties of a user that nobody has changed since; the others stay and are told of. */
async function putBack(writing: Writing, { user, changesets }: ImportedRow): Promise<Undone> {
  const { transaction } = writing
  if (user === null || !(await lockUser(transaction, user))) return { outcome: 'not_found' }
  const found = await changesetsById(transaction, [user], changesets)
  let isAll = found.length === changesets.length
  for (const change of found.toReversed())
    isAll = (await (change.entity_id === null ? revertFields : revertEntity)(writing, change)) && isAll
  return { outcome: isAll ? 'undone' : 'conflict' }
}

/** Returns whether everything was put back. */
async function revertEntity(writing: Writing, change: ChangesetRow): Promise<boolean> {
  const { transaction } = writing
  const row = await lockEntity(transaction, change.user, change.entity_id ?? '')
  if (!row) return false
  if (change.op === 'add') {
    if (!(await findUntouched(transaction, [row.user], [row.id])).has(row.id)) return false
    await removeEntity(writing, row)
    return true
  }
  try {
    await revertChange(writing, row, { changeset: change })
    return true
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'changed_since') throw error
    const since = new Set(error.members.keys as readonly string[])
    const keys = change.changes.flatMap(({ key }) => (since.has(key) ? [] : [key]))
    if (since.size > 0 && keys.length > 0) await revertChange(writing, row, { changeset: change, keys })
    return false
  }
}

async function revertFields(writing: Writing, { user, changes }: ChangesetRow): Promise<boolean> {
  const now = await lockUser(writing.transaction, user)
  if (!now) return false
  const before: Partial<Record<keyof UserFields, string | null>> = {}
  let isAll = true
  for (const { key, before: then, after } of changes) {
    const field = key as keyof UserFields
    if (now[field] === asStored(field, after)) before[field] = asStored(field, then)
    else isAll = false
  }
  const plan = planUserChange(writing, now, before as Partial<UserFields>)
  if (plan) await storeUsers(writing, [plan])
  return isAll
}

/** Returns a field as it is stored: its time is recorded with its zone. */
function asStored(field: keyof UserFields, value: unknown): string | null {
  if (typeof value !== 'string') return null
  return field === 'since' ? value.replace(/Z$/, '') : value
}
