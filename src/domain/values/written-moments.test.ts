import { afterEach, expect, test, vi } from 'vitest'

import { readMoment } from './settling.ts'
import { writeMoment, writePart } from './written-moments.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

const dates = ['2024-03-01', '2024-02-29', '1984-09-04', '0999-12-31', '0001-01-01', '9999-12-31']
const moments = [
  '2024-03-01T09:30:00.000Z',
  '2024-03-01T09:30:00Z',
  '2024-09-04T23:59:07.000Z',
  '2024-09-04T00:00:00.250Z',
  '1969-12-31T23:59:59.001Z',
  '0999-01-01T00:00:00.000Z',
]

test.each([
  ['en-US', 'Mar 1, 2024', 'Mar 1, 2024, 09:30'],
  ['en-GB', '1 Mar 2024', '1 Mar 2024, 09:30'],
  ['de-DE', '1 Mar 2024', '1 Mar 2024, 09:30'],
  ['en-ZA', '01 Mar 2024', '01 Mar 2024, 09:30'],
  ['en-ZW', '01 Mar, 2024', '01 Mar, 2024, 09:30'],
  ['en-NZ', '1 Mar 2024', '1 Mar 2024, 09:30'],
  ['da-DK', '1 Mar 2024', '1 Mar 2024, 09.30'],
  ['fi-FI', '1 Mar 2024', '1 Mar 2024, 09.30'],
  ['ja-JP', 'Mar 1, 2024', 'Mar 1, 2024, 09:30'],
  ['ar-EG', '1 Mar 2024', '1 Mar 2024, 09:30'],
  ['pt-BR', '1 Mar 2024', '1 Mar 2024, 09:30'],
  ['en-BZ', '01 Mar 2024', '01 Mar 2024, 09:30'],
])('in a browser set to %s a date is "%s", and every one is read back', async (language, date, moment) => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue(language)
  vi.resetModules()
  const written = { ...(await import('./settling.ts')), ...(await import('./written-moments.ts')) }
  expect(written.writeMoment('DATE', '2024-03-01')).toBe(date)
  expect(written.writeMoment('DATETIME', '2024-03-01T09:30:00.000Z')).toBe(moment)
  for (let month = 1; month <= 12; month++) {
    const day = `2024-${String(month).padStart(2, '0')}-10`
    expect(written.writeMoment('DATE', day)).not.toBe(day)
    expect(written.readMoment('DATE', written.writeMoment('DATE', day))).toBe(day)
  }
  for (const each of dates) expect(written.readMoment('DATE', written.writeMoment('DATE', each))).toBe(each)
  for (const each of moments)
    expect(Date.parse(written.readMoment('DATETIME', written.writeMoment('DATETIME', each)))).toBe(
      Date.parse(each),
    )
})

test.each([
  ['DATE', '31.12.1984', '1984-12-31'],
  ['DATE', '1984-12-31', '1984-12-31'],
  ['DATE', 'Dec 31, 1984', '1984-12-31'],
  ['DATE', '3/1/2024', '3/1/2024'],
  ['DATE', '30 Feb 2024', '30 Feb 2024'],
  ['DATE', '', ''],
  ['DATETIME', '31.12.2024 8:30', '2024-12-31T08:30:00.000Z'],
  ['DATETIME', '2024-12-31 08:30', '2024-12-31T08:30:00.000Z'],
  ['DATETIME', '2024-12-31T09:30:00+01:00', '2024-12-31T08:30:00.000Z'],
  ['DATETIME', '31 Dec 2024, 08:30:05.250', '2024-12-31T08:30:05.250Z'],
  ['DATETIME', '2024-12-31', '2024-12-31'],
  ['DATETIME', 'soon', 'soon'],
] as const)('a %s typed as "%s" is kept as "%s"', (kind, typed, kept) =>
  expect(readMoment(kind, typed)).toBe(kept),
)

test('text that happens to be a date, and what is no date, stay as they are', () => {
  expect(writePart('TEXT', 'text', '2024-03-01')).toBe('2024-03-01')
  expect(writePart('PREFERENCE', 'text', 'GRANTED')).toBe('GRANTED')
  expect(writePart('PREFERENCE', 'expires', '2024-03-01T09:30:00.000Z')).toBe('Mar 1, 2024, 09:30')
  expect(writePart('TIME', 'text', '09:30')).toBe('09:30')
  expect(writeMoment('DATE', '2024-02-30')).toBe('2024-02-30')
  expect(writeMoment('DATE', '1 Mar 2024')).toBe('1 Mar 2024')
  expect(writeMoment('DATETIME', '2024-03-01')).toBe('2024-03-01')
})
