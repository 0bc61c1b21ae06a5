import { describe, expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { bucketsOf, countedSteps, presets } from './buckets.ts'
import { seriesByType } from './EventBars.tsx'
import { edgesOf, spanText, tickTexts } from './spans.ts'

const at = (time: string, type = 'USER_CREATED', lagMs?: number): Event => ({
  id: `${time} ${type}` as Event['id'],
  eventtime: time,
  type,
  properties: {},
  delivered: lagMs !== undefined,
  ...(lagMs !== undefined && { deliveredtime: new Date(Date.parse(time) + lagMs).toISOString() }),
})
const iso = (ms: number | undefined) => new Date(ms ?? Number.NaN).toISOString()

describe('bars over time', () => {
  test('begin at round moments, follow each other without a gap and hold every event once', () => {
    const rows = Array.from({ length: 500 }, (_, index) => at(iso(Date.UTC(2026, 10, 21, 9, 0, index * 37))))
    const { buckets, unit } = bucketsOf(rows, 'utc')
    expect(iso(buckets[0]?.startMs)).toBe('2026-11-21T09:00:00.000Z')
    expect(iso(buckets[0]?.endMs)).toBe('2026-11-21T09:15:00.000Z')
    expect(unit).toBe('minute')
    for (const [index, { startMs }] of buckets.entries())
      if (index > 0) expect(startMs).toBe(buckets[index - 1]?.endMs)
    expect(buckets.reduce((sum, { total }) => sum + total, 0)).toBe(500)
  })

  test.each([
    ['a moment', '2026-11-21T09:00:00.000Z', 1],
    ['seconds', '2026-11-21T09:00:30.000Z', 31],
    ['a day', '2026-11-22T08:00:00.000Z', 24],
    ['months', '2027-02-20T09:00:00.000Z', 14],
    ['years', '2030-11-21T09:00:00.000Z', 17],
    ['centuries', '2426-11-21T09:00:00.000Z', 41],
  ])('are few enough to be told apart over %s', (_, last, count) => {
    const { buckets } = bucketsOf([at('2026-11-21T09:00:00.000Z'), at(last)], 'utc')
    expect(buckets).toHaveLength(count)
    expect(buckets.at(0)?.total).toBeGreaterThan(0)
    expect(buckets.at(-1)?.total).toBeGreaterThan(0)
  })

  test('an event on an edge belongs to the bar that begins there', () => {
    const { buckets } = bucketsOf([at('2026-11-01T00:00:00.000Z'), at('2026-11-20T00:00:00.000Z')], 'utc')
    expect(buckets.at(-1)).toMatchObject({ startMs: Date.UTC(2026, 10, 20), total: 1 })
  })

  test('count times in any ISO 8601 form', () => {
    const rows = ['2026-11-21T09:59:59.999Z', '2026-11-21T10:59:59+01:00', '2026-11-21T09:59:59Z']
    const { buckets } = bucketsOf(
      ['2026-11-20T23:59:58.123Z', ...rows, '2026-11-21T00:00:00.000Z'].map((time) => at(time)),
      'utc',
    )
    expect(buckets.at(0)?.total).toBe(1)
    expect(buckets.at(-1)).toMatchObject({ startMs: Date.UTC(2026, 10, 21, 9, 45), total: 3 })
    expect(buckets.reduce((sum, { total }) => sum + total, 0)).toBe(5)
  })

  test('count loaded events in any order, and none', () => {
    const { buckets } = bucketsOf([at('2026-11-21T09:00:05.000Z'), at('2026-11-21T09:00:00.000Z')], 'utc')
    expect(buckets.map(({ total }) => total)).toEqual([1, 0, 0, 0, 0, 1])
    expect(bucketsOf([], 'utc').buckets).toEqual([])
  })

  test('a time that is none is left out', () => {
    const { buckets } = bucketsOf([at('2026-11-21T09:00:05.000Z'), at('yesterday')], 'utc')
    expect(buckets.map(({ total }) => total)).toEqual([1])
  })
})

test.each([
  ['24 hours', presets.day, 'hour', 24],
  ['7 days', presets.week, 'hour', 29],
  ['30 days', presets.month, 'day', 30],
  ['12 months', presets.year, 'week', 52],
  ['4 years', 4 * 365 * 86_400_000, 'month', 49],
  ['2 hours', 2 * 3_600_000, 'hour', 2],
])('counts of %s make at most some dozens of bars', (_, lengthMs, by, count) => {
  const end = Date.UTC(2026, 10, 23, 14)
  const bars = edgesOf(end - lengthMs, end - 1, 'utc', countedSteps)
  expect(bars.by).toBe(by)
  expect(bars.edges).toHaveLength(count + 1)
})

test('the lag is told of what is delivered, and the rest is counted', () => {
  const lags = Array.from({ length: 100 }, (_, index) =>
    at('2026-11-21T09:00:00.000Z', 'A', (index + 1) * 10),
  )
  const { buckets } = bucketsOf([...lags, at('2026-11-21T09:00:00.000Z')], 'utc')
  expect(buckets[0]).toMatchObject({
    lag: { delivered: 100, halfMs: 500, mostMs: 950, slowestMs: 1000 },
    notDelivered: 1,
  })
  expect(bucketsOf([at('2026-11-21T09:00:00.000Z')], 'utc').buckets[0]?.lag).toBeUndefined()
})

test('rare types share a colour; one that is sensitive is violet', () => {
  const { types, buckets } = bucketsOf(
    ['A', 'A', 'A', 'B', 'B', 'C'].map((type) => at('2026-11-21T09:00:00.000Z', type)),
    'utc',
  )
  const series = seriesByType(
    ['DIRECT_DATA_CHANGE', 'SENSITIVE_DATA_ACCESSED', 'USER_CREATED', ...types],
    () => undefined,
  )
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
  const series = seriesByType(types, () => undefined)
  expect(new Set(series.map(({ colour }) => colour)).size).toBe(series.length)
})

test('spans and their marks are named in the zone that is shown', () => {
  const hour = { startMs: Date.UTC(2026, 10, 21, 9), endMs: Date.UTC(2026, 10, 21, 10) }
  // Intl puts thin spaces around the dash.
  const plain = (text: string) => text.replace(/\s+/g, ' ')
  expect(plain(spanText(hour, 'minute', 'utc'))).toBe('Nov 21, 2026, 09:00 – 10:00 UTC')
  const week = { startMs: Date.UTC(2026, 10, 16), endMs: Date.UTC(2026, 10, 23) }
  expect(plain(spanText(week, 'day', 'utc'))).toBe('Nov 16 – 22, 2026')
  const days = bucketsOf([at('2026-11-20T20:00:00.000Z'), at('2026-11-21T09:00:00.000Z')], 'utc')
  expect(tickTexts(days, 'utc').slice(0, 1)).toEqual(['Nov 20, 20:00'])
})
