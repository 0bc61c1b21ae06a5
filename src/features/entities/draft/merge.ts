import type { Entity, Property } from '#contract/index.ts'
import { retype } from '../../../domain/values/draft.ts'
import type { Choices } from '../../../domain/writing/ConflictDialog.tsx'
import { differenceOf } from './difference.ts'
import { type EntityDraft, keepMine } from './entity-draft.ts'
import {
  draftOfRow,
  hasNewValue,
  showsMask,
  isMasked,
  loadedDraft,
  toRow,
  type DraftRow,
  rowOf,
  sameProperty,
  type TypedRow,
  revertRow,
} from './row.ts'

interface Merging {
  /** Properties of the version that the edit started from, by occurrence. */
  readonly own: ReadonlyMap<string, Property>
  /** Properties of the newest version that no row has claimed yet, by occurrence. */
  readonly pending: Map<string, Property>
  readonly theirs: Set<string>
  readonly lost: Set<string>
}

/**
 * Rebases an edit onto a newer version of the entity. Changes of different keys merge. A key written on both sides
 * keeps the value typed here and is contested until somebody decides.
 */
export function rebase(draft: EntityDraft, fresh: Entity): EntityDraft {
  const { loaded, type, concurrentChanges } = draft
  const own = occurrences(loaded?.properties ?? [])
  const placeOf = new Map([...own].map(([place, property]) => [property, place]))
  const pending = occurrences(fresh.properties)
  const merging: Merging = {
    own,
    pending,
    theirs: new Set(concurrentChanges?.theirs),
    lost: new Set(concurrentChanges?.lost),
  }
  const before = new Set((loaded?.properties ?? []).map(({ key }) => key))
  const after = new Set(fresh.properties.map(({ key }) => key))
  const { rows } = differenceOf(draft)
  const known = rows.flatMap((row) =>
    row.loaded
      ? rebaseLoaded(row, row.loaded, placeOf.get(row.loaded) ?? occurrenceKey(row.loaded.key), merging)
      : [],
  )
  const added = rows.flatMap((row) => (row.loaded ? [] : [rebaseAdded(row, after, merging)]))
  const fromThem = [...pending.values()].map((now) => {
    merging.theirs.add(now.key)
    return rowOf(now)
  })
  const base = concurrentChanges?.typeBefore ?? loaded?.type
  const bothTyped = type !== loaded?.type && fresh.type !== loaded?.type && fresh.type !== type
  return {
    loaded: fresh,
    type: type === loaded?.type ? fresh.type : type,
    rows: [...known, ...added, ...fromThem].map((row) => contestKey(row, before, after)),
    concurrentChanges: {
      theirs: [...merging.theirs],
      lost: [...merging.lost],
      ...((bothTyped || isTypeUndecided(draft)) && base !== undefined && { typeBefore: base }),
    },
  }
}

