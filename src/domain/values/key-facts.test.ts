import { afterEach, expect, test } from 'vitest'

import type { Entity } from '#contract/index.ts'
import { setLabels } from '../labels.ts'
import { keyFacts } from './key-facts.ts'

afterEach(() => setLabels([]))

const text = (key: string, value: string | null, sensitive = false) => ({
  key,
  type: 'TEXT',
  value,
  sensitive,
})
const home = (...properties: Entity['properties']): Entity => ({
  id: 'e' as Entity['id'],
  type: 'home',
  properties,
})
const define = (title: string) => setLabels([{ name: 'home', label: 'Home', title, properties: [] }])

test('an entity is told by its first values in clear, or else by its title as defined', () => {
  const entity = home(
    text('note', 'blue'),
    text('code', '4711', true),
    text('street', 'High Street'),
    text('city', 'Bath'),
  )
  expect(keyFacts(entity)).toEqual(['blue', 'High Street'])
  define('{street}, {city}')
  expect(keyFacts(entity)).toEqual(['High Street, Bath'])
})

test('a title leaves out what is missing or sensitive, and one without any value is none', () => {
  define('{street}, {city}')
  expect(keyFacts(home(text('note', 'blue'), text('city', 'Bath')))).toEqual(['Bath'])
  expect(keyFacts(home(text('street', 'High Street'), text('city', 'Bath', true)))).toEqual(['High Street'])
  expect(keyFacts(home(text('note', 'blue'), text('city', null)))).toEqual(['blue'])
})
