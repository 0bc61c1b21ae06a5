import { expect, test } from 'vitest'

import { barsOf, presets } from './buckets.ts'
import { seriesByType } from './series.ts'
import { edgesOf, spanText, tickTexts } from './spans.ts'

const hourMs = 3_600_000
const start = Date.UTC(2026, 10, 21, 9)
const states = { delivered: 1, waiting: 0, failed: 1, none: 0 }
/** Bars of these hours after 09:00, as the service counts them. */
const bars = (hours: number, counts: Readonly<Record<number, Readonly<Record<string, number>>>>) =>
  barsOf(edgesOf(start, start + hours * hourMs - 1, 'utc'), {
    series: Object.entries(counts).map(([hour, types]) => ({
      start: new Date(start + Number(hour) * hourMs).toISOString(),
      types,
      states,
    })),
  })

test('bars follow each other without a gap and hold every count once', () => {
  const { buckets, types } = bars(24, { 0: { A: 1 }, 1: { A: 2, B: 4 }, 23: { A: 1 } })
  expect(buckets).toHaveLength(24)
  for (const [index, { startMs }] of buckets.entries())
    if (index > 0) expect(startMs).toBe(buckets[index - 1]?.endMs)
  expect(buckets.filter(({ total }) => total > 0).map(({ startMs, total }) => [startMs, total])).toEqual([
    [start, 1],
    [start + hourMs, 6],
    [start + 23 * hourMs, 1],
  ])
  expect(buckets[1]?.states).toEqual(states)
  expect(types).toEqual(['A', 'B'])
})

test('a count from before the first bar belongs to it', () => {
  expect(bars(2, { '-1': { A: 3 } }).buckets.map(({ total }) => total)).toEqual([3, 0])
})

test.each([
  ['24 hours', presets.day, 'hour', 24],
  ['7 days', presets.week, 'hour', 29],
  ['30 days', presets.month, 'day', 30],
  ['12 months', presets.year, 'week', 52],
  ['4 centuries', 400 * 365 * 86_400_000, 'month', 51],
  ['4 years', 4 * 365 * 86_400_000, 'month', 49],
  ['2 hours', 2 * 3_600_000, 'hour', 2],
])('counts of %s make at most some dozens of bars', (_, lengthMs, by, count) => {
  const end = Date.UTC(2026, 10, 23, 14)
  const edges = edgesOf(end - lengthMs, end - 1, 'utc')
  expect(edges.by).toBe(by)
  expect(edges.edges).toHaveLength(count + 1)
})

test('rare types share a colour; one that is sensitive is violet', () => {
  const { types, buckets } = bars(1, { 0: { A: 3, B: 2, C: 1 } })
  const series = seriesByType(['DIRECT_DATA_CHANGE', 'SENSITIVE_DATA_ACCESSED', 'USER_CREATED', ...types])
  expect(series.map(({ name }) => name)).toEqual([
    'Data changed',
    'Sensitive values viewed',
    'User created',
    'A',
    '2 other types',
  ])
  expect(series[1]?.colour).toBe('var(--tone-sensitive)')
  expect(buckets.map((bucket) => series[4]?.valueOf(bucket))).toEqual([3])
})

test('the types that are frequent together have colours of their own', () => {
  const types = [
    'DIRECT_DATA_CHANGE',
    'USER_UPDATED',
    'SENSITIVE_DATA_ACCESSED',
    'USER_CREATED',
    'SENSITIVE_DATA_CHECKED',
  ]
  const series = seriesByType(types)
  expect(new Set(series.map(({ colour }) => colour)).size).toBe(series.length)
})

test('spans and their marks are named in the zone that is shown', () => {
  const hour = { startMs: Date.UTC(2026, 10, 21, 9), endMs: Date.UTC(2026, 10, 21, 10) }
  // Intl puts thin spaces around the dash.
  const plain = (text: string) => text.replace(/\s+/g, ' ')
  expect(plain(spanText(hour, 'hour', 'utc'))).toBe('Nov 21, 2026, 09:00 – 10:00 UTC')
  const week = { startMs: Date.UTC(2026, 10, 16), endMs: Date.UTC(2026, 10, 23) }
  expect(plain(spanText(week, 'day', 'utc'))).toBe('Nov 16 – 22, 2026')
  expect(tickTexts(bars(24, {}), 'utc').slice(0, 1)).toEqual(['Nov 21, 09:00'])
  expect(tickTexts(bars(3, {}), 'utc').slice(0, 1)).toEqual(['09:00'])
})
