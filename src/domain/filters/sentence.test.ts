import { expect, onTestFinished, test } from 'vitest'

import { type Filter, filter as filterSchema, type PropertyTest } from '#contract/index.ts'
import { setLabels } from '../labels.ts'
import { durationInWords } from './operands.ts'
import { conditionInBrief, conditionInWords, sentenceOf, sentenceOfParts, testInWords } from './sentence.ts'

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
  ['everyone', { all: [] }, 'All users.'],
  ['nobody', { any: [] }, 'No users.'],
  ['not everyone', { not: { all: [] } }, 'No users.'],
  ['not nobody', { not: { any: [] } }, 'All users.'],
  [
    'a user field',
    { user: 'email', op: 'ends_with', value: '@example.org' },
    'Users whose e-mail ends with “@example.org”.',
  ],
  ['a missing field', { user: 'ref', op: 'missing' }, 'Users who have no ref.'],
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
    'three or more',
    { ...renault, min: 3 },
    'Users who have 3 or more cars (make is “Renault” and year is at least 2015).',
  ],
  ['two or more addresses', { entity: 'address', min: 2 }, 'Users who have 2 or more addresses.'],
  [
    'two or more of a type without a known plural',
    { entity: 'family_person', min: 2 },
    'Users who have 2 or more entities of type family person.',
  ],
  [
    'no such entity',
    { not: renault },
    'Users who don’t have a car (make is “Renault” and year is at least 2015).',
  ],
  ['fewer than two', { not: { entity: 'car', min: 2 } }, 'Users who have fewer than 2 cars.'],
  [
    'or missing',
    { entity: 'car', where: [{ key: 'make', type: 'TEXT', op: 'ne', value: 'Renault', orMissing: true }] },
    'Users who have a car (make is not “Renault” or has no value).',
  ],
  [
    'marked as sensitive',
    { entity: 'car', where: [{ key: 'plate', type: 'TEXT', op: 'exists', sensitive: true }] },
    'Users who have a car (plate has a value (sensitive)).',
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
    'Users who have a car (plate is “B 1” (not sensitive) and fuel has a value).',
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
    'Users who have a car ((make is not “Renault” or has no value) and fuel has a value).',
  ],
  [
    'negation of a field, which is also true where there is none',
    { not: { user: 'name', op: 'eq', value: 'Ana' } },
    'All users except those whose name is “Ana”.',
  ],
  [
    'negation within a group',
    { all: [{ entity: 'car' }, { not: { user: 'name', op: 'eq', value: 'Ana' } }] },
    'Users who have a car and whose name, if any, is not “Ana”.',
  ],
  [
    'nested groups, told apart by brackets',
    {
      all: [
        renault,
        { any: [lyon, { not: { any: [{ user: 'account', op: 'eq', value: true }, { entity: 'bike' }] } }] },
      ],
    },
    'Users who have a car (make is “Renault” and year is at least 2015) and (who have an address (city is “Lyon” or “Paris”) or (who have no account and who don’t have a bike)).',
  ],
  [
    'a group of one is what it holds',
    { all: [{ any: [{ not: { all: [{ entity: 'car' }] } }] }] },
    'Users who don’t have a car.',
  ],
  [
    'a negated group within a group, as its parts negated',
    {
      any: [{ not: { all: [lyon, { segment: '01890a5d-ac96-774b-bcce-b302099a8057' }] } }, { entity: 'car' }],
    },
    'Users (who don’t have an address (city is “Lyon” or “Paris”) or who aren’t in the segment 01890a5d…8057) or who have a car.',
  ],
  [
    'a negation of what is always there',
    { all: [{ entity: 'car' }, { not: { user: 'created', op: 'before', value: '2024-03-01T09:30:00Z' } }] },
    'Users who have a car and whose creation date is not before Mar 1, 2024, 09:30 UTC.',
  ],
  [
    'a negated negation',
    { all: [{ entity: 'car' }, { not: { not: { user: 'name', op: 'contains', value: 'a' } } }] },
    'Users who have a car and whose name contains “a”.',
  ],
  [
    'a negated negative, which is also true where there is no value',
    { all: [{ entity: 'car' }, { not: { user: 'name', op: 'ne', value: 'Ana' } }] },
    'Users who have a car and whose name, if any, is “Ana”.',
  ],
  [
    'a negated lack',
    { all: [{ entity: 'car' }, { not: { user: 'email', op: 'missing' } }] },
    'Users who have a car and who have an e-mail.',
  ],
  [
    'labels of properties instead of their keys',
    {
      entity: 'car',
      where: [{ key: 'first_registration', type: 'DATE', op: 'anniversary_within', value: 'P1M' }],
    },
    'Users whose car’s first registration has its anniversary in the next month. Days in Europe/Berlin.',
  ],
  [
    'initials of a label stay capitals',
    { entity: 'car', where: [{ key: 'vatNumber', type: 'TEXT', op: 'starts_with', value: 'DE' }] },
    'Users whose car’s VAT number starts with “DE”.',
  ],
  [
    'a property of the person whose key is also a field of users',
    { entity: 'person', where: [{ key: 'name', type: 'TEXT', op: 'eq', value: 'Ana' }] },
    'Users whose person’s name is “Ana”.',
  ],
  [
    'a negative test of one car, which is not one of every car',
    { entity: 'car', where: [{ key: 'make', type: 'TEXT', op: 'ne', value: 'Renault' }] },
    'Users who have a car (make is not “Renault”).',
  ],
  [
    'empty groups inside',
    { any: [{ all: [] }, { any: [] }] },
    'Users who match anything or who match nothing.',
  ],
  [
    'an amount',
    {
      entity: 'order',
      where: [{ key: 'total', type: 'CURRENCY', op: 'gt', value: { currency: 'EUR', value: '12.50' } }],
    },
    'Users whose order’s total is more than 12.50 EUR.',
  ],
  [
    'numbers from and to, a large one without separators',
    { entity: 'car', where: [{ key: 'year', type: 'NUMBER', op: 'between', value: [1999, 2015.5] }] },
    'Users whose car’s year is between 1999 and 2015.5.',
  ],
  [
    'an exact decimal, in threes of digits',
    {
      entity: 'car',
      where: [{ key: 'price', type: 'DECIMAL', op: 'lt', value: '12345678901234567890.120' }],
    },
    'Users whose car’s price is less than 12,345,678,901,234,567,890.120.',
  ],
  [
    'a consent',
    {
      entity: 'person',
      where: [{ key: 'newsletter', type: 'PREFERENCE', op: 'eq', value: { status: 'GRANTED' } }],
    },
    'Users whose newsletter is granted.',
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
    'Users who have a person (newsletter is granted and newsletter expires in the next month and (post has expired or has no value) and calls is not granted). Days in Europe/Berlin.',
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
    'Users whose car’s driver is user 01890a5d…8057.',
  ],
  [
    'a time of day',
    { entity: 'person', where: [{ key: 'call', type: 'TIME', op: 'on', value: '09:30' }] },
    'Users whose call is 09:30.',
  ],
  [
    'yes or no',
    { entity: 'car', where: [{ key: 'electric', type: 'BOOLEAN', op: 'eq', value: false }] },
    'Users whose car’s electric is no.',
  ],
  [
    'a fixed day of a date, in no zone',
    { entity: 'person', where: [{ key: 'birthday', type: 'DATE', op: 'on', value: '1984-02-29' }] },
    'Users whose birthday is on Feb 29, 1984.',
  ],
  [
    'an instant',
    { user: 'created', op: 'after', value: '2024-03-01T09:30:00.000Z' },
    'Users whose creation date is after Mar 1, 2024, 09:30 UTC.',
  ],
  [
    'an instant without zone, which is UTC',
    { user: 'since', op: 'before', value: '2024-03-01T09:30:00' },
    'Users whose “since” date is before Mar 1, 2024, 09:30 UTC.',
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
    'Users whose “since” date is more than 1 year 6 months ago.',
  ],
  [
    { user: 'since', op: 'between', value: [{ ago: 'P2W' }, { ahead: 'P1D' }] },
    'Users whose “since” date is between 2 weeks ago and 1 day from now.',
  ],
  [{ user: 'since', op: 'on', value: '2024-03-01' }, 'Users whose “since” date is on Mar 1, 2024.'],
  [{ user: 'since', op: 'on', value: { ago: 'P1W' } }, 'Users whose “since” date is 1 week ago.'],
  [
    { user: 'since', op: 'before', value: { ahead: 'P1D' } },
    'Users whose “since” date is earlier than 1 day from now.',
  ],
  [
    { all: [{ entity: 'car' }, { not: { user: 'created', op: 'after', value: { ago: 'P2W' } } }] },
    'Users who have a car and whose creation date is not later than 2 weeks ago.',
  ],
  [
    { entity: 'person', where: [{ key: 'birthday', type: 'DATE', op: 'anniversary_within', value: 'P7D' }] },
    'Users whose birthday has its anniversary in the next 7 days.',
  ],
])('says in which zone the days of %j are counted', (filter, sentence) => {
  expect(sentenceOf(filter, { tz: 'Europe/Berlin' })).toBe(`${sentence} Days in Europe/Berlin.`)
  expect(sentenceOf(filter)).toBe(`${sentence} Days in UTC.`)
})

