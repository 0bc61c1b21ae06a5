import { type RawBuilder, sql } from 'kysely'

import type { Handle } from '../store/sql.ts'
import { type TermFields, termsOf } from './terms.ts'

/** Returns the terms of one user as rows of `name` and `term`. */
export function termRows(fields: TermFields): RawBuilder<unknown> {
  const terms = termsOf(fields)
  return sql`unnest(${terms.map(({ name }) => name)}::boolean[], ${terms.map(({ term }) => term)}::text[])
    as row (name, term)`
}

/** Inserts the terms of users that have none yet, so that searches find them. */
export async function insertTerms(
  transaction: Handle,
  users: readonly (TermFields & { readonly id: string })[],
): Promise<void> {
  const rows = users.flatMap((user) => termsOf(user).map(({ name, term }) => ({ user: user.id, name, term })))
  await sql`
    insert into user_terms (user_id, name, term)
    select * from unnest(${rows.map(({ user }) => user)}::uuid[], ${rows.map(({ name }) => name)}::boolean[],
      ${rows.map(({ term }) => term)}::text[])`.execute(transaction)
}
