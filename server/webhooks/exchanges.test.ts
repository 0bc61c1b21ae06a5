import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Attempt, Delivery, Event } from '#contract/index.ts'
import { readStoreKeys } from '../sealing/data-keys.ts'
import { Keyring } from '../sealing/encryption.ts'
import { rewrapAll } from '../sealing/key-rotation.ts'
import { testService } from '../testing/hooks.ts'
import { startReceiver, type TestReceiver } from '../testing/receiver.ts'
import { testKeys } from '../testing/service.ts'
import { Delivering } from './delivery/delivering.ts'
import { Receivers } from './delivery/receiver.ts'
import { openExchange } from './exchanges.ts'

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

/** Creates an event and delivers it once. */
async function deliverOnce(): Promise<{
  subscription: string
  secret: string
  event: string
  attempt: Attempt
}> {
  const { body } = await service.call('integrator', 'POST', '/subscriptions', { url: receiver.url })
  const { id: subscription, secret } = body as { id: string; secret: string }
  await service.create('support', '/users', {})
  const log: Event[] = (await service.call('integrator', 'GET', '/events?type=USER_CREATED')).body
  const event = log[0]?.id ?? ''
  worker ??= new Delivering({
    database: service.database,
    receivers: new Receivers({ allowLoopback: true }),
    pollMs: 20,
  })
  return await vi.waitFor(
    async () => {
      const attempt = (await attemptsOf(event))[0]
      if (!attempt) throw new Error('not yet')
      return { subscription, secret, event, attempt }
    },
    { interval: 20 },
  )
}

async function attemptsOf(
  event: string,
  role: 'integrator' | 'support' | 'steward' | 'admin' = 'integrator',
) {
  const { status, body } = await service.call(role, 'GET', `/events/${event}/attempts`)
  expect(status).toBe(200)
  return (body as Delivery[])[0]?.attempts ?? []
}

const refusal = {
  status: 422,
  headers: {
    'content-type': 'application/json',
    'x-request-id': 'abc',
    'set-cookie': 'session=canary-cookie',
    authorization: 'canary-authorization',
    'x-auth-token': 'canary-token',
  },
  body: '{"message":"canary-answer: no such customer"}',
}

