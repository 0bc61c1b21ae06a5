import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'

import { type DataType, dataTypes, readValue } from '#contract/index.ts'
import { blindTerms, blindSearchTerms } from './blind-index.ts'

const indexKey = randomBytes(32)
const user = '0190a5d8-0000-7000-8000-000000000001'
const entity = '0190a5d8-0000-7000-8000-000000000002'

const termsOf = (type: DataType, value: unknown, key = 'v') => {
  const read = readValue(type, value)
  expect(read.issues).toBeUndefined()
  return blindTerms(indexKey, key, type, 'value' in read ? read.value : undefined)
}

test.each<[DataType, equal: unknown[], different: unknown[]]>([
  ['TEXT', ['Straße', 'STRASSE'], ['Strase', '', ' Straße']],
  ['EMAIL', ['Ana@Example.org', 'ana@example.ORG'], ['bo@example.org']],
  [
    'EMAIL',
    ['mıke@bücher.example', 'Mıke@xn--bcher-kva.example'],
    ['mike@bücher.example', 'MİKE@bücher.example'],
  ],
  ['URL', ['https://a.example/X', 'https://A.example/x'], ['https://a.example/y']],
  ['NUMBER', [5, 5.0], [-5, 5.5, 50]],
  ['NUMBER', [0, -0], [1]],
  ['DECIMAL', ['12.340', '12.34', 12.34], ['12.3', '1234', '-12.34']],
  ['DECIMAL', ['100', '100.00'], ['1', '10', '1000']],
  ['DECIMAL', ['0', '-0.00', '0.0'], ['0.1']],
  [
    'CURRENCY',
    [
      { currency: 'EUR', value: '10.50' },
      { currency: 'EUR', value: '10.5' },
    ],
    [
      { currency: 'USD', value: '10.5' },
      { currency: 'EUR', value: '10' },
    ],
  ],
  ['BOOLEAN', [true, true], [false]],
  ['DATE', ['2024-02-29', '2024-02-29'], ['2024-02-28']],
  ['TIME', ['09:30', '09:30:00', '09:30:00.000'], ['09:30:01', '09:30:00.001']],
  [
    'DATETIME',
    ['2024-03-14T22:30:00Z', '2024-03-14T23:30:00.000+01:00'],
    ['2024-03-14T22:30:00.001Z', '2024-03-15T22:30:00Z'],
  ],
  ['RELATIONSHIP', [{ user }, { user: user.toUpperCase() }], [{ user: entity }, { user, entity }]],
  [
    'PREFERENCE',
    [{ status: 'GRANTED' }, { status: 'GRANTED', statusDate: '2024-01-01T00:00:00Z' }],
    [{ status: 'DENIED' }],
  ],
])('%s: equal values share their last term, others do not', (type, equal, different) => {
  const [first, ...others] = equal.map((value) => termsOf(type, value).at(-1))
  expect(first).toMatch(/^[\w-]{16}$/)
  for (const other of others) expect(other).toBe(first)
  for (const value of different) expect(termsOf(type, value).at(-1)).not.toBe(first)
})

describe('a part that is asked for', () => {
  test('has its term among those of the whole', () => {
    expect(termsOf('RELATIONSHIP', { user, entity })).toContain(termsOf('RELATIONSHIP', { user }).at(-1))
    const day = blindTerms(indexKey, 'v', 'DATETIME', '2024-03-14').at(-1)
    expect(termsOf('DATETIME', '2024-03-14T22:30:00Z')).toContain(day)
    expect(termsOf('DATETIME', '2024-03-15T22:30:00Z')).not.toContain(day)
  })
})

test('another property, type or index key has other terms', () => {
  const terms = termsOf('TEXT', 'true')
  expect(termsOf('TEXT', 'true', 'w')).not.toEqual(terms)
  expect(termsOf('BOOLEAN', true)).not.toEqual(terms)
  expect(blindTerms(randomBytes(32), 'v', 'TEXT', 'true')).not.toEqual(terms)
})

test.each(dataTypes)('no value of %s has no term', (type) => {
  expect(termsOf(type, null)).toEqual([])
})

test('a text with the capital İ is also looked for as releases before have stored it', () => {
  const before = createHmac('sha256', indexKey)
    .update(JSON.stringify(['v', 'TEXT', 'i\u0307zmir']))
    .digest()
    .subarray(0, 12)
    .toString('base64url')
  expect(blindSearchTerms(indexKey, 'v', 'TEXT', 'İZMİR')).toHaveLength(2)
  expect(blindSearchTerms(indexKey, 'v', 'TEXT', 'İzmir')).toEqual([...termsOf('TEXT', 'izmir'), before])
  expect(blindSearchTerms(indexKey, 'v', 'TEXT', 'Izmir')).toEqual(termsOf('TEXT', 'izmir'))
  expect(blindSearchTerms(indexKey, 'v', 'EMAIL', 'İnci@example.org')).toEqual(
    termsOf('EMAIL', 'İnci@example.org'),
  )
  expect(blindSearchTerms(indexKey, 'v', 'NUMBER', 5)).toEqual(termsOf('NUMBER', 5))
})
