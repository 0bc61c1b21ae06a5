import { dateLocale, language } from '../messages/format.ts'

/** Zone in which times are shown, and the zone that the service means by a datetime without one. */
export interface Zones {
  readonly shown: 'utc' | 'local'
  /** An IANA zone, from the settings. */
  readonly service: string
}

const zoneless = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/

/**
 * The moment (ms since 1970) that a datetime names; `undefined` where it is not one. A string without a zone is
 * meant in the service's zone: `new Date` would read it in the reader's.
 */
export function instantMs(value: string, serviceZone: string): number | undefined {
  const isZoneless = zoneless.test(value)
  const ms = Date.parse(isZoneless ? `${value}Z` : value)
  if (Number.isNaN(ms)) return undefined
  if (!isZoneless || serviceZone === 'UTC') return ms
  // The offset depends on the moment that is looked for; a second round settles it beside a clock change.
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

// Making a formatter costs far more than using it, and a page shows a hundred times.
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
  timeZoneName: 'short',
} as const

/** "Mar 1, 2024, 09:30:00 UTC". */
export function exactTime(ms: number, shown: Zones['shown']): string {
  return formatter({ ...toTheMinute, second: '2-digit', ...zoneOf(shown) }).format(ms)
}

const minuteInMs = 60_000

/** "Mar 1, 2024, 09:30 UTC", on paper and in sentences, where nothing can be pointed at. */
export function zonedMinute(ms: number, shown: Zones['shown']): string {
  return formatter({ ...toTheMinute, ...zoneOf(shown) }).format(ms)
}

/** "Mar 1, 2024, 09:30 UTC": the first whole minute at which the moment is past, for what is promised by then. */
export function latestMinute(ms: number, shown: Zones['shown']): string {
  return zonedMinute(Math.ceil(ms / minuteInMs) * minuteInMs, shown)
}

/** "Mar 1, 2024, 09:30", in a place that says the seconds and the zone on hover. */
export function minuteOf(ms: number, shown: Zones['shown']): string {
  const { timeZoneName: _, ...options } = toTheMinute
  return formatter({ ...options, ...zoneOf(shown) }).format(ms)
}

/** "Mar 1, 2024, 09:30", with seconds and their parts where it has some: for a bound, which they move. */
export function preciseMoment(ms: number, shown: Zones['shown']): string {
  if (ms % minuteInMs === 0) return minuteOf(ms, shown)
  const { timeZoneName: _, ...options } = toTheMinute
  const part = ms % 1000 === 0 ? {} : ({ fractionalSecondDigits: 3 } as const)
  return formatter({ ...options, second: '2-digit', ...part, ...zoneOf(shown) }).format(ms)
}

/** "Mar 1, 2024". */
export function dateOf(ms: number, shown: Zones['shown']): string {
  return formatter({ year: 'numeric', month: 'short', day: 'numeric', ...zoneOf(shown) }).format(ms)
}

/** "09:30", for a place where the day is said. */
export function timeOfDay(ms: number, shown: Zones['shown']): string {
  return formatter({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...zoneOf(shown) }).format(ms)
}

/** "Today", "Yesterday", or "Sunday, March 1, 2026"; of what is no time, nothing. */
export function dayOf(ms: number | undefined, shown: Zones['shown'], nowMs = Date.now()): string {
  if (ms === undefined) return ''
  const day = formatter({ dateStyle: 'full', ...zoneOf(shown) })
  const name = day.format(ms)
  for (const daysAgo of [0, 1])
    if (name === day.format(nowMs - daysAgo * 86_400_000)) {
      const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-daysAgo, 'day')
      return words.charAt(0).toLocaleUpperCase(language) + words.slice(1)
    }
  return name
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

/** "3d ago", "in 2mo"; seconds are "0m ago" to nobody: less than a minute is "now". */
export function relativeTime(ms: number, nowMs: number): string {
  const difference = ms - nowMs
  for (const [unit, lengthMs] of units)
    if (Math.abs(difference) >= lengthMs) return relative.format(Math.trunc(difference / lengthMs), unit)
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(0, 'second')
}

/** The name of the reader's own zone, for a label. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