test('a segment is named where its name is known', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const segmentName = (asked: string) => (asked === id ? 'Lapsed in Lyon' : undefined)
  expect(sentenceOf({ segment: id }, { segmentName })).toBe('Users who are in the segment “Lapsed in Lyon”.')
  expect(sentenceOf({ not: { segment: id } }, { segmentName })).toBe(
    'Users who aren’t in the segment “Lapsed in Lyon”.',
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
    'Users whose name is … and whose “since” date is between … ago and … and who have an entity of type … (… is … EUR) and who are in the segment … Days in UTC.',
  )
})

test('a negation without a part yet shows a gap', () => {
  const car = { entity: 'car' }
  expect(sentenceOfParts({ all: [car, { not: {} }] } as unknown as Filter)).toBe('Users who have a car and …')
  expect(sentenceOfParts({ all: [{ not: {} }] } as unknown as Filter)).toBe('All users except those …')
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
    'Users who have an entity of type bank (IBAN is a hidden value and city is “Lyon”).',
  )
  const birthday = { key: 'birthday', type: 'DATE', op: 'anniversary_within', masked: true }
  expect(sentenceOf({ entity: 'person', where: [birthday] })).toBe(
    'Users whose birthday has its anniversary in a hidden period.',
  )
  expect(sentenceOf({ entity: 'person', where: [{ ...birthday, op: 'on' }] })).toBe(
    'Users whose birthday is a hidden value.',
  )
})

