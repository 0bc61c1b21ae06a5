import { expect, test } from 'vitest'

import { locatePage, type PageAt } from './paging.ts'

const page = (rows: number, next: string | null | undefined, total: number | null = null) => ({
  total,
  next,
  users: Array.from({ length: rows }, (_, index) => ({ id: `${index}` as never })),
})
/** Follows `next` through a list of pages and returns the position on each. */
function walk(pages: readonly ReturnType<typeof page>[]) {
  const positions = []
  let at: PageAt | undefined = { offset: '', visited: [] }
  for (const current of pages) {
    if (at === undefined) break
    const position = locatePage(current, at)
    positions.push(position)
    at = position.next
  }
  return positions
}

test('visited pages number the rows and lead back', () => {
  const [first, second, third] = walk([page(50, 'a', 120), page(50, 'b', 120), page(20, '', 120)])
  expect(first).toMatchObject({ range: { from: 1, to: 50 }, first: undefined, previous: undefined })
  expect(second).toMatchObject({ range: { from: 51, to: 100 }, previous: { offset: '', visited: [] } })
  expect(third).toMatchObject({
    range: { from: 101, to: 120 },
    previous: { offset: 'a', visited: [{ offset: '', rows: 50 }] },
  })
  expect(third?.first).toEqual({ offset: '', visited: [] })
  expect(third?.next).toBeUndefined()
})

test.each([
  ['absent', [page(50, undefined)]],
  ['null', [page(50, null)]],
  ['empty', [page(50, '')]],
  ['its own offset', [page(50, 'a'), page(50, 'a')]],
  ['an offset seen before', [page(50, 'a'), page(50, 'b'), page(50, 'a')]],
  ['followed by nobody', [page(50, 'a'), page(0, 'b')]],
])('the list ends where next is %s', (_, pages) => {
  const positions = walk(pages)
  expect(positions).toHaveLength(pages.length)
  expect(positions.at(-1)?.next).toBeUndefined()
})

test('in the middle, without a way there, no position is claimed', () => {
  const middle = locatePage(page(50, 'c', 500), { offset: 'b', visited: [] })
  expect(middle).toMatchObject({ range: undefined, previous: undefined, isWayBackUnknown: true })
  expect(middle.first).toEqual({ offset: '', visited: [] })
  expect(middle.next).toMatchObject({ offset: 'c' })
  const after = locatePage(page(50, 'd', 500), middle.next ?? { offset: '', visited: [] })
  expect(after).toMatchObject({ range: undefined, previous: { offset: 'b' }, isWayBackUnknown: false })
})

test('the last page opened from a link has no next one: an empty offset would be the first page again', () => {
  expect(locatePage(page(20, '', 500), { offset: 'z', visited: [] }).next).toBeUndefined()
})

test.each([
  ['beyond the total', [page(50, 'a', 120), page(50, 'b', 90)]],
  ['short of the total at the end', [page(50, 'a', 120), page(20, '', 120)]],
])('a count %s is not shown', (_, pages) => {
  expect(walk(pages).at(-1)?.range).toBeUndefined()
})

test('a service without a total still has a position', () => {
  expect(walk([page(50, 'a'), page(7, '')]).at(-1)?.range).toEqual({ from: 51, to: 57 })
})
