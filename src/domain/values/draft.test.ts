import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type DataType, dataTypes, JsonNumber, readNewValue, readValue } from '#contract/index.ts'
import {
  type Draft,
  draftOf,
  emptyDraft,
  openDraft,
  partOf,
  retype,
  sameDraft,
  typeText,
  valueOf,
} from './draft.ts'
import { safeUrl } from './safe-url.ts'

const user = '01890a5d-ac96-774b-bcce-b302099a8057'
const entity = '01890a5d-ac96-774b-bcce-b302099a8058'

const decimal = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.stringMatching(/^\d{0,15}$/))
  .map(([minus, whole, rest]) => `${minus ? '-' : ''}${whole}${rest && `.${rest}`}`)
const instant = fc
  .date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString())

const valuesOf: Record<DataType, fc.Arbitrary<unknown>> = {
  BOOLEAN: fc.boolean(),
  CURRENCY: fc.record({ currency: fc.constantFrom('EUR', 'USD', 'JPY'), value: decimal }),
  DATE: instant.map((value) => value.slice(0, 10)),
  DATETIME: instant,
  TIME: fc.oneof(
    instant.map((value) => value.slice(11, 16)),
    instant.map((value) => value.slice(11, 23)),
  ),
  DECIMAL: decimal,
  EMAIL: fc.emailAddress().filter((value) => !readValue('EMAIL', value).issues),
  NUMBER: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((value) => !Object.is(value, -0) && !readValue('NUMBER', value).issues),
  RELATIONSHIP: fc.oneof(fc.constant({ user }), fc.constant({ user, entity })),
  TEXT: fc.string({ unit: 'grapheme' }).map((value) => value.normalize('NFC').replaceAll('\0', '')),
  URL: fc.webUrl({ withQueryParameters: true }).filter((value) => !readValue('URL', value).issues),
  PREFERENCE: fc
    .record(
      { status: fc.constantFrom('GRANTED', 'DENIED', 'REVOKED'), statusDate: instant, expires: instant },
      { requiredKeys: ['status'] },
    )
    .filter((value) => !readNewValue('PREFERENCE', value).issues),
}

describe('a value that fits its type', () => {
  test.each(dataTypes)('%s comes out of its draft as it went in', (type) => {
    fc.assert(
      fc.property(valuesOf[type], (value) => {
        expect(valueOf(type, draftOf(type, value))).toEqual({ value })
      }),
    )
  })

  test.each(dataTypes)('%s comes back after the type was changed to any other and back', (type) => {
    fc.assert(
      fc.property(
        valuesOf[type],
        fc.array(fc.constantFrom(...dataTypes), { maxLength: 5 }),
        (value, others) => {
          const start = draftOf(type, value)
          let [draft, from]: [typeof start, DataType] = [start, type]
          for (const to of [...others, type]) [draft, from] = [retype(draft, from, to), to]
          expect(sameDraft(draft, start)).toBe(true)
        },
      ),
    )
  })

  test('a decimal keeps every digit and every zero', () => {
    for (const value of ['12.340', '0.10', '12345678901234567890123456789.123456780'])
      expect(valueOf('DECIMAL', draftOf('DECIMAL', value))).toEqual({ value })
  })
})

describe('no value', () => {
  test.each([...dataTypes, 'COLOUR'])('%s can be without one', (type) => {
    expect(draftOf(type, null)).toEqual(emptyDraft)
    expect(valueOf(type, draftOf(type, null))).toEqual({ value: null })
  })

  test('an empty text is a value; an emptied date is none', () => {
    expect(valueOf('TEXT', typeText(draftOf('TEXT', 'a'), 'text', ''))).toEqual({ value: '' })
    expect(valueOf('DATE', typeText(draftOf('DATE', '2024-03-01'), 'text', ''))).toEqual({ value: null })
    expect(valueOf('TEXT', draftOf('TEXT', ''))).toEqual({ value: '' })
  })
})

