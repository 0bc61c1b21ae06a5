import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { type Delivery, type Event, managementTypes, type Subscription } from '#contract/index.ts'
import { testService } from '../../testing/hooks.ts'
import { startReceiver, type TestReceiver } from '../../testing/receiver.ts'
import { Delivering } from './delivering.ts'
import { Receivers } from './receiver.ts'

const service = testService({ allowLoopback: true })
let receiver: TestReceiver
let other: TestReceiver
let workers: Delivering[] = []
const eventually = (check: () => unknown) => vi.waitFor(check, { interval: 20 })

beforeEach(async () => {
  await service.reset()
  // Each test gets new receivers, so that no delivery still in flight from the previous test reaches them.
  receiver = await startReceiver()
  other = await startReceiver()
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop(0)))
  workers = []
  await receiver.close()
  await other.close()
})

const deliver = (database = service.database) => {
  const receivers = new Receivers({ allowLoopback: true })
  const worker = new Delivering({ database, receivers, pollMs: 20 })
  workers.push(worker)
  return worker
}

/** Creates a subscription and returns its id. */
async function subscribe(to: TestReceiver, more: object = {}): Promise<string> {
  const { status, body } = await service.call('admin', 'POST', '/subscriptions', { url: to.url, ...more })
  expect(status).toBe(200)
  return (body as { id: string }).id
}
async function createUsers(count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    expect((await service.call('support', 'POST', '/users', {})).status).toBe(201)
}
/** Returns the events that are sent to webhooks. */
async function events(query = ''): Promise<Event[]> {
  const all: Event[] = (await service.call('admin', 'GET', `/events${query}`)).body
  return all.filter(({ type }) => !managementTypes.some((each) => each === type))
}
const subscription = async (id: string): Promise<Subscription> =>
  (await service.call('admin', 'GET', `/subscriptions/${id}`)).body
async function deliveriesOf(event: Event | undefined): Promise<Delivery[]> {
  return (await service.call('admin', 'GET', `/events/${event?.id}/attempts`)).body
}
/** Returns the only delivery of the only event. */
const onlyDelivery = async () => (await deliveriesOf((await events())[0]))[0]

/** Makes every waiting delivery due now. */
const makeDue = () =>
  sql`update deliveries set next = now() at time zone 'UTC' - interval '1 minute' where state = 'waiting'`.execute(
    service.database.sql,
  )

const ids = ({ received }: TestReceiver) => received.map(({ id }) => id)

