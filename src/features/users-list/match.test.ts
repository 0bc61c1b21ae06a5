import { expect, test } from 'vitest'

import type { User } from '#contract/index.ts'
import { matcher } from './ScanProgress.tsx'

const ana = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  name: 'Ana María Łopez',
  email: 'ana.l@example.org',
  ref: 'C-1042',
} as User

test.each([
  ['a word that begins the name', 'ana'],
  ['a word within the name', 'mar'],
  ['words in any order, of several fields', 'lopez C-10 ana'],
  ['without accents and case', 'MARIA lop'],
  ['a part of the e-mail', 'example'],
  ['a whole e-mail', 'ana.l@example.org'],
  ['a number within the ref', '1042'],
  ['the beginning of the id', '01890a5d-ac'],
  ['signs around it aside', '(ana)'],
  ['a ref by its beginning', 'c-10'],
  ['an accent that stands apart', 'Mari\u0301a'],
])('found by %s', (_what, q) => expect(matcher(q)(ana)).toBe(true))

test.each([
  ['the middle of a word', 'opez'],
  ['one word of two', 'ana smith'],
  ['a part of a ref alone', 'C-99'],
  ['parts that different fields have', 'ana@1042'],
  ['nothing but signs', '– @'],
  ['nothing', ''],
])('not found by %s', (_what, q) => expect(matcher(q)(ana)).toBe(false))

test('an apostrophe may stay out', () => {
  const brien = { id: '1', name: 'Pat O’Brien' } as User
  for (const q of ["o'brien", 'obrien', 'O’Bri']) expect(matcher(q)(brien)).toBe(true)
})

test('placeholders for missing values are not searched', () => {
  expect(matcher('unknown')({ id: '1', name: 'Unknown user', email: 'Unknown email' } as User)).toBe(false)
})
