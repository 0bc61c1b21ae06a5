import type { Operator } from '#contract/index.ts'
import type { Clock } from '../operands/moments.ts'
import { isMoment, momentPasses } from './moments.ts'
import { holds, holdsFor, type Tests } from './values.ts'

// Operators on preferences; see evaluate.ts.

/** A stored preference, or whatever is stored instead of one, with the clock for evaluating the filter. */
interface Preference {
  readonly actual: unknown
  readonly expires: unknown
  readonly holdsNow: boolean
  readonly clock: Clock
}

const isGrant = ({ actual }: Preference) => holds(actual, { status: 'GRANTED' })
const isGranted = (preference: Preference) => preference.holdsNow && isGrant(preference)

const preferenceTests: Tests<Preference> = {
  granted: isGranted,
  not_granted: (preference) => !isGranted(preference),
  expired: (preference) => isGrant(preference) && isBy(preference.expires, preference.clock),
  expires_within: (preference, span) =>
    isGranted(preference) &&
    typeof preference.expires === 'string' &&
    momentPasses('DATETIME', preference.expires, 'within_next', span, preference.clock),
  eq: ({ actual, holdsNow }, value) => holdsNow && holds(actual, value),
  in: ({ actual, holdsNow }, values) => holdsNow && (values as unknown[]).some((each) => holds(actual, each)),
}

export function preferencePasses(actual: unknown, op: Operator, value: unknown, clock: Clock): boolean {
  const { statusDate, expires } = (actual ?? {}) as Readonly<Record<string, unknown>>
  const holdsNow = (isAbsent(statusDate) || isBy(statusDate, clock)) && isAhead(expires, clock)
  return holdsFor(preferenceTests, op, { actual, expires, holdsNow, clock }, value)
}

const isAbsent = (date: unknown) => date === undefined || date === null
const isDate = (date: unknown): date is string => typeof date === 'string' && isMoment('DATETIME', date)
const isBy = (date: unknown, { now }: Clock) => isDate(date) && date <= now.toISOString()
const isAhead = (date: unknown, { now }: Clock) =>
  isAbsent(date) || (isDate(date) && date > now.toISOString())
