import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { numbersIn } from './numbers.ts'

const locales = ['en-GB', 'de-DE', 'fr-FR', 'de-CH', 'ar-EG', 'hi-IN', 'pt-BR', 'sv-SE'] as const
const inLocale = (locale: string, text: string) => numbersIn(text, { locale, language: 'en' })

describe('a number that a reader types', () => {
  test.each<[locale: string, text: string, ...numbers: string[]]>([
    ['en-GB', '1,234', '1234', '1.234'],
    ['en-GB', '1.234', '1.234'],
    ['en-GB', '7.500', '7.500'],
    ['en-GB', '1,5', '1.5'],
    ['en-GB', '1,234.50', '1234.50'],
    ['en-GB', '1.234,50', '1234.50'],
    ['en-GB', '1 234', '1234'],
    ['de-DE', '7.500', '7500', '7.500'],
    ['de-DE', '-7.500', '-7500', '-7.500'],
    ['de-DE', '−7.500', '-7500', '-7.500'],
    ['de-DE', '+7.500', '7500', '7.500'],
    ['de-DE', '7,500', '7.500'],
    ['de-DE', '7.5', '7.5'],
    ['de-DE', '7,5', '7.5'],
    ['de-DE', '0.500', '0.500'],
    ['de-DE', '0,500', '0.500'],
    ['de-DE', '1234.500', '1234.500'],
    ['de-DE', '12.345.678', '12345678'],
    ['de-DE', '12.345.678,9', '12345678.9'],
    ['de-DE', '999.999', '999999', '999.999'],
    ['de-DE', ',5', '0.5'],
    ['de-DE', '5,', '5'],
    ['fr-FR', '7\u202f500', '7500'],
    ['fr-FR', '7\u00a0500,25', '7500.25'],
    ['fr-FR', '7 500', '7500'],
    ['fr-FR', '7,500', '7.500'],
    ['fr-FR', '7.500', '7500', '7.500'],
    ['de-CH', '7’500', '7500'],
    ['de-CH', "7'500.25", '7500.25'],
    ['de-CH', '7.500', '7.500'],
    ['de-CH', '7,500', '7500', '7.500'],
    ['ar-EG', '٧٬٥٠٠', '7500'],
    ['ar-EG', '٧٫٥', '7.5'],
    ['ar-EG', '\u061c-١٬٢٣٤٫٥٠', '-1234.50'],
    ['ar-EG', '7,500', '7500', '7.500'],
    ['ar-EG', '٧٫٥٠٠', '7.500'],
    ['fa', '۷٬۵۰۰', '7500'],
    ['hi-IN', '12,34,567', '1234567'],
    ['hi-IN', '1,23,456.50', '123456.50'],
    ['hi-IN', '१,२३४', '1234', '1.234'],
    ['hi-IN', '123,456', '123456', '123.456'],
    ['pt-BR', '7.500', '7500', '7.500'],
    ['sv-SE', '7 500,5', '7500.5'],
    ['sv-SE', '−7,5', '-7.5'],
    ['en-GB', '１，２３４．５０', '1234.50'],
    ['de-DE', '７．５００', '7500', '7.500'],
    ['en-GB', '－７', '-7'],
    // These digits are in the second of two adjacent ranges of ten.
    ['en-GB', '\u{116da}\u{116db}\u{116e3}', '019'],
    ['en-GB', '12.345,678.901'],
    ['en-GB', '12,34,567'],
    ['en-GB', '1,23,4'],
    ['en-GB', '1e3'],
    ['en-GB', '0x10'],
    ['en-GB', 'Infinity'],
    ['en-GB', '5²'],
    ['en-GB', '½'],
    ['en-GB', '1 5'],
    ['de-DE', '0.123.456'],
    ['de-DE', '7.500 €'],
    ['de-DE', '1.2.3'],
    ['de-DE', '--5'],
    ['de-DE', ''],
    ['de-DE', '.'],
    ['de-DE', '-'],
  ])('%s %j', (locale, text, ...numbers) => {
    expect(inLocale(locale, text)).toEqual(numbers)
  })

  test('is ambiguous if it comes from elsewhere, and never in a file whose notation is known', () => {
    const english = { locale: 'en-GB', language: 'en' }
    const copied = { ...english, isCopied: true }
    expect(numbersIn('1.234', copied)).toEqual(['1.234', '1234'])
    expect(numbersIn('1,234', copied)).toEqual(['1234', '1.234'])
    expect(numbersIn('1,234', { ...copied, decimal: '.' })).toEqual(['1234'])
    expect(numbersIn('1,234', { ...english, decimal: ',' })).toEqual(['1.234'])
    expect(numbersIn('1.234', { ...english, decimal: ',' })).toEqual(['1234'])
  })
})

const stored = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.stringMatching(/^\d{0,6}$/))
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`))

describe.each(locales)('in %s', (locale) => {
  test('a number as Intl formats it there, in Latin and in its own digits, is read as itself first', () => {
    const formats = [locale, new Intl.Locale(locale, { numberingSystem: 'latn' }).toString()]
    fc.assert(
      fc.property(stored, fc.constantFrom(...formats), (number, format) => {
        const digits = number.split('.')[1]?.length ?? 0
        const text = new Intl.NumberFormat(format, { minimumFractionDigits: digits }).format(
          number as Intl.StringNumericLiteral,
        )
        expect(inLocale(locale, text)[0]).toBe(number)
      }),
    )
  })
})
