import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { CommonValues, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { CommonValueCounts } from './common-values.ts'

const service = testService()
beforeEach(() => service.reset())
afterEach(() => {
  vi.useRealTimers()
})

const nobody = undefined
const place = (key: string) => `/keys/car/${encodeURIComponent(key)}/values`

const get = async (path: string, role: Role = 'support') => {
  const { status, body } = await service.call(role, 'GET', path)
  return { status, body: body as CommonValues }
}

/** Waits for values whose count began after the call. A slow count runs in the background. */
async function read(key: string, query = ''): Promise<CommonValues> {
  const before = new Date().toISOString()
  return await vi.waitFor(
    async () => {
      const { body } = await get(`${place(key)}${query}`)
      expect(body.made ?? '').toSatisfy((made: string) => made >= before)
      return body
    },
    { timeout: 30_000 },
  )
}

interface Property {
  readonly type?: string
  readonly value: unknown
  readonly sensitive?: boolean
}

/** Creates a user for each property, on a car of theirs. Returns the addresses of the cars. */
async function createCars(key: string, properties: readonly Property[]): Promise<string[]> {
  const cars: string[] = []
  for (const property of properties) {
    const user = await service.create('admin', '/users', {})
    const car = { type: 'car', properties: [{ key, type: 'TEXT', ...property }] }
    cars.push(`/users/${user}/entities/${await service.create('admin', `/users/${user}/entities`, car)}`)
  }
  return cars
}
const colours = (...values: string[]) =>
  createCars(
    'colour',
    values.map((value) => ({ value })),
  )

test('lists the values that most users have first, by data type, and none that only one has', async () => {
  const cars = await colours('red', 'blue', 'red', 'green', 'red', 'blue')
  // A second car of the same user makes no second user.
  const user = cars[3]?.split('/')[2]
  const properties = [{ key: 'colour', type: 'TEXT', value: 'green' }]
  await service.create('admin', `/users/${user}/entities`, { type: 'car', properties })
  await service.create('admin', `/users/${user}/entities`, { type: 'boat', properties })
  await createCars('colour', [
    { type: 'NUMBER', value: 7 },
    { type: 'NUMBER', value: 7 },
    { type: 'BOOLEAN', value: true },
    { type: 'BOOLEAN', value: true },
    { value: 'x'.repeat(201) },
    { value: 'x'.repeat(201) },
    { value: null },
  ])
  expect(await read('colour')).toEqual({
    made: expect.any(String),
    values: [
      { type: 'TEXT', value: 'red', users: 3 },
      { type: 'NUMBER', value: 7, users: 2 },
      { type: 'TEXT', value: 'blue', users: 2 },
    ],
  })
  expect((await read('col/our')).values).toEqual([])
})

test('lists twenty, and finds further ones by a part of them, however it is cased', async () => {
  const shades = Array.from({ length: 25 }, (_, at) => `Shade ${String(at).padStart(2, '0')}`)
  await colours(...shades, ...shades, 'Red', 'Red', 'Red')
  const { values } = await read('colour')
  expect(values.map(({ value }) => value)).toEqual(['Red', ...shades.slice(0, 19)])
  expect((await read('colour', '?q=SHADE%2024')).values).toEqual([
    { type: 'TEXT', value: 'Shade 24', users: 2 },
  ])
  expect((await read('colour', '?q=violet')).values).toEqual([])
  expect((await get(`${place('colour')}?q=${'x'.repeat(201)}`)).status).toBe(400)
})

const hidden = { status: 200, body: { masked: true, values: [] } }

test('lists nothing of a key from the moment somebody has it sensitive, also once nobody has', async () => {
  const [car = ''] = await colours('red', 'red', 'blue')
  expect((await read('colour')).values).toHaveLength(1)
  const mark = (sensitive: boolean) =>
    service.call('admin', 'PATCH', car, {
      properties: [{ key: 'colour', type: 'TEXT', value: 'red', sensitive }],
    })
  expect((await mark(true)).status).toBe(204)
  expect(await get(place('colour'), 'admin')).toEqual(hidden)
  expect((await mark(false)).status).toBe(204)
  expect(await get(place('colour'), 'admin')).toEqual(hidden)
})

test('lists nothing of a key whose sensitive values came by other means than a write of the service', async () => {
  const [car = ''] = await createCars('code', [{ value: '1', sensitive: true }])
  await createCars('code', [{ value: '2' }, { value: '2' }])
  await service.database.pool.query('delete from property_keys')
  expect(await get(place('code'))).toEqual(hidden)
  await service.call('admin', 'DELETE', car)
})

test('lists nothing of a key that is defined as sensitive, and what it has once it is not any more', async () => {
  await colours('red', 'red')
  expect((await read('colour')).values).toHaveLength(1)
  const define = (sensitive: boolean) =>
    service.call('admin', 'PUT', '/definitions/car/colour', { type: 'TEXT', sensitive })
  await define(true)
  expect(await get(place('colour'))).toEqual(hidden)
  await define(false)
  expect((await read('colour')).values).toEqual([{ type: 'TEXT', value: 'red', users: 2 }])
})

test('lists values to those who may read entities', async () => {
  await colours('red', 'red')
  for (const role of ['support', 'steward', 'admin'] as const)
    expect([role, (await get(place('colour'), role)).status]).toEqual([role, 200])
  expect(await get(place('colour'), 'integrator')).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  })
  expect((await service.call(nobody, 'GET', place('colour'))).status).toBe(401)
})

