import { expect, test } from 'vitest'

import { adviceOn } from './known-property.ts'

const known = [
  { key: 'newsletter', type: 'TEXT' },
  { key: 'phone', type: 'TEXT' },
  { key: 'mileage', type: 'NUMBER' },
  { key: 'mileage', type: 'DECIMAL' },
  { key: 'plan', type: 'TEXT' },
]

test.each([
  'newsleter',
  'newslettter',
  'newsltetter',
  'newslotter',
  'Newsletter',
  'news-letter',
  'news_letter',
])('%s is a slip for a known key', (key) =>
  expect(adviceOn({ key, type: 'TEXT' }, known)).toEqual({ known: known[0], about: 'key' }),
)

test.each(['', 'news', 'newsletters2', 'plane', 'plum', 'phones and more'])('%s is a key of its own', (key) =>
  expect(adviceOn({ key, type: 'TEXT' }, known)?.known.key).not.toBe('newsletter'),
)

test('the type that other users have is advised, unless the row has one of the existing types', () => {
  expect(adviceOn({ key: 'mileage', type: 'TEXT' }, known)).toEqual({ known: known[2], about: 'type' })
  expect(adviceOn({ key: 'mileage', type: 'DECIMAL' }, known)).toBeUndefined()
})
