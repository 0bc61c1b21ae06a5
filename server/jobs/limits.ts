import {
  jobDays,
  maxBatchUsers,
  maxKeptJobs,
  maxKeptUsers,
  maxOpenJobs,
  formatCount,
} from '#contract/index.ts'
import type { Caller } from '../http/auth/caller.ts'
import { Refusal } from '../http/errors/problem.ts'
import type { Transaction } from '../store/sql.ts'
import { countJobs, dayWithout, dropDryRuns, type KeptJobs } from './counts.ts'

/**
 * Refuses a job if the caller has too many. Before refusing for the number of kept jobs or their users, deletes the
 * oldest dry runs that were never applied.
 *
 * @param more Number of users of a new job; undefined if an existing job is resumed or applied.
 */
export async function refuseTooMany(
  transaction: Transaction,
  { subject }: Caller,
  more?: number,
): Promise<void> {
  const kept = await countJobs(transaction, subject)
  if (!kept) return
  if (kept.open >= maxOpenJobs) throw tooManyOpen()
  if (more === undefined) return
  const excess = excessWith(more, kept)
  if (!excess) return
  await dropDryRuns(transaction, subject, excess)
  const left = (await countJobs(transaction, subject)) ?? kept
  const excessLeft = excessWith(more, left)
  if (excessLeft) throw tooManyKept(left, await dayWithout(transaction, subject, excessLeft))
}

function excessWith(more: number, { jobs, users }: KeptJobs) {
  const excess = { jobs: jobs + 1 - maxKeptJobs, users: users + more - maxKeptUsers }
  return excess.jobs > 0 || excess.users > 0 ? excess : undefined
}

/** Returns the refusal for a job with too many users; `count` is undefined if their number is unknown. */
export function tooManyUsers(count: number | undefined): Refusal {
  const found = count === undefined ? `more than ${formatCount(maxBatchUsers)}` : formatCount(count)
  return new Refusal(
    'too_many_users',
    `This finds ${found} users, and at most ${formatCount(maxBatchUsers)} can be changed at once. Narrow it down. Nothing was changed.`,
    { members: count === undefined ? {} : { total: count } },
  )
}

function tooManyOpen(): Refusal {
  return new Refusal(
    'too_many_at_once',
    `You have ${maxOpenJobs} unfinished jobs, which is the limit. Wait for one of them, or stop one. Nothing was changed.`,
    { headers: { 'retry-after': '10' } },
  )
}

function tooManyKept({ jobs, users }: KeptJobs, day: string | undefined): Refusal {
  return new Refusal(
    'too_many_jobs',
    `You have ${formatCount(jobs)} jobs about ${formatCount(users)} users; ${formatCount(maxKeptJobs)} jobs about ${formatCount(maxKeptUsers)} users are the limit. Each job is kept for ${jobDays} days${day ? `: enough will be gone by ${day}` : ''}. Nothing was changed.`,
  )
}
