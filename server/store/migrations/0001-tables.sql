-- Ids are UUIDv7, made by the service: they order rows by creation. Timestamps are UTC without a zone, in milliseconds, as the
-- API document spells them. Texts that are compared are `collate "C"`: the same order on every engine, and no index that a
-- new version of the operating system's collations would silently corrupt.

-- null: never given. *_key: the case-folded form that searches and matching compare. The unique constraints decide
-- who wins when the same person is posted many times at once.
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
);
create index users_ref_key_id_index on users (ref_key, id);

-- The number of users without counting them (the first page would otherwise read the whole table). 64 rows, chosen
-- by connection, so that writers do not wait for each other's transaction; the total is their sum, and one row
-- may be negative. The free space in each page keeps updates in it, and out of the index.
create table user_counts (
  slot smallint constraint user_counts_pkey primary key,
  users bigint not null
) with (fillfactor = 10);
insert into user_counts select slot, 0 from generate_series(0, 63) slot;

-- Once per statement, not per row: a load of 10,000 users updates one counter.
create function count_inserted_users() returns trigger language plpgsql as $$
declare changed bigint := (select count(*) from changed_users);
begin
  if changed > 0 then
    update user_counts set users = users + changed where slot = pg_backend_pid() & 63;
  end if;
  return null;
end $$;
create function count_deleted_users() returns trigger language plpgsql as $$
declare changed bigint := (select count(*) from changed_users);
begin
  if changed > 0 then
    update user_counts set users = users - changed where slot = pg_backend_pid() & 63;
  end if;
  return null;
end $$;
create function count_no_users() returns trigger language plpgsql as $$
begin
  update user_counts set users = 0 where users <> 0;
  return null;
end $$;
create trigger users_count_inserted after insert on users referencing new table as changed_users
  for each statement execute function count_inserted_users();
create trigger users_count_deleted after delete on users referencing old table as changed_users
  for each statement execute function count_deleted_users();
create trigger users_count_truncated after truncate on users
  for each statement execute function count_no_users();

-- The texts under which a user is found: users/terms.ts and docs/decisions/0005-search.md say which.
create table user_terms (
  user_id uuid not null constraint user_terms_user_fk references users (id) on delete cascade,
  name boolean not null,
  term text collate "C" not null,
  constraint user_terms_pkey primary key (user_id, term)
);
create index user_terms_term_user_id_index on user_terms (term, user_id);
create index user_terms_name_index on user_terms (term, user_id) where name;

-- A key for each user who has sensitive values, wrapped by a master key (docs/decisions/0007-encryption.md). The key
-- goes with the user, and without it nothing of that user's can be opened: not in a backup either.
create table user_keys (
  user_id uuid constraint user_keys_pkey primary key
    constraint user_keys_user_fk references users (id) on delete cascade,
  master text collate "C" not null,
  wrapped bytea not null
);
create index user_keys_master_index on user_keys (master);
-- Keys of the whole store, wrapped likewise.
create table service_keys (
  name text collate "C" constraint service_keys_pkey primary key,
  master text collate "C" not null,
  wrapped bytea not null
);

-- What an entity counts for under the limits of entities and users: of each property its key, its value as JSON text
-- and 128 bytes. A sealed value counts in steps of 64 bytes, which say little of its length: base64 of 29 bytes more.
create function entity_bytes(properties jsonb, sealed jsonb) returns integer
language sql immutable parallel safe
return (
  coalesce((
    select sum(128 + octet_length(key) + coalesce(octet_length((property -> 'value')::text), 0))
    from jsonb_each(properties) as properties (key, property)
  ), 0) + coalesce((
    select sum((octet_length(value) * 3 / 4 + 34) / 64 * 64) from jsonb_each_text(sealed)
  ), 0)
)::integer;

-- The key begins with the user: all of one user's rows lie together, on one machine where users are distributed.
-- Properties are one object by property key; a row per property measured twice the size and counts 3 to 7 times
-- slower. sealed: the values of sensitive properties by key, apart from what the index holds. bytes: computed by the
-- database, whichever way a row gets in, so that sums of it read no values.
create table entities (
  user_id uuid not null constraint entities_user_fk references users (id) on delete cascade,
  id uuid not null,
  type text collate "C" not null,
  created timestamp(3) not null,
  properties jsonb not null constraint entities_properties_object check (jsonb_typeof(properties) = 'object'),
  sealed jsonb not null default '{}',
  bytes integer not null generated always as (entity_bytes(properties, sealed)) stored,
  constraint entities_pkey primary key (user_id, id)
);
-- Without a pending list: an insert of six properties takes 0.5 ms instead of 0.35 ms, but none waits while the list
-- is merged, and a count takes 0.6 ms instead of 3.4 ms (30,000 entities, embedded). The embedded engine has no
-- autovacuum that would merge it in time.
create index entities_properties_gin on entities using gin (properties jsonb_path_ops) with (fastupdate = off);
create index entities_type_user_id_index on entities (type, user_id);

-- Which keys the properties of entities have or once had, without reading the entities: names and types, no values.
create table property_keys (
  entity_type text collate "C" not null,
  key text collate "C" not null,
  type text collate "C" not null,
  sensitive boolean not null,
  constraint property_keys_pkey primary key (entity_type, key, type, sensitive)
);

create table segments (
  id uuid constraint segments_pkey primary key,
  name text not null,
  description text,
  filter jsonb not null,
  tz text,
  created timestamp(3) not null,
  updated timestamp(3) not null
);

