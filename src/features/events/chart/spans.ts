import { dateLocale } from '../../../messages/index.ts'
import { dayMs, hourMs } from '../../../ui/moments.tsx'
import type { Zones } from '../../../ui/time.ts'

/** The service counts whole hours. */
const hourSteps = [1, 3, 6, 12].map((hours) => hours * hourMs)
const calendarSteps = [
  { about: dayMs, days: 1, months: 0 },
  { about: 7 * dayMs, days: 7, months: 0 },
  { about: 30 * dayMs, days: 0, months: 1 },
  { about: 91 * dayMs, days: 0, months: 3 },
  { about: 365 * dayMs, days: 0, months: 12 },
] as const

export interface Span {
  readonly startMs: number
  /** Exclusive end of the span. */
  readonly endMs: number
}

/** More bars would be hairlines on a narrow screen; a year has these many weeks. */
const mostBars = 54

/** Returns the edges of bars that cover both moments in the displayed zone, each the sum of counts by the unit `by`. */
export function edgesOf(first: number, last: number, zone: Zones['shown']) {
  const span = last - first
  const edgesFrom = (edgeAt: (index: number) => number) => {
    const edges = [edgeAt(0)]
    while ((edges.at(-1) ?? 0) <= last) edges.push(edgeAt(edges.length))
    return edges
  }
  const hours = hourSteps.find((step) => span / step < mostBars - 1)
  if (hours !== undefined) {
    // Hours start at different moments in Kathmandu (UTC+5:45) and in London. Counts by UTC hour must not be split, so
    // the shift is rounded to whole hours.
    const zoneShiftMs = zone === 'utc' ? 0 : -new Date(first).getTimezoneOffset() * 60_000
    const shift = zoneShiftMs - (zoneShiftMs % hourMs)
    const start = Math.floor((first + shift) / hours) * hours - shift
    return { edges: edgesFrom((index) => start + index * hours), unit: 'hour', by: 'hour' } as const
  }
  const step = calendarSteps.find(({ about }) => span / about < mostBars - 1) ?? calendarSteps[4]
  const years = Math.max(1, Math.ceil(span / (mostBars - 1) / (365 * dayMs)))
  const months = step.months === 12 ? 12 * years : step.months
  const { y, m, d, weekday } = dateOf(first, zone)
  const month = months === 0 ? m : m - ((12 * y + m) % months)
  const day = months > 0 ? 1 : step.days === 7 ? d - ((weekday + 6) % 7) : d
  // `Date` carries a day beyond the end of its month, and a month beyond December, into the next one.
  const edges = edgesFrom((index) => midnight(y, month + index * months, day + index * step.days, zone))
  const unit = months === 0 ? 'day' : months < 12 ? 'month' : 'year'
  return { edges, unit, by: months > 0 ? 'month' : step.days === 7 ? 'week' : 'day' } as const
}

function dateOf(ms: number, zone: Zones['shown']) {
  const date = new Date(ms)
  return zone === 'utc'
    ? { y: date.getUTCFullYear(), m: date.getUTCMonth(), d: date.getUTCDate(), weekday: date.getUTCDay() }
    : { y: date.getFullYear(), m: date.getMonth(), d: date.getDate(), weekday: date.getDay() }
}

function midnight(y: number, m: number, d: number, zone: Zones['shown']): number {
  return zone === 'utc' ? Date.UTC(y, m, d) : new Date(y, m, d).getTime()
}

export function momentsOf({ startMs, endMs }: Span) {
  return { from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() }
}

/** Unit in which the times of bars are best displayed. */
export type Unit = ReturnType<typeof edgesOf>['unit']

const date = { year: 'numeric', month: 'short', day: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const inFull: Readonly<Record<Unit, Intl.DateTimeFormatOptions>> = {
  hour: { ...date, ...clock, timeZoneName: 'short' },
  day: date,
  month: { year: 'numeric', month: 'short' },
  year: { year: 'numeric' },
}

/** Formats a time span, e.g. "Nov 21, 2026, 09:00 – 10:00 UTC", "Nov 16 – 22, 2026" or "Nov 2026". */
export function spanText({ startMs, endMs }: Span, unit: Unit, zone: Zones['shown']): string {
  // A day ends at the next day's midnight, which is left out of the text.
  return format(inFull[unit], zone).formatRange(startMs, unit === 'hour' ? endMs : endMs - 1)
}

/** Returns the labels below the bars, kept short: without the date if all bars are on one day. */
export function tickTexts(
  { buckets, unit }: { readonly buckets: readonly Span[]; readonly unit: Unit },
  zone: Zones['shown'],
): readonly string[] {
  const day = format({ month: 'short', day: 'numeric' }, zone)
  const days = buckets.map(({ startMs }) => day.format(startMs))
  if (unit === 'day') return days
  if (unit === 'month' || unit === 'year')
    return buckets.map(({ startMs }) => format(inFull[unit], zone).format(startMs))
  const time = format(clock, zone)
  const isOneDay = new Set(days).size === 1
  return buckets.map(({ startMs }, index) =>
    isOneDay ? time.format(startMs) : `${days[index] ?? ''}, ${time.format(startMs)}`,
  )
}

function format(options: Intl.DateTimeFormatOptions, zone: Zones['shown']): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(dateLocale, { ...options, ...(zone === 'utc' && { timeZone: 'UTC' }) })
}
