import { afterEach, expect, test } from 'vitest'

import type { Entity } from '#contract/index.ts'
import { setLabels } from '../labels.ts'
import { joinFacts, keyFacts } from './key-facts.ts'

afterEach(() => setLabels([]))

const entityOf = (type: string, ...values: readonly (string | number)[]) =>
  ({
    id: 'one',
    type,
    properties: values.map((value, index) => ({
      key: `key${index}`,
      type: typeof value === 'number' ? 'NUMBER' : 'TEXT',
      value,
    })),
  }) as unknown as Entity

test('the facts of an entity are said as the definitions of its properties say them', () => {
  const choices = [{ value: 'de', label: 'German' }]
  const properties = [
    { name: 'key0', label: 'Language', choices },
    { name: 'key1', label: 'Mileage', unit: 'km' },
  ]
  setLabels([{ name: 'car', label: 'Car', properties }])
  expect(keyFacts(entityOf('car', 'de', 12_000))).toEqual(['German', '12,000\u00A0km'])
  expect(keyFacts(entityOf('car', 'it', 'none'))).toEqual(['it', 'none'])
  expect(keyFacts(entityOf('boat', 'de', 12_000))).toEqual(['de', '12,000'])
})

test.each([
  ['Renault', 'Mégane', 'Renault Mégane'],
  ['Peugeot', 208, 'Peugeot 208'],
  ['12 rue Lepic', '75018', '12 rue Lepic, 75018'],
  ['Rue de la Paix', '75002', 'Rue de la Paix, 75002'],
  ['Aston Martin', 'DB5', 'Aston Martin DB5'],
])('the facts %j and %j read as %j', (first, second, phrase) => {
  expect(joinFacts(entityOf('car', first, second))).toBe(phrase)
})

test('a person has no facts, since its user is named elsewhere', () => {
  expect(joinFacts(entityOf('person', 'Ana'))).toBe('')
})
