import { trimEnds, unknownEmail, unknownName, type User, type UserPatch } from '#contract/index.ts'

/** Drops the service's placeholder for a missing value, so that it is neither shown nor sent back. */
function withoutPlaceholder(value: string | null | undefined, standIn: string): string | undefined {
  return value === null || value === undefined || value === '' || value === standIn ? undefined : value
}

type Named = Pick<User, 'name' | 'email'>
export const nameOf = (user: Named) => withoutPlaceholder(user.name, unknownName)
export const emailOf = (user: Named) => withoutPlaceholder(user.email, unknownEmail)

/** Returns one line that identifies a user: name, e-mail address and ref. */
export function identifyUser(user: Named & Pick<User, 'ref'>): string {
  const known = [nameOf(user), emailOf(user), user.ref ?? '']
  return known.filter((part) => part !== undefined && part !== '').join(' · ')
}

/** Fields of a user that a person may set; the service sets the others. */
export const fieldNames = ['name', 'email', 'ref', 'since'] as const
export type UserFieldName = (typeof fieldNames)[number]
/** Editable fields of a user, as typed. */
export type UserValues = Readonly<Record<UserFieldName, string>>

export const blankValues: UserValues = { name: '', email: '', ref: '', since: '' }

export function valuesOf(user: Named & Pick<User, 'ref' | 'since'>): UserValues {
  return {
    name: nameOf(user) ?? '',
    email: emailOf(user) ?? '',
    ref: user.ref ?? '',
    since: (user.since ?? '').replace('T', ' ').replace(/\.000$/, ''),
  }
}

/** Returns the fields to send. A cleared field is sent as `""`, which resets it to the service's default. */
export function userBody(values: UserValues, fields: readonly UserFieldName[]): UserPatch {
  return Object.fromEntries(fields.map((field) => [field, toSent(field, values[field])]))
}

/** Returns the fields of a new user that were filled in. */
export function givenFields(values: UserValues): UserFieldName[] {
  return fieldNames.filter((field) => toSent(field, values[field]) !== '')
}

export function toSent(field: UserFieldName, typed: string): string {
  const value = trimEnds(typed)
  if (field === 'since') return wireDatetime(value)
  return value === (field === 'name' ? unknownName : field === 'email' ? unknownEmail : '') ? '' : value
}

/**
 * Converts a typed datetime to the API's format: `2024-03-01 09:30` to `2024-03-01T09:30:00`. Works on text, since a
 * `Date` would convert it to the browser's zone. Returns text in any other format unchanged, so that the schema
 * rejects it.
 */
function wireDatetime(typed: string): string {
  const [, day, minutes = '00:00', seconds = '00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(?::(\d{2}(?:\.\d{1,3})?))?)?$/.exec(typed) ?? []
  return day === undefined ? typed : `${day}T${minutes}:${seconds}`
}
