import { sql } from 'kysely'

import { type Handle, zoned, zoneless, transactionTime } from '../store/sql.ts'

/**
 * A subscription as stored; null means not given, never or none. Times end in `Z`, except `created` and `updated`, as
 * in the API contract.
 */
export interface SubscriptionRow {
  readonly id: string
  readonly url: string
  readonly types: string[] | null
  readonly description: string | null
  readonly enabled: boolean
  readonly disabled_reason: string | null
  readonly disabled: string | null
  /** Time at which a person paused the subscription. */
  readonly paused: string | null
  readonly previous_until: string | null
  readonly created: string
  readonly updated: string
  readonly waiting: number
  readonly waiting_since: string | null
  readonly last_success: string | null
  readonly last_failure: string | null
}

const subscriptionColumns = sql`
  s.id, s.url, s.types, s.description, s.enabled, s.disabled_reason, ${zoned(sql`s.disabled`)} as disabled,
  ${zoned(sql`s.paused`)} as paused,
  case when s.previous_until > ${transactionTime} then ${zoned(sql`s.previous_until`)} end as previous_until,
  ${zoneless(sql`s.created`)} as created, ${zoneless(sql`s.updated`)} as updated,
  ${zoned(sql`s.last_success`)} as last_success, ${zoned(sql`s.last_failure`)} as last_failure,
  due.waiting, (select ${zoned(sql`eventtime`)} from events where seq = due.first) as waiting_since`

/** Limit of the count of waiting deliveries: counting more would exceed the statement's time limit. */
const mostWaiting = 1_000_000

const withDue = sql`subscriptions s cross join lateral (
  select count(*) as waiting, min(seq) as first from (
    select seq from deliveries where subscription_id = s.id and state = 'waiting'
    order by next, seq limit ${sql.lit(mostWaiting)}) waiting) due`

/** Returns all subscriptions, oldest first. */
export async function allSubscriptions(database: Handle): Promise<SubscriptionRow[]> {
  const { rows } =
    await sql<SubscriptionRow>`select ${subscriptionColumns} from ${withDue} where s.deleted is null order by s.id`.execute(
      database,
    )
  return rows
}

/** Returns a subscription; undefined if there is none. */
export async function subscriptionById(database: Handle, id: string): Promise<SubscriptionRow | undefined> {
  const { rows } =
    await sql<SubscriptionRow>`select ${subscriptionColumns} from ${withDue} where s.id = ${id}::uuid and s.deleted is null`.execute(
      database,
    )
  return rows[0]
}

/** Settings of a subscription that its owner chooses. */
export interface SubscriptionSettings {
  readonly url: string
  readonly types: string[] | null
  readonly description: string | null
  readonly enabled: boolean
}

/** Counts the subscriptions. Other counts wait until the transaction ends, so no subscription is added before. */
export async function countSubscriptions(transaction: Handle): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('data-store subscriptions'))`.execute(transaction)
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from subscriptions where deleted is null`.execute(transaction)
  return rows[0]?.count ?? 0
}

export async function insertSubscription(
  database: Handle,
  { id, url, types, description, enabled, secret }: SubscriptionSettings & { id: string; secret: Buffer },
): Promise<void> {
  await sql`
    insert into subscriptions (id, url, types, description, enabled, paused, secret, created, updated)
    values (${id}, ${url}, ${types}::text[], ${description}, ${enabled}, case when not ${enabled} then ${transactionTime} end, ${secret},
      ${transactionTime}, ${transactionTime})`.execute(database)
}

/** Locks a subscription against changes, but not against new deliveries. Returns undefined if there is none. */
export async function lockSubscription(
  transaction: Handle,
  id: string,
): Promise<(SubscriptionSettings & { id: string }) | undefined> {
  const { rows } = await sql<SubscriptionSettings & { id: string }>`
    select id, url, types, description, enabled from subscriptions where id = ${id}::uuid and deleted is null for no key update`.execute(
    transaction,
  )
  return rows[0]
}

/** Updates the settings. Enabling or pausing a subscription clears the reason for which the service had disabled it. */
export async function updateSubscription(
  transaction: Handle,
  { id, url, types, description, enabled }: SubscriptionSettings & { id: string },
): Promise<void> {
  await sql`
    update subscriptions set url = ${url}, types = ${types}::text[], description = ${description}, updated = ${transactionTime},
      enabled = ${enabled},
      paused = case when enabled = ${enabled} then paused when not ${enabled} then ${transactionTime} end,
      failures = case when enabled = ${enabled} and url = ${url} then failures else 0 end,
      disabled_reason = case when enabled = ${enabled} then disabled_reason end,
      disabled = case when enabled = ${enabled} then disabled end
    where id = ${id}::uuid`.execute(transaction)
}

