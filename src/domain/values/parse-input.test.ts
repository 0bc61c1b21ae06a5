import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type DataType, dataTypes } from '#contract/index.ts'

import { type Draft, type Part, retype, typed, valueOf } from './draft.ts'
import { pasted, readings, settled } from './parse-input.ts'

const user = '01890a5d-ac96-774b-bcce-b302099a8057'
const entity = '01890a5d-ac96-774b-bcce-b302099a8058'

/** Returns the values of a text's possible readings. */
const meanings = (type: DataType, text: string) =>
  readings(type, { text }).map((draft) => {
    const read = valueOf(type, draft)
    return read.issues ? draft : read.value
  })
const money = (currency: string, value: string) => ({ currency, value })

describe('a text in another spelling', () => {
  test.each<[DataType, string, ...unknown[]]>([
    ['NUMBER', '12,5', 12.5],
    ['NUMBER', '1.234,5', 1234.5],
    ['NUMBER', '1 234 567', 1234567],
    ['NUMBER', '−7', -7],
    ['NUMBER', '+7', 7],
    ['DECIMAL', '12,50', '12.50'],
    ['DECIMAL', ',5', '0.5'],
    ['DECIMAL', "1'234'567.80", '1234567.80'],
    ['DECIMAL', '1.234.567', '1234567'],
    ['DECIMAL', '1,234', '1234', '1.234'],
    ['DECIMAL', '-1,234', '-1234', '-1.234'],
    ['DECIMAL', '0,234', '0.234'],
    ['DECIMAL', '12.345.678.901.234.567.890.123,4500', '12345678901234567890123.4500'],
    ['CURRENCY', '12,50 EUR', money('EUR', '12.50')],
    ['CURRENCY', 'EUR 12.50', money('EUR', '12.50')],
    ['CURRENCY', 'chf 1’234.50', money('CHF', '1234.50')],
    ['CURRENCY', '12.50€', money('EUR', '12.50')],
    ['CURRENCY', '-€5', money('EUR', '-5')],
    ['CURRENCY', '£1,000,000', money('GBP', '1000000')],
    ['CURRENCY', '12.50\tEUR', money('EUR', '12.50')],
    ['CURRENCY', '¥500', money('JPY', '500'), money('CNY', '500')],
    ['CURRENCY', '1.234 EUR', money('EUR', '1.234'), money('EUR', '1234')],
    ['DATE', '1.3.2024', '2024-03-01'],
    ['DATE', '01. 03. 2024', '2024-03-01'],
    ['DATE', '2024/3/1', '2024-03-01'],
    ['DATE', '20240301', '2024-03-01'],
    ['DATE', '13/1/2024', '2024-01-13'],
    ['DATE', '13 1 2024', '2024-01-13'],
    ['DATE', '3/1/2024', '2024-01-03', '2024-03-01'],
    ['DATE', '1/1/2024', '2024-01-01'],
    ['DATE', 'Fri, 1 March 2024', '2024-03-01'],
    ['DATE', 'Mar 1st, 2024', '2024-03-01'],
    ['DATE', '29-Feb-2024', '2024-02-29'],
    ['TIME', '9:30', '09:30'],
    ['TIME', '9.30', '09:30'],
    ['TIME', '0930', '09:30'],
    ['TIME', '12:05 a.m.', '00:05'],
    ['TIME', '9 PM', '21:00'],
    ['TIME', '21h30', '21:30'],
    ['TIME', '8h', '08:00'],
    ['TIME', '09:30:15,5', '09:30:15.500'],
    ['DATETIME', '1.3.2024 9:30', '2024-03-01T09:30:00.000Z'],
    ['DATETIME', '2024-03-01T10:30+01', '2024-03-01T09:30:00.000Z'],
    ['DATETIME', '2024-03-01 09:30:00 UTC', '2024-03-01T09:30:00.000Z'],
    ['DATETIME', 'Fri, 01 Mar 2024 10:30:00 +0100', '2024-03-01T09:30:00.000Z'],
    ['DATETIME', 'March 1, 2024, 9:30 PM', '2024-03-01T21:30:00.000Z'],
    ['DATETIME', '1709285400', '2024-03-01T09:30:00.000Z'],
    ['DATETIME', '1709285400000', '2024-03-01T09:30:00.000Z'],
    ['DATETIME', '3/1/2024 9:30', '2024-01-03T09:30:00.000Z', '2024-03-01T09:30:00.000Z'],
    ['BOOLEAN', 'Yes', true],
    ['BOOLEAN', '0', false],
    ['EMAIL', 'Ana Lopez <ana@example.org>', 'ana@example.org'],
    ['EMAIL', 'mailto:ana@example.org?subject=x', 'ana@example.org'],
    ['EMAIL', 'ana@example.org;', 'ana@example.org'],
    ['URL', '<https://example.org/a>', 'https://example.org/a'],
    ['URL', 'example.org/a', 'https://example.org/a', 'http://example.org/a'],
    ['RELATIONSHIP', `urn:uuid:${user}`, { user }],
    ['RELATIONSHIP', user.replaceAll('-', '').toUpperCase(), { user }],
    ['RELATIONSHIP', `${user} / ${entity}`, { user, entity }],
    ['RELATIONSHIP', `https://console.test/users/${user}/entities/${entity}`, { user, entity }],
  ])('%s %j', (type, text, ...means) => {
    expect(meanings(type, text)).toEqual(means)
  })

  test.each<[DataType, string]>([
    ['NUMBER', 'twelve'],
    ['NUMBER', '1,23,4'],
    ['DECIMAL', '007,5'],
    ['DECIMAL', '1e3'],
    ['CURRENCY', '12.50 ABC'],
    ['CURRENCY', 'EUR 12 USD'],
    ['DATE', '1.3.24'],
    ['DATE', '31.2.2024'],
    ['DATE', 'tomorrow'],
    ['TIME', '9'],
    ['TIME', '25:00'],
    ['TIME', '13:00 pm'],
    ['TIME', '09:30+01:00'],
    ['DATETIME', '2024-03-01'],
    ['EMAIL', 'ana@'],
    ['URL', 'javascript:alert(1)'],
    ['URL', '/path'],
    ['RELATIONSHIP', 'C-1042'],
    ['TEXT', '12,50'],
  ])('%s %j means nothing that is known', (type, text) => {
    expect(meanings(type, text)).toEqual([])
  })

  test('an amount without a currency keeps the one that stands beside it, or none', () => {
    expect(readings('CURRENCY', { text: '12,50', currency: 'USD' })).toEqual([
      { text: '12.50', currency: 'USD' },
    ])
    expect(readings('CURRENCY', { text: '12,50' })).toEqual([{ text: '12.50' }])
  })

  test('the dates of a preference are read in their own inputs', () => {
    expect(readings('PREFERENCE', { text: 'GRANTED', expires: '1.3.2030 0:00' }, 'expires')).toEqual([
      { text: 'GRANTED', expires: '2030-03-01T00:00Z' },
    ])
  })

  test('every reading of any text is a value of the type', () => {
    const spelled = fc.oneof(fc.string(), fc.stringMatching(/^[-+€$A-Z]{0,3}[\d.,:/ 'T-]{1,20}[A-Zpm]{0,3}$/))
    fc.assert(
      fc.property(fc.constantFrom(...dataTypes), spelled, (type, text) => {
        for (const draft of readings(type, { text })) {
          const { issues } = valueOf(type, type === 'CURRENCY' ? { currency: 'EUR', ...draft } : draft)
          expect(issues).toBeUndefined()
        }
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a text whose input is left', () => {
  test.each<[DataType, Draft, Draft, Part?]>([
    ['NUMBER', { text: '12,50' }, { text: '12.5' }],
    ['NUMBER', { text: ' 7' }, { text: '7' }],
    ['DECIMAL', { text: '1.234,50' }, { text: '1234.50' }],
    ['DATE', { text: '31.12.2024' }, { text: '2024-12-31' }],
    ['DATE', { text: '31/12/2024' }, { text: '2024-12-31' }],
    ['TIME', { text: '8:30' }, { text: '08:30' }],
    ['DATETIME', { text: '31.12.2024 8:30' }, { text: '2024-12-31T08:30:00.000Z' }],
    // A text that is valid as typed is still converted to its stored form.
    ['DATETIME', { text: '2024-12-31 08:30' }, { text: '2024-12-31T08:30:00.000Z' }],
    ['EMAIL', { text: 'Ana Lopez <ana@example.org>' }, { text: 'ana@example.org' }],
    ['URL', { text: ' https://example.org/a ' }, { text: 'https://example.org/a' }],
    ['RELATIONSHIP', { text: `https://console.test/users/${user}` }, { text: user }],
    ['CURRENCY', { text: '12,50 €' }, { text: '12.50', currency: 'EUR' }],
    ['CURRENCY', { text: '12,50', currency: 'eur' }, { text: '12.50', currency: 'EUR' }],
    ['CURRENCY', { text: '12,50' }, { text: '12.50' }],
    ['CURRENCY', { text: '', currency: '£' }, { text: '', currency: 'GBP' }, 'currency'],
    ['CURRENCY', { text: '1', currency: 'swiss franc' }, { text: '1', currency: 'CHF' }, 'currency'],
    [
      'PREFERENCE',
      { text: 'GRANTED', expires: '31.12.2030 8:30' },
      { text: 'GRANTED', expires: '2030-12-31T08:30:00.000Z' },
      'expires',
    ],
  ])('%s %j becomes %j', (type, draft, becomes, part = 'text') => {
    expect(settled(type, draft, part)).toEqual(becomes)
  })

  test.each<[string, Draft, Part?]>([
    ['NUMBER', { text: '1,234' }],
    ['DECIMAL', { text: '1.234' }],
    ['DATE', { text: '01/02/2024' }],
    ['DATE', { text: '31.12.24' }],
    ['TIME', { text: '9' }],
    ['CURRENCY', { text: '$12' }],
    ['CURRENCY', { text: '12', currency: '$' }, 'currency'],
    ['CURRENCY', { text: 'twelve', currency: 'EUR' }],
    ['CURRENCY', { text: '12.50 USD', currency: 'EUR' }],
    ['CURRENCY', { text: '12.50 ABC', currency: 'EUR' }],
    ['CURRENCY', { text: '1.234 EUR' }],
    ['NUMBER', { text: '7,500' }],
    ['URL', { text: 'example.org' }],
    ['TEXT', { text: ' 12,50 ' }],
    ['COLOUR', { text: '12,50' }],
    ['DATE', { text: '' }],
  ])('%s %j stays: it fits, may mean several things, or none', (type, draft, part = 'text') => {
    expect(settled(type, draft, part)).toBeUndefined()
  })

  test('is settled: left again, it stays', () => {
    const spelled = fc.oneof(fc.string(), fc.stringMatching(/^[-+€$A-Z]{0,3}[\d.,:/ 'T-]{1,20}[A-Zpm]{0,3}$/))
    fc.assert(
      fc.property(fc.constantFrom(...dataTypes), spelled, (type, text) => {
        const once = settled(type, { text, currency: 'EUR' }, 'text')
        if (once) expect(settled(type, once, 'text')).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a pasted text', () => {
  const inputOf = (value: string, name: Part) =>
    Object.assign(document.createElement('input'), { value, name })
  const copied = (text: string) => ({ getData: () => text }) as unknown as DataTransfer
  const into = (type: DataType, clipboard: string, draft: Draft = { text: '' }, part: Part = 'text') => {
    const input = inputOf(draft[part] ?? '', part)
    input.select()
    return pasted(type, draft, { target: input, clipboardData: copied(clipboard) })
  }

  test('a whole value of one meaning takes its inputs', () => {
    expect(into('CURRENCY', '12,50 EUR\r\n')).toEqual({ text: '12.50', currency: 'EUR' })
    expect(into('CURRENCY', 'USD 3.00', { text: '12.50', currency: 'usd' })).toEqual({
      text: '3.00',
      currency: 'USD',
    })
    expect(into('DATE', '1.3.2024')).toEqual({ text: '2024-03-01' })
    expect(into('PREFERENCE', '1.3.2030 00:00', { text: 'GRANTED' }, 'expires')).toMatchObject({
      text: 'GRANTED',
      expires: '2030-03-01T00:00Z',
    })
  })

  test('is left to the browser if it fits, has several meanings or has none', () => {
    expect(into('CURRENCY', 'USD 3.00', { text: '12.50', currency: 'EUR' })).toBeUndefined()
    for (const text of ['2024-03-01', ' 2024-03-01\n', '3/1/2024', 'tomorrow'])
      expect(into('DATE', text)).toBeUndefined()
    expect(into('TEXT', '12,50')).toBeUndefined()
  })

  test('a line break is not swallowed', () => {
    expect(into('EMAIL', 'ana@example\n.org')).toEqual({ text: 'ana@example .org' })
  })

  test('within a text that stands there, nothing is read into it', () => {
    const target = inputOf('2024-', 'text')
    target.setSelectionRange(5, 5)
    const paste = (text: string) => pasted('DATE', { text: '2024-' }, { target, clipboardData: copied(text) })
    expect(paste('03-01')).toBeUndefined()
    expect(paste('03\n01')).toEqual({ text: '2024-03 01' })
  })
})

test('a typed text survives any changes of its type', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...dataTypes, 'COLOUR'),
      fc.string({ unit: 'grapheme' }),
      fc.array(fc.constantFrom(...dataTypes, 'COLOUR'), { maxLength: 6 }),
      (type, text, others) => {
        const start = typed({ text: '' }, 'text', text)
        let [draft, from] = [start, type]
        for (const to of [...others, type]) [draft, from] = [retype(draft, from, to), to]
        expect(draft.text).toBe(text)
      },
    ),
  )
})
