import type { Planning, Writing } from '../changesets/record.ts'
import type { ChangesetRow } from '../changesets/storage.ts'
import { changedSinceRefusal, requireChanged } from '../entities/revert.ts'
import { Refusal } from '../http/errors/problem.ts'
import { userChanges } from './changes.ts'
import type { LockedUser, UserFields } from './storage.ts'
import { storeUsers, type UserPlan } from './store.ts'
import { planUserChange } from './write.ts'

const revertible = ['email', 'name', 'ref', 'since'] as const satisfies readonly (keyof UserFields)[]

/** A change of fields that is to be reverted, or some of them. */
interface RevertedFields {
  /** Undefined for all. */
  readonly keys?: readonly string[] | undefined
  /** Whether the caller has seen later changes to these fields, which are then overwritten. */
  readonly isSeen?: boolean
}

/** Reverts a change of the fields of a user. Needs the user's lock. */
export async function revertFields(
  writing: Writing,
  user: LockedUser,
  changeset: ChangesetRow,
  reverted: RevertedFields,
): Promise<void> {
  const plan = planFieldsRevert(writing, user, changeset, reverted)
  if (plan) await storeUsers(writing, [plan])
}

/**
 * Plans to revert a change of fields; undefined if nothing changes. Refuses where somebody else has changed one of them
 * since.
 */
export function planFieldsRevert(
  planning: Planning,
  user: LockedUser,
  changeset: ChangesetRow,
  { keys: named, isSeen = false }: RevertedFields = {},
): UserPlan | undefined {
  requireChanged(changeset, named ?? [])
  const changes = changeset.changes.filter(({ key }) => named?.includes(key) ?? true)
  if (changes.some(({ key }) => key === 'account'))
    throw new Refusal('not_revertible', 'An accepted invitation cannot be reverted. Nothing was changed.')
  const now = new Map(userChanges({}, user).map(({ key, after }) => [key, after]))
  const since = changes.filter(({ key, after }) => now.get(key) !== after).map(({ key }) => key)
  if (!isSeen && since.length > 0) throw changedSinceRefusal(since)
  const fields: Partial<UserFields> = {}
  for (const key of revertible) {
    const change = changes.find((each) => each.key === key)
    if (!change) continue
    const before = typeof change.before === 'string' ? change.before : null
    if (key !== 'since') fields[key] = before
    // Recorded with the zone, in which it is stored without naming it.
    else if (before !== null) fields.since = before.replace(/Z$/, '')
  }
  const isWhole = changes.length === changeset.changes.length
  return planUserChange({ ...planning, ...(isWhole && { reverts: changeset.id }) }, user, fields)
}
