import type { Caller } from '../http/auth/caller.ts'
import { notFound, Refusal } from '../http/errors/problem.ts'
import { jobById, type JobRow } from '../jobs/storage.ts'
import type { Handle } from '../store/sql.ts'

/** Returns an import of the caller. Its file is shown to nobody else, and nobody else may say what becomes of it. */
export async function findOwnImport(
  handle: Handle,
  id: string,
  caller: Caller,
  options: { readonly lock?: boolean } = {},
): Promise<JobRow> {
  const row = await jobById(handle, id, options)
  if (row?.kind !== 'import' || row.actor !== caller.subject) throw notFound('job')
  return row
}

/** States in which a process works at a job, or is going to. */
export const openStates: ReadonlySet<string> = new Set(['waiting', 'running', 'undoing'])

/** Refuses an import that has changed somebody, or is being checked. */
export function requireUnapplied({ dry_run: isDryRun, state }: JobRow): void {
  if (!isDryRun)
    throw new Refusal(
      'already_imported',
      'This file has been imported. Nothing was changed; upload it again to import it anew.',
    )
  if (openStates.has(state))
    throw new Refusal(
      'job_not_ended',
      'The check is still running. Stop it first, or wait until it has ended.',
    )
}

export function fileGone(): Refusal {
  return new Refusal('rows_gone', 'The rows of this file are no longer kept. Upload it again.')
}
