import { type RawBuilder, sql } from 'kysely'

import type { AttemptError } from '#contract/index.ts'
import { stateOfEvent } from '../../events/storage.ts'
import type { SecretsRow } from '../../sealing/webhook-secrets.ts'
import { type Handle, type Transaction, zoned, statementTime } from '../../store/sql.ts'
import { rangeOf } from '../health.ts'
import { lockEvents, settle } from '../states.ts'
import { failingMs, failuresInARow } from './schedule.ts'

// All processes use one clock, the database's.
/** A delivery claimed by this process, with everything needed to send it. */
export interface Claim extends Omit<SecretsRow, 'id'> {
  readonly subscription: string
  readonly url: string
  /** Position of the event. */
  readonly seq: number
  /** Number of failed attempts since the delivery was queued. */
  readonly attempts: number
  /** Milliseconds since the delivery became due. */
  readonly dueMs: number
  /** End of the lease, as the database writes it. It also identifies the claim. */
  readonly leased: string
  readonly event: string
  readonly type: string
  /** UTC with `Z`. */
  readonly eventtime: string
  readonly properties: Readonly<Record<string, string>>
}

/** Result of a claim. */
export interface Result extends Pick<Claim, 'subscription' | 'url' | 'seq' | 'leased'> {
  /** Undefined if nothing was sent; no attempt is recorded then. */
  readonly attempt?: {
    readonly time: string
    readonly ms?: number
    readonly status?: number | undefined
    /** Undefined if the event arrived. */
    readonly error?: AttemptError | undefined
    /** Sealed request and response, see exchanges.ts. */
    readonly sealed?: string | undefined
  }
  readonly state: 'waiting' | 'delivered' | 'failed'
  /** Delay until the next attempt; only in the state `waiting`. */
  readonly delayMs?: number
  /** Reason for which the subscription is disabled. */
  readonly disable?: 'exhausted' | 'gone'
}

/** Condition on `deliveries d`: the delivery may be claimed. */
const isDue = sql`d.state = 'waiting' and d.next <= ${statementTime} and (d.leased is null or d.leased < ${statementTime})`

/** Whether there may be anything to claim. Usually there is not, and checking takes a tenth of the time of claiming. */
export async function isAnyDue(database: Handle): Promise<boolean> {
  const { rows } = await sql`
    select from subscriptions s where s.deleted is null
      and exists (select from deliveries d where d.subscription_id = s.id and ${isDue}) limit 1`.execute(
    database,
  )
  return rows.length > 0
}

/**
 * Claims due deliveries, the longest overdue first. The newest 100 tests are claimed regardless of the limits, even for
 * paused subscriptions. No other process gets a claimed delivery until its lease ends. `room` limits the number per
 * subscription, `otherwise` applies to subscriptions not in it; no subscription gets more than its equal share of
 * `inAll`, or `atLeast` if that is more. `lookbackMs`: leaves out deliveries that have been due for longer. A delivery
 * whose lease has expired was being sent when its process ended: this is recorded as an attempt.
 */
