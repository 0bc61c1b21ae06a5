import type { Entity, Property } from '#contract/index.ts'

import { retype } from '../../domain/values/draft.ts'
import { folded } from './change.ts'
import {
  changedAspects,
  draftOfRow,
  type EntityDraft,
  hasNewValue,
  isHidden,
  isMasked,
  keepMine,
  loadedDraft,
  type Row,
  rowOf,
  sameProperty,
  undone,
} from './draft.ts'

export interface Rebased {
  readonly draft: EntityDraft
  /** Written by somebody else as well as here: to be decided before anything is sent. */
  readonly conflicts: boolean
}

/**
 * The same edit on a newer state of the entity. Different keys merge; a key that was written on both sides keeps what
 * was typed here, is marked, and counts as a conflict until it is decided.
 */
export function rebase(unfolded: EntityDraft, fresh: Entity): Rebased {
  const draft = folded(unfolded)
  const pending = occurrences(fresh.properties)
  const rows: Row[] = []
  const own = occurrences(draft.loaded?.properties ?? [])
  const placeOf = new Map([...own].map(([place, property]) => [property, place]))
  const theirs = new Set(draft.meanwhile?.theirs)
  const lost = new Set(draft.meanwhile?.lost)
  const added: Row[] = []
  const before = new Set((draft.loaded?.properties ?? []).map(({ key }) => key))
  const after = new Set(fresh.properties.map(({ key }) => key))

  for (const row of draft.rows) {
    const { loaded } = row
    if (!loaded) {
      added.push(row)
      continue
    }
    const place = placeOf.get(loaded) ?? placed(loaded.key, 0)
    const now = pending.get(place)
    pending.delete(place)
    // A value that is not shown may have been replaced by the same: a change as soon as they wrote another.
    const edited =
      row.removed === true || changedAspects(row).length > 0 || (isHidden(row) && hasNewValue(row))
    if (!now) {
      // Both removed it, or somebody removed what is only read here.
      if (row.removed === true) continue
      if (!edited) theirs.add(loaded.key)
      // A value that was never seen cannot be written again.
      else if (isMasked(row) && !hasNewValue(row)) lost.add(loaded.key)
      else {
        const there = placed(row.key, 0)
        const renamed = row.key !== loaded.key && !own.has(there) ? pending.get(there) : undefined
        if (renamed) pending.delete(there)
        rows.push(
          renamed
            ? settledOr({ ...unloaded(row), loaded: renamed }, 'changed', loaded)
            : contested(unloaded(row), 'removed', loaded),
        )
      }
    } else if (!edited) {
      if (!sameProperty(loaded, now)) theirs.add(loaded.key)
      // A replacement that was opened and left blank stays open.
      rows.push({ ...rowOf(now), id: row.id, ...(isHidden(row) && row.edit && { edit: row.edit }) })
    } else if (sameProperty(loaded, now)) rows.push({ ...row, loaded: now })
    else rows.push(settledOr(onto(row, loaded, now), 'changed', loaded))
  }
  for (const row of added) {
    const now = row.key === '' ? undefined : pending.get(placed(row.key, 0))
    if (!now) {
      // The property that had this key was given another one here, and there it is gone.
      const gone = after.has(row.key) ? undefined : own.get(placed(row.key, 0))
      rows.push(gone ? contested(row, 'removed', gone) : row)
      continue
    }
    pending.delete(placed(row.key, 0))
    rows.push(settledOr({ ...row, loaded: now }, 'added', undefined))
  }
  for (const now of pending.values()) {
    theirs.add(now.key)
    rows.push(rowOf(now))
  }
  // A key that was given here to another property, and there to a new one, or to none any more.
  for (const [index, row] of rows.entries())
    if (
      row.loaded &&
      row.removed !== true &&
      row.key !== row.loaded.key &&
      before.has(row.key) !== after.has(row.key)
    )
      rows[index] = contested(row, before.has(row.key) ? 'removed' : 'changed', row.loaded)

  const base = draft.meanwhile?.typeBefore ?? draft.loaded?.type
  const typeContested =
    draft.type !== draft.loaded?.type && fresh.type !== draft.loaded?.type && fresh.type !== draft.type
  const isTypeOpen = typeContested || isTypeUndecided(draft)
  const rebased: EntityDraft = {
    loaded: fresh,
    type: draft.type === draft.loaded?.type ? fresh.type : draft.type,
    rows,
    meanwhile: {
      theirs: [...theirs],
      lost: [...lost],
      ...(isTypeOpen && base !== undefined && { typeBefore: base }),
    },
  }
  return { draft: rebased, conflicts: hasConflicts(rebased) }
}

