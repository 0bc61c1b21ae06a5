import { describe, expect, test } from 'vitest'

import { type MomentType, momentTests, momentText, comparisonWith } from './moment-words.ts'

const today = '2026-11-29'

function means(
  typed: string,
  op: Parameters<typeof momentTests>[1] = 'within_last',
  type: MomentType = 'DATE',
) {
  const [first] = momentTests(type, op, typed, today)
  return first && { op: first.op, value: first.value }
}

describe('a text typed for a date means', () => {
  test.each([
    ['90', { op: 'within_last', value: 'P90D' }],
    ['90 days', { op: 'within_last', value: 'P90D' }],
    ['3 mon', { op: 'within_last', value: 'P3M' }],
    ['in the last 2 weeks', { op: 'within_last', value: 'P2W' }],
    ['next 7', { op: 'within_next', value: 'P7D' }],
    ['more than 2 years', { op: 'older_than', value: 'P2Y' }],
    ['2 years ago', { op: 'on', value: { ago: 'P2Y' } }],
    ['today', { op: 'on', value: { ago: 'P0D' } }],
    ['yest', { op: 'on', value: { ago: 'P1D' } }],
    ['this month', { op: 'between', value: ['2026-11-01', '2026-11-30'] }],
    ['this quarter', { op: 'between', value: ['2026-10-01', '2026-12-31'] }],
    ['this year', { op: 'between', value: ['2026-01-01', '2026-12-31'] }],
    ['this week', { op: 'between', value: ['2026-11-23', '2026-11-29'] }],
    ['last month', { op: 'between', value: ['2026-10-01', '2026-10-31'] }],
    ['next quarter', { op: 'between', value: ['2027-01-01', '2027-03-31'] }],
    ['1 Mar 2024', { op: 'on', value: '2024-03-01' }],
  ])('%s', (typed, expected) => {
    expect(means(typed)).toEqual(expected)
  })

  test('a day with the comparison that is chosen', () => {
    expect(means('yesterday', 'before')).toEqual({ op: 'before', value: { ago: 'P1D' } })
    expect(means('30 days ago', 'after')).toEqual({ op: 'after', value: { ago: 'P30D' } })
    expect(means('in 7 days', 'on')).toEqual({ op: 'on', value: { ahead: 'P7D' } })
    expect(means('2020', 'before')).toEqual({ op: 'before', value: '2020-01-01' })
    expect(means('2020', 'after')).toEqual({ op: 'after', value: '2020-12-31' })
    expect(means('2020', 'on')).toEqual({ op: 'between', value: ['2020-01-01', '2020-12-31'] })
    expect(means('30', 'anniversary_within')).toEqual({ op: 'anniversary_within', value: 'P30D' })
  })

  test('no test if it is neither a date nor words for one', () => {
    expect(means('soon')).toBeUndefined()
    expect(means('32 Mar 2024', 'on')).toBeUndefined()
  })
})

test('months of the last and the next year have their own dates', () => {
  expect(momentTests('DATE', 'on', 'last quarter', '2026-01-31')[0]?.value).toEqual([
    '2025-10-01',
    '2025-12-31',
  ])
  expect(momentTests('DATE', 'on', 'next month', '2024-01-31')[0]?.value).toEqual([
    '2024-02-01',
    '2024-02-29',
  ])
})

test('a meaning is written so that it is read again', () => {
  for (const typed of ['90 days', 'today', 'tomorrow', '3 months ago', 'in 2 weeks', '1 Mar 2024'])
    for (const op of ['on', 'within_last', 'before'] as const) {
      const [first] = momentTests('DATE', op, typed, today)
      if (!first || first.op === 'between') continue
      const written = momentText('DATE', comparisonWith('DATE', first))
      const [again] = momentTests('DATE', first.op, written, today)
      expect(again, `${typed} with ${op}`).toMatchObject({ op: first.op, value: first.value })
    }
})
