import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { type Entity, maxEntityBytes, maxUserBytes } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
let user: string
beforeEach(async () => {
  await service.reset()
  user = await create('/users', { ref: 'C-1' })
})

const call = (method: string, path: string, body?: object) => service.call('steward', method, path, body)

async function create(path: string, body: object): Promise<string> {
  const { status, headers } = await call('POST', path, body)
  expect(status).toBe(201)
  return (headers.get('location') ?? '').split('/').at(-1) ?? ''
}

/** Returns properties with texts close to the maximum length. */
const texts = (count: number, name = 'text', length = 60_000) =>
  Array.from({ length: count }, (_, n) => ({ key: `${name}-${n}`, type: 'TEXT', value: 'x'.repeat(length) }))

const entities = () => `/users/${user}/entities`
const addEntity = (properties: object[] = []) => create(entities(), { type: 'car', properties })
const read = async (id: string): Promise<Entity> => (await call('GET', `${entities()}/${id}`)).body
const list = async (): Promise<Entity[]> => (await call('GET', entities())).body

/** Inserts entities as rows from before the limits: `count` of `bytes` bytes each, oldest first. */
async function storeEntities(count: number, bytes: number): Promise<void> {
  await sql`
    insert into entities (user_id, id, type, created, properties)
    select ${user}::uuid, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'car', now(),
      jsonb_build_object('text', jsonb_build_object('id', n::text, 'at', 0, 'type', 'TEXT', 'sensitive', false,
        'value', repeat('x', ${bytes - 128 - 'text""'.length}::int)))
    from generate_series(1, ${count}::int) n`.execute(service.database.sql)
}
const storedId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

describe('an entity', () => {
  test('holds up to 1 MiB, however it gets there; the refusal says how much it would be', async () => {
    const id = await addEntity(texts(16))
    const tooLarge = {
      status: 422,
      body: {
        errors: [
          {
            pointer: '/properties',
            code: 'entity_too_large',
            detail: expect.stringMatching(/at most 1,048,576 bytes; with this it would hold 1,082,\d{3}\./),
          },
        ],
      },
    }
    const before = await read(id)
    const path = `${entities()}/${id}`
    expect(await call('PATCH', path, { properties: texts(2, 'more') })).toMatchObject(tooLarge)
    expect(await read(id)).toEqual(before)
    expect((await call('PATCH', path, { properties: texts(1, 'more') })).status).toBe(204)

    await create('/users', { ref: 'C-2', properties: texts(16) })
    const matched = { ref: 'C-2', properties: texts(2, 'more') }
    expect(await call('POST', '/users', matched)).toMatchObject(tooLarge)

    // A megabyte of JSON exceeds the limit, since each property counts 128 bytes more than its key and value.
    const small = Array.from({ length: 500 }, (_, n) => ({
      key: `${n}`,
      type: 'TEXT',
      value: 'x'.repeat(2030),
    }))
    for (const [method, at] of [
      ['POST', entities()],
      ['PUT', path],
    ] as const)
      expect(await call(method, at, { type: 'car', properties: small })).toMatchObject({
        status: 422,
        body: { errors: [{ code: 'entity_too_large' }] },
      })
    expect(await call('POST', '/users', { ref: 'C-3', properties: small })).toMatchObject({ status: 422 })
    expect((await call('GET', '/users')).body).toMatchObject({ total: 2 })
  })

  test('counts keys, values and 128 bytes for each property, and of what is sealed about as much', async () => {
    const bytesOf = async (properties: object[]) => {
      const id = await addEntity(properties)
      const { rows } = await sql<{ bytes: number }>`
        select bytes from entities where id = ${id}`.execute(service.database.sql)
      return rows[0]?.bytes
    }
    expect(await bytesOf([])).toBe(0)
    expect(await bytesOf([{ key: 'ä', type: 'TEXT', value: '€"' }])).toBe(128 + 2 + 7)
    expect(await bytesOf([{ key: 'a', type: 'NUMBER', value: null }])).toBe(128 + 1 + 4)
    for (const [length, counted] of [
      [1, 64],
      [61, 64],
      [64, 128],
      [1000, 1024],
    ] as const) {
      const secret = { key: 'a', type: 'TEXT', sensitive: true, value: 'x'.repeat(length) }
      expect(await bytesOf([secret])).toBe(128 + 1 + counted)
    }
  })
})

