import { request as requestOf } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'

import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

const service = testService()
let port: number
let user: string
let entity: string
let large: string
let segment: string
beforeAll(async () => {
  port = (await service.listen()).port
  user = `/users/${idOf(await service.call('steward', 'POST', '/users', { name: 'Ana' }))}`
  const entities = `${user}/entities`
  const properties = Array.from({ length: 40 }, (_, n) => ({ key: `key ${n}`, type: 'NUMBER', value: n }))
  const code = { key: 'code', type: 'TEXT', sensitive: true, value: 'Sesame' }
  const add = async (body: object) =>
    `${entities}/${idOf(await service.call('steward', 'POST', entities, body))}`
  entity = await add({ type: 'car', properties: [...properties, code] })
  large = await add({
    type: 'car',
    properties: [...properties, { key: 'text', type: 'TEXT', value: 'ä'.repeat(30_000) }],
  })
  const value = ['Sesame', ...Array.from({ length: 99 }, (_, n) => `not Sesame ${n}`)]
  const isSesame = { entity: 'car', where: [{ key: 'code', type: 'TEXT', op: 'in', value }] }
  segment = await service.create('admin', '/segments', { name: 'Sesame', filter: isSesame })
  for (let n = 0; n < 60; n += 1) await service.call('steward', 'POST', '/users', { name: `Eva ${n}` })
})

interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Bytes of the body, still compressed. */
  readonly bytes: Buffer
}

/** Sends one request and returns its answer without decoding it. */
async function receive(
  path: string,
  headers: Readonly<Record<string, string>>,
  {
    role = 'steward',
    method = 'GET',
    body,
  }: { role?: 'steward' | 'support'; method?: string; body?: object } = {},
): Promise<Received> {
  const authorization = `Bearer ${await service.token(role)}`
  const type = body && { 'content-type': 'application/json' }
  return await new Promise((resolve, reject) => {
    const sent = requestOf(
      {
        port,
        host: '127.0.0.1',
        path: `/api${path}`,
        method,
        headers: { authorization, ...type, ...headers },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes: Buffer.concat(chunks),
          }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body && JSON.stringify(body))
  })
}

const decode = ({ headers, bytes }: Received) => {
  const coding = headers['content-encoding']
  const content =
    coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes
  return content.toString()
}

describe('an answer', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['GZIP', 'gzip'],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
  ])(
    'to who takes "%s" comes in %s, with its length, and says what it depends on',
    async (accepted, coding) => {
      const plain = await receive('/users', {})
      const answer = await receive('/users', { 'accept-encoding': accepted })
      expect(answer.headers['content-encoding']).toBe(coding)
      expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
      expect(answer.headers.vary).toBe('Origin, Accept-Encoding')
      expect(decode(answer)).toBe(decode(plain))
      if (coding) expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2)
    },
  )

  test('that is a list, written row by row, is compressed too', async () => {
    const plain = await receive(`${user}/entities`, {}, { role: 'support' })
    const answer = await receive(`${user}/entities`, { 'accept-encoding': 'br' }, { role: 'support' })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(decode(answer)).toBe(decode(plain))
  })

  test.each(['br', 'gzip'])('that is large is compressed too, in %s', async (coding) => {
    const plain = await receive('/openapi.json', {})
    const answer = await receive('/openapi.json', { 'accept-encoding': coding })
    expect(plain.bytes.length).toBeGreaterThan(100_000)
    expect(answer.headers['content-encoding']).toBe(coding)
    expect(decode(answer)).toBe(decode(plain))
  })

  test('to HEAD says the same as to GET', async () => {
    const got = await receive('/users', { 'accept-encoding': 'gzip' })
    const head = await receive('/users', { 'accept-encoding': 'gzip' }, { method: 'HEAD' })
    const { date: _, ...headers } = head.headers
    expect(got.headers).toMatchObject(headers)
    expect(head.bytes.length).toBe(0)
  })

  test.each([
    [`short ones`, () => `${user}/segments`],
    ['refusals', () => '/nothing'],
  ])('stays as it is where it fits into a packet: %s', async (_, path) => {
    const answer = await receive(path(), { 'accept-encoding': 'br' })
    expect(answer.headers['content-encoding']).toBeUndefined()
  })

  test('that is kept compressed follows what it lists', async () => {
    const define = (text: string) =>
      service.call('admin', 'PUT', '/definitions/car/code', { description: { en: text.repeat(60) } })
    const codings = ['br', 'gzip', 'br', 'gzip', 'identity']
    const tags: unknown[] = []
    for (const text of ['It unlocks. ', 'It locks. ']) {
      await define(text)
      for (const coding of codings) {
        const answer = await receive('/definitions', { 'accept-encoding': coding })
        expect(answer.headers['content-encoding'] ?? 'identity').toBe(coding)
        expect(answer.headers['content-length']).toBe(String(answer.bytes.length))
        expect(decode(answer)).toContain(text.repeat(60).trim())
        const { etag = '' } = answer.headers
        const again = await receive('/definitions', { 'if-none-match': String(etag) })
        expect(again.status).toBe(304)
        tags.push(etag)
      }
    }
    expect(new Set(tags).size).toBe(6)
  })

  test('to a search is compressed', async () => {
    const answer = await receive(
      '/users/search',
      { 'accept-encoding': 'br' },
      { method: 'POST', body: { name: 'Eva' } },
    )
    expect(answer.headers['content-encoding']).toBe('br')
    expect(decode(answer)).toContain('Eva 1')
  })
})

