import type { Judged, SegmentWrite } from '#contract/index.ts'
import { accessesOf, recordAccesses } from '../events/sealed-gate.ts'
import type { Caller } from '../http/caller.ts'
import type { Database } from '../sealing/database.ts'
import { checkUnsaved } from './conditions.ts'
import { judge } from './judge.ts'
import { toldSensitive } from './rules.ts'
import { subjectById } from './storage.ts'

/**
 * Whether a filter that nobody saved finds a user, and why; `undefined`: there is no such user. It refuses what a search by the
 * filter refuses. That a sensitive value passed a test is recorded as a read of it, as where a segment is explained.
 */
export async function explained(
  database: Pick<Database, 'sql' | 'keys'>,
  user: string,
  { filter, tz }: Pick<SegmentWrite, 'filter' | 'tz'>,
  caller: Caller,
): Promise<{ member: boolean; why?: Judged } | undefined> {
  const subject = await subjectById(database.sql, user)
  if (!subject) return undefined
  const segments = await checkUnsaved(database, { filter, tz }, caller)
  const { indexKey } = database.keys
  const why = judge(filter, subject, { segments, indexKey, tz: tz ?? 'UTC', now: new Date() })
  await recordAccesses(database.sql, caller, accessesOf(user.toLowerCase(), [why]))
  // Why tells what a segment that is used compares with: a value of somebody who may be gone, with the last such property.
  const isTold = !(await toldSensitive(database.sql, filter, segments, caller))
  return { member: why.pass, ...(isTold && { why }) }
}
