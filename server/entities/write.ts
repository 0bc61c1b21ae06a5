import { v7 as uuidv7 } from 'uuid'

import {
  maxEntitiesPerUser,
  maxEntityBytes,
  maxUserBytes,
  type PropertyInput,
  formatCount,
} from '#contract/index.ts'
import { recordChange, type Writing } from '../changesets/record.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { invalid, Refusal, type RefusalError } from '../http/errors/problem.ts'
import { requireReason } from '../http/headers/change-reason.ts'
import { dataKeyOf, type JoinedKey } from '../sealing/data-keys.ts'
import type { Transaction } from '../store/sql.ts'
import { propertyChanges } from './changes.ts'
import { type Merged, mergeProperties, type StoredProperties, type StoredProperty } from './properties.ts'
import { type MarksOf, noteKeys } from './property-keys.ts'
import { hasSensitive, openProperties, sealProperties } from './sealing.ts'
import {
  deleteEntity,
  entityOwner,
  type EntityOwner,
  type EntityRow,
  insertEntity,
  lockOldestOfType,
  targetExists,
  updateEntity,
} from './storage.ts'

/** Applies a POST /users with properties to an existing user. Needs the user's lock. */
export async function applyToFirstPerson(
  writing: Writing,
  user: string,
  properties: readonly PropertyInput[],
): Promise<void> {
  const [row] = await lockOldestOfType(writing.transaction, user, 'person', 1)
  if (row) await writeEntity(writing, row, row.type, properties, 'change')
  else await addEntity(writing, await entityOwner(writing.transaction, user, 'person'), properties)
}

/**
 * Adds an entity. Needs the user's lock, taken before the owner's entities were counted, so that the first person
 * entity is created only once.
 */
export async function addEntity(
  writing: Writing,
  owner: EntityOwner,
  given: readonly PropertyInput[],
): Promise<string> {
  const { transaction } = writing
  const merged = mergeProperties({}, given, 'replace', writing)
  await checkRelationships(transaction, merged)
  const id = uuidv7()
  await storeNew(writing, owner, { id }, merged.properties)
  return id
}

/** Stores a new entity. Needs the user's lock, taken before the owner's entities were counted. */
export async function storeNew(
  writing: Writing,
  owner: EntityOwner,
  { id, created }: { readonly id: string; readonly created?: string },
  properties: StoredProperties,
): Promise<void> {
  const { transaction, keys } = writing
  const { user, type } = owner
  if (owner.count >= maxEntitiesPerUser)
    throw new Refusal('too_many_entities', `A user owns at most ${maxEntitiesPerUser} entities.`)
  const newKey = owner.isNew && hasSensitive(properties) ? keys.keyring.create(user) : undefined
  const dataKey = newKey?.dataKey ?? (await keyFor(writing, owner, properties))
  const atRest = sealProperties({ ...keys, dataKey }, { user, id }, properties)
  const entity = { id, type, created, nthOfType: owner.ofType + 1, ...atRest }
  const bytes = await insertEntity(transaction, user, entity, newKey?.stored)
  refuseTooLarge(writing, { before: 0, bytes, others: owner.bytes })
  await recordChange(
    writing,
    'DIRECT_DATA_CHANGE',
    {
      user,
      entity: { id, type },
      op: 'add',
      changes: propertyChanges({}, properties),
    },
    dataKey,
  )
  const marksOf = await noteKeys(transaction, [{ type, properties }])
  tellInClear(writing, type, Object.entries(properties), marksOf)
}

/** Writes an entity. Returns the id of the changeset; undefined if nothing changed. */
export async function writeEntity(
  writing: Writing,
  row: EntityRow,
  type: string,
  given: readonly PropertyInput[],
  mode: 'change' | 'replace',
): Promise<string | undefined> {
  const { transaction, caller, gate } = writing
  requireRetyping(caller, row, type)
  const before = await openForWriting(writing, row)
  const merged = mergeProperties(before.opened, given, mode, writing)
  // Required even if nothing changes: otherwise a refusal for a missing reason would distinguish a wrong guess from the
  // stored value, without a record.
  if (merged.comparesSealed) requireReason(writing.reason)
  tellLeft(writing, type, merged)
  if (!merged.changed && type === row.type) return undefined
  await checkRelationships(transaction, merged)
  await gate.openByWrite(writing, { user: row.user, entity: row.id, keys: merged.opens })
  return await storeChanged(writing, before, { type, ...merged })
}

/** Requires `sensitive:write` to change the type of an entity with sensitive values: segments select them by type. */
export function requireRetyping(caller: Caller, row: EntityRow, type: string): void {
  if (type !== row.type && hasSensitive(row.properties)) requireScopes(caller, ['sensitive:write'])
}

/** A row to be written, with its opened properties and the key that opened them. */
export interface OpenedRow {
  readonly row: EntityRow
  readonly opened: StoredProperties
  readonly dataKey: Buffer | undefined
}

export async function openForWriting(writing: Writing, row: EntityRow): Promise<OpenedRow> {
  const dataKey = await keyFor(writing, row, row.properties)
  return { row, opened: openProperties(dataKey, row), dataKey }
}

