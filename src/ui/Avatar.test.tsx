import { expect, test } from 'vitest'

import { hueOf, initialsOf } from './Avatar.tsx'
import { hueCount } from './palettes.ts'

test.each([
  ['Ana Lopez', 'AL'],
  ['  ana   maría de la cruz ', 'AC'],
  ["Seán O'Brien", 'SO'],
  ['Jean-Luc', 'J'],
  ['Ærø 𐐀𐐁', 'Æ𐐀'],
  ['李雷', '李'],
  ['(Test) user', 'TU'],
  ['—', ''],
])('%s has the initials %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test('an id has one hue, and people have all of them', () => {
  const ids = Array.from(
    { length: 400 },
    (_, index) => `0198c0de-0000-7000-8000-${String(index).padStart(12, '0')}`,
  )
  const counts = Object.values(Object.groupBy(ids, hueOf)).map((same) => same?.length ?? 0)
  expect(counts).toHaveLength(hueCount)
  expect(Math.min(...counts)).toBeGreaterThan(25)
  expect(hueOf(ids[7] ?? '')).toBe(hueOf(ids[7] ?? ''))
})
