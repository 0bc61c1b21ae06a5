import type { Entity, Property } from '#contract/index.ts'

import { retype } from '../../domain/values/draft.ts'
import type { Choices } from '../../domain/writing/ConflictDialog.tsx'
import { differenceOf } from './difference.ts'
import { type EntityDraft, keepMine } from './entity-draft.ts'
import {
  draftOfRow,
  hasNewValue,
  isHidden,
  isMasked,
  loadedDraft,
  toRow,
  type DraftRow,
  rowOf,
  sameProperty,
  type TypedRow,
  revertRow,
} from './row.ts'

/** State of a merge in progress. */
interface Merging {
  /** Properties of the reading that the edit started from, by occurrence. */
  readonly own: ReadonlyMap<string, Property>
  /** Properties of the newest reading that no row has claimed yet, by occurrence. */
  readonly pending: Map<string, Property>
  readonly theirs: Set<string>
  readonly lost: Set<string>
}

/**
 * Rebases an edit onto a newer reading of the entity. Different keys merge; a key written on both sides keeps the value
 * typed here, and is contested until somebody decides.
 */
export function rebase(draft: EntityDraft, fresh: Entity): EntityDraft {
  const { loaded, type, meanwhile } = draft
  const own = occurrences(loaded?.properties ?? [])
  const placeOf = new Map([...own].map(([place, property]) => [property, place]))
  const pending = occurrences(fresh.properties)
  const merging: Merging = {
    own,
    pending,
    theirs: new Set(meanwhile?.theirs),
    lost: new Set(meanwhile?.lost),
  }
  const before = new Set((loaded?.properties ?? []).map(({ key }) => key))
  const after = new Set(fresh.properties.map(({ key }) => key))
  const { rows } = differenceOf(draft)
  const known = rows.flatMap((row) =>
    row.loaded
      ? ofLoaded(row, row.loaded, placeOf.get(row.loaded) ?? occurrenceKey(row.loaded.key), merging)
      : [],
  )
  const added = rows.flatMap((row) => (row.loaded ? [] : [ofAdded(row, after, merging)]))
  const fromThem = [...pending.values()].map((now) => {
    merging.theirs.add(now.key)
    return rowOf(now)
  })
  const base = meanwhile?.typeBefore ?? loaded?.type
  const bothTyped = type !== loaded?.type && fresh.type !== loaded?.type && fresh.type !== type
  return {
    loaded: fresh,
    type: type === loaded?.type ? fresh.type : type,
    rows: [...known, ...added, ...fromThem].map((row) => withKeyOf(row, before, after)),
    meanwhile: {
      theirs: [...merging.theirs],
      lost: [...merging.lost],
      ...((bothTyped || isTypeUndecided(draft)) && base !== undefined && { typeBefore: base }),
    },
  }
}

/** A row of a property, on what has become of that. */
function ofLoaded(row: DraftRow, loaded: Property, place: string, merging: Merging): readonly DraftRow[] {
  const { own, pending, theirs, lost } = merging
  const now = pending.get(place)
  pending.delete(place)
  // A value that is not shown may have been replaced by the same: a change as soon as they wrote another.
  const isEdited = row.state !== 'kept' || (isHidden(row) && hasNewValue(row))
  if (now) {
    if (isEdited)
      return sameProperty(loaded, now) ? [toRow({ ...row, loaded: now })] : [onto(row, loaded, now)]
    if (!sameProperty(loaded, now)) theirs.add(loaded.key)
    // A replacement that was opened and left blank stays open.
    const fresh = rowOf(now, row.id)
    return [isHidden(row) && row.edit ? toRow({ ...fresh, edit: row.edit }) : fresh]
  }
  // Both removed the property, or they removed one that was not edited here.
  if (row.state === 'removed') return []
  if (!isEdited) {
    theirs.add(loaded.key)
    return []
  }
  // A value that was never seen cannot be written again.
  if (isMasked(row) && !hasNewValue(row)) {
    lost.add(loaded.key)
    return []
  }
  const there = occurrenceKey(row.key)
  const renamed = row.key !== loaded.key && !own.has(there) ? pending.get(there) : undefined
  if (!renamed) return [contest(detachRow(row), 'removed', loaded)]
  pending.delete(there)
  return [settleOrContest({ ...detachRow(row), loaded: renamed }, 'changed', loaded)]
}

