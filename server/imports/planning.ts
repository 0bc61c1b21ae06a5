import type { KeyObject } from 'node:crypto'

import type { ImportMapping } from '#contract/import.ts'
import { emailKey, type PropertyInput } from '#contract/index.ts'
import type { Planning } from '../changesets/record.ts'
import { type OpenedRow, type Plan, planAddition, planWrite } from '../entities/plan.ts'
import { keyIn, type StoredProperty } from '../entities/properties.ts'
import { type EntityRow, newOwner } from '../entities/storage.ts'
import { asRefusal } from '../http/errors/problem.ts'
import { entityTag } from '../http/headers/etag.ts'
import { toRefusedWrite } from '../jobs/refused.ts'
import { newId } from '../store/new-id.ts'
import type { LockedUser } from '../users/storage.ts'
import type { UserPlan } from '../users/store.ts'
import { planUser, planUserChange, withFields } from '../users/write.ts'
import type { Known, Matched } from './matching.ts'
import type { GivenField, GivenProperty, ReadRow, RowProblem } from './reading.ts'

/** How rows are imported. */
export interface RowTask extends Pick<ImportMapping, 'existing' | 'empty'> {
  readonly planning: Planning
  /** Key for digests of the state that the check found. */
  readonly secret: KeyObject
  /** Opens an entity that is to be written. */
  readonly open: (row: EntityRow) => OpenedRow
  /** Called with unexpected errors, which are bugs of the service. */
  readonly failed: (error: unknown) => void
}

/** Change of one property or field. */
export interface Effect {
  /** Type of the entity; undefined for a field of the user. */
  readonly entity: string | undefined
  readonly key: string
  readonly is: 'created' | 'changed' | 'cleared' | 'older'
}

export interface PlannedRow extends Matched {
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'skipped' | 'ambiguous' | 'refused'
  /** Id of the user; that of a new one is made by the plan. */
  readonly id: string | undefined
  /** Digest of the state that the plan was made from. */
  readonly seen: string
  /** Writes in their order; the fields of the user are in the first one. */
  readonly plans: readonly (UserPlan | Plan)[]
  readonly effects: readonly Effect[]
  readonly problem?: RowProblem
}

/** Why a row is left alone whose user is no longer as the check has found them. */
export const changedSince = { code: 'changed_since', detail: 'This user has changed since the check.' }

/** Plans what a row changes by the rules of a request, without any statement. */
export function planRow(task: RowTask, row: ReadRow, known: Known): PlannedRow {
  const matched = known.match(row)
  const { user, isAmbiguous = false } = matched
  const seen = seenOf(task, row, matched, known)
  const nothing = { ...matched, id: user?.user, seen, plans: [], effects: [] }
  if (isAmbiguous) return { ...nothing, outcome: 'ambiguous' }
  if (user && task.existing === 'skip') return { ...nothing, outcome: 'skipped' }
  const older: Effect[] = []
  const olderConsents = ({ entity, key }: { entity: string; key: string }) =>
    older.push({ entity, key, is: 'older' })
  const own = { ...task, planning: { ...task.planning, olderConsents } }
  let column: ((error: unknown) => number | undefined) | undefined
  try {
    const fields = user ? planFields(own, row, user, matched) : planNewUser(own, row)
    let touchesSealed = false
    const entities = [...row.properties].flatMap(([type, given]) => {
      const found = user && known.entityOf(user.user, type)
      const opened = found && task.open(found)
      const inputs = inputsOf(task, given, opened?.opened)
      column = (error) => inputs[indexIn(error)]?.column
      touchesSealed ||= inputs.some(({ isSealed }) => isSealed)
      const writes = inputs.map(({ input }) => input)
      if (opened) return planWrite(own.planning, opened, type, writes, 'change') ?? []
      if (writes.length === 0) return []
      const owner = user ? known.ownerOf(user, type) : newOwner(fields?.owner.user ?? '', type)
      return planAddition(own.planning, owner, writes)
    })
    const plans = joinPlans(fields, entities)
    // For a sealed property always `changed`: `unchanged` would tell that it has this value already.
    const isChanged = plans.length > 0 || touchesSealed
    return {
      ...nothing,
      id: user?.user ?? fields?.owner.user,
      outcome: user ? (isChanged ? 'changed' : 'unchanged') : 'created',
      plans,
      effects: [...effectsOf(plans, row), ...older],
    }
  } catch (error) {
    const { code, detail } = toRefusedWrite(error, task)
    return { ...nothing, outcome: 'refused', problem: { column: column?.(error), code, detail } }
  }
}

