import { sql } from 'kysely'

import type { Writing } from '../changesets/record.ts'
import type { OpenedRow, Plan } from '../entities/plan.ts'
import { hasSensitive, openProperties } from '../entities/sealing.ts'
import { countEntities, type EntityRow } from '../entities/storage.ts'
import { store } from '../entities/store.ts'
import { asRefusal } from '../http/errors/problem.ts'
import { toRefusedWrite } from '../jobs/refused.ts'
import type { Turn } from '../jobs/turn.ts'
import { openDataKey } from '../sealing/data-keys.ts'
import { storeUsers, type UserPlan } from '../users/store.ts'
import { toTakenRefusal } from '../users/write.ts'
import { taskOf } from './check.ts'
import type { FileRow } from './chunks.ts'
import { type ImportColumns, readFileRows } from './columns.ts'
import { findKnown } from './matching.ts'
import { type PlannedRow, planRow } from './planning.ts'
import { lockWaiting, noteRows, type RowOutcome } from './row-storage.ts'
import { mapInSlices } from './slices.ts'

/**
 * Imports the rows of a chunk in one transaction, as the check has shown them; rows whose user has changed since are
 * left alone. Returns false if this process no longer holds the job.
 *
 * @param only Ordinal of the only row to import.
 */
export async function applyRows(
  turn: Turn,
  columns: ImportColumns,
  {
    chunk,
    fileRows,
    only,
  }: { readonly chunk: number; readonly fileRows: readonly FileRow[]; readonly only?: number | undefined },
): Promise<boolean> {
  const { database, claim, caller, typed, gate } = turn
  const { keys } = database
  return await database.sql.transaction().execute(async (transaction) => {
    const locked = await lockWaiting(transaction, claim, chunk)
    const waiting = locked.filter(({ at }) => only === undefined || at === only)
    if (waiting.length === 0) return false
    const rows = await readFileRows(columns, fileRows, waiting)
    const known = await findKnown(transaction, rows, columns.types, { lock: true })
    const open = (row: EntityRow): OpenedRow => {
      const dataKey = hasSensitive(row.properties) ? openDataKey(keys.keyring, row) : undefined
      return { row, opened: openProperties(dataKey, row), dataKey }
    }
    const task = taskOf(turn, columns, open)
    const seen = new Map(waiting.map((row) => [row.at, row.seen]))
    const planned = await mapInSlices(rows, ({ at, ...row }) =>
      Object.assign(planRow(task, row, known), { at }),
    )
    const isAsSeen = (row: OrderedPlan) => seen.get(row.at) === row.seen
    const writable = planned.filter((row) => isAsSeen(row) && row.plans.length > 0)
    const reason = { given: typed.reason, required: false }
    const writing: Writing = { transaction, keys, caller, reason, gate, saidAt: claim.created }
    const stored = await storeOrSplit({ writing, failed: turn.failed }, writable)
    const outcomes = planned.map((row): RowOutcome => {
      const { at, id: user, outcome, problem } = row
      const { code, detail } = isAsSeen(row) ? (problem ?? {}) : changedSince
      const own = { at, user, outcome: isAsSeen(row) ? outcome : ('conflict' as const), code, detail }
      return Object.assign(own, stored.get(at), { seen: seen.get(at) })
    })
    await noteRows(transaction, claim.id, outcomes)
    return true
  })
}

type OrderedPlan = PlannedRow & { readonly at: number }

const changedSince = { code: 'changed_since', detail: 'This user has changed since the check.' }

interface Storing {
  readonly writing: Writing
  readonly failed: (error: unknown) => void
}

/**
 * Stores the plans of rows together. If that is refused, by the rules or by the database, goes back and stores either
 * half by itself, so that only the rows to blame are refused.
 */
async function storeOrSplit(
  storing: Storing,
  rows: readonly OrderedPlan[],
  depth = 0,
): Promise<Map<number, RowOutcome>> {
  if (rows.length === 0) return new Map()
  const { transaction } = storing.writing
  const savepoint = sql.ref(`before_rows_${depth}`)
  await sql`savepoint ${savepoint}`.execute(transaction)
  try {
    const stored = await storeRows(storing.writing, rows)
    await sql`release savepoint ${savepoint}`.execute(transaction)
    return stored
  } catch (error) {
    const refusal = toTakenRefusal(error) ?? asRefusal(error)
    if (refusal && refusal.status >= 500 && !isOfRows(error)) throw error
    await sql`rollback to savepoint ${savepoint}`.execute(transaction)
    const [first] = rows
    if (first && rows.length === 1) return new Map([[first.at, refuseRow(first, error, storing)]])
    const middle = Math.ceil(rows.length / 2)
    const halves = [rows.slice(0, middle), rows.slice(middle)]
    const stored = new Map<number, RowOutcome>()
    for (const half of halves)
      for (const [at, outcome] of await storeOrSplit(storing, half, depth + 1)) stored.set(at, outcome)
    return stored
  }
}

/** Whether an error concerns the rows and not the store: a statement that took too long, or a rollback such as after a deadlock. */
export const isOfRows = (error: unknown) => /^(57014|40)/.test(String((error as { code?: unknown }).code))

export const tookTooLong = {
  outcome: 'refused',
  code: 'unavailable',
  detail: 'Saving this row took too long. Try it again later.',
} as const

function refuseRow({ at, id: user }: OrderedPlan, error: unknown, { failed }: Storing): RowOutcome {
  if (isOfRows(error)) return { at, user, ...tookTooLong }
  return { at, user, ...toRefusedWrite(toTakenRefusal(error) ?? error, { failed }) }
}

/** Stores the plans of rows: the first one of each with its user's fields, then each further entity of a user. */
async function storeRows(writing: Writing, rows: readonly OrderedPlan[]): Promise<Map<number, RowOutcome>> {
  const ofFields = rows.flatMap(({ plans: [plan] }) => (plan && isOfFields(plan) ? [plan] : []))
  const inserted = ofFields.length > 0 ? await storeUsers(writing, ofFields) : new Set<string>()
  const isTaken = ({ outcome, id = '' }: OrderedPlan) => outcome === 'created' && !inserted.has(id)
  const others = rows.filter((row) => !isTaken(row))
  const ofEntities = others.flatMap(({ plans: [plan] }) => (plan && !isOfFields(plan) ? [plan] : []))
  if (ofEntities.length > 0) await store(writing, ofEntities)
  for (let place = 1; ; place++) {
    const next = others.flatMap(({ plans }) => plans[place] ?? [])
    if (next.length === 0) break
    await store(writing, await withSizes(writing, next))
  }
  return new Map(
    rows.map((row): [number, RowOutcome] => {
      const { at, id: user, outcome, plans } = row
      if (isTaken(row)) return [at, { at, outcome: 'conflict', ...changedSince }]
      const changesets = plans.flatMap(({ changes }) => changes.map(({ id }) => id))
      return [at, { at, user, outcome, entity: plans.find(({ entity }) => entity)?.entity?.id, changesets }]
    }),
  )
}

const isOfFields = (plan: UserPlan | Plan): plan is UserPlan => 'fields' in plan

/** Returns plans of further entities with the sizes of those that are stored by now; their users are no longer new. */
async function withSizes({ transaction }: Writing, plans: readonly Plan[]): Promise<Plan[]> {
  const counted = await countEntities(
    transaction,
    plans.map(({ owner }) => owner.user),
  )
  return plans.map((plan) => ({
    ...plan,
    owner: { ...plan.owner, bytes: counted.get(plan.owner.user)?.bytes ?? 0, isNew: false },
  }))
}