export async function claimDeliveries(
  database: Handle,
  {
    room,
    otherwise,
    atLeast,
    inAll,
    lookbackMs,
    leaseMs,
  }: {
    room: ReadonlyMap<string, number>
    otherwise: number
    atLeast: number
    inAll: number
    lookbackMs: number
    leaseMs: number
  },
): Promise<Claim[]> {
  const rooms = JSON.stringify(Array.from(room, ([subscription, free]) => ({ subscription, free })))
  const lease = sql`${leaseMs}::float8 * interval '1 ms'`
  const { rows } = await sql<Claim>`
    with room as (select * from jsonb_to_recordset(${rooms}::jsonb) as room (subscription uuid, free int)),
    tests as materialized (
      select seq from events where type collate "C" = 'WEBHOOK_TEST' and ${stateOfEvent} = 'waiting'
      order by -seq limit 100
    ),
    due_tests as (
      -- coalesce hides the condition from the index of due deliveries, which may be long.
      select d.subscription_id, d.seq, d.leased as before
      from tests join deliveries d using (seq) join subscriptions s on s.id = d.subscription_id and s.deleted is null
      where coalesce(${isDue}, false) for update of d skip locked
    ),
    part as materialized (
      select greatest(${atLeast}::int, ${inAll}::int / greatest(1, count(*)))::int as free from subscriptions where enabled
    ),
    due as (
      select found.* from part cross join subscriptions s left join room on room.subscription = s.id cross join lateral (
        select d.subscription_id, d.seq, d.leased as before from deliveries d
        where d.subscription_id = s.id and ${isDue} and d.next >= ${statementTime} - ${lookbackMs}::float8 * interval '1 ms'
        order by d.next, d.seq limit least(part.free, coalesce(room.free, ${otherwise}::int)) for update skip locked
      ) found where s.enabled
    ),
    claimed as (
      update deliveries d set leased = ${statementTime} + ${lease}
      -- The limit shows the planner that there are few rows. Otherwise it might read the whole table.
      from (select * from due union select * from due_tests limit 1000) found
      where d.subscription_id = found.subscription_id and d.seq = found.seq
      returning d.*, found.before
    ),
    interrupted as (
      insert into delivery_attempts (subscription_id, seq, number, time, error)
      select subscription_id, seq, ${nextNumber(sql`claimed`)}, before - ${lease}, 'interrupted'
      from claimed where before is not null
    )
    select s.id as subscription, s.url, s.secret, s.previous_secret, s.previous_until,
      claimed.seq, claimed.attempts, claimed.leased,
      (extract(epoch from ${statementTime} - claimed.next) * 1000)::float8 as "dueMs",
      e.id as event, e.type, e.properties, ${zoned(sql`e.eventtime`)} as eventtime
    from claimed join events e using (seq) join subscriptions s on s.id = claimed.subscription_id
    order by claimed.next, claimed.seq`.execute(database)
  return rows
}

/** Next number of an attempt; counted from 1 for each event and subscription. */
const nextNumber = (of: RawBuilder<unknown>) => sql`1 + (
  select coalesce(max(a.number), 0) from delivery_attempts a
  where a.subscription_id = ${of}.subscription_id and a.seq = ${of}.seq)`

/**
 * Records the results of claims together: the attempts, the next due times, the health of the subscriptions and which
 * events are delivered. Skips deliveries that have since been claimed again or deleted. Returns the subscriptions that
 * were disabled.
 */
