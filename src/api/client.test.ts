import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Role } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import { network } from '../testing/network.ts'
import { connect, readFeatures } from './connection.ts'
import { api, ApiError, etagOf, isRepeatable, keyedWrites, offers } from './index.ts'

const service = testService()
beforeEach(() => service.reset())

type Fetch = typeof fetch

function as(role: Role, fetch: Fetch = service.fetch, features = service.features) {
  const token = () => service.token(role)
  connect({
    apiUrl: service.baseUrl,
    tokens: { token, tokenAfter: token },
    features,
    fetch,
  })
}

async function failure(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error('An ApiError was expected.', { cause: error })
  return error
}

describe('writes that are answered with a redirect', () => {
  test('tell a created user from one that existed, with the id of either', async () => {
    as('admin')
    const created = await api.createUser({ body: { email: 'ana@example.org', name: 'Ana' } })
    const again = await api.createUser({ body: { email: 'ANA@example.org' } })
    expect(created.outcome).toBe('created')
    expect(again).toEqual({ outcome: 'existed', id: created.id })
    expect((await api.listUsers()).total).toBe(1)
  })

  test('are done even where the address redirected to answers 404', async () => {
    as('admin')
    const { id = '' } = await api.createUser({ body: { name: 'Ana' } })
    const { fetch } = network(service, async (request, pass) => {
      const response = await pass()
      if (request.method !== 'PATCH') return response
      const missing = new Response('<h1>Not here</h1>', { status: 404 })
      const { url, redirected } = response
      return Object.defineProperties(missing, { url: { value: url }, redirected: { value: redirected } })
    })
    as('admin', fetch)
    expect(await api.patchUser({ params: { user_id: id }, body: { name: 'Bea' } })).toMatchObject({ id })
    expect(await api.getUser({ params: { user_id: id } })).toMatchObject({ name: 'Bea' })
  })

  test('do not take a detour to the same path for success', async () => {
    const { fetch } = network(service, async (request) =>
      Object.defineProperties(new Response('{"detail":"No."}', { status: 422 }), {
        url: { value: request.url },
        redirected: { value: true },
      }),
    )
    as('admin', fetch)
    expect(await failure(api.createUser({ body: {} }))).toMatchObject({ status: 422, detail: 'No.' })
  })

  test.each([
    ['may not be read', {}],
    ['cannot be decoded', { Location: '/api/users/100%' }],
  ])('say that the id is unknown where Location %s', async (_, headers) => {
    const { fetch } = network(service, async () => new Response(null, { status: 201, headers }))
    as('admin', fetch)
    expect(await api.createUser({ body: {} })).toEqual({ outcome: 'unknown-id' })
  })
})

describe('failures', () => {
  test('carry the place of each error, the status and the request id', async () => {
    as('admin')
    const error = await failure(api.createUser({ body: { email: 'nobody' } }))
    expect(error).toMatchObject({ status: 422, outcomeUnknown: false })
    expect(error.errors).toMatchObject([{ pointer: '/email' }])
    expect(error.requestId).toMatch(/.+/)
    expect(error.message).not.toContain('nobody')
  })

  test('name the scope that is missing', async () => {
    as('support')
    const error = await failure(api.createSegment({ body: { name: 'x', filter: { all: [] } } }))
    expect(error).toMatchObject({ status: 403, missingScope: 'segments:write' })
  })

  test('are readable where a gateway answers with a page of HTML', async () => {
    const { fetch } = network(service, async () => new Response('<h1>Bad gateway</h1>', { status: 500 }))
    as('admin', fetch)
    expect(await failure(api.listUsers())).toMatchObject({ status: 500, code: undefined })
  })

  test('a page that a network puts before a write is not taken for its success', async () => {
    const page = () =>
      new Response('<h1>Sign in to the network</h1>', { headers: { 'Content-Type': 'text/html' } })
    const { fetch } = network(service, async () => page())
    as('admin', fetch)
    const error = await failure(api.deleteUser({ params: { user_id: '019' } }))
    expect(error).toMatchObject({ code: 'unreadable', outcomeUnknown: true })
  })

  test('a success that cannot be read is a failure that quotes nothing of it', async () => {
    const { fetch } = network(service, async () => Response.json({ users: 'Ana Lopez' }))
    as('admin', fetch)
    const error = await failure(api.listUsers())
    expect(error.code).toBe('unreadable')
    expect(JSON.stringify(error.cause)).not.toContain('Ana')
  })
})

