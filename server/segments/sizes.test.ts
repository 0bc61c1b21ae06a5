import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Filter, Segment, SegmentHistory } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'
import { keepSize } from './sizes.ts'

const service = testService()
beforeEach(() => service.reset())

const today = new Date().toISOString().slice(0, 10)
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

async function create(filter: Filter): Promise<string> {
  return idOf(await service.call('admin', 'POST', '/segments', { name: 'Some', filter }))
}

async function history(role: 'support' | 'admin' = 'admin'): Promise<SegmentHistory[]> {
  return (await service.call(role, 'GET', '/segments/history')).body
}

async function waitForCounts(): Promise<void> {
  await vi.waitFor(async () => {
    const list: Segment[] = (await service.call('admin', 'GET', '/segments')).body
    expect(list.every(({ total }) => typeof total === 'number')).toBe(true)
    expect((await history()).every(({ sizes }) => sizes.length > 0)).toBe(true)
  })
}

test('a count that was made for the list is kept as the size of the day', async () => {
  await service.create('steward', '/users', { name: 'Ana' })
  await service.create('steward', '/users', { name: 'Zoë' })
  // Both segments have the same filter, so it is counted once.
  const all = await create({ user: 'name', op: 'exists' })
  const same = await create({ user: 'name', op: 'exists' })
  const ana = await create({ user: 'name', op: 'eq', value: 'Ana' })
  expect(await history()).toEqual([all, same, ana].map((id) => ({ id, sizes: [] })))
  await waitForCounts()
  expect(await history('support')).toEqual([
    { id: all, sizes: [{ day: today, total: 2, users: 2 }] },
    { id: same, sizes: [{ day: today, total: 2, users: 2 }] },
    { id: ana, sizes: [{ day: today, total: 1, users: 2 }] },
  ])
})

test('a later count of the day takes the place of the one before; days long ago go, and the segment takes all along', async () => {
  const id = await create({ user: 'name', op: 'exists' })
  for (const [days, total] of [
    [0, 7],
    [1, 6],
    [89, 5],
    [90, 4],
    [500, 3],
  ])
    await sql`
      insert into segment_sizes (segment_id, day, total, users, sensitive)
      values (${id}, (now() at time zone 'UTC')::date - ${days}::int, ${total}, 9, false)`.execute(
      service.database.sql,
    )
  await keepSize(service.database.sql, { segments: [id, crypto.randomUUID()], total: 8, keys: [] })
  const [answered] = await history()
  expect(answered?.sizes).toEqual([
    { day: dayBefore(89), total: 5, users: 9 },
    { day: dayBefore(1), total: 6, users: 9 },
    { day: today, total: 8, users: 0 },
  ])
  const kept = async () =>
    (
      await sql<{ total: number }>`select total from segment_sizes order by day`.execute(service.database.sql)
    ).rows.map(({ total }) => total)
  expect(await kept()).toEqual([4, 5, 6, 8])
  await service.call('admin', 'DELETE', `/segments/${id}`)
  expect(await kept()).toEqual([])
})

describe('whom a count would tell a sensitive value', () => {
  /** Returns a filter on a value. Each test uses its own value, because counts of equal filters are cached. */
  const asks = (value: string, key = 'iban'): Filter => ({
    entity: 'person',
    where: [{ key, type: 'TEXT', op: 'eq', value }],
  })
  const asksAll: Filter = { user: 'created', op: 'exists' }
  const holder = (value: string, sensitive: boolean, key = 'iban') =>
    service.create('steward', '/users', {
      properties: [{ key, type: 'TEXT', value, sensitive }],
    })
  const replace = async (segment: string, filter: Filter) =>
    expect(
      await service.call('admin', 'PUT', `/segments/${segment}`, { name: 'Some', filter }),
    ).toMatchObject({ status: 204 })
  const totals = async (role: 'support' | 'admin') =>
    (await history(role)).map(({ sizes }) => sizes.map(({ total }) => total))

  test('is told none, not even when nobody has such a property any more', async () => {
    const user = await holder('DE02', true)
    await create(asks('DE02'))
    await waitForCounts()
    for (const step of ['there', 'gone']) {
      if (step === 'gone') await service.call('admin', 'DELETE', `/users/${user}`)
      expect([step, await totals('admin')]).toEqual([step, [[1]]])
      expect([step, await totals('support')]).toEqual([step, [[]]])
      const list: Segment[] = (await service.call('support', 'GET', '/segments')).body
      expect([step, list.map(({ total }) => total)]).toEqual([step, [undefined]])
    }
  })

  test('is told none when the segment asks for something else, nor of one that used it', async () => {
    await holder('DE03', true)
    const segment = await create(asks('DE03'))
    await create({ all: [{ segment }] })
    await waitForCounts()
    await replace(segment, asksAll)
    expect(await totals('admin')).toEqual([[1], [1]])
    expect(await totals('support')).toEqual([[], []])
    // Simulates a count that was still running during the change and is stored only now.
    await keepSize(service.database.sql, {
      segments: [segment],
      total: 7,
      keys: [{ type: 'person', key: 'iban' }],
    })
    expect(await totals('support')).toEqual([[], []])
    await keepSize(service.database.sql, { segments: [segment], total: 8, keys: [] })
    expect(await totals('support')).toEqual([[8], []])
  })

  test('is told none that was counted before the value became sensitive', async () => {
    await holder('DE04', false, 'vat')
    const segment = await create(asks('DE04', 'vat'))
    await create({ not: { segment } })
    await waitForCounts()
    expect(await totals('support')).toEqual([[1], [0]])
    await holder('DE04', true, 'vat')
    expect(await totals('support')).toEqual([[], []])
    await replace(segment, asksAll)
    expect(await totals('support')).toEqual([[], []])
    expect(await totals('admin')).toEqual([[1], [0]])
  })
})

test('a role without segments is refused', async () => {
  expect(await service.call('integrator', 'GET', '/segments/history')).toMatchObject({ status: 403 })
})
