import {
  type Entity,
  entityType,
  type KnownKey,
  type Property,
  propertyKey,
  type ValueIssue,
} from '#contract/index.ts'

import { sameJson } from '../../domain/values/same-json.ts'
import type { RowIssues } from '../../domain/failures/pointers.ts'
import { entityText } from '../../messages/index.ts'
import {
  type Draft,
  draftOf,
  emptyDraft,
  isBlank,
  retype,
  sameDraft,
  valueOf,
} from '../../domain/values/draft.ts'

/** A property in the form. */
export interface Row {
  /** Of this form: ids of properties come and go with a replacement, and a new row has none. */
  readonly id: string
  /** As the service has it; absent: added here. */
  readonly loaded?: Property
  readonly key: string
  readonly type: string
  readonly sensitive: boolean
  /** What was typed; absent: the value as it was loaded. */
  readonly edit?: Draft
  /** Of a sensitive value, which is replaced without being shown, so that a blank input means unchanged: no value. */
  readonly emptied?: boolean
  readonly removed?: boolean
  /** Somebody else wrote it while it was edited here; `loaded` is what they wrote. To be decided before a save. */
  readonly meanwhile?: 'changed' | 'removed' | 'added'
  /** With `meanwhile`: what both edits began with; absent where both added it. */
  readonly before?: Property
  /** From a template: it counts once it has a value. */
  readonly offered?: boolean
}

/** What somebody else did while an entity was edited here, beside what stands at its rows. */
export interface Meanwhile {
  /** Keys that they alone wrote: nothing to decide. */
  readonly theirs: readonly string[]
  /** Keys that were edited here and are gone there, with values never seen here: those edits cannot be kept. */
  readonly lost: readonly string[]
  /** They gave the entity another type than it is to have here: the one that both began with. */
  readonly typeBefore?: string
}

/** An entity in the form. */
export interface EntityDraft {
  /** The state of the service that the edit starts from; absent: to be created. */
  readonly loaded?: Entity
  readonly type: string
  readonly rows: readonly Row[]
  readonly meanwhile?: Meanwhile
}

export type Action =
  | { readonly do: 'set type'; readonly type: string }
  | { readonly do: 'add'; readonly id: string }
  /** A row for each key that none stands for yet, in place of those that were not filled in. */
  | { readonly do: 'offer keys'; readonly keys: readonly KnownKey[] }
  | { readonly do: 'set key'; readonly id: string; readonly key: string }
  | { readonly do: 'set property type'; readonly id: string; readonly type: string }
  | { readonly do: 'set sensitive'; readonly id: string; readonly sensitive: boolean }
  | { readonly do: 'set value'; readonly id: string; readonly draft: Draft }
  | { readonly do: 'replace value'; readonly id: string }
  | { readonly do: 'empty value'; readonly id: string }
  | { readonly do: 'keep value'; readonly id: string }
  | { readonly do: 'remove'; readonly id: string }
  /** Back to what was loaded; a row that was added goes. */
  | { readonly do: 'undo'; readonly id: string }
  /** Over what somebody else wrote meanwhile. */
  | { readonly do: 'keep mine'; readonly id: string }
  | { readonly do: 'start again'; readonly from: EntityDraft }

let rowsMade = 0

export function rowOf(loaded: Property): Row {
  const { key, type, sensitive } = loaded
  return { id: `row-${++rowsMade}`, loaded, key, type, sensitive: sensitive ?? false }
}

export function newRowId(): string {
  return `row-${++rowsMade}`
}

/** The later a row was made the higher. */
export function numberOf({ id }: Row): number {
  return Number(id.slice('row-'.length))
}

export function entityDraftOf(loaded: Entity): EntityDraft {
  return { loaded, type: loaded.type, rows: loaded.properties.map(rowOf) }
}

/** A new entity starts with one row, so that typing can begin. */
export function newEntityDraft(): EntityDraft {
  return { type: '', rows: [added(newRowId())] }
}

function added(id: string): Row {
  return { id, key: '', type: 'TEXT', sensitive: false, edit: emptyDraft }
}

function offeredRow({ key, type, sensitive }: KnownKey): Row {
  return { ...added(newRowId()), key, type, sensitive: sensitive === true, offered: true }
}

