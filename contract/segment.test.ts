import { describe, expect, test } from 'vitest'

import {
  allOperators,
  dataTypes,
  operandOf,
  operatorsOf,
  readDuration,
  segment,
  segmentWrite,
} from './index.ts'

const test1 = { entity: 'car', where: [{ key: 'brand', type: 'TEXT', op: 'eq', value: 'Volvo' }] }

/** Returns `pointer: sentence` for each error of a filter. */
function faults(filter: unknown): string[] {
  const result = segmentWrite.safeParse({ name: 'A', filter })
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('/')}: ${message}`)
}

function stored(filter: unknown): unknown {
  return segmentWrite.parse({ name: 'A', filter }).filter
}

describe('a segment', () => {
  test('is read as it comes, whatever another service puts into it', () => {
    const foreign = { id: '1', filter: 'age > 5', owner: 'x' }
    expect(segment.parse(foreign)).toEqual(foreign)
    expect(segment.parse({ id: '1', name: null, tz: null })).toEqual({ id: '1', name: null, tz: null })
  })

  test('can be written back as it was read; other fields are refused', () => {
    const read = {
      id: '1',
      created: 'x',
      updated: 'y',
      name: ' A ',
      description: 'B',
      filter: test1,
      tz: 'Europe/Berlin',
    }
    expect(segmentWrite.parse(read)).toMatchObject({ name: 'A', filter: test1 })
    expect(segmentWrite.safeParse({ ...read, owner: 'x' }).error?.issues[0]).toMatchObject({
      keys: ['owner'],
    })
  })

  test.each([
    ['name', ''],
    ['name', '   '],
    ['name', 'x'.repeat(201)],
    ['description', 'x'.repeat(2001)],
    ['tz', 'Europe/Atlantis'],
    ['tz', '+02:00'],
    ['tz', ''],
  ])('has limits: %s %j', (field, value) => {
    const result = segmentWrite.safeParse({ name: 'A', filter: test1, [field]: value })
    expect(result.error?.issues.map(({ path }) => path)).toEqual([[field]])
  })
})

describe('a filter', () => {
  test.each([
    { all: [] },
    { any: [{ not: { all: [test1] } }] },
    { segment: '0190a5d8-0000-7000-8000-000000000001' },
    { user: 'email', op: 'missing' },
    { user: 'since', op: 'before', value: { ago: 'P1Y2M3W4DT5H6M7S' } },
    { user: 'created', op: 'between', value: ['2024-01-01', '2024-02-01T10:00:00.000Z'] },
    { entity: 'person' },
    { entity: 'person', where: [], min: 2 },
    {
      entity: 'car',
      where: [{ key: 'sold', type: 'DATE', op: 'older_than', value: 'P1Y', orMissing: true }],
    },
  ])('is kept as written: %j', (filter) => {
    expect(stored(filter)).toEqual(filter)
  })

  test('holds values in the form in which they are stored', () => {
    const value = (type: string, op: string, given: unknown) =>
      (stored({ entity: 'x', where: [{ key: 'k', type, op, value: given }] }) as typeof test1).where[0]?.value
    expect(value('DECIMAL', 'eq', 12.5)).toBe('12.5')
    expect(value('DATETIME', 'before', '2024-03-01T10:30:00+01:00')).toBe('2024-03-01T09:30:00.000Z')
    expect(value('DATETIME', 'on', '2024-03-01')).toBe('2024-03-01')
    expect(value('TEXT', 'in', ['e\u0301'])).toEqual(['\u00e9'])
    expect(stored({ user: 'since', op: 'after', value: '2024-03-01T10:30:00' })).toMatchObject({
      value: '2024-03-01T10:30:00.000Z',
    })
    expect(stored({ segment: '0190A5D8-0000-7000-8000-00000000000A' })).toEqual({
      segment: '0190a5d8-0000-7000-8000-00000000000a',
    })
  })

  const anything =
    'A filter is an object with one of "all", "any", "not", "segment", "user" (with "op") and "entity".'
  test.each<[unknown, string]>([
    [undefined, `filter: ${anything}`],
    [[], `filter: ${anything}`],
    [{ all: [{}] }, `filter/all/0: ${anything}`],
    [{ all: [], any: [] }, 'filter/any: "any" does not stand beside "all" in one filter.'],
    [{ entity: 'car', op: 'eq' }, 'filter/op: "op" does not stand beside "entity" in one filter.'],
    [{ user: 'email' }, 'filter/op: A test of a user field needs an operator.'],
    [{ user: 'phone', op: 'exists' }, 'filter/user: Give one of email, name, ref, since, created, account.'],
    [
      { user: 'account', op: 'contains', value: 'x' },
      'filter/op: "contains" does not apply to BOOLEAN: use one of eq, exists, missing.',
    ],
    [
      { user: 'email', op: 'like' },
      `filter/op: There is no such operator: use one of ${allOperators.join(', ')}.`,
    ],
    [{ user: 'email', op: 'exists', value: 1 }, 'filter/value: "exists" takes no value: leave it out.'],
    [{ user: 'email', op: 'contains', value: '' }, 'filter/value: Give at least one character of text.'],
    [{ user: 'email', op: 'eq' }, 'filter/value: This test needs a value.'],
    [{ user: 'name', op: 'eq', value: null }, 'filter/value: Use "missing" to look for no value.'],
    [
      { user: 'since', op: 'on', value: { ago: '30 days' } },
      'filter/value/ago: Write an ISO 8601 duration of at most 1,000 years, for example "P30D" or "P1Y".',
    ],
    [
      { user: 'since', op: 'within_last', value: 'P1001Y' },
      'filter/value: Write an ISO 8601 duration of at most 1,000 years, for example "P30D" or "P1Y".',
    ],
    ...['P1.5D', 'PT1.5H', 'PT0.5H', 'P0.5Y', 'PT1,5H', 'P1Y2,5M'].map((value): [unknown, string] => [
      { user: 'since', op: 'within_last', value },
      'filter/value: Write a duration in whole numbers of a smaller unit, for example "PT90M" or "P36M".',
    ]),
    [
      { user: 'since', op: 'on', value: { ahead: 'P1.5D' } },
      'filter/value/ahead: Write a duration in whole numbers of a smaller unit, for example "PT90M" or "P36M".',
    ],
    [
      { user: 'since', op: 'on', value: { ago: 5 } },
      'filter/value/ago: Give {"ago":"P30D"} alone, with an ISO 8601 duration.',
    ],
    [
      { user: 'since', op: 'anniversary_within', value: 'P2Y' },
      'filter/value: An anniversary comes round within a year: at most "P1Y".',
    ],
    [
      { user: 'since', op: 'between', value: ['2024-02-01', '2024-01-01'] },
      'filter/value: The range ends before it starts: give [from, to].',
    ],
    [
      { user: 'since', op: 'between', value: ['2024-02-01'] },
      'filter/value: Give two values, [from, to]; both are included.',
    ],
    [{ user: 'ref', op: 'in', value: [] }, 'filter/value: Give a list of 1 to 100 values.'],
    [
      { entity: 'Car' },
      'filter/entity: Write a type as a lower-case letter, then up to 63 of a-z, 0-9, _ and -.',
    ],
    [{ entity: 'car', min: 0 }, 'filter/min: At least 1.'],
  ])('%j is refused with its place', (filter, fault) => {
    expect(faults(filter)).toEqual([fault])
  })

  test.each<[type: string, op: string, value: unknown, fault: string]>([
    ['NUMBER', 'eq', '5', ': Give a number, without quotes.'],
    ['NUMBER', 'in', [5, true], '/1: Give a number, without quotes.'],
    ['NUMBER', 'between', [5, -5], ': The range ends before it starts: give [from, to].'],
    ['DECIMAL', 'between', ['9.5', '10'], ''],
    [
      'CURRENCY',
      'lt',
      { currency: 'EUR', value: 5 },
      '/value: Write the amount as text, for example "12.50".',
    ],
    [
      'CURRENCY',
      'between',
      [
        { currency: 'EUR', value: '9' },
        { currency: 'USD', value: '10' },
      ],
      ': Amounts compare within one currency: give the same one twice.',
    ],
    [
      'DATE',
      'after',
      { ahead: 'PT3H' },
      '/ahead: Only whole days count here: use days, weeks, months or years, for example "P30D".',
    ],
    ['DATE', 'after', '2023-02-29', ': Give a date that exists, such as 1981-02-02.'],
    [
      'TIME',
      'older_than',
      'P1D',
      '!/op: "older_than" does not apply to TIME: use one of on, before, after, between, exists, missing.',
    ],
    ['PREFERENCE', 'eq', { status: 'MAYBE' }, '/status: Give GRANTED, DENIED or REVOKED.'],
    ['MONEY', 'exists', undefined, '!/type: '],
  ])('a test on %s: %s %j', (type, op, value, fault) => {
    const found = faults({
      entity: 'x',
      where: [{ key: 'k', type, op, ...(value !== undefined && { value }) }],
    })
    const place = fault.startsWith('!') ? `filter/where/0${fault.slice(1)}` : `filter/where/0/value${fault}`
    expect(found.map((text) => text.slice(0, place.length))).toEqual(fault === '' ? [] : [place])
  })

  test('nests up to five groups and holds up to fifty tests', () => {
    const nested = (depth: number): unknown => (depth === 0 ? test1 : { not: nested(depth - 1) })
    expect(faults(nested(5))).toEqual([])
    expect(faults(nested(6))).toEqual(['filter: Groups nest at most 5 deep.'])
    const many = (count: number) => ({
      any: [{ entity: 'car', where: Array.from({ length: count - 1 }, () => test1.where[0]) }, { all: [] }],
    })
    expect(faults(many(50))).toEqual([])
    expect(faults(many(51))).toEqual(['filter: A filter holds at most 50 tests.'])
  })

  test('holds up to 1,000 values in all of its lists', () => {
    const lists = (...lengths: number[]) => ({
      any: lengths.map((length, at) => ({
        entity: 'car',
        where: [
          { key: 'brand', type: 'TEXT', op: 'in', value: Array.from({ length }, (_, i) => `${at} ${i}`) },
        ],
      })),
    })
    const thousand = Array.from({ length: 10 }, () => 100)
    expect(faults(lists(...thousand))).toEqual([])
    const tooMany = ['filter: The lists of a filter hold at most 1,000 values together.']
    expect(faults(lists(...thousand, 1))).toEqual(tooMany)
    expect(
      faults({ not: { all: [lists(...thousand), { user: 'name', op: 'in', value: ['Ana'] }] } }),
    ).toEqual(tooMany)
  })

  test('is not read where it is too large: its limits are looked at first', () => {
    const wrong = { user: 'shoe size', op: 'eq', value: 1 }
    let deep: unknown = wrong
    for (let depth = 0; depth < 4000; depth++) deep = { any: [deep, wrong] }
    expect(faults(deep)).toEqual(['filter: Groups nest at most 5 deep.'])
    expect(faults({ all: Array.from({ length: 15_000 }, () => wrong) })).toEqual([
      'filter: A filter holds at most 50 tests.',
    ])
  })
})

test('every type has operators, and every operator says what its value is', () => {
  for (const type of dataTypes) {
    expect(operatorsOf(type)).toEqual(expect.arrayContaining(['exists', 'missing']))
    for (const operator of operatorsOf(type)) expect(operandOf(operator)).toEqual(expect.any(String))
  }
})

test('durations are ISO 8601, in whole numbers', () => {
  expect(readDuration('P1Y2M3W4D')).toEqual({ years: 1, months: 2, days: 25, ms: 0, exact: false })
  expect(readDuration('PT36H')).toEqual({ years: 0, months: 0, days: 0, ms: 129_600_000, exact: true })
  for (const text of [
    'P1000Y',
    'P12000M',
    'P52000W',
    'P365000D',
    'PT8760000H',
    'PT99999999M',
    'PT999999999S',
  ])
    expect([text, readDuration(text)]).toEqual([text, expect.any(Object)])
  for (const text of ['P', 'PT', 'P1DT', '1D', 'P-1D', 'P1.5D', 'P1H', ' P1D', 'p1d', 'P999999D', 30, null])
    expect([text, readDuration(text)]).toEqual([text, undefined])
})
