import { expect, test } from 'vitest'

import { toFilter } from './filter-codec.ts'
import { findSubjects, listSubjects, newSubject, type SubjectType } from './subjects.ts'

const property = (name: string, label: string, type: string, sensitive = false) => ({
  name,
  label,
  type,
  sensitive,
})
const types: readonly SubjectType[] = [
  {
    name: 'person',
    label: 'Person',
    properties: [
      property('city', 'City', 'TEXT'),
      property('first_registration', 'First registration', 'DATE'),
      property('iban', 'IBAN', 'TEXT', true),
      property('newsletter', 'Newsletter', 'PREFERENCE'),
      property('vip', 'Vip', 'BOOLEAN'),
    ],
  },
  {
    name: 'car',
    label: 'Car',
    properties: [
      property('plate', 'Plate', 'TEXT'),
      property('mileage', 'Mileage', 'NUMBER'),
      property('registered', 'Registered', 'DATE'),
    ],
  },
]
const segments = [{ id: '1B4E28BA-2FA1-41D2-883F-0016D3CCA427', name: 'Lapsed in Lyon' }]
const subjects = listSubjects(types, segments)
const found = (typed: string) => findSubjects(subjects, typed).map(({ label }) => label)
const first = (typed: string) => {
  const [only] = findSubjects(subjects, typed)
  return only && toFilter(only.begin())
}

test('lists everything that can be asked, in groups', () => {
  expect(findSubjects(subjects, '').map(({ group, label }) => `${group}: ${label}`)).toEqual([
    'user: E-mail',
    'user: Name',
    'user: Ref',
    'user: Since',
    'user: Created',
    'property: City',
    'property: First registration',
    'property: IBAN',
    'property: Vip',
    'property: Car › Plate',
    'property: Car › Mileage',
    'property: Car › Registered',
    'consent: Newsletter',
    'segment: In segment Lapsed in Lyon',
    'account: Has an account',
    'account: No account yet',
    'entity: Has a person',
    'entity: Has a car',
  ])
})

test('finds by label, key, entity type and data type, without regard to case', () => {
  expect(found('PLATE')).toEqual(['Car › Plate'])
  expect(found('car pla')).toEqual(['Car › Plate'])
  expect(found('car.plate')).toEqual(['Car › Plate'])
  expect(found('first_reg')).toEqual(['First registration'])
  expect(found('lyon')).toEqual(['In segment Lapsed in Lyon'])
  expect(found('no acc')).toEqual(['No account yet'])
})

test('a label that begins with the text comes before one that has it elsewhere', () => {
  expect(found('reg')).toEqual(['Car › Registered', 'First registration'])
  expect(found('ci')[0]).toBe('City')
})

test('begins with the likeliest comparison of the data type, and one that finds sealed values', () => {
  expect(first('name')).toEqual({ user: 'name', op: 'contains', value: '' })
  expect(first('city')).toMatchObject({ where: [{ key: 'city', type: 'TEXT', op: 'eq' }] })
  expect(first('car registered')).toMatchObject({ entity: 'car', where: [{ op: 'within_last' }] })
  expect(first('mileage')).toMatchObject({ where: [{ type: 'NUMBER', op: 'gte' }] })
  expect(first('vip')).toEqual({
    entity: 'person',
    where: [{ key: 'vip', type: 'BOOLEAN', op: 'eq', value: true }],
  })
  expect(first('iban')).toMatchObject({ where: [{ op: 'eq' }] })
  expect(first('no account')).toEqual({ user: 'account', op: 'eq', value: false })
  expect(first('lapsed')).toEqual({ segment: segments[0]?.id.toLowerCase() })
  expect(first('has a car')).toEqual({ entity: 'car' })
})

test('a key that nobody has is offered as new, of the entity type that is named', () => {
  expect(newSubject('car.colour', types)?.label).toBe('New: colour of Car')
  expect(newSubject('colour', types)?.label).toBe('New: colour of Person')
  expect(newSubject('car.plate', types)).toBeUndefined()
  expect(newSubject('two words', types)).toBeUndefined()
})