export function change(draft: EntityDraft, action: Action): EntityDraft {
  switch (action.do) {
    case 'set type':
      return { ...draft, type: action.type }
    case 'add':
      return { ...draft, rows: [...draft.rows, added(action.id)] }
    case 'offer keys': {
      const rows = draft.rows.filter((row) => !isUnused(row))
      const taken = new Set(rows.map(({ key }) => key))
      const offered = action.keys.filter(({ key }) => !taken.has(key)).map(offeredRow)
      return { ...draft, rows: [...rows, ...offered] }
    }
    case 'start again':
      return action.from
    case 'undo':
      return { ...draft, rows: draft.rows.flatMap((row) => (row.id === action.id ? undone(row) : [row])) }
    case 'keep mine':
      return { ...draft, rows: keepMine(draft.rows, (id) => id === action.id) }
    case 'remove':
      return { ...draft, rows: draft.rows.flatMap((row) => (row.id === action.id ? gone(row) : [row])) }
    case 'set key':
      return onRow(draft, action.id, (row) => ({ ...row, key: action.key }))
    case 'set sensitive':
      return onRow(draft, action.id, (row) => ({ ...row, sensitive: action.sensitive }))
    case 'set value':
      return onRow(draft, action.id, (row) => ({ ...withoutEdit(row), edit: action.draft }))
    case 'replace value':
      return onRow(draft, action.id, (row) => ({ ...withoutEdit(row), edit: emptyDraft }))
    case 'empty value':
      return onRow(draft, action.id, (row) => ({ ...row, edit: emptyDraft, emptied: true }))
    case 'keep value':
      return onRow(draft, action.id, withoutEdit)
    case 'set property type':
      return onRow(draft, action.id, (row) => ({
        ...row,
        type: action.type,
        ...(row.edit && { edit: retype(row.edit, row.type, action.type) }),
      }))
  }
}

function onRow(draft: EntityDraft, id: string, edit: (row: Row) => Row): EntityDraft {
  return { ...draft, rows: draft.rows.map((row) => (row.id === id ? edit(row) : row)) }
}

function withoutEdit(row: Row): Row {
  const { edit: _, emptied: __, ...rest } = row
  return rest
}

export function undone({ id, loaded }: Row): Row[] {
  return loaded ? [{ ...rowOf(loaded), id }] : []
}

/** Over what somebody else wrote meanwhile: under a key that was given here to another property, theirs goes. */
export function keepMine(rows: readonly Row[], isKept: (id: string) => boolean): Row[] {
  const replaced = new Set<string>()
  const decided = rows.map((row) => {
    if (!row.meanwhile || !isKept(row.id)) return row
    const { meanwhile: _, before: __, ...mine } = row
    if (row.loaded && row.key !== row.loaded.key) replaced.add(row.key)
    return mine
  })
  return decided.flatMap((row) => (isUntouched(row) && replaced.has(row.key) ? gone(row) : [row]))
}

/** Nobody else knows a row that was added here: it just goes. */
function gone(row: Row): Row[] {
  return undone(row).map((known) => Object.assign(known, { removed: true }))
}

function isUntouched(row: Row): boolean {
  return row.key === row.loaded?.key && row.removed !== true && changedAspects(row).length === 0
}

/** Not as it was loaded, or in somebody's hands. */
export function isTouched(row: Row): boolean {
  return !row.loaded || row.removed === true || row.edit !== undefined || changedAspects(row).length > 0
}

/** Its stored value is not shown as it stands here, so it is replaced and never edited in place. */
export function isHidden(row: Row): boolean {
  return row.loaded?.sensitive === true || isMasked(row)
}

/** Sensitive in any of its states, so that none of their values is to be shown. */
export function isSecret({ sensitive, loaded, before }: Row): boolean {
  return sensitive || loaded?.sensitive === true || before?.sensitive === true
}

/** The service keeps the value to itself. */
export function isMasked({ loaded }: Row): boolean {
  return loaded?.masked === true && loaded.value === undefined
}

/** The value as a draft: what was typed, or else what was loaded, under the row's type. */
export function draftOfRow(row: Row): Draft {
  return row.edit ?? loadedDraft(row)
}

/** The loaded value under the row's type. */
export function loadedDraft({ loaded, type }: Row): Draft {
  return loaded ? retype(draftOf(loaded.type, loaded.value), loaded.type, type) : emptyDraft
}

/** A row that was added, by hand or from a template, and never filled in. */
export function isUnused(row: Row): boolean {
  return !row.loaded && (row.key === '' || row.offered === true) && isBlank(draftOfRow(row))
}

