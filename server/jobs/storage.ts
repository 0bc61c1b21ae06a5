import { type RawBuilder, sql } from 'kysely'

import {
  effects,
  type JobKind,
  type JobState,
  maxListedJobs,
  type Outcome,
  type Scope,
} from '#contract/index.ts'
import { type Handle, type Transaction, zoned, statementTime } from '../store/sql.ts'
import { allowAllRows } from './all-rows.ts'

/** Whether a process neither works on a job nor is going to. */
export const isEnded = sql<boolean>`state not in ('waiting', 'running', 'undoing')`

// All times come from the clock of the database, which all processes share.
/** Task of a job, as stored. */
interface JobTask {
  readonly id: string
  /** Another one if a later release began the job. */
  readonly kind: JobKind
  readonly actor: string
  /** Scopes of the actor at the time of the request. */
  readonly scopes: readonly Scope[]
  readonly dry_run: boolean
  /** Whether the job puts back what it changed, or has. */
  readonly undo: boolean
  /** Task, as the kind of the job writes it. Stored in clear. */
  readonly asked: object
  /** Sealed value and reason. */
  readonly sealed: string
}

export interface JobRow extends JobTask {
  readonly state: JobState
  readonly total: number
  readonly waiting: number
  /** UTC with `Z` and milliseconds. */
  readonly created: string
  readonly ended: string | null
  /** Number of users per outcome when it last ended, of the undo if it was one; null if unknown. */
  readonly outcomes: Readonly<Record<string, number>> | null
}

/** Inserts a job with its users in the given order. `users` must not contain duplicates. */
export async function insertJob(
  transaction: Transaction,
  { id, kind, actor, scopes, dry_run, asked, sealed }: Omit<JobTask, 'undo'>,
  users: readonly string[],
): Promise<void> {
  await sql`
    insert into jobs (id, kind, actor, scopes, dry_run, asked, sealed, state, total, users, waiting, created, turn)
    values (${id}::uuid, ${kind}, ${actor}, ${scopes}::text[], ${dry_run}, ${JSON.stringify(asked)}::jsonb, ${sealed},
      'waiting', ${users.length}, ${users.length}, ${users.length}, ${statementTime}, ${statementTime})`.execute(
    transaction,
  )
  await sql`
    insert into job_users (job_id, at, user_id)
    select ${id}::uuid, at, user_id from unnest(${users}::uuid[]) with ordinality as given (user_id, at)`.execute(
    transaction,
  )
}

/** Returns the ids of users who meet a condition, oldest first. */
export async function usersWho(
  database: Handle,
  where: RawBuilder<boolean>,
  atMost: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where ${where} order by u.id limit ${atMost}`.execute(database)
  return rows.map(({ id }) => id)
}

const jobColumns = sql`id, kind, actor, scopes, dry_run, undo, asked, sealed, state, total, waiting, ${zoned(sql`created`)} as created,
  ${zoned(sql`ended`)} as ended, outcomes`

/** Returns the newest jobs first; only those of `actor`, if given. */
export async function newestJobs(database: Handle, actor: string | undefined): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select ${jobColumns} from jobs where ${actor === undefined ? sql`true` : sql`actor = ${actor}`}
    order by id desc limit ${maxListedJobs}`.execute(database)
  return rows
}