/** Joins the fields of the user with the first entity, which are stored together. */
function joinPlans(
  fields: UserPlan | undefined,
  [first, ...others]: readonly Plan[],
): readonly (UserPlan | Plan)[] {
  if (!fields) return first ? [first, ...others] : []
  if (!first) return [fields]
  const owner = { ...first.owner, ...fields.owner }
  return [
    { ...fields, owner, entity: first.entity, changes: [...fields.changes, ...first.changes] },
    ...others,
  ]
}

function planNewUser({ planning }: RowTask, { fields }: ReadRow): UserPlan {
  const now = new Date().toISOString().slice(0, -1)
  const none = { email: null, name: null, ref: null, since: now }
  // Creating a user changes no existing data, so no reason is required.
  const making = { ...planning, reason: { ...planning.reason, required: false } }
  return planUser(making, newId(), withFields(none, fields), undefined)
}

function planFields(
  { planning, existing, empty }: RowTask,
  { fields, emptyFields }: ReadRow,
  user: LockedUser,
  { by }: Matched,
): UserPlan | undefined {
  const cleared = existing === 'overwrite' && empty === 'clear' ? emptyFields : []
  // Another spelling of the mailbox that found the user is no change.
  const isSame = (field: GivenField) =>
    field === 'email' &&
    by !== 'id' &&
    user.email !== null &&
    emailKey(user.email) === emailKey(fields.email ?? '')
  const given = Object.entries(fields).filter(
    ([field]) =>
      !isSame(field as GivenField) && (existing === 'overwrite' || user[field as GivenField] === null),
  )
  const wanted = { ...Object.fromEntries(given), ...Object.fromEntries(cleared.map((field) => [field, ''])) }
  return planUserChange(planning, user, withFields(user, wanted))
}

interface RowInput {
  readonly column: number
  readonly input: PropertyInput
  /** Whether the property that the input is for has a sealed value. */
  readonly isSealed: boolean
}

type Stored = Readonly<Record<string, Pick<StoredProperty, 'sensitive' | 'value'>>>

/** Returns the properties that a row writes: all values for a new entity, else by what becomes of existing ones. */
function inputsOf(
  { existing, empty }: RowTask,
  given: readonly GivenProperty[],
  stored: Stored | undefined,
): RowInput[] {
  const keys = new Set(Object.keys(stored ?? {}))
  return given.flatMap(({ column, key, type, value, sensitive }) => {
    const place = keyIn(keys, key).key
    const old = keys.has(place) ? stored?.[place] : undefined
    const isSealed = old?.sensitive === true
    // Whether a sealed property has a value is not looked at.
    const isThere = old !== undefined && (isSealed || old.value !== null)
    const isWanted =
      value === null
        ? isThere && existing === 'overwrite' && empty === 'clear'
        : !isThere || existing === 'overwrite'
    if (!isWanted) return []
    const marks = sensitive === 'always' || (sensitive === 'new' && !old)
    const input = value === null ? { key, value } : { key, type, value, ...(marks && { sensitive: true }) }
    return [{ column, input, isSealed }]
  })
}

/** Returns the index of the property that a refusal names, or -1. */
function indexIn(error: unknown): number {
  const pointer = asRefusal(error)?.errors[0]?.pointer
  return Number(/^\/properties\/(\d+)/.exec(pointer ?? '')?.[1] ?? -1)
}

function effectsOf(plans: readonly Plan[], { fields }: ReadRow): Effect[] {
  return plans.flatMap(({ changes: records }) =>
    records.flatMap(({ entity, op, changes }) =>
      changes.flatMap(({ key, op: change, after }): Effect[] => {
        if (!entity && op === 'add' && !(key in fields)) return []
        const is = change === 'add' ? 'created' : (after ?? null) === null ? 'cleared' : 'changed'
        return [{ entity: entity?.type, key, is }]
      }),
    ),
  )
}

/** Returns a digest of what the row's user has where the row writes, as it is stored. */
function seenOf({ secret }: RowTask, row: ReadRow, { user }: Matched, known: Known): string {
  if (!user) return entityTag(secret, [null])
  const fields = Object.keys(row.fields).concat(row.emptyFields)
  const entities = Array.from(row.properties, ([type, given]) => {
    const entity = known.entityOf(user.user, type)
    if (!entity) return null
    const keys = new Set(Object.keys(entity.properties))
    return [
      entity.id,
      given.map(({ key }) => {
        const place = keyIn(keys, key).key
        return keys.has(place) ? [entity.properties[place], entity.sealed[place]] : null
      }),
    ]
  })
  const owned = fields.map((field) => user[field as GivenField])
  return entityTag(secret, [user.user, owned, entities])
}
