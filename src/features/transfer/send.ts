import type { Entity, PropertyInput, User, UserPatch } from '#contract/index.ts'
import { importedEntity } from '#contract/reading/targets.ts'
import { api, ApiError } from '../../api/index.ts'
import { wait } from '../../api/wait.ts'
import { describe, describeInvalid } from '../../domain/failures/describe-failure.ts'
import { stepsOf } from '../../domain/failures/pointers.ts'
import { propertyLabel } from '../../domain/labels.ts'
import { requestMasked } from '../../domain/queries/entities.ts'
import { sameJson } from '../../domain/values/same-json.ts'
import { busyWaitSeconds, runInParallel, isBusy } from '../../domain/work/concurrency.ts'
import type { Run } from '../../domain/work/use-work.ts'
import { transferText } from '../../messages/index.ts'
import { listNames } from '../../messages/listed.ts'
import type { CheckedRows } from './CheckStep.tsx'
import type { ImportRow } from './rows.ts'

/**
 * `created` and `changed`: written. `same`: the user already was as the row says. `left`: the user exists and was not
 * to be updated. `failed`: the row is given up, and `detail` says why. `waiting`: not sent, or not completely.
 */
export type Outcome = 'waiting' | 'created' | 'changed' | 'same' | 'left' | 'failed'

/** State of one row; mutated as the import proceeds. */
interface RowState {
  outcome: Outcome
  userId?: string | undefined
  detail?: string | undefined
  /** Whether the user is written and only their properties remain. */
  isUserDone?: boolean
  /** Whether a field of an existing user was changed. */
  isChanged?: boolean
  /** Whether an answer was lost, so that its request may have succeeded. */
  isLost?: boolean
}

interface SendOptions extends Omit<CheckedRows, 'rows'> {
  /** Random id that stays the same while this file is imported. The service recognises repeated requests by it. */
  readonly importId: string
}

/** Thrown when an import stops early for a reason that affects every row. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  /** `asked`: the person paused it. */
  readonly why: 'asked' | 'unreachable' | 'busy' | 'forbidden'
  readonly error: ApiError | undefined
  constructor(why: Stopped['why'], error?: ApiError) {
    super(why)
    this.why = why
    this.error = error
  }
}

const rowsAtOnce = 4
const mostRepetitions = 3

const isAnswerLost = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.outcomeUnknown || error.status === 0)

export class Import {
  /** State of each row without a problem; the others are never sent. */
  readonly states: ReadonlyMap<ImportRow, RowState>
  readonly #options: SendOptions
  #signal = new AbortController().signal
  #stop = new AbortController()
  /** Pause that the service asked for, for all rows; of several pauses, the one that ends last counts. */
  #rest: { readonly seconds: number; readonly endsMs: number; readonly over: Promise<void> } | undefined
  #report: () => void = () => undefined

  constructor(rows: readonly ImportRow[], options: SendOptions) {
    this.#options = options
    this.states = new Map(
      rows
        .filter(({ verdict }) => verdict !== 'error')
        .map((row): [ImportRow, RowState] => {
          const isLeft = row.verdict === 'match' && !options.changeExisting
          return [row, { outcome: isLeft ? 'left' : 'waiting' }]
        }),
    )
  }

