import type { Writing } from '../changesets/record.ts'
import type { Plan } from '../entities/plan.ts'
import { countEntities } from '../entities/storage.ts'
import { store } from '../entities/store.ts'
import { openLocked } from '../entities/write.ts'
import { toRefusedWrite } from '../jobs/refused.ts'
import { isOfRows, isOfStore, storeOrSplit } from '../jobs/splitting.ts'
import { noteOutcomes, type PlacedOutcome } from '../jobs/storage.ts'
import type { Turn } from '../jobs/turn.ts'
import type { IndexKey } from '../sealing/data-keys.ts'
import type { Transaction } from '../store/sql.ts'
import { storeUsers, type UserPlan } from '../users/store.ts'
import { toTakenRefusal } from '../users/write.ts'
import { taskOf } from './check.ts'
import type { FileRow } from './chunks.ts'
import { type ImportColumns, readFileRows } from './columns.ts'
import { findKnown } from './matching.ts'
import { changedSince, type Effect, type PlannedRow, planRow } from './planning.ts'
import { readSummary, lockWaiting, writeSummary } from './row-storage.ts'
import { addDone, openSummary, sealSummary } from './summary.ts'

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
    const task = taskOf(turn, columns, (row) => openLocked({ keys }, row))
    const seen = new Map(waiting.map((row) => [row.at, row.seen]))
    const planned = rows.map(({ at, ...row }) => Object.assign(planRow(task, row, known), { at }))
    const isAsSeen = (row: OrderedPlan) => seen.get(row.at) === row.seen
    const writable = planned.filter((row) => isAsSeen(row) && row.plans.length > 0)
    const reason = { given: typed.reason, required: false }
    const writing: Writing = { transaction, keys, caller, reason, gate, saidAt: claim.created }
    const stored = await storeOrSplit(transaction, writable, {
      store: (some) => storeRows(writing, some),
      refuse: (row, error) => refuseRow(row, error, turn),
      isFatal,
    })
    const outcomes = planned.map((row): PlacedOutcome => {
      const { at, id: user, outcome, problem } = row
      const { code, detail } = isAsSeen(row) ? (problem ?? {}) : changedSince
      const own = { at, user, outcome: isAsSeen(row) ? outcome : ('conflict' as const), code, detail }
      return Object.assign(own, stored.get(row), { seen: seen.get(at) })
    })
    await noteOutcomes(transaction, claim.id, outcomes)
    const done = planned.filter((_, index) => isDone(outcomes[index]))
    await noteDone(
      transaction,
      { job: claim.id, indexKey: keys.indexKey },
      done.flatMap(({ effects }) => effects),
    )
    return true
  })
}

const isDone = (placed: PlacedOutcome | undefined) =>
  placed?.outcome === 'created' || placed?.outcome === 'changed'

/** Adds effects to the summary of an import. Comes last, since the next chunk waits for its end from here on. */
async function noteDone(
  transaction: Transaction,
  { job, indexKey }: { readonly job: string; readonly indexKey: IndexKey },
  effects: readonly Effect[],
): Promise<void> {
  const sealed = await readSummary(transaction, job, { lock: true })
  if (sealed === null) return
  const summary = openSummary(indexKey, job, sealed)
  addDone(summary, effects)
  await writeSummary(transaction, job, sealSummary(indexKey, job, summary))
}

type OrderedPlan = PlannedRow & { readonly at: number }

export const tookTooLong = {
  outcome: 'refused',
  code: 'unavailable',
  detail: 'Saving this row took too long. Try again later.',
} as const

/** Whether the rows are not to blame for an error. */
export const isFatal = (error: unknown) =>
  toTakenRefusal(error) === undefined && isOfStore(error) && !isOfRows(error)

function refuseRow(
  { at, id: user }: OrderedPlan,
  error: unknown,
  { failed }: Pick<Turn, 'failed'>,
): PlacedOutcome {
  if (isOfRows(error)) return { at, user, ...tookTooLong }
  return { at, user, ...toRefusedWrite(toTakenRefusal(error) ?? error, { failed }) }
}

/** Stores the plans of rows: the first one of each with its user's fields, then each further entity of a user. */
async function storeRows(
  writing: Writing,
  rows: readonly OrderedPlan[],
): Promise<Map<OrderedPlan, PlacedOutcome>> {
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
    rows.map((row): [OrderedPlan, PlacedOutcome] => {
      const { at, id: user, outcome, plans } = row
      if (isTaken(row)) return [row, { at, outcome: 'conflict', ...changedSince }]
      const changesets = plans.flatMap(({ changes }) => changes.map(({ id }) => id))
      return [row, { at, user, outcome, entity: plans.find(({ entity }) => entity)?.entity?.id, changesets }]
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
