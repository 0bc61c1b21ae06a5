import type { UserPatch } from '#contract/index.ts'
import { keyedWrites, type Reasoned } from '../../api/index.ts'
import { type Guard, guardedWrite } from '../writing/guarded-write.ts'
import { toSent, userBody, fieldNames, type UserFieldName, type UserValues } from './user-fields.ts'

export interface UserReading {
  readonly values: UserValues
  readonly etag: string | undefined
}

export interface UserEdit {
  readonly base: UserReading
  readonly values: UserValues
  readonly changed: readonly UserFieldName[]
  readonly reason?: string | undefined
}

export interface UserWrite extends Guard, Reasoned {
  readonly body: UserPatch
}

export type UserSaveResult =
  /** `theirs`: fields that somebody else changed in the meantime and that this edit left alone. */
  | { readonly outcome: 'saved'; readonly sent: boolean; readonly theirs: readonly UserFieldName[] }
  | { readonly outcome: 'conflict'; readonly merge: Merge; readonly now: UserReading }

/** Returns a function that saves edits of one user. It throws a failed request's `ApiError`, and may be repeated. */
export function userSaver(read: () => Promise<UserReading>, patch: (write: UserWrite) => Promise<unknown>) {
  const write = keyedWrites()
  return async ({ base, values, changed, reason }: UserEdit): Promise<UserSaveResult> => {
    const written = await guardedWrite<
      UserReading,
      Pick<Merge, 'theirs'> & { body: UserPatch },
      unknown,
      UserSaveResult
    >({
      write,
      base,
      read,
      tag: ({ etag }) => etag,
      merge: (now) => {
        const merge = mergeUser(base.values, values, changed, now.values)
        const { conflicts, mine, theirs } = merge
        if (conflicts.length > 0) return { done: { outcome: 'conflict', merge, now } }
        // The stored user has not changed: all edited fields are sent as typed, even those with their original value.
        const fields = now === base ? changed : mine
        if (fields.length === 0) return { done: { outcome: 'saved', sent: false, theirs } }
        return { send: { body: userBody(values, fields), theirs } }
      },
      requestOf: ({ body }) => [body, reason],
      send: ({ body }, guard) => patch({ body, reason, ...guard }),
    })
    if ('error' in written) throw written.error
    if (written.outcome === 'done') return written.result
    return { outcome: 'saved', sent: true, theirs: written.attempt.plan.theirs }
  }
}

type Merge = ReturnType<typeof mergeUser>

/**
 * Merges two edits of one user, field by field. An identical change on both sides is not a conflict and is not sent.
 * @param base Values that this edit is based on.
 * @param changed Fields that this edit changed, with their values in `mine`.
 * @param theirs Values that are stored now.
 */
export function mergeUser(
  base: UserValues,
  mine: UserValues,
  changed: readonly UserFieldName[],
  theirs: UserValues,
) {
  const same = (field: UserFieldName, a: UserValues, b: UserValues) =>
    toSent(field, a[field]) === toSent(field, b[field])
  const others = fieldNames.filter((field) => !same(field, base, theirs))
  const different = changed.filter((field) => !same(field, mine, theirs))
  return {
    conflicts: different
      .filter((field) => others.includes(field))
      .map((field) => ({ field, base: base[field], mine: mine[field], theirs: theirs[field] })),
    /** Fields that only this edit changed. They are sent, however the conflicts are resolved. */
    mine: different.filter((field) => !others.includes(field)),
    /** Fields that only somebody else changed. They keep their stored values. */
    theirs: others.filter((field) => !changed.includes(field)),
  }
}
