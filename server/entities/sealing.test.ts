import { beforeEach, describe, expect, test } from 'vitest'

import type { Changeset, Entity, Event, Property } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
let user: string
beforeEach(async () => {
  await service.reset()
  user = await create('/users', { name: 'Ana' })
})

async function create(path: string, body: object): Promise<string> {
  return await service.create('steward', path, body)
}

const text = (key: string, value: unknown, sensitive = true) => ({ key, type: 'TEXT', sensitive, value })

/** Creates a car and returns its path. */
async function car(...properties: object[]): Promise<string> {
  return `/users/${user}/entities/${await create(`/users/${user}/entities`, { type: 'car', properties })}`
}

async function patch(path: string, ...properties: object[]): Promise<void> {
  expect((await service.call('steward', 'PATCH', path, { properties })).status).toBe(204)
}

async function read(path: string, query = ''): Promise<Record<string, Property>> {
  const answer = await service.call('steward', 'GET', path + query)
  expect(answer.status).toBe(200)
  const { properties } = answer.body as Entity
  return Object.fromEntries(properties.map((property) => [property.key, property]))
}

const versions = async (path: string) =>
  Object.fromEntries(
    Object.entries(await read(path, '?sensitive=masked')).map(([key, { version }]) => [key, version]),
  )

async function rows<Row>(statement: string): Promise<Row[]> {
  return (await service.database.pool.query(statement)).rows as Row[]
}

/** Returns all rows of the tables that hold values, as text. */
async function readStored(): Promise<string> {
  const found = await Promise.all(
    ['entities', 'changesets', 'events', 'event_inbox', 'property_keys'].map((table) =>
      rows(`select t::text from ${table} t`),
    ),
  )
  return JSON.stringify(found)
}

async function changesets(): Promise<Changeset[]> {
  const events: Event[] = (await service.call('admin', 'GET', '/events')).body
  const ids = events.flatMap(({ properties: { entity, changeset } }) =>
    typeof entity === 'string' && typeof changeset === 'string' ? [changeset] : [],
  )
  return await Promise.all(
    ids.map(async (id) => (await service.call('admin', 'GET', `/changesets/${id}`)).body),
  )
}