/** Rebases the row of a loaded property onto its newer version. */
function rebaseLoaded(row: DraftRow, loaded: Property, place: string, merging: Merging): readonly DraftRow[] {
  const { own, pending, theirs, lost } = merging
  const now = pending.get(place)
  pending.delete(place)
  // A masked value may have been replaced by an equal one; this counts as an edit in case the other side wrote another.
  const isEdited = row.state !== 'kept' || (showsMask(row) && hasNewValue(row))
  if (now) {
    if (isEdited)
      return sameProperty(loaded, now) ? [toRow({ ...row, loaded: now })] : [onto(row, loaded, now)]
    if (!sameProperty(loaded, now)) theirs.add(loaded.key)
    // A replacement input that was opened and left blank stays open.
    const fresh = rowOf(now, row.id)
    return [showsMask(row) && row.edit ? toRow({ ...fresh, edit: row.edit }) : fresh]
  }
  // Both sides removed the property, or the other side removed one that was not edited here.
  if (row.state === 'removed') return []
  if (!isEdited) {
    theirs.add(loaded.key)
    return []
  }
  // A value that was never readable cannot be written again.
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

/** Rebases a row added here; the other side may have added or removed the same key. */
function rebaseAdded(row: DraftRow, after: ReadonlySet<string>, { own, pending }: Merging): DraftRow {
  const place = occurrenceKey(row.key)
  const now = row.key === '' ? undefined : pending.get(place)
  if (now) {
    pending.delete(place)
    return settleOrContest({ ...row, loaded: now }, 'added', undefined)
  }
  // The property that had this key was renamed here and removed by the other side.
  const gone = after.has(row.key) ? undefined : own.get(place)
  return gone ? contest(row, 'removed', gone) : row
}

/** Contests a row renamed here to a key that the other side newly used, or freed. */
function contestKey(row: DraftRow, before: ReadonlySet<string>, after: ReadonlySet<string>): DraftRow {
  const { loaded, key, state } = row
  if (!loaded || state === 'removed' || key === loaded.key || before.has(key) === after.has(key)) return row
  return contest(row, before.has(key) ? 'removed' : 'changed', loaded)
}

type Theirs = NonNullable<DraftRow['concurrentChange']>

/** Settles the row if both sides wrote the same; otherwise contests it. */
function settleOrContest(typed: TypedRow, concurrentChange: Theirs, before: Property | undefined): DraftRow {
  const [settled] = toRow(typed).state === 'kept' ? revertRow(typed) : []
  return settled ?? contest(typed, concurrentChange, before)
}

/** Marks a row as written on both sides. `before` remains the first common state, even after further rebases. */
function contest(typed: TypedRow, concurrentChange: Theirs, loaded: Property | undefined): DraftRow {
  const { before: known, ...rest } = typed
  const before = typed.concurrentChange ? known : loaded
  return toRow({ ...rest, concurrentChange, ...(before && { before }) })
}

/** Moves a row onto the newer property: aspects not edited here take the values written there. */
function onto(row: DraftRow, loaded: Property, now: Property): DraftRow {
  const type = row.type === loaded.type ? now.type : row.type
  const sensitive = row.sensitive === (loaded.sensitive ?? false) ? (now.sensitive ?? false) : row.sensitive
  const edit = row.edit && { edit: retype(row.edit, row.type, type) }
  return settleOrContest({ ...row, loaded: now, sensitive, type, ...edit }, 'changed', loaded)
}

/** Turns an edit of a property that no longer exists into an addition with the edited values. */
function detachRow(row: TypedRow): TypedRow {
  const { loaded: _, emptied: __, ...rest } = row
  return { ...rest, edit: hasNewValue(row) ? draftOfRow(row) : loadedDraft(row) }
}

/** Indexes properties by key and occurrence, because some services allow several properties with one key. */
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

export function isTypeUndecided({ loaded, type, concurrentChanges }: EntityDraft): boolean {
  return concurrentChanges?.typeBefore !== undefined && type !== loaded?.type
}

/** Whether a conflict must be decided before anything is sent. */
export function hasConflicts(draft: EntityDraft): boolean {
  return (
    draft.rows.some((row) => row.contested) ||
    isTypeUndecided(draft) ||
    (draft.concurrentChanges?.lost.length ?? 0) > 0
  )
}

/** Id of the choice of the entity's type, which belongs to no row. */
export const typeChoice = 'type'

/** Applies the choices to the draft, without edits that cannot be kept; conflicts without a choice stay undecided. */
export function decide(draft: EntityDraft, choices: Choices): EntityDraft {
  const { concurrentChanges, ...rest } = draft
  const { typeBefore, theirs = [] } = concurrentChanges ?? {}
  const typeSide = choices.get(typeChoice)
  const rows = draft.rows.flatMap((row) =>
    row.concurrentChange && choices.get(row.id) === 'theirs' ? revertRow(row) : row,
  )
  return {
    ...rest,
    ...(typeSide === 'theirs' && draft.loaded && { type: draft.loaded.type }),
    rows: keepMine(rows, (id) => choices.get(id) === 'mine'),
    concurrentChanges: {
      theirs,
      lost: [],
      ...(typeBefore !== undefined && typeSide === undefined && { typeBefore }),
    },
  }
}
