import { sql } from 'kysely'

import { importHours } from '#contract/import.ts'
import type { Scope } from '#contract/index.ts'
import { allowAllRows } from '../jobs/all-rows.ts'
import { isEnded } from '../jobs/storage.ts'
import { type Handle, statementTime, type Transaction } from '../store/sql.ts'

/** Minutes after which a file without a job is one whose process was killed: longer than a file may take to arrive. */
const unfinishedMinutes = 40

/** Makes room for the rows of a file that is about to be received. */
export async function beginImport(database: Handle, id: string): Promise<void> {
  await sql`insert into imports (id, begun) values (${id}::uuid, ${statementTime})`.execute(database)
}

/** Deletes what has been received of a file. */
export async function dropImport(database: Handle, id: string): Promise<void> {
  await sql`delete from imports where id = ${id}::uuid and job_id is null`.execute(database)
}

/** Inserts the job of a file that is there; its check has to be asked for. */
export async function insertImport(
  transaction: Transaction,
  {
    id,
    actor,
    scopes,
    rows,
    columns,
    sealed,
  }: {
    readonly id: string
    readonly actor: string
    readonly scopes: readonly Scope[]
    readonly rows: number
    readonly columns: number
    readonly sealed: string
  },
): Promise<void> {
  await sql`
    insert into jobs (id, kind, actor, scopes, dry_run, asked, sealed, state, total, users, waiting, created, turn)
    values (${id}::uuid, 'import', ${actor}, ${scopes}::text[], true, ${JSON.stringify({ rows, columns })}::jsonb, ${sealed},
      'ready', ${rows}, ${rows}, ${rows}, ${statementTime}, ${statementTime})`.execute(transaction)
  await sql`update imports set job_id = id where id = ${id}::uuid`.execute(transaction)
}

/** Stores the input of an import with another mapping. Forgets what a check has found by the one before. */
export async function setMapping(
  transaction: Transaction,
  { id, sealed, rows }: { readonly id: string; readonly sealed: string; readonly rows: number },
): Promise<void> {
  await allowAllRows(transaction)
  await sql`delete from job_users where job_id = ${id}::uuid`.execute(transaction)
  await sql`delete from import_identifiers where job_id = ${id}::uuid`.execute(transaction)
  await sql`update imports set summary = null where job_id = ${id}::uuid`.execute(transaction)
  await sql`
    update jobs set sealed = ${sealed}, state = 'ready', ended = null, turn = ${statementTime},
      total = ${rows}, waiting = ${rows}
    where id = ${id}::uuid`.execute(transaction)
}

/** Deletes a file that was never received to its end; returns false if there is none. */
export async function dropUnfinished(database: Handle): Promise<boolean> {
  const { rows } = await sql`
    delete from imports where id = (
      select id from imports
      where job_id is null and begun < ${statementTime} - ${unfinishedMinutes}::int * interval '1 minute'
      order by begun limit 1 for update skip locked
    )
    returning 1`.execute(database)
  return rows.length > 0
}

/** Import whose time is over, because its job has done nothing for `importHours`. */
export interface OldImport {
  readonly id: string
  /** Whether the import has changed nobody. */
  readonly isDryRun: boolean
  readonly sealed: string
}

const isOld = sql<boolean>`
  turn < ${statementTime} - ${importHours}::int * interval '1 hour' and ${isEnded}`

export async function findOldImport(database: Handle): Promise<OldImport | undefined> {
  const { rows } = await sql<OldImport>`
    select id, dry_run as "isDryRun", sealed from jobs
    where id in (select job_id from imports) and ${isOld} order by turn limit 1`.execute(database)
  return rows[0]
}

/** Deletes an import that has changed nobody, with its job. */
export async function dropOldJob(database: Handle, id: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await allowAllRows(transaction)
    await sql`delete from jobs where id = ${id}::uuid and dry_run and ${isOld}`.execute(transaction)
  })
}

/** Deletes the rows of an import, and replaces the input of its job. */
export async function dropOldRows(database: Handle, id: string, sealed: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await allowAllRows(transaction)
    const { rows } = await sql`
      update jobs set sealed = ${sealed} where id = ${id}::uuid and not dry_run and ${isOld} returning 1`.execute(
      transaction,
    )
    if (rows.length > 0) await sql`delete from imports where job_id = ${id}::uuid`.execute(transaction)
  })
}
