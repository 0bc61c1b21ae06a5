import { sql } from 'kysely'

import type { DeliveryState } from '#contract/index.ts'
import { type Handle, type Transaction, statementTime } from '../store/sql.ts'

// The state of an event follows from its deliveries. Code that adds, ends or removes a delivery of an undelivered event
// does three things in one transaction, in this order: `lockEvents`, the change, `settle`. So of two transactions that
// change deliveries of one event, the second sees the first one's result. Numbering needs no lock, because no other
// code knows its events yet. Only pruning.ts removes failed deliveries without these steps, so the state stays.

/**
 * Locks events in the order of their positions, after subscriptions and before deliveries, so that there is no
 * deadlock.
 */
export async function lockEvents(transaction: Transaction, positions: readonly number[]): Promise<void> {
  if (positions.length > 0)
    await sql`
      select 1 from events where seq = any(${positions}::bigint[]) and not delivered
      order by seq for no key update`.execute(transaction)
}

/**
 * Records the states of events and updates their counts. A delivered event stays delivered, even if it is sent again.
 * The counts are locked last, in the order of their key.
 */
export async function settle(transaction: Handle, positions: readonly number[]): Promise<void> {
  if (positions.length > 0)
    await sql`
      with moves as materialized (
        select seq, date_trunc('hour', eventtime) as hour, type, undelivered as before, found.state as after
        from events cross join lateral (
          select case when count(*) = 0 then 'none' when bool_and(state = 'delivered') then 'delivered'
            when bool_or(state = 'failed') then 'failed' else 'waiting' end as state
          from deliveries where deliveries.seq = events.seq
        ) found
        where seq = any(${positions}::bigint[]) and not delivered and undelivered <> found.state
      ),
      moved as (
        update events set delivered = after = 'delivered',
          deliveredtime = case when after = 'delivered' then ${statementTime} end,
          undelivered = case when after = 'delivered' then undelivered else after end
        from moves where events.seq = moves.seq
      )
      insert into event_counts (hour, type, delivered, waiting, failed, none)
      select hour, type, ${countMoves('delivered')}, ${countMoves('waiting')}, ${countMoves('failed')}, ${countMoves('none')}
      from moves group by hour, type order by hour, type
      on conflict on constraint event_counts_pkey do update set
        delivered = event_counts.delivered + excluded.delivered, waiting = event_counts.waiting + excluded.waiting,
        failed = event_counts.failed + excluded.failed, none = event_counts.none + excluded.none`.execute(
      transaction,
    )
}

/** SQL for the change in the number of a group's events in a state. */
const countMoves = (state: DeliveryState) =>
  sql`count(*) filter (where after = ${sql.lit(state)}) - count(*) filter (where before = ${sql.lit(state)})`
