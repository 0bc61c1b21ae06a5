import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  type DataType,
  dataTypes,
  propertyKey,
  readNewValue,
  userColumns,
  whichEntities,
} from '#contract/index.ts'
import { propertyHeader, readPropertyHeader, valueCell } from '#contract/reading/cells.ts'
import { readColumn } from '#contract/reading/columns.ts'
import { summariseColumn } from '#contract/reading/summary.ts'
import { guessType } from '#contract/reading/targets.ts'
import { retype, valueOf } from '../../domain/values/draft.ts'
import { knownWith, problemsOf, proposeTargets } from './mapping.ts'

const guess = (headers: readonly string[], known: Parameters<typeof proposeTargets>[1] = []) =>
  proposeTargets(
    headers.map((header) => ({ header, samples: [] })),
    known,
  )
const ignore = { to: 'ignore' }
const field = (name: string) => ({ to: 'field', field: name })

test('our own export maps by itself; what the service assigns is left out', () => {
  expect(guess(userColumns)).toEqual([
    field('id'),
    field('name'),
    field('email'),
    field('ref'),
    field('since'),
    ignore,
    ignore,
  ])
})

test.each([
  ['E-Mail', 'email'],
  ['email address', 'email'],
  ['Full Name', 'name'],
  ['customer_number', 'ref'],
  ['External ID', 'ref'],
  ['Member since', 'since'],
])('%s is %s', (header, name) => {
  expect(guess([header])).toEqual([field(name)])
})

test('the first of two columns that look the same is mapped, and an unknown column is ignored', () => {
  expect(guess(['Mail', 'E-Mail', 'Shoe size', 'error'])).toEqual([field('email'), ignore, ignore, ignore])
})

test('a known key takes its type and its mark; a withheld column and another entity are ignored', () => {
  const known = [
    { key: 'birthday', type: 'DATE', sensitive: false },
    { key: 'iban', type: 'TEXT', sensitive: true },
  ]
  const property = (key: string, type: string, sensitive: boolean) => ({
    to: 'property',
    key,
    type,
    sensitive,
  })
  expect(
    guess(
      [
        'person.birthday',
        'IBAN',
        'person.hobby',
        'person.pin (may be sensitive)',
        'person.tax (sensitive, withheld)',
        'car.plate',
      ],
      known,
    ),
  ).toEqual([
    property('birthday', 'DATE', false),
    property('iban', 'TEXT', true),
    property('hobby', 'TEXT', false),
    property('pin', 'TEXT', true),
    ignore,
    ignore,
  ])
})

test('a column is recognised as a property by its label, or by a word for it in another language', () => {
  const known = [
    { key: 'birthday', type: 'DATE', sensitive: false },
    { key: 'vat', label: 'VAT number', type: 'TEXT', sensitive: true },
  ]
  expect(guess(['Geburtsdatum', 'VAT Number', 'Schuhgröße'], known)).toEqual([
    { to: 'property', key: 'birthday', type: 'DATE', sensitive: false },
    { to: 'property', key: 'vat', type: 'TEXT', sensitive: true },
    ignore,
  ])
})

test('a property that is sensitive by its definition, or by what is stored, is never open', () => {
  const defined = { type: 'TEXT', sensitive: true }
  expect(knownWith(undefined, defined)).toEqual(defined)
  expect(knownWith({ type: 'NUMBER', sensitive: false, users: 3 }, defined)).toEqual({ ...defined, users: 3 })
  const sealed = { type: 'TEXT', sensitive: true }
  expect(knownWith(sealed, { type: undefined, sensitive: false })).toEqual(sealed)
  expect(knownWith(undefined, undefined)).toBeUndefined()
})

test('a part of a name beside the whole name is reported', () => {
  const targets = (['last', 'name', 'first'] as const).map((name) => ({ to: 'field' as const, field: name }))
  const open = { isUnchecked: () => false, maySeal: true }
  expect([...problemsOf(targets, open)]).toEqual([
    [0, 'whole name'],
    [2, 'whole name'],
  ])
})

test('two columns that become the same, and invalid keys, are reported', () => {
  const property = (key: string) => ({ to: 'property' as const, key, type: 'TEXT', sensitive: false })
  expect([
    ...problemsOf(
      [
        { to: 'field', field: 'name' },
        { to: 'field', field: 'name' },
        property('a'),
        property('a'),
        property(''),
        property('a\nb'),
        { to: 'ignore' },
        { to: 'ignore' },
      ],
      { isUnchecked: () => false, maySeal: true },
    ),
  ]).toEqual([
    [1, 'twice'],
    [3, 'twice'],
    [4, 'no key'],
    [5, 'bad key'],
  ])
})