/** Both sides wrote the same, or else it is a question. */
function settledOr(row: Row, meanwhile: NonNullable<Row['meanwhile']>, before: Property | undefined): Row {
  const [settled] = row.removed !== true && changedAspects(row).length === 0 ? undone(row) : []
  return settled ?? contested(row, meanwhile, before)
}

/** Both sides wrote it. What both began with stays the first such state, whatever comes after. */
function contested(row: Row, meanwhile: NonNullable<Row['meanwhile']>, loaded: Property | undefined): Row {
  const { before: known, ...rest } = row
  const before = row.meanwhile ? known : loaded
  return { ...rest, meanwhile, ...(before && { before }) }
}

/** What was not touched here takes what they wrote. */
function onto(row: Row, loaded: Property, now: Property): Row {
  const type = row.type === loaded.type ? now.type : row.type
  return {
    ...row,
    loaded: now,
    sensitive: row.sensitive === (loaded.sensitive ?? false) ? (now.sensitive ?? false) : row.sensitive,
    type,
    ...(row.edit && { edit: retype(row.edit, row.type, type) }),
  }
}

/** An edit of a property that is gone: an addition of what it was to be. */
function unloaded(row: Row): Row {
  const { loaded: _, emptied: __, ...rest } = row
  return { ...rest, edit: hasNewValue(row) ? draftOfRow(row) : loadedDraft(row) }
}

/** Properties by key, and where another service repeats a key, by its turn. */
function occurrences(properties: readonly Property[]): Map<string, Property> {
  const found = new Map<string, Property>()
  const turns = new Map<string, number>()
  for (const property of properties) {
    const turn = turns.get(property.key) ?? 0
    turns.set(property.key, turn + 1)
    found.set(placed(property.key, turn), property)
  }
  return found
}

function placed(key: string, turn: number): string {
  return `${turn} ${key}`
}

/** Edited here and written by somebody else, and nobody has said yet which of the two shall be. */
export function isUndecided(row: Row): boolean {
  return (
    row.meanwhile !== undefined && (!row.loaded || row.removed === true || changedAspects(row).length > 0)
  )
}

export function isTypeUndecided({ loaded, type, meanwhile }: EntityDraft): boolean {
  return meanwhile?.typeBefore !== undefined && type !== loaded?.type
}

/** Such a draft is not to be sent. */
export function hasConflicts(draft: EntityDraft): boolean {
  return draft.rows.some(isUndecided) || isTypeUndecided(draft) || (draft.meanwhile?.lost.length ?? 0) > 0
}

export type Side = 'mine' | 'theirs'

/** In the choices, beside the ids of rows: the type of the entity, and the edits that cannot be kept. */
export const typeChoice = 'type'
export const lostChoice = 'lost'

/** The draft as chosen, row by row; what is not chosen stays undecided. */
export function decide(draft: EntityDraft, choices: ReadonlyMap<string, Side>): EntityDraft {
  const { meanwhile, ...rest } = draft
  const { typeBefore, lost = [], theirs = [] } = meanwhile ?? {}
  const typeSide = choices.get(typeChoice)
  const rows = draft.rows.flatMap((row) =>
    row.meanwhile && choices.get(row.id) === 'theirs' ? undone(row) : [row],
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
