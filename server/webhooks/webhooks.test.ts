import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import {
  type Delivery,
  endpoints,
  type Event,
  managementTypes,
  type Subscription,
  webhookEndpoints,
} from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startReceiver, type TestReceiver } from '../testing/receiver.ts'
import { startTestService } from '../testing/service.ts'
import { Delivering } from './delivery/delivering.ts'
import { Receivers } from './delivery/receiver.ts'

const service = testService({ allowLoopback: true })
let receiver: TestReceiver
let worker: Delivering | undefined
beforeAll(async () => {
  receiver = await startReceiver()
})
beforeEach(async () => {
  await service.reset()
  receiver.received.length = 0
  receiver.answer = () => 200
})
afterEach(async () => {
  await worker?.stop(0)
  worker = undefined
})
afterAll(() => receiver.close())

const call = (method: string, path: string, body?: unknown) => service.call('integrator', method, path, body)
const deliver = () => {
  const receivers = new Receivers({ allowLoopback: true })
  worker = new Delivering({ database: service.database, receivers, pollMs: 20 })
}
async function subscribe(more: object = {}): Promise<{ id: string; secret: string }> {
  const { status, body } = await call('POST', '/subscriptions', { url: receiver.url, ...more })
  expect(status).toBe(200)
  return body
}
const get = async (id: string): Promise<Subscription> => (await call('GET', `/subscriptions/${id}`)).body
const createUser = () => service.call('support', 'POST', '/users', {})
/** Returns the events that are sent to webhooks. */
async function events(): Promise<Event[]> {
  const all: Event[] = (await call('GET', '/events')).body
  return all.filter(({ type }) => !managementTypes.some((each) => each === type))
}
const deliveries = async (event: string): Promise<Delivery[]> =>
  (await call('GET', `/events/${event}/attempts`)).body
const unknown = '01900000-0000-7000-8000-000000000000'