describe('an event', () => {
  test('is sent as it is, signed, under its id, and is delivered from then on', async () => {
    await subscribe(receiver)
    deliver()
    await createUsers(1)
    await eventually(async () => expect(await events()).toMatchObject([{ delivered: true }]))
    const [event] = await events()
    expect(event?.deliveredtime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(Date.parse(event?.deliveredtime ?? '')).toBeGreaterThanOrEqual(Date.parse(event?.eventtime ?? ''))
    expect(receiver.received).toHaveLength(1)
    const [{ headers, text } = { headers: {}, text: '' }] = receiver.received
    expect(headers).toMatchObject({
      'webhook-id': event?.id,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      'content-type': 'application/json',
    })
    expect(JSON.parse(text)).toEqual({
      type: 'USER_CREATED',
      timestamp: event?.eventtime,
      data: { user: event?.properties.user, changeset: event?.properties.changeset },
    })
    expect(await onlyDelivery()).toMatchObject({
      state: 'delivered',
      attempts: [{ number: 1, status: 200, ms: expect.any(Number) }],
    })
  })

  test('goes to those who want its type, and to nobody whose subscription is paused', async () => {
    await subscribe(receiver, { types: ['USER_CREATED'] })
    await subscribe(other, { types: ['USER_CREATED', 'SEGMENT_CREATED'] })
    const paused = await startReceiver()
    onTestFinished(() => paused.close())
    await subscribe(paused, { enabled: false })
    deliver()
    await service.call('admin', 'POST', '/segments', { name: 'All', filter: { all: [] } })
    await createUsers(1)
    await eventually(async () =>
      expect(await events()).toMatchObject([
        { type: 'SEGMENT_CREATED', delivered: true },
        { type: 'USER_CREATED', delivered: true },
      ]),
    )
    const [segment, user] = await events()
    expect(ids(receiver)).toEqual([user?.id])
    expect(new Set(ids(other))).toEqual(new Set([segment?.id, user?.id]))
    expect(paused.received).toEqual([])
  })

  test('without a subscription is not delivered, and is not sent later on', async () => {
    await createUsers(1)
    deliver()
    await subscribe(receiver)
    await createUsers(1)
    await eventually(async () =>
      expect((await events()).map(({ delivered }) => delivered)).toEqual([false, true]),
    )
    expect(receiver.received).toHaveLength(1)
    expect((await events())[0]).not.toHaveProperty('deliveredtime')
  })

  test('is delivered when the last of its subscriptions has it', async () => {
    await subscribe(receiver)
    await subscribe(other)
    other.answer = () => 500
    deliver()
    await createUsers(1)
    await eventually(async () => {
      const states = await deliveriesOf((await events())[0])
      expect(states.map(({ state, attempts }) => [state, attempts.length])).toEqual([
        ['delivered', 1],
        ['waiting', 1],
      ])
    })
    expect(await events()).toMatchObject([{ delivered: false }])
    other.answer = () => 204
    await makeDue()
    await eventually(async () => expect(await events()).toMatchObject([{ delivered: true }]))
    expect(receiver.received).toHaveLength(1)
  })

  test('from one of 16 simultaneous writers reaches each subscription once, with two workers', async () => {
    await Promise.all([subscribe(receiver), subscribe(other)])
    deliver()
    deliver()
    await Promise.all(Array.from({ length: 16 }, () => createUsers(10)))
    await eventually(async () => {
      expect(await events('?delivered=false')).toEqual([])
    })
    for (const { received } of [receiver, other]) {
      expect(received).toHaveLength(160)
      expect(new Set(received.map(({ id }) => id)).size).toBe(160)
    }
  })
})

describe('a test', () => {
  test('goes to its subscription alone, whatever its types, and while it is paused and has others waiting', async () => {
    const id = await subscribe(receiver, { types: ['SEGMENT_CREATED'] })
    await subscribe(other)
    await service.call('admin', 'POST', '/segments', { name: 'All', filter: { all: [] } })
    await events()
    await service.call('admin', 'PATCH', `/subscriptions/${id}`, { enabled: false })
    const { body } = await service.call('admin', 'POST', `/subscriptions/${id}/test`)
    deliver()
    await eventually(() => expect(receiver.received).toHaveLength(1))
    expect(receiver.received[0]?.id).toBe((body as { event: string }).event)
    expect(JSON.parse(receiver.received[0]?.text ?? '')).toMatchObject({
      type: 'WEBHOOK_TEST',
      data: { subscription: id },
    })
    await eventually(() => expect(other.received).toHaveLength(1))
    await eventually(async () => expect(await subscription(id)).toMatchObject({ enabled: false, waiting: 1 }))
    // Waiting deliveries continue once the webhook is resumed.
    await service.call('admin', 'PATCH', `/subscriptions/${id}`, { enabled: true })
    await eventually(() => expect(receiver.received).toHaveLength(2))
  })

  test('is tried once', async () => {
    const id = await subscribe(receiver)
    receiver.answer = () => 500
    await service.call('admin', 'POST', `/subscriptions/${id}/test`)
    deliver()
    await eventually(async () =>
      expect(await onlyDelivery()).toMatchObject({
        state: 'failed',
        attempts: [{ number: 1, status: 500, error: 'status' }],
      }),
    )
    expect(await subscription(id)).toMatchObject({ enabled: true, waiting: 0 })
  })
})

describe('a receiver that', () => {
  test('fails gets it again, later, under the same id and with a new time', async () => {
    const id = await subscribe(receiver)
    receiver.answer = () => 503
    deliver()
    await createUsers(1)
    await eventually(async () => {
      const delivery = await onlyDelivery()
      expect(delivery).toMatchObject({ state: 'waiting', attempts: [{ status: 503, error: 'status' }] })
      const waits = Date.parse(delivery?.next ?? '') - Date.parse(delivery?.attempts[0]?.time ?? '')
      expect(waits).toBeGreaterThan(3500)
      // The second wait would be five minutes, so this is the first.
      expect(waits).toBeLessThan(60_000)
    })
    expect(await subscription(id)).toMatchObject({ waiting: 1, lastFailure: expect.any(String) })
    receiver.answer = () => 200
    await makeDue()
    await eventually(async () =>
      expect(await onlyDelivery()).toMatchObject({
        state: 'delivered',
        attempts: [
          { number: 1, status: 503 },
          { number: 2, status: 200 },
        ],
      }),
    )
    expect(new Set(ids(receiver)).size).toBe(1)
    expect(await subscription(id)).toMatchObject({ waiting: 0, lastSuccess: expect.any(String) })
  })

  test('says when to come back is left alone until then', async () => {
    await subscribe(receiver)
    receiver.answer = () => ({ status: 429, headers: { 'retry-after': '1800' } })
    deliver()
    await createUsers(1)
    await eventually(async () => {
      const delivery = await onlyDelivery()
      const waits = Date.parse(delivery?.next ?? '') - Date.parse(delivery?.attempts[0]?.time ?? '')
      expect(waits).toBeGreaterThanOrEqual(1_799_000)
      expect(waits).toBeLessThan(1_900_000)
    })
    // Until then the other deliveries are not sent, and use up no attempt.
    await createUsers(3)
    await eventually(async () => {
      expect(await events()).toHaveLength(4)
    })
    const { rows } = await sql`select 1 from deliveries where attempts > 0`.execute(service.database.sql)
    expect(rows).toHaveLength(1)
    expect(receiver.received).toHaveLength(1)
  })

  test('is gone gets nothing more, until it is taken up again', async () => {
    const id = await subscribe(receiver)
    receiver.answer = () => 410
    deliver()
    await createUsers(1)
    await eventually(async () =>
      expect(await subscription(id)).toMatchObject({
        enabled: false,
        disabled: { reason: 'gone', since: expect.any(String) },
        waiting: 1,
      }),
    )
    await createUsers(1)
    receiver.answer = () => 200
    await makeDue()
    await service.call('admin', 'PATCH', `/subscriptions/${id}`, { enabled: true })
    await eventually(async () => expect((await events())[0]).toMatchObject({ delivered: true }))
    expect(await subscription(id)).toMatchObject({ enabled: true, waiting: 0 })
    expect((await events())[1]).toMatchObject({ delivered: false })
  })

  test('takes nothing in ten attempts is given up', async () => {
    const id = await subscribe(receiver)
    receiver.answer = () => 500
    deliver()
    await createUsers(1)
    for (let attempts = 1; attempts < 10; attempts++) {
      await eventually(async () => expect((await onlyDelivery())?.attempts).toHaveLength(attempts))
      expect(await subscription(id)).toMatchObject({ enabled: true })
      await makeDue()
    }
    await eventually(async () =>
      expect(await subscription(id)).toMatchObject({
        enabled: false,
        disabled: { reason: 'exhausted' },
        waiting: 0,
      }),
    )
    const delivery = await onlyDelivery()
    expect(delivery).toMatchObject({ state: 'failed' })
    expect(delivery?.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    // A delivery that is redelivered manually gets all its attempts again.
    await service.call('admin', 'PATCH', `/subscriptions/${id}`, { enabled: true })
    const [event] = await events()
    await service.call('admin', 'POST', `/events/${event?.id}/redeliver`, {})
    await eventually(async () => expect((await onlyDelivery())?.attempts).toHaveLength(11))
    expect(await subscription(id)).toMatchObject({ enabled: true, waiting: 1 })
  })

  test('has failed for three days is given up, even if no delivery has had all its attempts', async () => {
    const id = await subscribe(receiver)
    receiver.answer = () => 500
    await createUsers(10)
    const worker = deliver()
    await eventually(() => expect(receiver.received).toHaveLength(10))
    await worker.stop()
    await sql`update delivery_attempts set time = time - interval '73 hours'`.execute(service.database.sql)
    await sql`update subscriptions set updated = updated - interval '80 hours'`.execute(service.database.sql)
    expect(await subscription(id)).toMatchObject({ enabled: true })
    deliver()
    await makeDue()
    await eventually(async () =>
      expect(await subscription(id)).toMatchObject({ enabled: false, disabled: { reason: 'exhausted' } }),
    )
  })

  test('is slow keeps no other waiting', async () => {
    receiver.answer = () => 'silence'
    await subscribe(receiver)
    await createUsers(40)
    deliver()
    await eventually(() => expect(receiver.received).toHaveLength(32))
    await subscribe(other)
    await createUsers(50)
    await eventually(() => expect(other.received).toHaveLength(50))
    expect(receiver.received).toHaveLength(32)
  })

  test('is deleted while it is being sent to disturbs nothing', async () => {
    const answer = Promise.withResolvers<number>()
    receiver.answer = () => answer.promise
    const id = await subscribe(receiver)
    await createUsers(1)
    deliver()
    await eventually(() => expect(receiver.received).toHaveLength(1))
    expect(await service.call('admin', 'DELETE', `/subscriptions/${id}`)).toMatchObject({ status: 204 })
    await eventually(async () => expect(await events('?delivery=waiting')).toEqual([]))
    answer.resolve(200)
    await subscribe(other)
    await createUsers(1)
    await eventually(async () =>
      expect((await events()).map(({ delivered }) => delivered)).toEqual([false, true]),
    )
  })
})

describe('a delivery in flight', () => {
  const interrupted = { number: 1, error: 'interrupted' }
  /** Leases all waiting deliveries, as another process would. */
  const lease = (seconds: number) =>
    sql`update deliveries set leased = now() at time zone 'UTC' + ${seconds}::int * interval '1 second'
      where state = 'waiting'`.execute(service.database.sql)

  test('when the service stops is given back and noted', async () => {
    receiver.answer = () => 'silence'
    await subscribe(receiver)
    await createUsers(1)
    const worker = deliver()
    await eventually(() => expect(receiver.received).toHaveLength(1))
    await worker.stop(0)
    expect(await onlyDelivery()).toMatchObject({ state: 'waiting', attempts: [interrupted] })
    receiver.answer = () => 200
    deliver()
    await eventually(async () => expect(await onlyDelivery()).toMatchObject({ state: 'delivered' }))
    expect((await onlyDelivery())?.attempts).toMatchObject([interrupted, { number: 2, status: 200 }])
    expect(new Set(ids(receiver)).size).toBe(1)
  })

  test('when the service stops is waited for', async () => {
    const answer = Promise.withResolvers<number>()
    receiver.answer = () => answer.promise
    await subscribe(receiver)
    await createUsers(1)
    const worker = deliver()
    await eventually(() => expect(receiver.received).toHaveLength(1))
    const stopped = worker.stop()
    // Long enough to catch a stop that does not wait, and short compared to the receiver's time limit.
    await setTimeout(250)
    answer.resolve(200)
    await stopped
    expect(await onlyDelivery()).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] })
  })

  test('by a process that is gone is sent again when its lease is over', async () => {
    const id = await subscribe(receiver)
    await createUsers(1)
    await events()
    await service.call('admin', 'PATCH', `/subscriptions/${id}`, { enabled: false })
    await subscribe(other, { types: ['SEGMENT_CREATED'] })
    await service.call('admin', 'POST', '/segments', { name: 'All', filter: { all: [] } })
    deliver()
    await eventually(() => expect(other.received).toHaveLength(1))
    await lease(-1)
    await service.call('admin', 'PATCH', `/subscriptions/${id}`, { enabled: true })
    await eventually(async () => expect(await onlyDelivery()).toMatchObject({ state: 'delivered' }))
    expect((await onlyDelivery())?.attempts).toMatchObject([interrupted, { number: 2, status: 200 }])
  })

  test('when the service was killed is sent again at its start, where nobody else can be sending', async () => {
    await subscribe(receiver)
    await createUsers(1)
    await events()
    await lease(50)
    deliver({ ...service.database, engine: 'embedded' })
    await eventually(async () => expect(await onlyDelivery()).toMatchObject({ state: 'delivered' }))
    expect((await onlyDelivery())?.attempts).toMatchObject([interrupted, { number: 2, status: 200 }])
  })

  test('for longer than its lease is left to the process that has it now', async () => {
    const answer = Promise.withResolvers<number>()
    receiver.answer = () => answer.promise
    await subscribe(receiver)
    await createUsers(1)
    const worker = deliver()
    await eventually(() => expect(receiver.received).toHaveLength(1))
    await lease(50)
    const stopped = worker.stop()
    answer.resolve(500)
    await stopped
    expect(await onlyDelivery()).toMatchObject({ state: 'waiting', attempts: [] })
    const { rows } = await sql`select 1 from deliveries where leased is not null`.execute(
      service.database.sql,
    )
    expect(rows).toHaveLength(1)
  })
})
