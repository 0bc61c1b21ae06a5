import fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  type DataType,
  dataTypes,
  type Filter,
  filter as filterSchema,
  operandOf,
  type Operator,
  operatorsOf,
  type UserField,
  userFields,
} from '#contract/index.ts'
import { fromFilter, locateControl, toFilter } from './filter-codec.ts'
import {
  changeNode,
  newComparison,
  newGroup,
  newOperand,
  newUserNode,
  withChosen,
  withForm,
  withOperator,
  retypeComparison,
} from './nodes.ts'

const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const moment = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.stringMatching(/^\d{1,12}$/))
  .map(([whole, part]) => `${whole}.${part}`)
const word = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .map((value) => value.normalize('NFC'))
  .filter((value) => value.isWellFormed() && !value.includes('\0'))
const name = fc.stringMatching(/^[a-z]{1,10}$/)

const values: Record<DataType, fc.Arbitrary<unknown>> = {
  BOOLEAN: fc.boolean(),
  NUMBER: fc.oneof(
    fc.maxSafeInteger(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
      .map((value) => (Object.is(value, -0) ? 0 : value)),
  ),
  DECIMAL: decimal,
  CURRENCY: fc.record({ currency: fc.constantFrom('EUR', 'USD', 'JPY'), value: decimal }),
  DATE: day,
  DATETIME: fc.oneof(day, moment),
  TIME: fc
    .tuple(fc.integer({ min: 10, max: 23 }), fc.integer({ min: 10, max: 59 }))
    .map(([hours, minutes]) => `${hours}:${minutes}`),
  EMAIL: name.map((local) => `${local}@example.org`),
  URL: name.map((path) => `https://example.org/${path}`),
  TEXT: word,
  RELATIONSHIP: fc.record({ user: fc.uuid(), entity: fc.uuid() }, { requiredKeys: ['user'] }),
  PREFERENCE: fc.record(
    { status: fc.constantFrom('GRANTED', 'DENIED', 'REVOKED'), statusDate: moment, expires: moment },
    { requiredKeys: ['status'] },
  ),
}

const wholeSpan = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 99 }), fc.constantFrom('D', 'W', 'M', 'Y'))
    .map(([n, unit]) => `P${n}${unit}`),
  fc.constantFrom('P1Y6M', 'P007D'),
)
const duration = fc.oneof(wholeSpan, fc.constantFrom('PT36H', 'PT90M', 'P1DT12H', 'PT5S'))

function operand(type: DataType, op: Operator): fc.Arbitrary<unknown> {
  const spans = type === 'DATE' ? wholeSpan : duration
  const relative = fc.oneof(
    spans.map((ago) => ({ ago })),
    spans.map((ahead) => ({ ahead })),
  )
  const one = type === 'DATE' || type === 'DATETIME' ? fc.oneof(values[type], relative) : values[type]
  switch (operandOf(op)) {
    case 'none':
      return fc.constant(undefined)
    case 'value':
      return one
    case 'list':
      return fc.array(one, { minLength: 1, maxLength: 4 })
    case 'range':
      return fc.array(one, { minLength: 2, maxLength: 2 })
    case 'fragment':
      return word
    case 'duration':
      return op === 'anniversary_within' ? fc.constantFrom('P30D', 'P1Y', 'P2W') : spans
  }
}

function createTest(type: DataType): fc.Arbitrary<{ op: Operator; value?: unknown }> {
  return fc
    .constantFrom(...operatorsOf(type))
    .chain((op) => operand(type, op).map((value) => (value === undefined ? { op } : { op, value })))
}

const property = fc
  .constantFrom(...dataTypes)
  .chain((type) =>
    fc
      .tuple(
        word,
        createTest(type),
        fc.constantFrom(
          {},
          { orMissing: true },
          { orMissing: false },
          { sensitive: true },
          { sensitive: false },
        ),
      )
      .map(([key, test, missing]) => Object.assign({ key, type }, test, missing)),
  )