-- What each write changed, under the id that its event carries. They hold values, so they go with their user.
-- entity_id: null = the user's own fields. op: whether the user or the entity was added, changed or removed.
-- entity_type: after the write, or before a removal; entity_type_before: null = as after it. keys: those in changes,
-- sensitive_keys those of them that were sensitive before or after: a history of large values is looked through
-- without reading them.
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
  keys jsonb not null generated always as (jsonb_path_query_array(changes, '$[*].key')) stored,
  sensitive_keys jsonb not null generated always as (jsonb_path_query_array(changes,
    '$[*] ? (@.sensitive == true || @.sensitiveBefore == true).key')) stored,
  constraint changesets_pkey primary key (user_id, id)
);
-- They are asked for by id alone. Not unique: where users are distributed, only a key with the user can be.
create index changesets_id_index on changesets (id);

-- Why somebody read values or made a change, sealed under the key of the user. id: of the event or the changeset.
create table reasons (
  user_id uuid not null constraint reasons_user_fk references users (id) on delete cascade,
  id uuid not null,
  sealed text not null,
  constraint reasons_pkey primary key (user_id, id)
);
create index reasons_id_index on reasons (id);

-- Deletions of users that are not final yet: ids alone. masters: the master keys with which the user's key could
-- still be opened, in a dead row, the log, a replica or a backup; final when the service has none of them any more.
create table erasures (
  user_id uuid constraint erasures_pkey primary key,
  deleted timestamp(3) not null,
  masters text[] not null
);
create index erasures_deleted_index on erasures (deleted, user_id);

-- The first answer to a write that came with an Idempotency-Key, for 24 hours. Inserted in the transaction of the
-- write, before it is known what it answers: status is never null in a row that others can see.
create table idempotency_keys (
  subject text collate "C" not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  status smallint,
  location text,
  created timestamp(3) not null,
  constraint idempotency_keys_pkey primary key (subject, key)
);
create index idempotency_keys_created_index on idempotency_keys (created);

-- Events are written here in the transaction of the change that they tell of, and numbered afterwards: a counter
-- in the transaction would make all writers wait for each other's commit.
create table event_inbox (
  id uuid constraint event_inbox_pkey primary key,
  eventtime timestamp(3) not null,
  type text not null,
  properties jsonb not null
);

-- seq is the offset of the API: from 0, without gaps, in commit order. deliveredtime: null = not delivered.
create table events (
  seq bigint constraint events_pkey primary key,
  id uuid not null constraint events_id_unique unique,
  eventtime timestamp(3) not null,
  type text not null,
  properties jsonb not null,
  delivered boolean not null default false,
  deliveredtime timestamp(3)
);
-- Each ends with the position: the page that a filter asks for is the next hundred entries of its index, in either
-- direction. Negated, so that the primary key does not seem to do as well: an engine expects to meet a hundred of any
-- kind soon enough on the way through it (5.5 s instead of 2 ms for two types in a span of time, 5,000,000 events).
-- Writers pay nothing for them, since events get here when they are numbered, which then takes 1.4 times as long. All
-- three together take 740 MB for 5,000,000.
create index events_user_index on events (((properties ->> 'user') collate "C"), (-seq))
  where properties ->> 'user' is not null;
create index events_entity_index on events (((properties ->> 'entity') collate "C"), (-seq))
  where properties ->> 'entity' is not null;
-- Answers both filters, each alone too: there are few types, and the other column has two values.
create index events_type_index on events (type collate "C", delivered, (-seq));

-- The times of 2,048 events in a row: where to look for a time, although the log is in commit order. An index over
-- eventtime could not answer in that order, and would cost each event more than this costs 2,048 of them.
create table event_blocks (
  block bigint constraint event_blocks_pkey primary key,
  first_time timestamp(3) not null,
  last_time timestamp(3) not null
);

-- secret, previous_secret: sealed under a master key, see webhooks/secrets.ts. types: null = all. disabled_reason:
-- the service stopped by itself. failures: tries in a row that failed. deleted: the deliveries are being swept, and
-- the row with them; nobody finds it any more.
create table subscriptions (
  id uuid constraint subscriptions_pkey primary key,
  url text not null,
  types text[],
  description text,
  enabled boolean not null,
  disabled_reason text,
  disabled timestamp(3),
  secret bytea not null,
  previous_secret bytea,
  previous_until timestamp(3),
  failures integer not null default 0,
  last_success timestamp(3),
  last_failure timestamp(3),
  created timestamp(3) not null,
  updated timestamp(3) not null,
  deleted timestamp(3)
);

-- An event on its way to a subscription: made when the event is numbered, in the same statement. next: when it is
-- tried next, null = no more by itself. leased: until then a process is at it. attempts: those made so far.
create table deliveries (
  subscription_id uuid not null
    constraint deliveries_subscription_fk references subscriptions (id) on delete cascade,
  seq bigint not null,
  state text collate "C" not null default 'waiting'
    constraint deliveries_state check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  next timestamp(3),
  leased timestamp(3),
  constraint deliveries_pkey primary key (subscription_id, seq)
) with (fillfactor = 80);
create index deliveries_due_index on deliveries (subscription_id, next, seq) where state = 'waiting';
-- Which deliveries an event has.
create index deliveries_seq_index on deliveries (seq);

create table delivery_attempts (
  subscription_id uuid not null
    constraint delivery_attempts_subscription_fk references subscriptions (id) on delete cascade,
  seq bigint not null,
  number integer not null,
  time timestamp(3) not null,
  ms integer,
  status integer,
  error text,
  constraint delivery_attempts_pkey primary key (subscription_id, seq, number)
);
create index delivery_attempts_time_index on delivery_attempts (subscription_id, time desc);
