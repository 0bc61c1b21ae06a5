import { sql } from 'kysely'

import type { Writing } from '../changesets/record.ts'
import { changesetsById, type ChangesetRow } from '../changesets/storage.ts'
import { planRemoval } from '../entities/plan.ts'
import { type PlannedRevert, planRevert, readHistories, storeReverts } from '../entities/revert.ts'
import { type EntityRow, lockEntities } from '../entities/storage.ts'
import { openLocked } from '../entities/write.ts'
import { requireScopes } from '../http/auth/caller.ts'
import { Refusal } from '../http/errors/problem.ts'
import { eraseUser } from '../jobs/erase-user.ts'
import { toRefusedWrite } from '../jobs/refused.ts'
import { isOfRows, storeOrSplit } from '../jobs/splitting.ts'
import type { Turn } from '../jobs/turn.ts'
import { findUntouched, noteUndone, type PlacedUndone, type Undone } from '../jobs/undoing.ts'
import type { Transaction } from '../store/sql.ts'
import { planFieldsRevert } from '../users/revert.ts'
import { lockUser, lockUsers } from '../users/storage.ts'
import { storeUsers, type UserPlan } from '../users/store.ts'
import { toTakenRefusal } from '../users/write.ts'
import { isFatal, tookTooLong } from './apply.ts'
import { lockImported, type ImportedRow } from './row-storage.ts'

/** Rows that are put back in one transaction. */
export const undoneTogether = 100

/**
 * Puts back what the next rows changed, by the rules of reverts, and deletes the users whom they created and nobody has
 * touched since. Returns the ordinal of the last row; undefined if there are none.
 */
export async function undoRows(turn: Turn, after: number): Promise<number | undefined> {
  try {
    return await undoLot(turn, { after, atMost: undoneTogether })
  } catch (error) {
    if (!isOfRows(error)) throw error
  }
  return await undoLot(turn, { after, atMost: 1 })
}

async function undoLot(
  turn: Turn,
  page: { readonly after: number; readonly atMost: number },
): Promise<number | undefined> {
  const { database, claim, caller, typed, gate } = turn
  const reason = { given: typed.undoReason, required: false }
  return await database.sql.transaction().execute(async (transaction) => {
    const rows = await lockImported(transaction, claim, page)
    const writing = { transaction, keys: database.keys, caller, reason, gate, saidAt: claim.created }
    const [created, changed] = [rows.filter(isCreated), rows.filter((row) => !isCreated(row))]
    const undone = await putBack(writing, changed, turn)
    for (const row of created) undone.push({ at: row.at, ...(await deleteCreated(writing, row, turn)) })
    if (undone.length > 0) await noteUndone(transaction, claim.id, undone)
    return rows.at(-1)?.at
  })
}

const isCreated = ({ outcome }: ImportedRow) => outcome === 'created'

/** Returns what becomes of a row whose undo is refused; throws if the store is in trouble. */
const refuseUndo = (error: unknown, turn: Turn): Undone =>
  isOfRows(error) ? tookTooLong : toRefusedWrite(toTakenRefusal(error) ?? error, turn)

async function deleteCreated(writing: Writing, row: ImportedRow, turn: Turn): Promise<Undone> {
  const { transaction } = writing
  await sql`savepoint before_row`.execute(transaction)
  try {
    const undone = await deleteUntouched(writing, row, turn)
    await sql`release savepoint before_row`.execute(transaction)
    return undone
  } catch (error) {
    const refused = refuseUndo(error, turn)
    await sql`rollback to savepoint before_row`.execute(transaction)
    return refused
  }
}