/** Returns a job by its id. With `lock`, its state cannot change until the transaction ends. */
export async function jobById(
  database: Handle,
  id: string,
  { lock = false } = {},
): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    select ${jobColumns} from jobs where id = ${id}::uuid ${lock ? sql`for no key update` : sql``}`.execute(
    database,
  )
  return rows[0]
}

export async function setState(
  transaction: Transaction,
  job: string,
  state: 'waiting' | 'undoing' | 'stopped',
  scopes?: readonly Scope[],
): Promise<void> {
  await sql`
    update jobs set state = ${state}, leased = null, turn = ${statementTime},
      ended = case when ${state === 'stopped'} then ${statementTime} end,
      scopes = coalesce(${scopes ?? null}::text[], scopes)
    where id = ${job}::uuid`.execute(transaction)
}

/** Turns a dry run into a job that makes the changes it found. */
export async function setApplied(
  transaction: Transaction,
  job: string,
  scopes: readonly Scope[],
): Promise<void> {
  await allowAllRows(transaction)
  await sql`
    with again as (
      update job_users set outcome = null
      where job_id = ${job}::uuid and outcome = any(${effects}::text[]) returning 1
    )
    update jobs set dry_run = false, state = 'waiting', ended = null, leased = null, turn = ${statementTime},
      scopes = ${scopes}::text[], total = (select count(*) from again), waiting = (select count(*) from again)
    where id = ${job}::uuid`.execute(transaction)
}

/** A job that this process is working on. */
export interface Claim extends JobTask {
  /** End of the lease, as the database writes it; also identifies the claim. */
  readonly leased: string
  /** UTC with `Z` and milliseconds. */
  readonly created: string
}

/**
 * Claims the job that has waited longest for its turn, of these kinds. No other process can claim it before it is released or the lease
 * ends.
 */
export async function claimJob(
  database: Handle,
  kinds: readonly string[],
  leaseMs: number,
): Promise<Claim | undefined> {
  const { rows } = await sql<Claim>`
    update jobs set state = case when undo then 'undoing' else 'running' end, turn = ${statementTime}, leased = ${statementTime} + ${leaseMs}::float8 * interval '1 ms'
    where id = (
      select id from jobs where not ${isEnded} and kind = any(${kinds}::text[]) and (leased is null or leased < ${statementTime})
      order by turn limit 1 for update skip locked
    )
    returning id, kind, actor, scopes, dry_run, undo, asked, sealed, leased::text, ${zoned(sql`created`)} as created`.execute(
    database,
  )
  return rows[0]
}

/** Returns whether jobs are under way, and whether one of them waits for a process to claim it. */
export async function lookForJobs(
  database: Handle,
): Promise<{ readonly isAny: boolean; readonly isFree: boolean }> {
  const { rows } = await sql<{ isAny: boolean; isFree: boolean }>`
    select count(*) > 0 as "isAny", coalesce(bool_or(leased is null or leased < ${statementTime}), false) as "isFree"
    from jobs where not ${isEnded}`.execute(database)
  return rows[0] ?? { isAny: false, isFree: false }
}

/** States in which a process may leave a job that it has claimed. */
export type ClaimState = Exclude<JobState, 'ready' | 'waiting' | 'stopped'>

/** Condition that a job is still held by this process. */
export const isOurs = ({ id, leased }: Claim) =>
  sql`id = ${id}::uuid and state in ('running', 'undoing') and leased = ${leased}::timestamp`

/**
 * Gives up the claim: `running` and `undoing` let a process continue the job, the other states end it. Returns false if
 * the job is no longer claimed.
 */
export async function releaseJob(database: Handle, claim: Claim, state: ClaimState): Promise<boolean> {
  const { rows } = await sql`
    update jobs set state = ${state}, leased = null, turn = ${statementTime},
      ended = case when ${state !== 'running' && state !== 'undoing'} then ${statementTime} end
    where ${isOurs(claim)} returning 1`.execute(database)
  return rows.length > 0
}

/** Keeps what a job that has ended came to, for the list of jobs. */
export async function setOutcomes(
  transaction: Transaction,
  job: string,
  outcomes: Readonly<Record<string, number>>,
): Promise<void> {
  await sql`update jobs set outcomes = ${JSON.stringify(outcomes)}::jsonb where id = ${job}::uuid`.execute(
    transaction,
  )
}

/** Ends all leases. Only for an embedded store, where the process that held them is gone. */
export async function endLeases(database: Handle): Promise<void> {
  await sql`update jobs set leased = null where leased is not null`.execute(database)
}

export interface NextUser {
  readonly at: number
  readonly user: string
  /** Digest of the state that the dry run found; null without a dry run. */
  readonly seen: string | null
  /** Outcome of the job, its entity and its changeset; null if it has not come to this user yet. */
  readonly outcome: string | null
  readonly entity: string | null
  readonly changeset: string | null
}

/** Locks the `job_users` rows of the next users; none if all are done or this process no longer holds the job. */
export async function nextUsers(
  transaction: Transaction,
  claim: Claim,
  { after, atMost }: { readonly after: number; readonly atMost: number },
): Promise<NextUser[]> {
  const isNext = claim.undo ? sql`outcome = any(${effects}::text[]) and undone is null` : sql`outcome is null`
  const { rows } = await sql<NextUser>`
    select at, user_id as "user", seen, outcome, entity_id as entity, changeset_id as changeset from job_users
    where job_id = ${claim.id}::uuid and ${isNext} and at > ${after}
      and exists (select 1 from jobs where ${isOurs(claim)})
    order by at limit ${atMost} for update`.execute(transaction)
  return rows
}

/** Outcome of a job for one user. */
export interface UserOutcome {
  readonly outcome: Exclude<Outcome, 'waiting'>
  readonly entity?: string | undefined
  readonly changeset?: string | undefined
  readonly seen?: string | null | undefined
  readonly code?: string | undefined
  readonly detail?: string | undefined
}

/** Outcome of a job for the user, or the row of a file, at this place. */
export interface PlacedOutcome extends UserOutcome {
  readonly at: number
  /** Undefined for a row that belongs to no user. */
  readonly user?: string | undefined
  /** Changesets of a row of a file. */
  readonly changesets?: readonly string[] | undefined
}

/**
 * Records outcomes, unless another process already has. If the job was stopped and its undo begun meanwhile, there are
 * as many more to put back as were changed.
 */
export async function noteOutcomes(
  transaction: Transaction,
  job: string,
  outcomes: readonly PlacedOutcome[],
): Promise<void> {
  await sql`
    with noted as (
      update job_users set outcome = given.outcome, user_id = given."user", entity_id = given.entity,
        changeset_id = given.changeset, changesets = given.changesets, seen = given.seen, code = given.code,
        detail = given.detail
      from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as given (at int, outcome text, "user" uuid,
        entity uuid, changeset uuid, changesets uuid[], seen text, code text, detail text)
      where job_id = ${job}::uuid and job_users.at = given.at and job_users.outcome is null
      returning given.outcome
    ), counted as (
      select count(*) as noted, count(*) filter (where outcome = any(${effects}::text[])) as late from noted
    )
    update jobs set waiting = waiting + case when undo then counted.late else -counted.noted end,
      total = total + case when undo then counted.late else 0 end
    from counted where id = ${job}::uuid`.execute(transaction)
}

/**
 * Deletes the oldest expired job with its report; returns false if there is none. Deletes one at a time, since a
 * single job can have a million rows.
 */
export async function dropOldJob(database: Handle, days: number): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    await allowAllRows(transaction)
    const { rows } = await sql`
      delete from jobs where id = (
        select id from jobs
        where created < ${statementTime} - ${days}::int * interval '1 day' and ${isEnded}
        order by created limit 1 for update skip locked
      )
      returning 1`.execute(transaction)
    return rows.length > 0
  })
}

/** Number of a job's users that are looked up at once. */
const lookedUp = 1000

/**
 * Deletes ended jobs none of whose users exist, but for deletions, which tell who was deleted, including the input that people typed. Keeps jobs that found nobody.
 */
export async function dropJobsOfNobody(database: Handle): Promise<void> {
  for (const { id } of await findEndedJobs(database))
    if (!(await hasUsers(database, id)))
      await sql`delete from jobs where id = ${id}::uuid and kind <> 'delete' and ${isEnded}`.execute(database)
}

type SealedJob = Pick<JobTask, 'id' | 'sealed'>

export async function sealedOfJobs(database: Handle, jobs: readonly string[]): Promise<SealedJob[]> {
  if (jobs.length === 0) return []
  const { rows } = await sql<SealedJob>`
    select id, sealed from jobs where id = any(${jobs}::uuid[])`.execute(database)
  return rows
}

export async function findEndedJobs(database: Handle): Promise<SealedJob[]> {
  const { rows } = await sql<SealedJob>`
    select id, sealed from jobs where ${isEnded}`.execute(database)
  return rows
}

/** Returns all jobs, and of each whether it has ended. */
export async function allSealedJobs(
  database: Handle,
): Promise<(SealedJob & { readonly hasEnded: boolean })[]> {
  const { rows } = await sql<SealedJob & { hasEnded: boolean }>`
    select id, sealed, ${isEnded} as "hasEnded" from jobs`.execute(database)
  return rows
}

/** Whether any of a job's users has been deleted, of those in a file since the job began. */
export async function namesDeleted(database: Handle, job: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from job_users join erasures using (user_id) where job_id = ${job}::uuid
    union all
    select 1 from jobs join erasures on erasures.deleted >= jobs.created
    where jobs.id = ${job}::uuid and exists (
      select 1 from file_chunks where job_id = jobs.id and users @> array[erasures.user_id]
    ) limit 1`.execute(database)
  return rows.length > 0
}

/** Replaces the sealed input of a job, unless the job has since been resumed and still needs its value and reason. */
export async function setSealed(database: Handle, { id, sealed }: SealedJob, next: string): Promise<void> {
  await sql`
    update jobs set sealed = ${next}
    where id = ${id}::uuid and sealed = ${sealed} and ${isEnded}`.execute(database)
}

/**
 * Whether any of a job's users exists, or the job has none. Looks them up in batches instead of by a join, since users
 * may be on other machines than jobs.
 */
async function hasUsers(database: Handle, job: string): Promise<boolean> {
  for (let after = 0; ;) {
    const { rows } = await sql<{ at: number; user: string }>`
      select at, user_id as "user" from job_users
      where job_id = ${job}::uuid and at > ${after} and user_id is not null
      order by at limit ${lookedUp}`.execute(database)
    const { rows: there } = await sql`
      select 1 from users where id = any(${rows.map(({ user }) => user)}::uuid[]) limit 1`.execute(database)
    if (there.length > 0) return true
    const last = rows.at(-1)
    // A job without users is kept: its report contains no personal data, and somebody may be reading it.
    if (!last) return after === 0
    if (rows.length < lookedUp) return false
    after = last.at
  }
}