describe('a sensitive value', () => {
  test('is written and read as any other, and is stored nowhere in clear', async () => {
    const given = [
      text('iban', 'canary-1'),
      text('none', null),
      { key: 'pay', type: 'CURRENCY', sensitive: true, value: { currency: 'EUR', value: '4711.4711' } },
      text('__proto__', 'canary-2'),
      text('constructor', 'canary-3'),
      text('toString', 'in the open', false),
    ]
    const path = await car(...given)
    expect(Object.values(await read(path))).toMatchObject(given)
    await patch(path, text('iban', 'canary-4'), text('added', 'canary-5'))
    expect(await read(path)).toMatchObject({
      iban: { value: 'canary-4' },
      added: { value: 'canary-5' },
      pay: { value: { currency: 'EUR', value: '4711.4711' } },
    })
    await service.call('steward', 'POST', '/users', { ref: 'R', properties: [text('iban', 'canary-6')] })
    await service.call('steward', 'DELETE', path)
    expect((await changesets()).map(({ changes }) => changes)).toMatchObject([
      given.map(({ key, value }) => ({ op: 'add', key, after: value })),
      [
        { key: 'iban', before: 'canary-1', after: 'canary-4' },
        { key: 'added', after: 'canary-5' },
      ],
      [{ key: 'iban', after: 'canary-6' }],
      [
        { key: 'iban', before: 'canary-4' },
        { key: 'none', before: null },
        { before: given[2]?.value },
        {},
        {},
        { before: 'in the open' },
        { before: 'canary-5' },
      ],
    ])
    expect(await readStored()).toContain('in the open')
    expect(await readStored()).not.toMatch(/canary|4711\.4711/)
  })

  test('takes what was recorded before it was sensitive out of the open, and out of the open only', async () => {
    const path = await car(text('plate', 'canary-1', false), text('colour', 'crimson', false))
    await patch(path, text('plate', 'canary-2', false), text('colour', 'turquoise', false))
    await service.call('steward', 'PUT', path, {
      type: 'car',
      properties: [text('colour', 'turquoise', false)],
    })
    expect(await readStored()).toContain('canary-1')
    const before = await changesets()
    await patch(path, text('plate', 'canary-3'))
    expect(await readStored()).not.toContain('canary')
    expect(await readStored()).toContain('crimson')
    expect((await changesets()).slice(0, 3)).toEqual(before)
    await patch(path, text('plate', 'open again', false))
    expect(await readStored()).not.toContain('canary')

    await patch(path, { key: 'colour', sensitive: true })
    expect(await readStored()).not.toMatch(/crimson|turquoise/)
    expect(await read(path)).toMatchObject({ colour: { value: 'turquoise', sensitive: true } })
    await patch(path, { key: 'colour', sensitive: false })
    expect(await read(path)).toMatchObject({ colour: { value: 'turquoise', sensitive: false } })
    expect((await changesets()).at(-1)?.changes).toMatchObject([
      { key: 'colour', sensitive: false, sensitiveBefore: true, before: 'turquoise', after: 'turquoise' },
    ])
  })

  test('stays sealed as it is while only others are written', async () => {
    const path = await car(text('iban', 'a'), text('plate', 'b'), text('colour', 'red', false))
    const sealed = async () => (await rows<{ sealed: object }>('select sealed from entities'))[0]?.sealed
    const before = await sealed()
    await patch(path, text('colour', 'blue', false), { key: 'plate', value: 'b' })
    const { properties } = (await service.call('steward', 'GET', path)).body as Entity
    await service.call('steward', 'PUT', path, { type: 'van', properties: properties.toReversed() })
    expect(await sealed()).toEqual(before)
    await patch(path, { key: 'plate', value: 'c' })
    expect(await sealed()).toEqual({ ...before, plate: expect.any(String) })
    expect(await sealed()).not.toEqual(before)
  })

  test('has a version, by which two readings without it are told apart', async () => {
    const path = await car(text('iban', 'same'), text('bic', 'same'), text('colour', 'red', false))
    const first = await versions(path)
    expect(first).toEqual({ iban: expect.any(String), bic: expect.any(String), colour: undefined })
    expect(first['iban']).not.toBe(first['bic'])
    await patch(path, text('colour', 'blue', false), { key: 'iban', value: 'same' })
    expect(await versions(path)).toEqual(first)
    const seen = new Set([first['iban']])
    for (const change of [
      { value: 'other' },
      { value: 'same' },
      { type: 'URL', value: 'https://example.org' },
      { type: 'TEXT' },
    ]) {
      await patch(path, { key: 'iban', ...change })
      const { iban, bic } = await versions(path)
      expect(seen).not.toContain(iban)
      expect(bic).toBe(first['bic'])
      seen.add(iban)
    }
  })

  test('is not opened by a reading that masks it, nor by a reveal of another', async () => {
    const path = await car(text('iban', 'secret'), text('colour', 'red', false))
    await service.database.pool.query(`update entities set sealed = '{"iban":"damaged"}'`)
    expect((await service.call('steward', 'GET', path)).status).toBe(500)
    expect(await read(path, '?sensitive=masked')).toMatchObject({ iban: { masked: true } })
    const list = await service.call('support', 'GET', `/users/${user}/entities`)
    expect(list.body).toMatchObject([{ properties: [{ masked: true }, { value: 'red' }] }])
    const reveal = (key: string) =>
      service.call('steward', 'POST', `${path}/reveal`, { keys: [key], reason: 'Test' })
    expect(await reveal('colour')).toMatchObject({ status: 200 })
    expect(await reveal('iban')).toMatchObject({ status: 500 })
  })
})

describe('the key of a user', () => {
  test('is made with the first sensitive value, also where many are the first at once', async () => {
    const paths = await Promise.all(Array.from({ length: 6 }, () => car(text('colour', 'red', false))))
    expect(await rows('select * from user_keys')).toEqual([])
    await Promise.all(
      paths.flatMap((path) => [
        patch(path, text('iban', `i ${path}`)),
        patch(path, text('plate', `p ${path}`)),
        patch(path, text('colour', 'blue', false)),
      ]),
    )
    for (const path of paths)
      expect(await read(path)).toMatchObject({
        iban: { value: `i ${path}` },
        plate: { value: `p ${path}` },
        colour: { value: 'blue' },
      })
    expect(await rows('select user_id, master from user_keys')).toEqual([{ user_id: user, master: 'test' }])
  })

  test('is destroyed with the user', async () => {
    await car(text('iban', 'secret'))
    await service.call('steward', 'DELETE', `/users/${user}`)
    expect(await rows('select * from user_keys')).toEqual([])
  })
})