  /** Sends a few rows at a time. Rejects with `Stopped` if it ends early; a repeated run continues. */
  run: Run<{ readonly waitSeconds?: number | undefined }, void> = async (signal, onProgress) => {
    this.#signal = signal
    this.#stop = new AbortController()
    this.#rest = undefined
    this.#report = () => onProgress({ waitSeconds: this.#rest?.seconds })
    const open = [...this.states].filter(([, { outcome }]) => outcome === 'waiting')
    await runInParallel(open, rowsAtOnce, ([row, state]) => this.#try(row, state))
  }

  /** Pauses the import once the requests in flight have ended, so that no outcome is unknown. */
  pause() {
    this.#stop.abort()
  }

  /** Resets the failed rows, so that the next run sends them again. */
  retryFailed() {
    for (const state of this.states.values())
      if (state.outcome === 'failed') Object.assign(state, { outcome: 'waiting', detail: undefined })
  }

  async #try(row: ImportRow, state: RowState) {
    if (this.#stop.signal.aborted) throw new Stopped('asked')
    try {
      Object.assign(state, await this.#send(row, state))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const isHalf = state.isUserDone === true && state.userId !== undefined
      state.outcome = 'failed'
      const reason = failureOf(error)
      state.detail = isHalf ? transferText.problems.withoutProperties({ reason }) : reason
      if (error.status === 403) throw new Stopped('forbidden', error)
    } finally {
      this.#report()
    }
  }

  async #send(row: ImportRow, state: RowState): Promise<Partial<RowState>> {
    const { changeExisting } = this.#options
    const existing = row.match?.id ?? (await this.#findById(row, state))
    if (existing !== undefined)
      return row.match || changeExisting
        ? this.#change(row, state, existing)
        : { outcome: 'left', userId: existing }
    if (state.isUserDone !== true) {
      const { id: userId, outcome } = await this.#repeatable(state, () =>
        api.createUser({ body: row.body, ...this.#conditions(row, 'user') }),
      )
      if (outcome === 'existed') {
        if (changeExisting && userId !== undefined) return this.#change(row, state, userId)
        // The service knows a repetition for a day; after that, nobody knows whose request made the user.
        if (state.isLost === true)
          return { outcome: 'failed', userId, detail: transferText.problems.perhapsOurs }
        return { outcome: 'left', userId }
      }
      Object.assign(state, { userId, isUserDone: true })
    }
    if (row.properties.length > 0) {
      const { userId } = state
      if (userId === undefined) return { outcome: 'failed', detail: transferText.problems.noId }
      const person = state.isLost === true ? await this.#personOf(state, userId) : undefined
      // After a lost answer, an existing entity is the one that was sent, so it is not overwritten.
      if (person === undefined) await this.#add(row, state, userId)
    }
    return { outcome: 'created' }
  }

  /** Returns the id of a row that nobody looked up, if there is such a user. */
  async #findById({ id, verdict }: ImportRow, state: RowState): Promise<string | undefined> {
    if (verdict !== 'unchecked' || id === undefined || state.isUserDone === true) return undefined
    const found = await this.#repeatable(state, () =>
      api.lookUpUsers({ body: { ids: [id] }, signal: this.#signal }),
    )
    return found[0]?.id
  }

  async #change(row: ImportRow, state: RowState, userId: string): Promise<Partial<RowState>> {
    const params = { user_id: userId }
    if (Object.keys(row.body).length > 0 && state.isUserDone !== true) {
      const now = await this.#repeatable(state, () => api.getUser({ params, signal: this.#signal }))
      if (!hasFields(now, row.body)) {
        await this.#repeatable(state, () =>
          api.patchUser({ params, body: row.body, ...this.#conditions(row, 'fields') }),
        )
        state.isChanged = true
      }
    }
    Object.assign(state, { userId, isUserDone: true })
    const person = row.properties.length > 0 ? await this.#personOf(state, userId) : undefined
    const isAdded = row.properties.length > 0 && !person
    if (isAdded) await this.#add(row, state, userId)
    const older = person ? await this.#update(row, state, userId, person) : []
    return {
      // After a lost answer, this import may have made the user as they are.
      outcome: state.isChanged === true || isAdded || state.isLost === true ? 'changed' : 'same',
      detail:
        older.length > 0
          ? transferText.problems.olderConsents({
              properties: listNames(older.map((key) => propertyLabel(importedEntity, key))),
            })
          : undefined,
    }
  }

  async #personOf(state: RowState, userId: string): Promise<Entity | undefined> {
    const entities = await this.#repeatable(state, () =>
      api.listEntities({ params: { user_id: userId }, query: requestMasked(), signal: this.#signal }),
    )
    return entities.find(({ type }) => type === importedEntity)
  }

  async #add(row: ImportRow, state: RowState, userId: string) {
    const body = { type: importedEntity, properties: [...row.properties] }
    const params = { user_id: userId }
    await this.#repeatable(state, () =>
      api.createEntity({ params, body, ...this.#conditions(row, 'entity') }),
    )
  }

  /** Writes properties that differ. Returns the keys of consents that the service keeps, because they are later. */
  async #update(row: ImportRow, state: RowState, userId: string, person: Entity): Promise<readonly string[]> {
    const open = row.properties.filter((given) => !isStored(given, person))
    const params = { user_id: userId, entity_id: person.id }
    const patch = (properties: PropertyInput[], step: string) =>
      this.#repeatable(state, () =>
        api.patchEntity({
          params,
          body: { type: importedEntity, properties },
          ...this.#conditions(row, step),
        }),
      )
    if (open.length === 0) return []
    let older: ReadonlySet<number> = new Set()
    try {
      await patch(open, 'properties')
    } catch (error) {
      older = olderIn(error)
      if (older.size === 0) throw error
    }
    const rest = open.filter((_, index) => !older.has(index))
    if (older.size > 0 && rest.length > 0) await patch(rest, 'rest')
    if (rest.length > 0) state.isChanged ||= await this.#hasChanged(state, userId, { person, rest })
    return open.flatMap(({ key }, index) => (older.has(index) ? [key] : []))
  }

  /** Whether a write changed the person. Hidden values can be compared only by their versions. */
  async #hasChanged(
    state: RowState,
    userId: string,
    { person, rest }: { readonly person: Entity; readonly rest: readonly PropertyInput[] },
  ): Promise<boolean> {
    const versionOf = (entity: Entity | undefined, key: string) =>
      entity?.properties.find((each) => each.key === key && each.masked === true)?.version
    if (rest.some(({ key }) => versionOf(person, key) === undefined)) return true
    const now = await this.#personOf(state, userId)
    return rest.some(({ key }) => versionOf(now, key) !== versionOf(person, key))
  }

