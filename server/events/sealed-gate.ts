import { hash } from 'node:crypto'
import { validate as isUuid } from 'uuid'

import type { EventType, Judged } from '#contract/index.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { asRefusal, Refusal, unavailable } from '../http/errors/problem.ts'
import { type ChangeReason, reasonToOpen } from '../http/headers/change-reason.ts'
import { dataKeyOfUser, type StoreKeys } from '../sealing/data-keys.ts'
import type { Database } from '../sealing/database.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import { entitiesIn } from './named-entities.ts'
import { keepReason } from './reasons.ts'
import { actOf, recordEvents } from './storage.ts'

/** `reveal`: every read masks sensitive values, and giving a reason is the only way to see one. */
export type SensitiveReads = 'values' | 'reveal'

/** Sensitive values of one entity that an answer is about to show. */
export interface Access {
  readonly user: string
  readonly entity: string
  /** Keys of the properties, in the order of the entity. */
  readonly keys: readonly string[]
}

/** A property that a filter tests. */
export interface TestedKey {
  /** Type of the entity. */
  readonly type: string
  readonly key: string
}

/** Request through which a caller learns how sealed values compare with others. */
export type SearchedBy =
  | 'list'
  | 'search'
  | 'preview'
  | 'membership'
  | 'explain'
  | 'batch'
  | 'export'
  | 'segment'

export interface Question {
  readonly caller: Caller
  readonly by: SearchedBy
  /** User that the question is about, if it is only one. */
  readonly user?: string | undefined
  /** Segment that the request names. */
  readonly segment?: string | undefined
  /** Identifies the filter; undefined while one is being typed, because all its states count as one question. */
  readonly filter?: string | undefined
  /** Texts that were searched for among the filter's matches. */
  readonly sought?: readonly unknown[] | undefined
}

/** A write that makes sealed values readable, with the caller's reason. */
export interface Opening {
  readonly transaction: Transaction
  readonly keys: StoreKeys
  readonly caller: Caller
  readonly reason: ChangeReason
}

/** An answer, and the extent of what it reveals. */
export interface GatedAnswer<Answer> {
  readonly answer: Answer
  /** Number of users that the answer reveals. */
  readonly users: number
  /** Values that the answer reveals individually: these are recorded instead of the search. */
  readonly accesses?: readonly Access[]
}

/** Time for which repeating a question counts as one act: paging through a list, reading it again, typing a filter. */
const actMs = 60_000
/** Maximum number of remembered acts. The oldest are forgotten, and recorded again if repeated. */
const maxActs = 10_000

/**
 * Gate for answers that reveal sealed values, by showing or by comparing them, and for writes that store them in clear.
 * Checks who may learn of them, counts the request toward the caller's limit, and commits a record before the answer
 * leaves, or with the write. If recording fails, nothing is revealed (503).
 */
export class SealedGate {
  readonly #reads: SensitiveReads
  readonly #acts = new Map<string, { readonly users: number; readonly endsMs: number }>()

  constructor(reads: SensitiveReads = 'values') {
    this.#reads = reads
  }

  /**
   * Whether answers show sensitive values: the caller may read them, and neither the settings nor the request mask
   * them.
   */
  shows(caller: Caller, { sensitive }: { readonly sensitive?: 'masked' | undefined } = {}): boolean {
    return this.#reads === 'values' && sensitive !== 'masked' && caller.scopes.has('sensitive:read')
  }

  /**
   * Commits events for the entities whose sensitive values are about to be shown. Call it before any value is sent. No
   * event is added if `part` names a recorded act of reading that covers these values.
   */
  async recordAccesses(
    database: Handle,
    caller: Caller,
    accesses: readonly Access[],
    part: PartOfAct = {},
  ): Promise<void> {
    if (accesses.every(({ keys }) => keys.length === 0)) return
    await caller.countSensitive?.()
    try {
      if (!(await isPartOfAct(database, caller, accesses, part)))
        await insertAccesses(database, caller, accesses)
    } catch (error) {
      throw unrecordedRefusal(error)
    }
  }

