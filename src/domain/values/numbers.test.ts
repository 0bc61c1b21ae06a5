import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { numbersIn, signsOf } from '#contract/reading/numbers.ts'
import { groupedNumber, writtenNumber } from './numbers.ts'

const locales = ['en-GB', 'de-DE', 'fr-FR', 'de-CH', 'ar-EG', 'hi-IN', 'pt-BR', 'sv-SE'] as const
const stored = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.stringMatching(/^\d{0,6}$/))
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`))

describe.each(locales)('in %s', (locale) => {
  const signs = signsOf(locale)

  test('a number that is written for the reader is read as itself and as no other', () => {
    fc.assert(
      fc.property(stored, (number) => {
        expect(numbersIn(writtenNumber(number, signs), { locale, language: 'en' })).toEqual([number])
      }),
    )
  })
})

test.each([
  ['1234567.5', '1,234,567.5'],
  ['12345678901234567890.50', '12,345,678,901,234,567,890.50'],
  ['-45000', '-45,000'],
  ['12345', '12,345'],
  ['2019', '2019'],
  ['-1234.25', '-1234.25'],
  ['0', '0'],
  ['0.000012345', '0.000012345'],
  ['01234567', '01234567'],
  ['1e21', '1e21'],
  ['-0', '-0'],
  ['n/a', 'n/a'],
])('for reading, the stored number %s is %s: exact, and separated from five digits on', (stored, read) => {
  expect(groupedNumber(stored)).toBe(read)
})

test('a number with a unit is no year, and separated from four digits on', () => {
  const read = (stored: string) => groupedNumber(stored, undefined, true)
  expect(read('1005')).toBe('1,005')
  expect(read('-1234.5')).toBe('-1,234.5')
  expect(read('999')).toBe('999')
  expect(read('0123')).toBe('0123')
})