describe('a typed draft', () => {
  const write = (type: string, text: string, more = {}) => valueOf(type, { text, ...more })

  test.each([
    ['NUMBER', '12.5', 12.5],
    ['NUMBER', '1,5', 1.5],
    ['NUMBER', ' 1e3 ', 1000],
    ['NUMBER', '１，２３４．５', 1234.5],
    ['DECIMAL', '٧٫٥٠', '7.50'],
    ['DECIMAL', ' 1.50 ', '1.50'],
    ['BOOLEAN', 'TRUE', true],
    ['DATE', ' 2024-02-29', '2024-02-29'],
    ['DATE', '\u200b2024-02-29\ufeff', '2024-02-29'],
    ['NUMBER', '\ufeff12 \u200b', 12],
    ['EMAIL', 'ana@example.org\u200b', 'ana@example.org'],
    ['DATE', ' \u200b', null],
    ['DATETIME', '2024-03-01 09:30', '2024-03-01T09:30:00.000Z'],
    ['DATETIME', '2024-03-01T10:30:00+01:00', '2024-03-01T09:30:00.000Z'],
    ['DATETIME', '2024-03-01t09:30:15.5z', '2024-03-01T09:30:15.500Z'],
    ['TEXT', ' kept as it is ', ' kept as it is '],
  ])('%s %j is %j', (type, text, value) => {
    expect(write(type, text)).toEqual({ value })
  })

  test('a currency code may be typed in small letters', () => {
    expect(write('CURRENCY', '12.50', { currency: 'eur' })).toEqual({
      value: { currency: 'EUR', value: '12.50' },
    })
  })

  test.each([
    ['NUMBER', '1,234'],
    ['NUMBER', '1,23,4'],
    ['NUMBER', '0x10'],
    ['NUMBER', 'Infinity'],
    ['NUMBER', '007'],
    ['DECIMAL', '1,234'],
    ['CURRENCY', '1,234'],
    ['NUMBER', '12345678901234567890'],
    ['NUMBER', '0.1000000000000000055511151231257827'],
    ['DECIMAL', '1e3'],
    ['DATE', '2023-02-29'],
    ['DATE', 'tomorrow'],
    ['DATETIME', '2024-03-01'],
    ['TIME', '25:00'],
    ['EMAIL', 'ana@'],
    ['URL', 'javascript:alert(1)'],
    ['BOOLEAN', 'yes'],
    ['RELATIONSHIP', 'C-1042'],
    ['CURRENCY', '12.50'],
    ['PREFERENCE', 'MAYBE'],
  ])('%s refuses %j with a reason', (type, text) => {
    expect(write(type, text).issues?.[0]?.detail).toMatch(/\w+ .+\./)
  })

  test.each([
    ['NUMBER', '1\u200b2', '“2”'],
    ['DATE', '2024-\u200e02-29', '“0”'],
    ['URL', 'https://exam\u00adple.org', '“p”'],
  ])('%s names what is hidden in %j', (type, text, name) => {
    expect(write(type, text).issues?.[0]?.detail).toContain(`before the ${name}`)
  })

  test('an issue names the input it belongs to', () => {
    const places = (type: string, draft: Draft) => [...new Set(valueOf(type, draft).issues?.map(partOf))]
    expect(places('CURRENCY', { text: '12', currency: 'XXXX' })).toEqual(['currency'])
    expect(places('CURRENCY', { text: 'twelve', currency: 'EUR' })).toEqual(['text'])
    expect(places('RELATIONSHIP', { text: user, entity: 'none' })).toEqual(['entity'])
    expect(places('PREFERENCE', { text: 'GRANTED', expires: 'soon' })).toEqual(['expires'])
    const reversed = { text: 'GRANTED', statusDate: '2024-03-01 09:30', expires: '2024-03-01 09:29' }
    expect(places('PREFERENCE', reversed)).toEqual(['expires'])
  })
})

describe('another type for what was typed', () => {
  test('keeps the text and validates it again', () => {
    const draft = retype({ text: '12.50 eur' }, 'TEXT', 'CURRENCY')
    expect(valueOf('CURRENCY', draft)).toEqual({ value: { currency: 'EUR', value: '12.50' } })
    expect(retype({ text: 'tomorrow' }, 'TEXT', 'DATE').text).toBe('tomorrow')
    expect(valueOf('DATE', retype({ text: 'tomorrow' }, 'TEXT', 'DATE')).issues).toHaveLength(1)
  })

  test('shows all parts of a value of several parts', () => {
    expect(retype({ text: '12.50', currency: 'EUR' }, 'CURRENCY', 'TEXT').text).toBe('12.50 EUR')
    expect(retype({ text: user, entity }, 'RELATIONSHIP', 'TEXT').text).toBe(`${user} ${entity}`)
    const end = { expires: '2025-01-01' }
    expect(retype({ text: 'GRANTED', ...end }, 'PREFERENCE', 'TEXT').text).toBe('GRANTED - 2025-01-01')
    expect(retype({ text: '', ...end }, 'PREFERENCE', 'DATE').text).toBe('2025-01-01')
  })

  test('a change under the new type replaces the text remembered for the old one', () => {
    const mail = typeText(retype({ text: 'ana' }, 'TEXT', 'EMAIL'), 'text', 'ana@example.org')
    expect(retype(mail, 'EMAIL', 'TEXT').text).toBe('ana@example.org')
  })
})

describe('a stored value that does not fit its type', () => {
  const misfits = fc.oneof(
    fc.jsonValue().filter((value) => value !== null),
    fc.constant({ currency: 'EUR', value: '1', precision: 2 }),
    fc.constant(new JsonNumber('1e400')),
  )

  test.each(dataTypes)('%s: is kept as it is until it is opened', (type) => {
    fc.assert(
      fc.property(misfits, (value) => {
        const draft = draftOf(type, value)
        if (!readValue(type, value).issues) return
        expect(draft.unfit?.value).toBe(value)
        expect(valueOf(type, draft).issues).not.toHaveLength(0)
        expect(openDraft(type, draft).unfit).toBeUndefined()
      }),
    )
  })

  test('opened, it is in the input as text; under a type that it fits it is a value', () => {
    expect(openDraft('DATE', draftOf('DATE', 'tomorrow'))).toEqual({ text: 'tomorrow' })
    const amount = { currency: 'EUR', value: '12.50' }
    expect(valueOf('CURRENCY', retype(draftOf('TEXT', amount), 'TEXT', 'CURRENCY'))).toEqual({
      value: amount,
    })
  })
})

describe('an unknown type', () => {
  test('text stays text, anything else is JSON', () => {
    for (const value of ['#ff0000', '12', 12, { r: 255 }, [1, 2], true])
      expect(valueOf('COLOUR', draftOf('COLOUR', value))).toEqual({ value })
    expect(valueOf('COLOUR', { text: '{', json: true }).issues).toHaveLength(1)
  })
})

test('only web addresses become links', () => {
  expect(safeUrl(' https://example.org/a ')).toBe('https://example.org/a')
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'example.org',
    '//example.org',
    'ftp://example.org',
  ])
    expect(safeUrl(url)).toBeUndefined()
})
