import type { Entity, Property } from '#contract/index.ts'
import { isBlank } from '#contract/reading/parts.ts'
import { sameJson } from '../../../domain/values/same-json.ts'
import type { EntityDraft } from './entity-draft.ts'
import { draftOfRow, showsMask, isMasked, toRow, type DraftRow, sameProperty } from './row.ts'

/** Difference between a draft and its loaded entity; basis of the review, the request and the counts. */
export interface Difference {
  /** Rows of the draft. A property removed and added again under its key is one changed row. */
  readonly rows: readonly DraftRow[]
  /** Rows that change something, in form order. */
  readonly changes: readonly DraftRow[]
  /** Whether the type differs from the loaded one; false for a new entity. */
  readonly isTypeChanged: boolean
  /** Number of additions and changes, including a change of type. */
  readonly changedCount: number
  readonly removedCount: number
  readonly count: number
}

const differences = new WeakMap<EntityDraft, Difference>()

/** Returns the difference of a draft, cached per draft object. */
export function differenceOf(draft: EntityDraft): Difference {
  const before = differences.get(draft)
  if (before) return before
  const rows = foldRows(draft.rows)
  const changes = rows.filter(({ state }) => state !== 'kept' && state !== 'unused')
  const removedCount = changes.filter(({ state }) => state === 'removed').length
  const isTypeChanged = draft.loaded !== undefined && draft.loaded.type !== draft.type
  const changedCount = changes.length - removedCount + (isTypeChanged ? 1 : 0)
  const count = changedCount + removedCount
  const difference = { rows, changes, isTypeChanged, changedCount, removedCount, count }
  differences.set(draft, difference)
  return difference
}

function foldRows(rows: readonly DraftRow[]): readonly DraftRow[] {
  const removed = new Map(rows.flatMap((row) => (row.state === 'removed' ? [[row.key, row.loaded]] : [])))
  const again = new Set(rows.flatMap(({ loaded, key }) => (!loaded && removed.has(key) ? [key] : [])))
  if (again.size === 0) return rows
  return rows.flatMap((row): DraftRow[] => {
    if (row.state === 'removed') return again.has(row.key) ? [] : [row]
    const loaded = row.loaded ? undefined : removed.get(row.key)
    if (!loaded) return [row]
    const merged = { ...row, loaded }
    // Blank means no value in an added row, but unchanged in a masked one: the merged row keeps the former meaning.
    return [toRow(showsMask(merged) && isBlank(draftOfRow(row)) ? { ...merged, emptied: true } : merged)]
  })
}

/** Whether the draft unmarks a sensitive property and keeps its masked value, which others can then read. */
export function unmasksValue(draft: EntityDraft): boolean {
  return differenceOf(draft).changes.some(
    ({ state, loaded, sensitive, read }) =>
      state !== 'removed' && loaded?.sensitive === true && !sensitive && read === 'unseen',
  )
}

export interface WriteRequest {
  /** PATCH sends only the changed keys. A removal or a rename needs PUT, which replaces all properties. */
  readonly method: 'POST' | 'PATCH' | 'PUT'
  readonly body: { readonly type: string; readonly properties: readonly Record<string, unknown>[] }
  /** Row id of each property in the body, to map errors back to rows. */
  readonly rowIds: readonly string[]
}

/** Returns the request for a draft without issues; undefined if there is nothing to send. */
export function requestOf(draft: EntityDraft): WriteRequest | undefined {
  const { loaded, type } = draft
  const { rows, changes, isTypeChanged } = differenceOf(draft)
  if (loaded && changes.length === 0 && !isTypeChanged) return undefined
  const replaces = changes.some(({ state, aspects }) => state === 'removed' || aspects.includes('key'))
  const method = !loaded ? 'POST' : replaces ? 'PUT' : 'PATCH'
  const sent = (method === 'PUT' ? rows : changes).filter(
    ({ state }) => state !== 'removed' && state !== 'unused',
  )
  return {
    method,
    body: {
      // Undocumented members of the entity are sent back, since a PUT without them would remove them.
      ...(method === 'PUT' && loaded && without(loaded, ['id', 'created', 'properties'])),
      type,
      properties: sent.map((row) => propertyOf(row, method === 'PUT')),
    },
    rowIds: sent.map(({ id }) => id),
  }
}

