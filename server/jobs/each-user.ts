import type { Writing } from '../changesets/record.ts'
import { type Claim, nextUser, type NextUser, noteOutcome, type UserOutcome } from './storage.ts'
import type { UserTask } from './task.ts'
import type { Turn, WorkTurn } from './turn.ts'
import { noteUndone, type Undone } from './undoing.ts'

/** Number of attempts for a user whose write the database aborts. */
const maxTries = 3

/** Work of a kind of job on one user. Throws if the store is in trouble, so that the user is tried again. */
export interface UserWork<Task> {
  /** Reads what the job is to do. */
  readonly task: (turn: Turn) => Task
  /** Makes the change by the rules of a request from the caller; for a dry run, makes it and rolls it back. */
  readonly apply: (writing: Writing, next: NextUser, task: Task) => Promise<UserOutcome>
  /** Puts back what the job changed, unless somebody else has changed it since. */
  readonly undo: (writing: Writing, next: NextUser, task: Task) => Promise<Undone>
}

/** Works on one user after the other. Each has a transaction that also records the outcome. */
export function eachUser<Task extends UserTask>({ task: read, apply, undo }: UserWork<Task>): WorkTurn {
  /** Last failure of each job: at which user, and how many times in a row. */
  const failures = new Map<string, { readonly at: number; readonly times: number }>()

  /**
   * Records a refusal for a user whose write the database aborted several times, so that the job moves on. Throws if
   * it should be retried.
   */
  async function noteFailure(
    { database, claim }: Turn,
    at: number | undefined,
    error: unknown,
  ): Promise<number> {
    // Only timeouts and rollbacks such as deadlocks concern the one user; an unreachable or full store does not.
    if (at === undefined || !/^(57014|40)/.test(String((error as { code?: unknown }).code))) throw error
    const last = failures.get(claim.id)
    const times = last?.at === at ? last.times + 1 : 1
    failures.set(claim.id, { at, times })
    if (times < maxTries) throw error
    failures.delete(claim.id)
    const detail = 'Saving this user took too long, three times. Try it again later.'
    const note = claim.undo ? noteUndone : noteOutcome
    await note(database.sql, claim.id, at, { outcome: 'refused', code: 'unavailable', detail })
    return at
  }

  return async (turn) => {
    const { claim, typed, caller, gate, endsAtMs, signal } = turn
    const { sql, keys } = turn.database
    // The check for a required reason was made when the job was requested.
    const reason = { given: claim.undo ? typed.undoReason : typed.reason, required: false }
    const task = read(turn)
    let at: number | undefined = 0
    while (performance.now() < endsAtMs && !signal.aborted) {
      const after: number = at
      let tried: number | undefined
      const done = sql.transaction().execute(async (transaction) => {
        const next = await nextUser(transaction, claim, after)
        tried = next?.at
        if (!next) return undefined
        // All users get the same date for a consent that was given without one.
        const writing = { transaction, keys, caller, reason, gate, saidAt: claim.created }
        if (claim.undo) await noteUndone(transaction, claim.id, next.at, await undo(writing, next, task))
        else await noteOutcome(transaction, claim.id, next.at, await apply(writing, next, task))
        return next.at
      })
      at = await done.then(
        (next) => {
          // A user was processed, so later failures, also after a resume or apply, count from zero.
          failures.delete(claim.id)
          return next
        },
        (error: unknown) => noteFailure(turn, tried, error),
      )
      if (at === undefined) return endOf(claim)
    }
    return claim.undo ? 'undoing' : 'running'
  }
}

const endOf = ({ undo }: Claim) => (undo ? 'undone' : 'finished')
