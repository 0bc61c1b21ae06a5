import { type RawBuilder, sql } from 'kysely'

import type { PropertyTest } from '#contract/index.ts'
import type { Clock } from '../operands/moments.ts'
import { textInSpan, textMoment } from './moment-sql.ts'
import { holds, holdsAny, isOpen, valueSql } from './property-sql.ts'

/**
 * Builds a test on the current status of a preference. One that has ended, has not begun, or has unreadable dates has
 * no status. Without a start date it has always held; without an expiry date it does not end.
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
  // All members named in the filter must be equal: {"status":"GRANTED"} matches whatever the dates.
  const isSame = op === 'in' ? holdsAny(test, 'value', value as unknown[]) : holds(test, { value })
  return sql`(${isSame} and ${holdsNow(test, clock)})`
}

/**
 * Whether a preference holds now. Never null. Nearly always true, which the planner would not estimate from the
 * separate parts.
 */
function holdsNow(test: PropertyTest, clock: Clock): RawBuilder<boolean> {
  const [begun, expires] = [dateOf(test, 'statusDate'), dateOf(test, 'expires')]
  return sql`coalesce(
    (${expires} is null or ${textInSpan(expires, 'DATETIME', { from: nextMs(clock), until: Infinity })})
    and (${begun} is null or ${textInSpan(begun, 'DATETIME', { from: -Infinity, until: nextMs(clock) })}), false)`
}

const dateOf = (test: PropertyTest, member: 'statusDate' | 'expires') =>
  sql<string>`(${valueSql(test)} ->> ${sql.lit(member)})`

/** Returns the first millisecond in the future. */
const nextMs = ({ now }: Clock) => now.getTime() + 1
