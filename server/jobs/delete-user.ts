import { sql } from 'kysely'

import type { Writing } from '../changesets/record.ts'
import type { Database } from '../sealing/database.ts'
import { lockUser } from '../users/storage.ts'
import { eraseUser } from './erase-user.ts'
import { toRefusedWrite } from './refused.ts'
import type { NextUser, PlacedOutcome, UserOutcome } from './storage.ts'
import type { UserTask } from './task.ts'
import type { Turn } from './turn.ts'

/** Task of a deletion. Stored in clear: a reference is no personal data. */
export interface DeletionTask {
  readonly reference?: string | undefined
  /** Whether deletions needed a reference when the job was requested. */
  readonly required: boolean
  /** Undefined if the users were named, or found by a filter. */
  readonly segment?: string | undefined
}

interface DeleteTask extends UserTask, DeletionTask {
  readonly keys: Database['keys']
}

export function deleteTaskOf({ claim, database, failed }: Turn): DeleteTask {
  return {
    ...(claim.asked as DeletionTask),
    dryRun: claim.dry_run,
    keys: database.keys,
    secret: database.keys.secrets.etag,
    failed,
  }
}

/** Deletes users by the rules of requests from the caller. A refused deletion or a dry run is rolled back. */
export async function deleteUsers(
  writing: Writing,
  lot: readonly NextUser[],
  task: DeleteTask,
): Promise<PlacedOutcome[]> {
  const outcomes: PlacedOutcome[] = []
  for (const next of lot)
    outcomes.push({ at: next.at, user: next.user, ...(await deleteOne(writing, next, task)) })
  return outcomes
}

async function deleteOne(
  { transaction, caller }: Writing,
  { user }: NextUser,
  task: DeleteTask,
): Promise<UserOutcome> {
  const row = await lockUser(transaction, user, { entities: true })
  if (!row) return { outcome: 'not_found' }
  const undo = () => sql`rollback to savepoint before_deletion`.execute(transaction)
  await sql`savepoint before_deletion`.execute(transaction)
  try {
    await eraseUser({ transaction, caller, keys: task.keys, required: task.required }, row, task.reference)
    if (task.dryRun) await undo()
    return { outcome: 'deleted' }
  } catch (error) {
    const refused = toRefusedWrite(error, task)
    await undo()
    return refused
  }
}

/** Never called: the undo of a deletion is refused when it is asked for. */
export function keepDeleted(): Promise<never> {
  return Promise.reject(new Error('A deletion has no undo.'))
}
