import {
  type Entity,
  entityType,
  type KnownKey,
  newPropertyKey,
  type Property,
  trimEnds,
  type ValueIssue,
} from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import type { RowIssues } from '../../../domain/failures/pointers.ts'
import {
  forgetOpening,
  applyKnown,
  chooseSensitivity,
  chooseType,
} from '../../../domain/known-properties/known-property.ts'
import { isUnchecked, type KnownProperties } from '../../../domain/known-properties/use-known-properties.ts'
import { type Draft, draftOf, emptyDraft, retype } from '../../../domain/values/draft.ts'
import { sameJson } from '../../../domain/values/same-json.ts'
import { entityText, knownPropertyText } from '../../../messages/index.ts'
import {
  createRow,
  draftOfRow,
  toRow,
  newRowId,
  markRemoved,
  type DraftRow,
  rowOf,
  type TypedRow,
  revertRow,
  withoutEdit,
} from './row.ts'

/** Changes that somebody else made during an edit, apart from those noted on the rows. */
export interface ConcurrentChanges {
  /** Keys that only the other person wrote; they need no decision. */
  readonly theirs: readonly string[]
  /** Keys edited here and removed by somebody else. Their values were never readable here, so the edits are lost. */
  readonly lost: readonly string[]
  /** Type before both edits; set if they changed it to different types. */
  readonly typeBefore?: string
}

/** User and entity to write to; without an entity id, the entity is to be created. */
export interface EntityPath {
  readonly userId: string
  readonly entityId?: string | undefined
}

export interface EntityDraft {
  /** Stored entity that the edit started from; undefined for an entity to be created. */
  readonly loaded?: Entity
  readonly type: string
  readonly rows: readonly DraftRow[]
  readonly concurrentChanges?: ConcurrentChanges
}

/** Reasons why the caller may not do something; undefined if they may. */
export interface DisabledReasons {
  readonly write: string | undefined
  readonly writeSensitive: string | undefined
  /** Reason that applies to every caller: a key is stored twice, so no property can be removed or renamed. */
  readonly replace: string | undefined
}

export type Action =
  | { readonly do: 'set type'; readonly type: string }
  | { readonly do: 'add'; readonly id: string }
  /** Replaces unused rows by one row for each offered key that has none yet. */
  | { readonly do: 'offer keys'; readonly keys: readonly KnownKey[] }
  | { readonly do: 'set key'; readonly id: string; readonly key: string }
  | { readonly do: 'set property type'; readonly id: string; readonly type: string }
  | { readonly do: 'set sensitive'; readonly id: string; readonly sensitive: boolean }
  | { readonly do: 'set value'; readonly id: string; readonly draft: Draft }
  | { readonly do: 'replace value'; readonly id: string }
  | { readonly do: 'empty value'; readonly id: string }
  | { readonly do: 'keep value'; readonly id: string }
  | { readonly do: 'remove'; readonly id: string }
  /** Restores the row as loaded, or drops it if it was added here. */
  | { readonly do: 'undo'; readonly id: string }
  /** Decides a conflict in favour of this edit. */
  | { readonly do: 'keep mine'; readonly id: string }
  | { readonly do: 'start again'; readonly from: EntityDraft }

export function entityDraftOf(loaded: Entity): EntityDraft {
  return { loaded, type: loaded.type, rows: loaded.properties.map((property) => rowOf(property)) }
}

/** Returns the draft of a new entity, with one empty row to type into. */
export function newEntityDraft(): EntityDraft {
  return { type: '', rows: [toRow(createRow())] }
}

export function change(draft: EntityDraft, action: Action): EntityDraft {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- all others are about one row: `editRow` has each
  switch (action.do) {
    case 'set type':
      return {
        ...draft,
        type: action.type,
        rows: draft.rows.map((row) => replaceRow(row, forgetOpening(row))),
      }
    case 'add':
      return { ...draft, rows: [...draft.rows, toRow(createRow(action.id))] }
    case 'offer keys': {
      const rows = draft.rows.filter(({ state }) => state !== 'unused')
      const taken = new Set(rows.map(({ key }) => key))
      const offered = action.keys.filter(({ key }) => !taken.has(key))
      return {
        ...draft,
        rows: [...rows, ...offered.map((known) => toRow({ ...createRow(newRowId(), known), offered: true }))],
      }
    }
    case 'start again':
      return action.from
    case 'keep mine':
      return { ...draft, rows: keepMine(draft.rows, (id) => id === action.id) }
    default:
      return {
        ...draft,
        rows: draft.rows.flatMap((row) => (row.id === action.id ? editRow(row, action) : row)),
      }
  }
}

const replaceRow = (row: DraftRow, typed: TypedRow): DraftRow => (typed === row ? row : toRow(typed))

/** Puts an earlier value of a property back, into its row or a new one. */
export function putBack(draft: EntityDraft, was: Pick<Property, 'key' | 'type' | 'value'>, row?: DraftRow) {
  const { key, type, value } = was
  const id = row?.id ?? newRowId()
  const isLoaded = row?.loaded?.type === type && sameJson(row.loaded.value, value)
  const actions: readonly Action[] = [
    ...(row ? [] : [{ do: 'add', id } as const]),
    ...(row?.key === key ? [] : [{ do: 'set key', id, key } as const]),
    { do: 'set property type', id, type },
    isLoaded ? { do: 'keep value', id } : { do: 'set value', id, draft: draftOf(type, value) },
  ]
  return { draft: actions.reduce(change, draft), rowId: id }
}

