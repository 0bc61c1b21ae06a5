import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import { numberEvents } from '../../events/storage.ts'
import { testService } from '../../testing/hooks.ts'
import { startReceiver, type TestReceiver } from '../../testing/receiver.ts'
import { Delivering } from './delivering.ts'
import { claimDeliveries } from './queue.ts'
import { Receivers } from './receiver.ts'

const service = testService({ allowLoopback: true })
beforeEach(() => service.reset())

async function receiver(answer: TestReceiver['answer'] = () => 200): Promise<TestReceiver> {
  const started = await startReceiver(answer)
  onTestFinished(() => started.close())
  const { status } = await service.call('admin', 'POST', '/subscriptions', { url: started.url })
  expect(status).toBe(200)
  return started
}

/** Returns the time within which nine of ten events reach a receiver while other requests keep the service busy. */
async function lagMs(to: TestReceiver, events = 60): Promise<number> {
  const answered = new Map<string, number>()
  let isOver = false
  const readers = Array.from({ length: 4 }, async () => {
    while (!isOver) await service.call('support', 'GET', '/users')
  })
  for (let n = 0; n < events; n++) {
    const { headers } = await service.call('support', 'POST', '/users', {})
    answered.set(headers.get('location')?.split('/').at(-1) ?? '', Date.now())
    await sleep(50)
  }
  await vi.waitFor(() => expect(to.received).toHaveLength(events), { timeout: 60_000, interval: 20 })
  isOver = true
  await Promise.all(readers)
  const lags = to.received.map(({ text, at }) => {
    const { data } = JSON.parse(text) as { data: { user: string } }
    return at - (answered.get(data.user) ?? 0)
  })
  return lags.toSorted((x, y) => x - y)[events * 0.9] ?? 0
}

const deliver = () => {
  const receivers = new Receivers({ allowLoopback: true })
  const delivering = new Delivering({ database: service.database, receivers })
  onTestFinished(() => delivering.stop(0))
}

test.each([
  ['hang until they are given up', () => 'silence' as const],
  ['fail', () => 500],
])(
  'ten receivers that %s do not delay one that answers',
  async (_, answer) => {
    deliver()
    const alone = await receiver()
    const aloneMs = await lagMs(alone)
    await service.reset()
    for (let n = 0; n < 10; n++) await receiver(answer)
    const amongMs = await lagMs(await receiver())
    expect(amongMs).toBeLessThan(3 * aloneMs)
  },
  180_000,
)

test('webhooks share the overall limit evenly, and each has at least two attempts of its own', async () => {
  for (let n = 0; n < 3; n++) await receiver()
  for (let n = 0; n < 10; n++) await service.call('support', 'POST', '/users', {})
  const { sql } = service.database
  await numberEvents(sql)
  const claimed = async (inAll: number) => {
    const limits = { room: new Map(), otherwise: 32, atLeast: 2, inAll }
    const claims = await claimDeliveries(sql, { ...limits, lookbackMs: 60_000, leaseMs: 60_000 })
    return Object.values(Object.groupBy(claims, (claim) => claim.subscription)).map((each) => each?.length)
  }
  expect(await claimed(12)).toEqual([4, 4, 4])
  expect(await claimed(0)).toEqual([2, 2, 2])
  expect(await claimed(512)).toEqual([4, 4, 4])
})