test('a property that may be a hidden one, and one that the caller may not hide, are reported', () => {
  const property = (key: string, sensitive = false) => ({
    to: 'property' as const,
    key,
    type: 'TEXT',
    sensitive,
  })
  const isUnchecked = ({ key }: { key: string }) => key === 'phone'
  const targets = [property('phone'), property('city'), property('iban', true)]
  expect([...problemsOf(targets, { isUnchecked, maySeal: false })]).toEqual([
    [0, 'unchecked'],
    [2, 'not allowed'],
  ])
})

test.each(['first_registration', 'First registration', 'firstRegistration', 'FIRST-REGISTRATION '])(
  'the header “%s” is the known key that it is the label of',
  (header) => {
    const known = [{ key: 'first_registration', type: 'DATE', sensitive: true }]
    expect(proposeTargets([{ header, samples: [] }], known)).toMatchObject([
      { to: 'property', key: 'first_registration', type: 'DATE', sensitive: true },
    ])
  },
)

test.each([
  ['DATE', ['2000-02-29', '1999-01-01']],
  ['BOOLEAN', ['true', 'FALSE']],
  ['EMAIL', ['ana@example.org']],
  ['CURRENCY', ['12.50 EUR']],
  ['TEXT', ['01234', '98765']],
  ['TEXT', ['2000-02-29', 'unknown']],
  ['TEXT', []],
])('the type of %s values is guessed from %j', (type, samples) => {
  expect(guessType(samples)).toBe(type)
})

test('a header is read back as what it was made of', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('person', 'car', 'a-b_2'),
      fc
        .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
        .filter((key) => propertyKey.safeParse(key).success && !key.endsWith(')')),
      fc.constantFrom(true, false, 'perhaps' as const),
      fc.boolean(),
      fc.constantFrom({}, ...whichEntities.map((which) => ({ which }))),
      (entity, key, sensitive, withheld, which) => {
        const column = { entity, ...which, key, sensitive, withheld: sensitive !== false && withheld }
        expect(readPropertyHeader(propertyHeader(column))).toEqual(column)
      },
    ),
  )
})

const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.stringMatching(/^\d{0,6}$/))
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`))
const instant = fc
  .date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString())
const uuid = fc.uuid({ version: 7 })
const optional = <Value>(name: string, value: fc.Arbitrary<Value>) =>
  fc.option(value).map((one) => (one === null ? {} : { [name]: one }) as object)
const valuesOf: Record<DataType, fc.Arbitrary<unknown>> = {
  BOOLEAN: fc.boolean(),
  CURRENCY: fc.record({ currency: fc.constantFrom('EUR', 'JPY', 'CHF'), value: decimal }),
  DATE: instant.map((text) => text.slice(0, 10)),
  DATETIME: instant,
  TIME: instant.map((text) => text.slice(11, 23)),
  DECIMAL: decimal,
  EMAIL: fc.constantFrom('ana@example.org', '+a=b@example.org', "o'neill@example.org"),
  NUMBER: fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map((value) => value + 0),
  ),
  RELATIONSHIP: fc
    .tuple(uuid, optional('entity', uuid))
    .map(([user, entity]) => Object.assign(entity, { user })),
  TEXT: fc
    .string({ unit: 'grapheme', minLength: 1 })
    .map((text) => text.normalize('NFC'))
    .filter((text) => !text.includes('\0') && text.isWellFormed()),
  URL: fc.webUrl(),
  PREFERENCE: fc.record(
    { status: fc.constantFrom('GRANTED', 'DENIED', 'REVOKED'), statusDate: instant, expires: instant },
    { requiredKeys: ['status'] },
  ),
}

test('a preference that has ended says so in its cell', () => {
  const value = {
    status: 'GRANTED',
    statusDate: '2019-01-01T00:00:00.000Z',
    expires: '2020-01-01T00:00:00.000Z',
  }
  const cell = (now: string) => valueCell({ type: 'PREFERENCE', value }, Date.parse(now))
  const whole = 'GRANTED 2019-01-01T00:00:00.000Z 2020-01-01T00:00:00.000Z'
  expect(cell('2019-12-31T23:59:59.999Z')).toBe(whole)
  expect(cell('2020-01-01T00:00:00.000Z')).toBe(`${whole} (expired)`)
})

test.each(dataTypes)('%s: a value is read back from its cell', (type) => {
  fc.assert(
    fc.property(
      valuesOf[type].filter((value) => readNewValue(type, value).issues === undefined),
      (value) => {
        const cell = valueCell({ type, value })
        const column = readColumn(type, summariseColumn({ header: 'k', isOurs: true }, [cell]))
        expect(column.read(cell)).toEqual({ value })
        expect(valueOf(type, retype({ text: cell }, 'TEXT', type))).toEqual({ value })
      },
    ),
  )
})
