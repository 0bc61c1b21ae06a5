import { type Kysely, sql } from 'kysely'

// Ids are UUIDv7, made by the service: they order rows by creation. Timestamps are UTC without a zone, in
// milliseconds, as the API document spells them. Texts that are compared are `collate "C"`: the same order on every
// engine, and no index that a new version of the operating system's collations would silently corrupt.
export async function up(db: Kysely<unknown>) {
  // null = never given; `*_key` is the case-folded form that searches and matching compare. The unique constraints
  // decide who wins when the same person is posted many times at once.
  await sql`
    create table users (
      id uuid constraint users_pkey primary key,
      email text,
      email_key text collate "C" constraint users_email_key_unique unique,
      name text,
      name_key text collate "C",
      ref text collate "C" constraint users_ref_unique unique,
      ref_key text collate "C",
      created timestamp(3) not null,
      since timestamp(3) not null,
      account boolean not null default false
    )`.execute(db)

  // The number of users without counting them (the first page would otherwise read the whole table). 64 rows, chosen
  // by connection, so that writers do not wait for each other's transaction; the total is their sum, and one row
  // may be negative. The free space in each page keeps updates in it, and out of the index.
  await sql`
    create table user_counts (
      slot smallint constraint user_counts_pkey primary key,
      users bigint not null
    ) with (fillfactor = 10)`.execute(db)
  await sql`insert into user_counts select slot, 0 from generate_series(0, 63) slot`.execute(db)

  // Once per statement, not per row: a load of 10,000 users updates one counter.
  await sql`
    create function count_inserted_users() returns trigger language plpgsql as $$
    declare changed bigint := (select count(*) from changed_users);
    begin
      if changed > 0 then
        update user_counts set users = users + changed where slot = pg_backend_pid() & 63;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create function count_deleted_users() returns trigger language plpgsql as $$
    declare changed bigint := (select count(*) from changed_users);
    begin
      if changed > 0 then
        update user_counts set users = users - changed where slot = pg_backend_pid() & 63;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create function count_no_users() returns trigger language plpgsql as $$
    begin
      update user_counts set users = 0 where users <> 0;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger users_count_inserted after insert on users
      referencing new table as changed_users
      for each statement execute function count_inserted_users()`.execute(db)
  await sql`
    create trigger users_count_deleted after delete on users
      referencing old table as changed_users
      for each statement execute function count_deleted_users()`.execute(db)
  await sql`
    create trigger users_count_truncated after truncate on users
      for each statement execute function count_no_users()`.execute(db)

  // The key begins with the user: all of one user's rows lie together, on one machine where users are distributed.
  // Properties are one object by property key; a row per property measured twice the size and counts 3 to 7 times
  // slower.
  await sql`
    create table entities (
      user_id uuid not null constraint entities_user_fk references users (id) on delete cascade,
      id uuid not null,
      type text collate "C" not null,
      created timestamp(3) not null,
      properties jsonb not null constraint entities_properties_object check (jsonb_typeof(properties) = 'object'),
      constraint entities_pkey primary key (user_id, id)
    )`.execute(db)
  // Without a pending list: an insert of six properties takes 0.5 ms instead of 0.35 ms, but none waits while the list
  // is merged, and a count takes 0.6 ms instead of 3.4 ms (30,000 entities, embedded). The embedded engine has no
  // autovacuum that would merge it in time.
  await sql`
    create index entities_properties_gin on entities
      using gin (properties jsonb_path_ops) with (fastupdate = off)`.execute(db)
  await sql`create index entities_type_user_id_index on entities (type, user_id)`.execute(db)

  await sql`
    create table segments (
      id uuid constraint segments_pkey primary key,
      name text not null,
      description text,
      filter jsonb not null,
      tz text,
      created timestamp(3) not null,
      updated timestamp(3) not null
    )`.execute(db)

  // Events are written here in the transaction of the change that they tell of, and numbered afterwards: a counter
  // in the transaction would make all writers wait for each other's commit.
  await sql`
    create table event_inbox (
      id uuid constraint event_inbox_pkey primary key,
      eventtime timestamp(3) not null,
      type text not null,
      properties jsonb not null
    )`.execute(db)

  // seq is the offset of the API: from 0, without gaps, in commit order. deliveredtime: null = not delivered.
  await sql`
    create table events (
      seq bigint constraint events_pkey primary key,
      id uuid not null constraint events_id_unique unique,
      eventtime timestamp(3) not null,
      type text not null,
      properties jsonb not null,
      delivered boolean not null default false,
      deliveredtime timestamp(3)
    )`.execute(db)
}
