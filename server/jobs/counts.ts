import { sql } from 'kysely'

import { jobDays } from '#contract/index.ts'
import type { Transaction } from '../store/sql.ts'

/** Counts of a caller's stored jobs. */
export interface KeptJobs {
  readonly jobs: number
  /** Jobs that wait or run. */
  readonly open: number
  /** Users of all these jobs together. */
  readonly users: number
}

/** How much less is to be kept; no more than it is where a number is not positive. */
type Excess = Pick<KeptJobs, 'jobs' | 'users'>

/** Until the transaction ends no other one of the caller's counts: nothing is begun or gone on with meanwhile. */
export async function countJobs(transaction: Transaction, actor: string): Promise<KeptJobs | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('data-store jobs'), hashtext(${actor}))`.execute(
    transaction,
  )
  const { rows } = await sql<KeptJobs>`
    select count(*)::int as jobs, count(*) filter (where state in ('waiting', 'running'))::int as open,
      coalesce(sum(users), 0)::float8 as users
    from jobs where actor = ${actor}`.execute(transaction)
  return rows[0]
}

/** Whether those before a job, the oldest first, are not enough. */
const isNeeded = ({ jobs, users }: Excess) =>
  sql`(jobs_before < ${jobs}::int or users_before < ${users}::float8)`

const before = sql`
  row_number() over (order by created, id) - 1 as jobs_before,
  sum(users) over (order by created, id rows unbounded preceding) - users as users_before`

/**
 * Drops as many of the caller's dry runs as are in excess, or all that there are: those that have ended and were never
 * applied, which have changed nobody. One that is being applied is left.
 */
export async function dropDryRuns(transaction: Transaction, actor: string, excess: Excess): Promise<void> {
  await sql`
    with ended as materialized (
      select id, created, users from jobs
      where actor = ${actor} and dry_run and state not in ('waiting', 'running')
      for update skip locked
    ),
    ordered as (select id, ${before} from ended)
    delete from jobs where id in (select id from ordered where ${isNeeded(excess)})`.execute(transaction)
}

/** The day on which so much will have gone by itself, where no job takes longer than jobs are kept. */
export async function dayWithout(
  transaction: Transaction,
  actor: string,
  excess: Excess,
): Promise<string | undefined> {
  const { rows } = await sql<{ day: string | null }>`
    with ordered as (select created, ${before} from jobs where actor = ${actor})
    select (max(created) + ${jobDays}::int * interval '1 day')::date::text as day
    from ordered where ${isNeeded(excess)}`.execute(transaction)
  return rows[0]?.day ?? undefined
}
