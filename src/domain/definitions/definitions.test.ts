import { expect, test } from 'vitest'

import { arrange, nameTypes } from './definitions.ts'

const rows = ['city', 'iban', 'phone', 'note', 'birthday'].map((key) => ({ key }))

const arranged = (properties: { key: string; group?: string; order?: number }[]) =>
  arrange(rows, nameTypes({ entityTypes: [{ type: 'person', properties }] })[0]?.properties ?? []).map(
    ({ heading, rows: ofGroup }) => [heading, ofGroup.map(({ key }) => key).join(' ')],
  )

test('properties that nobody ordered are listed as they are stored', () => {
  expect(arranged([])).toEqual([[undefined, 'city iban phone note birthday']])
  expect(arranged([{ key: 'phone' }])).toEqual([[undefined, 'city iban phone note birthday']])
})

test('ordered properties come first, the others after them as they are stored', () => {
  expect(
    arranged([
      { key: 'birthday', order: 1 },
      { key: 'phone', order: 0 },
    ]),
  ).toEqual([[undefined, 'phone birthday city iban note']])
})

test('properties of a group stand together under its name, and those of none below them under one of their own', () => {
  expect(
    arranged([
      { key: 'phone', group: 'Contact', order: 2 },
      { key: 'city', group: 'Contact' },
      { key: 'birthday', group: 'Person', order: 1 },
    ]),
  ).toEqual([
    ['Person', 'birthday'],
    ['Contact', 'phone city'],
    ['Other', 'iban note'],
  ])
})
