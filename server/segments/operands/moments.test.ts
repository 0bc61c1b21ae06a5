import { expect, test } from 'vitest'

import { anniversaries, boundText, type MomentType, spanOf } from './moments.ts'

const clock = (now: string, tz = 'UTC') => ({ now: new Date(now), tz })

function bounds(
  type: MomentType,
  ...[op, value, at]: [Parameters<typeof spanOf>[1], unknown, ReturnType<typeof clock>]
) {
  const { from, until } = spanOf(type, op, value, at)
  return [boundText(type, from), boundText(type, until)]
}

test.each([
  [
    'an ordinary day',
    'Europe/Berlin',
    '2024-03-30',
    ['2024-03-29T23:00:00.000Z', '2024-03-30T23:00:00.000Z'],
  ],
  [
    '23 hours when clocks go forward',
    'Europe/Berlin',
    '2024-03-31',
    ['2024-03-30T23:00:00.000Z', '2024-03-31T22:00:00.000Z'],
  ],
  [
    '25 hours when they go back',
    'Europe/Berlin',
    '2024-10-27',
    ['2024-10-26T22:00:00.000Z', '2024-10-27T23:00:00.000Z'],
  ],
  [
    'no midnight: the day begins at one',
    'America/Sao_Paulo',
    '2018-11-04',
    ['2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
  ],
  [
    'eleven at night twice',
    'America/Sao_Paulo',
    '2018-02-17',
    ['2018-02-17T02:00:00.000Z', '2018-02-18T03:00:00.000Z'],
  ],
  [
    'midnight twice',
    'America/Havana',
    '2024-11-03',
    ['2024-11-03T04:00:00.000Z', '2024-11-04T05:00:00.000Z'],
  ],
  [
    'a day that the zone skipped',
    'Pacific/Apia',
    '2011-12-30',
    ['2011-12-30T10:00:00.000Z', '2011-12-30T10:00:00.000Z'],
  ],
  [
    'before there were zones',
    'Europe/Berlin',
    '1850-01-01',
    ['1849-12-31T23:06:32.000Z', '1850-01-01T23:06:32.000Z'],
  ],
  ['the last day there is', 'UTC', '9999-12-31', ['9999-12-31T00:00:00.000Z', '~']],
])('a day is as long as it is there: %s', (_, tz, day, expected) => {
  expect(bounds('DATETIME', 'on', day, clock('2024-01-01T00:00:00Z', tz))).toEqual(expected)
})

test('relative days are calendar days of the zone', () => {
  // This is still 30 March in New York.
  const at = clock('2024-03-31T02:00:00Z', 'America/New_York')
  expect(bounds('DATE', 'on', { ago: 'P0D' }, at)).toEqual(['2024-03-30', '2024-03-31'])
  expect(bounds('DATE', 'on', { ago: 'P1M' }, at)).toEqual(['2024-02-29', '2024-03-01'])
  expect(bounds('DATE', 'on', { ago: 'P1Y1M' }, at)).toEqual(['2023-02-28', '2023-03-01'])
  expect(bounds('DATE', 'on', { ahead: 'P1M1W' }, at)).toEqual(['2024-05-07', '2024-05-08'])
  expect(bounds('DATE', 'within_last', 'P30D', at)).toEqual(['2024-02-29', '2024-03-31'])
  expect(bounds('DATETIME', 'within_next', 'P1D', at)).toEqual([
    '2024-03-31T02:00:00.000Z',
    '2024-04-01T04:00:00.000Z',
  ])
})

test('hours are spans of time, even if clocks are changed in them', () => {
  const at = clock('2024-03-31T02:00:00Z', 'Europe/Berlin')
  expect(bounds('DATETIME', 'after', { ago: 'PT3H' }, at)[0]).toBe('2024-03-30T23:00:00.001Z')
  expect(bounds('DATETIME', 'before', { ago: 'P1DT1H' }, at)[1]).toBe('2024-03-30T01:00:00.000Z')
})

test.each([
  ['2024-03-15T12:00:00Z', 'P5D', ['03-15', '03-20']],
  ['2024-12-30T12:00:00Z', 'P5D', ['12-30', '01-04']],
  ['2023-02-28T12:00:00Z', 'P0D', ['02-28', '02-29']],
  ['2024-02-28T12:00:00Z', 'P0D', ['02-28', '02-28']],
  ['2023-03-01T12:00:00Z', 'P0D', ['03-01', '03-01']],
  ['2023-03-01T12:00:00Z', 'P364D', ['03-01', '02-28']],
  ['2023-03-01T12:00:00Z', 'P365D', undefined],
  ['2023-03-01T12:00:00Z', 'P1Y', undefined],
  ['2024-02-29T12:00:00Z', 'P364D', ['02-29', '02-27']],
  ['2024-02-29T12:00:00Z', 'P365D', undefined],
])('anniversaries at %s within %s', (now, span, days) => {
  expect(anniversaries('DATE', span, clock(now)).days).toEqual(days)
})
