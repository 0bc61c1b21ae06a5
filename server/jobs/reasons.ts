import type { Database } from '../sealing/database.ts'
import { findEndedJobs, namesDeleted, sealedOfJobs, setSealed } from './storage.ts'
import { openTyped, sealTyped, type Typed } from './task.ts'

/**
 * Removes the reasons of jobs that have ended and had a user who was deleted since: a reason given for many users may
 * contain data about one of them. Each remaining user's changeset keeps the reason, sealed under that user's key.
 */
export async function dropReasonsOfDeleted({ sql, keys: { indexKey } }: Database): Promise<void> {
  for (const { id, sealed } of await findEndedJobs(sql)) {
    const typed = openable(() => openTyped(indexKey, id, sealed))
    const isGiven = typed?.reason !== undefined || typed?.undoReason !== undefined
    if (!isGiven || !(await namesDeleted(sql, id))) continue
    await setSealed(sql, { id, sealed }, sealTyped(indexKey, id, { value: typed.value }))
  }
}

/** Returns the reasons of jobs by their ids, without those that have none. */
export async function reasonsOfJobs(
  { sql, keys: { indexKey } }: Database,
  jobs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sealedOfJobs(sql, jobs)
  return new Map(
    rows.flatMap(({ id, sealed }) => {
      const reason = openable(() => openTyped(indexKey, id, sealed))?.reason
      return reason === undefined ? [] : [[id, reason]]
    }),
  )
}

/** Returns `undefined` if the available keys cannot open the sealed input; the API logs that when it reads the job. */
function openable(open: () => Typed): Typed | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
