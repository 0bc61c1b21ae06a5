import { describe, expect, test } from 'vitest'

import {
  knownProperty,
  forgetOpening,
  applyKnown,
  type WrittenProperty,
  chooseSensitivity,
  chooseType,
} from './known-property.ts'

const key = (name: string, count: number, sensitive: number, types = [{ type: 'TEXT', count }]) => ({
  key: name,
  count,
  users: count,
  sensitive,
  types: types.map((each) => ({ ...each, users: each.count, sensitive: 0 })),
})

const dictionary = {
  entityTypes: [
    {
      type: 'person',
      entities: 9,
      users: 9,
      keys: [
        key('phone', 1616, 1616),
        key('nearly', 100, 90),
        key('mostly', 100, 89),
        key('city', 100, 1),
        key('typed', 100, 0, [
          { type: 'NUMBER', count: 60 },
          { type: 'TEXT', count: 40 },
        ]),
      ],
    },
    { type: 'account', entities: 1, users: 1, keys: [key('iban', 3, 3), key('city', 1, 1)] },
  ],
}
const keys = [
  { key: 'phone', type: 'TEXT', sensitive: true },
  { key: 'city', type: 'TEXT', sensitive: true },
  { key: 'new', type: 'DATE', sensitive: false },
  { key: 'new', type: 'NUMBER', sensitive: true },
  { key: 'plain', type: 'DATE', sensitive: false },
]

describe('a known property', () => {
  test.each([
    ['phone', { type: 'TEXT', sensitive: true, users: 1616, isAll: true }],
    ['nearly', { type: 'TEXT', sensitive: true, users: 100, isAll: false }],
    ['mostly', { type: 'TEXT', sensitive: false, users: 100, isAll: false }],
    // One user's value was sensitive, but the counts take precedence.
    ['city', { type: 'TEXT', sensitive: false, users: 100, isAll: false }],
    ['typed', { type: 'NUMBER', sensitive: false, users: 100, isAll: false }],
    // Without counts, a property that may be sensitive is treated as sensitive.
    ['new', { type: 'NUMBER', sensitive: true }],
    ['plain', { type: 'DATE', sensitive: false }],
    ['iban', { sensitive: true, elsewhere: 'account' }],
    ['Phone', undefined],
    ['phone ', undefined],
    ['__proto__', undefined],
  ])('takes its facts from the counts, or else from the noted keys: %s', (name, known) => {
    expect(knownProperty('person', name, { keys, dictionary })).toEqual(known)
  })

  test('is sensitive if it ever was, while nothing is counted', () => {
    const counting = { entityTypes: [] }
    expect(knownProperty('person', 'city', { keys, dictionary: counting })).toEqual({
      type: 'TEXT',
      sensitive: true,
    })
    expect(knownProperty('person', 'city', { keys, dictionary: undefined })).toEqual({
      type: 'TEXT',
      sensitive: true,
    })
  })
})

describe('a written property', () => {
  const phone = { type: 'NUMBER', sensitive: true }
  const row: WrittenProperty = { key: 'phone', type: 'TEXT', sensitive: false }

  test('takes what is known, and is as before once its key is another one', () => {
    const known = applyKnown(row, phone, true)
    expect(known).toMatchObject({ type: 'NUMBER', sensitive: true })
    expect(applyKnown(known, phone, true)).toBe(known)
    expect(applyKnown({ ...known, key: 'phones' }, undefined, true)).toMatchObject({
      type: 'TEXT',
      sensitive: false,
    })
  })

  test('stays as it was chosen by hand, also where that is what it was', () => {
    expect(applyKnown(chooseSensitivity(chooseSensitivity(row, true), false), phone, true).sensitive).toBe(
      false,
    )
    expect(applyKnown(chooseType(row, 'TEXT'), phone, true)).toMatchObject({ type: 'TEXT', sensitive: true })
  })

  test('is sensitive again under another key if only its own key was shown, and stays sensitive if it was hidden', () => {
    const opened = chooseSensitivity(applyKnown(row, phone, true), false)
    expect(applyKnown(forgetOpening({ ...opened, key: 'iban' }), phone, true).sensitive).toBe(true)
    expect(applyKnown(forgetOpening(chooseSensitivity(row, true)), undefined, true).sensitive).toBe(true)
  })

  test('keeps the type that its value was written in, and is not opened by what is known', () => {
    expect(applyKnown(row, phone, false)).toMatchObject({ type: 'TEXT', sensitive: true })
    expect(applyKnown({ ...row, sensitive: true }, { type: 'TEXT', sensitive: false }, true).sensitive).toBe(
      true,
    )
  })
})
