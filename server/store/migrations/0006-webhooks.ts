import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>) {
  // secret, previous_secret: sealed under a master key, see webhooks/secrets.ts. types: null = all. disabled_reason: the
  // service stopped by itself. failures: tries in a row that failed.
  await sql`
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
      updated timestamp(3) not null
    )`.execute(db)

  // An event on its way to a subscription: made when the event is numbered, in the same statement. next: when it is
  // tried next, null = no more by itself. leased: until then a process is at it. attempts: those made so far.
  await sql`
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
    ) with (fillfactor = 80)`.execute(db)
  await sql`
    create index deliveries_due_index on deliveries (subscription_id, next, seq) where state = 'waiting'`.execute(
    db,
  )
  // Which deliveries an event has.
  await sql`create index deliveries_seq_index on deliveries (seq)`.execute(db)

  await sql`
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
    )`.execute(db)
  await sql`
    create index delivery_attempts_time_index on delivery_attempts (subscription_id, time desc)`.execute(db)
}
