import { sql } from 'kysely'

import type { Writing } from '../changesets/record.ts'
import { changesetById } from '../changesets/storage.ts'
import { revertChange } from '../entities/revert.ts'
import { lockEntity } from '../entities/storage.ts'
import { removeEntity } from '../entities/write.ts'
import { lockUser } from '../users/storage.ts'
import { toRefusedWrite } from './refused.ts'
import type { NextUser } from './storage.ts'
import type { UserTask } from './task.ts'
import { isUntouched, type Undone } from './undoing.ts'

/**
 * Puts back one user's value as it was before the job, by the rules of a revert, or removes the entity that the job
 * created. What somebody else has changed since stays. A refused write is rolled back. Throws if the store is in
 * trouble, so that the user is tried again.
 */
export async function undoProperty(writing: Writing, next: NextUser, task: UserTask): Promise<Undone> {
  const { transaction } = writing
  if (!(await lockUser(transaction, next.user))) return { outcome: 'not_found' }
  await sql`savepoint before_write`.execute(transaction)
  try {
    return await putBack(writing, next)
  } catch (error) {
    const refused = toRefusedWrite(error, task)
    await sql`rollback to savepoint before_write`.execute(transaction)
    return refused.code === 'changed_since' ? { outcome: 'conflict' } : refused
  }
}

async function putBack(writing: Writing, { user, outcome, entity, changeset }: NextUser): Promise<Undone> {
  const { transaction } = writing
  const row = entity === null ? undefined : await lockEntity(transaction, user, entity)
  if (!row) return { outcome: 'conflict' }
  if (outcome === 'created') {
    if (!(await isUntouched(transaction, user, row.id))) return { outcome: 'conflict' }
    await removeEntity(writing, row)
    return { outcome: 'undone' }
  }
  // Without a changeset, a sensitive property had this value already, which a report must not tell.
  if (changeset === null) return { outcome: 'undone' }
  const change = await changesetById(transaction, changeset)
  if (!change) return { outcome: 'conflict' }
  await revertChange(writing, row, change, { keys: undefined, isSeen: false })
  return { outcome: 'undone' }
}
