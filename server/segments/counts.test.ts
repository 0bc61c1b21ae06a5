import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'

import { testService } from '../testing-hooks.ts'
import { SegmentCounts } from './counts.ts'

const service = testService()
beforeEach(() => service.reset())

test('what takes too long to count is waited for by the first page alone', async () => {
  let waited = 0
  const counts = new SegmentCounts({
    ...service.database,
    within: () => {
      waited++
      return Promise.resolve(undefined)
    },
  })
  // In the background it cannot be counted either.
  const condition = { name: 'slow', where: sql<boolean>`no_such_column` }
  for (let page = 0; page < 3; page++) expect(await counts.total(condition)).toBeUndefined()
  expect(waited).toBe(1)
  await counts.total({ ...condition, name: 'another' })
  expect(waited).toBe(2)
  await counts.close()
})

test('what was counted after all is counted anew for a page, where that is quick', async () => {
  // However busy the machine is.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  let isBusy = true
  const counts = new SegmentCounts({
    ...service.database,
    within: (limitMs, reads) =>
      isBusy ? Promise.resolve(undefined) : service.database.within(limitMs, reads),
  })
  const condition = { name: 'everybody', where: sql<boolean>`true` }
  expect(await counts.total(condition)).toBeUndefined()
  isBusy = false
  await vi.waitFor(() => expect(counts.kept('everybody')).toMatchObject({ total: 0 }))
  await service.create('admin', '/users', {})
  expect(await counts.total(condition)).toEqual({ total: 1 })
  await counts.close()
  vi.restoreAllMocks()
})
