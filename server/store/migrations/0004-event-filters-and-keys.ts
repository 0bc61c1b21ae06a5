import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // Each ends with the position: the page that a filter asks for is the next hundred entries of its index, in either
  // direction. Negated, so that the primary key does not seem to do as well: an engine expects to meet a hundred of any
  // kind soon enough on the way through it (5.5 s instead of 2 ms for two types in a span of time, 5,000,000 events).
  // Writers pay nothing for them, since events get here when they are numbered, which then takes 1.4 times as long. All
  // three together take 740 MB for 5,000,000.
  await sql`
    create index events_user_index on events (((properties ->> 'user') collate "C"), (-seq))
    where properties ->> 'user' is not null`.execute(db)
  await sql`
    create index events_entity_index on events (((properties ->> 'entity') collate "C"), (-seq))
    where properties ->> 'entity' is not null`.execute(db)
  // Answers both filters, each alone too: there are few types, and the other column has two values.
  await sql`create index events_type_index on events (type collate "C", delivered, (-seq))`.execute(db)

  // The times of 2,048 events in a row: where to look for a time, although the log is in commit order. An index over
  // eventtime could not answer in that order, and would cost each event more than this costs 2,048 of them.
  await sql`
    create table event_blocks (
      block bigint constraint event_blocks_pkey primary key,
      first_time timestamp(3) not null,
      last_time timestamp(3) not null
    )`.execute(db)
  await sql`
    insert into event_blocks (block, first_time, last_time)
    select seq / 2048, min(eventtime), max(eventtime) from events group by 1`.execute(db)

  // Which keys the properties of entities have or once had, without reading the entities: names and types, no values.
  await sql`
    create table property_keys (
      entity_type text collate "C" not null,
      key text collate "C" not null,
      type text collate "C" not null,
      sensitive boolean not null,
      constraint property_keys_pkey primary key (entity_type, key, type, sensitive)
    )`.execute(db)
  await sql`
    insert into property_keys (entity_type, key, type, sensitive)
    select distinct e.type, p.key, p.value ->> 'type', (p.value ->> 'sensitive')::boolean
    from entities e cross join lateral jsonb_each(e.properties) p`.execute(db)
}