  /**
   * Refuses to open sealed values by a write without a reason, if seeing one takes a reason. Call it before the write
   * tells anything of the values.
   */
  requireReasonToOpen({ given }: ChangeReason): void {
    if (this.#reads === 'reveal' && given === undefined) throw reasonToOpen()
  }

  /**
   * Passes a write that stores the sealed values of these keys in clear, so that everybody can read them: counts it,
   * and records it with its reason, as part of the write's transaction.
   */
  async openByWrite({ transaction, keys, caller, reason }: Opening, access: Access): Promise<void> {
    if (access.keys.length === 0) return
    this.requireReasonToOpen(reason)
    await caller.countSensitive?.()
    if (reason.given === undefined) await insertAccesses(transaction, caller, [access])
    else await insertReasonedAccess({ transaction, keys, caller, reason: reason.given }, access)
  }

  /**
   * Returns the result of a filter that tests these sealed keys. `unsaved` are those that the filter tests itself, not
   * through a saved segment: such a filter can try out values, so it is refused where showing values requires a
   * reason.
   */
  async tell<Answer>(
    database: Handle,
    question: Question,
    { keys, unsaved }: { readonly keys: readonly TestedKey[]; readonly unsaved: readonly TestedKey[] },
    find: () => Promise<GatedAnswer<Answer>>,
  ): Promise<Answer> {
    if (keys.length > 0) requireScopes(question.caller, ['sensitive:read'])
    if (unsaved.length > 0 && this.#reads === 'reveal') throw unsavedFilterRefusal()
    if (keys.length > 0) await question.caller.countSensitive?.()
    const { answer, users, accesses } = await find()
    if (accesses) await this.recordAccesses(database, question.caller, accesses)
    else await this.record(database, question, keys, users)
    return answer
  }

  /**
   * Records a result that is about to be revealed, unless the question repeats a recent one and reveals no more users,
   * and counts it toward the caller's limit. Does nothing if no sealed key was tested.
   */
  async record(
    database: Handle,
    question: Question,
    keys: readonly TestedKey[],
    users: number,
  ): Promise<void> {
    if (keys.length === 0) return
    const { caller, by, user, segment, filter, sought } = question
    await caller.countSensitive?.()
    const tested = JSON.stringify(keys.map(nameOfKey).toSorted())
    const act = digestOf([caller.subject, by, user, segment, filter, sought, tested])
    const known = this.#acts.get(act)
    if (known && known.endsMs > Date.now() && users <= known.users) return
    const properties = {
      actor: caller.subject,
      by,
      ...(user !== undefined && { user }),
      ...(segment !== undefined && { segment }),
      // Not named `keys`: a process of the previous release would take the event for one about a single user.
      tested,
      users: String(users),
    }
    try {
      await recordEvents(database, 'SENSITIVE_DATA_SEARCHED', [properties])
    } catch (error) {
      throw unrecordedRefusal(error)
    }
    // A batch may still be rolled back, and its record with it.
    if (by !== 'batch') this.#remember(act, users)
  }

  #remember(act: string, users: number): void {
    this.#acts.delete(act)
    this.#acts.set(act, { users, endsMs: Date.now() + actMs })
    if (this.#acts.size > maxActs) this.#acts.delete(this.#acts.keys().next().value ?? '')
  }
}

/** Records reads, at once or as part of the given transaction. Returns the ids of the events. */
export async function insertAccesses(
  database: Handle,
  caller: Caller,
  accesses: readonly Access[],
): Promise<readonly string[]> {
  return await insertAccess(database, 'SENSITIVE_DATA_ACCESSED', caller, accesses)
}

interface Reasoned extends Pick<Opening, 'transaction' | 'keys' | 'caller'> {
  readonly reason: string
}

/** Records a read of one entity with its reason, as part of a transaction that keeps the user from being deleted. */
async function insertReasonedAccess(
  { transaction, keys, caller, reason }: Reasoned,
  access: Access,
): Promise<void> {
  const { user } = access
  const [id = ''] = await insertAccesses(transaction, caller, [access])
  const dataKey = await dataKeyOfUser(transaction, keys.keyring, user)
  await keepReason(transaction, dataKey, { user, id, reason })
}

/**
 * Opens sealed values for a reason, in one transaction, whose `open` keeps the user from being deleted. The record is
 * committed before any value is sent; what cannot be recorded is refused.
 */
export async function revealFor<Shown>(
  { sql, keys }: Database,
  { caller, reason, ...part }: PartOfAct & { readonly caller: Caller; readonly reason: string },
  open: (transaction: Transaction) => Promise<{ readonly access: Access; readonly shown: Shown }>,
): Promise<Shown> {
  let isOpen = false
  const revealing = sql.transaction().execute(async (transaction) => {
    const { access, shown } = await open(transaction)
    isOpen = true
    if (!(await isPartOfAct(transaction, caller, [access], part)))
      await insertReasonedAccess({ transaction, keys, caller, reason }, access)
    return shown
  })
  return await revealing.catch((error: unknown) => {
    throw isOpen ? unrecordedRefusal(error) : error
  })
}

/** Like `insertAccesses`, for values that were compared with a given one and not shown. */
export async function insertChecks(
  database: Handle,
  caller: Caller,
  checked: readonly Access[],
): Promise<readonly string[]> {
  return await insertAccess(database, 'SENSITIVE_DATA_CHECKED', caller, checked)
}

/** Records an act of reading in advance: all these values of one user, which later requests will read. */
export async function insertAct(
  database: Handle,
  caller: Caller,
  accesses: readonly Access[],
): Promise<readonly string[]> {
  return await insertAccess(database, 'SENSITIVE_DATA_ACCESSED', caller, accesses, true)
}

/**
 * The act of reading that a request names, and the time of the data that it shows; current data if `time` is
 * undefined.
 */
export interface PartOfAct {
  readonly access?: string | undefined
  /** UTC with `Z`, for data that never changes again. */
  readonly time?: string | undefined
}

/** Hours for which reads can belong to an earlier act. */
const actHours = 1

/** Whether all these reads are covered by a recorded act of the same caller, who gave a reason for it. */
async function isPartOfAct(
  database: Handle,
  { subject: actor }: Caller,
  accesses: readonly Access[],
  { access, time }: PartOfAct,
): Promise<boolean> {
  if (access === undefined || !isUuid(access)) return false
  const act = await actOf(database, access, { actor, hours: actHours })
  if (!act || (time !== undefined && Date.parse(time) > act.ms)) return false
  const read = entitiesIn(act.entities)
  return accesses.every(
    ({ user, entity, keys }) =>
      keys.length === 0 ||
      (user === act.user && keys.every((key) => read.get(entity)?.includes(key) === true)),
  )
}

/** Maximum length of the entities' text in one event, unless a single entity takes more. */
const maxNamed = 65_536

/**
 * Inserts one event for everything that a request reads of a user, or several if one would be too large. `entity`
 * names the entity; for several, or if an act must be matched later, `entities` has the keys by entity. `keys` is the
 * union.
 */
async function insertAccess(
  database: Handle,
  type: EventType,
  { subject: actor }: Caller,
  accesses: readonly Access[],
  isAct = false,
): Promise<readonly string[]> {
  const shown = accesses.filter(({ keys }) => keys.length > 0)
  const properties = [...Map.groupBy(shown, ({ user }) => user)].flatMap(([user, ofUser]) =>
    inEvents(ofUser).map((some) => {
      const [first] = some
      const keys = JSON.stringify([...new Set(some.flatMap((each) => each.keys))])
      if (first && some.length === 1 && !isAct) return { user, entity: first.entity, actor, keys }
      const entities = JSON.stringify(Object.fromEntries(some.map((each) => [each.entity, each.keys])))
      return { user, entities, actor, keys }
    }),
  )
  return await recordEvents(database, type, properties)
}

/** Splits accesses into groups that fit into one event each. */
function inEvents(accesses: readonly Access[]): Access[][] {
  const events: Access[][] = []
  let size = Infinity
  for (const access of accesses) {
    const length = JSON.stringify(access).length
    size += length
    if (size > maxNamed) {
      events.push([])
      size = length
    }
    events.at(-1)?.push(access)
  }
  return events
}

/** Returns the refusal for values whose reading could not be recorded. */
export function unrecordedRefusal(error: unknown): Refusal {
  return (
    asRefusal(error) ??
    unavailable(
      'Reading sensitive values is recorded in the event log, which cannot be written right now, so none are shown. Try again, or read them masked.',
      error,
    )
  )
}

/** Digest that replaces search texts, which are not kept. */
const digestOf = (parts: readonly unknown[]) => hash('sha256', JSON.stringify(parts), 'base64')

function unsavedFilterRefusal(): Refusal {
  return new Refusal(
    'sensitive_filter',
    'This service shows sensitive values only with a reason, so only a saved segment may test them. Save the filter as a segment, or reveal the values of one user. Nothing was changed.',
  )
}

/** A sealed property that the evaluation of a filter has tested. */
interface EvaluatedKey extends TestedKey {
  readonly entity: string
}

/** Returns the sealed properties that an evaluated filter reveals. */
export function collectSealedKeys(judged: readonly Judged[]): readonly EvaluatedKey[] {
  const found = new Map<string, EvaluatedKey>()
  const visit = (part: Judged) => {
    if ('all' in part) part.all.forEach(visit)
    else if ('any' in part) part.any.forEach(visit)
    else if ('not' in part) visit(part.not)
    else if ('is' in part && part.is) visit(part.is)
    else if ('entities' in part)
      for (const { id, where } of part.entities)
        for (const { key, masked } of where)
          if (masked) found.set(JSON.stringify([id, key]), { entity: id, type: part.entity, key })
  }
  judged.forEach(visit)
  return [...found.values()]
}

/** Groups the sealed properties of an evaluated filter by entity. */
export function accessesOf(user: string, judged: readonly Judged[]): Access[] {
  const keys = Map.groupBy(collectSealedKeys(judged), ({ entity }) => entity)
  return Array.from(keys, ([entity, of]) => ({ user, entity, keys: of.map(({ key }) => key) }))
}

/** Returns a name for a tested key. A type contains no dot, so the first dot ends it. */
export const nameOfKey = ({ type, key }: TestedKey) => `${type}.${key}`

/** Merges lists of keys, without duplicates. */
export function distinctKeys(...lists: readonly (readonly TestedKey[])[]): readonly TestedKey[] {
  const found = lists.flat().map(({ type, key }) => [nameOfKey({ type, key }), { type, key }] as const)
  return [...new Map(found).values()]
}
