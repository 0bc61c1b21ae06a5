import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Deletions of users that are not final yet: ids alone. masters: the master keys with which the user's key could
  // still be opened, in a dead row, the log, a replica or a backup; final when the service has none of them any more.
  await sql`
    create table erasures (
      user_id uuid constraint erasures_pkey primary key,
      deleted timestamp(3) not null,
      masters text[] not null
    )`.execute(db)
  await sql`create index erasures_deleted_index on erasures (deleted, user_id)`.execute(db)
}