describe('an attempt', () => {
  test('is told of with the last fifty of its subscription, the newest first', async () => {
    const { subscription, attempt } = await deliverOnce()
    await sql`
      insert into delivery_attempts (subscription_id, seq, number, time, ms, status)
      select subscription_id, seq, number + ago, time - ago * interval '1 minute', ms, status
      from delivery_attempts, generate_series(1, 60) as ago`.execute(service.database.sql)
    const { body } = await service.call('integrator', 'GET', `/subscriptions/${subscription}/attempts`)
    const times = (body as Attempt[]).map(({ time }) => Date.parse(time))
    const newestMs = Date.parse(attempt.time)
    expect(times).toEqual(Array.from({ length: 50 }, (_, ago) => newestMs - ago * 60_000))
  })

  test('tells what was sent and answered, without what the answer may hold for us alone', async () => {
    receiver.answer = () => refusal
    const { subscription, secret, event, attempt } = await deliverOnce()
    expect(attempt).toMatchObject({
      status: 422,
      error: 'status',
      request: {
        headers: { 'webhook-id': event, 'content-type': 'application/json', 'user-agent': 'Data-Store' },
      },
      response: {
        headers: { 'content-type': 'application/json', 'x-request-id': 'abc' },
        body: refusal.body,
      },
    })
    expect(attempt.response).not.toHaveProperty('truncated')
    expect(JSON.stringify(attempt)).not.toMatch(/canary-(cookie|authorization|token)/)
    expect(JSON.stringify(attempt)).not.toContain(secret)
    // These are the headers that the receiver got, and a Standard Webhooks library accepts them.
    const [got] = receiver.received
    expect(attempt.request?.headers).toEqual(
      Object.fromEntries(Object.entries(got?.headers ?? {}).filter(([name]) => name !== 'connection')),
    )
    expect(() => new Webhook(secret).verify(got?.text ?? '', attempt.request?.headers ?? {})).not.toThrow()
    const { body } = await service.call('integrator', 'GET', `/subscriptions/${subscription}/attempts`)
    expect(body).toEqual([{ ...attempt, event, type: 'USER_CREATED' }])
  })

  test('keeps the first 4 kB of a long answer, and no half of a character', async () => {
    receiver.answer = () => ({ status: 200, headers: {}, body: `x${'€'.repeat(20_000)}` })
    const { attempt } = await deliverOnce()
    expect(attempt).toMatchObject({
      status: 200,
      response: { body: `x${'€'.repeat(1365)}`, truncated: true },
    })
  })

  test.each([
    ['gzip', 'text/plain', gzipSync('hello'), 'hello'],
    ['x-gzip', 'text/plain', gzipSync('hello'), 'hello'],
    ['br', 'application/json', brotliCompressSync('{"für":1}'), '{"für":1}'],
    ['deflate', 'text/plain', deflateSync('hello'), 'hello'],
    ['deflate', 'text/plain', deflateRawSync('hello'), 'hello'],
    ['zstd', 'text/plain', zstdCompressSync('hello'), 'hello'],
    ['identity', 'text/plain', Buffer.from('hello'), 'hello'],
    ['deflate, GZIP', 'text/plain', gzipSync(deflateSync('hello')), 'hello'],
    ['gzip', 'text/plain', Buffer.from('not compressed'), ''],
    ['gzip', 'text/plain', gzipSync('hello').subarray(0, 12), 'h'],
    ['secret-squeeze', 'text/plain', Buffer.from([1, 2, 255]), ''],
    [undefined, 'text/plain; charset=iso-8859-1', Buffer.from('für', 'latin1'), 'für'],
    [undefined, 'text/plain;charset="windows-1251"', Buffer.from([0xcf, 0xf0, 0xe8]), 'При'],
    [undefined, 'text/plain; charset=Shift_JIS', Buffer.from([0x93, 0xfa]), '日'],
    [undefined, 'text/plain; charset=utf-16', Buffer.from('für', 'utf16le'), 'für'],
    [undefined, 'text/html; charset=no-such', Buffer.from('hello'), 'hello'],
    [undefined, 'text/html; charset=no-such', Buffer.from('für', 'latin1'), ''],
    [undefined, 'application/octet-stream', Buffer.from([0xff, 0xfe, 0xfd, 0x80]), ''],
    [undefined, 'text/plain', Buffer.from('für', 'latin1'), ''],
    [undefined, 'text/plain', Buffer.from('a\0b'), ''],
    ['gzip', 'text/plain; charset=iso-8859-1', gzipSync(Buffer.from('für', 'latin1')), 'für'],
  ])('is read by its encoding %s and its type %s', async (encoding, type, body, read) => {
    receiver.answer = () => ({
      status: 200,
      headers: { 'content-type': type, ...(encoding !== undefined && { 'content-encoding': encoding }) },
      body,
    })
    const { attempt } = await deliverOnce()
    expect(attempt.response?.body).toBe(read)
  })

  test('that is compressed is unpacked no further than it is kept', async () => {
    receiver.answer = () => ({
      status: 200,
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(50_000_000, 'x')),
    })
    const { attempt } = await deliverOnce()
    expect(attempt).toMatchObject({ status: 200, response: { body: 'x'.repeat(4096), truncated: true } })
  })

  test('that nobody answered tells what was sent', async () => {
    receiver.answer = () => 'drop'
    const { attempt, event } = await deliverOnce()
    expect(attempt).toMatchObject({ error: 'connection', request: { headers: { 'webhook-id': event } } })
    expect(attempt).not.toHaveProperty('response')
  })

  test('is told in full to those alone who manage webhooks', async () => {
    receiver.answer = () => refusal
    const { event, attempt } = await deliverOnce()
    for (const role of ['support', 'steward'] as const) {
      const [seen] = await attemptsOf(event, role)
      const { request: _request, response: _response, ...rest } = attempt
      expect(seen).toEqual(rest)
    }
    expect(await attemptsOf(event, 'admin')).toEqual([attempt])
  })

  test('is sealed where it is stored, for its place, and opens after the master key was replaced', async () => {
    receiver.answer = () => refusal
    const { subscription, event, attempt } = await deliverOnce()
    const { sql: database } = service.database
    const { rows } = await sql<{ row: string; sealed: string; seq: number }>`
      select a::text as row, encode(sealed, 'escape') as bytes, encode(sealed, 'base64') as sealed, seq
      from delivery_attempts a`.execute(database)
    expect(JSON.stringify(rows)).not.toMatch(/canary|webhook-id/)
    const key = { id: 'next', key: Buffer.from(Array.from({ length: 32 }, (_, n) => (n * 97 + 131) % 256)) }
    await rewrapAll(database, new Keyring([key, ...testKeys]))
    const { indexKey } = await readStoreKeys(database, new Keyring([key]))
    const place = { subscription, seq: rows[0]?.seq ?? -1, time: attempt.time }
    expect(openExchange(indexKey, place, rows[0]?.sealed ?? '')).toEqual({
      request: attempt.request,
      response: attempt.response,
    })
    await rewrapAll(database, new Keyring([...testKeys, key]))
    await sql`update delivery_attempts set time = time + interval '1 second'`.execute(database)
    expect((await attemptsOf(event))[0]).not.toHaveProperty('response')
  })
})
