import { sql } from 'kysely'

import { importChunkRows } from '#contract/import.ts'
import { effects, type Outcome, type UndoOutcome } from '#contract/index.ts'
import { allowAllRows } from '../jobs/all-rows.ts'
import { type Claim, isOurs } from '../jobs/storage.ts'
import { type Handle, statementTime, type Transaction } from '../store/sql.ts'

/** Row of a file that is to be worked on. */
export interface WaitingRow {
  /** Ordinal of the row, from 1. */
  readonly at: number
  /** Digest of the state that the check found; null in the check itself. */
  readonly seen: string | null
}

/** Begins a check, and forgets what an earlier one found. */
export async function beginCheck(
  transaction: Transaction,
  {
    id,
    rows,
    sealed,
    scopes,
  }: {
    readonly id: string
    readonly rows: number
    readonly sealed: string
    readonly scopes: readonly string[]
  },
): Promise<void> {
  await allowAllRows(transaction)
  await sql`delete from job_users where job_id = ${id}::uuid`.execute(transaction)
  await sql`delete from import_identifiers where job_id = ${id}::uuid`.execute(transaction)
  await sql`update imports set summary = null where job_id = ${id}::uuid`.execute(transaction)
  await sql`
    update jobs set dry_run = true, state = 'waiting', ended = null, leased = null, turn = ${statementTime},
      scopes = ${scopes}::text[], sealed = ${sealed}, total = ${rows}::int, users = ${rows}::int, waiting = ${rows}::int
    where id = ${id}::uuid`.execute(transaction)
}

/** Returns the ordinal of the first row after `after` without an outcome; undefined if there is none. */
export async function firstWaiting(
  database: Handle,
  job: string,
  after: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ at: number }>`
    select at from job_users where job_id = ${job}::uuid and outcome is null and at > ${after} order by at limit 1`.execute(
    database,
  )
  return rows[0]?.at
}

/** Returns the ordinal of the first row that the check has not come to. */
export async function firstUnchecked(database: Handle, job: string): Promise<number> {
  const { rows } = await sql<{ at: number }>`
    select coalesce(max(at), 0) + 1 as at from job_users where job_id = ${job}::uuid`.execute(database)
  return rows[0]?.at ?? 1
}

/**
 * Gives the rows of a chunk a place for their outcome, and locks them; none if this process no longer holds the job, or
 * another one has been here.
 */
export async function takeUnchecked(
  transaction: Transaction,
  claim: Claim,
  chunk: number,
  count: number,
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    insert into job_users (job_id, at)
    select ${claim.id}::uuid, at from generate_series(${chunk * importChunkRows + 1}::int, ${chunk * importChunkRows + count}::int) as at
    where exists (select 1 from jobs where ${isOurs(claim)})
    on conflict do nothing returning at, seen`.execute(transaction)
  return rows.toSorted((a, b) => a.at - b.at)
}

/** Locks the rows of a chunk that have no outcome; none if this process no longer holds the job. */
export async function lockWaiting(
  transaction: Transaction,
  claim: Claim,
  chunk: number,
): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select at, seen from job_users
    where job_id = ${claim.id}::uuid and outcome is null
      and at > ${chunk * importChunkRows} and at <= ${(chunk + 1) * importChunkRows}
      and exists (select 1 from jobs where ${isOurs(claim)})
    order by at for update`.execute(transaction)
  return rows
}

/** Row that has an identifier, with a digest of all that the row gives. */
export interface Identified {
  readonly digest: string
  /** Number of the row in the file. */
  readonly row: number
  readonly content: string
}

/** Returns which of these identifiers earlier rows of the file have. */
export async function findIdentified(
  transaction: Transaction,
  job: string,
  digests: readonly string[],
): Promise<Identified[]> {
  const { rows } = await sql<Identified>`
    select digest, "row", content from import_identifiers
    where job_id = ${job}::uuid and digest = any(${digests}::text[])`.execute(transaction)
  return rows
}

