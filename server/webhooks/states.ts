import { sql } from 'kysely'

import type { Handle, Transaction } from '../store/sql.ts'

// How an event stands follows from its deliveries. Whoever adds, ends or removes one of an event that is not delivered does
// three things in one transaction, in this order: `lockEvents`, the change, `settle`. So of two that change deliveries of
// one event the second sees what the first has written. Numbering alone does not: nobody knows of its events yet.

const now = sql`(statement_timestamp() at time zone 'UTC')`

/** In the order of their positions, after subscriptions and before deliveries, so that nobody waits in a circle. */
export async function lockEvents(transaction: Transaction, positions: readonly number[]): Promise<void> {
  if (positions.length > 0)
    await sql`
      select from events where seq = any(${positions}::bigint[]) and not delivered
      order by seq for no key update`.execute(transaction)
}

/** Writes down how events stand. What is delivered stays so, also when it is sent again. */
export async function settle(transaction: Handle, positions: readonly number[]): Promise<void> {
  if (positions.length > 0)
    await sql`
      update events set delivered = found.state = 'delivered',
        deliveredtime = case when found.state = 'delivered' then ${now} end,
        undelivered = case when found.state = 'delivered' then undelivered else found.state end
      from unnest(${positions}::bigint[]) given (seq) cross join lateral (
        select case when count(*) = 0 then 'none' when bool_and(state = 'delivered') then 'delivered'
          when bool_or(state = 'failed') then 'failed' else 'waiting' end as state
        from deliveries where deliveries.seq = given.seq
      ) found
      where events.seq = given.seq and not delivered and undelivered <> found.state`.execute(transaction)
}
