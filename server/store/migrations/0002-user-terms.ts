import { type Kysely, sql } from 'kysely'

import { insertTerms } from '../../users/term-rows.ts'
import type { TermFields } from '../../users/terms.ts'

const usersPerBatch = 5000

// The texts under which a user is found, see users/terms.ts and docs/decisions/0005-search.md. Computing them takes 14 s
// for 200,000 users in the embedded store, 44 s for 1,000,000 on PostgreSQL 15; on 2 cores busy with other work it took
// 48 s and 73 s.
export async function up(db: Kysely<unknown>) {
  // A user who is written meanwhile by another process would be left out; reading goes on.
  await sql`lock table users in share mode`.execute(db)
  await sql`
    create table user_terms (
      user_id uuid not null,
      name boolean not null,
      term text collate "C" not null
    )`.execute(db)
  for (let last: string | undefined = '00000000-0000-0000-0000-000000000000'; last !== undefined;) {
    const { rows } = await sql<TermFields & { id: string }>`
      select id, email, name, ref from users where id > ${last}::uuid order by id limit ${usersPerBatch}`.execute(
      db,
    )
    await insertTerms(db, rows)
    last = rows.at(-1)?.id
  }
  // After the rows: an index that is built over sorted rows is smaller, and made in a fraction of the time.
  await sql`alter table user_terms add constraint user_terms_pkey primary key (user_id, term)`.execute(db)
  await sql`create index user_terms_term_user_id_index on user_terms (term, user_id)`.execute(db)
  await sql`create index user_terms_name_index on user_terms (term, user_id) where name`.execute(db)
  await sql`
    alter table user_terms add constraint user_terms_user_fk
      foreign key (user_id) references users (id) on delete cascade`.execute(db)
  await sql`create index users_ref_key_id_index on users (ref_key, id)`.execute(db)
  await sql`analyze user_terms`.execute(db)
}
