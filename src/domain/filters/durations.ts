import { readDuration } from '#contract/index.ts'
import type { DurationUnit, SpanDirection, UnitParts } from '../../messages/filter-sentence.ts'
import { filterSentenceText } from '../../messages/index.ts'
import { joinList, say } from '../../messages/phrase.ts'

type Units = Readonly<Record<string, DurationUnit>>
const dateUnits: Units = { Y: 'years', M: 'months', W: 'weeks', D: 'days' }
const timeUnits: Units = { H: 'hours', M: 'minutes', S: 'seconds' }

/** Whether the length of a duration is independent of where days begin. */
export const isExact = (duration: unknown) => readDuration(duration)?.exact === true

/** Formats a duration in words: "1 year 6 months" for "P1Y6M". */
export function durationInWords(value: unknown, within: UnitParts['within'] = 'itself'): string {
  const counts = countsOf(value)
  if (!counts) return typeof value === 'string' && value !== '' ? value : filterSentenceText.open
  return joinList(
    filterSentenceText.duration,
    counts.map(([count, unit]) => say(filterSentenceText.units[unit], { count, within })),
  )
}

/** Formats a relative time span in words: "the last 30 days", "the next month". */
export function spanInWords(value: unknown, direction: SpanDirection): string {
  const [[count, unit] = [0, 'days'] as const, ...others] = countsOf(value) ?? []
  return count === 1 && others.length === 0
    ? say(filterSentenceText.singleSpan[unit], { direction })
    : say(filterSentenceText.span, { direction, duration: durationInWords(value, direction) })
}

/** Returns the counts of an ISO 8601 duration, by unit; undefined for any other value. */
function countsOf(value: unknown): readonly (readonly [count: number, unit: DurationUnit])[] | undefined {
  if (!readDuration(value)) return undefined
  const [date = '', time = ''] = (value as string).split('T')
  const counts = [...countsIn(date, dateUnits), ...countsIn(time, timeUnits)]
  const some = counts.filter(([count]) => count > 0)
  return some.length > 0 ? some : counts.slice(0, 1)
}

const countsIn = (text: string, units: Units) =>
  [...text.matchAll(/(\d+)([A-Z])/g)].map(
    ([, count, letter = '']) => [Number(count), units[letter] ?? 'days'] as const,
  )
