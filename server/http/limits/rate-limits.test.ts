import { beforeAll, describe, expect, test } from 'vitest'

import type { Problem } from '#contract/index.ts'
import { testService } from '../../testing/hooks.ts'
import type { TestAnswer } from '../../testing/service.ts'

const service = testService({ rateLimit: 10 })
let user: string
beforeAll(async () => {
  user = await service.create('admin', '/users', {})
})

/** Sends all requests at once, so that they fall into one second even on a slow machine. */
const several = (count: number, send: () => Promise<TestAnswer>) =>
  Promise.all(Array.from({ length: count }, send))
const statuses = (answers: readonly TestAnswer[]) =>
  [...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b)
const nobody = undefined
const get = (path: string, authorization?: string) =>
  service.call(nobody, 'GET', path, nobody, authorization === undefined ? {} : { authorization })

/** Waits for as long as a refusal demands. */
async function patiently(answer: TestAnswer): Promise<void> {
  const seconds = Number(answer.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(5)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}

describe('a caller who asks too often', () => {
  test('is refused until the time that the answer gives, and nobody else is', async () => {
    const answers = await several(60, () => service.call('support', 'GET', '/users'))
    expect(statuses(answers)).toEqual([200, 429])
    const refused = answers.find(({ status }) => status === 429) as TestAnswer
    expect(refused.body as Problem).toMatchObject({ status: 429, code: 'too_many_requests' })
    expect((refused.body as Problem).detail).toContain('10 requests a second')
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'content-type': 'application/json;charset=UTF-8',
      'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
    })
    expect((await service.call('integrator', 'GET', '/events')).status).toBe(200)
    await patiently(refused)
    expect((await service.call('support', 'GET', '/users')).status).toBe(200)
  })

  test('is refused after a pause, so that asking again at once gains nothing', async () => {
    const timed = async () => {
      const began = performance.now()
      const { status } = await service.call('integrator', 'GET', '/events')
      return { status, tookMs: performance.now() - began }
    }
    const answers = await Promise.all(Array.from({ length: 40 }, timed))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    expect(Math.min(...refused.map(({ tookMs }) => tookMs))).toBeGreaterThan(45)
  })

  test('is counted by the subject, not by the token', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 60 }, (_, at) => service.sign({ sub: 'one', role: 'admin', jti: String(at) })),
    )
    const answers = await Promise.all(tokens.map((token) => get('/users', `Bearer ${token}`)))
    expect(statuses(answers)).toEqual([200, 429])
  })

  test('may tell a script of another origin when to come back', async () => {
    const origin = 'https://console.example.org'
    const answers = await several(60, () => service.call('steward', 'GET', '/users', undefined, { origin }))
    const refused = answers.find(({ status }) => status === 429) as TestAnswer
    expect(refused.headers.get('access-control-allow-origin')).toBe(origin)
    expect(refused.headers.get('access-control-expose-headers')).toContain('Retry-After')
  })
})

test('sensitive values are to be had less often than what comes without them', async () => {
  const token = `Bearer ${await service.sign({ sub: 'reader', role: 'steward' })}`
  const masked = await several(9, () => get(`/users/${user}/entities?sensitive=masked`, token))
  expect(statuses(masked)).toEqual([200])
  const other = `Bearer ${await service.sign({ sub: 'other reader', role: 'steward' })}`
  const opened = await several(9, () => get(`/users/${user}/entities`, other))
  expect(statuses(opened)).toEqual([200, 429])
  // Reads by callers who may not see sensitive values do not count toward the limit for these.
  const support = `Bearer ${await service.sign({ sub: 'no reader', role: 'support' })}`
  expect(statuses(await several(9, () => get(`/users/${user}/entities`, support)))).toEqual([200])
})

test('many refused tokens are told to wait, and a valid one from the same address is not', async () => {
  const answers = await several(60, () => get('/users', 'Bearer garbage'))
  expect(statuses(answers)).toEqual([401, 429])
  expect((await service.call('admin', 'GET', '/users')).status).toBe(200)
})

test('a page with sixty files is served at once, and what supervises the service always', async () => {
  expect(statuses(await several(60, () => get('/datatypes')))).toEqual([200])
  const [flood, health] = await Promise.all([
    several(400, () => get('/datatypes')),
    several(400, () => get('/../livez')),
  ])
  expect(statuses(flood)).toEqual([200, 429])
  expect(statuses(health)).toEqual([200])
})
