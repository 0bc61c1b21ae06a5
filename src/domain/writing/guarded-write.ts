import { ApiError, isRepeatable, type Keyed, type keyedWrites } from '../../api/index.ts'

/** Result of merging an edit into the current state: a plan to send, or a result that needs no request. */
export type Merged<Plan, Result> = { readonly send: Plan } | { readonly done: Result }

/** Request that was sent, kept for finding out what became of it. */
export interface WriteAttempt<Plan> {
  readonly plan: Plan
  /** ETag of the state that the plan is based on; undefined if the service has none. */
  readonly ifMatch: string | undefined
}

export interface Guard extends Keyed {
  readonly ifMatch?: string
}

export interface GuardedWrite<State, Plan, Answer, Result> {
  /** Keyed writes of one form. A request that is repeated after a lost response keeps its idempotency key. */
  readonly write: ReturnType<typeof keyedWrites>
  /** State that the edit is based on; undefined for a new resource. */
  readonly base: State | undefined
  readonly read: () => Promise<State>
  readonly tag: (state: State) => string | undefined
  readonly merge: (now: State) => Merged<Plan, Result>
  /** Returns the value by which two requests are compared. */
  readonly requestOf: (plan: Plan) => unknown
  readonly send: (plan: Plan, guard: Guard) => Promise<Answer>
  /** Whether to repeat a request once automatically if its response was lost and the service recognises it. */
  readonly repeats?: boolean
}

export type GuardedResult<Plan, Answer, Result> =
  | { readonly outcome: 'done'; readonly result: Result }
  | { readonly outcome: 'written'; readonly attempt: WriteAttempt<Plan>; readonly answer: Answer }
  /** The write was rejected, or failed before it was sent: then `attempt` is undefined. */
  | { readonly outcome: 'refused'; readonly error: unknown; readonly attempt?: WriteAttempt<Plan> }
  /** The service itself did not answer: the write may or may not have happened. */
  | { readonly outcome: 'lost'; readonly error: unknown; readonly attempt: WriteAttempt<Plan> }

/** Maximum number of attempts while somebody else keeps writing. */
const maxAttempts = 4

/**
 * Writes an edit without overwriting concurrent changes: those are merged, or reported as a conflict. With ETags, the
 * service rejects a write based on stale state. Without them, the state is read again just before the write.
 * @param lost Attempt whose response was lost, to be repeated first.
 */
export async function guardedWrite<State, Plan, Answer, Result>(
  task: GuardedWrite<State, Plan, Answer, Result>,
  lost?: WriteAttempt<Plan>,
): Promise<GuardedResult<Plan, Answer, Result>> {
  let now = task.base !== undefined && task.tag(task.base) !== undefined ? task.base : undefined
  let attempt = lost
  for (let attempts = 1; ; attempts += 1) {
    if (!attempt)
      try {
        const state = now ?? (await task.read())
        const merged = task.merge(state)
        if ('done' in merged) return { outcome: 'done', result: merged.done }
        attempt = { plan: merged.send, ifMatch: task.tag(state) }
      } catch (error) {
        return { outcome: 'refused', error }
      }
    try {
      const answer = await deliver(task, attempt, task.repeats === true && attempt !== lost)
      return { outcome: 'written', attempt, answer }
    } catch (error) {
      const isStale = error instanceof ApiError && error.status === 412
      if (!isStale || attempts === maxAttempts)
        return { outcome: mayHaveHappened(error) ? 'lost' : 'refused', error, attempt }
      now = undefined
      attempt = undefined
    }
  }
}

/** Sends an attempt, and repeats it once if that is safe and may help. */
async function deliver<State, Plan, Answer, Result>(
  task: GuardedWrite<State, Plan, Answer, Result>,
  attempt: WriteAttempt<Plan>,
  repeats: boolean,
): Promise<Answer> {
  const { plan, ifMatch } = attempt
  try {
    return await task.write([task.requestOf(plan), ifMatch], (keyed) =>
      task.send(plan, { ...(ifMatch !== undefined && { ifMatch }), ...keyed }),
    )
  } catch (error) {
    // After a timeout, the person has waited long enough: the failure is reported at once.
    const isQuick = error instanceof ApiError && error.code !== 'timeout'
    if (!repeats || !isQuick || !isRepeatable(error) || !mayHaveHappened(error)) throw error
    return deliver(task, attempt, false)
  }
}

const mayHaveHappened = (error: unknown) => !(error instanceof ApiError) || error.mayHaveHappened
