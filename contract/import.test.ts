import { expect, test } from 'vitest'

import { importMapping, type ImportMapping } from './import.ts'

test('a mapping fills gaps, leaves empty cells alone, and leaves out rows with a cell that cannot be read', () => {
  const read: ImportMapping = importMapping.parse({
    columns: [{ to: 'ignore' }, { to: 'property', key: ' plate ', type: 'TEXT' }],
  })
  expect(read).toEqual({
    columns: [
      { to: 'ignore' },
      { to: 'property', entity: 'person', key: 'plate', type: 'TEXT', sensitive: false },
    ],
    existing: 'fill',
    empty: 'leave',
    bad: 'row',
  })
})

test.each([
  [{ to: 'nowhere' }, 'Give to: ignore, field or property.'],
  [{ to: 'field', field: 'age' }, 'Give one of id, name, first, middle, last, email, ref, since.'],
  [{ to: 'field', field: 'since', choices: { order: 'year' } }, 'Give day or month.'],
])('a column that cannot be mapped is refused in words', (column, message) => {
  const { error } = importMapping.safeParse({ columns: [column] })
  expect(error?.issues).toMatchObject([{ message }])
})
