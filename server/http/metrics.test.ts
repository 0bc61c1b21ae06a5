import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { createApi } from '../api/api.ts'
import { testService } from '../testing/hooks.ts'
import { type TestService } from '../testing/service.ts'
import { createApp } from './app.ts'
import { Metrics } from './metrics.ts'

const service: TestService = testService({ allowLoopback: true })
let metrics: Metrics
let app: Awaited<ReturnType<typeof createApp>>
let port: number
beforeEach(async () => {
  await service.reset()
  const { database } = service
  const api = createApi({ database, inviteUrl: 'https://example.org/invitation' })
  metrics = new Metrics(api.figures)
  app = await createApp({
    api,
    metrics,
    authenticate: () => {
      throw new Error('Nobody is known here.')
    },
  })
  port = await metrics.listen(0, '127.0.0.1')
})
afterEach(async () => {
  await metrics.close()
  await app.close()
})

const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method })

/** Reads the metrics as a map from each name with its labels to its number. */
async function readMetrics(): Promise<Record<string, number>> {
  const answer = await ask('/metrics')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

test('requests are told by the template of their route, and by nothing that was in them', async () => {
  await app.inject('/livez')
  await app.inject('/livez')
  await app.inject('/api/users/anna.berg@example.org?segment=anna')
  await app.inject('/anna')
  const found = await readMetrics()
  const count = (method: string, route: string, status: number) =>
    found[`http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`]
  expect(count('GET', '/livez', 200)).toBe(2)
  expect(count('GET', '/api/users/:user_id', 500)).toBe(1)
  expect(count('GET', 'unknown', 404)).toBe(1)
  expect(JSON.stringify(found)).not.toContain('anna')
  expect(found).toHaveProperty('nodejs_eventloop_lag_p99_seconds')
})

test('waiting work is reported with its age, and a store that does not answer is reported as down', async () => {
  expect(await readMetrics()).toMatchObject({
    data_store_up: 1,
    data_store_events_waiting: 0,
    data_store_delivery_lag_seconds: 0,
    data_store_inbox_age_seconds: 0,
    data_store_webhooks_failing: 0,
    data_store_erasures_waiting: 0,
    data_store_counts_waiting: 0,
  })
  const { body } = await service.call('admin', 'POST', '/subscriptions', { url: 'http://127.0.0.1:9/' })
  await service.create('admin', '/users', { name: 'Somebody' })
  const { pool } = service.database
  await pool.query("update event_inbox set eventtime = eventtime - interval '1 minute'")
  expect((await readMetrics())['data_store_inbox_age_seconds']).toBeGreaterThan(59)
  await service.call('admin', 'GET', '/events')
  await pool.query("update deliveries set next = next - interval '1 hour'")
  const { id } = body as { id: string }
  await pool.query('update subscriptions set failures = 1 where id = $1', [id])
  const waiting = await readMetrics()
  expect(waiting).toMatchObject({ data_store_events_waiting: 1, data_store_webhooks_failing: 1 })
  expect(waiting['data_store_delivery_lag_seconds']).toBeGreaterThan(3599)
  // Deliveries to paused webhooks are not due, so none is late.
  await pool.query('update subscriptions set enabled = false')
  expect((await readMetrics())['data_store_delivery_lag_seconds']).toBe(0)

  await pool.query('alter table event_counts rename to elsewhere')
  try {
    expect(await readMetrics()).toMatchObject({ data_store_up: 0, data_store_events_waiting: Number.NaN })
  } finally {
    await pool.query('alter table elsewhere rename to event_counts')
  }
})

test('simultaneous scrapes share one reading, and one that fails is answered and ends nothing', async () => {
  let looks = 0
  const look = Promise.withResolvers<undefined>()
  const failing = new Metrics(async () => {
    looks += 1
    await look.promise
    throw new Error('The store is away.')
  })
  const to = await failing.listen(0, '127.0.0.1')
  // Both requests go out in one write, so that both arrive before either is answered.
  const socket = connect(to, '127.0.0.1')
  let answers = ''
  socket.on('data', (chunk: Buffer) => (answers += chunk.toString()))
  socket.write('GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(2))
  await expect.poll(() => looks).toBe(1)
  look.resolve(undefined)
  await expect.poll(() => answers.match(/^HTTP\/1.1 500/gm)).toHaveLength(2)
  expect(looks).toBe(1)
  socket.destroy()
  expect((await fetch(`http://127.0.0.1:${to}/metrics`)).status).toBe(500)
  expect(looks).toBe(2)
  await failing.close()
})

test('the metrics port answers nothing else', async () => {
  for (const [path, method] of [
    ['/', 'GET'],
    ['/api/users', 'GET'],
    ['/metrics', 'POST'],
  ] as const)
    expect((await ask(path, method)).status).toBe(404)
})

test('every metric that the dashboard and the alerts use is reported', async () => {
  await app.inject('/livez')
  const names = new Set(Object.keys(await readMetrics()).map((name) => name.replace(/\{.*/, '')))
  for (const file of ['dashboard.json', 'operations.md']) {
    const text = readFileSync(path.join(import.meta.dirname, '../../docs', file), 'utf8')
    const queried = new Set(text.match(/\b(?:data_store|http_request|nodejs|process)_[a-z\d_]+[a-z\d]\b/g))
    expect(queried.size).toBeGreaterThan(8)
    for (const name of queried) if (name !== 'http_request_duration_seconds') expect(names).toContain(name)
  }
})
