import {
  type DataType,
  maxPropertiesPerEntity,
  newPropertyKey,
  type PropertyInput,
  type PropertyValue,
  readNewValue,
  readValue,
  textKey,
} from '#contract/index.ts'
import type { Writing } from '../changesets/record.ts'
import { type Caller, requireScopes } from '../http/auth/caller.ts'
import { invalid, type RefusalError } from '../http/errors/problem.ts'
import { pointer } from '../http/json.ts'
import { newId } from '../store/new-id.ts'
import { isWeighed, weighConsent, type Weighed } from './consents.ts'

/** A property with its opened value, in an object by property key; sealing.ts converts it into its stored form. */
export interface StoredProperty {
  id: string
  /** Position among the entity's properties: jsonb does not keep the order of keys. */
  at: number
  type: DataType
  sensitive: boolean
  value: unknown
  /**
   * Folded text that matching compares, see `textKey`. Only text-like types have one, and sensitive values never do.
   */
  fold?: string
}

export type StoredProperties = Readonly<Record<string, StoredProperty>>

export type Relationship = PropertyValue['RELATIONSHIP']

/** Result of merging a write into an entity's properties. */
export interface Merged {
  readonly properties: StoredProperties
  readonly changed: boolean
  /** Whether the request gave a value for a sealed one. */
  readonly comparesSealed: boolean
  /**
   * Keys of sealed values that were given by a caller who may not read them. Each counts as a different value, even if
   * it equals the stored one.
   */
  readonly unseen: ReadonlySet<string>
  /** Keys of sealed values that the write keeps and stores in clear, so that it opens them. */
  readonly opens: readonly string[]
  /** Relationships in the request, except unchanged ones: their targets must exist. */
  readonly relationships: readonly { readonly target: Relationship; readonly pointer: string }[]
  /** Given consents that were left out because a later one is stored, in clear; of sealed ones nobody is told. */
  readonly left: readonly { readonly key: string; readonly pointer: string }[]
}

type Merging = Pick<Writing, 'caller' | 'gate' | 'reason' | 'saidAt' | 'olderConsents'>

/**
 * Applies a request's properties to the stored ones. `change` adds and changes; `replace` also drops properties that
 * are not named. A property keeps its id as long as its key remains. Throws a Refusal: 422 with pointers, or 403 if the
 * caller lacks a scope.
 */
export function mergeProperties(
  stored: StoredProperties,
  given: readonly PropertyInput[],
  mode: 'change' | 'replace',
  { caller, gate, reason, ...consents }: Merging,
): Merged {
  const errors: RefusalError[] = []
  const left: { key: string; pointer: string }[] = []
  const relationships: { target: Relationship; pointer: string }[] = []
  const before = new Map(Object.entries(stored))
  const after = mode === 'change' ? new Map(before) : new Map<string, StoredProperty>()
  let at = mode === 'change' ? nextPlace(before) : 0
  let touchesSensitive = false
  let unmarks = false
  const opens: string[] = []
  let comparesSealed = false
  let fitsSealed = false
  const unseen = new Set<string>()

  for (const { index, input, key } of withKeys(before, given, errors)) {
    const place = `/properties/${index}`
    const old = before.get(key)
    const type = input.type ?? (mode === 'change' ? old?.type : undefined)
    if (!type) {
      errors.push(required(`${place}/type`, 'A new property needs a type.'))
      continue
    }
    const keepsValue =
      input.value === undefined && old !== undefined && (mode === 'change' || input.masked === true)
    if (input.value === undefined && !keepsValue) {
      errors.push(required(`${place}/value`, 'Give a value; null for a property without one.'))
      continue
    }
    const sensitive =
      input.sensitive ?? (mode === 'change' || input.masked ? (old?.sensitive ?? false) : false)
    // The required rights do not depend on the value. A caller who may not read it must not learn it from a guess that
    // changes nothing, or from a type that the value does not fit.
    if (sensitive || old?.sensitive)
      touchesSensitive ||= !keepsValue || type !== old.type || sensitive !== old.sensitive
    comparesSealed ||= old?.sensitive === true && !keepsValue
    if (old?.sensitive && !keepsValue && isUnseen(caller)) unseen.add(key)
    // Whether the stored value fits the new type reveals something about the value.
    fitsSealed ||= old?.sensitive === true && keepsValue && type !== old.type
    // Unmarking reveals a sealed value to everybody, including the writer, unless they give another one.
    unmarks ||= old?.sensitive === true && !sensitive
    // A consent that is given may leave the stored one.
    if (old?.sensitive && !sensitive && (keepsValue || isWeighed(type, input.value, old))) opens.push(key)
    const comparable = unseen.has(key) ? undefined : old
    const read = keepsValue ? readKept(type, old) : readGiven(type, input.value, comparable)
    if (read.issues) {
      errors.push(...misfits(read.issues, index, keepsValue ? type : undefined))
      continue
    }
    const isStored = keepsValue || isStoredValue(type, read.value, comparable)
    if (type === 'RELATIONSHIP' && !isStored && read.value !== null)
      relationships.push({ target: read.value as Relationship, pointer: `${place}/value` })
    const weighed: Weighed = keepsValue ? read : weighConsent(type, read.value, old, consents)
    if (weighed.isLeft && !old?.sensitive) left.push({ key, pointer: `${place}/value` })
    const position = mode === 'change' ? (old?.at ?? at++) : at++
    after.set(key, toStoredProperty(old, position, { type, sensitive, value: weighed.value }))
  }
  touchesSensitive ||= [...before].some(([key, old]) => old.sensitive && !after.has(key))
  requireScopes(caller, [
    ...(touchesSensitive ? (['sensitive:write'] as const) : []),
    ...(unmarks || fitsSealed ? (['sensitive:read'] as const) : []),
  ])
  // Required first: whether the stored value fits a new type is told with the errors.
  if (opens.length > 0) gate.requireReasonToOpen(reason)
  if (errors.length > 0) throw invalid(errors)
  refuseTooMany(after.size, '/properties')
  return {
    properties: Object.fromEntries(after),
    changed: unseen.size > 0 || isChanged(before, after),
    comparesSealed,
    unseen,
    opens,
    relationships,
    left,
  }
}

