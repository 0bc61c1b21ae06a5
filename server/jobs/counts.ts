import { sql } from 'kysely'

import { jobDays } from '#contract/index.ts'
import type { Transaction } from '../store/sql.ts'
import { allowAllRows } from './all-rows.ts'
import { isEnded } from './storage.ts'

/** Counts of a caller's stored jobs. */
export interface KeptJobs {
  readonly jobs: number
  /** Jobs that are waiting, running or undoing. */
  readonly open: number
  /** Total number of users in all stored jobs. */
  readonly users: number
}

/** Number of jobs and users above the limits; zero or negative if there is room. */
type Excess = Pick<KeptJobs, 'jobs' | 'users'>

/**
 * Counts a caller's jobs. Holds the caller's lock until the transaction ends, so that none of their jobs is begun or
 * resumed meanwhile.
 */
export async function countJobs(transaction: Transaction, actor: string): Promise<KeptJobs | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('data-store jobs'), hashtext(${actor}))`.execute(
    transaction,
  )
  const { rows } = await sql<KeptJobs>`
    select count(*)::int as jobs, count(*) filter (where not ${isEnded})::int as open,
      coalesce(sum(users), 0)::float8 as users
    from jobs where actor = ${actor}`.execute(transaction)
  return rows[0]
}

/** Whether a job is needed to make up for the excess, because the older ones alone do not. */
const isNeeded = ({ jobs, users }: Excess) =>
  sql`(jobs_before < ${jobs}::int or users_before < ${users}::float8)`

const before = sql`
  row_number() over (order by created, id) - 1 as jobs_before,
  sum(users) over (order by created, id rows unbounded preceding) - users as users_before`

/**
 * Deletes the caller's oldest dry runs until the excess is gone, or all of them. Only dry runs that have ended and were
 * never applied are deleted, because they changed nobody; one that is being applied is skipped.
 */
export async function dropDryRuns(transaction: Transaction, actor: string, excess: Excess): Promise<void> {
  await allowAllRows(transaction)
  await sql`
    with ended as materialized (
      select id, created, users from jobs
      where actor = ${actor} and dry_run and ${isEnded}
      for update skip locked
    ),
    ordered as (select id, ${before} from ended)
    delete from jobs where id in (select id from ordered where ${isNeeded(excess)})`.execute(transaction)
}

/**
 * Returns the day by which enough jobs will have expired to remove the excess, provided that no job runs longer than
 * jobs are kept.
 */
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
