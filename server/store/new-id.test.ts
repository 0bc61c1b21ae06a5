import { expect, test } from 'vitest'

import { newId } from './new-id.ts'

test('an id is greater than all before it, also within a millisecond, and guessed from none of them', () => {
  const ids = Array.from({ length: 20_000 }, newId)
  expect(ids).toEqual(ids.toSorted())
  expect(
    ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
  ).toBe(true)
  expect(new Set(ids.map((id) => id.slice(-11))).size).toBe(ids.length)
  const bornMs = Number.parseInt((ids[0] ?? '').replaceAll('-', '').slice(0, 12), 16)
  expect(Math.abs(Date.now() - bornMs)).toBeLessThan(60_000)
})
