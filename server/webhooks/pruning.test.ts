import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Event, Subscription } from '#contract/index.ts'
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
  await stop()
  await receiver.close()
})

/** Starts the delivery and the pruning of old rows. */
const start = () => {
  const receivers = new Receivers({ allowLoopback: true })
  worker = new Delivering({ database: service.database, receivers, pollMs: 20 })
}
const stop = async () => {
  await worker?.stop(0)
  worker = undefined
}
const eventually = (check: () => unknown) => vi.waitFor(check, { interval: 20 })
const call = (method: string, path: string, body?: unknown) => service.call('admin', method, path, body)
const createUser = () => service.create('support', '/users', {})
async function subscribe(more: object = {}): Promise<string> {
  const { status, body } = await call('POST', '/subscriptions', {
    url: receiver.url,
    types: ['USER_CREATED'],
    ...more,
  })
  expect(status).toBe(200)
  return (body as { id: string }).id
}
const log = async (): Promise<Event[]> => (await call('GET', '/events?type=USER_CREATED&with=delivery')).body
const states = async () => (await log()).map(({ delivery }) => delivery?.state)
const rowsOf = async (table: 'deliveries' | 'delivery_attempts') =>
  (await sql<{ seq: number }>`select seq from ${sql.table(table)} order by seq`.execute(service.database.sql))
    .rows.length
const recover = async (id: string) =>
  (await call('POST', `/subscriptions/${id}/recover`, { since: '2020-01-01T00:00:00Z' })).body
async function deliverAll(): Promise<void> {
  start()
  await eventually(async () => expect(new Set(await states())).toEqual(new Set(['delivered'])))
  await stop()
}

/** Makes every row older by this many days. */
async function age(days: number): Promise<void> {
  const span = sql`${days}::int * interval '1 day'`
  for (const statement of [
    sql`update events set eventtime = eventtime - ${span}, deliveredtime = deliveredtime - ${span}`,
    sql`update deliveries set done = done - ${span}`,
    sql`update delivery_attempts set time = time - ${span}`,
    sql`update subscriptions set created = created - ${span}, updated = updated - ${span}`,
    sql`update event_blocks set first_time = first_time - ${span}, last_time = last_time - ${span}`,
  ])
    await statement.execute(service.database.sql)
}

describe('outdated data', () => {
  test('goes: attempts after 30 days, deliveries after 90, and nothing of it is sent again', async () => {
    const id = await subscribe()
    for (let n = 0; n < 3; n++) await createUser()
    await deliverAll()
    await age(29)
    await createUser()
    // An event that was received, but whose answer was not recorded before the stop, would be sent again.
    await deliverAll()
    expect(receiver.received).toHaveLength(4)
    expect([await rowsOf('delivery_attempts'), await rowsOf('deliveries')]).toEqual([4, 4])
    await age(2)
    start()
    await eventually(async () =>
      expect([await rowsOf('delivery_attempts'), await rowsOf('deliveries')]).toEqual([1, 4]),
    )
    await stop()
    await age(60)
    start()
    await eventually(async () => expect(await rowsOf('deliveries')).toBe(1))
    await stop()
    expect(await states()).toEqual(['delivered', 'delivered', 'delivered', 'delivered'])
    expect(await recover(id)).toEqual({ events: 0 })
    expect(await recover(await subscribe())).toEqual({ events: 4 })
  })

  test('is taken away to the end, however much there is, but for what waits', async () => {
    const id = await subscribe({ enabled: false })
    await createUser()
    const [event] = await log()
    await call('PATCH', `/subscriptions/${id}`, { enabled: true })
    await call('POST', `/events/${event?.id}/redeliver`, {})
    await call('PATCH', `/subscriptions/${id}`, { enabled: false })
    await sql`
      insert into event_inbox (id, eventtime, type, properties)
      select gen_random_uuid(), now() at time zone 'UTC', 'USER_CREATED', '{}' from generate_series(1, 2500)`.execute(
      service.database.sql,
    )
    await log()
    await sql`
      insert into deliveries (subscription_id, seq, state, done)
      select ${id}::uuid, seq, 'delivered', now() at time zone 'UTC' from events where type = 'USER_CREATED'
      on conflict do nothing`.execute(service.database.sql)
    await sql`
      update events set delivered = true, deliveredtime = now() at time zone 'UTC' where id <> ${event?.id}`.execute(
      service.database.sql,
    )
    await sql`
      insert into delivery_attempts (subscription_id, seq, number, time, ms, status)
      select subscription_id, seq, 1, now() at time zone 'UTC', 5, 200 from deliveries`.execute(
      service.database.sql,
    )
    await age(400)
    start()
    await eventually(async () =>
      expect([await rowsOf('delivery_attempts'), await rowsOf('deliveries')]).toEqual([0, 1]),
    )
    expect((await log())[0]?.delivery).toMatchObject({ state: 'waiting' })
    expect(((await call('GET', `/subscriptions/${id}`)).body as Subscription).waiting).toBe(1)
  })

  test('stays where it alone tells who has an event', async () => {
    const first = await subscribe()
    const paused = await subscribe()
    receiver.answer = ({ path }) => (path === '/other' ? 500 : 200)
    await call('PATCH', `/subscriptions/${paused}`, { url: receiver.url.replace('/hooks', '/other') })
    await createUser()
    await sql`update events set eventtime = eventtime - interval '1 day' where type = 'USER_CREATED'`.execute(
      service.database.sql,
    )
    start()
    await eventually(() => expect(receiver.received.map(({ path }) => path)).toContain('/hooks'))
    await eventually(() => expect(receiver.received.map(({ path }) => path)).toContain('/other'))
    await stop()
    const late = await subscribe()
    await call('POST', `/events/${(await log())[0]?.id}/redeliver`, { subscription: late })
    start()
    await eventually(() => expect(receiver.received).toHaveLength(3))
    await stop()
    await age(400)
    expect(await rowsOf('delivery_attempts')).toBe(3)
    start()
    await eventually(async () => expect(await rowsOf('delivery_attempts')).toBe(0))
    await stop()
    // One delivery waits. The two delivered ones are the only record that their subscription got the event.
    expect(await rowsOf('deliveries')).toBe(3)
    for (const id of [first, late]) expect(await recover(id)).toEqual({ events: 0 })
  })
})

test('a webhook is deleted at once, and what is left of it is taken away behind', async () => {
  const id = await subscribe()
  await sql`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), now() at time zone 'UTC', 'USER_CREATED', '{}' from generate_series(1, 2500)`.execute(
    service.database.sql,
  )
  await log()
  expect(await rowsOf('deliveries')).toBe(2500)
  expect((await call('DELETE', `/subscriptions/${id}`)).status).toBe(204)
  expect(await rowsOf('deliveries')).toBe(2500)
  expect((await call('GET', '/subscriptions')).body).toEqual([])
  start()
  await eventually(async () => expect(await rowsOf('deliveries')).toBe(0))
  await eventually(async () =>
    expect((await sql`select 1 from subscriptions`.execute(service.database.sql)).rows).toEqual([]),
  )
  expect((await call('GET', '/events?delivery=waiting')).body).toEqual([])
  expect((await call('GET', '/events/counts?type=USER_CREATED')).body).toMatchObject({
    series: [{ states: { waiting: 0, none: 2500 } }],
  })
  expect(receiver.received.length).toBeLessThan(2500)
})
