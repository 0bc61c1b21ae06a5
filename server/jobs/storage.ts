import { type RawBuilder, sql } from 'kysely'

import { effects, type JobState, maxListedJobs, type Outcome, type Scope } from '#contract/index.ts'
import { type Handle, type Transaction, zoned, statementTime } from '../store/sql.ts'
import type { JobProperty } from './task.ts'

// One clock for all processes: the database's.
/** Task of a job, as rows hold it. */
interface JobTask {
  readonly id: string
  readonly actor: string
  /** Scopes of the actor at the time of the request. */
  readonly scopes: readonly Scope[]
  readonly dry_run: boolean
  readonly asked: JobProperty
  /** Value and reason. */
  readonly sealed: string
}

export interface JobRow extends JobTask {
  readonly state: JobState
  readonly total: number
  readonly waiting: number
  /** UTC with `Z` and milliseconds. */
  readonly created: string
  readonly ended: string | null
}

/** In the order of `users`, each of them once. */
export async function insertJob(
  transaction: Transaction,
  { id, actor, scopes, dry_run, asked, sealed }: JobTask,
  users: readonly string[],
): Promise<void> {
  await sql`
    insert into jobs (id, actor, scopes, dry_run, asked, sealed, state, total, users, waiting, created, turn)
    values (${id}::uuid, ${actor}, ${scopes}::text[], ${dry_run}, ${JSON.stringify(asked)}::jsonb, ${sealed}, 'waiting',
      ${users.length}, ${users.length}, ${users.length}, ${statementTime}, ${statementTime})`.execute(
    transaction,
  )
  await sql`
    insert into job_users (job_id, at, user_id)
    select ${id}::uuid, at, user_id from unnest(${users}::uuid[]) with ordinality as given (user_id, at)`.execute(
    transaction,
  )
}

/** Users who meet a condition, oldest first. */
export async function usersWho(
  database: Handle,
  where: RawBuilder<boolean>,
  atMost: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where ${where} order by u.id limit ${atMost}`.execute(database)
  return rows.map(({ id }) => id)
}

const jobColumns = sql`id, actor, scopes, dry_run, asked, sealed, state, total, waiting, ${zoned(sql`created`)} as created,
  ${zoned(sql`ended`)} as ended`

/** The newest first; with an actor that one's. */
export async function newestJobs(database: Handle, actor: string | undefined): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select ${jobColumns} from jobs where ${actor === undefined ? sql`true` : sql`actor = ${actor}`}
    order by id desc limit ${maxListedJobs}`.execute(database)
  return rows
}

/** `lock`: nobody changes its state until the transaction ends. */
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
  state: 'waiting' | 'stopped',
  scopes?: readonly Scope[],
): Promise<void> {
  await sql`
    update jobs set state = ${state}, leased = null, turn = ${statementTime},
      ended = case when ${state === 'stopped'} then ${statementTime} end,
      scopes = coalesce(${scopes ?? null}::text[], scopes)
    where id = ${job}::uuid`.execute(transaction)
}

/** From now on the job does what it found by its dry run. */
export async function setApplied(
  transaction: Transaction,
  job: string,
  scopes: readonly Scope[],
): Promise<void> {
  await sql`
    with again as (
      update job_users set outcome = null
      where job_id = ${job}::uuid and outcome = any(${effects}::text[]) returning 1
    )
    update jobs set dry_run = false, state = 'waiting', ended = null, leased = null, turn = ${statementTime},
      scopes = ${scopes}::text[], total = (select count(*) from again), waiting = (select count(*) from again)
    where id = ${job}::uuid`.execute(transaction)
}

/** A job that this process is at. */
export interface Claim extends JobTask {
  /** Until when, as the database writes it; also says which claim it is. */
  readonly leased: string
}

/** The job that has waited longest for its turn; nobody else gets it before the lease is over. */
export async function claimJob(database: Handle, leaseMs: number): Promise<Claim | undefined> {
  const { rows } = await sql<Claim>`
    update jobs set state = 'running', turn = ${statementTime}, leased = ${statementTime} + ${leaseMs}::float8 * interval '1 ms'
    where id = (
      select id from jobs where state in ('waiting', 'running') and (leased is null or leased < ${statementTime})
      order by turn limit 1 for update skip locked
    )
    returning id, actor, scopes, dry_run, asked, sealed, leased::text`.execute(database)
  return rows[0]
}

const isOurs = ({ id, leased }: Claim) =>
  sql`id = ${id}::uuid and state = 'running' and leased = ${leased}::timestamp`

/** Gives the job back: to be gone on with, or as it ended. */
export async function releaseJob(
  database: Handle,
  claim: Claim,
  state: 'running' | 'finished' | 'failed',
): Promise<void> {
  await sql`
    update jobs set state = ${state}, leased = null, turn = ${statementTime},
      ended = case when ${state !== 'running'} then ${statementTime} end
    where ${isOurs(claim)}`.execute(database)
}

