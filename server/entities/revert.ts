import { version } from 'uuid'

import { openChanges, type RecordedChange } from '../changesets/changes.ts'
import type { Planning, Writing } from '../changesets/record.ts'
import {
  findKeysChangedAfter,
  type ChangesetRow,
  lastRemoval,
  sensitiveKeys,
  sensitiveKeysOfEntities,
} from '../changesets/storage.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { invalid, notFound, Refusal, type RefusalError } from '../http/errors/problem.ts'
import { openDataKey, type JoinedKey } from '../sealing/data-keys.ts'
import type { Transaction } from '../store/sql.ts'
import { type OpenedRow, type Plan, planChange, planNew, requireRetyping } from './plan.ts'
import {
  canonical,
  isChanged,
  isUnseen,
  nextPlace,
  refuseTooMany,
  type StoredProperty,
  toStoredProperty,
} from './properties.ts'
import { entityById, entityOwner, type EntityRow } from './storage.ts'
import { store } from './store.ts'
import { openForWriting } from './write.ts'

// Values from the history are opened and sealed here, and never returned. They are not validated again: a relationship
// may name a target that no longer exists, as an unchanged one may.

/** Restores the deleted entity that the user had under this id. Needs the user's lock. */
export async function restoreDeleted(writing: Writing, user: string, id: string): Promise<void> {
  const removal = await lastRemoval(writing.transaction, user, id)
  if (removal) await restoreEntity(writing, removal, id)
  else throw (await entityById(writing.transaction, user, id)) ? isThere() : notFound('entity')
}

/** Restores an entity as it was before `removal`. Needs the user's lock. */
export async function restoreEntity(writing: Writing, removal: ChangesetRow, id: string): Promise<void> {
  const { transaction, caller, gate } = writing
  const { user, entity_type: type } = removal
  if (await entityById(transaction, user, id)) throw isThere()
  const owner = await entityOwner(transaction, user, type ?? '')
  const everSensitive = await sensitiveKeys(transaction, user, id)
  const touched = removal.changes.map(({ key, sensitive }) => ({ key, sensitive }))
  const opens = findOpened(touched, everSensitive)
  requireRights(caller, touched, opens)
  await gate.openByWrite(writing, { user, entity: id, keys: opens })
  const properties = changesOf(writing, removal, owner).map(
    (change, at) => [change.key, valueBefore(change, undefined, at, change.sensitive)] as const,
  )
  const entity = { id, ...(version(id) === 7 && { created: timeOf(id) }) }
  const plan = planNew({ ...writing, reverts: removal.id }, owner, entity, Object.fromEntries(properties))
  await store({ ...writing, pointer: '' }, [plan])
}

/** A change that is to be reverted, or some of its properties. */
interface Reverted {
  readonly changeset: ChangesetRow
  /** Keys of the properties; undefined for all. */
  readonly keys?: readonly string[] | undefined
  /** Whether the caller has seen later changes to these properties, which are then overwritten. */
  readonly isSeen?: boolean
}

/** History of an entity, as far as a revert needs it. */
export interface History {
  /** Keys that are or were sensitive. */
  readonly everSensitive: ReadonlySet<string>
  /** Keys that were written after the change. Read only if there are sensitive ones. */
  readonly later: ReadonlySet<string>
}

/** Write of a revert. */
export interface PlannedRevert {
  /** Keys whose values the write opens, which has to pass the gate even if nothing changes. */
  readonly opens: readonly string[]
  /** Undefined if nothing changes. */
  readonly plan: Plan | undefined
}

/** Reverts a change of an entity. */
export async function revertChange(writing: Writing, row: EntityRow, reverted: Reverted): Promise<void> {
  const { transaction } = writing
  const histories = await readHistories(transaction, [{ row, changeset: reverted.changeset.id }])
  const opened = await openForWriting(writing, row)
  await storeReverts(writing, [{ row, ...planRevert(writing, opened, reverted, histories(row.id)) }])
}

/** Returns the histories of entities, by their ids, each after one of its changes. */
export async function readHistories(
  transaction: Transaction,
  entities: readonly { readonly row: EntityRow; readonly changeset: string }[],
): Promise<(entity: string) => History> {
  const users = entities.map(({ row }) => row.user)
  const recorded = await sensitiveKeysOfEntities(
    transaction,
    users,
    entities.map(({ row }) => row.id),
  )
  const known = entities.map(({ row, changeset }) => {
    const marked = Object.entries(row.properties).flatMap(([key, { sensitive }]) => (sensitive ? [key] : []))
    return { entity: row.id, changeset, everSensitive: new Set([...(recorded.get(row.id) ?? []), ...marked]) }
  })
  const later = await findKeysChangedAfter(
    transaction,
    users,
    known.flatMap(({ changeset, everSensitive }) => (everSensitive.size > 0 ? [changeset] : [])),
  )
  const histories = new Map(
    known.map(({ entity, changeset, everSensitive }) => [
      entity,
      { everSensitive, later: later.get(changeset) ?? new Set<string>() },
    ]),
  )
  return (entity) => histories.get(entity) ?? { everSensitive: new Set(), later: new Set() }
}

