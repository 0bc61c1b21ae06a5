import type { EntityRow } from '../entities/storage.ts'
import { countEntities, type EntityOwner, oldestOfTypes } from '../entities/storage.ts'
import type { Handle } from '../store/sql.ts'
import { keyOfEmail, type LockedUser, lockUsers, usersBy } from '../users/storage.ts'
import type { ReadRow } from './reading.ts'

/** Row of a file with its ordinal, from 1. */
export interface OrderedRow extends ReadRow {
  readonly at: number
}

/** User that a row is about: nobody yet, one, or several that cannot be told apart. */
export interface Matched {
  readonly user?: LockedUser | undefined
  /** Identifier that found the user. */
  readonly by?: 'id' | 'email' | 'ref' | undefined
  readonly isAmbiguous?: boolean
}

/** Users that rows are about, and the entities that these rows write. */
export interface Known {
  readonly match: (row: ReadRow) => Matched
  /** Returns the user's oldest entity of a type. */
  readonly entityOf: (user: string, type: string) => EntityRow | undefined
  /** Returns the owner of a new entity of a type of which the user has none. */
  readonly ownerOf: (user: LockedUser, type: string) => EntityOwner
}

/**
 * Finds the users and entities of many rows with a few statements. With `lock`, they are locked, the users in the order
 * of their ids, and matched as they are then.
 */
export async function findKnown(
  database: Handle,
  rows: readonly ReadRow[],
  types: readonly string[],
  { lock }: { readonly lock: boolean },
): Promise<Known> {
  const listGiven = (values: readonly (string | undefined)[]) => values.filter((value) => value !== undefined)
  const found = await usersBy(database, {
    ids: listGiven(rows.map(({ id }) => id)),
    emailKeys: listGiven(rows.map(({ emailKey }) => emailKey)),
    refs: listGiven(rows.map(({ fields }) => fields.ref)),
  })
  const ids = found.map(({ user }) => user)
  const users = lock && ids.length > 0 ? await lockUsers(database, ids) : found
  const entities = await oldestOfTypes(database, ids, types, { lock })
  const entityOf = new Map(entities.map((row) => [`${row.user} ${row.type}`, row]))
  const isMissing = users.some(({ user }) => types.some((type) => !entityOf.has(`${user} ${type}`)))
  const counts = isMissing ? await countEntities(database, ids) : new Map<string, never>()
  return {
    match: matcherOf(users),
    entityOf: (user, type) => entityOf.get(`${user} ${type}`),
    ownerOf: ({ user, master, wrapped }, type) => ({
      user,
      master,
      wrapped,
      type,
      ofType: 0,
      ...(counts.get(user) ?? { count: 0, bytes: 0 }),
    }),
  }
}

/** Finds the user of a row by its id, e-mail or ref; ambiguous if these are of several users. */
function matcherOf(users: readonly LockedUser[]): Known['match'] {
  const ids = new Map(users.map((each) => [each.user, each]))
  const emails = new Map(users.map((each) => [keyOfEmail(each.email), each]))
  const refs = new Map(users.map((each) => [each.ref, each]))
  return ({ id, emailKey, fields: { ref } }) => {
    const candidates = [
      { by: 'id', user: id === undefined ? undefined : ids.get(id) },
      { by: 'email', user: emailKey === undefined ? undefined : emails.get(emailKey) },
      { by: 'ref', user: ref === undefined ? undefined : refs.get(ref) },
    ] as const
    const [first, ...others] = candidates.filter(({ user }) => user !== undefined)
    return others.some(({ user }) => user !== first?.user) ? { isAmbiguous: true } : { ...first }
  }
}