describe('a subscription', () => {
  test('is made, listed, read, changed and deleted; its secret is told once', async () => {
    const first = await subscribe({ types: ['USER_CREATED'], description: 'Billing' })
    const second = await subscribe({ url: 'https://EXAMPLE.org:443/a b' })
    expect(first.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(second.secret).not.toBe(first.secret)
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
    const common = { enabled: true, created, updated: created, waiting: 0 }
    const rows = [
      { ...common, id: first.id, url: receiver.url, types: ['USER_CREATED'], description: 'Billing' },
      { ...common, id: second.id, url: 'https://example.org/a%20b' },
    ]
    expect((await call('GET', '/subscriptions')).body).toEqual(rows)
    expect(await get(first.id)).toEqual(rows[0])

    const patched = await call('PATCH', `/subscriptions/${first.id}`, {
      url: 'https://example.org/',
      types: null,
      description: null,
      enabled: false,
    })
    expect(patched.status).toBe(204)
    expect(await get(first.id)).toEqual({
      ...common,
      id: first.id,
      url: 'https://example.org/',
      enabled: false,
      pausedSince: expect.stringMatching(/Z$/),
    })
    await call('PATCH', `/subscriptions/${second.id}`, {
      types: ['USER_DELETED'],
    })
    expect(await get(second.id)).toMatchObject({ url: 'https://example.org/a%20b', types: ['USER_DELETED'] })

    expect((await call('DELETE', `/subscriptions/${first.id}`)).status).toBe(204)
    expect((await call('GET', '/subscriptions')).body).toMatchObject([{ id: second.id }])
  })

  test('that stays as it is keeps its time; that is changed has a new one', async () => {
    const { id } = await subscribe({ types: ['USER_CREATED', 'USER_DELETED'] })
    const { updated } = await get(id)
    await call('PATCH', `/subscriptions/${id}`, { url: receiver.url, enabled: true })
    expect((await get(id)).updated).toBe(updated)
    await vi.waitFor(async () => {
      await call('PATCH', `/subscriptions/${id}`, { description: String(performance.now()) })
      expect((await get(id)).updated).not.toBe(updated)
    })
  })

  test.each([
    [{}, '/url', 'invalid'],
    [{ url: 'example.org' }, '/url', 'invalid'],
    [{ url: 'ftp://example.org/' }, '/url', 'scheme'],
    [{ url: 'FTP://example.org/' }, '/url', 'scheme'],
    [{ url: 'ws://example.org/' }, '/url', 'scheme'],
    [{ url: 'file:///etc/passwd' }, '/url', 'scheme'],
    [{ url: 'mailto:ana@example.org' }, '/url', 'scheme'],
    [{ url: 'javascript:alert(1)' }, '/url', 'scheme'],
    [{ url: 'localhost:8080' }, '/url', 'scheme'],
    [{ url: '//example.org/' }, '/url', 'invalid'],
    [{ url: 'https://' }, '/url', 'invalid'],
    [{ url: `https://example.org/${'x'.repeat(2000)}` }, '/url', 'invalid'],
    [{ url: 'http://example.org/' }, '/url', 'scheme'],
    [{ url: 'https://user:password@example.org/' }, '/url', 'credentials'],
    [{ url: 'https://example.org/#part' }, '/url', 'fragment'],
    [{ url: 'https://10.0.0.1/' }, '/url', 'forbidden_address'],
    [{ url: 'https://[fd00::1]/' }, '/url', 'forbidden_address'],
    [{ url: 'https://0xa9fea9fe/latest/meta-data' }, '/url', 'forbidden_address'],
    [{ url: 'https://example.org/', types: [] }, '/types', 'invalid'],
    [{ url: 'https://example.org/', types: ['USER_CREATED', 'USER_CREATED'] }, '/types', 'invalid'],
    [{ url: 'https://example.org/', types: ['WEBHOOK_TEST'] }, '/types/0', 'invalid'],
    [{ url: 'https://example.org/', types: ['SUBSCRIPTION_DELETED'] }, '/types/0', 'invalid'],
    [{ url: 'https://example.org/', secret: 'mine' }, '/secret', 'unknown_field'],
  ])('is refused as %o', async (body, pointer, code) => {
    const answer = await call('POST', '/subscriptions', body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'validation', errors: [{ pointer, code }] })
    expect((await call('GET', '/subscriptions')).body).toEqual([])
  })

  test('is not pointed at this machine unless that is allowed', async () => {
    const strict = await startTestService()
    for (const url of ['https://127.0.0.1/', 'https://localhost/', 'https://[::1]:8443/'])
      expect((await strict.call('admin', 'POST', '/subscriptions', { url })).body).toMatchObject({
        errors: [{ pointer: '/url', code: 'forbidden_address' }],
      })
    expect((await strict.call('admin', 'POST', '/subscriptions', { url: receiver.url })).body).toMatchObject({
      errors: [{ pointer: '/url', code: 'scheme' }],
    })
    await strict.close()
    const { id } = await subscribe()
    const moved = await call('PATCH', `/subscriptions/${id}`, { url: 'http://10.0.0.1/' })
    expect(moved.body).toMatchObject({ errors: [{ pointer: '/url', code: 'scheme' }] })
    expect(await get(id)).toMatchObject({ url: receiver.url })
  })

  test('gets what happens while it is enabled, of its types, and nothing of before', async () => {
    await createUser()
    const [all, some, paused] = [
      await subscribe(),
      await subscribe({ types: ['USER_DELETED'] }),
      await subscribe({ enabled: false }),
    ]
    await createUser()
    const waiting = async () =>
      ((await call('GET', '/subscriptions')).body as Subscription[]).map((row) => row.waiting)
    expect(await waiting()).toEqual([0, 0, 0])
    const [before, after] = await events()
    expect(await waiting()).toEqual([1, 0, 0])
    expect(await deliveries(before?.id ?? '')).toEqual([])
    expect(await deliveries(after?.id ?? '')).toMatchObject([{ subscription: all.id, state: 'waiting' }])
    expect((await get(all.id)).waitingSince).toBe(after?.eventtime)

    await createUser()
    await call('PATCH', `/subscriptions/${all.id}`, { enabled: false })
    await call('PATCH', `/subscriptions/${some.id}`, { types: ['USER_CREATED'] })
    await call('PATCH', `/subscriptions/${paused.id}`, { enabled: true })
    await createUser()
    await events()
    // The third user was created before the changes, so the settings before them apply whenever the log is read.
    expect(await waiting()).toEqual([2, 1, 1])
  })

  test('that is deleted is gone at once; what a process left of it goes when the next one starts', async () => {
    const { id } = await subscribe()
    await createUser()
    const [event] = await events()
    await sql`update subscriptions set deleted = now() at time zone 'UTC', enabled = false`.execute(
      service.database.sql,
    )
    expect((await call('GET', '/subscriptions')).body).toEqual([])
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { enabled: true }],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret', {}],
    ] as const)
      expect((await call(method, `/subscriptions/${id}${path}`, body)).status).toBe(404)
    expect(await deliveries(event?.id ?? '')).toEqual([])
    deliver()
    await vi.waitFor(async () => {
      const { rows } =
        await sql`select id from subscriptions union all select subscription_id from deliveries`.execute(
          service.database.sql,
        )
      expect(rows).toEqual([])
    })
  })

  test('that the service has stopped says why until somebody decides otherwise', async () => {
    const { id } = await subscribe()
    const stop = () =>
      sql`update subscriptions set enabled = false, disabled_reason = 'gone', disabled = now() at time zone 'UTC', failures = 3`.execute(
        service.database.sql,
      )
    await stop()
    const disabled = { reason: 'gone', since: expect.stringMatching(/^\d{4}.*\.\d{3}Z$/) }
    expect(await get(id)).toMatchObject({ enabled: false, disabled })
    await call('PATCH', `/subscriptions/${id}`, { description: 'Somebody has been told' })
    expect(await get(id)).toMatchObject({ enabled: false, disabled })
    await call('PATCH', `/subscriptions/${id}`, { enabled: true })
    expect(await get(id)).not.toHaveProperty('disabled')
    await call('PATCH', `/subscriptions/${id}`, { enabled: false })
    expect(await get(id)).not.toHaveProperty('disabled')
  })

  test('is not there for who asks for none, whatever is asked', async () => {
    for (const id of [unknown, 'no-uuid', '%00'])
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', {}],
        ['DELETE', ''],
        ['POST', '/test'],
        ['POST', '/rotate-secret', {}],
        ['GET', '/attempts'],
        ['POST', '/recover', { since: '2024-03-01T00:00:00Z' }],
      ] as const) {
        const answer = await call(method, `/subscriptions/${id}${path}`, body)
        expect({ method, path, status: answer.status }).toEqual({ method, path, status: 404 })
        expect(answer.body).toMatchObject({ code: 'subscription_not_found' })
      }
  })

  test('deleted and changed at once is deleted, once', async () => {
    const { id } = await subscribe()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 3 === 0
          ? call('DELETE', `/subscriptions/${id}`)
          : n % 3 === 1
            ? call('PATCH', `/subscriptions/${id}`, { description: String(n) })
            : call('POST', `/subscriptions/${id}/rotate-secret`, {}),
      ),
    )
    const deleted = answers.filter((_, n) => n % 3 === 0).map(({ status }) => status)
    expect(deleted.toSorted((one, other) => one - other)).toEqual([204, 404, 404, 404])
    expect(answers.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([])
    expect((await call('GET', '/subscriptions')).body).toEqual([])
  })

  test('is one of a hundred at most, also of those that are made at once', async () => {
    const before = ((await call('GET', '/subscriptions')).body as unknown[]).length
    const url = 'https://example.org/hooks'
    const create = async () => {
      // On a busy machine one of these concurrent requests may wait past its time limit and be refused with 503.
      for (;;) {
        const answer = await call('POST', '/subscriptions', { url })
        if (answer.status !== 503) return answer
      }
    }
    const made = await Promise.all(Array.from({ length: 110 - before }, create))
    const refused = made.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(10)
    expect(refused[0]).toMatchObject({ status: 422, body: { code: 'too_many_subscriptions' } })
    const all = (await call('GET', '/subscriptions')).body as { id: string }[]
    expect(all).toHaveLength(100)
    for (const { id } of all) await call('DELETE', `/subscriptions/${id}`)
  })

  test('is deleted with all that it has, however much that is', async () => {
    const [{ id }, other] = [await subscribe(), await subscribe()]
    for (const each of [id, other.id])
      await sql`insert into deliveries (subscription_id, seq) select ${each}, n from generate_series(1, 12000) n`.execute(
        service.database.sql,
      )
    expect((await call('DELETE', `/subscriptions/${id}`)).status).toBe(204)
    expect((await call('GET', '/subscriptions')).body).toMatchObject([{ id: other.id, waiting: 12_000 }])
  })

  test('is for those alone who may manage webhooks; who reads events reads how they were delivered', async () => {
    for (const role of ['support', 'steward'] as const)
      for (const [name, { method, path }] of Object.entries(webhookEndpoints)) {
        const address = path.replaceAll(/\{\w+\}/g, unknown)
        const { status } = await service.call(role, method, address, method === 'GET' ? undefined : {})
        expect({ name, status }).toEqual({ name, status: name === 'listDeliveries' ? 404 : 403 })
      }
    expect(Object.keys(endpoints)).toEqual(expect.arrayContaining(Object.keys(webhookEndpoints)))
  })
})

