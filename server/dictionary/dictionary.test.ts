import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { Dictionary, Role } from '#contract/index.ts'
import { readCounts, testService } from '../testing/hooks.ts'
import { Dictionary as CountedDictionary } from './dictionary.ts'

const service = testService()
beforeEach(() => service.reset())
afterEach(() => {
  vi.useRealTimers()
})

const text = (key: string, value: string) => ({ key, type: 'TEXT', value })

test('names keys whose texts in clear are mostly written like an e-mail address, an IBAN or a phone number', async () => {
  const values = {
    mail: ['susan@sales.example.org', 'bob@mail.example.org', 'n/a'],
    account: ['DE89 3704 0044 0532 0130 00', 'GB29NWBK60161331926819', 'FR1420041010050500013M02606'],
    mobile: ['+49 170 1234567', '0044 20 7946 0958', '+33 (1) 23-45-67-89'],
    order: ['4006381333931', 'A-1 / 2', '12 34 56'],
    note: ['write to ana@example.org', 'ask ana@example.org', '+1'],
    seldom: ['ana@example.org', 'x', 'y'],
    few: ['ana@example.org', 'bob@example.org'],
    long: [...Array(3).fill('ana@example.org'), ...Array(4).fill(`${'a'.repeat(300)}@example.org`)],
  }
  for (const at of values.long.keys()) {
    const properties = Object.entries(values).flatMap(([key, of]) =>
      of[at] === undefined ? [] : text(key, of[at]),
    )
    await service.create('admin', '/users', {
      properties: [...properties, { key: 'sealed', type: 'TEXT', sensitive: true, value: 'ana@example.org' }],
    })
  }
  const [person] = (await readCounts(service)).entityTypes
  const named = person?.keys.flatMap(({ key, looksLike }) =>
    looksLike === undefined ? [] : [[key, looksLike]],
  )
  expect(Object.fromEntries(named ?? [])).toEqual({ mail: 'email', account: 'iban', mobile: 'phone' })
})

test('counts entities, people and properties by entity type, key and data type', async () => {
  for (const mileage of [
    { type: 'NUMBER', value: 5 },
    { type: 'NUMBER', value: 7, sensitive: true },
    { type: 'TEXT', value: 'much' },
  ]) {
    const user = await service.create('admin', '/users', { properties: [text('city', 'Lyon')] })
    const car = { type: 'car', properties: [{ key: 'mileage', ...mileage }] }
    await service.create('admin', `/users/${user}/entities`, car)
    await service.create('admin', `/users/${user}/entities`, {
      type: 'car',
      properties: [text('plate', 'B 1')],
    })
  }
  await service.create('admin', '/users', { properties: [] })
  const { entityTypes } = await readCounts(service)
  expect(entityTypes).toEqual([
    {
      type: 'car',
      entities: 6,
      users: 3,
      keys: [
        {
          key: 'mileage',
          count: 3,
          users: 3,
          sensitive: 1,
          types: [
            { type: 'NUMBER', count: 2, users: 2, sensitive: 1 },
            { type: 'TEXT', count: 1, users: 1, sensitive: 0 },
          ],
          segments: [],
        },
        {
          key: 'plate',
          count: 3,
          users: 3,
          sensitive: 0,
          types: [{ type: 'TEXT', count: 3, users: 3, sensitive: 0 }],
          segments: [],
        },
      ],
    },
    {
      type: 'person',
      entities: 4,
      users: 4,
      keys: [
        {
          key: 'city',
          count: 3,
          users: 3,
          sensitive: 0,
          types: [{ type: 'TEXT', count: 3, users: 3, sensitive: 0 }],
          segments: [],
        },
      ],
    },
  ])
})

