import { type Duration, type Operator, readDuration } from '#contract/index.ts'
import type { Clock } from '../operands/moments.ts'
import { holdsFor, type Tests } from './values.ts'

// Operators on moments; see evaluate.ts. Stored DATE and DATETIME values have a fixed format and TIME values are padded
// to one, so that values of one type compare as texts.

type MomentType = 'DATE' | 'DATETIME' | 'TIME'

/** A stored moment, with the clock for evaluating the filter. */
interface Moment {
  readonly type: MomentType
  readonly text: string
  readonly clock: Clock
  /** Today for a DATE, otherwise the current instant. */
  readonly present: string
}

export function momentPasses(
  type: MomentType,
  actual: string,
  op: Operator,
  value: unknown,
  clock: Clock,
): boolean {
  const text = type === 'TIME' ? fullTime(actual) : actual
  if (text === undefined || !isMoment(type, text)) return false
  const now = clock.now.toISOString()
  const present = type === 'DATE' ? localDay(now, clock.tz) : now
  return holdsFor(momentTests, op, { type, text, clock, present }, value)
}

const momentTests: Tests<Moment> = {
  on: (moment, value) => position(moment, value) === 0,
  before: (moment, value) => position(moment, value) < 0,
  after: (moment, value) => position(moment, value) > 0,
  between: (moment, range) => {
    const [from, until] = range as [unknown, unknown]
    return position(moment, from) >= 0 && position(moment, until) <= 0
  },
  within_last: (moment, ago) => position(moment, { ago }) >= 0 && moment.text <= moment.present,
  within_next: (moment, ahead) => position(moment, { ahead }) <= 0 && moment.text >= moment.present,
  older_than: (moment, ago) => position(moment, { ago }) < 0,
  anniversary_within: ({ type, text, clock }, span) => {
    const today = localDay(clock.now.toISOString(), clock.tz)
    const day = type === 'DATE' ? text : localDay(text, clock.tz)
    // The original day itself is not an anniversary.
    return day < today && comesRound(day.slice(5), today, shiftMoment(today, durationOf(span), 1))
  },
}

/**
 * Returns a negative number if the moment is before the bound, 0 if it is on it; a bound that is a day includes any
 * time of that day.
 */
function position({ type, text, clock }: Moment, bound: unknown): number {
  const by = (a: string, b: string | undefined) => (a < (b ?? '') ? -1 : a > (b ?? '') ? 1 : 0)
  if (typeof bound === 'string') {
    if (type === 'TIME') return by(text, fullTime(bound))
    if (type === 'DATE' || bound.length > 10) return by(text, instantText(bound))
    return by(localDay(text, clock.tz), bound)
  }
  const [[direction, span] = ['', '']] = Object.entries(bound as Record<string, string>)
  const duration = durationOf(span)
  const sign = direction === 'ago' ? -1 : 1
  const now = clock.now.toISOString()
  if (duration.exact) return by(text, shiftMoment(now, duration, sign))
  const day = shiftMoment(localDay(now, clock.tz), duration, sign)
  return by(type === 'DATE' ? text : localDay(text, clock.tz), day)
}

/**
 * Whether a day of the year falls between `first` and `last`, inclusive. 29 February counts as the 28th in years
 * without one.
 */
function comesRound(day: string, first: string, last: string): boolean {
  for (let each = first; each <= last; each = nextDay(each)) {
    if (each.slice(5) === day) return true
    if (day === '02-29' && each.endsWith('-02-28') && !nextDay(each).endsWith('-29')) return true
  }
  return false
}

function nextDay(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
}

export function isMoment(type: MomentType, text: string): boolean {
  if (type === 'TIME') return /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/.test(text)
  const full = type === 'DATE' ? `${text}T00:00:00.000Z` : text
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(full) ? Date.parse(full) : Number.NaN
  // `Date` turns 30 February into a day in March.
  return !Number.isNaN(at) && new Date(at).toISOString() === full
}

function fullTime(text: string): string | undefined {
  const [, hours, minutes, seconds = '00', milliseconds = '000'] =
    /^(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3}))?)?$/.exec(text) ?? []
  return hours === undefined ? undefined : `${hours}:${minutes}:${seconds}.${milliseconds}`
}

function instantText(bound: string): string {
  return bound.length === 10 ? bound : new Date(bound).toISOString()
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Returns the calendar day of an instant in a time zone, `YYYY-MM-DD`, or `~`, which sorts last, after year 9999. */
function localDay(instant: string, tz: string): string {
  const format =
    formats.get(tz) ??
    new Intl.DateTimeFormat('en-u-ca-iso8601', {
      timeZone: tz,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
  formats.set(tz, format)
  const part = Object.fromEntries(
    format.formatToParts(Date.parse(instant)).map(({ type, value }) => [type, value]),
  )
  if (instant.startsWith('0001-01-01') && part.month === '12') return '0000-12-31'
  if (instant.startsWith('9999-12-31') && part.month === '01') return '~'
  return `${(part.year ?? '').padStart(4, '0')}-${part.month}-${part.day}`
}

function durationOf(text: unknown): Duration {
  const duration = readDuration(text)
  if (!duration) throw new Error('A stored filter holds no valid duration.')
  return duration
}

/**
 * Shifts a day or an instant: first by years and months, clamped to the last day of a shorter month, then by the rest.
 */
function shiftMoment(from: string, { years, months, days, ms }: Duration, sign: 1 | -1): string {
  const [year = 0, month = 1, day = 1] = from.slice(0, 10).split('-').map(Number)
  const monthsSince = year * 12 + (month - 1) + sign * (years * 12 + months)
  const lastDay = new Date(Date.UTC(2000, 0, 1))
  lastDay.setUTCFullYear(Math.floor(monthsSince / 12), (((monthsSince % 12) + 12) % 12) + 1, 0)
  const date = new Date(lastDay)
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()))
  const timeOfDay = from.length === 10 ? 0 : Date.parse(from) - Date.parse(from.slice(0, 10))
  date.setTime(date.getTime() + sign * (days * 86_400_000 + ms) + timeOfDay)
  const text = date.toISOString()
  return from.length === 10 ? text.slice(0, 10) : text
}