function propertyOf(row: DraftRow, replaces: boolean): Record<string, unknown> {
  const { key, type, sensitive, loaded, read, state } = row
  // The caller never saw the masked value, so the request tells the service to keep it.
  const kept = replaces ? { masked: true } : {}
  const unchanged = ['id', 'masked', 'value', ...(isMasked(row) ? ['version'] : [])]
  const rest = loaded && replaces ? without(loaded, unchanged) : {}
  if (state === 'kept') {
    const value = isMasked(row) ? kept : row.loaded.value === undefined ? {} : { value: row.loaded.value }
    return { ...rest, ...value }
  }
  if (read !== 'unseen' && read.issues) throw new Error('A draft with issues was to be sent.')
  return { ...rest, key, type, sensitive, ...(read === 'unseen' ? kept : { value: read.value }) }
}

function without(from: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)))
}

/**
 * Determines, after a write whose response was lost, what a new read says about it. `unclear`: somebody else wrote
 * too, the service stored something other than what was sent, or all changed values are masked.
 */
export function fateOf(sent: EntityDraft, now: Entity): 'written' | 'not written' | 'unclear' {
  const { loaded } = sent
  const { changes, isTypeChanged } = differenceOf(sent)
  const there = new Map(now.properties.map((property) => [property.key, property]))
  const given = new Set(changes.flatMap(({ state, key }) => (state === 'removed' ? [] : [key])))
  const traces = new Set(changes.map((row) => traceOf(row, there, given)))
  if (now.type === sent.type && !traces.has('absent') && (!loaded || isTypeChanged || traces.has('there')))
    return 'written'
  const untouched =
    loaded !== undefined &&
    now.type === loaded.type &&
    now.properties.length === loaded.properties.length &&
    loaded.properties.every((property, index) => {
      const other = now.properties[index]
      return other !== undefined && sameProperty(property, other)
    })
  return untouched && (isTypeChanged || traces.has('absent')) ? 'not written' : 'unclear'
}

/**
 * Whether a change is visible in the newly read properties; `masked` if it would not be visible either way.
 * @param given Keys that the edit itself assigned. Their presence says nothing about the property that had the key
 * before.
 */
function traceOf(
  row: DraftRow,
  there: ReadonlyMap<string, Property>,
  given: ReadonlySet<string>,
): 'there' | 'absent' | 'masked' {
  const { key, loaded, read, aspects } = row
  const isGone = (name: string) => !there.has(name) || given.has(name)
  if (row.state === 'removed') return isGone(key) ? 'there' : 'absent'
  const property = there.get(key)
  if (!property || property.type !== row.type || (property.sensitive ?? false) !== row.sensitive)
    return 'absent'
  if (loaded && aspects.includes('key') && !isGone(loaded.key)) return 'absent'
  if (read === 'unseen' || (property.masked === true && property.value === undefined)) {
    if (!loaded || aspects.some((aspect) => aspect !== 'value')) return 'there'
    const { version } = property
    // A new version shows that the value was written, but not by whom.
    return version !== undefined && version === loaded.version ? 'absent' : 'masked'
  }
  return !read.issues && holds(property.value, read.value) ? 'there' : 'absent'
}

/** Whether the stored value equals the sent one, ignoring members that the service fills in (`statusDate`). */
function holds(stored: unknown, sent: unknown): boolean {
  if (sent === null || typeof sent !== 'object' || stored === null || typeof stored !== 'object')
    return sameJson(stored, sent)
  return Object.entries(sent).every(([name, part]) =>
    sameJson((stored as Record<string, unknown>)[name], part),
  )
}