const required = (pointer: string, detail: string): RefusalError => ({ pointer, code: 'required', detail })

/** Whether the caller, lacking `sensitive:read`, must not be able to recognise the sealed value by writing a guess. */
export const isUnseen = ({ scopes }: Caller) => !scopes.has('sensitive:read')

/**
 * Returns the refusals for a value that does not fit. `kept` is the type that the stored value does not fit; undefined
 * if the request gave the value.
 */
function misfits(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly detail: string }[],
  index: number,
  kept: DataType | undefined,
): RefusalError[] {
  return issues.map(({ path, detail }) => ({
    pointer:
      kept === undefined ? pointer(['properties', index, 'value', ...path]) : `/properties/${index}/type`,
    code: 'invalid_value',
    detail:
      kept === undefined ? detail : `The stored value is not a ${kept}; give a value with the new type.`,
  }))
}

/** Returns the request's properties by the keys they refer to, each once; adds errors for the others. */
function withKeys(
  stored: ReadonlyMap<string, unknown>,
  given: readonly PropertyInput[],
  errors: RefusalError[],
) {
  const named = new Set<string>()
  return [...given.entries()].flatMap(([index, input]) => {
    const { key, detail } = keyIn(stored, input.key)
    const isTwice = detail === undefined && named.has(key)
    named.add(key)
    if (detail === undefined && !isTwice) return [{ index, input, key }]
    errors.push({
      pointer: `/properties/${index}/key`,
      code: isTwice ? 'duplicate_key' : 'invalid',
      detail: detail ?? 'This key appears twice, apart from invisible characters.',
    })
    return []
  })
}

/**
 * Returns the key that a request refers to: a stored key as given, even if a new one would be invalid; otherwise the
 * key without invisible characters at its ends. `detail` says why a key is invalid.
 */
export function keyIn(
  stored: { has(key: string): boolean },
  given: string,
): { readonly key: string; readonly detail?: string | undefined } {
  if (stored.has(given)) return { key: given }
  const read = newPropertyKey.safeParse(given)
  return read.success ? { key: read.data } : { key: given, detail: read.error.issues[0]?.message ?? '' }
}

/** Reads a given value. A value sent back as stored counts as unchanged, even if it would be invalid as a new one. */
function readGiven(type: DataType, value: unknown, old: StoredProperty | undefined) {
  if (isStoredValue(type, value, old)) return { value }
  const read = readValue(type, value)
  return !read.issues && isStoredValue(type, read.value, old) ? read : readNewValue(type, value)
}

const readKept = (type: DataType, old: StoredProperty) =>
  type === old.type ? { value: old.value } : readValue(type, old.value)

const isStoredValue = (type: DataType, value: unknown, old: StoredProperty | undefined) =>
  old?.type === type && canonical(old.value) === canonical(value)

/** Returns the position after all existing properties. */
export function nextPlace(properties: ReadonlyMap<string, StoredProperty>): number {
  return Math.max(-1, ...[...properties.values()].map(({ at }) => at)) + 1
}

export function refuseTooMany(count: number, pointer: string): void {
  if (count > maxPropertiesPerEntity)
    throw invalid([
      {
        pointer,
        code: 'too_many_properties',
        detail: `An entity holds at most ${maxPropertiesPerEntity} properties; this would make ${count}.`,
      },
    ])
}

/**
 * Returns the properties as the API answers them, in their order. With `versionOf`, sensitive ones carry, instead of
 * their value, a version that changes with it.
 */
export function toProperties(
  properties: Readonly<Record<string, Omit<StoredProperty, 'value'> & { value?: unknown }>>,
  versionOf?: (key: string) => string,
) {
  return Object.entries(properties)
    .sort(([, a], [, b]) => a.at - b.at)
    .map(([key, { id, type, sensitive, value }]) =>
      sensitive && versionOf
        ? { id, key, type, sensitive, masked: true, version: versionOf(key) }
        : { id, key, type, sensitive, value },
    )
}

/**
 * Returns a property in its stored form; the value must fit the type. A property keeps its id as long as its key
 * remains.
 */
export function toStoredProperty(
  old: StoredProperty | undefined,
  at: number,
  {
    type,
    sensitive,
    value,
  }: { readonly type: DataType; readonly sensitive: boolean; readonly value: unknown },
): StoredProperty {
  const keyed =
    !sensitive && (type === 'TEXT' || type === 'EMAIL' || type === 'URL') && typeof value === 'string'
  return { id: old?.id ?? newId(), at, type, sensitive, value, ...(keyed && { fold: textKey(type, value) }) }
}

export function isChanged(
  before: ReadonlyMap<string, StoredProperty>,
  after: ReadonlyMap<string, StoredProperty>,
): boolean {
  if (before.size !== after.size) return true
  for (const [key, { id: _, ...now }] of after) {
    const { id: __, ...then } = before.get(key) ?? { id: '' }
    if (canonical(now) !== canonical(then)) return true
  }
  return false
}

/** Returns JSON with sorted keys: jsonb returns keys in its own order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
