import {
  type DataType,
  entityType,
  findHidden,
  isDataType,
  type KnownKey,
  propertyKey,
  trimEnds,
} from '#contract/index.ts'

import type { KnownProperty } from '../../domain/known-properties/known-property.ts'
import type { KnownProperties } from '../../domain/known-properties/use-known-properties.ts'
import { type Draft, emptyDraft, retype, valueOf } from '../../domain/values/draft.ts'
import { batchText } from '../../messages/index.ts'

const batchFormText = batchText.form

/** Values of the batch form. */
export interface FormState {
  readonly entity: string
  readonly key: string
  readonly type: DataType
  readonly value: Draft
  /** Whether the property loses its value. */
  readonly clears: boolean
  /** Explicit choice; undefined: follow the sensitivity of the known key. */
  readonly sensitive: boolean | undefined
  readonly create: boolean
  readonly first: boolean
}

/** Props of a part of the form. */
export interface BatchPartProps {
  readonly state: FormState
  /** Known properties of the entity type. */
  readonly known: KnownProperties
  readonly set: (change: Partial<FormState>) => void
  /** Problems to show; none before the first attempt to submit. */
  readonly problems: Partial<ReturnType<typeof checkForm>>
}

export const emptyBatch: FormState = {
  entity: 'person',
  key: '',
  type: 'TEXT',
  value: emptyDraft,
  clears: false,
  sensitive: undefined,
  create: false,
  first: false,
}

/** Takes a key that the service knows, with its type. */
export function takeKnownKey(state: FormState, { key, type }: KnownKey): FormState {
  return changeType(changeKey(state, { key }), isDataType(type) ? type : state.type)
}

/** A choice by hand wins; otherwise a property that is sensitive for other users is made sensitive here too. */
export function isSensitive({ sensitive }: FormState, known: KnownProperty | undefined): boolean {
  return sensitive ?? known?.sensitive === true
}

/**
 * Moves the form to another key or entity type. A choice against sensitivity concerned the former key, so it is
 * dropped.
 */
export function changeKey(state: FormState, place: Partial<Pick<FormState, 'entity' | 'key'>>): FormState {
  return { ...state, ...place, sensitive: state.sensitive === true ? true : undefined }
}

export function changeType(state: FormState, type: DataType): FormState {
  return { ...state, type, value: retype(state.value, state.type, type) }
}

/** Problems by field; undefined where there is none. The form shows them after the first attempt to submit. */
export function checkForm({ entity, key, type, value, clears }: FormState) {
  const read = valueOf(type, value)
  const isMissing = !clears && !read.issues && read.value === null
  return {
    entity: entityType.safeParse(entity).success ? undefined : batchFormText.entityInvalid,
    key: keyProblem(trimEnds(key)),
    value: clears
      ? undefined
      : (read.issues ?? (isMissing ? [{ path: [], detail: batchFormText.valueMissing }] : undefined)),
  }
}

function keyProblem(key: string): string | undefined {
  if (key === '') return batchFormText.keyMissing
  return findHidden(key) ?? (propertyKey.safeParse(key).success ? undefined : batchFormText.keyTooLong)
}

/** Builds the `set` part of the request body. */
export function toSet(state: FormState, known: KnownProperty | undefined) {
  const { entity, key, type, value, clears, create, first } = state
  const read = clears ? { value: null } : valueOf(type, value)
  return {
    entity,
    key,
    type,
    value: read.issues ? null : read.value,
    ...(isSensitive(state, known) && { sensitive: true as const }),
    ...(create && { create }),
    ...(first && { which: 'first' as const }),
  }
}