describe('the entities of a user', () => {
  test('hold up to 16 MiB together, also when they are written at once', async () => {
    await storeEntities(15, 1_000_000)
    const left = maxUserBytes - 15_000_000
    // A third of the requests create entities; the others change two existing ones.
    const [one, other] = [await addEntity(), await addEntity()]
    const size = 240_000 + 4 * (128 + 10)
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const properties = texts(4, `part-${n}`)
        return n % 3 === 0
          ? call('POST', entities(), { type: 'car', properties })
          : call('PATCH', `${entities()}/${n % 3 === 1 ? one : other}`, { properties })
      }),
    )
    const fit = Math.floor(left / size)
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(fit)
    for (const { body } of answers.filter(({ status }) => status >= 300))
      expect(body).toMatchObject({
        status: 422,
        errors: [
          {
            pointer: '/properties',
            code: 'user_too_large',
            detail: expect.stringMatching(
              /at most 16,777,216 bytes together; with this they would hold 1[67],/,
            ),
          },
        ],
      })
    const { rows } = await sql<{ bytes: number }>`
      select sum(bytes) as bytes from entities where user_id = ${user}`.execute(service.database.sql)
    expect(rows[0]?.bytes).toBeLessThanOrEqual(maxUserBytes)

    await call('DELETE', `${entities()}/${storedId(1)}`)
    await addEntity(texts(4))
  })

  test('from before there were limits can be read, and shrink', async () => {
    await storeEntities(30, maxEntityBytes + 1000)
    expect((await list()).map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, n) => storedId(n + 1)))
    const path = `${entities()}/${storedId(7)}`
    const change = (value: string) => call('PATCH', path, { properties: [{ key: 'text', value }] })
    expect(await change('x'.repeat(60_000))).toMatchObject({ status: 204 })
    expect(await change('x'.repeat(60_001))).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'user_too_large' }] },
    })
    expect((await call('DELETE', `${entities()}/${storedId(8)}`)).status).toBe(204)
    expect(await list()).toHaveLength(29)
  })
})

describe('a long list of entities', () => {
  const open = async (path: string): Promise<IncomingMessage> => {
    const { port } = await service.listen()
    const headers = { authorization: `Bearer ${await service.token('steward')}` }
    const [response] = (await once(
      get({ port, host: '127.0.0.1', path: `/api${path}`, headers, agent: false }),
      'response',
    )) as [IncomingMessage]
    return response
  }

  test('asked with HEAD is not read any further than to know that it is there', async () => {
    await storeEntities(100, 160_000)
    const spy = vi.spyOn(service.database.pool, 'connect')
    const response = await call('HEAD', entities())
    expect(response).toMatchObject({ status: 200, body: undefined })
    // Any late reads by the HEAD request would precede those of this list, and would be counted.
    await list()
    const whole = spy.mock.calls.length
    await list()
    expect(whole - (spy.mock.calls.length - whole)).toBeLessThan(5)
    spy.mockRestore()
  })

  test('that is read slowly keeps nobody waiting, and is whole in the end', async () => {
    await storeEntities(100, 160_000)
    const response = await open(entities())
    response.pause()
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('application/json;charset=UTF-8')
    const late = storedId(100)
    // Writes would wait for reads on the same connection, if one were held.
    for (let n = 0; n < 20; n++)
      expect(
        (
          await call('PATCH', `${entities()}/${late}`, {
            properties: [{ key: 'n', type: 'NUMBER', value: n }],
          })
        ).status,
      ).toBe(204)
    await call('DELETE', `${entities()}/${storedId(99)}`)
    const added = await addEntity()
    const entries = JSON.parse(await text(response)) as Entity[]
    // Each entity is as it was when its batch was read; the last ones are current.
    expect(entries.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 98 }, (_, n) => storedId(n + 1)),
      late,
      added,
    ])
    expect(entries.at(-2)?.properties).toMatchObject([{ key: 'text' }, { key: 'n', value: 19 }])
    expect(await list()).toEqual(entries)
  })
})
