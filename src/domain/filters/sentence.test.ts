import { expect, test } from 'vitest'

import { type Filter, filter as filterSchema } from '#contract/index.ts'
import { durationInWords, sentenceOf, sentenceOfParts } from './sentence.ts'

const renault: Filter = {
  entity: 'car',
  where: [
    { key: 'make', type: 'TEXT', op: 'eq', value: 'Renault' },
    { key: 'year', type: 'NUMBER', op: 'gte', value: 2015 },
  ],
}
const lyon: Filter = {
  entity: 'address',
  where: [{ key: 'city', type: 'TEXT', op: 'in', value: ['Lyon', 'Paris'] }],
}

test.each<[string, unknown, string]>([
  ['everyone', { all: [] }, 'Everyone.'],
  ['nobody', { any: [] }, 'Nobody.'],
  ['not everyone', { not: { all: [] } }, 'Nobody.'],
  ['not nobody', { not: { any: [] } }, 'Everyone.'],
  [
    'a user field',
    { user: 'email', op: 'ends_with', value: '@example.org' },
    'Users whose e-mail ends with “@example.org”.',
  ],
  ['a missing field', { user: 'ref', op: 'missing' }, 'Users whose reference is missing.'],
  [
    'a list',
    { user: 'name', op: 'in', value: ['Ana', 'Bo', 'Cy'] },
    'Users whose name is “Ana”, “Bo”, or “Cy”.',
  ],
  [
    'none of a list',
    { user: 'name', op: 'not_in', value: ['Ana', 'Bo'] },
    'Users whose name is not “Ana” or “Bo”.',
  ],
  ['an account', { user: 'account', op: 'eq', value: true }, 'Users who have an account.'],
  ['no account', { user: 'account', op: 'eq', value: false }, 'Users who have no account.'],
  ['an entity', { entity: 'car' }, 'Users who have a car.'],
  ['an entity with a vowel', { entity: 'address' }, 'Users who have an address.'],
  [
    'several tests on one entity',
    renault,
    'Users who have a car (make is “Renault” and year is at least 2015).',
  ],
  [
    'at least three',
    { ...renault, min: 3 },
    'Users who have at least 3 cars (make is “Renault” and year is at least 2015).',
  ],
  ['at least two addresses', { entity: 'address', min: 2 }, 'Users who have at least 2 addresses.'],
  ['at least two people', { entity: 'family_person', min: 2 }, 'Users who have at least 2 family people.'],
  [
    'no such entity',
    { not: renault },
    'Users who do not have a car (make is “Renault” and year is at least 2015).',
  ],
  ['fewer than two', { not: { entity: 'car', min: 2 } }, 'Users who have fewer than 2 cars.'],
  [
    'or missing',
    { entity: 'car', where: [{ key: 'make', type: 'TEXT', op: 'ne', value: 'Renault', orMissing: true }] },
    'Users who have a car (make is not “Renault” or is missing).',
  ],
  [
    'marked as sensitive',
    { entity: 'car', where: [{ key: 'plate', type: 'TEXT', op: 'exists', sensitive: true }] },
    'Users who have a car (plate has a value, sensitive).',
  ],
  [
    'in clear, among others',
    {
      entity: 'car',
      where: [
        { key: 'plate', type: 'TEXT', op: 'eq', value: 'B 1', sensitive: false },
        { key: 'fuel', type: 'TEXT', op: 'exists' },
      ],
    },
    'Users who have a car (plate is “B 1”, not sensitive and fuel has a value).',
  ],
  [
    'or missing among others',
    {
      entity: 'car',
      where: [
        { key: 'make', type: 'TEXT', op: 'ne', value: 'Renault', orMissing: true },
        { key: 'fuel', type: 'TEXT', op: 'exists' },
      ],
    },
    'Users who have a car ((make is not “Renault” or is missing) and fuel has a value).',
  ],
  [
    'negation of a field, which is also true where there is none',
    { not: { user: 'name', op: 'eq', value: 'Ana' } },
    'Everyone except users whose name is “Ana”.',
  ],
  [
    'negation within a group',
    { all: [{ entity: 'car' }, { not: { user: 'name', op: 'eq', value: 'Ana' } }] },
    'Users who have a car and who are not among those whose name is “Ana”.',
  ],
  [
    'nested groups, told apart by brackets',
    {
      all: [
        renault,
        { any: [lyon, { not: { any: [{ user: 'account', op: 'eq', value: true }, { entity: 'bike' }] } }] },
      ],
    },
    'Users who have a car (make is “Renault” and year is at least 2015) and (who have an address (city is “Lyon” or “Paris”) or who are not among those (who have an account or who have a bike)).',
  ],
  [
    'a group of one is what it holds',
    { all: [{ any: [{ not: { all: [{ entity: 'car' }] } }] }] },
    'Users who do not have a car.',
  ],
  ['empty groups inside', { any: [{ all: [] }, { any: [] }] }, 'Users who can be anyone or who are nobody.'],
  [
    'an amount',
    {
      entity: 'order',
      where: [{ key: 'total', type: 'CURRENCY', op: 'gt', value: { currency: 'EUR', value: '12.50' } }],
    },
    'Users who have an order (total is more than 12.50 EUR).',
  ],
  [
    'numbers from and to, a large one without separators',
    { entity: 'car', where: [{ key: 'year', type: 'NUMBER', op: 'between', value: [1999, 2015.5] }] },
    'Users who have a car (year is from 1999 to 2015.5).',
  ],
  [
    'an exact decimal, in threes of digits',
    {
      entity: 'car',
      where: [{ key: 'price', type: 'DECIMAL', op: 'lt', value: '12345678901234567890.120' }],
    },
    'Users who have a car (price is less than 12,345,678,901,234,567,890.120).',
  ],
  [
    'a consent',
    {
      entity: 'person',
      where: [{ key: 'newsletter', type: 'PREFERENCE', op: 'eq', value: { status: 'GRANTED' } }],
    },
    'Users who have a person (newsletter is granted).',
  ],
  [
    'a consent that holds, or ends',
    {
      entity: 'person',
      where: [
        { key: 'newsletter', type: 'PREFERENCE', op: 'granted' },
        { key: 'newsletter', type: 'PREFERENCE', op: 'expires_within', value: 'P1M' },
        { key: 'post', type: 'PREFERENCE', op: 'expired', orMissing: true },
        { key: 'calls', type: 'PREFERENCE', op: 'not_granted' },
      ],
    },
    'Users who have a person (newsletter is granted and newsletter expires within 1 month and (post has expired or is missing) and calls is not granted). Days are counted in Europe/Berlin.',
  ],
  [
    'a relationship',
    {
      entity: 'car',
      where: [
        {
          key: 'driver',
          type: 'RELATIONSHIP',
          op: 'eq',
          value: { user: '01890a5d-ac96-774b-bcce-b302099a8057' },
        },
      ],
    },
    'Users who have a car (driver is user 01890a5d…8057).',
  ],
  [
    'a time of day',
    { entity: 'person', where: [{ key: 'call', type: 'TIME', op: 'on', value: '09:30' }] },
    'Users who have a person (call is 09:30).',
  ],
  [
    'yes or no',
    { entity: 'car', where: [{ key: 'electric', type: 'BOOLEAN', op: 'eq', value: false }] },
    'Users who have a car (electric is no).',
  ],
  [
    'a fixed day of a date, in no zone',
    { entity: 'person', where: [{ key: 'birthday', type: 'DATE', op: 'on', value: '1984-02-29' }] },
    'Users who have a person (birthday is on Feb 29, 1984).',
  ],
  [
    'an instant',
    { user: 'created', op: 'after', value: '2024-03-01T09:30:00.000Z' },
    'Users whose creation date is after Mar 1, 2024, 09:30 UTC.',
  ],
  [
    'an instant without zone, which is UTC',
    { user: 'since', op: 'before', value: '2024-03-01T09:30:00' },
    'Users whose since date is before Mar 1, 2024, 09:30 UTC.',
  ],
  [
    'a span of hours, in no zone',
    { user: 'created', op: 'within_last', value: 'PT36H' },
    'Users whose creation date is within the last 36 hours.',
  ],
])('%s', (_, filter, sentence) => {
  expect(filterSchema.safeParse(filter).success).toBe(true)
  expect(sentenceOf(filter, { tz: 'Europe/Berlin' })).toBe(sentence)
})

