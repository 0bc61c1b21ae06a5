import type { Database } from '../sealing/database.ts'
import { openTyped, sealTyped, type Typed } from './task.ts'
import { findEndedJobs, namesDeleted, setSealed } from './storage.ts'

/**
 * A reason that was given for many users may tell of one, and goes with the first of them who is deleted, once the job has ended. What the
 * job did to each of the others keeps it, sealed under that user's key.
 */
export async function dropReasonsOfDeleted({ sql, keys: { indexKey } }: Database): Promise<void> {
  for (const { id, sealed } of await findEndedJobs(sql)) {
    const typed = openable(() => openTyped(indexKey, id, sealed))
    if (typed?.reason === undefined || !(await namesDeleted(sql, id))) continue
    await setSealed(sql, { id, sealed }, sealTyped(indexKey, id, { value: typed.value }))
  }
}

/** `undefined`: with the keys that there are nobody can read it, which the job itself tells. */
function openable(open: () => Typed): Typed | undefined {
  try {
    return open()
  } catch {
    return undefined
  }
}