/** Stores reverts, at most one of each user. */
export async function storeReverts(
  writing: Writing,
  reverts: readonly (PlannedRevert & { readonly row: EntityRow })[],
): Promise<void> {
  for (const { row, opens } of reverts)
    await writing.gate.openByWrite(writing, { user: row.user, entity: row.id, keys: opens })
  const plans = reverts.flatMap(({ plan }) => plan ?? [])
  if (plans.length > 0) await store({ ...writing, pointer: '' }, plans)
}

/** Plans to revert a change. Refuses where somebody else has changed one of its properties since. */
export function planRevert(
  writing: Planning & Pick<Writing, 'keys'>,
  opened: OpenedRow,
  { changeset, keys: named, isSeen = false }: Reverted,
  { everSensitive, later }: History,
): PlannedRevert {
  const { caller } = writing
  const { row } = opened
  requireChanged(changeset, named ?? [])
  const changes = changesOf(writing, changeset, row).filter(({ key }) => named?.includes(key) ?? true)
  const isRetyped = named === undefined && changeset.entity_type_before !== null
  const type = isRetyped ? (changeset.entity_type_before ?? row.type) : row.type
  const before = new Map(Object.entries(opened.opened))
  const marks = new Map(changes.map((change) => [change.key, markOf(change, before, everSensitive)]))

  // Rights are checked before any value is compared, because the result would reveal something about the value.
  requireRetyping(caller, row, type)
  const touched = changes.map(({ key, op }) => ({
    key,
    sensitiveBefore: before.get(key)?.sensitive,
    sensitive: op === 'add' ? undefined : marks.get(key),
  }))
  const opens = findOpened(touched, everSensitive)
  requireRights(caller, touched, opens)
  const masked: ReadonlySet<string> = isUnseen(caller) ? everSensitive : new Set()
  if (!isSeen) {
    // A refusal is on no record, so it must not depend on a comparison with a value that the history hides.
    const uncompared = new Set([...masked, ...opens])
    const since = changes
      .filter(
        (change) =>
          (uncompared.size > 0 && later.has(change.key)) ||
          !isAsAfter(change, before.get(change.key), uncompared),
      )
      .map(({ key }) => key)
    const isRetypedSince = isRetyped && row.type !== changeset.entity_type
    if (since.length > 0 || isRetypedSince) throw changedSinceRefusal(since)
  }

  const after = propertiesAfter(changes, before, marks)
  placeAsBefore(after, changeset)
  const unseen = new Set(changes.flatMap(({ key }) => (masked.has(key) && after.has(key) ? [key] : [])))
  if (unseen.size === 0 && !isChanged(before, after) && type === row.type) return { opens, plan: undefined }
  refuseTooMany(after.size, '')
  const properties = Object.fromEntries(after)
  const reverting = { ...writing, reverts: idIfWhole(changeset, changes, isRetyped) }
  return { opens, plan: planChange(reverting, opened, { type, properties, unseen }) }
}

/** Returns the id of a changeset if nothing of it is left out of its revert. */
function idIfWhole(
  { id, changes, entity_type_before: typeBefore }: ChangesetRow,
  reverted: readonly RecordedChange[],
  isRetyped: boolean,
): string | undefined {
  return reverted.length === changes.length && isRetyped === (typeBefore !== null) ? id : undefined
}

/** Returns the properties after a revert. */
function propertiesAfter(
  changes: readonly RecordedChange[],
  before: ReadonlyMap<string, StoredProperty>,
  marks: ReadonlyMap<string, boolean>,
): Map<string, StoredProperty> {
  const after = new Map(before)
  let at = nextPlace(before)
  for (const change of changes) {
    const { key, op } = change
    const now = before.get(key)
    if (op === 'add') after.delete(key)
    else after.set(key, valueBefore(change, now, now?.at ?? at++, marks.get(key) === true))
  }
  return after
}

/** Gives properties the order that they had before a change, with those after them that came later. */
function placeAsBefore(properties: Map<string, StoredProperty>, { changes }: ChangesetRow): void {
  const order = changes.find(({ orderBefore }) => orderBefore)?.orderBefore
  if (!order) return
  const ranks = new Map(order.map((key, at) => [key, at]))
  const rankOf = (key: string) => ranks.get(key) ?? order.length
  const all = [...properties].sort(([a, one], [b, other]) => rankOf(a) - rankOf(b) || one.at - other.at)
  for (const [at, [key, property]] of all.entries()) properties.set(key, { ...property, at })
}