/** Deletes a user whom the import created, by the rules of any deletion. */
async function deleteUntouched(
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

/** A row with what its undo comes to, unless storing it is refused. */
interface PlannedUndo {
  readonly at: number
  readonly undone: Undone
  /** Writes of the user, each of the fields or of another entity. */
  readonly writes: readonly (UserPlan | Revert)[]
}

type Revert = PlannedRevert & { readonly row: EntityRow }

const isOfFields = (write: UserPlan | Revert): write is UserPlan => 'fields' in write

/** Puts back the fields and properties of users that nobody has changed since; the others stay and are told of. */
async function putBack(writing: Writing, rows: readonly ImportedRow[], turn: Turn): Promise<PlacedUndone[]> {
  if (rows.length === 0) return []
  const { transaction } = writing
  const plan = await findChanged(writing, rows)
  const planned = rows.map((row): PlannedUndo => {
    try {
      return { at: row.at, ...plan(row) }
    } catch (error) {
      return { at: row.at, undone: refuseUndo(error, turn), writes: [] }
    }
  })
  const stored = await storeOrSplit<PlannedUndo, Undone>(
    transaction,
    planned.filter(({ writes }) => writes.length > 0),
    {
      store: async (some) => {
        await storeUndo(writing, some)
        return new Map(some.map((row) => [row, row.undone]))
      },
      refuse: (_, error) => refuseUndo(error, turn),
      isFatal,
    },
  )
  return planned.map((row) => Object.assign({ at: row.at }, stored.get(row) ?? row.undone))
}

/** Stores the first write of each user, then each further one: at most one of a user is stored at once. */
async function storeUndo(writing: Writing, rows: readonly PlannedUndo[]): Promise<void> {
  for (let place = 0; ; place++) {
    const writes = rows.flatMap((row) => row.writes[place] ?? [])
    if (writes.length === 0) return
    const fields = writes.filter(isOfFields)
    if (fields.length > 0) await storeUsers(writing, fields)
    await storeReverts(
      writing,
      writes.flatMap((write) => (isOfFields(write) ? [] : [write])),
    )
  }
}

/** Locks users and the entities that the rows wrote, and returns how the undo of each row is planned. */
async function findChanged(
  writing: Writing,
  rows: readonly ImportedRow[],
): Promise<(row: ImportedRow) => Omit<PlannedUndo, 'at'>> {
  const { transaction } = writing
  const locked = await lockUsers(
    transaction,
    rows.flatMap(({ user }) => user ?? []),
  )
  const users = new Map(locked.map((each) => [each.user, each]))
  const ids = [...users.keys()]
  const found = await changesetsById(
    transaction,
    ids,
    rows.flatMap(({ changesets }) => changesets),
  )
  const changesets = new Map(found.map((each) => [each.id, each]))
  const ofEntities = found.flatMap(({ id, user, op, entity_id: entity }) =>
    entity === null ? [] : [{ changeset: id, user, op, id: entity }],
  )
  const entities = new Map((await lockEntities(transaction, ofEntities)).map((each) => [each.id, each]))
  const added = ofEntities.flatMap(({ op, id }) => (op === 'add' ? [id] : []))
  const untouched = await findUntouched(transaction, ids, added)
  const histories = await readHistories(
    transaction,
    ofEntities.flatMap(({ changeset, id }) => {
      const row = entities.get(id)
      return row ? [{ row, changeset }] : []
    }),
  )
  const planEntity = (change: ChangesetRow, id: string) => {
    const row = entities.get(id)
    if (!row || (change.op === 'add' && !untouched.has(id))) return { isAll: false }
    const opened = openLocked(writing, row)
    if (change.op === 'add')
      return { isAll: true, write: { row, opens: [], plan: planRemoval(writing, opened) } }
    const { isAll, write } = planUnlessChanged(change, (keys) =>
      planRevert(writing, opened, { changeset: change, keys }, histories(id)),
    )
    return { isAll, write: write && { row, ...write } }
  }
  return ({ user, changesets: of }) => {
    const owner = users.get(user ?? '')
    if (!owner) return { undone: { outcome: 'not_found' }, writes: [] }
    const changes = of.flatMap((id) => changesets.get(id) ?? [])
    const plans = changes
      .toReversed()
      .map((change) =>
        change.entity_id === null
          ? planUnlessChanged(change, (keys) => planFieldsRevert(writing, owner, change, { keys }))
          : planEntity(change, change.entity_id),
      )
    const isAll = changes.length === of.length && plans.every((plan) => plan.isAll)
    return {
      undone: { outcome: isAll ? 'undone' : 'conflict' },
      writes: plans.flatMap(({ write }) => write ?? []),
    }
  }
}

/** Plans to put back a change; where others have changed some of it since, plans for the rest. */
function planUnlessChanged<Write>(
  { changes }: ChangesetRow,
  plan: (keys: readonly string[] | undefined) => Write | undefined,
): { readonly isAll: boolean; readonly write?: Write | undefined } {
  try {
    return { isAll: true, write: plan(undefined) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'changed_since') throw error
    const since = new Set(error.members.keys as readonly string[])
    const keys = changes.flatMap(({ key }) => (since.has(key) ? [] : [key]))
    return { isAll: false, write: since.size > 0 && keys.length > 0 ? plan(keys) : undefined }
  }
}
