import { hash } from 'node:crypto'

import { validate as isUuid } from 'uuid'

import type { EventType, Judged } from '#contract/index.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { asRefusal, Refusal, unavailable } from '../http/problem.ts'
import type { Handle } from '../store/sql.ts'
import { entitiesIn } from './named-entities.ts'
import { actOf, recordEvents } from './storage.ts'

/** `reveal`: every read masks sensitive values, and naming a reason is the only way to see one. */
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
  /** The entity's. */
  readonly type: string
  readonly key: string
}

/** By what somebody learns how sealed values compare with others. */
export type SearchedBy = 'list' | 'search' | 'preview' | 'membership' | 'explain' | 'batch' | 'segment'

export interface Question {
  readonly caller: Caller
  readonly by: SearchedBy
  /** The one whom it is about. */
  readonly user?: string | undefined
  /** Named by the request. */
  readonly segment?: string | undefined
  /** Tells filters apart. Absent: one is being typed, and each state of it is the same question. */
  readonly filter?: string | undefined
  /** Words that were looked for among those whom the filter finds. */
  readonly sought?: readonly unknown[] | undefined
}

/** An answer, and what it tells. */
export interface GatedAnswer<Answer> {
  readonly answer: Answer
  /** How many users it tells of. */
  readonly users: number
  /** Values of entities that it tells of one by one: these are recorded in place of the search. */
  readonly accesses?: readonly Access[]
}

/** For so long the same question is the same act: other pages of a list, a list read again, a filter that is being typed. */
const actMs = 60_000
/** The oldest are forgotten, and recorded again. */
const maxActs = 10_000

/**
 * Everything that tells something of a sealed value goes through here: what shows it, and what compares it with another. The
 * gate knows who may learn of it, counts it toward the caller's limit, and commits the record of it before it leaves: what
 * cannot be recorded is not told (503).
 */
export class SealedGate {
  readonly #reads: SensitiveReads
  readonly #acts = new Map<string, { readonly users: number; readonly endsMs: number }>()

  constructor(reads: SensitiveReads = 'values') {
    this.#reads = reads
  }

  /** Whether answers show sensitive values: to a caller who may read them, unless all reads are masked or this one is asked to be. */
  shows(caller: Caller, { sensitive }: { readonly sensitive?: 'masked' | undefined } = {}): boolean {
    return this.#reads === 'values' && sensitive !== 'masked' && caller.scopes.has('sensitive:read')
  }

  /**
   * Commits one event for the entities whose sensitive values are about to be shown. Call it before any of them leaves.
   * `part`: what of an act of reading, that is on record already, this may be.
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
   * Answers what a filter finds that tests these sealed keys. `unsaved`: those of them that it tests itself, and no segment that it uses:
   * so values are tried out, which a reason is to be named for where reads are masked.
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

  /** The record of what is about to be told, counted toward the caller's limit. Nothing where no sealed key was tested. */
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
      // Not `keys`: a process of the release before would take the event for one about a user.
      tested,
      users: String(users),
    }
    try {
      await recordEvents(database, 'SENSITIVE_DATA_SEARCHED', [properties])
    } catch (error) {
      throw unrecordedRefusal(error)
    }
    // A batch may still be undone, and its record with it.
    if (by !== 'batch') this.#remember(act, users)
  }

  #remember(act: string, users: number): void {
    this.#acts.delete(act)
    this.#acts.set(act, { users, endsMs: Date.now() + actMs })
    if (this.#acts.size > maxActs) this.#acts.delete(this.#acts.keys().next().value ?? '')
  }
}

/** The record of a reading as a part of a transaction, whose commit is its caller's to wait for. Answers the events' ids. */
export async function insertAccesses(
  database: Handle,
  caller: Caller,
  accesses: readonly Access[],
): Promise<readonly string[]> {
  return await insertAccess(database, 'SENSITIVE_DATA_ACCESSED', caller, accesses)
}

/** Like `insertAccesses`, for values that were compared with a given one and not shown. */
export async function insertChecks(
  database: Handle,
  caller: Caller,
  checked: readonly Access[],
): Promise<readonly string[]> {
  return await insertAccess(database, 'SENSITIVE_DATA_CHECKED', caller, checked)
}

/** The record of an act of reading: of all these values of one user, by requests that are still to come. */
export async function insertAct(
  database: Handle,
  caller: Caller,
  accesses: readonly Access[],
): Promise<readonly string[]> {
  return await insertAccess(database, 'SENSITIVE_DATA_ACCESSED', caller, accesses, true)
}

/** Which act of reading a request names, and from when what it shows is; absent: as it is now. */
export interface PartOfAct {
  readonly access?: string | undefined
  /** UTC with `Z`, of something that never changes again. */
  readonly time?: string | undefined
}

/** For so long the reads that belong to an act may follow it. */
const actHours = 1

/** Whether all of this is on record with an act of the same caller, who gave a reason for it. */
export async function isPartOfAct(
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

/** So much text at the most names the entities of one event, but for one entity that takes more alone. */
const maxNamed = 65_536

/**
 * Inserts one event for everything that a request reads of a user. `entity` names the entity; for several, or if an act
 * needs to find them, `entities` has the keys by entity. `keys` is the union.
 */
async function insertAccess(
  database: Handle,
  type: EventType,
  { subject: actor }: Caller,
  accesses: readonly Access[],
  isAct = false,
): Promise<readonly string[]> {
  const told = accesses.filter(({ keys }) => keys.length > 0)
  const properties = [...Map.groupBy(told, ({ user }) => user)].flatMap(([user, ofUser]) =>
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

/** The refusal for values whose reading could not be recorded. */
export function unrecordedRefusal(error: unknown): Refusal {
  return (
    asRefusal(error) ??
    unavailable(
      'Reading sensitive values is recorded in the event log, which cannot be written right now, so none are shown. Try again, or read them masked.',
      error,
    )
  )
}

/** Instead of what people look for, which is not kept. */
const digestOf = (parts: readonly unknown[]) => hash('sha256', JSON.stringify(parts), 'base64')

function unsavedFilterRefusal(): Refusal {
  return new Refusal(
    'sensitive_filter',
    'This service shows sensitive values only for a reason, so only a saved segment may test them. Save the filter as a segment, or reveal the values of one user. Nothing was changed.',
  )
}

/** A sealed property that a judged filter has looked at. */
interface EvaluatedKey extends TestedKey {
  readonly entity: string
}

/** The sealed properties that a judged filter tells of. */
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

/** These by entity. */
export function accessesOf(user: string, judged: readonly Judged[]): Access[] {
  const keys = Map.groupBy(collectSealedKeys(judged), ({ entity }) => entity)
  return Array.from(keys, ([entity, of]) => ({ user, entity, keys: of.map(({ key }) => key) }))
}

/** A type holds no dot, so the first one ends it. */
export const nameOfKey = ({ type, key }: TestedKey) => `${type}.${key}`

/** Keys of several lists, each once. */
export function distinctKeys(...lists: readonly (readonly TestedKey[])[]): readonly TestedKey[] {
  const found = lists.flat().map(({ type, key }) => [nameOfKey({ type, key }), { type, key }] as const)
  return [...new Map(found).values()]
}
