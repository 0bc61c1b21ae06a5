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

export interface FormState {
  readonly entity: string
  readonly key: string
  readonly type: DataType
  readonly value: Draft
  readonly clears: boolean
  /** Sensitivity chosen by hand; undefined to follow the known property. */
  readonly sensitive: boolean | undefined
  readonly create: boolean
  readonly first: boolean
}

export interface BatchPartProps {
  readonly state: FormState
  readonly known: KnownProperties
  readonly set: (change: Partial<FormState>) => void
  /** Problems to show by field; empty before the first attempt to submit. */
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

export function takeKnownKey(state: FormState, { key, type }: Pick<KnownKey, 'key' | 'type'>): FormState {
  return changeType(changeKey(state, { key }), isDataType(type) ? type : state.type)
}

/** Whether the property will be sensitive: as chosen, or else as other users' properties with this key are. */
export function isSensitive({ sensitive }: FormState, known: KnownProperty | undefined): boolean {
  return sensitive ?? known?.sensitive === true
}

/** Moves the form to another key or entity type. Drops a choice of "not sensitive" made for the previous one. */
export function changeKey(state: FormState, place: Partial<Pick<FormState, 'entity' | 'key'>>): FormState {
  return { ...state, ...place, sensitive: state.sensitive === true ? true : undefined }
}

export function changeType(state: FormState, type: DataType): FormState {
  return { ...state, type, value: retype(state.value, state.type, type) }
}

/** Returns the problems by field. The form shows them after the first attempt to submit. */
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
