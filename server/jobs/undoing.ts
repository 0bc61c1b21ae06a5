import { sql } from 'kysely'

import { effects, type Scope, type UndoOutcome } from '#contract/index.ts'
import { type Handle, type Transaction, statementTime } from '../store/sql.ts'
import { allowAllRows } from './all-rows.ts'

/** Outcome of an undo for one user. */
export interface Undone {
  readonly outcome: Exclude<UndoOutcome, 'waiting'>
  readonly code?: string
  readonly detail?: string
}

/**
 * Makes a job put back what it changed; what an earlier undo was refused is tried again. Returns the number of users
 * that there is something to put back for.
 */
export async function setUndoing(
  transaction: Transaction,
  { id, sealed, scopes }: { readonly id: string; readonly sealed: string; readonly scopes: readonly Scope[] },
): Promise<number> {
  await allowAllRows(transaction)
  await sql`
    update job_users set undone = null, code = null, detail = null
    where job_id = ${id}::uuid and outcome = any(${effects}::text[]) and undone = 'refused'`.execute(
    transaction,
  )
  const { rows } = await sql<{ total: number }>`
    with left_to_do as (
      select count(*)::int as total from job_users
      where job_id = ${id}::uuid and outcome = any(${effects}::text[]) and undone is null
    )
    update jobs set undo = true, state = 'undoing', ended = null, leased = null, turn = ${statementTime},
      sealed = ${sealed}, scopes = ${scopes}::text[], total = left_to_do.total, waiting = left_to_do.total
    from left_to_do where id = ${id}::uuid returning left_to_do.total`.execute(transaction)
  return rows[0]?.total ?? 0
}

/** Outcome of an undo for the user, or the row of a file, at this place. */
export interface PlacedUndone extends Undone {
  readonly at: number
}

/** Records outcomes of the undo, unless another process already has. */
export async function noteUndone(
  transaction: Transaction,
  job: string,
  undone: readonly PlacedUndone[],
): Promise<void> {
  await sql`
    with noted as (
      update job_users set undone = given.outcome, code = given.code, detail = given.detail
      from jsonb_to_recordset(${JSON.stringify(undone)}::jsonb) as given (at int, outcome text, code text, detail text)
      where job_id = ${job}::uuid and job_users.at = given.at and job_users.undone is null
      returning 1
    )
    update jobs set waiting = waiting - (select count(*) from noted) where id = ${job}::uuid`.execute(
    transaction,
  )
}

/** Returns how many of the users that the job changed have which outcome of the undo. */
export async function countUndone(database: Handle, job: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ undone: string; count: number }>`
    select coalesce(undone, 'waiting') as undone, count(*)::int as count from job_users
    where job_id = ${job}::uuid and outcome = any(${effects}::text[]) group by 1 order by 1`.execute(database)
  return Object.fromEntries(rows.map(({ undone, count }) => [undone, count]))
}

/** Returns those of these entities of users that have not been written since they were created. */
export async function findUntouched(
  transaction: Transaction,
  users: readonly string[],
  entities: readonly string[],
): Promise<ReadonlySet<string>> {
  if (entities.length === 0) return new Set()
  const { rows } = await sql<{ entity: string }>`
    select entity_id as entity from changesets
    where user_id = any(${users}::uuid[]) and entity_id = any(${entities}::uuid[])
    group by entity_id having count(*) = 1`.execute(transaction)
  return new Set(rows.map(({ entity }) => entity))
}
