import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type DataType, dataTypes, readValue } from '../property-value.ts'
import { splitText } from './parts.ts'
import { meaningsOf, readParts, readText } from './reading.ts'

const user = '01890a5d-ac96-774b-bcce-b302099a8057'
const entity = '01890a5d-ac96-774b-bcce-b302099a8058'
const english = { locale: 'en-US', language: 'en' }
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
    expect(meaningsOf(type, { text }, english)).toEqual(means)
    const read = readText(type, { text }, english)
    expect(read).toEqual(means.length > 1 ? { ambiguous: means } : { value: means[0] })
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
    expect(meaningsOf(type, { text }, english)).toEqual([])
  })

  test('every meaning of any text is a value of the type', () => {
    const spelled = fc.oneof(fc.string(), fc.stringMatching(/^[-+€$A-Z]{0,3}[\d.,:/ 'T-]{1,20}[A-Zpm]{0,3}$/))
    fc.assert(
      fc.property(fc.constantFrom(...dataTypes), spelled, (type, text) => {
        for (const value of meaningsOf(type, { text, currency: 'EUR' }, english))
          expect(readValue(type, value)).toEqual({ value })
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a text in the form of the contract', () => {
  test.each<[DataType, string, unknown]>([
    ['TEXT', ' as it is ', ' as it is '],
    ['BOOLEAN', 'TRUE', true],
    ['NUMBER', '1e3', 1000],
    ['CURRENCY', '12.50 eur', money('EUR', '12.50')],
    ['DATE', '\u200b2024-02-29', '2024-02-29'],
    ['DATETIME', '2024-03-01 09:30', '2024-03-01T09:30:00.000Z'],
    ['RELATIONSHIP', `${user} ${entity}`, { user, entity }],
    ['PREFERENCE', 'granted - 2030-03-01T00:00Z', { status: 'GRANTED', expires: '2030-03-01T00:00:00.000Z' }],
    ['DATE', '  ', null],
  ])('%s %j', (type, text, value) => {
    expect(readParts(type, splitText(type, text), english)).toEqual({ value })
  })

  test('a number that may be two is ambiguous, with its currency too', () => {
    expect(readParts('NUMBER', { text: '1,234' }, english)).toEqual({ ambiguous: [1234, 1.234] })
    expect(readParts('CURRENCY', splitText('CURRENCY', '1,234 EUR'), english)).toEqual({
      ambiguous: [money('EUR', '1234'), money('EUR', '1.234')],
    })
    expect(readParts('CURRENCY', { text: '1,234' }, english).problem).toMatchObject([
      { expected: 'one number' },
      { path: ['currency'] },
    ])
  })

  test('a problem says which form was expected, or names the hidden character', () => {
    const problemOf = (type: DataType, text: string) =>
      readParts(type, splitText(type, text), english).problem
    expect(problemOf('DECIMAL', 'twelve')).toMatchObject([{ path: [], expected: 'number' }])
    expect(problemOf('DATE', '1.3.2024')).toMatchObject([{ expected: 'date' }])
    expect(problemOf('DATETIME', 'soon')).toMatchObject([{ expected: 'datetime' }])
    expect(problemOf('PREFERENCE', 'GRANTED soon')).toMatchObject([
      { path: ['statusDate'], expected: 'datetime' },
    ])
    expect(problemOf('PREFERENCE', 'GRANTED 2030-01-01T00:00Z 2029-01-01T00:00Z')).toEqual([
      expect.not.objectContaining({ expected: 'datetime' }),
    ])
    expect(problemOf('NUMBER', '1\u200b2')).toEqual([
      { path: [], detail: 'There is an invisible character (U+200B) before the “2”: remove it.' },
    ])
    expect(problemOf('NUMBER', '0.10000000000000001')?.[0]).not.toHaveProperty('expected')
  })
})
