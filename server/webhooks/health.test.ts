import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { type Subscription, type SubscriptionHealth, dayMs } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startReceiver, type TestReceiver } from '../testing/receiver.ts'
import { Delivering } from './delivery/delivering.ts'
import { Receivers } from './delivery/receiver.ts'

const service = testService({ allowLoopback: true })
let receiver: TestReceiver
let worker: Delivering | undefined

beforeEach(async () => {
  await service.reset()
  receiver = await startReceiver()
})
afterEach(async () => {
  await worker?.stop(0)
  worker = undefined
  await receiver.close()
})

const call = (method: string, path: string, body?: unknown) => service.call('integrator', method, path, body)
const deliver = () => {
  const receivers = new Receivers({ allowLoopback: true })
  worker ??= new Delivering({ database: service.database, receivers, pollMs: 20 })
}
async function subscribe(more: object = {}): Promise<string> {
  const { status, body } = await call('POST', '/subscriptions', { url: receiver.url, ...more })
  expect(status).toBe(200)
  return (body as { id: string }).id
}
const health = async (id: string): Promise<SubscriptionHealth> =>
  (await call('GET', `/subscriptions/${id}/health`)).body
/** Sends this many events, each once. */
async function send(count: number): Promise<void> {
  const before = receiver.received.length
  for (let n = 0; n < count; n++) await service.create('support', '/users', {})
  deliver()
  await vi.waitFor(() => expect(receiver.received).toHaveLength(before + count), { interval: 20 })
}
const insertCounts = async (id: string, succeeded: number, failed: number) =>
  await vi.waitFor(async () => expect(await health(id)).toMatchObject({ succeeded, failed }), {
    interval: 20,
  })

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

test('a webhook that was never tried has thirty days without anything', async () => {
  const { days, ...rest } = await health(await subscribe())
  expect(rest).toEqual({ succeeded: 0, failed: 0 })
  expect(days).toHaveLength(30)
  expect(days[29]).toEqual({ day: expect.any(String), succeeded: 0, failed: 0 })
})

test('attempts are counted on their day, and times of answers to a tenth; without an answer there is no time', async () => {
  const today = Date.now()
  const id = await subscribe()
  receiver.answer = () => 500
  await send(3)
  await insertCounts(id, 0, 3)
  receiver.answer = () => 'drop'
  await send(2)
  await insertCounts(id, 0, 5)
  receiver.answer = async () => {
    await sleep(300)
    return 204
  }
  await send(20)
  await insertCounts(id, 20, 5)
  const { days, p50Ms = 0, p95Ms = 0 } = await health(id)
  const last = days.findLastIndex(({ failed }) => failed > 0)
  // The test may run past midnight.
  expect([dayOf(today), dayOf(Date.now())]).toContain(days[last]?.day)
  expect(days.map(({ day }) => day)).toEqual(
    days.map((_, n) => dayOf(Date.parse(days[29]?.day ?? '') - (29 - n) * dayMs)),
  )
  const { rows } = await sql<{ ms: number }>`
    select ms from delivery_attempts where status is not null order by ms`.execute(service.database.sql)
  const times = rows.map(({ ms }) => ms)
  for (const [ms, share] of [
    [p50Ms, 0.5],
    [p95Ms, 0.95],
  ] as const) {
    const exact = times[Math.ceil(share * times.length) - 1] ?? 0
    expect(ms).toBeGreaterThan(exact * 0.9)
    expect(ms).toBeLessThan(exact * 1.1)
  }
  // The daily counts outlive the attempts, which are deleted earlier.
  await sql`delete from delivery_attempts`.execute(service.database.sql)
  await sql`update subscription_days set day = day - 29`.execute(service.database.sql)
  expect(await health(id)).toMatchObject({ succeeded: 20, failed: 5, p50Ms, p95Ms })
  await sql`update subscription_days set day = day - 2`.execute(service.database.sql)
  expect(await health(id)).toMatchObject({ succeeded: 0, failed: 0 })
})

test('a webhook says since when somebody has paused it, and not that the service stopped it', async () => {
  const read = async (of: string): Promise<Subscription> => (await call('GET', `/subscriptions/${of}`)).body
  const id = await subscribe()
  expect(await read(id)).not.toHaveProperty('pausedSince')
  await call('PATCH', `/subscriptions/${id}`, { enabled: false })
  const { pausedSince = '' } = await read(id)
  expect(Math.abs(Date.parse(pausedSince ?? '') - Date.now())).toBeLessThan(60_000)
  await call('PATCH', `/subscriptions/${id}`, { description: 'Still paused' })
  expect(await read(id)).toMatchObject({ pausedSince })
  await call('PATCH', `/subscriptions/${id}`, { enabled: true })
  expect(await read(id)).not.toHaveProperty('pausedSince')
  receiver.answer = () => 410
  await send(1)
  await vi.waitFor(async () => expect(await read(id)).toMatchObject({ disabled: { reason: 'gone' } }))
  expect(await read(id)).not.toHaveProperty('pausedSince')
  expect(await read(await subscribe({ enabled: false }))).toMatchObject({
    pausedSince: expect.stringMatching(/Z$/),
  })
})

test('only those who manage webhooks are told', async () => {
  const id = await subscribe()
  for (const role of ['support', 'steward'] as const)
    expect((await service.call(role, 'GET', `/subscriptions/${id}/health`)).status).toBe(403)
  expect((await service.call('admin', 'GET', `/subscriptions/${id}/health`)).status).toBe(200)
  expect((await call('GET', '/subscriptions/01900000-0000-7000-8000-000000000000/health')).status).toBe(404)
})
