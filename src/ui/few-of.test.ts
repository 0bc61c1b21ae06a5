import { expect, test } from 'vitest'

import { takeFew } from './show-more.ts'

test.each([
  [0, 3, 0],
  [1, 3, 1],
  [3, 3, 3],
  [4, 3, 4],
  [5, 3, 3],
  [6, 5, 6],
  [7, 5, 5],
  [13, 12, 13],
  [14, 12, 12],
  [500, 8, 8],
])(
  'a folded list of %i whose first %i are shown unasked shows %i: one alone is never hidden',
  (all, few, shown) => {
    expect(takeFew([...Array(all).keys()], few)).toEqual([...Array(shown).keys()])
  },
)
