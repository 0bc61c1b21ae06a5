import { beforeEach, describe, expect, test } from 'vitest'

import type { Entity, Event, User, UserList } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
beforeEach(() => service.reset())

const zoneless = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/

async function create(body: object): Promise<string> {
  const { status, headers } = await service.call('steward', 'POST', '/users', body)
  expect(status).toBe(201)
  return idOf(headers)
}

const idOf = (headers: Headers) => (headers.get('location') ?? '').split('/').at(-1) ?? ''
const get = async (id: string): Promise<User> => (await service.call('support', 'GET', `/users/${id}`)).body
const page = async (query = ''): Promise<UserList> =>
  (await service.call('support', 'GET', `/users${query}`)).body
const events = async (): Promise<Event[]> => (await service.call('support', 'GET', '/events')).body
const entities = async (id: string): Promise<Entity[]> =>
  (await service.call('steward', 'GET', `/users/${id}/entities`)).body

describe('creating a user', () => {
  test('answers 201 with the singular Location and an empty body, and the followed Location lands', async () => {
    const answer = await service.call('support', 'POST', '/users', {
      email: 'ana@example.org',
      name: 'Ana',
      ref: 'C-1',
    })
    expect(answer.status).toBe(201)
    expect(answer.body).toBeUndefined()
    expect(answer.headers.get('content-length')).toBe('0')
    expect(answer.headers.get('location')).toMatch(/^http:\/\/data-store\.test\/api\/user\/[\da-f-]{36}$/)
    const landed = await service.fetch(answer.headers.get('location') ?? '', {
      headers: { authorization: `Bearer ${await service.token('support')}` },
    })
    expect(await landed.json()).toMatchObject({
      email: 'ana@example.org',
      name: 'Ana',
      ref: 'C-1',
      account: false,
    })
  })

  test('from an empty object makes a new user with the default texts each time, created and since set', async () => {
    const first = await create({})
    const second = await create({})
    expect(second).not.toBe(first)
    const user = await get(first)
    expect(user).toMatchObject({ email: 'Unknown email', name: 'Unknown user', account: false })
    expect(user.created).toMatch(zoneless)
    expect(user.since).toMatch(zoneless)
    expect(user).not.toHaveProperty('ref')
  })

  test('keeps a given since, completed to milliseconds', async () => {
    expect((await get(await create({ since: '2020-02-29T08:00:00' }))).since).toBe('2020-02-29T08:00:00.000')
  })

  test.each([
    ['e-mail, trimmed and in other case', { email: '  ANA@Example.org ' }],
    ['ref', { ref: 'C-1', email: 'other@example.org' }],
  ])('that matches by %s answers 303 with the existing one, whose fields stay', async (_what, body) => {
    const id = await create({ email: 'ana@example.org', name: 'Ana', ref: 'C-1' })
    const answer = await service.call('support', 'POST', '/users', { ...body, name: 'Somebody else' })
    expect(answer.status).toBe(303)
    expect(answer.body).toBeUndefined()
    expect(answer.headers.get('content-length')).toBe('0')
    expect(idOf(answer.headers)).toBe(id)
    expect(await get(id)).toMatchObject({ email: 'ana@example.org', name: 'Ana' })
    expect(await events()).toHaveLength(1)
  })

  test('never matches by the default texts or by a ref in other case', async () => {
    await create({})
    await create({ email: 'Unknown email', name: 'Unknown user' })
    await create({ ref: 'c-1' })
    await create({ ref: 'C-1' })
    expect((await page()).total).toBe(4)
  })

  test('64 times at once gives one 201 and 63 times 303 with the same id', async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, () =>
        service.call('support', 'POST', '/users', { email: 'ana@example.org', ref: 'C-1' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(63)
    expect(new Set(answers.map(({ headers }) => idOf(headers))).size).toBe(1)
    expect((await page()).total).toBe(1)
    expect(await events()).toHaveLength(1)
  })

  test('with the e-mail of one user and the ref of another is refused and names both', async () => {
    const a = await create({ email: 'ana@example.org' })
    const b = await create({ ref: 'C-2' })
    const answer = await service.call('support', 'POST', '/users', { email: 'ana@example.org', ref: 'C-2' })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'two_matches', users: [a, b] })
  })

  test('with properties makes the person entity, and on a match changes the oldest one', async () => {
    const id = await create({
      email: 'ana@example.org',
      properties: [{ key: 'city', type: 'TEXT', value: 'Lyon' }],
    })
    await service.call('steward', 'POST', `/users/${id}/entities`, { type: 'person' })
    const answer = await service.call('steward', 'POST', '/users', {
      email: 'ana@example.org',
      properties: [{ key: 'vip', type: 'BOOLEAN', value: true }],
    })
    expect(answer.status).toBe(303)
    const [first, second] = await entities(id)
    expect(first).toMatchObject({
      type: 'person',
      properties: [
        { key: 'city', value: 'Lyon' },
        { key: 'vip', value: true },
      ],
    })
    expect(second?.properties).toEqual([])
    expect((await events()).map(({ type }) => type)).toEqual([
      'USER_CREATED',
      'DIRECT_DATA_CHANGE',
      'DIRECT_DATA_CHANGE',
      'DIRECT_DATA_CHANGE',
    ])
  })

  test('with properties that are refused creates nothing at all', async () => {
    const answer = await service.call('steward', 'POST', '/users', {
      email: 'ana@example.org',
      properties: [{ key: 'born', type: 'DATE', value: '2023-02-29' }],
    })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/properties/0/value' }] })
    expect((await page()).total).toBe(0)
    expect(await events()).toEqual([])
  })

  test('with properties needs entities:write', async () => {
    const answer = await service.call('support', 'POST', '/users', { properties: [] })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toContain('entities:write')
  })

  test('ignores what the service assigns and refuses any other unknown field by name', async () => {
    const id = await create({ id: 'mine', created: 'x', account: true, invite_url: 'x', name: 'Ana' })
    expect(await get(id)).toMatchObject({ name: 'Ana', account: false })
    const answer = await service.call('support', 'POST', '/users', { nickname: 'Ann', 'a/b~': 1 })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      code: 'validation',
      errors: [
        { pointer: '/nickname', code: 'unknown_field' },
        { pointer: '/a~1b~0', code: 'unknown_field' },
      ],
    })
  })

  test.each([
    ['/email', { email: 'not an address' }],
    ['/email', { email: 5 }],
    ['/since', { since: '2024-03-01T09:30:00Z' }],
    ['/since', { since: '2023-02-29T00:00:00.000' }],
    ['/name', { name: 5 }],
  ])('points at %s in %j', async (pointer, body) => {
    const answer = await service.call('support', 'POST', '/users', body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ errors: [{ pointer }] })
    expect(JSON.stringify(answer.body)).not.toContain('not an address')
  })
})

