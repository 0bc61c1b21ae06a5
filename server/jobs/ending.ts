import { recordEvent } from '../events/storage.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import type { ExportTask } from './export-task.ts'
import { countOutcomes } from './report.ts'
import { type Claim, type JobRow, releaseJob, setOutcomes, setState } from './storage.ts'
import { countUndone } from './undoing.ts'

/** Tells of an export what its file holds. */
function describeFile({ kind, asked }: Claim): { columns?: string; sensitive?: string } {
  if (kind !== 'export') return {}
  const { columns, sensitive } = asked as ExportTask
  return { ...(columns && { columns: JSON.stringify(columns) }), sensitive }
}

/**
 * Ends a job and records that, in one transaction, unless another process has taken the job over or somebody has stopped
 * it. A dry run is not recorded: it changed nobody, and the job that applies it is.
 */
export async function endJob(
  database: Handle,
  claim: Claim,
  state: 'finished' | 'undone' | 'failed',
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const isReleased = await releaseJob(transaction, claim, state)
    if (!isReleased) return
    const { id: job, kind, actor, undo } = claim
    const outcomes = await (undo ? countUndone : countOutcomes)(transaction, job)
    await setOutcomes(transaction, job, outcomes)
    if (claim.dry_run) return
    const properties = { job, kind, actor, state, outcomes: JSON.stringify(outcomes), ...describeFile(claim) }
    await recordEvent(transaction, 'JOB_FINISHED', undo ? { ...properties, undo: 'true' } : properties)
  })
}

/**
 * Stops a job that is open. If it has changed anybody, that is recorded: nobody may resume it, and the log then has a
 * row for its changes.
 */
export async function stopJob(
  transaction: Transaction,
  { id: job, kind, actor, dry_run: isDryRun, undo }: JobRow,
  stoppedBy: string,
): Promise<void> {
  await setState(transaction, job, 'stopped')
  // Neither a dry run nor an export changes anybody.
  if (isDryRun || kind === 'export') return
  const outcomes = await (undo ? countUndone : countOutcomes)(transaction, job)
  if (Object.keys(outcomes).every((outcome) => outcome === 'waiting')) return
  await recordEvent(transaction, 'JOB_STOPPED', {
    job,
    kind,
    actor,
    outcomes: JSON.stringify(outcomes),
    ...(stoppedBy !== actor && { stoppedBy }),
    ...(undo && { undo: 'true' }),
  })
}
