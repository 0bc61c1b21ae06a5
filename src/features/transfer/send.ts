import { api, ApiError, offers, type Written } from '../../api/index.ts'
import { transferText } from '../../messages/index.ts'
import { describe } from '../../domain/failures/describe.ts'
import { stepsOf } from '../../domain/failures/pointers.ts'
import { reading } from '../../domain/queries/entities.ts'
import { wait } from '../../api/wait.ts'
import { askedWait, inParallel } from '../../domain/work/pace.ts'
import type { ImportRow } from './rows.ts'

/**
 * `created`, `changed`; `left`: the user is there and stays as they are; `failed`: nothing more is done for it, and
 * `detail` says why; `unknown`: no answer came, and sending it again might make a second user; `waiting`: not sent, or
 * not to its end.
 */
export type Outcome = 'waiting' | 'created' | 'changed' | 'left' | 'failed' | 'unknown'

export interface RowState {
  readonly outcome: Outcome
  readonly userId?: string | undefined
  readonly detail?: string | undefined
  /** The user is written; what is left to do is their properties. */
  readonly isUserDone?: boolean
  /** An answer was lost on the way: what was sent may have been done. */
  readonly isLost?: boolean
  /** Definite failures so far: a new try is a new request, not a repetition. */
  readonly failures: number
}

export interface SendOptions {
  /** Users who are there already get the fields and properties of the file; else they stay as they are. */
  readonly changeExisting: boolean
  /** Random, and the same for as long as this file is being imported: repetitions are recognised by it. */
  readonly importId: string
}

/** Why an import stopped before its end: the reason concerns every row, so the others would not fare better. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  /** `asked`: a person paused it. */
  readonly why: 'asked' | 'unreachable' | 'busy' | 'forbidden'
  readonly error: ApiError | undefined
  constructor(why: Stopped['why'], error?: ApiError) {
    super(why)
    this.why = why
    this.error = error
  }
}

export interface SendProgress {
  readonly states: readonly RowState[]
  readonly waitSeconds?: number | undefined
}

const rowsAtOnce = 4
const mostRepetitions = 3
const entityType = 'person'

