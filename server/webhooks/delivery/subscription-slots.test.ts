import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import { numberEvents } from '../../events/storage.ts'
import { testService } from '../../testing/hooks.ts'
import { startReceiver, type TestReceiver } from '../../testing/receiver.ts'
import { Delivering } from './delivering.ts'
import { claimDeliveries } from './queue.ts'
import { Receivers } from './receiver.ts'
import { maxConcurrent, restMsAmong } from './subscription-slots.ts'

const service = testService({ allowLoopback: true })
beforeEach(() => service.reset())

async function receiver(answer: TestReceiver['answer'] = () => 200): Promise<TestReceiver> {
  const started = await startReceiver(answer)
  onTestFinished(() => started.close())
  const { status } = await service.call('admin', 'POST', '/subscriptions', { url: started.url })
  expect(status).toBe(200)
  return started
}

test('ten receivers that hang until they are given up do not keep one that answers waiting', async () => {
  const hanging = await Promise.all(Array.from({ length: 10 }, () => receiver(() => 'silence')))
  const answering = await receiver()
  for (let n = 0; n < 40; n++) await service.call('support', 'POST', '/users', {})
  const receivers = new Receivers({ allowLoopback: true, answerMs: 600_000, wholeMs: 600_000 })
  const delivering = new Delivering({ database: service.database, receivers })
  onTestFinished(() => delivering.stop(0))
  await vi.waitFor(() => expect(answering.received).toHaveLength(40), { timeout: 60_000, interval: 20 })
  for (const { received } of hanging) expect(received.length).toBeLessThanOrEqual(maxConcurrent)
})

test('a pause grows with the receivers that accept, and not with those that fail or hang', () => {
  const [accepts, fails] = [{ isWell: true }, { isWell: false }]
  expect(restMsAmong([accepts, accepts, accepts])).toBe(3 * restMsAmong([accepts]))
  expect(restMsAmong([accepts, ...Array.from({ length: 10 }, () => fails)])).toBe(restMsAmong([accepts]))
  expect(restMsAmong([fails])).toBe(restMsAmong([accepts]))
})

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
