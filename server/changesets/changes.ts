import type { Change, DataType } from '#contract/index.ts'
import { openValue, type SealedPlace, sealValue } from '../sealing/encryption.ts'
import { canonical, type StoredProperties, type StoredProperty } from '../entities/properties.ts'
import type { UserFields } from '../users/storage.ts'

/** A change with all that is known of it: `Change` is what a caller may see of it. */
export interface RecordedChange {
  op: 'add' | 'change' | 'remove'
  key: string
  type: DataType
  typeBefore?: DataType
  sensitive: boolean
  sensitiveBefore?: boolean
  before?: unknown
  after?: unknown
}

/** As rows hold it: the values of a sensitive one are sealed. */
export interface ChangeAtRest extends RecordedChange {
  sealed?: { before?: string | undefined; after?: string | undefined }
}

/** The entity that changes are of, and the changeset that they stand in. */
interface ChangesPlace {
  readonly user: string
  readonly entity: string | undefined
  readonly changeset: string
}

const userFieldTypes = {
  email: 'EMAIL',
  name: 'TEXT',
  ref: 'TEXT',
  since: 'DATETIME',
  account: 'BOOLEAN',
} as const

type RecordedFields = Partial<UserFields & { account: boolean }>

/** The fields of a user that differ. `since` is written as its data type has it, with the zone that it is meant in. */
export function userChanges(before: RecordedFields, after: RecordedFields): RecordedChange[] {
  const changes: RecordedChange[] = []
  for (const [key, type] of Object.entries(userFieldTypes)) {
    const valueOf = (fields: RecordedFields) => {
      const value = fields[key as keyof RecordedFields] ?? undefined
      return key === 'since' && value !== undefined ? `${value}Z` : value
    }
    const [then, now] = [valueOf(before), valueOf(after)]
    if (then === now) continue
    changes.push({
      op: opOf(then, now),
      key,
      type,
      sensitive: false,
      ...(then !== undefined && { before: then }),
      ...(now !== undefined && { after: now }),
    })
  }
  return changes
}

/** The properties that differ, in their order; then those that are gone. */
export function propertyChanges(before: StoredProperties, after: StoredProperties): RecordedChange[] {
  const old = new Map(Object.entries(before))
  const changed = inOrder(after).flatMap(([key, now]) => {
    const then = old.get(key)
    if (then && isSame(then, now)) return []
    const { type, sensitive, value } = now
    return [
      {
        op: opOf(then, now),
        key,
        type,
        ...(then && then.type !== type && { typeBefore: then.type }),
        sensitive,
        ...(then && then.sensitive !== sensitive && { sensitiveBefore: then.sensitive }),
        ...(then && { before: then.value }),
        after: value,
      },
    ]
  })
  const removed = inOrder(before)
    .filter(([key]) => !Object.hasOwn(after, key))
    .map(([key, { type, sensitive, value }]) => ({
      op: 'remove' as const,
      key,
      type,
      sensitive,
      before: value,
    }))
  return [...changed, ...removed]
}

/** The changes as answered; `isWithheld` names the keys whose values the caller may not see, as what is sealed. */
export function answeredChanges(
  changes: readonly ChangeAtRest[],
  isWithheld: (key: string) => boolean,
): Change[] {
  return changes.map((change) => {
    const { before: _, after: __, sealed, ...rest } = change
    return sealed || isWithheld(change.key) ? { ...rest, masked: true } : { ...change }
  })
}

/** For the row: what is sensitive on either side, or has one of those keys, is sealed, unless it is already. */
export function sealChanges(
  dataKey: Buffer | undefined,
  place: ChangesPlace,
  changes: readonly ChangeAtRest[],
  keys: ReadonlySet<string> = new Set(),
): ChangeAtRest[] {
  return changes.map((change) => {
    const { before, after, ...rest } = change
    const isSecret = change.sensitive || change.sensitiveBefore === true || keys.has(change.key)
    if (!isSecret || (before === undefined && after === undefined)) return change
    const seal = (side: 'before' | 'after', value: unknown) =>
      value === undefined ? undefined : sealValue(dataKey, placeOf(place, change, side), value)
    return { ...rest, sealed: { before: seal('before', before), after: seal('after', after) } }
  })
}

/** With all values. The data key is needed only where one is sealed. */
export function openChanges(
  dataKey: Buffer | undefined,
  place: ChangesPlace,
  changes: readonly ChangeAtRest[],
): RecordedChange[] {
  return changes.map(({ sealed, ...change }) => {
    const open = (side: 'before' | 'after') => {
      const value = sealed?.[side]
      return value !== undefined && { [side]: openValue(dataKey, placeOf(place, change, side), value) }
    }
    return { ...change, ...open('before'), ...open('after') }
  })
}

function placeOf(
  { user, entity, changeset }: ChangesPlace,
  { key, type, typeBefore }: RecordedChange,
  side: 'before' | 'after',
): SealedPlace {
  return {
    user,
    entity,
    key,
    type: side === 'before' ? (typeBefore ?? type) : type,
    changeset: { id: changeset, side },
  }
}

function opOf(before: unknown, after: unknown): RecordedChange['op'] {
  return before === undefined ? 'add' : after === undefined ? 'remove' : 'change'
}

function isSame(then: StoredProperty, now: StoredProperty): boolean {
  return (
    then.type === now.type &&
    then.sensitive === now.sensitive &&
    canonical(then.value) === canonical(now.value)
  )
}

function inOrder(properties: StoredProperties): [string, StoredProperty][] {
  return Object.entries(properties).sort(([, a], [, b]) => a.at - b.at)
}
