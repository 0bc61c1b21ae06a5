import { expect, test } from 'vitest'

import { blankValues, userBody, givenFields, valuesOf } from './user-fields.ts'
import { userFields } from './UserForm.tsx'

const since = (typed: string) => ({ ...blankValues, since: typed })
const accepts = (typed: string) => userFields(blankValues).safeParse(since(typed)).success

test('placeholder texts are neither shown nor sent', () => {
  expect(valuesOf({ name: 'Unknown user', email: 'Unknown email', ref: null, since: null })).toEqual(
    blankValues,
  )
  const typed = { ...blankValues, name: 'Unknown user', email: ' Unknown email ', ref: ' ' }
  expect(givenFields(typed)).toEqual([])
  expect(userBody(typed, ['name', 'email', 'ref'])).toEqual({ name: '', email: '', ref: '' })
})

test.each([
  ['2024-03-01', '2024-03-01T00:00:00'],
  ['2024-03-01 09:30', '2024-03-01T09:30:00'],
  ['2024-03-01 09:30:05', '2024-03-01T09:30:05'],
  ['2024-03-01T09:30:05.120', '2024-03-01T09:30:05.120'],
])('since %s is sent as %s, in no zone', (typed, sent) => {
  expect(accepts(typed)).toBe(true)
  expect(userBody(since(typed), ['since'])).toEqual({ since: sent })
})

test.each([
  '2024-02-30',
  '2024-03-01 25:00',
  '2024-03-01T09:30:00Z',
  '2024-03-01T09:30:00+02:00',
  '1.3.2024',
  'now',
])('since %s is refused', (typed) => {
  expect(accepts(typed)).toBe(false)
})

test('a stored since comes back exactly as it was', () => {
  for (const stored of ['2024-03-01T09:30:00.000', '2024-03-01T00:00:00.007']) {
    const values = valuesOf({ since: stored })
    const { since } = userBody(values, ['since'])
    expect(since === stored || `${since}.000` === stored).toBe(true)
  }
})

test('an invalid value from another service is accepted until it is edited', () => {
  const initial = { ...blankValues, email: 'not an address', since: 'long ago' }
  expect(userFields(initial).safeParse({ ...initial, name: 'Ana' }).success).toBe(true)
  expect(userFields(initial).safeParse({ ...initial, email: 'nor this' }).success).toBe(false)
  expect(userFields(initial).safeParse({ ...initial, since: '' }).success).toBe(false)
})
