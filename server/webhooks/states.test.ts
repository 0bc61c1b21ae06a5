import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Event } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startReceiver, type TestReceiver } from '../testing/receiver.ts'
import { Delivering } from './delivery/delivering.ts'
import { Receivers } from './delivery/receiver.ts'

const service = testService({ allowLoopback: true })
let receiver: TestReceiver
let other: TestReceiver
let worker: Delivering | undefined

beforeEach(async () => {
  await service.reset()
  receiver = await startReceiver()
  other = await startReceiver()
})
afterEach(async () => {
  await pause()
  await expectCounted()
  await receiver.close()
  await other.close()
})

/** Checks that the stored counts by state agree with the log. */
async function expectCounted(): Promise<void> {
  const { rows } = await sql`
    (select hour, type, state, count from event_counts cross join lateral (values ('delivered', delivered),
        ('waiting', waiting), ('failed', failed), ('none', none)) counted (state, count) where count <> 0)
    except
    select date_trunc('hour', eventtime), type, case when delivered then 'delivered' else undelivered end, count(*)
    from events group by 1, 2, 3`.execute(service.database.sql)
  expect(rows).toEqual([])
  const { rows: sums } = await sql`
    select (select count(*) from events)::int as events,
      (select coalesce(sum(delivered + waiting + failed + none), 0) from event_counts)::int as counted`.execute(
    service.database.sql,
  )
  expect(sums).toEqual([{ events: expect.any(Number), counted: (sums[0] as { events: number }).events }])
}

const call = (method: string, path: string, body?: unknown) => service.call('integrator', method, path, body)
const deliver = () => {
  const receivers = new Receivers({ allowLoopback: true })
  worker = new Delivering({ database: service.database, receivers, pollMs: 20 })
}
const pause = async () => {
  await worker?.stop(0)
  worker = undefined
}
async function subscribe(to: TestReceiver, more: object = {}): Promise<string> {
  const { status, body } = await call('POST', '/subscriptions', {
    url: to.url,
    types: ['USER_CREATED'],
    ...more,
  })
  expect(status).toBe(200)
  return (body as { id: string }).id
}
/** Creates a user and returns the id of the event that reports it. */
async function createUser(): Promise<string> {
  const user = await service.create('support', '/users', {})
  const { body } = await call('GET', `/events?user=${user}`)
  return (body as Event[])[0]?.id ?? ''
}
const deliveryStatus = async (event: string): Promise<Event['delivery']> =>
  ((await call('GET', `/events/${event}?with=delivery`)).body as Event).delivery
const eventually = async (event: string, delivery: object) =>
  await vi.waitFor(async () => expect(await deliveryStatus(event)).toEqual(delivery), { interval: 20 })
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** Makes the next attempt the last one, and due now. */
const makeLast = (subscription: string) =>
  sql`update deliveries set attempts = 9, next = now() at time zone 'UTC' - interval '1 minute'
    where subscription_id = ${subscription}::uuid and state = 'waiting'`.execute(service.database.sql)