test.each<[unknown, string]>([
  [
    { user: 'created', op: 'within_last', value: 'P30D' },
    'Users whose creation date is within the last 30 days.',
  ],
  [
    { user: 'since', op: 'older_than', value: 'P1Y6M' },
    'Users whose since date is more than 1 year 6 months ago.',
  ],
  [
    { user: 'since', op: 'between', value: [{ ago: 'P2W' }, { ahead: 'P1D' }] },
    'Users whose since date is from 2 weeks ago to 1 day from now.',
  ],
  [{ user: 'since', op: 'on', value: '2024-03-01' }, 'Users whose since date is on Mar 1, 2024.'],
  [
    { entity: 'person', where: [{ key: 'birthday', type: 'DATE', op: 'anniversary_within', value: 'P7D' }] },
    'Users who have a person (birthday has its anniversary within the next 7 days).',
  ],
])('says in which zone the days of %j are counted', (filter, sentence) => {
  expect(sentenceOf(filter, { tz: 'Europe/Berlin' })).toBe(`${sentence} Days are counted in Europe/Berlin.`)
  expect(sentenceOf(filter)).toBe(`${sentence} Days are counted in UTC.`)
})

test('a segment is named where its name is known', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const segmentName = (asked: string) => (asked === id ? 'Lapsed in Lyon' : undefined)
  expect(sentenceOf({ segment: id }, { segmentName })).toBe('Users who are in the segment “Lapsed in Lyon”.')
  expect(sentenceOf({ not: { segment: id } }, { segmentName })).toBe(
    'Users who are not in the segment “Lapsed in Lyon”.',
  )
  expect(sentenceOf({ segment: id })).toBe('Users who are in the segment 01890a5d…8057.')
})

