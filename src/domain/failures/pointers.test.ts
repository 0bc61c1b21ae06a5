import { expect, test } from 'vitest'

import { assignToFields, assignToRows, pointerOf, stepsOf } from './pointers.ts'

test('steps with slashes and tildes come back as they were', () => {
  const steps = ['properties', 'a/b', 'c~d', '~1', '0']
  expect(pointerOf(steps)).toBe('/properties/a~1b/c~0d/~01/0')
  expect(stepsOf(pointerOf(steps))).toEqual(steps)
  expect(stepsOf('')).toEqual([])
})

test('an error is assigned to the field that it is about, and once; any other is left over', () => {
  const { fields, rest } = assignToFields(
    [
      { pointer: '/types/2', code: 'x', detail: 'No such type.' },
      { pointer: '/types/3', code: 'x', detail: 'Nor this.' },
      { pointer: '/secret', code: 'x', detail: 'Not to be sent.' },
      { pointer: '', code: 'x', detail: 'Not an object.' },
    ],
    ['url', 'types'],
  )
  expect([...fields]).toEqual([['types', 'No such type.']])
  expect(rest).toEqual(['Not to be sent.', 'Not an object.'])
})

test('an error is assigned to its row, with the path into the value decoded', () => {
  const { rows, rest, type } = assignToRows(
    [
      { pointer: '/properties/1/key', code: 'x', detail: 'Taken.' },
      { pointer: '/properties/0/value/km~1h', code: 'x', detail: 'Too fast.' },
      { pointer: '/properties/7/key', code: 'x', detail: 'Nobody sent this.' },
      { pointer: '/type', code: 'x', detail: 'Not a type.' },
    ],
    ['a', 'b'],
  )
  expect(rows.get('a')).toEqual({ value: [{ path: ['km/h'], detail: 'Too fast.' }] })
  expect(rows.get('b')).toEqual({ key: 'Taken.' })
  expect(type).toBe('Not a type.')
  expect(rest).toEqual(['Nobody sent this.'])
})
