import type { Change, DataType } from '#contract/index.ts'
import { openValue, type SealedPlace, sealValue } from '../sealing/encryption.ts'

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

/** Effect of one write: on a user's own fields, or on an entity. */
export interface NewChangeset {
  readonly user: string
  readonly entity?: { readonly id: string; readonly type: string; readonly typeBefore?: string }
  readonly op: RecordedChange['op']
  readonly changes: readonly RecordedChange[]
}

/** Change as rows store it: the values of a sensitive property are sealed. */
export interface ChangeAtRest extends RecordedChange {
  sealed?: { before?: string | undefined; after?: string | undefined }
}

/** The entity that changes are of, and the changeset that they stand in. */
interface ChangesPlace {
  readonly user: string
  readonly entity: string | undefined
  readonly changeset: string
}

/** The changes as answered; `isWithheld` names the keys whose values the caller may not see, as what is sealed. */
export function toChanges(changes: readonly ChangeAtRest[], isWithheld: (key: string) => boolean): Change[] {
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
      value === undefined ? undefined : sealValue(dataKey, sealedPlaceOfChange(place, change, side), value)
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
      return (
        value !== undefined && { [side]: openValue(dataKey, sealedPlaceOfChange(place, change, side), value) }
      )
    }
    return { ...change, ...open('before'), ...open('after') }
  })
}

function sealedPlaceOfChange(
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

/** Keys of the properties that were sensitive before the change or are after it. */
export function sensitiveKeysOf(changes: readonly RecordedChange[]): string[] {
  return changes
    .filter(({ sensitive, sensitiveBefore }) => sensitive || sensitiveBefore === true)
    .map(({ key }) => key)
}

/** Operation on a value, by its state before and after; `undefined`: no value. */
export function opOf(before: unknown, after: unknown): RecordedChange['op'] {
  return before === undefined ? 'add' : after === undefined ? 'remove' : 'change'
}
