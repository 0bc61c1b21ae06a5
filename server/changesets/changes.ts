import type { Change, DataType } from '#contract/index.ts'
import { openValue, type SealedPlace, sealValue } from '../sealing/encryption.ts'

/** A change with all its values; `Change` is the part that a caller may see. */
export interface RecordedChange {
  op: 'add' | 'change' | 'remove'
  key: string
  type: DataType
  typeBefore?: DataType
  sensitive: boolean
  sensitiveBefore?: boolean
  before?: unknown
  after?: unknown
  /**
   * Keys of all properties before the write, in their order; only in the first change of a write after which they are
   * not in this order any more, or not all there. It is not answered.
   */
  orderBefore?: readonly string[]
}

/** Effect of one write on a user's own fields or on an entity. */
export interface NewChangeset {
  readonly user: string
  readonly entity?: { readonly id: string; readonly type: string; readonly typeBefore?: string }
  readonly op: RecordedChange['op']
  readonly changes: readonly RecordedChange[]
  /** Id of the changeset that this one reverts as a whole. */
  readonly reverts?: string
}

/** A change as stored: the values of a sensitive property are sealed. */
export interface ChangeAtRest extends RecordedChange {
  sealed?: { before?: string | undefined; after?: string | undefined }
}

/** The user or entity that was changed, and the changeset that contains the changes. */
interface ChangesPlace {
  readonly user: string
  readonly entity: string | undefined
  readonly changeset: string
}

/** Returns the changes as the API answers them, masking values that are sealed or whose key `isMasked`. */
export function toChanges(changes: readonly ChangeAtRest[], isMasked: (key: string) => boolean): Change[] {
  return changes.map((change) => {
    const { orderBefore: _, ...shown } = change
    const { before: __, after: ___, sealed, ...rest } = shown
    return sealed || isMasked(change.key) ? { ...rest, masked: true } : shown
  })
}

/**
 * Returns the changes as stored: seals each value that is not sealed yet if it is sensitive before or after the
 * change, or if its key is in `keys`.
 */
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

/** Returns the changes with all values opened. The data key is needed only if one is sealed. */
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

/** Returns the operation that leads from one value to another; `undefined` stands for no value. */
export function opOf(before: unknown, after: unknown): RecordedChange['op'] {
  return before === undefined ? 'add' : after === undefined ? 'remove' : 'change'
}
