import type { KnownKey, Property } from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import type { WrittenProperty } from '../../../domain/known-properties/known-property.ts'
import {
  type Draft,
  draftOf,
  emptyDraft,
  type ReadDraft,
  retype,
  sameDraft,
  valueOf,
} from '../../../domain/values/draft.ts'
import { sameJson } from '../../../domain/values/same-json.ts'

/** Input of one form row, with the property it was loaded from. */
export interface TypedRow extends WrittenProperty {
  /** Id within the form. A property's own id changes with a PUT, and a new row has none. */
  readonly id: string
  /** Property as read from the service; undefined for a row added here. */
  readonly loaded?: Property | undefined
  /** Set while it is unknown whether a property that is not sensitive here is for other users, or of which type theirs is. */
  readonly unchecked?: 'waiting' | 'failed' | undefined
  /** Typed value; undefined if unchanged from `loaded`. */
  readonly edit?: Draft
  /** Whether a sensitive value is cleared: it is replaced unseen, so a blank input means unchanged. */
  readonly emptied?: boolean
  readonly removed?: boolean
  /** Somebody else's change during this edit, whose version is in `loaded`. Must be decided before a save. */
  readonly concurrentChange?: 'changed' | 'removed' | 'added'
  /** Property that both edits started from; present with `concurrentChange`, unless both added it. */
  readonly before?: Property
  /** Whether the row comes from a template; it counts only once it has a value. */
  readonly offered?: boolean
}

export type Aspect = 'key' | 'type' | 'sensitive' | 'value'

/** Value to send; `unseen` if only the service knows it. Issues say why it cannot be sent. */
type ReadValue = 'unseen' | ReadDraft

/** Form row with everything derived from it. State `unused`: an added row that was never filled in. */
export type DraftRow = TypedRow & {
  readonly read: ReadValue
  /** Aspects that differ from the loaded property; empty for an added or removed row. */
  readonly aspects: readonly Aspect[]
  /** Whether the property was written here and by somebody else, and no side has been chosen yet. */
  readonly contested: boolean
} & (
    | { readonly state: 'kept' | 'edited' | 'removed'; readonly loaded: Property }
    | { readonly state: 'added' | 'unused'; readonly loaded?: undefined }
  )

export function toRow(typed: TypedRow): DraftRow {
  const { loaded, concurrentChange } = typed
  const read = readingOf(typed)
  if (!loaded) {
    const isBegun = (typed.key !== '' && typed.offered !== true) || !isBlank(draftOfRow(typed))
    const state = isBegun ? 'added' : 'unused'
    return { ...typed, loaded, state, read, aspects: [], contested: concurrentChange !== undefined }
  }
  const aspects = typed.removed === true ? [] : aspectsOf(typed, loaded, read)
  const state = typed.removed === true ? 'removed' : aspects.length > 0 ? 'edited' : 'kept'
  return {
    ...typed,
    loaded,
    state,
    read,
    aspects,
    contested: concurrentChange !== undefined && state !== 'kept',
  }
}

function aspectsOf(row: TypedRow, loaded: Property, read: ReadValue): readonly Aspect[] {
  const isNew = hasNewValue(row) && read !== 'unseen' && (read.issues || !sameJson(read.value, loaded.value))
  return [
    ...(row.key === loaded.key ? [] : ['key' as const]),
    ...(row.type === loaded.type ? [] : ['type' as const]),
    ...(row.sensitive === (loaded.sensitive ?? false) ? [] : ['sensitive' as const]),
    ...(isNew ? ['value' as const] : []),
  ]
}

function readingOf(row: TypedRow): ReadValue {
  if (row.emptied === true) return { value: null }
  const replaced = hasNewValue(row)
  if (isMasked(row) && !replaced) return 'unseen'
  // An untouched value is sent back as it was loaded, even if it does not fit its type.
  if (row.loaded && !replaced && row.type === row.loaded.type) return { value: row.loaded.value }
  return valueOf(row.type, replaced ? draftOfRow(row) : loadedDraft(row))
}

/** Whether the row has a value other than the loaded one. */
export function hasNewValue(row: TypedRow): boolean {
  if (!row.loaded) return true
  if (!row.edit) return false
  if (row.emptied === true) return row.loaded.value !== null
  if (showsMask(row)) return !isBlank(row.edit)
  return !sameDraft(row.edit, draftOf(row.loaded.type, row.loaded.value)) || row.type !== row.loaded.type
}

/** Returns the value as a draft: the typed value, or else the loaded one converted to the row's type. */
export function draftOfRow(row: TypedRow): Draft {
  return row.edit ?? loadedDraft(row)
}

/** Returns the loaded value as a draft, converted to the row's type. */
export function loadedDraft({ loaded, type }: TypedRow): Draft {
  return loaded ? retype(draftOf(loaded.type, loaded.value), loaded.type, type) : emptyDraft
}

/** Whether the row differs from its loaded property, or is being edited. */
export function isTouched({ state, edit }: DraftRow): boolean {
  return state !== 'kept' || edit !== undefined
}

export function isMasked({ loaded }: Pick<TypedRow, 'loaded'>): boolean {
  return loaded?.masked === true && loaded.value === undefined
}

/** Whether the stored value is shown as a mask here, so that it can be replaced but not edited in place. */
export function showsMask(row: TypedRow): boolean {
  return row.loaded?.sensitive === true || isMasked(row)
}

/** Whether the property is sensitive in any of its versions, so that no value of it may be shown. */
export function isSecret({ sensitive, loaded, before }: TypedRow): boolean {
  return sensitive || loaded?.sensitive === true || before?.sensitive === true
}

let rowsMade = 0

export function newRowId(): string {
  return `row-${++rowsMade}`
}

/** Returns the row's sequence number; later rows have higher ones. */
export function numberOf({ id }: TypedRow): number {
  return Number(id.slice('row-'.length))
}

export function rowOf(loaded: Property, id = newRowId()): DraftRow {
  const { key, type, sensitive } = loaded
  return toRow({ id, loaded, key, type, sensitive: sensitive ?? false })
}

export function createRow(id = newRowId(), { key, type, sensitive }: Partial<KnownKey> = {}): TypedRow {
  return { id, key: key ?? '', type: type ?? 'TEXT', sensitive: sensitive === true, edit: emptyDraft }
}

/** Restores the loaded row; drops a row that was added here. */
export function revertRow({ id, loaded }: TypedRow): readonly DraftRow[] {
  return loaded ? [rowOf(loaded, id)] : []
}

/** Marks a loaded row as removed; drops a row that was added here and is not stored anywhere. */
export function markRemoved(row: TypedRow): readonly DraftRow[] {
  return revertRow(row).map((known) => toRow({ ...known, removed: true }))
}

export function withoutEdit(row: TypedRow): TypedRow {
  const { edit: _, emptied: __, ...rest } = row
  return rest
}

/** Whether two versions of a property are equal, ignoring the id, which the service may change. */
export function sameProperty(a: Property, b: Property): boolean {
  return (
    a.key === b.key &&
    a.type === b.type &&
    (a.sensitive ?? false) === (b.sensitive ?? false) &&
    sameJson(a.value, b.value) &&
    // Only the version tells two masked values apart.
    (a.masked !== true || b.masked !== true || a.version === b.version)
  )
}
