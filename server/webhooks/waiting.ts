import { sql } from 'kysely'

import { type Handle, statementTime } from '../store/sql.ts'

/**
 * Returns for how many seconds the oldest event has been waiting for its position, and therefore for its deliveries; 0
 * if none is waiting.
 */
export async function outboxAge(database: Handle): Promise<number> {
  const { rows } = await sql<{ age: number | null }>`
    select extract(epoch from ${statementTime} - min(eventtime))::float8 as age from event_inbox`.execute(
    database,
  )
  return Math.max(0, rows[0]?.age ?? 0)
}

/** Returns figures of the queue. `lag` is how long the oldest due attempt has been overdue, in seconds. */
export async function queueFigures(
  database: Handle,
): Promise<{ readonly lag: number; readonly events: number; readonly failing: number }> {
  const { rows } = await sql<{ lag: number | null; events: number; failing: number }>`
    select extract(epoch from ${statementTime} - (
        select min(first.next) from subscriptions s cross join lateral (
          select next from deliveries d where d.subscription_id = s.id and d.state = 'waiting' order by next limit 1
        ) first where s.enabled and s.deleted is null
      ))::float8 as lag,
      (select coalesce(sum(waiting), 0)::float8 from event_counts) as events,
      (select count(*)::int from subscriptions where deleted is null and (failures > 0 or disabled_reason is not null)) as failing`.execute(
    database,
  )
  const { lag = 0, events = 0, failing = 0 } = rows[0] ?? {}
  return { lag: Math.max(0, lag ?? 0), events, failing }
}
