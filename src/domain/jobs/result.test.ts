import { expect, test } from 'vitest'

import { describeResult } from './result.ts'

test.each([
  ['set', false, { unchanged: 24 }, '24 users unchanged'],
  ['import', true, { unchanged: 1, refused: 2 }, '1 user unchanged'],
  ['import', false, { created: 2, unchanged: 24 }, '2 users imported'],
  ['set', true, { conflict: 3 }, '0 users would change'],
])('a %s (dry run: %s) with the outcomes %o says "%s"', (kind, dryRun, outcomes, said) => {
  expect(describeResult({ kind, dryRun, outcomes })).toBe(said)
})
