import { sql } from 'kysely'

import { exportHours, maxKeptFiles } from '#contract/index.ts'
import { type Handle, statementTime, type Transaction, zoned } from '../store/sql.ts'
import { type Claim, isEnded, isOurs, namesDeleted } from './storage.ts'
import type { BegunWorkbook } from './workbook/workbook.ts'

/** Why a file cannot be fetched any more, as `file` of a job tells it. */
export type Gone = 'expired' | 'erased' | 'replaced'

export interface JobFile {
  readonly job: string
  /** Last user written; null if there is none yet. */
  readonly after: string | null
  readonly chunks: number
  readonly users: number
  readonly rows: number
  /** Number of sensitive values left out. */
  readonly withheld: number
  readonly bytes: number
  /** Workbook up to here; null if there is none. */
  readonly workbook: BegunWorkbook | null
  /** End of the time for which the file is kept, UTC with `Z`; null while it is not complete. */
  readonly until: string | null
  readonly gone: Gone | null
}

const keptFor = sql`${sql.lit(exportHours)} * interval '1 hour'`

const fileColumns = sql`f.job_id as job, f.after_user as after, f.chunks, f.users, f.rows::float8 as rows,
  f.withheld::float8 as withheld, f.bytes::float8 as bytes, f.workbook, ${zoned(sql`(f.done + ${keptFor})`)} as until,
  coalesce(f.gone, case when f.done + ${keptFor} < ${statementTime} then 'expired' end) as gone`

/** Adds the file of a new job, which is expected to have `total` users; the oldest file of many of its author gives way. */
export async function insertFile(
  transaction: Transaction,
  job: string,
  {
    actor,
    ids,
    total,
  }: { readonly actor: string; readonly ids: readonly string[] | undefined; readonly total: number },
): Promise<void> {
  await sql`insert into job_files (job_id, ids) values (${job}::uuid, ${ids ?? null}::uuid[])`.execute(
    transaction,
  )
  await sql`update jobs set total = ${total}, waiting = ${total} where id = ${job}::uuid`.execute(transaction)
  const { rows } = await sql<{ id: string }>`
    select f.job_id as id from job_files f join jobs on jobs.id = f.job_id
    where jobs.actor = ${actor} and f.done is not null and f.gone is null
    order by f.done desc offset ${maxKeptFiles - 1}`.execute(transaction)
  for (const { id } of rows) await dropFile(transaction, id, 'replaced')
}

export async function filesOf(database: Handle, jobs: readonly string[]): Promise<JobFile[]> {
  const { rows } = await sql<JobFile>`
    select ${fileColumns} from job_files f where f.job_id = any(${jobs}::uuid[])`.execute(database)
  return rows
}

/** Returns the users of a file in order; null if a filter finds them while it is written. */
export async function usersOfFile(database: Handle, job: string): Promise<readonly string[] | null> {
  const { rows } = await sql<{ ids: readonly string[] | null }>`
    select ids from job_files where job_id = ${job}::uuid`.execute(database)
  return rows[0]?.ids ?? null
}

/** Locks the file of a job that this process works on; undefined if it no longer holds the job. */
export async function lockFile(transaction: Transaction, claim: Claim): Promise<JobFile | undefined> {
  const { rows } = await sql<JobFile>`
    select ${fileColumns} from job_files f
    where f.job_id = ${claim.id}::uuid and exists (select 1 from jobs where ${isOurs(claim)}) for update`.execute(
    transaction,
  )
  return rows[0]
}

/** A part of a file, with the users in it, in order. */
export interface FileChunk {
  readonly users: readonly string[]
  /** Last user looked at, who may have been deleted since; null if there was none. */
  readonly after: string | null
  readonly sealed: Buffer
  readonly rows: number
  readonly withheld: number
  readonly bytes: number
  readonly workbook: BegunWorkbook | null
}

/** Appends a part to a locked file, and counts its users as done. */
export async function appendChunk(
  transaction: Transaction,
  { job, chunks }: JobFile,
  { users, after, sealed, rows, withheld, bytes, workbook }: FileChunk,
): Promise<void> {
  await sql`
    insert into file_chunks (job_id, at, users, sealed)
    values (${job}::uuid, ${chunks}, ${users}::uuid[], ${sealed}::bytea)`.execute(transaction)
  await sql`
    with file as (
      update job_files set chunks = chunks + 1, users = users + ${users.length}, rows = rows + ${rows},
        withheld = withheld + ${withheld}, bytes = bytes + ${bytes}, after_user = ${after}::uuid,
        workbook = ${workbook && JSON.stringify(workbook)}::jsonb
      where job_id = ${job}::uuid returning users
    )
    update jobs set total = greatest(total, file.users), waiting = greatest(total - file.users, 0)
    from file where id = ${job}::uuid`.execute(transaction)
}

/** Completes a file: from now on it can be fetched. */
export async function completeFile(transaction: Transaction, job: string): Promise<void> {
  await sql`
    with file as (
      update job_files set done = ${statementTime} where job_id = ${job}::uuid returning users
    )
    update jobs set total = file.users, waiting = 0 from file where id = ${job}::uuid`.execute(transaction)
}

/** Returns a part of a file; undefined if the file is gone. */
export async function readChunk(database: Handle, job: string, at: number): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealed: Buffer | null }>`
    select sealed from file_chunks where job_id = ${job}::uuid and at = ${at}`.execute(database)
  return rows[0]?.sealed ?? undefined
}

/** Deletes what a complete file holds; who was in it stays known. A file that is being written begins again. */
export async function dropFile(database: Handle, job: string, gone: Gone): Promise<void> {
  const { rows } = await sql`
    update job_files set gone = ${gone} where job_id = ${job}::uuid and done is not null returning 1`.execute(
    database,
  )
  if (rows.length > 0)
    await sql`update file_chunks set sealed = null where job_id = ${job}::uuid and sealed is not null`.execute(
      database,
    )
  else await beginAgain(database, job)
}

export async function beginAgain(database: Handle, job: string): Promise<void> {
  await sql`
    update job_files set after_user = null, chunks = 0, users = 0, rows = 0, withheld = 0, bytes = 0,
      workbook = null
    where job_id = ${job}::uuid`.execute(database)
  await sql`delete from file_chunks where job_id = ${job}::uuid`.execute(database)
  await sql`update jobs set waiting = total where id = ${job}::uuid`.execute(database)
}

/** Deletes the files that name a user who is being deleted. */
export async function dropFilesNaming(transaction: Transaction, user: string): Promise<void> {
  const { rows } = await sql<{ job: string }>`
    select distinct job_id as job from file_chunks
    where users @> array[${user}::uuid] and sealed is not null order by 1`.execute(transaction)
  for (const { job } of rows) await dropFile(transaction, job, 'erased')
}

/** Deletes the files whose time is over, and what stopped and failed exports have written for as long. */
export async function dropOldFiles(database: Handle): Promise<void> {
  const { rows } = await sql<{ job: string }>`
    select f.job_id as job from job_files f join jobs on jobs.id = f.job_id
    where (f.done + ${keptFor} < ${statementTime} and f.gone is null)
      or (f.done is null and f.chunks > 0 and ${isEnded} and ended + ${keptFor} < ${statementTime})`.execute(
    database,
  )
  for (const { job } of rows) await dropFile(database, job, 'expired')
  // A deletion by a process of the previous release, or beside the writing of a part, has left them.
  const { rows: kept } = await sql<{ job: string }>`
    select job_id as job from job_files where done is not null and gone is null`.execute(database)
  for (const { job } of kept) if (await namesDeleted(database, job)) await dropFile(database, job, 'erased')
}