const untilMade = (counts: CommonValueCounts, key = 'colour') =>
  vi.waitFor(
    async () => {
      const values = await counts.read('car', key)
      expect(values.madeMs).toBeDefined()
      return values
    },
    { timeout: 30_000 },
  )

/** Runs something while nobody else can read entities. */
async function whileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const client = await service.database.pool.connect()
  await client.query('begin; lock table entities in access exclusive mode')
  try {
    return await work()
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Copies the entity of a user, so that a count takes several parts. */
async function copyCars(times: number): Promise<void> {
  const copy = `insert into entities (user_id, id, type, created, properties)
    select e.user_id, gen_random_uuid(), 'car', now(), e.properties
    from (select distinct on (user_id) user_id, properties from entities where type = 'car') e, generate_series(1, $1::int)`
  await service.database.pool.query(copy, [times])
}

test('counts each user once, however many parts are read', async () => {
  await colours('red', 'red', 'blue', 'blue', 'red')
  await copyCars(2000)
  expect((await read('colour')).values).toEqual([
    { type: 'TEXT', value: 'red', users: 3 },
    { type: 'TEXT', value: 'blue', users: 2 },
  ])
})

test('answers at once while values are counted, as far as they are known', async () => {
  await colours('red', 'red', 'red')
  const counts = new CommonValueCounts(service.database)
  // The lock, which the count waits for, is held until the answer is there.
  expect(await whileLocked(() => counts.read('car', 'colour'))).toEqual({ isCut: false, values: [] })
  expect((await untilMade(counts)).values).toHaveLength(1)
  await counts.close()
})

test('lists no values an hour after they were counted, but counts them again', async () => {
  const cars = await colours('red', 'red')
  const counts = new CommonValueCounts(service.database)
  expect((await untilMade(counts)).values).toHaveLength(1)
  for (const car of cars) await service.call('admin', 'DELETE', `/users/${car.split('/')[2]}`)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_700_000 })
  expect(await whileLocked(() => counts.read('car', 'colour'))).toEqual({ isCut: false, values: [] })
  await counts.close()
})

test('counts one key after the other, and lets only so many wait', async () => {
  await createCars('k0', [{ value: 'a' }, { value: 'a' }])
  const { pool } = service.database
  const counts = new CommonValueCounts(service.database)
  const waiting = await whileLocked(async () => {
    await Promise.all(Array.from({ length: 60 }, (_, at) => counts.read('car', `k${at}`)))
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0]?.count
  })
  expect(waiting).toBe(1)
  expect((await untilMade(counts, 'k0')).values).toHaveLength(1)
  // Counted once they are asked for again.
  expect((await untilMade(counts, 'k59')).values).toEqual([])
  await counts.close()
})

test('keeps the commonest of too many different values, and says that they are counted at least', async () => {
  await colours('red', 'red', 'red')
  const more = `insert into entities (user_id, id, type, created, properties)
    select u.id, gen_random_uuid(), 'car', now(), jsonb_build_object('colour', jsonb_build_object(
      'type', 'TEXT', 'sensitive', false, 'value', 'plate ' || u.id || n))
    from users u, generate_series(1, 3500) n`
  await service.database.pool.query(more)
  const { atLeast, values } = await read('colour')
  expect(atLeast).toBe(true)
  expect(values).toMatchObject([{ value: 'red' }])
})
