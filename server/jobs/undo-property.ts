import type { Writing } from '../changesets/record.ts'
import { type ChangesetRow, changesetsById } from '../changesets/storage.ts'
import { planRemoval } from '../entities/plan.ts'
import { type PlannedRevert, planRevert, readHistories, storeReverts } from '../entities/revert.ts'
import { type EntityRow, lockEntities } from '../entities/storage.ts'
import { openLocked } from '../entities/write.ts'
import { lockUsers } from '../users/storage.ts'
import { toRefusedWrite } from './refused.ts'
import { isOfStore, storeOrSplit } from './splitting.ts'
import type { NextUser } from './storage.ts'
import type { UserTask } from './task.ts'
import { findUntouched, type PlacedUndone, type Undone } from './undoing.ts'

/** A user with what the undo comes to, unless storing it is refused. */
interface PlannedUndo {
  readonly at: number
  readonly undone: Undone
  /** Undefined if nothing is to be written. */
  readonly revert?: (PlannedRevert & { readonly row: EntityRow }) | undefined
}

/**
 * Puts back the values of users as they were before the job, by the rules of reverts, and removes the entities that the
 * job created. What somebody else has changed since stays. Refused writes are rolled back. Throws if the store is in
 * trouble, so that the users are tried again.
 */
export async function undoProperty(
  writing: Writing,
  lot: readonly NextUser[],
  task: UserTask,
): Promise<PlacedUndone[]> {
  const { transaction } = writing
  const refuse = (error: unknown): Undone => {
    const refused = toRefusedWrite(error, task)
    return refused.code === 'changed_since' ? { outcome: 'conflict' } : refused
  }
  const plan = await findChanged(writing, lot)
  const planned = lot.map((next): PlannedUndo => {
    try {
      return { at: next.at, ...plan(next) }
    } catch (error) {
      return { at: next.at, undone: refuse(error) }
    }
  })
  const stored = await storeOrSplit<PlannedUndo, Undone>(
    transaction,
    planned.filter(({ revert }) => revert),
    {
      async store(some) {
        await storeReverts(
          writing,
          some.flatMap(({ revert }) => revert ?? []),
        )
        return new Map(some.map((row) => [row, row.undone]))
      },
      refuse: (_, error) => refuse(error),
      isFatal: isOfStore,
    },
  )
  return planned.map((row) => Object.assign({ at: row.at }, stored.get(row) ?? row.undone))
}

/** Locks users and the entities that the job wrote, and returns how the undo of each is planned. */
async function findChanged(
  writing: Writing,
  lot: readonly NextUser[],
): Promise<(next: NextUser) => Omit<PlannedUndo, 'at'>> {
  const { transaction } = writing
  const listGiven = (values: readonly (string | null)[]) => values.filter((value) => value !== null)
  const locked = await lockUsers(
    transaction,
    lot.map(({ user }) => user),
  )
  const users = locked.map(({ user }) => user)
  const there = new Set(users)
  const entities = await lockEntities(
    transaction,
    lot.flatMap(({ user, entity: id }) => (id !== null && there.has(user) ? [{ user, id }] : [])),
  )
  const rows = new Map(entities.map((row) => [row.id, row]))
  const created = lot.filter(({ outcome }) => outcome === 'created')
  const untouched = await findUntouched(transaction, users, listGiven(created.map(({ entity }) => entity)))
  const found = await changesetsById(transaction, users, listGiven(lot.map(({ changeset }) => changeset)))
  const changesets = new Map(found.map((changeset) => [changeset.id, changeset]))
  const changed = found.flatMap(({ id, entity_id: entity }) => {
    const row = entity === null ? undefined : rows.get(entity)
    return row ? [{ row, changeset: id }] : []
  })
  const histories = await readHistories(transaction, changed)
  const revert = (row: EntityRow, changeset: ChangesetRow) =>
    planRevert(writing, openLocked(writing, row), { changeset }, histories(row.id))
  return ({ user, outcome, entity, changeset }) => {
    if (!there.has(user)) return { undone: { outcome: 'not_found' } }
    const row = entity === null ? undefined : rows.get(entity)
    if (!row) return { undone: { outcome: 'conflict' } }
    if (outcome === 'created') {
      if (!untouched.has(row.id)) return { undone: { outcome: 'conflict' } }
      const plan = planRemoval(writing, openLocked(writing, row))
      return { undone: { outcome: 'undone' }, revert: { row, opens: [], plan } }
    }
    // Without a changeset, a sensitive property had this value already, which a report must not tell.
    if (changeset === null) return { undone: { outcome: 'undone' } }
    const change = changesets.get(changeset)
    if (!change) return { undone: { outcome: 'conflict' } }
    return { undone: { outcome: 'undone' }, revert: { row, ...revert(row, change) } }
  }
}
