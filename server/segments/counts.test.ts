import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'

import { testService } from '../testing/hooks.ts'
import { SegmentCounts } from './counts.ts'

const service = testService()
beforeEach(() => service.reset())

test('a count that takes too long delays only the first page, and is tried in vain only once', async () => {
  const limits: number[] = []
  const counts = new SegmentCounts({
    ...service.database,
    engine: 'postgresql',
    within: (limitMs) => {
      limits.push(limitMs)
      return Promise.resolve(undefined)
    },
  })
  const condition = { name: 'endless', where: () => sql<boolean>`true` }
  for (let page = 0; page < 3; page++) {
    expect(await counts.total(condition)).toBeUndefined()
    // Lets the background count finish; it waits only for promises that resolve at once.
    await setImmediate()
  }
  // A page waits for one second, a background count for a minute.
  expect(limits).toEqual([1_000, 60_000])
  await counts.total({ ...condition, name: 'another' })
  await counts.close()
  expect(limits).toEqual([1_000, 60_000, 1_000, 60_000])
})

test('a slow count that has succeeded is repeated for a page if it is quick by then', async () => {
  // Stops the clock, so that the count looks quick however busy the machine is.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  let isBusy = true
  const counts = new SegmentCounts({
    ...service.database,
    within: (limitMs, reads) =>
      isBusy && limitMs <= 1_000 ? Promise.resolve(undefined) : service.database.within(limitMs, reads),
  })
  const condition = { name: 'everybody', where: () => sql<boolean>`true` }
  expect(await counts.total(condition)).toBeUndefined()
  isBusy = false
  await vi.waitFor(() => expect(counts.lastCount('everybody')).toMatchObject({ total: 0 }))
  await service.create('admin', '/users', {})
  expect(await counts.total(condition)).toEqual({ total: 1 })
  await counts.close()
  vi.restoreAllMocks()
})

test('a count is cut short by the end of the service', async () => {
  await service.create('admin', '/users', {})
  const { pool } = service.database
  const counts = new SegmentCounts(service.database)
  counts.refresh('endless', () => sql`(select pg_sleep(50)) is not null`)
  const running = async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where state = 'active' and query like '%pg_sleep(50)%' and pid <> pg_backend_pid()`,
    )
    return rowCount
  }
  await vi.waitFor(async () => expect(await running()).toBe(1))
  await counts.close()
  expect(await running()).toBe(0)
  expect(counts.lastCount('endless')).toBeUndefined()
})
