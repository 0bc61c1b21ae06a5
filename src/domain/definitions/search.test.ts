import { expect, test } from 'vitest'

import { addNotedKeys, nameTypes } from './definitions.ts'
import { searchNamed } from './search.ts'

const [car] = nameTypes({
  entityTypes: [
    {
      type: 'car',
      properties: [
        { key: 'kennzeichen', label: { de: 'Kennzeichen', en: 'Plate' } },
        { key: 'first_registration', inferred: true },
        { key: 'plate_colour', inferred: true },
        { key: 'template', inferred: true },
        { key: 'Plate', inferred: true },
        { key: 'Größe', label: { en: 'Größe' } },
      ],
    },
  ],
})
const search = (typed: string) => searchNamed(car?.properties ?? [], typed).map((each) => each.name)

test.each([
  ['', ['kennzeichen', 'Größe', 'first_registration', 'plate_colour', 'template', 'Plate']],
  ['Plate', ['Plate', 'kennzeichen', 'plate_colour', 'template']],
  ['plate', ['kennzeichen', 'Plate', 'plate_colour', 'template']],
  ['registr', ['first_registration']],
  ['reg first', ['first_registration']],
  ['GRÖSSE', ['Größe']],
  ['kenn', ['kennzeichen']],
  ['nothing', []],
])('%s finds entries by label and name, defined ones first and an exact one before all', (typed, found) => {
  expect(search(typed)).toEqual(found)
})

test('a property is labelled in the language of the reader, or else as its key reads', () => {
  expect(car?.properties.map(({ label }) => label).slice(0, 2)).toEqual(['Plate', 'First registration'])
})

test('a key that was noted after the count is there, and sensitive if it ever was', () => {
  const noted = [
    { key: 'vin', type: 'TEXT', sensitive: false },
    { key: 'vin', type: 'NUMBER', sensitive: true },
    { key: 'Plate', type: 'TEXT', sensitive: true },
  ]
  const all = addNotedKeys(car?.properties ?? [], noted)
  expect(all).toHaveLength(7)
  expect(all.at(-1)).toMatchObject({
    name: 'vin',
    label: 'VIN',
    type: 'NUMBER',
    sensitive: true,
    inferred: true,
  })
})