/** Sends rows, a few at a time. `run` rejects with `Stopped`; run again, it goes on with what is not done. */
export function createImport(rows: readonly ImportRow[], { changeExisting, importId }: SendOptions) {
  const states: RowState[] = rows.map(({ verdict }) => ({
    outcome: verdict === 'match' && !changeExisting ? 'left' : 'waiting',
    failures: 0,
  }))
  let stop = new AbortController()
  let pause: Promise<void> | undefined
  let report: (waitSeconds?: number) => void = () => undefined

  const stateOf = (index: number) => states[index] ?? { outcome: 'waiting', failures: 0 }
  const set = (index: number, change: Partial<RowState>) => {
    states[index] = { ...stateOf(index), ...change }
  }

  /** A wait that a person need not sit through. */
  const doze = async (seconds: number, signal: AbortSignal) => {
    try {
      await wait(seconds * 1000, AbortSignal.any([signal, stop.signal]))
    } catch (error) {
      throw stop.signal.aborted ? new Stopped('asked') : error
    }
  }

  /** One request, again after the waits that the service asks for, which all rows keep. */
  const patient = async <Answer>(send: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
    for (let tries = 1; ; tries += 1) {
      await pause
      try {
        return await send()
      } catch (error) {
        const seconds = askedWait(error, tries)
        if (seconds === undefined) {
          if (error instanceof ApiError && (error.status === 429 || error.status === 503))
            throw new Stopped('busy', error)
          throw error
        }
        report(seconds)
        pause = doze(seconds, signal)
        await pause
        report()
      }
    }
  }

  const sendRow = async (index: number, signal: AbortSignal) => {
    const row = rows[index]
    if (!row) return
    const conditions = (step: string) => ({
      signal,
      ...(offers('idempotency') && {
        idempotencyKey: `${importId}-${row.row}-${step}-${stateOf(index).failures}`,
      }),
    })
    const isRepeatable = offers('idempotency') || row.email !== undefined || row.ref !== undefined

    /** Repeats what got no answer, where that does no harm. */
    const repeatable = async <Answer>(harmless: boolean, send: () => Promise<Answer>): Promise<Answer> => {
      for (let repetition = 0; ; repetition += 1) {
        try {
          return await patient(send, signal)
        } catch (error) {
          if (!(error instanceof ApiError) || (!error.outcomeUnknown && error.status !== 0)) throw error
          if (!harmless) {
            set(index, { outcome: 'unknown', detail: transferText.problems.unknown })
            throw new Stopped('unreachable', error)
          }
          set(index, { isLost: true })
          if (repetition === mostRepetitions || stop.signal.aborted) throw new Stopped('unreachable', error)
          await doze(2 ** repetition, signal)
        }
      }
    }
    const patchUser = (id: string) =>
      repeatable(true, () =>
        api.patchUser({ params: { user_id: id }, body: row.body, ...conditions('fields') }),
      )
    const firstPerson = async (id: string) => {
      const entities = await repeatable(true, () =>
        api.listEntities({ params: { user_id: id }, query: reading(), signal }),
      )
      return entities.find(({ type }) => type === entityType)?.id
    }
    const writeProperties = async (id: string, person: string | undefined) => {
      const body = { type: entityType, properties: [...row.properties] }
      if (person !== undefined)
        return repeatable(true, () =>
          api.patchEntity({
            params: { user_id: id, entity_id: person },
            body,
            ...conditions('properties'),
          }),
        )
      try {
        await patient(
          () => api.createEntity({ params: { user_id: id }, body, ...conditions('entity') }),
          signal,
        )
      } catch (error) {
        // What was lost is looked for before it is written again.
        if (error instanceof ApiError && (error.outcomeUnknown || error.status === 0)) {
          set(index, { isLost: true })
          throw new Stopped('unreachable', error)
        }
        throw error
      }
    }
    const changeUser = async (id: string) => {
      if (Object.keys(row.body).length > 0 && stateOf(index).isUserDone !== true) await patchUser(id)
      set(index, { userId: id, isUserDone: true })
      if (row.properties.length > 0) await writeProperties(id, await firstPerson(id))
      set(index, { outcome: 'changed' })
    }

    if (row.match) return changeUser(row.match.id)
    let { userId } = stateOf(index)
    if (stateOf(index).isUserDone !== true) {
      const written: Written = await repeatable(isRepeatable, () =>
        api.createUser({ body: row.body, ...conditions('user') }),
      )
      userId = written.id
      // Of a user who is there after an answer was lost, and was not there before, it was ours that made them.
      const isOurs =
        written.outcome !== 'existed' || (stateOf(index).isLost === true && row.verdict === 'create')
      if (!isOurs && changeExisting && userId !== undefined) return changeUser(userId)
      if (!isOurs && stateOf(index).isLost === true)
        return set(index, { outcome: 'unknown', userId, detail: transferText.problems.perhapsOurs })
      if (!isOurs) return set(index, { outcome: 'left', userId })
      set(index, { userId, isUserDone: true })
    }
    if (row.properties.length > 0) {
      if (userId === undefined) return set(index, { outcome: 'failed', detail: transferText.problems.noId })
      const person = stateOf(index).isLost === true ? await firstPerson(userId) : undefined
      // An entity that is there after a lost answer is the one that was sent; nothing is written over it.
      if (person === undefined) await writeProperties(userId, undefined)
    }
    set(index, { outcome: 'created' })
  }

  const trySend = async (index: number, signal: AbortSignal) => {
    if (stop.signal.aborted) throw new Stopped('asked')
    try {
      await sendRow(index, signal)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { failures, isUserDone, userId } = stateOf(index)
      set(index, {
        outcome: 'failed',
        detail: `${isUserDone === true && userId !== undefined ? transferText.problems.withoutProperties : ''}${failureOf(error)}`,
        failures: failures + 1,
      })
      if (error.status === 403) throw new Stopped('forbidden', error)
    } finally {
      report()
    }
  }

  return {
    states: states as readonly RowState[],
    run: async (signal: AbortSignal, onProgress: (progress: SendProgress) => void): Promise<void> => {
      stop = new AbortController()
      pause = undefined
      report = (waitSeconds) => onProgress({ states, waitSeconds })
      const open = rows.flatMap((_, index) => (stateOf(index).outcome === 'waiting' ? [index] : []))
      await inParallel(open, rowsAtOnce, (index) => trySend(index, signal))
    },
    /** Lets what is under way come to its end, so that nothing is left unknown. */
    pause() {
      stop.abort()
    },
    /** The next run sends the failed rows again. */
    retryFailed() {
      for (const [index, { outcome }] of states.entries())
        if (outcome === 'failed') set(index, { outcome: 'waiting', detail: undefined })
    },
  }
}

function failureOf(error: ApiError): string {
  return describe(error, {
    codes: { two_matches: transferText.problems.twoMatches },
    rest: error.errors.map(({ pointer, detail }) =>
      pointer === '' ? detail : `${stepsOf(pointer).join('/')}: ${detail}`,
    ),
    other: transferText.problems.refused(error.status),
  })
}