test('one condition in brief, and one test on a line of its own, name the property by its label', () => {
  const test = { key: 'first_registration', type: 'DATE', op: 'on', value: '2024-03-01' } as const
  expect(conditionInBrief({ entity: 'car', where: [test] })).toBe('car first registration is on Mar 1, 2024')
  expect(conditionInBrief({ entity: 'person', where: [{ ...test, key: 'birthday' }] })).toBe(
    'birthday is on Mar 1, 2024',
  )
  expect(testInWords('car', test)).toBe('First registration is on Mar 1, 2024')
  expect(conditionInBrief({ user: 'account', op: 'eq', value: false })).toBe('has no account')
})

test('a condition names the choices of its property by their labels, but not what a text contains', () => {
  const choices = [{ value: 'de', label: 'German' }]
  setLabels([
    { name: 'person', label: 'Person', properties: [{ name: 'language', label: 'Language', choices }] },
  ])
  onTestFinished(() => setLabels([]))
  const language = { key: 'language', type: 'TEXT' } as const
  const say = (test: Pick<PropertyTest, 'op' | 'value'>) => testInWords('person', { ...language, ...test })
  expect(say({ op: 'eq', value: 'de' })).toBe('Language is “German”')
  expect(say({ op: 'in', value: ['de', 'tlh'] })).toBe('Language is “German” or “tlh”')
  expect(say({ op: 'contains', value: 'de' })).toBe('Language contains “de”')
})

test('a condition on a line of its own has the user as its subject, and its tests below it', () => {
  const words = (filter: Filter) => conditionInWords(filter, { segmentName: () => 'Lapsed' })
  expect(words(renault)).toEqual({
    condition: 'has a car where…',
    tests: ['Make is “Renault”', 'Year is at least 2015'],
  })
  expect(words({ entity: 'car', min: 2 })).toEqual({ condition: 'has 2 or more cars', tests: [] })
  expect(words({ segment: 'l' }).condition).toBe('in the segment “Lapsed”')
  expect(words({ user: 'account', op: 'eq', value: true }).condition).toBe('has an account')
  expect(words({ user: 'ref', op: 'missing' }).condition).toBe('ref has no value')
})