describe('one user', () => {
  test('carries an invitation with the user id and a token as query parameters', async () => {
    const id = await create({})
    const invitation = new URL((await get(id)).invite_url ?? '')
    expect(invitation.searchParams.get('user')).toBe(id)
    expect(invitation.searchParams.get('token')).toMatch(/^\d+\.[\w-]{43}$/)
  })

  test.each(['no-uuid', '01900000-0000-7000-8000-000000000000'])(
    'that does not exist (%s) is a 404',
    async (id) => {
      for (const [method, body] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
        const answer = await service.call('steward', method, `/users/${id}`, body)
        expect(answer.status).toBe(404)
        expect(answer.body).toMatchObject({ code: 'user_not_found' })
      }
    },
  )

  test('is patched field by field, answered with 303; "" and the default texts clear a field', async () => {
    const id = await create({
      email: 'ana@example.org',
      name: 'Ana',
      ref: 'C-1',
      since: '2020-01-01T00:00:00.000',
    })
    const answer = await service.call('support', 'PATCH', `/users/${id}`, { name: 'Ana Lopez' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`http://data-store.test/api/user/${id}`)
    expect(await get(id)).toMatchObject({
      email: 'ana@example.org',
      name: 'Ana Lopez',
      ref: 'C-1',
      since: '2020-01-01T00:00:00.000',
    })
    await service.call('support', 'PATCH', `/users/${id}`, { email: 'Unknown email', name: '', ref: '' })
    const cleared = await get(id)
    expect(cleared).toMatchObject({ email: 'Unknown email', name: 'Unknown user' })
    expect(cleared).not.toHaveProperty('ref')
  })

  test('patched to what it already is makes no event', async () => {
    const id = await create({ email: 'ana@example.org', name: 'Ana' })
    await service.call('support', 'PATCH', `/users/${id}`, { ...(await get(id)) })
    await service.call('support', 'PATCH', `/users/${id}`, {})
    expect((await events()).map(({ type }) => type)).toEqual(['USER_CREATED'])
  })

  test.each([
    ['email', 'email_taken'],
    ['ref', 'ref_taken'],
  ])('cannot take the %s of another: 409 at the field', async (field, code) => {
    await create({ email: 'ana@example.org', ref: 'C-1' })
    const id = await create({ email: 'ben@example.org', ref: 'C-2' })
    const answer = await service.call('support', 'PATCH', `/users/${id}`, {
      email: 'Ana@example.org',
      ref: 'C-1',
    })
    expect(answer.status).toBe(409)
    const single = await service.call(
      'support',
      'PATCH',
      `/users/${id}`,
      field === 'email' ? { email: 'ANA@example.org' } : { ref: 'C-1' },
    )
    expect(single.body).toMatchObject({ code, errors: [{ pointer: `/${field}` }] })
    expect(await get(id)).toMatchObject({ email: 'ben@example.org', ref: 'C-2' })
  })

  test('is deleted with its entities; the event keeps the id', async () => {
    const id = await create({ properties: [{ key: 'a', type: 'TEXT', value: 'x' }] })
    const answer = await service.call('steward', 'DELETE', `/users/${id}`)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('content-length')).toBe('0')
    expect((await service.call('support', 'GET', `/users/${id}`)).status).toBe(404)
    expect((await service.call('steward', 'GET', `/users/${id}/entities`)).status).toBe(404)
    expect((await page()).total).toBe(0)
    expect((await events()).at(-1)).toMatchObject({ type: 'USER_DELETED', properties: { user: id } })
  })

  test('is deleted by a role or a token that names users:delete, and by no other', async () => {
    const id = await create({ name: 'Ana' })
    const own = 'users:read users:write entities:read entities:write sensitive:read sensitive:write'
    const answerTo = async (claims: object, path = `/users/${id}`) => {
      const headers = { authorization: `Bearer ${await service.sign({ ...claims })}` }
      const answer = await service.fetch(service.baseUrl + path, { method: 'DELETE', headers })
      return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() }
    }
    const refused = [
      { role: 'support' },
      { role: 'integrator' },
      { scope: own },
      { role: 'admin', scope: own },
      { role: 'admin', scp: own.split(' ') },
      { role: 'steward', scope: 'openid users:read' },
      // Naming a scope that the role lacks does not add it.
      { role: 'support', scope: `${own} users:delete` },
      // A scope with only a similar name does not count either.
      { scope: `${own} users:Delete USERS:DELETE users:delete:all xusers:delete` },
    ]
    for (const claims of refused)
      for (const path of [`/users/${id}`, `/user/${id}`]) {
        const { status, body } = await answerTo(claims, path)
        expect({ claims, status, body }).toMatchObject({
          status: 403,
          body: { code: 'insufficient_scope', scope: 'users:delete' },
        })
      }
    expect(await get(id)).toMatchObject({ name: 'Ana' })
    const taken = [
      { role: 'steward' },
      { role: 'admin' },
      { role: ['support', 'steward'] },
      { scope: 'users:delete' },
      { role: 'admin', scope: 'users:delete' },
      { scp: ['users:delete'] },
    ]
    for (const claims of taken) {
      const other = await create({})
      expect({ claims, ...(await answerTo(claims, `/users/${other}`)) }).toMatchObject({
        claims,
        status: 204,
      })
    }
  })

  test('answers under the singular address for every method', async () => {
    const id = await create({ name: 'Ana' })
    expect((await service.call('support', 'PATCH', `/user/${id}`, { name: 'Eva' })).status).toBe(303)
    expect((await service.call('support', 'GET', `/user/${id}`)).body).toMatchObject({ name: 'Eva' })
    expect((await service.call('steward', 'GET', `/user/${id}/entities`)).status).toBe(200)
    expect((await service.call('steward', 'DELETE', `/user/${id}`)).status).toBe(204)
  })
})

