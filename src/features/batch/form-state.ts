import {
  type DataType,
  entityType,
  hiddenIn,
  isDataType,
  type KnownKey,
  propertyKey,
  trimEnds,
} from '#contract/index.ts'

import type { KnownProperty } from '../../domain/known-properties/known-property.ts'
import type { KnownProperties } from '../../domain/known-properties/use-known-properties.ts'
import { type Draft, emptyDraft, retype, valueOf } from '../../domain/values/draft.ts'
import { batchText } from '../../messages/index.ts'

const text = batchText.form

/** What is to be set, as it stands in the form. */
export interface FormState {
  readonly entity: string
  readonly key: string
  readonly type: DataType
  readonly value: Draft
  /** The value is taken away. */
  readonly clears: boolean
  /** Absent: as the key is that was chosen or typed. */
  readonly sensitive: boolean | undefined
  readonly create: boolean
  readonly first: boolean
}

/** Props of a part of the form. */
export interface PartProps {
  readonly state: FormState
  /** Of the entity type. */
  readonly known: KnownProperties
  readonly set: (change: Partial<FormState>) => void
  /** Shown once somebody tried to send it. */
  readonly problems: Partial<ReturnType<typeof problemsOf>>
}

export const emptyForm: FormState = {
  entity: 'person',
  key: '',
  type: 'TEXT',
  value: emptyDraft,
  clears: false,
  sensitive: undefined,
  create: false,
  first: false,
}

/** A key that the service knows brings its type along. */
export function withKey(state: FormState, { key, type }: KnownKey): FormState {
  return withType(moved(state, { key }), isDataType(type) ? type : state.type)
}

/** What was chosen by hand; else a property that is hidden for others is made sensitive, too. */
export function isSensitive({ sensitive }: FormState, known: KnownProperty | undefined): boolean {
  return sensitive ?? known?.sensitive === true
}

/** Under another key, or of another type of entity: that it is in clear was chosen for the one before. */
export function moved(state: FormState, place: Partial<Pick<FormState, 'entity' | 'key'>>): FormState {
  return { ...state, ...place, sensitive: state.sensitive === true ? true : undefined }
}

export function withType(state: FormState, type: DataType): FormState {
  return { ...state, type, value: retype(state.value, state.type, type) }
}

/** What is wrong, by field; nothing of what is missing before somebody tried to send it. */
export function problemsOf({ entity, key, type, value, clears }: FormState) {
  const read = valueOf(type, value)
  const isMissing = !clears && !read.issues && read.value === null
  return {
    entity: entityType.safeParse(entity).success ? undefined : text.entityInvalid,
    key: keyProblem(trimEnds(key)),
    value: clears
      ? undefined
      : (read.issues ?? (isMissing ? [{ path: [], detail: text.valueMissing }] : undefined)),
  }
}

function keyProblem(key: string): string | undefined {
  if (key === '') return text.keyMissing
  return hiddenIn(key) ?? (propertyKey.safeParse(key).success ? undefined : text.keyTooLong)
}

/** As it is sent. */
export function setOf(state: FormState, known: KnownProperty | undefined) {
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