describe('an answer that another service words in its own way', () => {
  const answer = (content: unknown, status = 200) =>
    as('admin', network(service, async () => Response.json(content, { status })).fetch)

  test('keeps the members that the contract does not know, at every depth', async () => {
    const page = { total: 1, page: { of: 3 }, users: [{ id: 'a', email: null, shoe: { size: 38 } }] }
    answer(page)
    expect(await api.listUsers()).toEqual(page)
  })

  test('is refused by the place where it does not fit', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    answer({ users: [{ name: 'Ana' }, { id: {} }] })
    expect((await failure(api.listUsers())).cause).toContain('"/users/0/id"')
    answer({ name: 'Ana' })
    expect((await failure(api.getUser({ params: { user_id: 'a' } }))).cause).toContain('"/id"')
    // Parsing may already have changed digits of an integer above `Number.MAX_SAFE_INTEGER`.
    answer({ id: 2 ** 60 })
    expect((await failure(api.getUser({ params: { user_id: 'a' } }))).cause).toContain('"/id"')
  })

  test('is read with its odd fields, each reported once, without its value', async () => {
    const said = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const odd = { id: 7, created: 1_700_000_000, account: 'True', email: { of: 'Ana' } }
    answer({ total: '2', next: 50, offset: 0, users: [odd, { ...odd, id: 8, name: 'Bea' }] })
    for (let time = 0; time < 2; time += 1)
      expect(await api.listUsers()).toEqual({
        total: 2,
        next: '50',
        offset: '0',
        users: [
          { id: '7', created: '1700000000', account: true },
          { id: '8', created: '1700000000', account: true, name: 'Bea' },
        ],
      })
    const sentences = said.mock.calls.flat()
    expect(sentences).toContain('GET /users: "users/*/id" is a number instead of a string, and read as one.')
    expect(sentences).toContain(
      'GET /users: "users/*/email" is of the kind object instead of a string, and left out.',
    )
    expect(new Set(sentences).size).toBe(sentences.length)
    expect(sentences.join()).not.toMatch(/Ana|Bea|1700/)
    answer({ total: 0 })
    expect((await api.listUsers()).users).toEqual([])
  })

  test('keeps all properties of an entity, or is refused', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const params = { user_id: 'a', entity_id: 'b' }
    const property = { key: 'iban', type: 'TEXT', value: 'DE' }
    answer({ id: 3, type: 'person', properties: [{ ...property, id: 4, sensitive: 'true' }] })
    expect(await api.getEntity({ params })).toEqual({
      id: '3',
      type: 'person',
      properties: [{ ...property, id: '4', sensitive: true }],
    })
    answer({ id: 'b', type: 'person' })
    expect(await api.getEntity({ params })).toEqual({ id: 'b', type: 'person', properties: [] })
    answer({ id: 'b', type: 'person', properties: [{ ...property, sensitive: 'secret' }] })
    expect((await failure(api.getEntity({ params }))).cause).toContain('"/properties/0/sensitive"')
  })

  test('is refused where a mark that hides a value cannot be read', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const write = { id: 'c', user: 'a', time: '2026-01-01T00:00:00.000Z' }
    const change = { op: 'change', key: 'iban', type: 'TEXT', before: 'DE', after: 'FR' }
    const readChangeset = () => api.getChangeset({ params: { changeset_id: 'c' } })
    for (const mark of ['sensitive', 'sensitiveBefore', 'masked']) {
      answer({ ...write, changes: [{ ...change, [mark]: 'yes' }] })
      expect((await failure(readChangeset())).cause).toContain(`"/changes/0/${mark}"`)
    }
    answer({ ...write, op: null, changes: [{ ...change, sensitive: 'TRUE', typeBefore: null }] })
    expect(await readChangeset()).toEqual({ ...write, op: null, changes: [{ ...change, sensitive: true }] })
  })

  test('is refused as a whole where a row lacks what it must have', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const event = { id: '1', eventtime: '2026-01-01T00:00:00.000Z', type: 'USER_CREATED', properties: {} }
    answer([event, { ...event, id: '2', type: undefined }, { ...event, id: '3' }])
    expect((await failure(api.listEvents())).cause).toContain('"/1/type"')
  })

  test('has what the contract puts in the place of a part that does not fit', async () => {
    answer({ api: '1.0', features: null })
    expect(await api.getCapabilities()).toEqual({ api: '1.0', features: {} })
    answer({ detail: 'No.', errors: [{ pointer: 7, detail: 'Too long.' }] }, 422)
    expect((await failure(api.createUser({ body: {} }))).errors).toEqual([
      { pointer: '', code: 'invalid', detail: 'Too long.' },
    ])
  })

  test('lends no prototype to what is read from it', async () => {
    const text = '{"users":[{"id":"a","__proto__":{"email":"eve@example.org"}}]}'
    as('admin', network(service, async () => new Response(text)).fetch)
    expect((await api.listUsers()).users[0]?.email).toBeUndefined()
  })
})

