import type { Judged } from '#contract/index.ts'
import { accessesOf } from '../events/sealed-gate.ts'
import type { Database } from '../sealing/database.ts'
import { ask, type Asking } from './conditions.ts'
import { evaluate } from './evaluation/evaluate.ts'
import type { UnsavedFilter } from './rules.ts'
import { everSensitiveOf, subjectById } from './storage.ts'

/**
 * Returns whether an unsaved filter matches a user, and why; `undefined` if there is no such user. Refuses whatever a
 * search with the filter would refuse. A sensitive value that passes a test is recorded as read, as in the explanation
 * of a segment.
 */
export async function explain(
  database: Pick<Database, 'sql' | 'keys'>,
  user: string,
  given: UnsavedFilter,
  asking: Pick<Asking, 'caller' | 'gate'>,
): Promise<{ member: boolean; why?: Judged } | undefined> {
  const subject = await subjectById(database.sql, user)
  if (!subject) return undefined
  const { caller, gate } = asking
  const about = user.toLowerCase()
  return await ask(database, given, { ...asking, by: 'explain', user: about }, async (facts, sealed) => {
    const { filter, tz, used, keys } = facts
    const { indexKey } = database.keys
    const context = { segments: used, indexKey, terms: new Map(), tz: tz ?? 'UTC', now: new Date() }
    const why = evaluate(filter, subject, context)
    // `why` reveals the operands of used segments. Even if nobody has the sensitive property any more, they may be
    // values of a deleted user.
    const isTold = gate.shows(caller) || (await everSensitiveOf(database.sql, keys, sealed)).length === 0
    const answer = { member: why.pass, ...(isTold && { why }) }
    return { answer, users: 1, accesses: accessesOf(about, [why]) }
  })
}
