import { dateLocale } from '../../../messages/index.ts'
import type { Zones } from '../../../ui/time.ts'
import type { Buckets } from './buckets.ts'
import type { Span } from './edges.ts'

type Unit = Buckets['unit']

const date = { year: 'numeric', month: 'short', day: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const seconds = { ...clock, second: '2-digit' } as const

const inFull: Readonly<Record<Unit, Intl.DateTimeFormatOptions>> = {
  second: { ...date, ...seconds, timeZoneName: 'short' },
  minute: { ...date, ...clock, timeZoneName: 'short' },
  day: date,
  month: { year: 'numeric', month: 'short' },
  year: { year: 'numeric' },
}

/** Formats a time span, e.g. "Nov 21, 2026, 09:00 – 10:00 UTC", "Nov 16 – 22, 2026" or "Nov 2026". */
export function spanText({ startMs, endMs }: Span, unit: Unit, zone: Zones['shown']): string {
  // A day ends at the next day's midnight, which is left out of the text.
  const isClock = unit === 'second' || unit === 'minute'
  return format(inFull[unit], zone).formatRange(startMs, isClock ? endMs : endMs - 1)
}

/** Returns the labels below the bars, kept short: without the date if all bars are on one day. */
export function tickTexts({ buckets, unit }: Buckets, zone: Zones['shown']): readonly string[] {
  const day = format({ month: 'short', day: 'numeric' }, zone)
  const days = buckets.map(({ startMs }) => day.format(startMs))
  if (unit === 'day') return days
  if (unit === 'month' || unit === 'year')
    return buckets.map(({ startMs }) => format(inFull[unit], zone).format(startMs))
  const time = format(unit === 'second' ? seconds : clock, zone)
  const isOneDay = new Set(days).size === 1
  return buckets.map(({ startMs }, index) =>
    isOneDay ? time.format(startMs) : `${days[index] ?? ''}, ${time.format(startMs)}`,
  )
}

function format(options: Intl.DateTimeFormatOptions, zone: Zones['shown']): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(dateLocale, { ...options, ...(zone === 'utc' && { timeZone: 'UTC' }) })
}