/** Returns the changes with their values. `joined` has the user's key as it is under the lock. */
function changesOf(
  { keys }: Pick<Writing, 'keys'>,
  changeset: ChangesetRow,
  joined: JoinedKey,
): RecordedChange[] {
  const isSealed = changeset.changes.some(({ sealed }) => sealed !== undefined)
  const place = { user: changeset.user, entity: changeset.entity_id ?? undefined, changeset: changeset.id }
  return openChanges(isSealed ? openDataKey(keys.keyring, joined) : undefined, place, changeset.changes)
}

function valueBefore(
  { type, typeBefore = type, before }: RecordedChange,
  now: StoredProperty | undefined,
  at: number,
  sensitive: boolean,
): StoredProperty {
  return toStoredProperty(now, at, { type: typeBefore, sensitive, value: before ?? null })
}

/**
 * Whether a property is sensitive after its change is reverted: as before the change if that changed its mark,
 * otherwise as now or, if it no longer exists, whether it ever was sensitive, because the history then hides its value.
 */
function markOf(
  { key, sensitive, sensitiveBefore }: RecordedChange,
  now: ReadonlyMap<string, StoredProperty>,
  everSensitive: ReadonlySet<string>,
): boolean {
  return sensitiveBefore ?? now.get(key)?.sensitive ?? (sensitive || everSensitive.has(key))
}

interface Touched {
  readonly key: string
  /** Whether the property is sensitive now; undefined if it does not exist. */
  readonly sensitiveBefore?: boolean | undefined
  /** Whether the property is sensitive after the write; undefined if the write removes it. */
  readonly sensitive: boolean | undefined
}

/** Returns the keys whose values are sealed or masked by the history, and in clear after the write. */
function findOpened(touched: readonly Touched[], everSensitive: ReadonlySet<string>): string[] {
  return touched
    .filter(
      ({ key, sensitive, sensitiveBefore }) =>
        sensitive === false && (sensitiveBefore === true || everSensitive.has(key)),
    )
    .map(({ key }) => key)
}

/** Requires the same rights as a write of these values. Opening one counts as unmarking it. */
function requireRights(caller: Caller, touched: readonly Touched[], opens: readonly string[]): void {
  const unmarks = opens.length > 0
  const touchesSensitive = touched.some(
    ({ sensitive, sensitiveBefore }) => sensitive === true || sensitiveBefore === true,
  )
  requireScopes(caller, [
    ...(touchesSensitive || unmarks ? (['sensitive:write'] as const) : []),
    ...(unmarks ? (['sensitive:read'] as const) : []),
  ])
}

/**
 * Whether a property is still as the change left it, as far as the caller may know: values of keys in `masked` are not
 * compared.
 */
function isAsAfter(
  { op, key, type, sensitive, sensitiveBefore, after }: RecordedChange,
  now: StoredProperty | undefined,
  masked: ReadonlySet<string>,
) {
  if (op === 'remove' || !now) return (op === 'remove') === (now === undefined)
  const isMarked = sensitiveBefore === undefined || now.sensitive === sensitive
  return (
    isMarked && now.type === type && (masked.has(key) || canonical(now.value) === canonical(after ?? null))
  )
}

/** Refuses keys of properties or fields that the write did not change. */
export function requireChanged({ changes }: Pick<ChangesetRow, 'changes'>, keys: readonly string[]): void {
  const known = new Set(changes.map(({ key }) => key))
  const errors = keys.flatMap((key, index): RefusalError[] =>
    known.has(key)
      ? []
      : [
          {
            pointer: `/keys/${index}`,
            code: 'unknown_key',
            detail: 'This write changed no property with this key.',
          },
        ],
  )
  if (errors.length > 0) throw invalid(errors)
}

export function changedSinceRefusal(keys: readonly string[]): Refusal {
  return new Refusal(
    'changed_since',
    'These properties have changed again since that write. Nothing was changed. To overwrite them, read the entity and send its ETag as If-Match.',
    { members: { keys } },
  )
}

function isThere(): Refusal {
  return new Refusal(
    'entity_exists',
    'The entity exists, so there is nothing to restore. Nothing was changed.',
  )
}

/** Returns the creation time of a UUIDv7, which is the entity's: zone-less UTC. */
function timeOf(id: string): string {
  const milliseconds = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
  return new Date(milliseconds).toISOString().slice(0, -1)
}
