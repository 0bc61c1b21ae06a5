import { sharedText } from '../messages/index.ts'
import { dateLocale, language } from '../messages/language/format.ts'

/** Zone in which times are shown, and the zone that the service assumes for a datetime without one. */
export interface Zones {
  readonly shown: 'utc' | 'local'
  /** IANA zone from the settings. */
  readonly service: string
}

/** The zone that is shown, and how another one is chosen. */
export interface ZoneChoice {
  readonly zone: Zones['shown']
  readonly onZone: (zone: Zones['shown']) => void
}

const zoneless = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/

/** Parses a datetime into milliseconds; undefined if invalid. Without a zone, it is in the service's zone. */
export function instantMs(value: string, serviceZone: string): number | undefined {
  const isZoneless = zoneless.test(value)
  const ms = Date.parse(isZoneless ? `${value}Z` : value)
  if (Number.isNaN(ms)) return undefined
  if (!isZoneless || serviceZone === 'UTC') return ms
  // The offset depends on the result itself. A second iteration settles it near a clock change.
  return ms - offsetMs(ms - offsetMs(ms, serviceZone), serviceZone)
}

function offsetMs(ms: number, zone: string): number {
  const name = formatter({ timeZone: zone, timeZoneName: 'longOffset' }, language)
    .formatToParts(ms)
    .find((part) => part.type === 'timeZoneName')?.value
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(name ?? '') ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

// Formatters are cached: creating one costs far more than using it, and a page formats a hundred timestamps.
const formatters = new Map<string, Intl.DateTimeFormat>()
function formatter(options: Intl.DateTimeFormatOptions, written = dateLocale): Intl.DateTimeFormat {
  const key = written + JSON.stringify(options)
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(written, options)
  formatters.set(key, made)
  return made
}

const toTheMinute = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const
const withZone = { ...toTheMinute, timeZoneName: 'short' } as const

/** Formats a time with seconds and zone: "Mar 1, 2024, 09:30:00 UTC". */
export function exactTime(ms: number, shown: Zones['shown']): string {
  return formatter({ ...withZone, second: '2-digit', ...zoneOf(shown) }).format(ms)
}

const minuteInMs = 60_000

/** Formats a time with its zone: "Mar 1, 2024, 09:30 UTC". For paper and sentences, where no tooltip can add it. */
export function zonedMinute(ms: number, shown: Zones['shown']): string {
  return formatter({ ...withZone, ...zoneOf(shown) }).format(ms)
}

const roundedUp = (ms: number) => Math.ceil(ms / minuteInMs) * minuteInMs

/** Formats a promised deadline, rounded up to a whole minute: "Mar 1, 2024, 09:30 UTC". */
export function latestMinute(ms: number, shown: Zones['shown']): string {
  return zonedMinute(roundedUp(ms), shown)
}

/** Returns a promised deadline, rounded up to a whole minute, for a time that is shown without seconds. */
export const fullMinuteAfter = (time: string) => new Date(roundedUp(Date.parse(time))).toISOString()

/** Formats a time to the minute: "Mar 1, 2024, 09:30". For places whose tooltip shows seconds and zone. */
export function minuteOf(ms: number, shown: Zones['shown']): string {
  return formatter({ ...toTheMinute, ...zoneOf(shown) }).format(ms)
}

/** Formats a time as "Mar 1, 2024, 09:30", with seconds and fractions if any: the exact bounds of a range matter. */
export function preciseMoment(ms: number, shown: Zones['shown']): string {
  if (ms % minuteInMs === 0) return minuteOf(ms, shown)
  const part = ms % 1000 === 0 ? {} : ({ fractionalSecondDigits: 3 } as const)
  return formatter({ ...toTheMinute, second: '2-digit', ...part, ...zoneOf(shown) }).format(ms)
}

/** Formats a date: "Mar 1, 2024". */
export function dateOf(ms: number, shown: Zones['shown']): string {
  return formatter({ year: 'numeric', month: 'short', day: 'numeric', ...zoneOf(shown) }).format(ms)
}

/** Formats a time of day: "09:30". For places that show the day already. */
export function timeOfDay(ms: number, shown: Zones['shown']): string {
  return formatter({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...zoneOf(shown) }).format(ms)
}

/** Formats a day as "Today", "Yesterday" or "Sunday, March 1, 2026"; empty if the time is undefined. */
export function dayOf(ms: number | undefined, shown: Zones['shown'], nowMs = Date.now()): string {
  if (ms === undefined) return ''
  return recentDay(ms, shown, nowMs) ?? formatter({ dateStyle: 'full', ...zoneOf(shown) }).format(ms)
}

/** Formats a time as "Today, 09:30", "Yesterday, 09:30" or "Mar 1, 2024, 09:30". */
export function recentMinute(ms: number, shown: Zones['shown'], nowMs: number): string {
  const day = recentDay(ms, shown, nowMs)
  return day === undefined ? minuteOf(ms, shown) : `${day}, ${timeOfDay(ms, shown)}`
}

/** Formats a day as "Today" or "Yesterday"; undefined for others. */
function recentDay(ms: number, shown: Zones['shown'], nowMs: number): string | undefined {
  const name = dateOf(ms, shown)
  const now = new Date(nowMs)
  // Steps by the calendar, because a day on which clocks change has 23 or 25 hours.
  const yesterdayMs = shown === 'utc' ? nowMs - 86_400_000 : now.setDate(now.getDate() - 1)
  const daysAgo = [nowMs, yesterdayMs].findIndex((dayMs) => name === dateOf(dayMs, shown))
  if (daysAgo === -1) return undefined
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-daysAgo, 'day')
  return words.charAt(0).toLocaleUpperCase(language) + words.slice(1)
}

const zoneOf = (shown: Zones['shown']) => (shown === 'utc' ? { timeZone: 'UTC' } : {})

const relative = new Intl.RelativeTimeFormat(language, { style: 'narrow', numeric: 'always' })
const units = [
  ['year', 365.25 * 86_400_000],
  ['month', 30.44 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Formats a time relative to now: "3d ago", "in 2mo". Less than a minute is told in words: "0m ago" helps nobody. */
export function relativeTime(ms: number, nowMs: number): string {
  const difference = ms - nowMs
  for (const [unit, lengthMs] of units)
    if (Math.abs(difference) >= lengthMs) return relative.format(Math.trunc(difference / lengthMs), unit)
  return sharedText.justNow
}

export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