describe('a secret', () => {
  const verifies = (secret: string) => {
    const { text, headers } = receiver.received.at(-1) ?? { text: '', headers: {} }
    try {
      return new Webhook(secret).verify(text, headers as Record<string, string>) !== undefined
    } catch {
      return false
    }
  }
  const delivered = async () => {
    const before = receiver.received.length
    await createUser()
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(before))
  }

  test('is rotated without a gap: receivers with the old one and with the new one both verify, then the new one', async () => {
    const { id, secret } = await subscribe()
    deliver()
    await delivered()
    expect(verifies(secret)).toBe(true)
    const { status, body } = await call('POST', `/subscriptions/${id}/rotate-secret`, { hours: 0.5 })
    const { secret: next, previousSecretUntil: until } = body as {
      secret: string
      previousSecretUntil: string
    }
    expect(status).toBe(200)
    const minutes = (Date.parse(until) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(29)
    expect(minutes).toBeLessThanOrEqual(30)
    expect((await get(id)).previousSecretUntil).toBe(until)
    await delivered()
    expect([secret, next].map(verifies)).toEqual([true, true])

    await sql`update subscriptions set previous_until = now() at time zone 'UTC' - interval '1 second'`.execute(
      service.database.sql,
    )
    await delivered()
    expect([secret, next].map(verifies)).toEqual([false, true])
    expect(await get(id)).not.toHaveProperty('previousSecretUntil')
  })

  test('that has leaked is replaced at once; without a word the one before signs for a day', async () => {
    const { id, secret } = await subscribe()
    deliver()
    const { body } = await call('POST', `/subscriptions/${id}/rotate-secret`, { hours: 0 })
    expect(body).toEqual({ secret: expect.any(String) })
    await delivered()
    expect([secret, (body as { secret: string }).secret].map(verifies)).toEqual([false, true])
    const again = (await call('POST', `/subscriptions/${id}/rotate-secret`, {})).body as {
      previousSecretUntil: string
    }
    expect(Date.parse(again.previousSecretUntil) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    expect(Date.parse(again.previousSecretUntil) - Date.now()).toBeLessThanOrEqual(24 * 3_600_000)
  })

  test.each([-1, 169, '1', {}])('is not kept for %s hours', async (hours) => {
    const { id } = await subscribe()
    const { status, body } = await call('POST', `/subscriptions/${id}/rotate-secret`, { hours })
    expect(status).toBe(422)
    expect(body).toMatchObject({ errors: [{ pointer: '/hours' }] })
  })

  test('is in no answer but the one that made it, and not in the store', async () => {
    const { id, secret } = await subscribe()
    await createUser()
    await call('POST', `/subscriptions/${id}/rotate-secret`, {})
    const answers = await Promise.all([call('GET', '/subscriptions'), call('GET', `/subscriptions/${id}`)])
    expect(JSON.stringify(answers)).not.toMatch(/whsec_|"secret"/)
    const { rows } = await sql<{ row: string }>`select s::text as row from subscriptions s`.execute(
      service.database.sql,
    )
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(rows[0]?.row).not.toContain(bytes.toString('hex'))
    expect(rows[0]?.row).not.toContain(bytes.toString('base64'))
  })
})

describe('a test', () => {
  test('goes to its subscription alone, also while that is paused and has other types', async () => {
    const { id } = await subscribe({ enabled: false, types: ['USER_DELETED'] })
    await subscribe()
    deliver()
    const { status, body } = await call('POST', `/subscriptions/${id}/test`)
    expect(status).toBe(200)
    const { event } = body as { event: string }
    await vi.waitFor(async () => expect(await deliveries(event)).toMatchObject([{ state: 'delivered' }]))
    expect(await deliveries(event)).toEqual([
      {
        subscription: id,
        origin: new URL(receiver.url).origin,
        state: 'delivered',
        attempts: [
          {
            number: 1,
            time: expect.stringMatching(/Z$/),
            ms: expect.any(Number),
            status: 200,
            request: { headers: expect.objectContaining({ 'webhook-id': event }) },
            response: { headers: expect.anything(), body: '' },
          },
        ],
      },
    ])
    expect(receiver.received.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      { type: 'WEBHOOK_TEST', timestamp: expect.any(String), data: { subscription: id } },
    ])
    expect((await call('GET', `/subscriptions/${id}/attempts`)).body).toMatchObject([
      {
        number: 1,
        time: expect.any(String),
        ms: expect.any(Number),
        status: 200,
        event,
        type: 'WEBHOOK_TEST',
      },
    ])
    expect(await get(id)).toMatchObject({ lastSuccess: expect.stringMatching(/Z$/), waiting: 0 })
  })

  test('that fails says why, in its attempts and among the last of its subscription', async () => {
    const { id } = await subscribe()
    receiver.answer = () => ({
      status: 302,
      headers: { location: 'https://example.org/', 'retry-after': '3600' },
    })
    deliver()
    const { event } = (await call('POST', `/subscriptions/${id}/test`)).body as { event: string }
    await vi.waitFor(async () =>
      expect((await deliveries(event))[0]?.attempts).toMatchObject([{ status: 302, error: 'redirect' }]),
    )
    expect((await call('GET', `/subscriptions/${id}/attempts`)).body).toMatchObject([
      { event, status: 302, error: 'redirect' },
    ])
    expect(await get(id)).toMatchObject({ lastFailure: expect.stringMatching(/Z$/) })
  })
})