test('names the segments that look at a key, to those who may read segments', async () => {
  await service.create('admin', '/users', { properties: [text('city', 'Lyon'), text('street', 'Rue')] })
  const filter = { entity: 'person', where: [{ key: 'city', type: 'TEXT', op: 'eq', value: 'Lyon' }] }
  const id = await service.create('admin', '/segments', { name: 'In Lyon', filter: { not: filter } })
  await service.create('admin', '/segments', { name: 'Cars', filter: { ...filter, entity: 'car' } })
  const used = async (role: Role) =>
    (await readCounts(service, role)).entityTypes.flatMap(({ keys }) =>
      keys.map(({ key, segments }) => [key, segments]),
    )
  for (const role of ['support', 'steward', 'admin'] as const)
    expect(await used(role)).toEqual([
      ['city', [{ id, name: 'In Lyon' }]],
      ['street', []],
    ])
  expect(await service.call('integrator', 'GET', '/dictionary')).toMatchObject({ status: 403 })
  const token = await service.sign({ sub: 'narrow', role: 'admin', scope: 'entities:read' })
  const answer = await service.fetch(`${service.baseUrl}/dictionary`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const narrow = (await answer.json()) as Dictionary
  expect(narrow.entityTypes[0]?.keys[0]).not.toHaveProperty('segments')
})

test('tells of what is there now: a key that nobody has any more is not in it, and a deleted user does not count', async () => {
  const user = await service.create('admin', '/users', { properties: [text('city', 'Lyon')] })
  const other = await service.create('admin', '/users', { properties: [text('city', 'Nice')] })
  expect((await readCounts(service)).entityTypes).toMatchObject([
    { entities: 2, keys: [{ key: 'city', users: 2 }] },
  ])
  const [person] = (await service.call('admin', 'GET', `/users/${user}/entities`)).body as { id: string }[]
  await service.call('admin', 'PUT', `/users/${user}/entities/${person?.id}`, { type: 'person' })
  await service.call('admin', 'DELETE', `/users/${other}`)
  expect((await readCounts(service)).entityTypes).toEqual([
    { type: 'person', entities: 1, users: 1, keys: [] },
  ])
})

test('counts each user once, however many parts are read', async () => {
  const properties = [text('city', 'Lyon')]
  const user = await service.create('admin', '/users', { properties })
  for (let more = 0; more < 2; more += 1) await service.create('admin', '/users', {})
  // More than one batch of the count, in several statements so that each one finishes in time on a busy machine.
  const copy = `insert into entities (user_id, id, type, created, properties)
    select u.id, gen_random_uuid(), 'person', now(), case when n = 1 then e.properties else '{}' end
    from (select properties from entities where user_id = $1::uuid and properties <> '{}' limit 1) e,
      users u, generate_series(1, 500) n`
  for (let copies = 0; copies < 4; copies += 1) await service.database.pool.query(copy, [user])
  const { entityTypes } = await readCounts(service)
  expect(entityTypes).toMatchObject([
    { entities: 6001, users: 3, keys: [{ key: 'city', count: 13, users: 3 }] },
  ])
})

test('lists so many entity types, and says that there are more', async () => {
  const user = await service.create('admin', '/users', {})
  await service.database.pool.query(
    `insert into entities (user_id, id, type, created, properties)
    select $1::uuid, gen_random_uuid(), 'type ' || n, now(), '{}' from generate_series(1, 1005) n`,
    [user],
  )
  const { entityTypes, atLeast } = await readCounts(service)
  expect([entityTypes.length, atLeast]).toEqual([1000, true])
})

test('is told as it was while it cannot be counted again', async () => {
  const { pool } = service.database
  const dictionary = new CountedDictionary(service.database)
  const kept = await vi.waitUntil(() => dictionary.read(), { timeout: 30_000 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 })
  await pool.query('alter table entities rename to entities_away')
  try {
    expect(await dictionary.read()).toBe(kept)
    await expect(new CountedDictionary(service.database).read()).rejects.toThrow('entities')
  } finally {
    await pool.query('alter table entities_away rename to entities')
  }
})

test('is told at once while it is counted again, if counting takes long', async () => {
  const { pool } = service.database
  const dictionary = new CountedDictionary(service.database)
  const whileLocked = async <Result>(work: () => Promise<Result>) => {
    const client = await pool.connect()
    await client.query('begin; lock table entities in access exclusive mode')
    try {
      return await work()
    } finally {
      await client.query('rollback')
      client.release()
    }
  }
  expect(await whileLocked(() => dictionary.read())).toBeUndefined()
  const kept = await vi.waitUntil(() => dictionary.read(), { timeout: 30_000 })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 7_200_000 })
  // A reader that waited at all would be told later.
  expect(await whileLocked(() => Promise.race([dictionary.read(), setImmediate('later')]))).toBe(kept)
  await dictionary.close()
})

test('is as old as its beginning: who waits for one of after his own write gets one that has it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const begunMs = Date.now()
  const dictionary = new CountedDictionary(service.database)
  const reading = dictionary.read()
  vi.setSystemTime(begunMs + 5_000)
  const kept = (await reading) ?? (await vi.waitUntil(() => dictionary.read(), { timeout: 30_000 }))
  expect(kept.madeMs).toBe(begunMs)
})