const condition = fc.oneof(
  fc
    .constantFrom(...(Object.keys(userFields) as UserField[]))
    .chain((user) => createTest(userFields[user]).map((test) => Object.assign({ user }, test))),
  fc.record(
    {
      entity: name,
      where: fc.array(property, { minLength: 1, maxLength: 3 }),
      min: fc.integer({ min: 1, max: 9 }),
    },
    { requiredKeys: ['entity'] },
  ),
  fc.uuid().map((segment) => ({ segment })),
)
const { filters } = fc.letrec<{ filters: Filter }>((tie) => ({
  filters: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    condition as fc.Arbitrary<Filter>,
    fc.array(tie('filters'), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('filters'), { maxLength: 3 }).map((any) => ({ any })),
    tie('filters').map((not) => ({ not })),
  ),
}))
/** Filters as the service stores them. Generated ranges with reversed bounds are invalid and are dropped. */
const stored = filters.map((filter) => filterSchema.safeParse(filter)).filter((read) => read.success)

test('every filter of the contract goes through the builder and comes back as it was', () => {
  const seen = { whole: 0, operators: new Set<string>() }
  fc.assert(
    fc.property(stored, ({ data }) => {
      expect(toFilter(fromFilter(data))).toEqual(data)
      seen.whole += 1
      for (const [, op] of JSON.stringify(data).matchAll(/"op":"(\w+)"/g)) seen.operators.add(op ?? '')
    }),
    { numRuns: 2000 },
  )
  expect(seen.operators.size).toBe(new Set(dataTypes.flatMap(operatorsOf)).size)
})

test('every path in a filter leads to its node', () => {
  fc.assert(
    fc.property(stored, ({ data }) => {
      const root = fromFilter(data)
      const visit = (value: unknown, path: PropertyKey[]) => {
        if (Array.isArray(value)) value.forEach((item, index) => visit(item, [...path, index]))
        else if (typeof value === 'object' && value !== null && !('ago' in value) && !('ahead' in value)) {
          if ('op' in value) expect(locateControl(root, [...path, 'op'])).toMatchObject({ control: 'op' })
          if ('op' in value && 'value' in value) {
            const place = locateControl(root, [...path, 'value', 1, 'ago'])
            expect(place).toMatchObject({ control: 'value', path: [1, 'ago'] })
            expect(place.id).toBe(locateControl(root, path).id)
          }
          for (const [member, inner] of Object.entries(value))
            if (['all', 'any', 'not', 'where'].includes(member)) visit(inner, [...path, member])
        }
      }
      visit(data, [])
    }),
  )
})

const unfinished: Filter = {
  all: [
    { not: { user: 'name', op: 'eq', value: 'Ana' } },
    { entity: 'car', where: [{ key: 'year', type: 'NUMBER', op: 'between', value: [1, 2] }], min: 2 },
  ],
}

test('an unfinished draft is a filter that the schema refuses at the right places', () => {
  const root = newGroup('all', [newUserNode(), newGroup('not'), { ...fromFilter(unfinished) }])
  const refused = filterSchema.safeParse(toFilter(root))
  const [first, second] = refused.error?.issues ?? []
  expect(first && locateControl(root, first.path)).toEqual({
    id: root.parts[0]?.id,
    control: 'value',
    path: [],
  })
  expect(second && locateControl(root, second.path)).toEqual({
    id: root.parts[1]?.id,
    control: 'node',
    path: [],
  })
  expect(refused.error?.issues).toHaveLength(2)
})

test('an invalid value stays in the filter as it was typed', () => {
  const root = fromFilter({
    entity: 'car',
    where: [{ key: 'year', type: 'NUMBER', op: 'between', value: [1, 2] }],
  })
  if (root.kind !== 'entity' || !root.properties[0]) throw new Error('not an entity')
  const [property] = root.properties
  const [from, to] = property.comparison.values
  if (!from || !to) throw new Error('no range')
  const values = [
    { ...from, draft: { text: '12x' } },
    { ...to, draft: { text: '' } },
  ]
  const draft = { ...root, properties: [{ ...property, comparison: { ...property.comparison, values } }] }
  expect(toFilter(draft)).toMatchObject({ where: [{ value: ['12x', null] }] })
  expect(filterSchema.safeParse(toFilter(draft)).error?.issues.map(({ path }) => path.join('/'))).toEqual([
    'where/0/value/0',
    'where/0/value/1',
  ])
})

