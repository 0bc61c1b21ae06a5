import { type Duration, type Operator, readDuration, dayMs } from '#contract/index.ts'

export type MomentType = 'DATE' | 'DATETIME' | 'TIME'

/** Time and zone for which a filter is evaluated. */
export interface Clock {
  readonly now: Date
  /** IANA time zone that determines when days begin. */
  readonly tz: string
}

/**
 * A half-open span in milliseconds: since the epoch for DATETIME; likewise for DATE, with each day at midnight UTC;
 * since midnight for TIME. Infinite if a test has no bound on that side.
 */
export interface MomentSpan {
  readonly from: number
  readonly until: number
}

const earliest = Date.parse('0001-01-01T00:00:00.000Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Returns the time span that a test on moments accepts. Stored moments are whole milliseconds, so every span can be
 * half-open.
 */
export function spanOf(type: MomentType, operator: Operator, value: unknown, clock: Clock): MomentSpan {
  const span = spans[operator]
  if (!span) throw new Error(`"${operator}" is no test of one span of time.`)
  return span(value, (moment) => resolve(type, moment, clock), presentSpan(type, clock))
}

const spans: Partial<
  Record<Operator, (value: unknown, at: (moment: unknown) => MomentSpan, present: MomentSpan) => MomentSpan>
> = {
  on: (value, at) => at(value),
  before: (value, at) => ({ from: -Infinity, until: at(value).from }),
  after: (value, at) => ({ from: at(value).until, until: Infinity }),
  between: (value, at) => {
    const [from, to] = value as [unknown, unknown]
    return { from: at(from).from, until: at(to).until }
  },
  within_last: (ago, at, { until }) => ({ from: at({ ago }).from, until }),
  within_next: (ahead, at, { from }) => ({ from, until: at({ ahead }).until }),
  older_than: (ago, at) => ({ from: -Infinity, until: at({ ago }).from }),
}

/** An inclusive range of days in the year as `MM-DD`; it may span New Year. */
export type DaysOfYear = readonly [first: string, last: string]

/**
 * Returns the moments whose anniversary is today or within the given span: those before `until`, on `days` of the year
 * (any day if undefined). 29 February counts as the 28th in years without one. `nearly` are the possible days in UTC,
 * whatever the zone, for a cheap first test.
 */
export function anniversaries(
  type: MomentType,
  span: string,
  clock: Clock,
): { readonly until: number; readonly days?: DaysOfYear; readonly nearly?: DaysOfYear } {
  const today = localDay(clock.now.getTime(), clock.tz)
  const last = shift(today, durationOf(span), 1)
  const { from: until } = daySpan(type, today, clock.tz)
  const lengthDays = (last - today) / dayMs
  const year = (shift(today, durationOf('P1Y'), 1) - today) / dayMs
  // A year that begins on 29 February reaches a 28th of February only on its last day.
  const whole = monthAndDay(today) === '02-29' ? year : year - 1
  if (lengthDays >= whole) return { until }
  const end = monthAndDay(last)
  const next = monthAndDay(last + dayMs)
  const days = [monthAndDay(today), end === '02-28' && next === '03-01' ? '02-29' : end] as const
  // Two days on each side: one for the zone, one for 29 February.
  if (lengthDays + 5 >= year) return { until, days }
  return { until, days, nearly: [monthAndDay(today - 2 * dayMs), monthAndDay(last + 2 * dayMs)] }
}

const monthAndDay = (day: number) => new Date(day).toISOString().slice(5, 10)

/**
 * Returns a bound in its stored format, so that texts compare as times do. Years that cannot be stored sort before or
 * after all others.
 */
export function boundText(type: MomentType, ms: number): string {
  if (type === 'TIME') return ms >= dayMs ? '24' : new Date(ms).toISOString().slice(11, 23)
  if (ms < earliest) return ''
  if (ms > latest) return '~'
  const text = new Date(ms).toISOString()
  return type === 'DATE' ? text.slice(0, 10) : text
}

function presentSpan(type: MomentType, { now, tz }: Clock): MomentSpan {
  return type === 'DATE' ? daySpan(type, localDay(now.getTime(), tz), tz) : instantSpan(now.getTime())
}

const instantSpan = (ms: number): MomentSpan => ({ from: ms, until: ms + 1 })

function resolve(type: MomentType, value: unknown, { now, tz }: Clock): MomentSpan {
  if (typeof value === 'string') {
    if (type === 'TIME') return instantSpan(Date.parse(`1970-01-01T${value}Z`))
    return value.length === 10 ? daySpan(type, Date.parse(value), tz) : instantSpan(Date.parse(value))
  }
  const [[direction, text] = ['', '']] = Object.entries(value as Record<string, string>)
  const duration = durationOf(text)
  const sign = direction === 'ago' ? -1 : 1
  if (duration.exact) return instantSpan(shift(now.getTime(), duration, sign))
  return daySpan(type, shift(localDay(now.getTime(), tz), duration, sign), tz)
}

function durationOf(text: string): Duration {
  const duration = readDuration(text)
  if (!duration) throw new Error('A stored filter holds no valid duration.')
  return duration
}

function daySpan(type: MomentType, day: number, tz: string): MomentSpan {
  if (type === 'DATE') return { from: day, until: day + dayMs }
  return { from: startOfDay(day, tz), until: startOfDay(day + dayMs, tz) }
}

/**
 * Shifts a time: first by years and months, clamped to the last day of a shorter month, then by days and smaller
 * units.
 */
function shift(ms: number, { years, months, days, ms: rest }: Duration, sign: 1 | -1): number {
  const date = new Date(ms)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + sign * (years * 12 + months))
  const lastDay = new Date(date)
  lastDay.setUTCMonth(lastDay.getUTCMonth() + 1, 0)
  date.setUTCDate(Math.min(day, lastDay.getUTCDate()))
  return date.getTime() + sign * (days * dayMs + rest)
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Offset of a time zone from UTC at an instant, in milliseconds. */
function offsetAt(ms: number, tz: string): number {
  const format =
    formats.get(tz) ?? new Intl.DateTimeFormat('en', { timeZone: tz, timeZoneName: 'longOffset' })
  formats.set(tz, format)
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name) ?? []
  const ahead = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ahead : ahead
}

function localDay(ms: number, tz: string): number {
  return Math.floor((ms + offsetAt(ms, tz)) / dayMs) * dayMs
}

/**
 * Returns the first instant of a local day. If clocks go forward at midnight, it is later than 00:00; if they go back,
 * it is the first of two. A day that the zone skipped begins and ends with the jump.
 */
function startOfDay(day: number, tz: string): number {
  const candidates = [day - offsetAt(day - dayMs, tz), day - offsetAt(day + dayMs, tz)].toSorted(
    (a, b) => a - b,
  )
  return candidates.find((ms) => localDay(ms, tz) === day) ?? candidates[1] ?? day
}
