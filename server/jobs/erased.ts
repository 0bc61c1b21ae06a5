import { emptyValue, isTelling } from '../erasures/emptying.ts'
import { emptyOfErased, type IsErased, knownOf, withoutErased } from '../erasures/recognise.ts'
import { emptySegments } from '../erasures/segments.ts'
import { mapInSlices } from '../http/limits/slices.ts'
import type { Database } from '../sealing/database.ts'
import { allSealedJobs, setSealed } from './storage.ts'
import { openTyped, sealTyped, type Typed } from './task.ts'

/** Empties segments and jobs of users whose deletion is final. A job that is still open needs its value: it is emptied later. */
export async function emptyHolders(database: Database): Promise<void> {
  const { indexKey, keyring } = database.keys
  await emptySegments(database, keyring.ids)
  await emptyOfErased(database, 'jobs', keyring.ids, async (known) => {
    const holding = await jobsHolding(database, known)
    for (const { id, sealed, hasEnded } of holding) {
      if (!hasEnded) continue
      const typed = { ...openTyped(indexKey, id, sealed), value: null, erased: true }
      await setSealed(database.sql, { id, sealed }, sealTyped(indexKey, id, typed))
    }
    return holding.every(({ hasEnded }) => hasEnded)
  })
}

/** Returns the jobs that still hold identifiers of an erased user. */
export async function jobsNaming(database: Database, user: string): Promise<{ id: string }[]> {
  const found = await jobsHolding(database, await knownOf(database, [user]))
  return found.map(({ id }) => ({ id }))
}

async function jobsHolding(database: Database, known: IsErased) {
  const holding: Awaited<ReturnType<typeof allSealedJobs>> = []
  const jobs = await allSealedJobs(database.sql)
  const opened = await mapInSlices(jobs, (job) => ({ job, typed: openJobInput(database, job) }))
  for (const { job, typed } of opened) {
    if (!typed || typed.erased === true || typed.value === null) continue
    const isHolding = await withoutErased(database.sql, known, (isErased) =>
      holdsErased(typed.value, isErased),
    )
    if (isHolding === true) holding.push(job)
  }
  return holding
}

/** Whether anything within a value identifies an erased user: a value that is set, a filter, or the columns of a file. */
function holdsErased(value: unknown, isErased: IsErased): boolean {
  if (typeof value === 'string')
    return emptyValue('TEXT', value, (each) => isTelling(each) && isErased(each)) !== value
  // All parts are looked at, since the first pass only collects.
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value)
      .map((part) => holdsErased(part, isErased))
      .includes(true)
  )
}

function openJobInput({ keys }: Database, { id, sealed }: { readonly id: string; readonly sealed: string }) {
  try {
    return openTyped(keys.indexKey, id, sealed)
  } catch {
    return undefined satisfies Typed | undefined
  }
}
