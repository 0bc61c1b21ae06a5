import { type RawBuilder, sql } from 'kysely'

import { healthDays, type SubscriptionHealth } from '#contract/index.ts'
import type { Handle } from '../store/sql.ts'

/** Response times are counted in ranges; the longest time of a range is 1.19 times the shortest. */
const rangesPerDoubling = 4

/** SQL for the range of a response time, see migrations/; -1 if there was no response. */
export const rangeOf = (status: RawBuilder<unknown>, ms: RawBuilder<unknown>) => sql<number>`
  case when ${status} is null then -1
    else floor(${sql.lit(rangesPerDoubling)} * ln(greatest(${ms}, 1)) / ln(2)) end`

interface RangeRow {
  readonly day: string
  /** Null if there were no attempts on that day. */
  readonly bucket: number | null
  readonly succeeded: number | null
  readonly failed: number | null
}

/** Returns the results of a subscription's last days. */
export async function healthOf(database: Handle, id: string): Promise<SubscriptionHealth> {
  const { rows } = await sql<RangeRow>`
    select to_char(days.day, 'YYYY-MM-DD') as day, bucket, succeeded, failed
    from generate_series(0, ${sql.lit(healthDays - 1)}) ago
    cross join lateral (select (now() at time zone 'UTC')::date - ago as day) days
    left join subscription_days on subscription_id = ${id}::uuid and subscription_days.day = days.day
    order by days.day, bucket`.execute(database)
  const days = Array.from(
    Map.groupBy(rows, ({ day }) => day),
    ([day, ranges]) => ({
      day,
      succeeded: sumKnown(ranges.map(({ succeeded }) => succeeded)),
      failed: sumKnown(ranges.map(({ failed }) => failed)),
    }),
  )
  const answers = new Map<number, number>()
  for (const { bucket, succeeded, failed } of rows)
    if (bucket !== null && bucket >= 0)
      answers.set(bucket, (answers.get(bucket) ?? 0) + (succeeded ?? 0) + (failed ?? 0))
  const [p50Ms, p95Ms] = [quantile(answers, 0.5), quantile(answers, 0.95)]
  return {
    days,
    succeeded: sumKnown(days.map(({ succeeded }) => succeeded)),
    failed: sumKnown(days.map(({ failed }) => failed)),
    ...(p50Ms !== undefined && { p50Ms }),
    ...(p95Ms !== undefined && { p95Ms }),
  }
}

const sumKnown = (numbers: readonly (number | null)[]) =>
  numbers.reduce<number>((all, each) => all + (each ?? 0), 0)

/**
 * Returns a quantile of the response times in milliseconds, as the middle of its range; undefined if there are none.
 */
function quantile(answers: ReadonlyMap<number, number>, share: number): number | undefined {
  let left = share * sumKnown([...answers.values()])
  for (const [range, count] of [...answers].toSorted(([a], [b]) => a - b)) {
    left -= count
    if (left <= 0) return Math.round(2 ** ((range + 0.5) / rangesPerDoubling))
  }
  return undefined
}

/** Deletes days more than `healthDays` ago. */
export async function pruneDays(database: Handle): Promise<void> {
  await sql`
    delete from subscription_days where day < (now() at time zone 'UTC')::date - ${sql.lit(healthDays)}`.execute(
    database,
  )
}