test.each([
  undefined,
  null,
  'x',
  {},
  { rule: 'age > 3' },
  { all: [{ field: 'x' }] },
  { user: 'name', op: 'like', value: 'a' },
])('a filter of another grammar (%j) is a custom one', (filter) => {
  expect(sentenceOf(filter)).toBe('Custom filter')
})

test('an unfinished filter shows its gaps', () => {
  const open = {
    all: [
      { user: 'name', op: 'eq' },
      { user: 'since', op: 'between', value: [{ ago: '' }] },
      { entity: '', where: [{ key: '', type: 'CURRENCY', op: 'eq', value: { currency: 'EUR', value: '' } }] },
      { segment: '' },
    ],
  } as Filter
  expect(sentenceOfParts(open)).toBe(
    'Users whose name is … and whose since date is from … ago to … and who have a … (… is … EUR) and who are in the segment … Days are counted in UTC.',
  )
})

test.each([
  ['P1Y', '1 year'],
  ['P1Y2M3W4DT5H6M7S', '1 year 2 months 3 weeks 4 days 5 hours 6 minutes 7 seconds'],
  ['P0D', '0 days'],
  ['P1M', '1 month'],
  ['PT1M', '1 minute'],
  ['soon', 'soon'],
  ['', '…'],
])('the duration %j reads %j', (duration, said) => {
  expect(durationInWords(duration)).toBe(said)
})

test('a value that the reader may not see is said to be hidden', () => {
  const where = [
    { key: 'iban', type: 'TEXT', op: 'eq', masked: true },
    { key: 'city', type: 'TEXT', op: 'eq', value: 'Lyon' },
  ]
  expect(sentenceOf({ entity: 'bank', where })).toBe(
    'Users who have a bank (iban is a hidden value and city is “Lyon”).',
  )
})
