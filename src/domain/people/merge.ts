import { asSent, fieldNames, type UserValues, type UserField } from './user-fields.ts'

/** Two edits of the same field. */
export interface Conflict {
  readonly field: UserField
  /** What both began with. */
  readonly base: string
  readonly mine: string
  readonly theirs: string
}

export interface Merge {
  readonly conflicts: readonly Conflict[]
  /** Fields that only I changed: they are sent whatever is chosen for the others. */
  readonly mine: readonly UserField[]
  /** Fields that only somebody else changed: they stay as they are stored. */
  readonly theirs: readonly UserField[]
}

/**
 * What two edits of one user come to, field by field. The same change twice is no conflict, and nothing to send.
 * @param base What my edit began with.
 * @param changed The fields that I touched, with `mine` in them.
 * @param theirs What is stored now.
 */
export function mergeUser(
  base: UserValues,
  mine: UserValues,
  changed: readonly UserField[],
  theirs: UserValues,
): Merge {
  const same = (field: UserField, a: UserValues, b: UserValues) =>
    asSent(field, a[field]) === asSent(field, b[field])
  const others = fieldNames.filter((field) => !same(field, base, theirs))
  const different = changed.filter((field) => !same(field, mine, theirs))
  return {
    conflicts: different
      .filter((field) => others.includes(field))
      .map((field) => ({ field, base: base[field], mine: mine[field], theirs: theirs[field] })),
    mine: different.filter((field) => !others.includes(field)),
    theirs: others.filter((field) => !changed.includes(field)),
  }
}