/** A row that was added here, where they may have added or removed the same key. */
function ofAdded(row: DraftRow, after: ReadonlySet<string>, { own, pending }: Merging): DraftRow {
  const place = occurrenceKey(row.key)
  const now = row.key === '' ? undefined : pending.get(place)
  if (now) {
    pending.delete(place)
    return settleOrContest({ ...row, loaded: now }, 'added', undefined)
  }
  // The property that had this key was given another one here, and there it is gone.
  const gone = after.has(row.key) ? undefined : own.get(place)
  return gone ? contest(row, 'removed', gone) : row
}

/** A key that was given here to another property, and there to a new one, or to none any more. */
function withKeyOf(row: DraftRow, before: ReadonlySet<string>, after: ReadonlySet<string>): DraftRow {
  const { loaded, key, state } = row
  if (!loaded || state === 'removed' || key === loaded.key || before.has(key) === after.has(key)) return row
  return contest(row, before.has(key) ? 'removed' : 'changed', loaded)
}

/** Both sides wrote the same, or else it is a question. */
function settleOrContest(
  typed: TypedRow,
  meanwhile: NonNullable<DraftRow['meanwhile']>,
  before: Property | undefined,
): DraftRow {
  const [settled] = toRow(typed).state === 'kept' ? revertRow(typed) : []
  return settled ?? contest(typed, meanwhile, before)
}

/** Both sides wrote it. What both began with stays the first such state, whatever comes after. */
function contest(
  typed: TypedRow,
  meanwhile: NonNullable<DraftRow['meanwhile']>,
  loaded: Property | undefined,
): DraftRow {
  const { before: known, ...rest } = typed
  const before = typed.meanwhile ? known : loaded
  return toRow({ ...rest, meanwhile, ...(before && { before }) })
}

/** Moves a row onto the newer property: aspects not edited here take the values written there. */
function onto(row: DraftRow, loaded: Property, now: Property): DraftRow {
  const type = row.type === loaded.type ? now.type : row.type
  const sensitive = row.sensitive === (loaded.sensitive ?? false) ? (now.sensitive ?? false) : row.sensitive
  const edit = row.edit && { edit: retype(row.edit, row.type, type) }
  return settleOrContest({ ...row, loaded: now, sensitive, type, ...edit }, 'changed', loaded)
}

/** An edit of a property that is gone: an addition of what it was to be. */
function detachRow(row: TypedRow): TypedRow {
  const { loaded: _, emptied: __, ...rest } = row
  return { ...rest, edit: hasNewValue(row) ? draftOfRow(row) : loadedDraft(row) }
}

/** Properties by key, and where another service repeats a key, by its turn. */
function occurrences(properties: readonly Property[]): Map<string, Property> {
  const found = new Map<string, Property>()
  const counts = new Map<string, number>()
  for (const property of properties) {
    const turn = counts.get(property.key) ?? 0
    counts.set(property.key, turn + 1)
    found.set(occurrenceKey(property.key, turn), property)
  }
  return found
}

function occurrenceKey(key: string, turn = 0): string {
  return `${turn} ${key}`
}

export function isTypeUndecided({ loaded, type, meanwhile }: EntityDraft): boolean {
  return meanwhile?.typeBefore !== undefined && type !== loaded?.type
}

/** Tells whether a property was written on both sides, which must be decided before anything is sent. */
export function hasConflicts(draft: EntityDraft): boolean {
  return (
    draft.rows.some((row) => row.contested) ||
    isTypeUndecided(draft) ||
    (draft.meanwhile?.lost.length ?? 0) > 0
  )
}

/** Ids of choices that belong to no row: the entity's type, and edits that cannot be kept. */
export const typeChoice = 'type'
export const lostChoice = 'lost'

/** The draft as chosen, row by row; what is not chosen stays undecided. */
export function decide(draft: EntityDraft, choices: Choices): EntityDraft {
  const { meanwhile, ...rest } = draft
  const { typeBefore, lost = [], theirs = [] } = meanwhile ?? {}
  const typeSide = choices.get(typeChoice)
  const rows = draft.rows.flatMap((row) =>
    row.meanwhile && choices.get(row.id) === 'theirs' ? revertRow(row) : row,
  )
  return {
    ...rest,
    ...(typeSide === 'theirs' && draft.loaded && { type: draft.loaded.type }),
    rows: keepMine(rows, (id) => choices.get(id) === 'mine'),
    meanwhile: {
      theirs,
      lost: choices.has(lostChoice) ? [] : lost,
      ...(typeBefore !== undefined && typeSide === undefined && { typeBefore }),
    },
  }
}