/** Gives new and renamed properties (all, if the entity type changed) the type and sensitivity of known ones. */
export function applyKnownToDraft(draft: EntityDraft, known: KnownProperties): EntityDraft {
  const isOtherType = draft.type !== draft.loaded?.type
  const rows = draft.rows.map((row) => {
    if (row.state === 'removed') return row
    const isNew = isOtherType || row.key !== row.loaded?.key
    const isTypeFree = !row.loaded && (isBlank(draftOfRow(row)) || row.unchecked === 'waiting')
    const adopted = applyKnown<TypedRow>(row, isNew ? known.of(row.key) : undefined, isTypeFree)
    // A value that was typed before its type was known is kept.
    const typed =
      adopted.type === row.type || row.loaded
        ? adopted
        : { ...adopted, edit: retype(draftOfRow(row), row.type, adopted.type) }
    const isUnsure = isNew && isUnchecked(known, typed)
    // The type is still waited for if only the sensitivity was chosen by hand.
    const isUntyped = known.state === 'waiting' && !row.loaded && row.key !== '' && row.chosen?.type !== true
    const unchecked =
      isUnsure && known.state === 'failed' ? 'failed' : isUnsure || isUntyped ? 'waiting' : undefined
    return replaceRow(row, unchecked === typed.unchecked ? typed : { ...typed, unchecked })
  })
  return rows.every((row, at) => row === draft.rows[at]) ? draft : { ...draft, rows }
}

type OnRow = Exclude<
  Extract<Action, { readonly id: string }>,
  { readonly do: 'add' } | { readonly do: 'keep mine' }
>

function editRow(row: DraftRow, action: OnRow): readonly DraftRow[] {
  switch (action.do) {
    case 'undo':
      return revertRow(row)
    case 'remove':
      return markRemoved(row)
    case 'set key':
      return [toRow(forgetOpening({ ...row, key: action.key }))]
    case 'set sensitive':
      return [toRow(chooseSensitivity(row, action.sensitive))]
    case 'set value':
      return [toRow({ ...withoutEdit(row), edit: action.draft })]
    case 'replace value':
      return [toRow({ ...withoutEdit(row), edit: emptyDraft })]
    case 'empty value':
      return [toRow({ ...row, edit: emptyDraft, emptied: true })]
    case 'keep value':
      return [toRow(withoutEdit(row))]
    case 'set property type': {
      const { type } = action
      const edit = row.edit && retype(row.edit, row.type, type)
      return [toRow(chooseType({ ...row, ...(edit && { edit }) }, type))]
    }
  }
}

/** Decides conflicts in favour of this edit. A property whose key a kept row was renamed to is removed. */
export function keepMine(rows: readonly DraftRow[], isKept: (id: string) => boolean): readonly DraftRow[] {
  const replaced = new Set<string>()
  const decided = rows.map((row) => {
    if (!row.concurrentChange || !isKept(row.id)) return row
    const { concurrentChange: _, before: __, ...mine }: TypedRow = row
    if (row.loaded && row.key !== row.loaded.key) replaced.add(row.key)
    return toRow(mine)
  })
  return decided.flatMap((row) => (row.state === 'kept' && replaced.has(row.key) ? markRemoved(row) : row))
}

export interface DraftIssues {
  readonly type?: string
  readonly rows: ReadonlyMap<string, RowIssues>
}

/** Returns the issues that block sending. Untouched values are not checked: they may be sent back as they are. */
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

export function hasIssues({ rows, type }: DraftIssues): boolean {
  return rows.size > 0 || type !== undefined
}

function rowIssues(row: DraftRow, taken: ReadonlySet<string>): RowIssues | undefined {
  if (row.state !== 'added' && row.state !== 'edited') return undefined
  const isLoadedKey = row.key === row.loaded?.key
  const key =
    row.key === ''
      ? entityText.keyMissing
      : isLoadedKey
        ? uncheckedIssue(row)
        : taken.has(meantKey(row))
          ? entityText.keyTaken
          : (newPropertyKey.safeParse(row.key).error?.issues[0]?.message ?? uncheckedIssue(row))
  // A masked value cannot be written under another key.
  const movedUnseen = isLoadedKey ? undefined : [{ path: [], detail: entityText.form.movedUnseen }]
  const value: readonly ValueIssue[] | undefined = row.read === 'unseen' ? movedUnseen : row.read.issues
  // A row that waits for the known properties blocks sending, but has no text because the input is not at fault.
  if (key === undefined && !value && row.unchecked !== 'waiting') return undefined
  return { ...(key !== undefined && { key }), ...(value && { value }) }
}

const uncheckedIssue = ({ unchecked }: DraftRow) =>
  unchecked === 'failed' ? knownPropertyText.uncheckedIssue : undefined

interface Keyed {
  readonly key: string
  readonly removed?: boolean | undefined
  readonly loaded?: { readonly key: string } | undefined
}

/** Returns the key as the service stores it: a new key without invisible characters at its ends. */
const meantKey = ({ key, loaded }: Keyed) => (key === loaded?.key ? key : trimEnds(key))

/** Returns the keys that occur more than once among the rows that are not removed. */
function repeatedKeys(rows: readonly Keyed[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const row of rows) {
    const { removed: isRemoved } = row
    const key = meantKey(row)
    if (isRemoved === true || key === '') continue
    if (seen.has(key)) repeated.add(key)
    seen.add(key)
  }
  return repeated
}

/** Returns the loaded keys that occur more than once, as some services allow. A write by key cannot tell them apart. */
export function keysLoadedTwice(loaded: Entity | undefined): ReadonlySet<string> {
  return repeatedKeys((loaded?.properties ?? []).map(({ key }) => ({ key, loaded: { key } })))
}
