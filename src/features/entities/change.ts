import type { Entity, EntityWrite, Property } from '#contract/index.ts'

import { sameJson } from '../../domain/values/same-json.ts'
import { isBlank } from '../../domain/values/draft.ts'
import {
  type Aspect,
  changedAspects,
  draftOfRow,
  type EntityDraft,
  isHidden,
  isMasked,
  isUnused,
  readRow,
  type Row,
  sameProperty,
} from './draft.ts'

/** One line of the review. */
export type Change =
  | { readonly kind: 'added'; readonly row: Row }
  | {
      readonly kind: 'changed'
      readonly row: Row
      readonly aspects: readonly Aspect[]
      readonly loaded: Property
    }
  | { readonly kind: 'removed'; readonly row: Row; readonly loaded: Property }

/** What a draft makes of the entity it was loaded from, in the order of the form. */
export function changesOf(draft: EntityDraft): readonly Change[] {
  return folded(draft).rows.flatMap((row): Change[] => {
    const { loaded } = row
    if (!loaded) return isUnused(row) ? [] : [{ kind: 'added', row }]
    if (row.removed === true) return [{ kind: 'removed', row, loaded }]
    const aspects = changedAspects(row)
    return aspects.length === 0 ? [] : [{ kind: 'changed', row, aspects, loaded }]
  })
}

/** A property that was removed and added again under its key is one that was changed. */
export function folded(draft: EntityDraft): EntityDraft {
  const removed = new Map(
    draft.rows.flatMap((row) => (row.removed === true ? [[row.key, row.loaded] as const] : [])),
  )
  if (removed.size === 0) return draft
  const again = new Set(draft.rows.flatMap((row) => (!row.loaded && removed.has(row.key) ? [row.key] : [])))
  if (again.size === 0) return draft
  const rows = draft.rows.flatMap((row): Row[] => {
    if (row.removed === true) return again.has(row.key) ? [] : [row]
    const loaded = row.loaded ? undefined : removed.get(row.key)
    if (!loaded) return [row]
    const merged = { ...row, loaded }
    // Left blank, an input that was added is no value, while one that replaces a hidden value changes nothing.
    return [isHidden(merged) && isBlank(draftOfRow(row)) ? { ...merged, emptied: true } : merged]
  })
  return { ...draft, rows }
}

/** Loaded with another type than it is to have. A new entity's type is no change. */
export function isTypeChanged({ loaded, type }: EntityDraft): boolean {
  return loaded !== undefined && loaded.type !== type
}

export interface WriteRequest {
  /** PATCH sends the changed keys alone; a removal or another key takes PUT, which replaces everything. */
  readonly method: 'POST' | 'PATCH' | 'PUT'
  readonly body: { readonly type: string; readonly properties: readonly Record<string, unknown>[] }
  /** The row of each property in the body, to lead an error back. */
  readonly rowIds: readonly string[]
}

/** The request for a draft without issues; `undefined`: there is nothing to send. */
export function requestOf(unfolded: EntityDraft): WriteRequest | undefined {
  const draft = folded(unfolded)
  const changes = changesOf(draft)
  if (draft.loaded && changes.length === 0 && !isTypeChanged(draft)) return undefined
  const replaces = changes.some(
    (change) => change.kind === 'removed' || (change.kind === 'changed' && change.aspects.includes('key')),
  )
  const method = !draft.loaded ? 'POST' : replaces ? 'PUT' : 'PATCH'
  const changed = new Set(changes.map(({ row }) => row.id))
  const sent = draft.rows.filter(
    (row) => row.removed !== true && !isUnused(row) && (changed.has(row.id) || method === 'PUT'),
  )
  return {
    method,
    body: {
      // What the service holds beside the documented fields would be lost by a replacement without it.
      ...(method === 'PUT' && draft.loaded && without(draft.loaded, ['id', 'created', 'properties'])),
      type: draft.type,
      properties: sent.map((row) => propertyOf(row, method, changed.has(row.id))),
    },
    rowIds: sent.map(({ id }) => id),
  }
}