describe('trying again', () => {
  test('a read goes once more after a passing failure', async () => {
    let failures = 1
    const { requests: sent, fetch } = network(service, (_, pass) =>
      failures-- > 0 ? Promise.resolve(new Response(null, { status: 503 })) : pass(),
    )
    as('admin', fetch)
    expect(await api.listUsers()).toMatchObject({ total: 0 })
    expect(sent).toHaveLength(2)
  })

  test('a read that asks for more patience than a person has is not waited for', async () => {
    const { requests: sent, fetch } = network(
      service,
      async () => new Response(null, { status: 429, headers: { 'Retry-After': '60' } }),
    )
    as('admin', fetch)
    expect(await failure(api.listUsers())).toMatchObject({ status: 429, retryAfterSeconds: 60 })
    expect(sent).toHaveLength(1)
  })

  test.each(['read', 'write'])('a %s that came too soon goes again when it may', async (kind) => {
    let refusals = 2
    const { requests: sent, fetch } = network(service, (_, pass) =>
      refusals-- > 0
        ? Promise.resolve(new Response(null, { status: 429, headers: { 'Retry-After': '1' } }))
        : pass(),
    )
    as('admin', fetch)
    if (kind === 'read') expect(await api.listUsers()).toMatchObject({ total: 0 })
    else expect(await api.createUser({ body: {} })).toMatchObject({ outcome: 'created' })
    expect(sent).toHaveLength(3)
  })

  test('a write that was done is not repeated where the page that it leads to comes too soon', async () => {
    const { fetch } = network(service)
    as('admin', fetch)
    const { id = '' } = await api.createUser({ body: {} })
    const { requests: sent, fetch: refusing } = network(service, async () =>
      Object.defineProperties(new Response(null, { status: 429, headers: { 'Retry-After': '1' } }), {
        redirected: { value: true },
        url: { value: `${service.baseUrl}/user/${id}` },
      }),
    )
    as('admin', refusing)
    expect(await api.patchUser({ params: { user_id: id }, body: { name: 'Ana' } })).toMatchObject({ id })
    expect(sent).toHaveLength(1)
  })

  test('a write never goes twice, and after a lost answer its outcome is unknown', async () => {
    const { requests: sent, fetch } = network(service, async (_, pass) => {
      await pass()
      throw new TypeError('Failed to fetch')
    })
    as('admin', fetch)
    expect(await failure(api.createUser({ body: {} }))).toMatchObject({
      status: 0,
      code: 'network',
      outcomeUnknown: true,
    })
    expect(sent).toHaveLength(1)
    as('admin')
    expect((await api.listUsers()).total).toBe(1)
  })

  test('a refused token is replaced once, and the write goes with the new one', async () => {
    const { requests: sent, fetch } = network(service)
    let asked = 0
    connect({
      apiUrl: service.baseUrl,
      fetch,
      features: service.features,
      tokens: {
        token: () => Promise.resolve('stale'),
        tokenAfter: (refused) => {
          expect(refused).toBe('stale')
          asked++
          return service.token('admin')
        },
      },
    })
    expect(await api.createUser({ body: {} })).toMatchObject({ outcome: 'created' })
    expect([asked, sent.length]).toEqual([1, 2])
  })

  test('an endless refusal ends', async () => {
    const { requests: sent, fetch } = network(service, async () => new Response(null, { status: 401 }))
    as('admin', fetch)
    expect(await failure(api.createUser({ body: {} }))).toMatchObject({ status: 401 })
    expect(sent).toHaveLength(2)
  })

  test('a read that nobody waits for any more is given up, not failed', async () => {
    as('admin')
    const reason = new DOMException('Gone elsewhere.', 'AbortError')
    await expect(api.listUsers({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

test('an empty offset is not sent: it would be the first page again', async () => {
  const { requests: sent, fetch } = network(service)
  as('admin', fetch)
  await api.listUsers({ query: { offset: '', segment: '' } })
  expect(sent.map(({ path }) => path.includes('?'))).toEqual([false])
})

test('an id that would address something else is not sent at all', async () => {
  const { requests: sent, fetch } = network(service)
  as('admin', fetch)
  for (const user_id of ['', '.', '..'])
    expect(await failure(api.deleteUser({ params: { user_id } }))).toMatchObject({ status: 404 })
  expect(sent).toEqual([])
})

test.each(['full', 'bare'])('a %s service is sent tags and keys only if it knows them', async (kind) => {
  const isKnown = kind === 'full'
  as('admin')
  const { id = '' } = await api.createUser({ body: { name: 'Ana' } })
  const { requests: sent, fetch } = network(service, ({ method }) =>
    method === 'POST' ? Promise.reject(new TypeError()) : undefined,
  )
  as('admin', fetch, isKnown ? service.features : {})
  const user = await api.getUser({ params: { user_id: id } })
  expect(etagOf(user) !== undefined).toBe(isKnown)
  const write = keyedWrites()
  for (let tries = 0; tries < 2; tries += 1) {
    const lost = await failure(write({}, (keyed) => api.createUser({ body: {}, ...keyed })))
    expect(isRepeatable(lost)).toBe(isKnown)
  }
  const [first, second] = sent.slice(1).map(({ headers }) => headers.get('Idempotency-Key'))
  expect(first !== null).toBe(isKnown)
  expect(second).toBe(first)
})

test('a service without capabilities offers none', async () => {
  for (const answer of [
    new Response('<h1>Who are you?</h1>', { status: 401 }),
    new Response('<h1>Welcome</h1>'),
    Response.json({ features: null }),
    undefined,
  ]) {
    const { requests: sent, fetch } = network(service, () =>
      answer ? Promise.resolve(answer) : Promise.reject(new TypeError()),
    )
    expect(await readFeatures(service.baseUrl, fetch)).toEqual({})
    expect(sent[0]?.headers.has('authorization')).toBe(false)
  }
  connect({ apiUrl: service.baseUrl, tokens: undefined as never, features: { keys: 2 } })
  expect([offers('listUsers'), offers('searchUsers')]).toEqual([true, false])
})

test('a service offers what its capabilities say', async () => {
  expect(await readFeatures(service.baseUrl, service.fetch)).toEqual(service.features)
  as('admin')
  expect([offers('listUsers'), offers('searchUsers')]).toEqual([true, true])
})
