import { sql } from 'kysely'

import type { Writing } from '../changesets/record.ts'
import type { Plan } from '../entities/plan.ts'
import { store } from '../entities/store.ts'
import { isDistributed } from '../store/distributed.ts'
import type { OnlyUsers } from '../store/sql.ts'
import { claim, countUsers, replaceClaims } from './identifiers.ts'
import { keyOfEmail, type UserFields, usersInsert, usersUpdate } from './storage.ts'
import { termsDelete, termsInsert } from './term-rows.ts'

/** A write of a user's own fields, with or without an entity. */
export interface UserPlan extends Plan {
  /** The fields after the write. */
  readonly fields: UserFields & { readonly account: boolean }
  /** Whether the write changes what searches find the user by. */
  readonly isRenamed: boolean
}

/**
 * Writes users and what they own, like `store`. Returns the ids of the new users that were inserted: all but those whose
 * e-mail or ref is taken. Throws the violation of a constraint if that of a changed user is.
 */
export async function storeUsers(writing: Writing, plans: readonly UserPlan[]): Promise<ReadonlySet<string>> {
  const { transaction } = writing
  const free = isDistributed(transaction) ? await claimAll(writing, plans) : plans
  if (free.length === 0) return new Set()
  const rowsOf = (some: readonly UserPlan[]) =>
    Array.from(some, ({ owner, fields }) => ({ ...fields, id: owner.user }))
  const inserted = rowsOf(free.filter(({ owner }) => owner.isNew))
  const updated = rowsOf(free.filter(({ owner }) => !owner.isNew))
  const renamed = rowsOf(free.filter(({ owner, isRenamed }) => isRenamed && !owner.isNew))
  const only: OnlyUsers | undefined =
    inserted.length === 0 || isDistributed(transaction)
      ? undefined
      : (user) =>
          sql`(${user} in (select id from inserted) or ${user} <> all(${inserted.map(({ id }) => id)}::uuid[]))`
  const besides = [
    ...(updated.length > 0 ? [usersUpdate(updated)] : []),
    ...(renamed.length > 0 ? [termsDelete(renamed)] : []),
    ...(inserted.length + renamed.length > 0 ? [termsInsert([...inserted, ...renamed], only)] : []),
  ]
  const returning = inserted.length > 0 ? { inserted: usersInsert(inserted) } : {}
  return await store(writing, free, { returning, besides, only })
}

/**
 * Claims the identifiers of users in a distributed store, and counts the new ones. Returns the plans without new users
 * who did not get theirs.
 */
async function claimAll({ transaction }: Writing, plans: readonly UserPlan[]): Promise<readonly UserPlan[]> {
  const wanted = plans.map(({ owner, fields: { email, ref } }) => ({
    isNew: owner.isNew,
    id: owner.user,
    email_key: keyOfEmail(email),
    ref,
  }))
  const owned = await claim(
    transaction,
    wanted.filter(({ isNew }) => isNew),
  )
  if (owned.size > 0) await countUsers(transaction, owned.size)
  for (const each of wanted) if (!each.isNew) await replaceClaims(transaction, each)
  return plans.filter(({ owner }) => !owner.isNew || owned.has(owner.user))
}