export async function keepIdentified(
  transaction: Transaction,
  job: string,
  identified: readonly Identified[],
): Promise<void> {
  await sql`
    insert into import_identifiers (job_id, digest, "row", content)
    select ${job}::uuid, digest, "row", content from jsonb_to_recordset(${JSON.stringify(identified)}::jsonb)
      as given (digest text, "row" int, content text)`.execute(transaction)
}

/** Returns the sealed summary of a check; null before its first rows. */
export async function readSummary(
  database: Handle,
  job: string,
  { lock = false } = {},
): Promise<string | null> {
  const { rows } = await sql<{ summary: string | null }>`
    select summary from imports where job_id = ${job}::uuid ${lock ? sql`for no key update` : sql``}`.execute(
    database,
  )
  return rows[0]?.summary ?? null
}

export async function writeSummary(transaction: Transaction, job: string, summary: string): Promise<void> {
  await sql`update imports set summary = ${summary} where job_id = ${job}::uuid`.execute(transaction)
}

/** Row that an import has changed something for. */
export interface ImportedRow {
  readonly at: number
  readonly user: string | null
  readonly outcome: string
  /** Changesets of the row, in their order. */
  readonly changesets: readonly string[]
}

/** Locks the next rows that are to be put back; none if this process no longer holds the job. */
export async function lockImported(
  transaction: Transaction,
  claim: Claim,
  { after, atMost }: { readonly after: number; readonly atMost: number },
): Promise<ImportedRow[]> {
  const { rows } = await sql<ImportedRow>`
    select at, user_id as "user", outcome, coalesce(changesets, '{}') as changesets from job_users
    where job_id = ${claim.id}::uuid and outcome = any(${effects}::text[]) and undone is null and at > ${after}
      and exists (select 1 from jobs where ${isOurs(claim)})
    order by at limit ${atMost} for update`.execute(transaction)
  return rows
}

/** Row of an import as its page tells of it. */
export interface KeptRow {
  readonly at: number
  /** Null for a row that belongs to no user. */
  readonly user: string | null
  readonly outcome: Outcome
  /** Null without an undo, or if the row changed nobody. */
  readonly undone: UndoOutcome | null
  readonly code: string | null
  readonly detail: string | null
  /** Null if the import has not written the row. */
  readonly changesets: readonly string[] | null
  /** Digest of the state that the check found; null for a row that is not checked. */
  readonly seen: string | null
}

/** Returns the rows of an import after `after`, in the order of the file. */
export async function readPage(
  database: Handle,
  job: string,
  {
    outcome,
    undone,
    after,
    atMost,
    isUndo,
  }: {
    readonly outcome: Outcome | undefined
    readonly undone: UndoOutcome | undefined
    readonly after: number
    readonly atMost: number
    readonly isUndo: boolean
  },
): Promise<KeptRow[]> {
  const state = sql`case when ${isUndo} and outcome = any(${effects}::text[]) then coalesce(undone, 'waiting') end`
  const isOutcome =
    outcome === undefined
      ? sql`true`
      : outcome === 'waiting'
        ? sql`outcome is null`
        : sql`outcome = ${outcome}`
  const { rows } = await sql<KeptRow>`
    select at, user_id as "user", coalesce(outcome, 'waiting') as outcome, ${state} as undone, code, detail, changesets, seen
    from job_users where job_id = ${job}::uuid and at > ${after} and ${isOutcome}
      and (${undone ?? null}::text is null or ${state} = ${undone ?? null}::text)
    order by at limit ${atMost}`.execute(database)
  return rows
}

/** Returns the next rows that an import leaves out, with the reason; a repeated row is not one of them. */
export async function leftOutRows(
  database: Handle,
  job: string,
  after: number,
): Promise<Pick<KeptRow, 'at' | 'detail'>[]> {
  const { rows } = await sql<Pick<KeptRow, 'at' | 'detail'>>`
    select at, detail from job_users
    where job_id = ${job}::uuid and at > ${after} and outcome in ('refused', 'ambiguous', 'conflict')
    order by at limit ${importChunkRows}`.execute(database)
  return rows
}