/** Ends all leases. Only for an embedded store, whose earlier process is gone. */
export async function endLeases(database: Handle): Promise<void> {
  await sql`update jobs set leased = null where leased is not null`.execute(database)
}

export interface WaitingUser {
  readonly at: number
  readonly user: string
  /** Digest of the state that the dry run found; null: no dry run. */
  readonly seen: string | null
}

/** The next one, locked; `undefined`: all are done, or the job is not this process's any more. */
export async function nextUser(
  transaction: Transaction,
  claim: Claim,
  after: number,
): Promise<WaitingUser | undefined> {
  const { rows } = await sql<WaitingUser>`
    select at, user_id as "user", seen from job_users
    where job_id = ${claim.id}::uuid and outcome is null and at > ${after}
      and exists (select 1 from jobs where ${isOurs(claim)})
    order by at limit 1 for update`.execute(transaction)
  return rows[0]
}

/** Result for one user. */
export interface UserOutcome {
  readonly outcome: Exclude<Outcome, 'waiting'>
  readonly entity?: string | undefined
  readonly changeset?: string | undefined
  readonly seen?: string | undefined
  readonly code?: string | undefined
  readonly detail?: string | undefined
}

/** Records the outcome for one user, unless another process has done so meanwhile. */
export async function noteOutcome(
  database: Handle,
  job: string,
  at: number,
  { outcome, entity, changeset, seen, code, detail }: UserOutcome,
): Promise<void> {
  await sql`
    with noted as (
      update job_users set outcome = ${outcome}, entity_id = ${entity ?? null}::uuid,
        changeset_id = ${changeset ?? null}::uuid, seen = ${seen ?? null}, code = ${code ?? null},
        detail = ${detail ?? null}
      where job_id = ${job}::uuid and at = ${at} and outcome is null returning 1
    )
    update jobs set waiting = waiting - 1 where id = ${job}::uuid and exists (select 1 from noted)`.execute(
    database,
  )
}

/** The oldest one that has ended, with what was reported; false: there is none. One alone has 100,000 users. */
export async function dropOldJob(database: Handle, days: number): Promise<boolean> {
  const { rows } = await sql`
    delete from jobs where id = (
      select id from jobs
      where created < ${statementTime} - ${days}::int * interval '1 day' and state not in ('waiting', 'running')
      order by created limit 1 for update skip locked
    )
    returning 1`.execute(database)
  return rows.length > 0
}

/** Users of a job who are looked up at once. */
const lookedUp = 1000

/** Jobs that have ended go once all of their users are deleted, with what was typed for these. One that found nobody stays. */
export async function dropJobsOfNobody(database: Handle): Promise<void> {
  for (const { id } of await findEndedJobs(database))
    if (!(await hasUsers(database, id)))
      await sql`delete from jobs where id = ${id}::uuid and state not in ('waiting', 'running')`.execute(
        database,
      )
}

type SealedJob = Pick<JobTask, 'id' | 'sealed'>

export async function findEndedJobs(database: Handle): Promise<SealedJob[]> {
  const { rows } = await sql<SealedJob>`
    select id, sealed from jobs where state not in ('waiting', 'running')`.execute(database)
  return rows
}

/** Whether one of a job's users has been deleted. */
export async function namesDeleted(database: Handle, job: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from job_users join erasures using (user_id) where job_id = ${job}::uuid limit 1`.execute(
    database,
  )
  return rows.length > 0
}

/** Leaves a job alone that was continued meanwhile: it still needs its sealed value and reason. */
export async function setSealed(database: Handle, { id, sealed }: SealedJob, next: string): Promise<void> {
  await sql`
    update jobs set sealed = ${next}
    where id = ${id}::uuid and sealed = ${sealed} and state not in ('waiting', 'running')`.execute(database)
}

/** In steps, since users may lie on other machines than jobs. */
async function hasUsers(database: Handle, job: string): Promise<boolean> {
  for (let after = 0; ;) {
    const { rows } = await sql<{ at: number; user: string }>`
      select at, user_id as "user" from job_users
      where job_id = ${job}::uuid and at > ${after} order by at limit ${lookedUp}`.execute(database)
    const { rows: there } = await sql`
      select 1 from users where id = any(${rows.map(({ user }) => user)}::uuid[]) limit 1`.execute(database)
    if (there.length > 0) return true
    const last = rows.at(-1)
    // The report of one that found nobody tells of nobody, and somebody may be reading it.
    if (!last) return after === 0
    if (rows.length < lookedUp) return false
    after = last.at
  }
}