function propertyOf(row: Row, method: WriteRequest['method'], isChanged: boolean): Record<string, unknown> {
  const { key, type, sensitive, loaded } = row
  // The value that the caller never saw: told to be kept, never made up.
  const kept = method === 'PUT' ? { masked: true } : {}
  const known =
    loaded && method === 'PUT'
      ? without(loaded, ['id', 'masked', 'value', ...(isMasked(row) ? ['version'] : [])])
      : {}
  if (loaded && !isChanged) {
    const value = isMasked(row) ? kept : loaded.value === undefined ? {} : { value: loaded.value }
    return { ...known, ...value }
  }
  const read = readRow(row)
  if (read !== 'kept' && read.issues) throw new Error('A draft with issues was to be sent.')
  return { ...known, key, type, sensitive, ...(read === 'kept' ? kept : { value: read.value }) }
}

/** The type of what is sent is the API's; a foreign service's further members travel with it. */
export function bodyOf(request: WriteRequest): EntityWrite {
  return request.body as EntityWrite
}

function without(from: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)))
}

/**
 * After a write whose answer was lost: what a new reading tells of it. `unclear`: somebody else wrote as well, or the
 * service stored something else than was sent, or all that changed are values that are not shown.
 */
export function fateOf(sent: EntityDraft, now: Entity): 'written' | 'not written' | 'unclear' {
  const { loaded } = sent
  const there = new Map(now.properties.map((property) => [property.key, property]))
  const changes = changesOf(sent)
  const given = new Set(changes.flatMap(({ kind, row }) => (kind === 'removed' ? [] : [row.key])))
  const traces = new Set(changes.map((each) => traceOf(each, there, given)))
  const typeChanged = isTypeChanged(sent)
  if (now.type === sent.type && !traces.has('absent') && (!loaded || typeChanged || traces.has('there')))
    return 'written'
  const untouched =
    loaded !== undefined &&
    now.type === loaded.type &&
    now.properties.length === loaded.properties.length &&
    loaded.properties.every((property, index) => {
      const other = now.properties[index]
      return other !== undefined && sameProperty(property, other)
    })
  return untouched && (typeChanged || traces.has('absent')) ? 'not written' : 'unclear'
}

/**
 * Whether a change is to be seen in what the service answers; `hidden`: it would not show either way.
 * @param given Keys that the edit itself gave to something: such a key is there however its old owner fared.
 */
function traceOf(
  sent: Change,
  there: ReadonlyMap<string, Property>,
  given: ReadonlySet<string>,
): 'there' | 'absent' | 'hidden' {
  const { row } = sent
  const isGone = (key: string) => !there.has(key) || given.has(key)
  if (sent.kind === 'removed') return isGone(row.key) ? 'there' : 'absent'
  const property = there.get(row.key)
  const isRenamed = sent.kind === 'changed' && sent.aspects.includes('key')
  if (!property || property.type !== row.type || (property.sensitive ?? false) !== row.sensitive)
    return 'absent'
  if (isRenamed && !isGone(sent.loaded.key)) return 'absent'
  const read = readRow(row)
  if (read === 'kept' || (property.masked === true && property.value === undefined)) {
    if (sent.kind !== 'changed' || sent.aspects.some((aspect) => aspect !== 'value')) return 'there'
    const { version } = property
    // Another version was written by somebody; whether from here it does not say.
    return version !== undefined && version === sent.loaded.version ? 'absent' : 'hidden'
  }
  return !read.issues && holds(property.value, read.value) ? 'there' : 'absent'
}

/** The stored value is the one that was sent, apart from members that the service fills in (`statusDate`). */
function holds(stored: unknown, sent: unknown): boolean {
  if (sent === null || typeof sent !== 'object' || stored === null || typeof stored !== 'object')
    return sameJson(stored, sent)
  return Object.entries(sent).every(([name, part]) =>
    sameJson((stored as Record<string, unknown>)[name], part),
  )
}
