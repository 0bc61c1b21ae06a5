import { maxEntitiesPerUser, type PropertyInput } from '#contract/index.ts'
import { type PlannedChange, planRecord, type Planning } from '../changesets/record.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { Refusal } from '../http/errors/problem.ts'
import { requireReason } from '../http/headers/change-reason.ts'
import type { JoinedKey } from '../sealing/data-keys.ts'
import { newId } from '../store/new-id.ts'
import { propertyChanges } from './changes.ts'
import { type Merged, mergeProperties, type StoredProperties } from './properties.ts'
import { hasSensitive } from './sealing.ts'
import type { EntityOwner, EntityRow } from './storage.ts'

// Decides about writes without any statement, from what was read under the users' locks. Refuses by throwing.

/** A write of one user. `store` writes those of many users at once. */
export interface Plan {
  readonly owner: Owner
  /** At most one entity, so that its size and that of the user's others are told by the statement that stores it. */
  readonly entity?: PlannedEntity | undefined
  readonly changes: readonly PlannedChange[]
}

/** A user with the key that was read with it. */
export interface Owner extends JoinedKey {
  /** Size of the user's entities before a new one. */
  readonly bytes?: number
  /** Whether the write creates the user, so that nobody else can be creating the key. */
  readonly isNew?: boolean
}

interface PlannedEntity {
  readonly id: string
  /** Type after the write, or before a removal. */
  readonly type: string
  /** The entity as it was; undefined if it is new. */
  readonly before?: OpenedRow
  /** Its properties after the write; undefined if it is removed. */
  readonly properties?: StoredProperties
  readonly created?: string | undefined
  /** Set for a new entity. */
  readonly nthOfType?: number
  /** Keys whose values are recorded and sealed as changed, even if they equal the stored ones. */
  readonly unseen?: ReadonlySet<string>
  /** Keys whose sealed values the write opens. */
  readonly opens?: readonly string[] | undefined
  /** Relationships whose targets must exist. */
  readonly relationships?: Merged['relationships'] | undefined
  /** Keys of the values, except null, that the write stores in clear. */
  readonly inClear: readonly string[]
}

/** A row to be written, with its opened properties and the key that opened them. */
export interface OpenedRow {
  readonly row: EntityRow
  readonly opened: StoredProperties
  readonly dataKey: Buffer | undefined
}

/** Plans to add an entity. */
export function planAddition(
  planning: Planning,
  owner: EntityOwner,
  given: readonly PropertyInput[],
): ReturnType<typeof planNew> {
  const { properties, relationships } = mergeProperties({}, given, 'replace', planning)
  return planNew(planning, owner, { id: newId(), relationships }, properties)
}

/** Plans to store a new or a restored entity. */
export function planNew(
  planning: Planning,
  owner: EntityOwner,
  entity: Pick<PlannedEntity, 'id' | 'created' | 'relationships'>,
  properties: StoredProperties,
): Plan & { readonly entity: PlannedEntity } {
  const { user, type } = owner
  const { id } = entity
  if (owner.count >= maxEntitiesPerUser)
    throw new Refusal('too_many_entities', `A user owns at most ${maxEntitiesPerUser} entities.`)
  const changes = propertyChanges({}, properties)
  return {
    owner,
    entity: {
      ...entity,
      type,
      nthOfType: owner.ofType + 1,
      properties,
      inClear: keysInClear(properties, Object.keys(properties)),
    },
    changes: [planRecord(planning, 'DIRECT_DATA_CHANGE', { user, entity: { id, type }, op: 'add', changes })],
  }
}

/** Plans to change or replace an entity; undefined if nothing changes. */
export function planWrite(
  planning: Planning,
  opened: OpenedRow,
  type: string,
  given: readonly PropertyInput[],
  mode: 'change' | 'replace',
): Plan | undefined {
  requireRetyping(planning.caller, opened.row, type)
  const merged = mergeProperties(opened.opened, given, mode, planning)
  // Required even if nothing changes: otherwise a refusal for a missing reason would distinguish a wrong guess from the
  // stored value, without a record.
  if (merged.comparesSealed) requireReason(planning.reason)
  tellLeft(planning, type, merged)
  return merged.changed || type !== opened.row.type
    ? planChange(planning, opened, { type, ...merged })
    : undefined
}

/** Plans to store a changed entity. */
export function planChange(
  planning: Planning,
  before: OpenedRow,
  after: Pick<PlannedEntity, 'type' | 'opens' | 'relationships'> & {
    readonly properties: StoredProperties
    readonly unseen: ReadonlySet<string>
  },
): Plan {
  const { row, opened } = before
  const { user, id } = row
  const { type, properties, unseen, opens, relationships } = after
  const changes = propertyChanges(opened, properties, unseen)
  // With a new type, all properties count as written.
  const written = type === row.type ? changes.map(({ key }) => key) : Object.keys(properties)
  const inClear = keysInClear(properties, written)
  const entity = { id, type, ...(type !== row.type && { typeBefore: row.type }) }
  return {
    owner: row,
    entity: { id, type, before, properties, unseen, opens, relationships, inClear },
    changes: [planRecord(planning, 'DIRECT_DATA_CHANGE', { user, entity, op: 'change', changes })],
  }
}

/** Plans to remove an entity. */
export function planRemoval(planning: Planning, before: OpenedRow): Plan {
  const { user, id, type, properties } = before.row
  if (hasSensitive(properties)) requireScopes(planning.caller, ['sensitive:write'])
  const changes = propertyChanges(before.opened, {})
  return {
    owner: before.row,
    entity: { id, type, before, inClear: [] },
    changes: [
      planRecord(planning, 'DIRECT_DATA_CHANGE', { user, entity: { id, type }, op: 'remove', changes }),
    ],
  }
}

const keysInClear = (properties: StoredProperties, written: readonly string[]) =>
  written.filter((key) => {
    const { sensitive = true, value = null } = Object.hasOwn(properties, key) ? (properties[key] ?? {}) : {}
    return !sensitive && value !== null
  })

/** Requires `sensitive:write` to change the type of an entity with sensitive values: segments select them by type. */
export function requireRetyping(caller: Caller, row: EntityRow, type: string): void {
  if (type !== row.type && hasSensitive(row.properties)) requireScopes(caller, ['sensitive:write'])
}

/** Tells of each consent that was left out, or refuses the write. */
function tellLeft({ olderConsents }: Planning, entity: string, { left }: Merged): void {
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
