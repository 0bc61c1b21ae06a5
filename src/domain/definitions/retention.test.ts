import { expect, test } from 'vitest'

import { describeRetention } from './retention.ts'

test('a period of retention is said in words, and another text stays as it is', () => {
  expect(['P10Y', 'P1Y', 'P6M', 'P1Y6M', 'P2W', 'P0Y30D', 'P0D', 'forever'].map(describeRetention)).toEqual([
    '10 years',
    '1 year',
    '6 months',
    '1 year and 6 months',
    '2 weeks',
    '30 days',
    '0 days',
    'forever',
  ])
})
