import { beforeAll, expect, test, vi } from 'vitest'

import { filter } from '#contract/index.ts'
import type * as CodecModule from '../filter-builder/draft/filter-codec.ts'
import type * as DraftModule from './draft.ts'
import type * as ReadingsModule from './settling.ts'

// The number notation is determined once, when the catalogue is first read, so the modules are imported after the
// language has been set.
let module: typeof DraftModule & typeof ReadingsModule & typeof CodecModule
beforeAll(async () => {
  vi.spyOn(navigator, 'language', 'get').mockReturnValue('de-DE')
  vi.resetModules()
  module = {
    ...(await import('./draft.ts')),
    ...(await import('./settling.ts')),
    ...(await import('../filter-builder/draft/filter-codec.ts')),
  }
})

const numeric = ['NUMBER', 'DECIMAL', 'CURRENCY'] as const
const typedAs = (type: string, text: string) => ({ text, ...(type === 'CURRENCY' && { currency: 'EUR' }) })
const readStored = (type: string, digits: string) =>
  type === 'NUMBER' ? Number(digits) : type === 'DECIMAL' ? digits : { currency: 'EUR', value: digits }

test.each(numeric)('%s: 7.500 is not taken, and both numbers are offered', (type) => {
  const draft = typedAs(type, '7.500')
  expect(module.valueOf(type, draft).issues?.[0]?.detail).toMatch(/two ways/)
  expect(module.settleDraft(type, draft, 'text')).toBeUndefined()
  const offered = module.readings(type, draft)
  expect(offered.map((read) => module.valueOf(type, read))).toEqual([
    { value: readStored(type, '7500') },
    { value: readStored(type, '7.500') },
  ])
})

test.each(numeric)('%s: a number of one meaning is taken, and shown as it was understood', (type) => {
  expect(module.valueOf(type, typedAs(type, '7,25'))).toEqual({ value: readStored(type, '7.25') })
  expect(module.settleDraft(type, typedAs(type, '7.25'), 'text')).toEqual(typedAs(type, '7,25'))
  expect(module.settleDraft(type, typedAs(type, '1,234.25'), 'text')).toEqual(typedAs(type, '1234,25'))
  expect(module.settleDraft(type, typedAs(type, '1.234,25'), 'text')).toEqual(typedAs(type, '1234,25'))
  expect(module.settleDraft(type, typedAs(type, '٧٫٢٥'), 'text')).toEqual(typedAs(type, '7,25'))
})

test.each(numeric)('%s: a stored number is shown as it is read back', (type) => {
  for (const digits of ['7.5', '7500', '-0.25', '1234567.125']) {
    const draft = module.draftOf(type, readStored(type, digits))
    expect(draft.text).toBe(digits.replace('.', ','))
    expect(module.valueOf(type, draft)).toEqual({ value: readStored(type, digits) })
    expect(module.settleDraft(type, draft, 'text')).toBeUndefined()
  }
})

test('a text that becomes a number, and one that did not fit, are read as if they were typed', () => {
  expect(module.valueOf('NUMBER', module.retype({ text: '7.500' }, 'TEXT', 'NUMBER'))).toHaveProperty(
    'issues',
  )
  expect(module.valueOf('NUMBER', module.retype({ text: '7,5' }, 'TEXT', 'NUMBER'))).toEqual({ value: 7.5 })
  const unfit = module.draftOf('NUMBER', '7.500')
  expect(module.valueOf('NUMBER', module.openDraft('NUMBER', unfit))).toHaveProperty('issues')
})

test('a NUMBER is offered as it would be stored, a DECIMAL with all its digits', () => {
  const listOffered = (type: string) => module.readings(type, { text: '7.500' }).map(({ text }) => text)
  expect(listOffered('NUMBER')).toEqual(['7500', '7,5'])
  expect(listOffered('DECIMAL')).toEqual(['7500', '7,500'])
  // A double would store a different number from the typed one.
  expect(module.readings('NUMBER', { text: '0,1000000000000000055511151231257827' })).toEqual([])
})

test('an amount that names another currency than the one beside it asks which', () => {
  const both = module.readings('CURRENCY', { text: '12,50 €', currency: 'USD' })
  expect(both).toEqual([
    { text: '12,50', currency: 'EUR' },
    { text: '12,50', currency: 'USD' },
  ])
  expect(module.readings('CURRENCY', { text: '12,50 $', currency: 'CAD' })).toEqual([
    { text: '12,50', currency: 'CAD' },
  ])
  // An ambiguous sign is offered as its most likely currency and as the one beside the amount.
  expect(module.readings('CURRENCY', { text: '12,50 $', currency: 'EUR' })).toHaveLength(2)
})

test.each(['DECIMAL', 'CURRENCY'] as const)(
  '%s: a condition with 7.500 is no filter before it is decided',
  (type) => {
    const condition = { key: 'price', type, op: 'gt' as const, value: readStored(type, '8.25') }
    const root = module.fromFilter({ entity: 'car', where: [condition] })
    if (root.kind !== 'entity' || !root.properties[0]) throw new Error('not an entity')
    const [property] = root.properties
    const withText = (text: string) => {
      const values = property.comparison.values.map((each) => ({ ...each, draft: { ...each.draft, text } }))
      return module.toFilter({
        ...root,
        properties: [{ ...property, comparison: { ...property.comparison, values } }],
      })
    }
    expect(property.comparison.values[0]?.draft.text).toBe('8,25')
    expect(filter.safeParse(withText('7,5')).success).toBe(true)
    expect(filter.safeParse(withText('7.500')).success).toBe(false)
  },
)
