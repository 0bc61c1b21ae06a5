import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // The first answer to a write that came with an Idempotency-Key, for 24 hours. Inserted in the transaction of the
  // write, before it is known what it answers: status is never null in a row that others can see.
  await sql`
    create table idempotency_keys (
      subject text collate "C" not null,
      key text collate "C" not null,
      fingerprint bytea not null,
      status smallint,
      location text,
      created timestamp(3) not null,
      constraint idempotency_keys_pkey primary key (subject, key)
    )`.execute(db)
  await sql`create index idempotency_keys_created_index on idempotency_keys (created)`.execute(db)

  // What each write changed, under the id that its event carries. They hold values, so they go with their user.
  // entity_id: null = the user's own fields. op: whether the user or the entity was added, changed or removed.
  // entity_type: after the write, or before a removal; entity_type_before: null = as after it.
  await sql`
    create table changesets (
      user_id uuid not null constraint changesets_user_fk references users (id) on delete cascade,
      id uuid not null,
      entity_id uuid,
      entity_type text collate "C",
      entity_type_before text collate "C",
      op text not null,
      actor text not null,
      time timestamp(3) not null,
      changes jsonb not null,
      constraint changesets_pkey primary key (user_id, id)
    )`.execute(db)
  // They are asked for by id alone. Not unique: where users are distributed, only a key with the user can be.
  await sql`create index changesets_id_index on changesets (id)`.execute(db)
}
