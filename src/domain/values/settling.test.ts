import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type DataType, dataTypes } from '#contract/index.ts'
import type { Part } from '#contract/reading/parts.ts'
import { type Draft, retype, typeText } from './draft.ts'
import { pasteText, readings, settleDraft } from './settling.ts'

const user = '01890a5d-ac96-774b-bcce-b302099a8057'

describe('the readings that an input offers', () => {
  test('an amount without a currency keeps the one in the input beside it, or none', () => {
    expect(readings('CURRENCY', { text: '12,50', currency: 'USD' })).toEqual([
      { text: '12.50', currency: 'USD' },
    ])
    expect(readings('CURRENCY', { text: '12,50' })).toEqual([{ text: '12.50' }])
  })

  test('the dates of a preference are read in their own inputs', () => {
    expect(readings('PREFERENCE', { text: 'GRANTED', expires: '1.3.2030 0:00' }, 'expires')).toEqual([
      { text: 'GRANTED', expires: '2030-03-01T00:00:00.000Z' },
    ])
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
    expect(settleDraft(type, draft, part)).toEqual(becomes)
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
    expect(settleDraft(type, draft, part)).toBeUndefined()
  })

  test('is settled: left again, it stays', () => {
    const spelled = fc.oneof(fc.string(), fc.stringMatching(/^[-+€$A-Z]{0,3}[\d.,:/ 'T-]{1,20}[A-Zpm]{0,3}$/))
    fc.assert(
      fc.property(fc.constantFrom(...dataTypes), spelled, (type, text) => {
        const once = settleDraft(type, { text, currency: 'EUR' }, 'text')
        if (once) expect(settleDraft(type, once, 'text')).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a pasted text', () => {
  const inputOf = (value: string, name: Part) =>
    Object.assign(document.createElement('input'), { value, name })
  const copy = (text: string) => ({ getData: () => text }) as unknown as DataTransfer
  const into = (type: DataType, clipboard: string, draft: Draft = { text: '' }, part: Part = 'text') => {
    const input = inputOf(draft[part] ?? '', part)
    input.select()
    return pasteText(type, draft, { target: input, clipboardData: copy(clipboard) })
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
      expires: '2030-03-01T00:00:00.000Z',
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

  test('within a text that is already there, a paste is not interpreted', () => {
    const target = inputOf('2024-', 'text')
    target.setSelectionRange(5, 5)
    const paste = (text: string) =>
      pasteText('DATE', { text: '2024-' }, { target, clipboardData: copy(text) })
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
        const start = typeText({ text: '' }, 'text', text)
        let [draft, from] = [start, type]
        for (const to of [...others, type]) [draft, from] = [retype(draft, from, to), to]
        expect(draft.text).toBe(text)
      },
    ),
  )
})