describe('sending again', () => {
  test('sends an event under its id to all that it is for, or to the one given', async () => {
    const all = await subscribe()
    const others = await subscribe({ types: ['USER_DELETED'] })
    await subscribe({ enabled: false })
    await createUser()
    const [event] = await events()
    const path = `/events/${event?.id}/redeliver`
    deliver()
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1))
    await vi.waitFor(async () =>
      expect(await deliveries(event?.id ?? '')).toMatchObject([{ state: 'delivered' }]),
    )

    expect((await call('POST', path, {})).body).toEqual({ deliveries: 1 })
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2))
    expect((await call('POST', path, { subscription: others.id })).body).toEqual({ deliveries: 1 })
    await vi.waitFor(() => expect(receiver.received).toHaveLength(3))
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([event?.id]))
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
    await vi.waitFor(async () =>
      expect(await deliveries(event?.id ?? '')).toMatchObject([
        { subscription: all.id, state: 'delivered', attempts: [{ number: 1 }, { number: 2 }] },
        { subscription: others.id, state: 'delivered', attempts: [{ number: 1 }] },
      ]),
    )
  })

  test('takes up what was given up, with all attempts before it', async () => {
    const { id } = await subscribe()
    await createUser()
    const [event] = await events()
    await sql`update deliveries set state = 'failed', attempts = 10, next = null`.execute(
      service.database.sql,
    )
    // The delay keeps the next automatic attempt out of this test.
    receiver.answer = () => ({ status: 500, headers: { 'retry-after': '3600' } })
    deliver()
    expect((await call('POST', `/events/${event?.id}/redeliver`, {})).body).toEqual({ deliveries: 1 })
    await vi.waitFor(async () =>
      expect(await deliveries(event?.id ?? '')).toMatchObject([
        {
          subscription: id,
          state: 'waiting',
          attempts: [{ status: 500 }],
          next: expect.stringMatching(/Z$/),
        },
      ]),
    )
    expect(await get(id)).toMatchObject({ enabled: true })
  })

  test('is refused where it would come to nothing', async () => {
    const paused = await subscribe({ enabled: false })
    await createUser()
    const [event] = await events()
    const again = (subscription?: string, id: string | undefined = event?.id) =>
      call('POST', `/events/${id}/redeliver`, { ...(subscription && { subscription }) })
    expect((await again()).body).toEqual({ deliveries: 0 })
    expect(await again(paused.id)).toMatchObject({ status: 409, body: { code: 'subscription_not_enabled' } })
    for (const id of [unknown, 'no-uuid'])
      expect(await again(id)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/subscription', code: 'subscription_not_found' }] },
      })
    // Changes of webhooks are only logged, not sent.
    const other = await subscribe()
    const all: Event[] = (await service.call('admin', 'GET', '/events')).body
    const managed = all.find(({ type }) => type === 'SUBSCRIPTION_CREATED')
    expect(await again(other.id, managed?.id)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/subscription', code: 'not_for_subscription' }] },
    })
    for (const id of [unknown, 'no-uuid'])
      expect(await again(undefined, id)).toMatchObject({ status: 404, body: { code: 'event_not_found' } })
    expect(await call('GET', `/events/${unknown}/attempts`)).toMatchObject({ status: 404 })
  })
})

