import { type RawBuilder, sql } from 'kysely'

import type { PropertyTest } from '#contract/index.ts'
import { textInSpan, textMoment } from './moment-sql.ts'
import type { Clock } from '../moments.ts'
import { holds, holdsAny, isOpen, valueSql } from './property-sql.ts'

/**
 * A test on a preference: of what holds now. One that has ended, or is still to come, has no status; nor has one whose
 * dates cannot be read. Without a date it has held ever since, and has no end.
 */
export function preferenceTest(test: PropertyTest, clock: Clock): RawBuilder<boolean> {
  const { op, value } = test
  const expires = dateOf(test, 'expires')
  const isGrant = holds(test, { value: { status: 'GRANTED' } })
  const granted = sql<boolean>`(${isGrant} and ${holdsNow(test, clock)})`
  if (op === 'granted') return granted
  if (op === 'not_granted') return sql`(${holds(test)} and ${isOpen(test)} and not ${granted})`
  if (op === 'expired')
    return sql`(${isGrant} and ${textInSpan(expires, 'DATETIME', { from: -Infinity, until: nextMs(clock) })})`
  if (op === 'expires_within')
    return sql`(${granted} and ${textMoment(expires, 'DATETIME', 'within_next', value, clock)})`
  // The members that the filter names must be equal: {"status":"GRANTED"} whatever its dates.
  const isSame = op === 'in' ? holdsAny(test, 'value', value as unknown[]) : holds(test, { value })
  return sql`(${isSame} and ${holdsNow(test, clock)})`
}

/** Never null; and nearly always true, which the planner would not guess of the parts. */
function holdsNow(test: PropertyTest, clock: Clock): RawBuilder<boolean> {
  const [begun, expires] = [dateOf(test, 'statusDate'), dateOf(test, 'expires')]
  return sql`coalesce(
    (${expires} is null or ${textInSpan(expires, 'DATETIME', { from: nextMs(clock), until: Infinity })})
    and (${begun} is null or ${textInSpan(begun, 'DATETIME', { from: -Infinity, until: nextMs(clock) })}), false)`
}

const dateOf = (test: PropertyTest, member: 'statusDate' | 'expires') =>
  sql<string>`(${valueSql(test)} ->> ${sql.lit(member)})`

/** The first moment that is still to come. */
const nextMs = ({ now }: Clock) => now.getTime() + 1