/** Stores a changed entity and returns the id of the changeset. */
export async function storeChanged(
  writing: Writing,
  { row, opened, dataKey: keyBefore }: OpenedRow,
  {
    type,
    properties,
    unseen,
  }: {
    readonly type: string
    readonly properties: StoredProperties
    /** Keys whose values are recorded and sealed as changed, even if they equal the stored ones. */
    readonly unseen: ReadonlySet<string>
  },
): Promise<string> {
  const { transaction, keys } = writing
  const { user, id } = row
  const dataKey = keyBefore ?? (await keyFor(writing, row, properties))
  const atRest = sealProperties({ ...keys, dataKey }, row, properties, { opened, atRest: row, unseen })
  const sizes = await updateEntity(transaction, user, { id, type, ...atRest }, row.properties)
  refuseTooLarge(writing, { before: row.bytes, ...sizes })
  const changes = propertyChanges(opened, properties, unseen)
  const changeset = await recordChange(
    writing,
    'DIRECT_DATA_CHANGE',
    {
      user,
      entity: { id, type, ...(type !== row.type && { typeBefore: row.type }) },
      op: 'change',
      changes,
    },
    dataKey,
  )
  const marksOf = await noteKeys(transaction, [{ type, properties }])
  const written = new Set(changes.map(({ key }) => key))
  const all = Object.entries(properties)
  // With a new type, all properties count as written.
  tellInClear(writing, type, type === row.type ? all.filter(([key]) => written.has(key)) : all, marksOf)
  return changeset
}

function tellInClear(
  { inClear }: Writing,
  entity: string,
  written: readonly [string, StoredProperty][],
  marksOf: MarksOf,
): void {
  if (!inClear) return
  for (const [key, { sensitive, value }] of written)
    if (!sensitive && value !== null) inClear({ entity, key, others: marksOf(entity, key) })
}

export async function removeEntity(writing: Writing, row: EntityRow): Promise<void> {
  const { transaction, caller } = writing
  const { user, id, type } = row
  if (hasSensitive(row.properties)) requireScopes(caller, ['sensitive:write'])
  const dataKey = await keyFor(writing, row, row.properties)
  await deleteEntity(transaction, user, id)
  await recordChange(
    writing,
    'DIRECT_DATA_CHANGE',
    {
      user,
      entity: { id, type },
      op: 'remove',
      changes: propertyChanges(openProperties(dataKey, row), {}),
    },
    dataKey,
  )
}

/** Returns the user's data key if a property needs it. */
async function keyFor(
  { transaction, keys }: Writing,
  owner: JoinedKey,
  properties: StoredProperties | EntityRow['properties'],
): Promise<Buffer | undefined> {
  return hasSensitive(properties) ? await dataKeyOf(transaction, keys.keyring, owner) : undefined
}

/**
 * Refuses, and so rolls back, a write that would make the user too large to read in reasonable time. Entities stored
 * before the limits existed may shrink. `others` is the size of the user's other entities, which the user's lock keeps
 * unchanged.
 */
function refuseTooLarge(
  { pointer = '/properties' }: Writing,
  { before, bytes, others }: { readonly before: number; readonly bytes: number; readonly others: number },
): void {
  if (bytes <= before) return
  if (bytes > maxEntityBytes)
    throw invalid([
      {
        pointer,
        code: 'entity_too_large',
        detail: `An entity holds at most ${formatCount(maxEntityBytes)} bytes; with this it would hold ${formatCount(bytes)}. Shorten values, or spread the properties over several entities.`,
      },
    ])
  if (others + bytes > maxUserBytes)
    throw invalid([
      {
        pointer,
        code: 'user_too_large',
        detail: `The entities of a user hold at most ${formatCount(maxUserBytes)} bytes together; with this they would hold ${formatCount(others + bytes)}. Shorten values, or delete entities that are no longer needed.`,
      },
    ])
}

/** Tells of each consent that was left out, or refuses the write. */
function tellLeft({ olderConsents }: Writing, entity: string, { left }: Merged): void {
  if (left.length === 0) return
  if (typeof olderConsents === 'function') {
    for (const { key } of left) olderConsents({ entity, key })
    return
  }
  throw new Refusal(
    'older_consent',
    'A later status of this consent is stored. Nothing was changed. To keep the later one, leave the property out. To store this one in its place, read the entity and send its ETag as If-Match.',
    {
      errors: left.map(({ pointer }) => ({
        pointer,
        code: 'older_consent',
        detail: 'A later status of this consent is stored.',
      })),
    },
  )
}

async function checkRelationships(transaction: Transaction, { relationships }: Merged): Promise<void> {
  const errors: RefusalError[] = []
  for (const { target, pointer } of relationships)
    if (!(await targetExists(transaction, target)))
      errors.push({
        pointer,
        code: 'unknown_target',
        detail: target.entity ? 'There is no such entity of this user.' : 'There is no such user.',
      })
  if (errors.length > 0) throw invalid(errors)
}