  /** Options of a write. Its key stays, since the service keeps none for a write that it refused. */
  #conditions({ row }: ImportRow, step: string) {
    const { importId, reason } = this.#options
    return { signal: this.#signal, reason, idempotencyKey: `${importId}-${row}-${step}` }
  }

  /** Repeats a request whose answer was lost: the service recognises it by its key. */
  async #repeatable<Answer>(state: RowState, send: () => Promise<Answer>): Promise<Answer> {
    for (let repetition = 0; ; repetition += 1) {
      try {
        return await this.#patient(send)
      } catch (error) {
        if (!isAnswerLost(error)) throw error
        state.isLost = true
        if (repetition === mostRepetitions || this.#stop.signal.aborted)
          throw new Stopped('unreachable', error)
        await this.#doze(2 ** repetition)
      }
    }
  }

  /** Sends one request, and again after each wait that the service asks for. */
  async #patient<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      while (this.#rest) await this.#rest.over
      try {
        return await send()
      } catch (error) {
        const seconds = busyWaitSeconds(error, attempt)
        if (seconds === undefined) throw isBusy(error) ? new Stopped('busy', error) : error
        this.#begin(seconds)
      }
    }
  }

  #begin(seconds: number) {
    const endsMs = performance.now() + seconds * 1000
    if (this.#rest && this.#rest.endsMs >= endsMs) return
    const rest = { seconds, endsMs, over: this.#doze(seconds).finally(() => this.#end(rest)) }
    // Rejects when the import is paused; if no row is waiting, nobody else handles that.
    rest.over.catch(() => undefined)
    this.#rest = rest
    this.#report()
  }

  /** Ends a pause, unless a longer one has taken its place. */
  #end(rest: unknown) {
    if (this.#rest !== rest) return
    this.#rest = undefined
    this.#report()
  }

  /** Waits, but stops early if the person pauses the import. */
  async #doze(seconds: number) {
    try {
      await wait(seconds * 1000, AbortSignal.any([this.#signal, this.#stop.signal]))
    } catch (error) {
      throw this.#stop.signal.aborted ? new Stopped('asked') : error
    }
  }
}

/** Whether a user's fields are those of the row. */
function hasFields(now: User, body: UserPatch): boolean {
  return Object.entries(body).every(([name, given]) => now[name] === given)
}

/** Whether a property is stored as given. A status without a date keeps the stored date and end. */
function isStored({ key, type, value, sensitive }: PropertyInput, { properties }: Entity): boolean {
  const stored = properties.find((each) => each.key === key)
  if (!stored || stored.type !== type || stored.masked === true) return false
  if (sensitive === true && stored.sensitive !== true) return false
  const isUndated = type === 'PREFERENCE' && value !== null && !Object.hasOwn(Object(value), 'statusDate')
  return sameJson(isUndated ? { ...Object(stored.value), ...Object(value) } : value, stored.value)
}

/** Returns the indexes of the properties that the service refused as older consents. */
function olderIn(error: unknown): ReadonlySet<number> {
  if (!(error instanceof ApiError) || error.code !== 'older_consent') return new Set()
  return new Set(error.errors.map(({ pointer }) => Number(stepsOf(pointer)[1])))
}

function failureOf(error: ApiError): string {
  return describe(error, {
    rest: error.errors.map((each) => {
      const place = stepsOf(each.pointer).join('/')
      const problem = describeInvalid(each)
      return place === '' ? problem : transferText.problems.at({ place, problem })
    }),
    other: transferText.problems.refused({ status: String(error.status) }),
  })
}
