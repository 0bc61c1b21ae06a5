import { ApiError, type Keyed, type keyedWrites } from '../../api/index.ts'

/** Result of merging an edit into the current state: a plan to send, or a result that needs no request. */
export type Merged<Plan, Result> = { readonly send: Plan } | { readonly done: Result }

/** Something on its way, kept for the question what became of it. */
export interface WriteAttempt<Plan> {
  readonly plan: Plan
  /** Tag of the state that the plan was made for; absent: the service has none. */
  readonly ifMatch: string | undefined
}

export interface Guard extends Keyed {
  readonly ifMatch?: string
}

export interface GuardedWrite<State, Plan, Answer, Result> {
  /** Writes of one form. A request that is sent again after a lost answer keeps its idempotency key. */
  readonly write: ReturnType<typeof keyedWrites>
  /** The state that the edit was made on; absent: something new. */
  readonly base: State | undefined
  readonly read: () => Promise<State>
  readonly tag: (state: State) => string | undefined
  readonly merge: (now: State) => Merged<Plan, Result>
  /** Returns a value by which two requests are compared. */
  readonly requestOf: (plan: Plan) => unknown
  readonly send: (plan: Plan, guard: Guard) => Promise<Answer>
  /** A lost answer is asked for once more by itself: for services that recognise the repetition. */
  readonly repeats?: boolean
}

export type GuardedResult<Plan, Answer, Result> =
  | { readonly outcome: 'done'; readonly result: Result }
  | { readonly outcome: 'written'; readonly attempt: WriteAttempt<Plan>; readonly answer: Answer }
  /** The write was refused. The attempt is absent where nothing was sent. */
  | { readonly outcome: 'refused'; readonly error: unknown; readonly attempt?: WriteAttempt<Plan> }
  /** The answer was lost: the write may or may not have happened. */
  | { readonly outcome: 'lost'; readonly error: unknown; readonly attempt: WriteAttempt<Plan> }

/** Number of tries before giving up where somebody else keeps writing. */
const maxTries = 4

/**
 * Writes an edit, never over what somebody else wrote meanwhile: that is merged, or is a conflict. With tags the
 * service itself refuses what stands on an older state; without, the state is read again just before.
 * @param lost An attempt whose answer was lost, to be sent again first.
 */
export async function guardedWrite<State, Plan, Answer, Result>(
  task: GuardedWrite<State, Plan, Answer, Result>,
  lost?: WriteAttempt<Plan>,
): Promise<GuardedResult<Plan, Answer, Result>> {
  let now = task.base !== undefined && task.tag(task.base) !== undefined ? task.base : undefined
  let attempt = lost
  for (let tries = 1; ; tries += 1) {
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
      if (!isStale || tries === maxTries)
        return { outcome: mayHaveHappened(error) ? 'lost' : 'refused', error, attempt }
      now = undefined
      attempt = undefined
    }
  }
}

/** Sends it, and once more where that is safe and may help. */
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
    // After a time-out the person has waited long enough to be told.
    const isQuick = !(error instanceof ApiError) || error.code !== 'timeout'
    if (!repeats || !isQuick || !mayHaveHappened(error)) throw error
    return deliver(task, attempt, false)
  }
}

/** No answer, or one that a gateway or a crash gave in place of the service's own. */
function mayHaveHappened(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true
  return error.outcomeUnknown || (error.status >= 500 && error.status !== 501 && error.status !== 503)
}