export async function recordResults(
  database: Handle,
  results: readonly Result[],
): Promise<{ subscription: string; reason: string }[]> {
  const subscriptions = [...new Set(results.map(({ subscription }) => subscription))]
  const ended = results.filter(({ state }) => state !== 'waiting').map(({ seq }) => seq)
  const given = JSON.stringify(
    results.map(({ attempt, ...result }) => ({ ...result, ...attempt, tried: attempt !== undefined })),
  )
  return await database.transaction().execute(async (transaction) => {
    // Subscriptions are locked before events and deliveries, as everywhere, and each kind in a fixed order, so that
    // there is no deadlock.
    await sql`select 1 from subscriptions where id = any(${subscriptions}::uuid[]) order by id for no key update`.execute(
      transaction,
    )
    await lockEvents(transaction, ended)
    await sql`
      with given as (
        select * from jsonb_to_recordset(${given}::jsonb) as given (subscription uuid, seq bigint, leased timestamp,
          tried boolean, time timestamp, ms int, status int, error text, sealed text, state text, "delayMs" float8)
      ),
      recorded as (
        update deliveries d set state = given.state, leased = null,
          next = case when given.state = 'waiting' then ${statementTime} + given."delayMs" * interval '1 ms' end,
          done = case when given.state <> 'waiting' then ${statementTime} end,
          attempts = d.attempts + (given.tried and given.error is distinct from 'interrupted')::int
        from given
        where d.subscription_id = given.subscription and d.seq = given.seq and d.leased = given.leased
        returning d.subscription_id, given.*
      ),
      tried as (
        insert into delivery_attempts (subscription_id, seq, number, time, ms, status, error, sealed)
        select subscription_id, seq, ${nextNumber(sql`recorded`)}, time, ms, status, error, decode(sealed, 'base64')
        from recorded where tried
      ),
      counted as (
        insert into subscription_days (subscription_id, day, bucket, succeeded, failed)
        select subscription_id, time::date, ${rangeOf(sql`status`, sql`ms`)}, count(*) filter (where error is null),
          count(*) filter (where error is not null)
        from recorded where tried and error is distinct from 'interrupted' group by 1, 2, 3
        on conflict on constraint subscription_days_pkey do update set
          succeeded = subscription_days.succeeded + excluded.succeeded,
          failed = subscription_days.failed + excluded.failed
      ),
      fared as (
        select subscription, max(time) filter (where error is null) as success,
          max(time) filter (where error is not null) as failure
        from recorded where tried and error is distinct from 'interrupted' group by subscription
      )
      update subscriptions s set
        last_success = greatest(s.last_success, fared.success),
        last_failure = greatest(s.last_failure, fared.failure),
        failures = case when fared.success is null then s.failures else 0 end + (
          select count(*) from recorded
          where recorded.subscription = s.id and tried and error <> 'interrupted'
            and (fared.success is null or time > fared.success))
      from fared where s.id = fared.subscription`.execute(transaction)
    await settle(transaction, ended)
    const disabled = results.some(({ state }) => state !== 'delivered')
      ? await disableFailing(transaction, subscriptions)
      : []
    for (const { subscription, url, disable } of results)
      if (disable !== undefined) {
        // A subscription whose URL has since changed is not disabled.
        const { numAffectedRows = 0n } = await sql`
          update subscriptions set enabled = false, disabled_reason = ${disable}, disabled = ${statementTime}
          where id = ${subscription} and enabled and url = ${url}`.execute(transaction)
        if (numAffectedRows > 0n) disabled.push({ subscription, reason: disable })
      }
    return disabled
  })
}

/**
 * Disables subscriptions with at least `failuresInARow` failed attempts in a row, the first of them more than `failingMs`
 * ago. Many failures within a short outage disable none.
 */
async function disableFailing(
  transaction: Transaction,
  subscriptions: readonly string[],
): Promise<{ subscription: string; reason: string }[]> {
  const { rows } = await sql<{ subscription: string; reason: string }>`
    update subscriptions s set enabled = false, disabled_reason = 'exhausted', disabled = ${statementTime}
    where id = any(${subscriptions}::uuid[]) and enabled and failures >= ${failuresInARow} and ${statementTime} > (
      select a.time from delivery_attempts a
      where a.subscription_id = s.id and a.time > greatest(s.updated, s.last_success) and error <> 'interrupted'
      order by a.time limit 1
    ) + ${failingMs}::float8 * interval '1 ms'
    returning id as subscription, disabled_reason as reason`.execute(transaction)
  return rows
}

/**
 * Ends all leases; for a store that no other process uses. Deliveries in flight are due again, and their interrupted
 * attempts are recorded.
 */
export async function endLeases(database: Handle, leaseMs: number): Promise<void> {
  await sql`
    with held as (
      select subscription_id, seq, leased from deliveries where state = 'waiting' and leased is not null for update
    ),
    ended as (
      update deliveries d set leased = null from held
      where d.subscription_id = held.subscription_id and d.seq = held.seq
    )
    insert into delivery_attempts (subscription_id, seq, number, time, error)
    select subscription_id, seq, ${nextNumber(sql`held`)}, leased - ${leaseMs}::float8 * interval '1 ms', 'interrupted'
    from held`.execute(database)
}
