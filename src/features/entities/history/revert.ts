import { propertyLabel } from '../../../domain/labels.ts'
import { sameJson } from '../../../domain/values/same-json.ts'
import { historyText, entityText } from '../../../messages/index.ts'
import { differenceOf } from '../draft/difference.ts'
import { change, type EntityDraft, type DisabledReasons, putBack } from '../draft/entity-draft.ts'
import { isMasked, type DraftRow } from '../draft/row.ts'
import type { HistoryItem, PropertyChange } from './entries.ts'

/** Masked value that the service restores without sending it to the console. */
export interface ServiceRevert {
  readonly changesetId: string
  readonly key: string
  /** Whether the value becomes readable, because the property is no longer sensitive. */
  readonly opens?: true
}

/** Result of restoring an earlier state: an edit in the form, a request, or the reason why it is impossible. */
export type ChangeRevert =
  | {
      readonly draft: EntityDraft
      /** Id of the row that was changed. A removed row may be gone if its addition was unsaved. */
      readonly rowId?: string
      /** Whether the restore discards another unsaved edit of the property. */
      readonly replacesEdit: boolean
    }
  | { readonly revert: ServiceRevert }
  | { readonly reason: string; readonly isSame?: true }

export function revertChange(draft: EntityDraft, old: PropertyChange, denied: DisabledReasons): ChangeRevert {
  if (denied.write !== undefined) return { reason: denied.write }
  const row = rowOfToday(draft, old.keyNow)
  if (
    denied.replace !== undefined &&
    draft.rows.filter(({ loaded }) => loaded?.key === old.keyNow).length > 1
  )
    return { reason: entityText.form.repeatedReason }
  switch (old.kind) {
    case 'added':
      return withoutRow(draft, row, denied)
    case 'renamed':
      return row
        ? withKey(draft, row, old.keyBefore ?? old.key, denied)
        : old.masked
          ? { reason: historyText.reason.hidden }
          : withRow(draft, old.keyBefore ?? old.key, old)
    case 'changed':
    case 'removed':
      if (old.masked) return revertInService(draft, old, denied)
      return row ? withValue(draft, row, old) : withRow(draft, old.keyNow, old)
  }
}

function withoutRow(draft: EntityDraft, row: DraftRow | undefined, denied: DisabledReasons): ChangeRevert {
  if (!row || row.removed === true) return { reason: historyText.reason.gone, isSame: true }
  const isSensitive = row.sensitive || row.loaded?.sensitive === true
  const reason = denied.replace ?? (isSensitive ? denied.writeSensitive : undefined)
  if (reason !== undefined) return { reason }
  return {
    draft: change(draft, { do: 'remove', id: row.id }),
    rowId: row.id,
    replacesEdit: row.state !== 'kept',
  }
}

function withKey(draft: EntityDraft, row: DraftRow, key: string, denied: DisabledReasons): ChangeRevert {
  if (row.removed !== true && row.key === key) return { reason: historyText.reason.same, isSame: true }
  if (draft.rows.some((other) => other.key === key && other.id !== row.id && other.removed !== true))
    return { reason: historyText.reason.keyTaken({ label: propertyLabel(draft.type, key) }) }
  const reason = denied.replace ?? (isMasked(row) ? entityText.form.movedUnseen : undefined)
  if (reason !== undefined) return { reason }
  const { id } = row
  return {
    draft: change(undoRemoval(draft, row), { do: 'set key', id, key }),
    rowId: id,
    replacesEdit: row.removed === true || (row.loaded !== undefined && row.key !== row.loaded.key),
  }
}

function withValue(draft: EntityDraft, row: DraftRow, old: PropertyChange): ChangeRevert {
  const { key, read } = row
  const [type, value] = [old.typeBefore, old.before ?? null]
  if (
    row.state !== 'removed' &&
    row.type === type &&
    read !== 'unseen' &&
    !read.issues &&
    sameJson(read.value, value)
  )
    return { reason: historyText.reason.same, isSame: true }
  return {
    ...putBack(undoRemoval(draft, row), { key, type, value }, row),
    replacesEdit: row.state !== 'kept',
  }
}

/** Adds a row for a property that no longer exists. */
function withRow(draft: EntityDraft, key: string, old: PropertyChange): ChangeRevert {
  return { ...putBack(draft, { key, type: old.typeBefore, value: old.before ?? null }), replacesEdit: false }
}

/** Returns the request to restore a masked value. The service does so immediately, without a save. */
function revertInService(draft: EntityDraft, old: PropertyChange, denied: DisabledReasons): ChangeRevert {
  const { changesetId, key, keyNow, marked } = old
  // A key renamed since then belongs to a different property for the service.
  if (changesetId === undefined || key !== keyNow) return { reason: historyText.reason.hidden }
  if (denied.writeSensitive !== undefined) return { reason: denied.writeSensitive }
  if (marked === true) return { reason: historyText.reason.marked }
  if (differenceOf(draft).count > 0) return { reason: historyText.reason.unsaved }
  const row = rowOfToday(draft, keyNow)
  // Reverting an unmarking marks the property again.
  const opens = marked === undefined && row !== undefined && !row.sensitive
  return { revert: { changesetId, key, ...(opens && { opens }) } }
}

function undoRemoval(draft: EntityDraft, { id, removed }: DraftRow): EntityDraft {
  return removed === true ? change(draft, { do: 'undo', id }) : draft
}

/** Finds the row of a property by its stored key; a row added here has only its current key. */
function rowOfToday({ rows }: EntityDraft, key: string): DraftRow | undefined {
  const found = rows.filter((row) => (row.loaded?.key ?? row.key) === key)
  return found.find(({ removed }) => removed !== true) ?? found[0]
}

export type EntryRevert =
  | {
      readonly draft: EntityDraft
      readonly count: number
      readonly of: number
      readonly replacesEdit: boolean
    }
  | { readonly reason: string }

/** Restores as much of what one write changed as possible. */
export function revertEntry(draft: EntityDraft, entry: HistoryItem, denied: DisabledReasons): EntryRevert {
  if (denied.write !== undefined) return { reason: denied.write }
  let next = draft
  let replacesEdit = false
  let [count, of] = [0, 0]
  const reasons: string[] = []
  const { entityTypeBefore: type } = entry
  if (type !== undefined && type !== draft.type) {
    next = change(next, { do: 'set type', type })
    count = of = 1
    replacesEdit = draft.type !== draft.loaded?.type
  }
  // Revert additions and renames first, because they free keys that other changes need.
  const inTurn = (entry.changes ?? []).toSorted(
    (a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind),
  )
  for (const old of inTurn) {
    const result = revertChange(next, old, denied)
    if ('draft' in result) {
      next = result.draft
      count += 1
      replacesEdit ||= result.replacesEdit
    } else reasons.push('revert' in result ? historyText.reason.oneByOne : result.reason)
    if (!('isSame' in result)) of += 1
  }
  return count > 0
    ? { draft: next, count, of, replacesEdit }
    : { reason: reasons[0] ?? historyText.reason.same }
}

const kindOrder: readonly PropertyChange['kind'][] = ['added', 'renamed', 'changed', 'removed']