describe('an event', () => {
  test('that no webhook asks for says so; one that is asked for waits until it is delivered', async () => {
    await subscribe(other, { types: ['SEGMENT_CREATED'] })
    const nobodys = await createUser()
    await subscribe(receiver)
    const event = await createUser()
    expect(await deliveryStatus(nobodys)).toEqual({ state: 'none' })
    expect(await deliveryStatus(event)).toEqual({ state: 'waiting', next: time, attempts: 0 })
    deliver()
    await eventually(event, { state: 'delivered' })
    expect(await deliveryStatus(nobodys)).toEqual({ state: 'none' })
  })

  test('that has to be tried again says how often that was and when it is next', async () => {
    await subscribe(receiver)
    receiver.answer = () => 500
    const event = await createUser()
    const first = (await deliveryStatus(event))?.next ?? ''
    deliver()
    await eventually(event, { state: 'waiting', next: time, attempts: 1 })
    expect(Date.parse((await deliveryStatus(event))?.next ?? '')).toBeGreaterThan(Date.parse(first))
  })

  test('for a paused webhook waits without a time for its next attempt, except a test event', async () => {
    const id = await subscribe(receiver)
    const event = await createUser()
    await call('PATCH', `/subscriptions/${id}`, { enabled: false })
    expect(await deliveryStatus(event)).toEqual({ state: 'waiting', attempts: 0 })
    const { body } = await call('POST', `/subscriptions/${id}/test`)
    expect(await deliveryStatus((body as { event: string }).event)).toMatchObject({
      state: 'waiting',
      next: time,
    })
  })

  test('has failed once one webhook is given up, whatever the others do, until that is sent again', async () => {
    const fails = await subscribe(receiver)
    const slow = await subscribe(other)
    receiver.answer = () => 500
    other.answer = () => 500
    const event = await createUser()
    deliver()
    await eventually(event, { state: 'waiting', next: time, attempts: 1 })
    await makeLast(fails)
    await eventually(event, { state: 'failed', attempts: 10 })
    other.answer = () => 200
    await call('POST', `/events/${event}/redeliver`, { subscription: slow })
    await vi.waitFor(async () => {
      const { body } = await call('GET', `/subscriptions/${slow}`)
      expect(body).toMatchObject({ waiting: 0 })
    })
    expect(await deliveryStatus(event)).toEqual({ state: 'failed', attempts: 10 })
    await pause()
    await call('PATCH', `/subscriptions/${fails}`, { enabled: true })
    receiver.answer = () => 200
    await call('POST', `/events/${event}/redeliver`, { subscription: fails })
    expect(await deliveryStatus(event)).toEqual({ state: 'waiting', next: time, attempts: 0 })
    deliver()
    await eventually(event, { state: 'delivered' })
  })

  test('from before the webhook waits once it is sent or recovered, and stays delivered afterwards', async () => {
    const early = await createUser()
    const late = await createUser()
    const id = await subscribe(receiver)
    await call('POST', `/events/${early}/redeliver`, {})
    expect(await deliveryStatus(early)).toMatchObject({ state: 'waiting' })
    expect(await deliveryStatus(late)).toEqual({ state: 'none' })
    const recovered = await call('POST', `/subscriptions/${id}/recover`, { since: '2020-01-01T00:00:00Z' })
    expect(recovered.body).toEqual({ events: 2 })
    expect(await deliveryStatus(late)).toMatchObject({ state: 'waiting' })
    deliver()
    await eventually(early, { state: 'delivered' })
    await eventually(late, { state: 'delivered' })
    await pause()
    await call('POST', `/events/${early}/redeliver`, {})
    expect(await deliveryStatus(early)).toEqual({ state: 'delivered' })
  })

  test('that only a deleted webhook waited for is nobody’s; what all others have is delivered', async () => {
    const deleted = await subscribe(receiver)
    receiver.answer = () => 500
    const alone = await createUser()
    const stays = await subscribe(other)
    const both = await createUser()
    deliver()
    await eventually(both, { state: 'waiting', next: time, attempts: 1 })
    await pause()
    await call('PATCH', `/subscriptions/${stays}`, { enabled: false })
    const waits = await createUser()
    await call('POST', `/events/${waits}/redeliver`, {})
    expect((await call('DELETE', `/subscriptions/${deleted}`)).status).toBe(204)
    deliver()
    await eventually(alone, { state: 'none' })
    await eventually(both, { state: 'delivered' })
    await eventually(waits, { state: 'none' })
    const { body } = await call('GET', `/events/${both}`)
    expect(body).toMatchObject({ delivered: true, deliveredtime: time })
  })
})

test('the log tells the states of deliveries if asked to, and finds events by them', async () => {
  const nobodys = await createUser()
  const works = await subscribe(receiver)
  const delivered = await createUser()
  deliver()
  await eventually(delivered, { state: 'delivered' })
  await pause()
  await call('DELETE', `/subscriptions/${works}`)
  const fails = await subscribe(other)
  other.answer = () => 500
  const failed = await createUser()
  deliver()
  await eventually(failed, { state: 'waiting', next: time, attempts: 1 })
  await makeLast(fails)
  await eventually(failed, { state: 'failed', attempts: 10 })
  await pause()
  await call('PATCH', `/subscriptions/${fails}`, { enabled: true })
  const waiting = await createUser()
  const findIds = async (query: string) => {
    const { status, body } = await call('GET', `/events?${query}`)
    expect(status).toBe(200)
    return (body as Event[]).map(({ id }) => id)
  }
  for (const order of ['asc', 'desc'])
    for (const more of [
      '',
      '&type=USER_CREATED',
      '&from=2020-01-01T00:00:00Z',
      '&type=USER_CREATED,X&with=delivery',
    ]) {
      const query = `order=${order}${more}`
      expect(await findIds(`${query}&delivery=delivered`)).toEqual([delivered])
      expect(await findIds(`${query}&delivery=waiting`)).toEqual([waiting])
      expect(await findIds(`${query}&delivery=failed`)).toEqual([failed])
      const none = await findIds(`${query}&delivery=none`)
      expect(none).toContain(nobodys)
      for (const each of [delivered, waiting, failed]) expect(none).not.toContain(each)
      expect(await findIds(`${query}&delivery=waiting&delivered=false`)).toEqual([waiting])
      expect(await findIds(`${query}&delivery=waiting&delivered=true`)).toEqual([])
    }
  const { body } = await call('GET', '/events?type=USER_CREATED&with=delivery')
  expect((body as Event[]).map(({ delivery }) => delivery?.state)).toEqual([
    'none',
    'delivered',
    'failed',
    'waiting',
  ])
  for (const query of ['', '?order=asc', `?user=${waiting}`])
    for (const event of (await call('GET', `/events${query}`)).body as Event[])
      expect(event).not.toHaveProperty('delivery')
  expect(await call('GET', `/events/${waiting}`)).not.toHaveProperty('body.delivery')
})