describe('an answer that opens sealed values', () => {
  test.each([
    ['an entity', () => [entity] as const],
    ['entities', () => [`${user}/entities`] as const],
    ['what a segment compares them with', () => [`/segments/${segment}`] as const],
    ['segments', () => ['/segments'] as const],
    ['values revealed', () => [`${entity}/reveal`, { keys: ['code'], reason: 'x'.repeat(400) }] as const],
  ])('is never compressed: %s', async (_, request) => {
    const [path, body]: readonly [path: string, body?: object] = request()
    const method = body ? 'POST' : 'GET'
    const answer = await receive(path, { 'accept-encoding': 'br, gzip' }, { method, ...(body && { body }) })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(decode(answer)).toContain('Sesame')
  })

  test('is compressed masked, and to who may not read it', async () => {
    const masked = await receive(`${entity}?sensitive=masked`, { 'accept-encoding': 'br' })
    const withheld = await receive(entity, { 'accept-encoding': 'br' }, { role: 'support' })
    for (const answer of [masked, withheld]) {
      expect(answer.headers['content-encoding']).toBe('br')
      expect(decode(answer)).not.toContain('Sesame')
    }
  })
})

describe('the tag of a compressed answer', () => {
  test.each(['br', 'gzip'])(
    'in %s is another strong one, by which the state is written and the answer known',
    async (coding) => {
      const accepted = { 'accept-encoding': coding }
      const path = `${large}?sensitive=masked`
      const [plain, answer] = [await receive(path, {}), await receive(path, accepted)]
      const tag = String(answer.headers.etag)
      expect(tag).toBe(String(plain.headers.etag).replace(/"$/, `-${coding}"`))
      const again = await receive(path, { ...accepted, 'if-none-match': tag })
      expect([again.status, again.bytes.length]).toEqual([304, 0])
      const change = { properties: [{ key: 'key 1', value: Math.random() }] }
      const written = await receive(
        large,
        { ...accepted, 'if-match': tag },
        { method: 'PATCH', body: change },
      )
      expect(written.status).toBe(204)
      expect((await receive(path, { ...accepted, 'if-none-match': tag })).status).toBe(200)
      expect((await receive(large, { 'if-match': tag }, { method: 'PATCH', body: change })).status).toBe(412)
    },
  )
})

test('a stream of events is not compressed, which would hold events back', async () => {
  const abort = new AbortController()
  const response = await fetch(`http://127.0.0.1:${port}/api/events/stream`, {
    headers: { authorization: `Bearer ${await service.token('admin')}`, 'accept-encoding': 'br' },
    signal: abort.signal,
  })
  expect(response.headers.get('content-encoding')).toBeNull()
  abort.abort()
})
