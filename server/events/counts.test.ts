import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Endpoints, Reply } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startTestService } from '../testing/service.ts'

const service = testService()
beforeEach(() => service.reset())

type Series = Reply<Endpoints['countEvents']>['series']

const ask = async (query: string) => await service.call('integrator', 'GET', `/events/counts?${query}`)
async function counts(query: string): Promise<Series> {
  const { status, body } = await ask(query)
  expect(status).toBe(200)
  return (body as { series: Series }).series
}
/** Returns the total of each span as `[start, total]`. */
const totals = async (query: string) =>
  (await counts(query)).map(({ start, types }) => [start, Object.values(types).reduce((a, b) => a + b, 0)])

/** Inserts events with these times. */
async function addEvents(type: string, ...times: string[]): Promise<void> {
  await sql`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), time, ${type}, '{}' from unnest(${times}::timestamp[]) given (time)`.execute(
    service.database.sql,
  )
}

describe('the counts of events', () => {
  test('are those of each hour by type and state, and of what was written just now', async () => {
    await addEvents('A', '2024-03-01 09:59:59.999', '2024-03-01 10:00:00', '2024-03-01 10:30:00')
    await addEvents('B', '2024-03-01 10:59:59.999')
    expect(await counts('by=hour')).toEqual([
      {
        start: '2024-03-01T09:00:00.000Z',
        types: { A: 1 },
        states: { delivered: 0, waiting: 0, failed: 0, none: 1 },
      },
      {
        start: '2024-03-01T10:00:00.000Z',
        types: { A: 2, B: 1 },
        states: { delivered: 0, waiting: 0, failed: 0, none: 3 },
      },
    ])
    await addEvents('A', '2024-03-01 09:10:00')
    expect(await totals('by=hour&type=A')).toEqual([
      ['2024-03-01T09:00:00.000Z', 2],
      ['2024-03-01T10:00:00.000Z', 2],
    ])
  })

  test('are summed to days, weeks that begin on Monday, and months', async () => {
    await addEvents('A', '2024-02-29 23:59', '2024-03-01 00:00', '2024-03-03 23:00', '2024-03-04 00:00')
    expect(await totals('by=day')).toEqual([
      ['2024-02-29T00:00:00.000Z', 1],
      ['2024-03-01T00:00:00.000Z', 1],
      ['2024-03-03T00:00:00.000Z', 1],
      ['2024-03-04T00:00:00.000Z', 1],
    ])
    expect(await totals('')).toEqual(await totals('by=day'))
    expect(await totals('by=week')).toEqual([
      ['2024-02-26T00:00:00.000Z', 3],
      ['2024-03-04T00:00:00.000Z', 1],
    ])
    expect(await totals('by=month')).toEqual([
      ['2024-02-01T00:00:00.000Z', 1],
      ['2024-03-01T00:00:00.000Z', 3],
    ])
  })

  test('are of the days of a zone, also of those on which clocks change', async () => {
    await addEvents('A', '2024-03-30 22:00', '2024-03-30 23:00', '2024-03-31 21:00', '2024-03-31 22:00')
    const days = [
      ['2024-03-29T23:00:00.000Z', 1],
      ['2024-03-30T23:00:00.000Z', 2],
      ['2024-03-31T22:00:00.000Z', 1],
    ]
    expect(await totals('by=day&tz=Europe/Berlin')).toEqual(days)
    expect(await totals('by=month&tz=Europe/Berlin')).toEqual([
      ['2024-02-29T23:00:00.000Z', 3],
      ['2024-03-31T22:00:00.000Z', 1],
    ])
  })

  test('hold to a span of time, to the hour', async () => {
    await addEvents('A', '2024-03-01 09:59', '2024-03-01 10:05', '2024-03-01 10:55', '2024-03-01 11:00')
    expect(await totals('by=hour&from=2024-03-01T11:30:00%2B01:00&to=2024-03-01T11:00:00Z')).toEqual([
      ['2024-03-01T10:00:00.000Z', 2],
    ])
    expect(await totals('from=2024-03-02T00:00:00Z')).toEqual([])
    expect(await totals('type=')).toEqual([])
    expect(await totals('from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59-14:00&by=month')).toHaveLength(1)
  })

  test('are filtered by the state of deliveries, as the events are', async () => {
    await addEvents('A', '2024-03-01 09:00', '2024-03-01 10:00', '2024-03-02 10:00')
    await addEvents('B', '2024-03-01 11:00')
    // Assign positions first, then move some counts to another delivery state.
    await totals('')
    await sql`update event_counts set failed = none, none = 0 where hour < '2024-03-01 11:00'`.execute(
      service.database.sql,
    )
    expect(await counts('delivery=failed')).toEqual([
      {
        start: '2024-03-01T00:00:00.000Z',
        types: { A: 2 },
        states: { delivered: 0, waiting: 0, failed: 2, none: 0 },
      },
    ])
    expect(await totals('delivery=none')).toEqual([
      ['2024-03-01T00:00:00.000Z', 1],
      ['2024-03-02T00:00:00.000Z', 1],
    ])
    expect(await totals('delivered=false')).toEqual(await totals(''))
    expect(await totals('delivered=true')).toEqual([])
    expect(await totals('delivered=true&delivery=failed')).toEqual([])
  })

  test.each([
    ['by=minute', 'by'],
    ['tz=Mars/Olympus', 'tz'],
    ['tz=%2B02:00', 'tz'],
    ['from=yesterday', 'from'],
    ['delivery=lost', 'delivery'],
  ])('are refused for %s', async (query, parameter) => {
    const { status, body } = await ask(query)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter }] })
  })

  test('need events:read, and are no part of the bare document', async () => {
    const token = await service.sign({ sub: 'script', scope: 'users:read' })
    const headers = { authorization: `Bearer ${token}` }
    expect((await service.fetch(`${service.baseUrl}/events/counts`, { headers })).status).toBe(403)
    const bare = await startTestService({ additions: 'none' })
    expect((await bare.call('integrator', 'GET', '/events/counts')).status).toBe(404)
    await bare.close()
  })
})