test('a value of a list that is still to be given is missing, not empty', () => {
  const root = fromFilter({ user: 'name', op: 'in', value: ['Ana', 'Bo'] })
  if (root.kind !== 'user' || !root.comparison.values[0]) throw new Error('not a user test')
  const draft = {
    ...root,
    comparison: {
      ...root.comparison,
      values: [root.comparison.values[0], newOperand('TEXT'), newOperand('TEXT')],
    },
  }
  expect(filterSchema.safeParse(toFilter(draft)).error?.issues.map(({ path }) => path)).toEqual([
    ['value', 1],
  ])
})

test('a part is changed or removed at any depth, and nothing else', () => {
  const root = fromFilter(unfinished)
  if (root.kind !== 'group') throw new Error('not a group')
  const [not, car] = root.parts
  if (not?.kind !== 'group' || !not.parts[0] || !car) throw new Error('no not')
  const without = changeNode(root, not.parts[0].id, () => undefined)
  expect(without && toFilter(without)).toEqual({ all: [{ not: {} }, toFilter(car)] })
  const wrapped = changeNode(root, car.id, (node) => newGroup('any', [node]))
  expect(wrapped && toFilter(wrapped)).toEqual({ all: [toFilter(not), { any: [toFilter(car)] }] })
  expect(wrapped?.kind === 'group' && wrapped.parts[0]).toBe(not)
  expect(changeNode(root, 'unknown', () => undefined)).toBe(root)
})

test('another operator, type or form keeps what was typed', () => {
  const node = fromFilter({ user: 'name', op: 'in', value: ['Ana', 'Bo'] })
  if (node.kind !== 'user') throw new Error('not a user test')
  const texts = (comparison: typeof node.comparison) => comparison.values.map(({ draft }) => draft.text)
  const one = withOperator(node.comparison, 'TEXT', 'contains')
  expect(one.fragment).toBe('Ana')
  expect(texts(withOperator({ ...one, fragment: 'Anna' }, 'TEXT', 'in'))).toEqual(['Anna', 'Bo', ''])
  const number = retypeComparison(withOperator(node.comparison, 'TEXT', 'eq'), 'TEXT', 'NUMBER')
  expect(number.op).toBe('eq')
  expect(texts(retypeComparison(number, 'NUMBER', 'TEXT'))).toEqual(['Ana', 'Bo', ''])
  expect(retypeComparison(one, 'TEXT', 'DATE').op).toBe('on')

  const since = fromFilter({ user: 'since', op: 'on', value: '2024-03-01' })
  if (since.kind !== 'user' || !since.comparison.values[0]) throw new Error('not a user test')
  const relative = withForm(since.comparison.values[0], 'DATETIME', 'ago')
  expect(withForm(relative, 'DATETIME', 'day').draft.text).toBe('2024-03-01')
})

test('one chosen value is compared with "is", several with "is any of"', () => {
  const value = (text: string) => ({ ...newOperand('TEXT'), draft: { text } })
  const is = newComparison('TEXT')
  const filterOf = (comparison: typeof is) => toFilter({ ...newUserNode(), field: 'ref', comparison })
  const one = withChosen(is, 'TEXT', [value('a')])
  expect(filterOf(one)).toEqual({ user: 'ref', op: 'eq', value: 'a' })
  const two = withChosen(one, 'TEXT', [value('a'), value('b')])
  expect(filterOf(two)).toEqual({ user: 'ref', op: 'in', value: ['a', 'b'] })
  const typed = withChosen(one, 'TEXT', [value('a')], value('c'))
  expect(filterOf(typed)).toEqual({ user: 'ref', op: 'in', value: ['a', 'c'] })
  const not = withChosen({ ...is, op: 'ne' }, 'TEXT', [value('a'), value('b')])
  expect(filterOf(not)).toEqual({ user: 'ref', op: 'not_in', value: ['a', 'b'] })
  expect(filterOf(withChosen(two, 'TEXT', [value('b')]))).toEqual({ user: 'ref', op: 'eq', value: 'b' })
})
