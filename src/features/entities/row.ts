import type { KnownKey, Property } from '#contract/index.ts'

import type { WrittenProperty } from '../../domain/known-properties/known-property.ts'
import {
  type Draft,
  draftOf,
  emptyDraft,
  isBlank,
  type ReadDraft,
  retype,
  sameDraft,
  valueOf,
} from '../../domain/values/draft.ts'
import { sameJson } from '../../domain/values/same-json.ts'

/** Input in a row of the form, with the property it was loaded from. */
export interface TypedRow extends WrittenProperty {
  /** Id within the form, since a property's own id changes with a PUT, and a new row has none. */
  readonly id: string
  /** Property as read from the service; undefined for a row added here. */
  readonly loaded?: Property | undefined
  /** The property is not sensitive here, and whether it is for other users is not known yet. */
  readonly unchecked?: 'waiting' | 'failed' | undefined
  /** Typed value; undefined: unchanged from `loaded`. */
  readonly edit?: Draft
  /** A sensitive value is set to none. Needed because it is replaced unseen, so that a blank input means unchanged. */
  readonly emptied?: boolean
  readonly removed?: boolean
  /** Somebody else wrote it while it was edited here; `loaded` is what they wrote. To be decided before a save. */
  readonly meanwhile?: 'changed' | 'removed' | 'added'
  /** Property that both edits started from; present with `meanwhile`, unless both added it. */
  readonly before?: Property
  /** The row comes from a template and counts once it has a value. */
  readonly offered?: boolean
}

export type Aspect = 'key' | 'type' | 'sensitive' | 'value'

/** The value to send: `unseen` where it is the service's own, never shown here. Issues say why it cannot be sent. */
export type ReadValue = 'unseen' | ReadDraft

/**
 * A row of the form with what it makes of the loaded property, which is found out here, once for each edit of it.
 * `unused`: added, by hand or from a template, and never filled in, so that it counts for nothing.
 */
export type DraftRow = TypedRow & {
  readonly read: ReadValue
  /** Aspects that differ from the loaded property; empty for an added or removed row. */
  readonly aspects: readonly Aspect[]
  /** The property was edited here and written by somebody else, and no side has been chosen yet. */
  readonly contested: boolean
} & (
    | { readonly state: 'kept' | 'edited' | 'removed'; readonly loaded: Property }
    | { readonly state: 'added' | 'unused'; readonly loaded?: undefined }
  )

export function toRow(typed: TypedRow): DraftRow {
  const { loaded, meanwhile } = typed
  const read = readingOf(typed)
  if (!loaded) {
    const state = isUnused(typed) ? 'unused' : 'added'
    return { ...typed, loaded, state, read, aspects: [], contested: meanwhile !== undefined }
  }
  const aspects = typed.removed === true ? [] : aspectsOf(typed, loaded, read)
  const state = typed.removed === true ? 'removed' : aspects.length > 0 ? 'edited' : 'kept'
  return { ...typed, loaded, state, read, aspects, contested: meanwhile !== undefined && state !== 'kept' }
}

function isUnused(row: TypedRow): boolean {
  return (row.key === '' || row.offered === true) && isBlank(draftOfRow(row))
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
  // Untouched, it goes back as it came, even where it does not fit its type.
  if (row.loaded && !replaced && row.type === row.loaded.type) return { value: row.loaded.value }
  return valueOf(row.type, replaced ? draftOfRow(row) : loadedDraft(row))
}

/** Whether a value was given that is not the one that was loaded. */
export function hasNewValue(row: TypedRow): boolean {
  if (!row.loaded) return true
  if (!row.edit) return false
  if (row.emptied === true) return row.loaded.value !== null
  if (isHidden(row)) return !isBlank(row.edit)
  return !sameDraft(row.edit, draftOf(row.loaded.type, row.loaded.value)) || row.type !== row.loaded.type
}

/** The value as a draft: what was typed, or else what was loaded, under the row's type. */
export function draftOfRow(row: TypedRow): Draft {
  return row.edit ?? loadedDraft(row)
}

/** The loaded value under the row's type. */
export function loadedDraft({ loaded, type }: TypedRow): Draft {
  return loaded ? retype(draftOf(loaded.type, loaded.value), loaded.type, type) : emptyDraft
}

/** Tells whether the row differs from its loaded property, or is being edited. */
export function isTouched({ state, edit }: DraftRow): boolean {
  return state !== 'kept' || edit !== undefined
}

/** The service keeps the value to itself. */
export function isMasked({ loaded }: TypedRow): boolean {
  return loaded?.masked === true && loaded.value === undefined
}

/** Tells whether the stored value is hidden here, so that it can be replaced but not edited in place. */
export function isHidden(row: TypedRow): boolean {
  return row.loaded?.sensitive === true || isMasked(row)
}

/** Sensitive in any of its states, so that none of their values is to be shown. */
export function isSecret({ sensitive, loaded, before }: TypedRow): boolean {
  return sensitive || loaded?.sensitive === true || before?.sensitive === true
}

let rowsMade = 0

export function newRowId(): string {
  return `row-${++rowsMade}`
}

/** The later a row was made the higher. */
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

/** Restores the loaded row; a row added here is dropped. */
export function revertRow({ id, loaded }: TypedRow): readonly DraftRow[] {
  return loaded ? [rowOf(loaded, id)] : []
}

/** Nobody else knows a row that was added here: it just goes. */
export function markRemoved(row: TypedRow): readonly DraftRow[] {
  return revertRow(row).map((known) => toRow({ ...known, removed: true }))
}

export function withoutEdit(row: TypedRow): TypedRow {
  const { edit: _, emptied: __, ...rest } = row
  return rest
}

/** Whether two readings of a property say the same; its id is the service's own business. */
export function sameProperty(a: Property, b: Property): boolean {
  return (
    a.key === b.key &&
    a.type === b.type &&
    (a.sensitive ?? false) === (b.sensitive ?? false) &&
    sameJson(a.value, b.value) &&
    // The version is the only thing that tells two masked values apart.
    (a.masked !== true || b.masked !== true || a.version === b.version)
  )
}
