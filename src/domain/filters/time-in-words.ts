import { readDuration } from '#contract/index.ts'
import type { DurationUnit } from '../../messages/en/segments.ts'
import { segmentText } from '../../messages/index.ts'
import { dateOf, exactTime, instantMs, zonedMinute } from '../../ui/time.ts'

const words = segmentText.sentence

export const isDay = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value)

/** Of a length that does not depend on where days begin. */
export const isExact = (duration: unknown) => readDuration(duration)?.exact === true

/** "Mar 1, 2024", or with the time in UTC, and with seconds where it has some; what is no moment stays as it is. */
export function momentInWords(value: string): string {
  const ms = instantMs(value, 'UTC')
  if (ms === undefined) return value
  if (isDay(value)) return dateOf(ms, 'utc')
  return ms % 60_000 === 0 ? zonedMinute(ms, 'utc') : exactTime(ms, 'utc')
}

type Units = Readonly<Record<string, DurationUnit>>
const dateUnits: Units = { Y: 'years', M: 'months', W: 'weeks', D: 'days' }
const timeUnits: Units = { H: 'hours', M: 'minutes', S: 'seconds' }

/** "1 year 6 months" for "P1Y6M". */
export function durationInWords(value: unknown): string {
  if (!readDuration(value)) return typeof value === 'string' && value !== '' ? value : words.open
  const [date = '', time = ''] = (value as string).split('T')
  const parts = [...countsIn(date, dateUnits), ...countsIn(time, timeUnits)]
  const named = parts.filter(([count]) => count > 0)
  return words.duration(named.length > 0 ? named : parts.slice(0, 1))
}

const countsIn = (text: string, units: Units) =>
  [...text.matchAll(/(\d+)([A-Z])/g)].map(
    ([, count, letter = '']) => [Number(count), units[letter] ?? 'days'] as const,
  )
