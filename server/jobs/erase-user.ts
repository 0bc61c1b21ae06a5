import { holdsSealed } from '../entities/storage.ts'
import { deriveDigestKey, digestsOf } from '../erasures/identifiers.ts'
import { keepMarks } from '../erasures/recognise.ts'
import { refusePersonal } from '../erasures/reference.ts'
import { recordErasure } from '../erasures/storage.ts'
import { recordEvent } from '../events/storage.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { referenceRequired } from '../http/headers/deletion-reference.ts'
import type { Database } from '../sealing/database.ts'
import { newId } from '../store/new-id.ts'
import type { Transaction } from '../store/sql.ts'
import { deleteUser, type LockedUser } from '../users/storage.ts'
import { dropFilesNaming } from './files.ts'

interface Erasing {
  readonly transaction: Transaction
  readonly keys: Database['keys']
  readonly caller: Caller
  /** Whether the deletion needs a reference. */
  readonly required: boolean
}

/** Deletes a user with all that is theirs, and records that. The caller has locked the user and their entities. */
export async function eraseUser(
  { transaction, keys, caller, required }: Erasing,
  row: LockedUser,
  reference: string | undefined,
): Promise<void> {
  const { user } = row
  if (await holdsSealed(transaction, user)) requireScopes(caller, ['sensitive:write'])
  if (reference !== undefined) refusePersonal(reference, row)
  else if (required) throw referenceRequired()
  // The user's changesets are deleted with the user; the erasure record describes the deletion.
  const [changeset, { subject: actor, job }] = [newId(), caller]
  const digests = keys.keepsDigests ? digestsOf(deriveDigestKey(keys.indexKey), row) : undefined
  await recordErasure(transaction, keys, { user, actor, reference, changeset, digests })
  await keepMarks(transaction, keys, user, row)
  await deleteUser(transaction, user)
  await dropFilesNaming(transaction, user)
  await recordEvent(transaction, 'USER_DELETED', {
    user,
    changeset,
    actor,
    ...(job !== undefined && { job }),
  })
}