describe('recovering', () => {
  const recover = async (id: string, body: object) => await call('POST', `/subscriptions/${id}/recover`, body)

  test('sends what a subscription has missed in a span, once, and says before how much that is', async () => {
    const { id } = await subscribe({ types: ['DIRECT_DATA_CHANGE', 'USER_DELETED'] })
    // Fills more than three blocks of the log, one event per second. Every fiftieth has a type that the subscription is
    // for.
    await sql`
      insert into event_inbox (id, eventtime, type, properties)
      select gen_random_uuid(), timestamp '2024-03-01' + n * interval '1 second',
        case n % 50 when 0 then 'DIRECT_DATA_CHANGE' else 'USER_UPDATED' end, '{}'
      from generate_series(0, 6999) n`.execute(service.database.sql)
    await events()
    expect((await get(id)).waiting).toBe(140)
    // Imitates a webhook paused after its first events: one has arrived, one was given up, one waits for its next attempt.
    await sql`delete from deliveries where seq > 140`.execute(service.database.sql)
    await sql`
      update deliveries set state = case seq when 0 then 'delivered' when 50 then 'failed' else 'waiting' end,
        attempts = 7, next = case seq when 100 then timestamp '2100-01-01' end`.execute(service.database.sql)

    const span = { since: '2024-03-01T00:00:00Z', until: '2024-03-01T01:40:00.000+00:00' }
    // Every fiftieth event of 6,000 seconds, except the one that has arrived.
    expect(await recover(id, { ...span, dryRun: true })).toMatchObject({
      status: 200,
      body: { events: 119 },
    })
    expect((await get(id)).waiting).toBe(1)
    expect((await recover(id, span)).body).toEqual({ events: 119 })
    expect((await get(id)).waiting).toBe(119)
    expect((await recover(id, { ...span, dryRun: true })).body).toEqual({ events: 119 })
    const { rows } = await sql`
      select seq, state, attempts, next < now() at time zone 'UTC' as due from deliveries where seq < 140 order by seq`.execute(
      service.database.sql,
    )
    expect(rows).toEqual([
      { seq: 0, state: 'delivered', attempts: 7, due: null },
      { seq: 50, state: 'waiting', attempts: 0, due: true },
      { seq: 100, state: 'waiting', attempts: 0, due: true },
    ])

    deliver()
    await vi.waitFor(async () => expect((await get(id)).waiting).toBe(0))
    expect(receiver.received).toHaveLength(119)
    expect(new Set(receiver.received.map((each) => each.id)).size).toBe(119)
    expect((await recover(id, { ...span, dryRun: true })).body).toEqual({ events: 0 })
    expect((await recover(id, { since: '0000-01-01T00:00:00Z', dryRun: true })).body).toEqual({ events: 20 })
    expect(
      (
        await recover(id, {
          since: '9999-12-31T23:59:59-14:00',
          until: '9999-12-31T23:59:59-14:01',
          dryRun: true,
        })
      ).body,
    ).toEqual({ events: 0 })
  })

  test('does not send tests again, nor what others are for', async () => {
    const { id } = await subscribe()
    await call('POST', `/subscriptions/${id}/test`)
    await createUser()
    expect((await recover(id, { since: '2020-01-01T00:00:00Z', dryRun: true })).body).toEqual({ events: 1 })
  })

  test('leaves out nothing that is logged where no end is given, however the clocks differ', async () => {
    const { id } = await subscribe()
    await createUser()
    await events()
    const ahead = sql`now() at time zone 'UTC' + interval '1 minute'`
    await sql`update events set eventtime = ${ahead}`.execute(service.database.sql)
    await sql`update event_blocks set last_time = ${ahead}`.execute(service.database.sql)
    const since = '2020-01-01T00:00:00Z'
    expect((await recover(id, { since, dryRun: true })).body).toEqual({ events: 1 })
    expect((await recover(id, { since, until: new Date().toISOString(), dryRun: true })).body).toEqual({
      events: 0,
    })
  })

  test('is refused without a span, and for what is not enabled; counting is not', async () => {
    const { id } = await subscribe({ enabled: false })
    await createUser()
    const since = '2020-01-01T00:00:00Z'
    expect(await recover(id, {})).toMatchObject({ status: 422, body: { errors: [{ pointer: '/since' }] } })
    expect(await recover(id, { since, until: since })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/until', code: 'empty_span' }] },
    })
    expect(await recover(id, { since: '2020-01-01T00:00:00' })).toMatchObject({ status: 422 })
    expect(await recover(id, { since })).toMatchObject({
      status: 409,
      body: { code: 'subscription_not_enabled' },
    })
    expect(await recover(id, { since, dryRun: true })).toMatchObject({ status: 200, body: { events: 1 } })
  })
})