/** Whether a value was given that is not the one that was loaded. */
export function hasNewValue(row: Row): boolean {
  if (!row.loaded) return true
  if (!row.edit) return false
  if (row.emptied === true) return row.loaded.value !== null
  if (isHidden(row)) return !isBlank(row.edit)
  return !sameDraft(row.edit, draftOf(row.loaded.type, row.loaded.value)) || row.type !== row.loaded.type
}

export type Aspect = 'key' | 'type' | 'sensitive' | 'value'

/** What of a loaded property is different now; nothing for a row that was added or removed. */
export function changedAspects(row: Row): readonly Aspect[] {
  const { loaded } = row
  // Most rows of an entity are as they were loaded.
  if (!loaded || row.removed === true) return []
  const aspects: Aspect[] = []
  if (row.key !== loaded.key) aspects.push('key')
  if (row.type !== loaded.type) aspects.push('type')
  if (row.sensitive !== (loaded.sensitive ?? false)) aspects.push('sensitive')
  if (hasNewValue(row)) {
    const read = readRow(row)
    if (read === 'kept') return aspects
    if (read.issues || !sameJson(read.value, loaded.value)) aspects.push('value')
  }
  return aspects
}

/** The value to send: `kept` where it is the service's own, unseen here. Issues say why it cannot be sent. */
export function readRow(
  row: Row,
):
  | 'kept'
  | { readonly value: unknown; readonly issues?: never }
  | { readonly issues: readonly ValueIssue[] } {
  if (row.emptied === true) return { value: null }
  const replaced = hasNewValue(row)
  if (isMasked(row) && !replaced) return 'kept'
  // Untouched, it goes back as it came, even where it does not fit its type.
  if (row.loaded && !replaced && row.type === row.loaded.type) return { value: row.loaded.value }
  return valueOf(row.type, replaced ? draftOfRow(row) : loadedDraft(row))
}

/** Whether two readings of a property say the same; its id is the service's own business. */
export function sameProperty(a: Property, b: Property): boolean {
  return (
    a.key === b.key &&
    a.type === b.type &&
    (a.sensitive ?? false) === (b.sensitive ?? false) &&
    sameJson(a.value, b.value) &&
    // Of values that are kept back it is all that tells.
    (a.masked !== true || b.masked !== true || a.version === b.version)
  )
}

export interface DraftIssues {
  readonly type?: string
  readonly rows: ReadonlyMap<string, RowIssues>
}

/** What keeps the draft from being sent. Only what was touched is judged: what came so may go back so. */
export function issuesOf(draft: EntityDraft): DraftIssues {
  const taken = repeatedKeys(draft.rows)
  const rows = new Map<string, RowIssues>()
  for (const row of draft.rows) {
    const issues = rowIssues(row, taken)
    if (issues) rows.set(row.id, issues)
  }
  if (draft.type === draft.loaded?.type) return { rows }
  const type = entityType.safeParse(draft.type).error?.issues[0]?.message
  return type === undefined ? { rows } : { type: draft.type === '' ? entityText.typeMissing : type, rows }
}

function rowIssues(row: Row, taken: ReadonlySet<string>): RowIssues | undefined {
  if (row.removed === true || isUnused(row) || (row.loaded && changedAspects(row).length === 0))
    return undefined
  const key =
    row.key === ''
      ? entityText.keyMissing
      : row.key !== row.loaded?.key && taken.has(row.key)
        ? entityText.keyTaken
        : row.key !== row.loaded?.key
          ? propertyKey.safeParse(row.key).error?.issues[0]?.message
          : undefined
  const read = readRow(row)
  const value = read === 'kept' ? movedUnseen(row) : read.issues
  if (key === undefined && !value) return undefined
  return { ...(key !== undefined && { key }), ...(value && { value }) }
}

/** A value that the service keeps to itself cannot be written under another key. */
function movedUnseen({ key, loaded }: Row): readonly ValueIssue[] | undefined {
  return loaded && key !== loaded.key ? [{ path: [], detail: entityText.form.movedUnseen }] : undefined
}

/** Keys that stand more than once among what is to remain. */
export function repeatedKeys(rows: readonly Pick<Row, 'key' | 'removed'>[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { key, removed } of rows) {
    if (removed === true || key === '') continue
    if (seen.has(key)) repeated.add(key)
    seen.add(key)
  }
  return repeated
}

/** Keys that another service stored more than once; a change or a replacement by key could not tell them apart. */
export function keysLoadedTwice(loaded: Entity | undefined): ReadonlySet<string> {
  return repeatedKeys(loaded?.properties ?? [])
}