/**
 * Marks a subscription as deleted: it is no longer found and receives nothing; `sweepDeleted` removes its rows later.
 * Returns false if there is none.
 */
export async function markDeleted(transaction: Handle, id: string): Promise<boolean> {
  const { rows } = await sql`
    update subscriptions set deleted = ${transactionTime}, enabled = false
    where id = ${id}::uuid and deleted is null returning 1`.execute(transaction)
  return rows.length > 0
}

/**
 * Replaces the signing secret; the previous one also signs for this many hours. Returns undefined if there is no such
 * subscription.
 */
export async function replaceSecret(
  database: Handle,
  { id, secret, hours }: { id: string; secret: Buffer; hours: number },
): Promise<{ until: string | null } | undefined> {
  const { rows } = await sql<{ until: string | null }>`
    update subscriptions set secret = ${secret}, updated = ${transactionTime},
      previous_secret = case when ${hours}::float8 > 0 then secret end,
      previous_until = case when ${hours}::float8 > 0 then ${transactionTime} + ${hours}::float8 * interval '1 hour' end
    where id = ${id}::uuid and deleted is null
    returning ${zoned(sql`previous_until`)} as until`.execute(database)
  return rows[0]
}

/** An attempt; `sealed` holds its request and response. */
export interface AttemptRow {
  readonly number: number
  readonly time: string
  readonly ms?: number
  readonly status?: number
  readonly error?: string
  readonly sealed?: string
}

const attempt = sql`
  'number', a.number, 'time', ${zoned(sql`a.time`)}, 'ms', a.ms, 'status', a.status, 'error', a.error`
const sealed = sql`'sealed', encode(a.sealed, 'base64')`

export interface LastAttemptRow {
  readonly seq: number
  readonly event: string
  readonly type: string
  readonly attempt: AttemptRow
}

/** Returns the last attempts of a subscription, newest first. */
export async function lastAttempts(database: Handle, id: string, limit: number): Promise<LastAttemptRow[]> {
  const { rows } = await sql<LastAttemptRow>`
    select a.seq, e.id as event, e.type, json_strip_nulls(json_build_object(${attempt}, ${sealed})) as attempt
    from (
      select * from delivery_attempts where subscription_id = ${id}::uuid
      order by time desc, seq desc, number desc limit ${limit}
    ) a join events e using (seq)
    order by a.time desc, a.seq desc, a.number desc`.execute(database)
  return rows
}

export interface DeliveryRow {
  readonly subscription: string
  readonly url: string
  readonly state: 'waiting' | 'delivered' | 'failed'
  readonly next: string | null
  readonly attempts: AttemptRow[]
}

/** Maximum number of attempts shown of a delivery: ten are automatic, and each manual redelivery adds more. */
const shownTries = 50

/**
 * Returns the deliveries of an event by subscription, with the last attempts of each, oldest first. `whole`: includes the
 * sealed parts.
 */
export async function deliveriesOf(
  database: Handle,
  seq: number,
  { whole }: { readonly whole: boolean },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    select d.subscription_id as subscription, s.url, d.state,
      case when d.state = 'waiting' then ${zoned(sql`d.next`)} end as next,
      (select coalesce(json_agg(json_strip_nulls(json_build_object(${attempt}${whole ? sql`, ${sealed}` : sql``})) order by a.number), '[]')
        from (
          select * from delivery_attempts last where last.subscription_id = d.subscription_id and last.seq = d.seq
          order by last.number desc limit ${sql.lit(shownTries)}
        ) a) as attempts
    from deliveries d join subscriptions s on s.id = d.subscription_id
    where d.seq = ${seq}::bigint and s.deleted is null order by d.subscription_id`.execute(database)
  return rows
}

/** Returns the position of an event and the subscription it is about; undefined if there is no such event. */
export async function eventById(
  database: Handle,
  id: string,
): Promise<{ seq: number; type: string; subscription: string | null } | undefined> {
  const { rows } = await sql<{ seq: number; type: string; subscription: string | null }>`
    select seq, type, properties ->> 'subscription' as subscription from events where id = ${id}::uuid`.execute(
    database,
  )
  return rows[0]
}
