import { expect, test } from 'vitest'

import { isUnusual } from './unusual.ts'

test.each([
  [49, null, false],
  [50, null, true],
  [50, 10, true],
  [50, 11, false],
  [499, 100, false],
  [500, 100, true],
])('%i people in an hour, where %s are usual: unusual is %s', (most, usual, expected) => {
  expect(isUnusual({ most, usual })).toBe(expected)
})
