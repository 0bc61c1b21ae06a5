import { sql } from 'kysely'

import { effects, type Scope, type UndoOutcome } from '#contract/index.ts'
import { type Handle, type Transaction, statementTime } from '../store/sql.ts'

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

/** Records the outcome of the undo for one user, unless another process already has. */
export async function noteUndone(
  database: Handle,
  job: string,
  at: number,
  { outcome, code, detail }: Undone,
): Promise<void> {
  await sql`
    with noted as (
      update job_users set undone = ${outcome}, code = ${code ?? null}, detail = ${detail ?? null}
      where job_id = ${job}::uuid and at = ${at} and undone is null returning 1
    )
    update jobs set waiting = waiting - 1 where id = ${job}::uuid and exists (select 1 from noted)`.execute(
    database,
  )
}

/** Returns how many of the users that the job changed have which outcome of the undo. */
export async function countUndone(database: Handle, job: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ undone: string; count: number }>`
    select coalesce(undone, 'waiting') as undone, count(*)::int as count from job_users
    where job_id = ${job}::uuid and outcome = any(${effects}::text[]) group by 1 order by 1`.execute(database)
  return Object.fromEntries(rows.map(({ undone, count }) => [undone, count]))
}

/** Whether an entity has not been written since it was created. */
export async function isUntouched(transaction: Transaction, user: string, entity: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from changesets where user_id = ${user}::uuid and entity_id = ${entity}::uuid limit 2`.execute(
    transaction,
  )
  return rows.length === 1
}
