import type { OpenedRow } from '../entities/plan.ts'
import type { StoredProperties } from '../entities/properties.ts'
import { type EntityRow, existingTargets, nameOfTarget } from '../entities/storage.ts'
import { entityTag } from '../http/headers/etag.ts'
import { type Claim, noteOutcomes, type PlacedOutcome } from '../jobs/storage.ts'
import type { Turn } from '../jobs/turn.ts'
import type { Transaction } from '../store/sql.ts'
import type { FileRow } from './chunks.ts'
import { type ImportColumns, readFileRows } from './columns.ts'
import { findKnown, type Matched, type OrderedRow } from './matching.ts'
import { type PlannedRow, planRow, type RowTask } from './planning.ts'
import type { RowProblem } from './reading.ts'
import {
  findIdentified,
  type Identified,
  keepIdentified,
  readSummary,
  takeUnchecked,
  writeSummary,
} from './row-storage.ts'
import { addRow, emptySummary, openSummary, sealSummary } from './summary.ts'

/**
 * Checks the rows of a chunk: tells of each what it would change, and adds it to the summary. Opens no sealed value and
 * locks nobody. Returns false if this process no longer holds the job.
 */
export async function checkRows(
  turn: Turn,
  columns: ImportColumns,
  { chunk, fileRows }: { readonly chunk: number; readonly fileRows: readonly FileRow[] },
): Promise<boolean> {
  const { database, claim } = turn
  return await database.sql.transaction().execute(async (transaction) => {
    const waiting = await takeUnchecked(transaction, claim, chunk, fileRows.length)
    if (waiting.length === 0) return false
    const { indexKey, secrets } = database.keys
    const rows = await readFileRows(columns, fileRows, waiting)
    const fine = rows.filter(({ isLeftOut }) => !isLeftOut)
    const known = await findKnown(transaction, fine, columns.types, { lock: false })
    const matches = new Map(fine.map((row) => [row.at, known.match(row)]))
    const repeats = await findRepeats(transaction, { job: claim.id, secret: secrets.etag }, fine, matches)
    const task = taskOf(turn, columns, withoutSealed)
    const sealed = await readSummary(transaction, claim.id)
    const summary = sealed === null ? emptySummary() : openSummary(indexKey, claim.id, sealed)
    const plans = rows.map((row) =>
      row.isLeftOut || repeats.has(row.at) ? undefined : planRow(task, row, known),
    )
    const toTarget = await withTargets(transaction, plans)
    const outcomes = rows.map((row, index): PlacedOutcome => {
      const repeat = repeats.get(row.at)
      const planned = toTarget(plans[index])
      const found = repeat ?? planned?.problem ?? ambiguityOf(planned)
      addRow(summary, planned?.effects ?? [], found ? [...row.problems, found] : row.problems)
      const { at } = row
      if (planned)
        return {
          at,
          outcome: planned.outcome,
          user: matches.get(at)?.user?.user,
          seen: planned.seen,
          code: found?.code,
          detail: found?.detail,
        }
      const [why = repeat] = row.problems
      return {
        at,
        outcome: repeat?.code === 'repeated' ? 'skipped' : 'refused',
        code: why?.code,
        detail: why?.detail,
      }
    })
    await noteOutcomes(transaction, claim.id, outcomes)
    await writeSummary(transaction, claim.id, sealSummary(indexKey, claim.id, summary))
    return true
  })
}

/** Author of an import, and what plans its rows. */
type Planner = Pick<Turn, 'typed' | 'caller' | 'gate' | 'database' | 'failed'> & {
  readonly claim: Pick<Claim, 'created'>
}

/** Returns how the rows of a job are planned. */
export function taskOf(
  { claim, typed, caller, gate, database, failed }: Planner,
  { mapping }: ImportColumns,
  open: RowTask['open'],
): RowTask {
  // The check for a required reason was made when the job was requested.
  const reason = { given: typed.reason, required: false }
  return {
    existing: mapping.existing,
    empty: mapping.empty,
    planning: { caller, reason, gate, saidAt: claim.created },
    secret: database.keys.secrets.etag,
    open,
    failed,
  }
}

/** Returns an entity as it is planned with while no sealed value is opened: each counts as without a value. */
export function withoutSealed(row: EntityRow): OpenedRow {
  const opened = Object.entries(row.properties).map(([key, { value = null, ...property }]) => [
    key,
    Object.assign(property, { value }),
  ])
  return { row, opened: Object.fromEntries(opened) as StoredProperties, dataKey: undefined }
}

/** Returns a function that refuses plans with relationships to users or entities that there are not. */
async function withTargets(transaction: Transaction, plans: readonly (PlannedRow | undefined)[]) {
  const targetsOf = (planned: PlannedRow) =>
    planned.plans.flatMap(({ entity }) => entity?.relationships?.map(({ target }) => target) ?? [])
  const targets = plans.flatMap((planned) => (planned ? targetsOf(planned) : []))
  const there = targets.length > 0 ? await existingTargets(transaction, targets) : new Set<string>()
  return (planned: PlannedRow | undefined): PlannedRow | undefined => {
    if (!planned || targetsOf(planned).every((target) => there.has(nameOfTarget(target)))) return planned
    const problem = {
      code: 'unknown_target',
      detail: 'This user or entity does not exist.',
    }
    return { ...planned, outcome: 'refused', plans: [], effects: [], problem }
  }
}

export function ambiguityOf(planned: PlannedRow | undefined): RowProblem | undefined {
  return planned?.outcome === 'ambiguous'
    ? { code: 'several_users', detail: 'The id, e-mail and ref of this row belong to different users.' }
    : undefined
}

/**
 * Finds rows about a user whom an earlier row of the file is about, and remembers the others. A repeated row with the
 * same values is skipped, one with others is refused: nobody knows which of them counts.
 */
async function findRepeats(
  transaction: Transaction,
  { job, secret }: { readonly job: string; readonly secret: RowTask['secret'] },
  rows: readonly OrderedRow[],
  matches: ReadonlyMap<number, Matched>,
): Promise<ReadonlyMap<number, RowProblem>> {
  const marks = rows.flatMap((row) => {
    const { user, isAmbiguous } = matches.get(row.at) ?? {}
    if (isAmbiguous) return []
    const { id, emailKey, fields } = row
    const own = { id, email: emailKey, ref: fields.ref, user: user?.user }
    const digests = Object.entries(own).flatMap(([of, value]) =>
      value === undefined ? [] : [entityTag(secret, [job, of, value])],
    )
    const given = [id, { ...fields, email: emailKey }, [...row.properties]]
    return [{ row, digests, content: entityTag(secret, [job, given]) }]
  })
  const all = marks.flatMap(({ digests }) => digests)
  const seen = new Map((await findIdentified(transaction, job, all)).map((each) => [each.digest, each]))
  const fresh: Identified[] = []
  const repeats = new Map<number, RowProblem>()
  for (const { row, digests, content } of marks) {
    const before = digests.map((digest) => seen.get(digest)).find((each) => each !== undefined)
    if (before) repeats.set(row.at, repeatOf(before, content))
    else
      for (const digest of digests) {
        const identified = { digest, row: row.row, content }
        seen.set(digest, identified)
        fresh.push(identified)
      }
  }
  if (fresh.length > 0) await keepIdentified(transaction, job, fresh)
  return repeats
}

function repeatOf({ row, content: before }: Identified, content: string): RowProblem {
  return before === content
    ? { code: 'repeated', detail: `Same as row ${row}.` }
    : { code: 'repeated_otherwise', detail: `Row ${row} has other values for the same user.` }
}
