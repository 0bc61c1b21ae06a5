import type { UserPatch } from '#contract/index.ts'
import { ApiError, offers, type Keyed, keyedWrites } from '../../api/index.ts'
import { type Merge, mergeUser } from './merge.ts'
import { bodyOf, type UserValues } from './user-fields.ts'

type Field = keyof UserValues

/** A user's fields as they were read, with the tag that the service gave them then. */
export interface Reading {
  readonly values: UserValues
  readonly etag: string | undefined
}

/** Fields that were touched, and the reading that they were touched on. */
export interface Edit {
  readonly base: Reading
  readonly values: UserValues
  readonly changed: readonly Field[]
}

export interface UserWrite extends Keyed {
  readonly body: UserPatch
  readonly ifMatch?: string
}

export type SaveResult =
  /** `theirs`: what somebody else changed meanwhile and this left alone. */
  | { readonly outcome: 'saved'; readonly sent: boolean; readonly theirs: readonly Field[] }
  | { readonly outcome: 'conflict'; readonly merge: Merge; readonly now: Reading }

/** Where somebody else writes all the time, giving up is better than trying for ever. */
const maxTries = 4

/**
 * Saves edits of one user, never over somebody else's: with the tag of what was read, where the service has tags,
 * else by reading again first. Throws the `ApiError` of what failed; the same edit may then be saved again.
 */
export function userSaver(read: () => Promise<Reading>, patch: (write: UserWrite) => Promise<unknown>) {
  const write = keyedWrites()
  return async ({ base, values, changed }: Edit): Promise<SaveResult> => {
    let now = base
    let known = offers('users.etag') && base.etag !== undefined
    for (let tries = 1; ; tries += 1) {
      if (!known) now = await read()
      const merge = mergeUser(base.values, values, changed, now.values)
      if (merge.conflicts.length > 0) return { outcome: 'conflict', merge, now }
      // Nothing changed meanwhile: what was touched is sent as it was touched, even where it says the same.
      const fields = now === base ? changed : merge.mine
      if (fields.length === 0) return { outcome: 'saved', sent: false, theirs: merge.theirs }
      try {
        const body = bodyOf(values, fields)
        const ifMatch = offers('users.etag') ? now.etag : undefined
        await write([body, ifMatch], (keyed) =>
          patch({ body, ...(ifMatch !== undefined && { ifMatch }), ...keyed }),
        )
        return { outcome: 'saved', sent: true, theirs: merge.theirs }
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 412 || tries === maxTries) throw error
        known = false
      }
    }
  }
}
