import { beforeAll, expect, test } from 'vitest'

import {
  recentAttempts,
  type Attempt,
  type Event,
  type Subscription,
  type SubscriptionHealth,
} from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { insertSampleWebhooks } from './sample-webhooks.ts'
import { makeSampleData } from './sample.ts'

const service = testService()
let isFilled: boolean
let webhooks: Subscription[]
beforeAll(async () => {
  await service.reset()
  isFilled = await makeSampleData(service.database, 400, () => {})
  await insertSampleWebhooks(service.database, new Date())
  webhooks = (await service.call('admin', 'GET', '/subscriptions')).body
})

const attemptsOf = async (webhook: Subscription | undefined): Promise<Attempt[]> =>
  (await service.call('admin', 'GET', `/subscriptions/${webhook?.id}/attempts`)).body

test('one of the webhooks works: what it is for has arrived', async () => {
  const [works] = webhooks
  expect(works).toMatchObject({ enabled: true, waiting: 0, types: ['SENSITIVE_DATA_CHECKED'] })
  expect(works).not.toHaveProperty('lastFailure')
  const attempts = await attemptsOf(works)
  expect(attempts.length).toBeGreaterThan(2)
  expect(attempts[0]?.time).toBe(works?.lastSuccess)
  for (const attempt of attempts) expect(attempt).toMatchObject({ number: 1, status: 204 })
  const { body } = await service.call('admin', 'GET', '/events?type=SENSITIVE_DATA_CHECKED&delivered=true')
  // How many checks lie in the webhook's life depends on the day that the sample is made.
  expect(attempts.length).toBe(Math.min((body as Event[]).length, recentAttempts))
})

test('the other one was stopped, by attempts that take as long as those of the service do', async () => {
  const [, fails, ...more] = webhooks
  expect(more).toEqual([])
  expect(fails).toMatchObject({ enabled: false, waiting: 0, disabled: { reason: 'exhausted' } })
  const attempts = await attemptsOf(fails)
  expect(attempts.map(({ number }) => number)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  expect(attempts.every(({ error }) => error === 'connection' || error === 'timeout')).toBe(true)
  expect(attempts[0]?.time).toBe(fails?.lastFailure)
})

test('both say that they are samples', () => {
  for (const { description } of webhooks) expect(description).toMatch(/^Sample – /)
})

test('both show how they fared of late', async () => {
  const health = async (webhook: Subscription | undefined): Promise<SubscriptionHealth> =>
    (await service.call('admin', 'GET', `/subscriptions/${webhook?.id}/health`)).body
  const [works, fails] = webhooks
  expect(await health(works)).toMatchObject({
    succeeded: expect.any(Number),
    failed: 0,
    p50Ms: expect.any(Number),
  })
  expect(await health(fails)).toMatchObject({ succeeded: 0, failed: 10 })
})

test('both are on this machine, where nothing listens, and nothing is about to be sent', async () => {
  for (const { url } of webhooks) expect(new URL(url).hostname).toBe('localhost')
  const { rows } = await service.database.pool.query(`select 1 from deliveries where state = 'waiting'`)
  expect(rows).toEqual([])
})

test('only a new store gets a sample', async () => {
  expect(isFilled).toBe(true)
  expect(await makeSampleData(service.database, 400, () => {})).toBe(false)
})