describe('the list', () => {
  test('pages by 50 in order of creation and ends with an empty next', async () => {
    const ids: string[] = []
    for (let n = 0; n < 120; n++) ids.push(await create({ ref: `C-${n}` }))
    const first = await page()
    expect(first).toMatchObject({ total: 120, numberOfRecords: 50, offset: '' })
    const second = await page(`?offset=${first.next}`)
    expect(second).toMatchObject({ total: 120, numberOfRecords: 50, offset: first.next })
    const third = await page(`?offset=${second.next}`)
    expect(third).toMatchObject({ numberOfRecords: 20, next: '' })
    expect([...first.users, ...second.users, ...third.users].map(({ id }) => id)).toEqual(ids)
    expect(first.next).toMatch(/^[\w-]+$/)
    expect(first.users[0]).not.toHaveProperty('invite_url')
  })

  test('has no next page with exactly 50 users, and is empty without any', async () => {
    expect(await page()).toEqual({ total: 0, numberOfRecords: 0, offset: '', next: '', users: [] })
    for (let n = 0; n < 50; n++) await create({})
    expect(await page()).toMatchObject({ numberOfRecords: 50, next: '' })
  })

  test('neither skips nor repeats anybody who existed throughout while others come and go', async () => {
    const ids: string[] = []
    for (let n = 0; n < 130; n++) ids.push(await create({}))
    const first = await page()
    for (const id of [...ids.slice(0, 10), ...ids.slice(60, 65)])
      await service.call('steward', 'DELETE', `/users/${id}`)
    await create({})
    const second = await page(`?offset=${first.next}`)
    const third = await page(`?offset=${second.next}`)
    const seen = [...first.users, ...second.users, ...third.users].map(({ id }) => id as string)
    expect(new Set(seen).size).toBe(seen.length)
    for (const id of [...ids.slice(10, 60), ...ids.slice(65)]) expect(seen).toContain(id)
  })

  test.each(['x', 'AQ', '0', '%00', 'A'.repeat(40)])('refuses the offset %s', async (offset) => {
    const answer = await service.call('support', 'GET', `/users?offset=${offset}`)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'invalid_offset' })
  })

  test('refuses an offset of another list, and a segment that does not exist', async () => {
    for (let n = 0; n < 51; n++) await create({})
    const { next } = await page()
    const created = await service.call('admin', 'POST', '/segments', {
      name: 'Everyone',
      filter: { all: [] },
    })
    const segment = idOf(created.headers)
    expect((await service.call('support', 'GET', `/users?segment=${segment}&offset=${next}`)).status).toBe(
      400,
    )
    expect(await page(`?segment=${segment}`)).toMatchObject({ total: 51, numberOfRecords: 50 })
    const missing = await service.call(
      'support',
      'GET',
      '/users?segment=01900000-0000-7000-8000-000000000000',
    )
    expect(missing.status).toBe(404)
  })
})
