import { afterEach, describe, expect, test, vi } from 'vitest'

import { dayOf, exactTime, instantMs, latestMinute, relativeTime } from './time.ts'

describe('a datetime without a zone', () => {
  test('is read in the service’s zone, never in the reader’s', () => {
    expect(instantMs('2024-03-01T00:00:00.000', 'UTC')).toBe(Date.UTC(2024, 2, 1))
    expect(instantMs('2024-03-01T00:00:00.000', 'Europe/Berlin')).toBe(Date.UTC(2024, 1, 29, 23))
    expect(instantMs('2024-07-01T00:00:00.000', 'America/New_York')).toBe(Date.UTC(2024, 6, 1, 4))
  })

  test('is right on both sides of a clock change', () => {
    // In Berlin on 31 March 2024, clocks jump from 01:59 to 03:00.
    expect(instantMs('2024-03-31T01:30:00', 'Europe/Berlin')).toBe(Date.UTC(2024, 2, 31, 0, 30))
    expect(instantMs('2024-03-31T03:30:00', 'Europe/Berlin')).toBe(Date.UTC(2024, 2, 31, 1, 30))
  })

  test('does not override a zone that is given', () => {
    expect(instantMs('2024-03-01T00:00:00.000Z', 'Asia/Tokyo')).toBe(Date.UTC(2024, 2, 1))
  })

  test('is undefined where the text is no time', () => {
    expect(instantMs('yesterday', 'UTC')).toBeUndefined()
  })
})

test('the exact form names its zone', () => {
  expect(exactTime(Date.UTC(2024, 2, 1, 9, 30), 'utc')).toBe('Mar 1, 2024, 09:30:00 UTC')
})

test.each([
  [0, 'just now'],
  [-59_000, 'just now'],
  [59_000, 'just now'],
  [-60_000, '1m ago'],
  [-3_600_000, '1h ago'],
  [-3 * 86_400_000, '3d ago'],
  [-800 * 86_400_000, '2y ago'],
  [26 * 3_600_000, 'in 1d'],
])('%i ms from now is "%s"', (difference, text) => {
  expect(relativeTime(1_700_000_000_000 + difference, 1_700_000_000_000)).toBe(text)
})

test('a deadline is named by a minute that is not before it', () => {
  const at = (ms: number) => latestMinute(Date.UTC(2026, 10, 26, 18, 48) + ms, 'utc')
  expect(at(0)).toBe('Nov 26, 2026, 18:48 UTC')
  for (const ms of [1, 999, 59_999, 60_000]) expect(at(ms)).toBe('Nov 26, 2026, 18:49 UTC')
  expect(latestMinute(Date.UTC(2026, 11, 31, 23, 59, 1), 'utc')).toBe('Jan 1, 2027, 00:00 UTC')
})

describe('beside a clock change', () => {
  afterEach(() => vi.unstubAllEnvs())

  test.each([
    // On 31 March 2024 clocks in Berlin jump from 02:00 to 03:00, so the day has 23 hours.
    ['2024-04-01T00:30:00+02:00', '2024-03-31T12:00:00+02:00', '2024-03-30T12:00:00+01:00'],
    // On 27 October 2024 they go back from 03:00 to 02:00, so the day has 25 hours.
    ['2024-10-27T23:30:00+01:00', '2024-10-26T12:00:00+02:00', '2024-10-25T12:00:00+02:00'],
  ])('at %s, yesterday is the day before today', (now, yesterday, before) => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const day = (moment: string) => dayOf(Date.parse(moment), 'local', Date.parse(now))
    expect(day(now)).toBe('Today')
    expect(day(yesterday)).toBe('Yesterday')
    expect(day(before)).toMatch(/day, (March 30|October 25), 2024$/)
  })
})
