import { type RawBuilder, sql } from 'kysely'

import { everyUser, isOneOf, type OnlyUsers } from '../store/sql.ts'
import { type TermFields, termsOf } from './terms.ts'

type Found = TermFields & { readonly id: string }

/** Returns the terms of users as rows of `user`, `name` and `term`. */
function termRows(users: readonly Found[]): RawBuilder<unknown> {
  const rows = users.flatMap((user) => termsOf(user).map(({ name, term }) => ({ user: user.id, name, term })))
  return sql`unnest(${rows.map(({ user }) => user)}::uuid[], ${rows.map(({ name }) => name)}::boolean[],
    ${rows.map(({ term }) => term)}::text[]) as row ("user", name, term)`
}

/** Returns the statement that inserts the terms that users do not have yet, so that searches find them. */
export function termsInsert(users: readonly Found[], only: OnlyUsers = everyUser): RawBuilder<unknown> {
  return sql`
    insert into user_terms (user_id, name, term) select "user", name, term from ${termRows(users)}
    where ${only(sql`"user"`)}
    on conflict on constraint user_terms_pkey do update set name = excluded.name
      where user_terms.name <> excluded.name`
}

/** Returns the statement that deletes those terms of users that they no longer have. */
export function termsDelete(users: readonly Found[]): RawBuilder<unknown> {
  return sql`
    delete from user_terms where user_id ${isOneOf(users.map(({ id }) => id))}
      and (user_id, term) not in (select "user", term from ${termRows(users)})`
}
