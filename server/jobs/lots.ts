import type { Writing } from '../changesets/record.ts'
import type { Transaction } from '../store/sql.ts'
import { readableAtOnce } from './export-rows.ts'
import { isOfRows } from './splitting.ts'
import { type Claim, nextUsers, type NextUser, noteOutcomes, type PlacedOutcome } from './storage.ts'
import type { UserTask } from './task.ts'
import type { Turn, WorkTurn } from './turn.ts'
import { noteUndone, type PlacedUndone } from './undoing.ts'

/** Number of attempts for a user whose write the database aborts. */
const maxTries = 3

/** Work of a kind of job on some users. Throws if the store is in trouble, so that they are tried again. */
export interface LotWork<Task> {
  /** Number of users whose changes are made in one transaction, unless they own too much to be held in memory. */
  readonly atOnce: number
  /** Reads what the job is to do. */
  readonly task: (turn: Turn) => Task
  /** Makes the changes by the rules of requests from the caller; for a dry run, makes them and rolls them back. */
  readonly apply: (
    writing: Writing,
    lot: readonly NextUser[],
    task: Task,
  ) => Promise<readonly PlacedOutcome[]>
  /** Puts back what the job changed, unless somebody else has changed it since. */
  readonly undo: (writing: Writing, lot: readonly NextUser[], task: Task) => Promise<readonly PlacedUndone[]>
}

/** Place of a job at which the database has aborted something. */
interface Failure {
  /** Last of the users who are tried one by one. */
  readonly until: number
  /** User who is tried, and number of times in a row that the database has aborted the write. */
  readonly at: number
  readonly times: number
}

/** Works on one lot of users after the other. Each has a transaction that also records the outcomes. */
export function workInLots<Task extends UserTask>({
  atOnce,
  task: read,
  apply,
  undo,
}: LotWork<Task>): WorkTurn {
  /** Failures by job. Those of a dry run do not count when it is applied. */
  const failures = new Map<string, Failure>()

  /** Works on the next users after a place. Tells who they are before anything can fail. */
  async function workOnNext(
    turn: Turn,
    after: number,
    tried: (lot: readonly NextUser[]) => void,
  ): Promise<void> {
    const { claim, typed, caller, gate, database } = turn
    // The check for a required reason was made when the job was requested.
    const reason = { given: claim.undo ? typed.undoReason : typed.reason, required: false }
    const task = read(turn)
    await database.sql.transaction().execute(async (transaction) => {
      const isSingle = after < (failures.get(claim.id)?.until ?? 0)
      const lot = await readLot(transaction, claim, { after, atMost: isSingle ? 1 : atOnce })
      tried(lot)
      if (lot.length === 0) return
      // All users get the same date for a consent that was given without one.
      const writing = { transaction, keys: database.keys, caller, reason, gate, saidAt: claim.created }
      if (claim.undo) await noteUndone(transaction, claim.id, await undo(writing, lot, task))
      else await noteOutcomes(transaction, claim.id, await apply(writing, lot, task))
    })
  }

  /**
   * Makes the users of a lot be tried one by one after the database has aborted it, and records a refusal for one whose
   * write it has aborted several times, so that the job moves on. Throws if the store is in trouble.
   */
  async function noteFailure(
    { database, claim }: Turn,
    lot: readonly NextUser[],
    error: unknown,
  ): Promise<void> {
    const [first] = lot
    // Only timeouts and rollbacks such as deadlocks concern the users; an unreachable or full store does not.
    if (!first || !isOfRows(error)) throw error
    const { at } = first
    if (lot.length > 1) {
      failures.set(claim.id, { until: lot.at(-1)?.at ?? at, at, times: 0 })
      return
    }
    const last = failures.get(claim.id)
    const times = last?.at === at ? last.times + 1 : 1
    failures.set(claim.id, { until: Math.max(at, last?.until ?? 0), at, times })
    if (times < maxTries) throw error
    await database.sql.transaction().execute((transaction) => refuseUser(transaction, claim, first))
  }

  return async (turn) => {
    const { claim, endsAtMs, signal } = turn
    let after = 0
    while (performance.now() < endsAtMs && !signal.aborted) {
      let lot: readonly NextUser[] = []
      try {
        await workOnNext(turn, after, (tried) => (lot = tried))
        const last = lot.at(-1)
        if (!last || last.at >= (failures.get(claim.id)?.until ?? 0)) failures.delete(claim.id)
        if (!last) return endOf(claim)
        after = last.at
      } catch (error) {
        await noteFailure(turn, lot, error)
      }
    }
    return claim.undo ? 'undoing' : 'running'
  }
}

/** Locks the next users, as many as own so little that it can be held in memory. */
async function readLot(
  transaction: Transaction,
  claim: Claim,
  page: { readonly after: number; readonly atMost: number },
): Promise<readonly NextUser[]> {
  const next = await nextUsers(transaction, claim, page)
  if (next.length <= 1) return next
  const users = next.map((each) => Object.assign(each, { id: each.user }))
  return await readableAtOnce(transaction, users, undefined)
}

async function refuseUser(
  transaction: Transaction,
  { id, undo }: Claim,
  { at, user }: NextUser,
): Promise<void> {
  const detail = 'Saving this user took too long, three times. Try it again later.'
  const refused = { at, outcome: 'refused', code: 'unavailable', detail } as const
  if (undo) await noteUndone(transaction, id, [refused])
  else await noteOutcomes(transaction, id, [{ ...refused, user }])
}

const endOf = ({ undo }: Claim) => (undo ? 'undone' : 'finished')
