import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import type {
  Event,
  Filter,
  Judged,
  Membership,
  Role,
  Segment,
  SegmentPreview,
  User,
  UserList,
} from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startTestService } from '../testing/service.ts'

const service = testService()
beforeEach(() => service.reset())

const idOf = (headers: Headers) => headers.get('location')?.split('/').at(-1) ?? ''

async function create(path: string, body: object): Promise<string> {
  const { status, headers } = await service.call('admin', 'POST', path, body)
  expect(status).toBe(201)
  return idOf(headers)
}

const segment = (name: string, filter: Filter) => create('/segments', { name, filter })
const replace = (id: string, body: object, headers = {}, role: Role = 'admin') =>
  service.call(role, 'PUT', `/segments/${id}`, body, headers)
const read = async (id: string) => {
  const { body, headers } = await service.call('admin', 'GET', `/segments/${id}`)
  return { segment: body as Segment, etag: headers.get('etag') ?? '' }
}
const eventsOf = async (type: string): Promise<Event[]> =>
  (await service.call('admin', 'GET', `/events?type=${type}`)).body

const brand = (value: string): Filter => ({
  entity: 'car',
  where: [{ key: 'brand', type: 'TEXT', op: 'eq', value }],
})
const iban: Filter = { entity: 'person', where: [{ key: 'iban', type: 'TEXT', op: 'eq', value: 'DE02' }] }

async function userWithCar(name: string, value: string): Promise<string> {
  const user = await create('/users', { name })
  await create(`/users/${user}/entities`, {
    type: 'car',
    properties: [{ key: 'brand', type: 'TEXT', value }],
  })
  return user
}

describe('replacing a segment', () => {
  test('changes it under its id, for its users and for the segments that use it, with one event', async () => {
    const ana = await userWithCar('Ana', 'Volvo')
    const bo = await userWithCar('Bo', 'Saab')
    const id = await segment('Volvo', brand('volvo'))
    const outer = await segment('Not that', { not: { segment: id } })
    const members = async (of: string) => {
      const { body }: { body: UserList } = await service.call('admin', 'GET', `/users?segment=${of}`)
      return [body.total, ...body.users.map((user: User) => user.id)]
    }
    expect([await members(id), await members(outer)]).toEqual([
      [1, ana],
      [1, bo],
    ])
    const body = { name: 'Saab', description: 'Once', filter: brand('saab'), tz: 'Europe/Berlin' }
    expect((await replace(id, body)).status).toBe(204)
    expect([await members(id), await members(outer)]).toEqual([
      [1, bo],
      [1, ana],
    ])
    const { segment: now } = await read(id)
    expect(now).toMatchObject({ id, ...body })
    expect(now.updated && now.updated > (now.created ?? '')).toBe(true)
    expect((await eventsOf('SEGMENT_UPDATED')).map(({ properties }) => properties)).toEqual([
      { segment: id, actor: 'admin' },
    ])
  })

  test('with what is there already makes no event, however its members are ordered', async () => {
    const id = await segment('Volvo', brand('volvo'))
    const { segment: before } = await read(id)
    expect((await replace(id, before)).status).toBe(204)
    const filter = JSON.parse(
      JSON.stringify(brand('volvo'), ['where', 'entity', 'value', 'op', 'type', 'key']),
    ) as Filter
    expect((await replace(id, { name: 'Volvo', filter })).status).toBe(204)
    expect((await read(id)).segment.updated).toBe(before.updated)
    expect(await eventsOf('SEGMENT_UPDATED')).toEqual([])
  })

  test('takes what is left out away', async () => {
    const id = await create('/segments', {
      name: 'A',
      description: 'B',
      filter: { all: [] },
      tz: 'Asia/Tokyo',
    })
    await replace(id, { name: 'A', filter: { all: [] } })
    expect((await read(id)).segment).not.toHaveProperty('description')
    expect((await read(id)).segment).not.toHaveProperty('tz')
  })

  test('is refused on another state than the one that was read', async () => {
    const id = await segment('Volvo', brand('volvo'))
    const { etag } = await read(id)
    expect((await replace(id, { name: 'Mine', filter: brand('volvo') }, { 'if-match': etag })).status).toBe(
      204,
    )
    const stale = await replace(id, { name: 'Theirs', filter: brand('saab') }, { 'if-match': etag })
    expect(stale).toMatchObject({ status: 412, body: { code: 'stale' } })
    expect(
      (await service.call('admin', 'DELETE', `/segments/${id}`, undefined, { 'if-match': etag })).status,
    ).toBe(412)
    expect((await read(id)).segment.name).toBe('Mine')
  })

  test.each<[string, (ids: { a: string; b: string; c: string }) => Filter, string]>([
    ['itself', ({ a }) => ({ any: [brand('x'), { segment: a }] }), '/filter/any/1/segment'],
    ['one that uses it', ({ b }) => ({ not: { segment: b } }), '/filter/not/segment'],
    ['one that uses one that uses it', ({ c }) => ({ all: [{ segment: c }] }), '/filter/all/0/segment'],
  ])('is refused where the segment would use %s', async (_, filter, pointer) => {
    const a = await segment('A', brand('volvo'))
    const b = await segment('B', { segment: a })
    const c = await segment('C', { any: [{ segment: b }] })
    const answer = await replace(a, { name: 'A', filter: filter({ a, b, c }) })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer, code: 'cycle' }] } })
    expect((await read(a)).segment.filter).toEqual(brand('volvo'))
  })

  test('at the same time, each of two using the other, ends without a circle', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await segment('A', { all: [] }), await segment('B', { all: [] })]
      const answers = await Promise.all([
        replace(a, { name: 'A', filter: { segment: b } }),
        replace(b, { name: 'B', filter: { segment: a } }),
      ])
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 422]))
    }
  })

  test('is refused where a segment that uses it would grow too large', async () => {
    const a = await segment('A', brand('volvo'))
    const eight = { any: Array.from({ length: 8 }, () => ({ segment: a })) }
    const outer = await segment('Outer', eight)
    const many = { any: Array.from({ length: 40 }, (_, index) => brand(`x${index}`)) }
    const answer = await replace(a, { name: 'A', filter: many })
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/filter', code: 'too_large' }] },
    })
    expect(JSON.stringify(answer.body)).toContain('Outer')
    expect((await read(a)).segment.filter).toEqual(brand('volvo'))
    await service.call('admin', 'DELETE', `/segments/${outer}`)
    expect((await replace(a, { name: 'A', filter: many })).status).toBe(204)
  })

  test('needs its scope, and the one for sensitive keys', async () => {
    await create('/users', {
      name: 'Ana',
      properties: [{ key: 'iban', type: 'TEXT', value: 'DE02', sensitive: true }],
    })
    const id = await segment('A', { all: [] })
    const body = { name: 'A', filter: iban }
    expect((await replace(id, body, {}, 'steward')).status).toBe(403)
    const token = await service.sign({ sub: 'script', scope: 'segments:read segments:write entities:read' })
    const answer = await service.fetch(`${service.baseUrl}/segments/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect([answer.status, await answer.json()]).toMatchObject([403, { scope: 'sensitive:read' }])
  })

  test('answers 404 if it does not exist, and names the place of a wrong filter', async () => {
    for (const id of ['x', '01900000-0000-7000-8000-000000000000'])
      expect((await replace(id, { name: 'A', filter: { all: [] } })).status).toBe(404)
    const id = await segment('A', { all: [] })
    expect(await replace(id, { name: 'A', filter: { not: { user: 'emial', op: 'exists' } } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/filter/not/user' }] },
    })
  })
})

describe('a preview', () => {
  const preview = async (filter: Filter, role: Role = 'support') => {
    const { status, body } = await service.call(role, 'POST', '/segments/preview', { filter })
    expect(status).toBe(200)
    return body as SegmentPreview
  }

  test('counts, and shows the first ten, and stores nothing', async () => {
    const users: string[] = []
    for (let n = 0; n < 12; n++) users.push(await userWithCar(`User ${n}`, n === 3 ? 'Saab' : 'Volvo'))
    const found = await preview(brand('volvo'))
    expect(found).toMatchObject({ total: 11, atLeast: false })
    expect(found.users.map(({ id }) => id)).toEqual(users.filter((_, index) => index !== 3).slice(0, 10))
    expect(found.users[0]).toEqual({
      id: users[0],
      name: 'User 0',
      email: 'Unknown email',
      created: expect.any(String),
      since: expect.any(String),
      account: false,
    })
    expect(await preview(brand('saab'))).toMatchObject({ total: 1, users: [{ id: users[3] }] })
    expect(await preview({ any: [] })).toEqual({ total: 0, atLeast: false, users: [] })
    expect((await service.call('admin', 'GET', '/segments')).body).toEqual([])
    expect(await eventsOf('SEGMENT_CREATED')).toEqual([])
  })

  test('refuses what a segment would be refused for', async () => {
    await create('/users', { properties: [{ key: 'iban', type: 'TEXT', value: 'DE02', sensitive: true }] })
    const ask = (body: object, role: Role = 'support') =>
      service.call(role, 'POST', '/segments/preview', body)
    expect(await ask({ filter: iban }, 'integrator')).toMatchObject({ status: 403 })
    expect(await ask({ filter: { segment: 'x' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/filter/segment', code: 'segment_not_found' }] },
    })
    expect(await ask({ filter: { all: [] }, tz: 'Mars/Base' })).toMatchObject({ status: 422 })
  })

  test('tells nothing of properties to who may not read them', async () => {
    await create('/users', { properties: [{ key: 'iban', type: 'TEXT', value: 'DE02', sensitive: true }] })
    const ask = async (scope: string, filter: Filter) => {
      const token = await service.sign({ sub: 'script', scope: `users:read segments:read ${scope}` })
      const answer = await service.fetch(`${service.baseUrl}/segments/preview`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ filter }),
      })
      return [answer.status, await answer.json()]
    }
    const inside: Filter = { all: [{ not: brand('volvo') }] }
    expect(await ask('', inside)).toMatchObject([403, { scope: 'entities:read' }])
    expect(await ask('entities:read', inside)).toMatchObject([200, { total: 1 }])
    expect(await ask('', { user: 'email', op: 'missing' })).toMatchObject([200, { total: 1 }])
    expect(await ask('entities:read', iban)).toMatchObject([403, { scope: 'sensitive:read' }])
  })
})

describe('dependents', () => {
  test('are the segments that use one, also deep inside a filter', async () => {
    const a = await segment('A', { all: [] })
    const b = await segment('B', { any: [{ not: { all: [{ segment: a }] } }] })
    await segment('C', { segment: b })
    const { body } = await service.call('support', 'GET', `/segments/${a}/dependents`)
    expect(body).toEqual([{ id: b, name: 'B' }])
    expect((await service.call('support', 'GET', `/segments/${a}x/dependents`)).status).toBe(404)
  })
})

describe('why a user is in a segment', () => {
  const why = async (user: string, id: string, role: Role = 'steward'): Promise<Judged | undefined> => {
    const { status, body } = await service.call(role, 'GET', `/users/${user}/segments?explain=true`)
    expect(status).toBe(200)
    return (body as Membership[]).find((each) => each.id === id)?.why
  }

  test('is each condition with what was found, through other segments too', async () => {
    const ana = await userWithCar('Ana', 'Volvo')
    await create(`/users/${ana}/entities`, {
      type: 'car',
      properties: [{ key: 'brand', type: 'TEXT', value: 'Saab' }],
    })
    const volvo = await segment('Volvo', brand('volvo'))
    const id = await segment('A', {
      all: [
        { segment: volvo },
        { user: 'email', op: 'exists' },
        { not: { user: 'name', op: 'eq', value: 'ana' } },
      ],
    })
    expect(await why(ana, id)).toEqual({
      pass: false,
      all: [
        {
          segment: volvo,
          pass: true,
          is: {
            ...brand('volvo'),
            pass: true,
            entities: [
              {
                id: expect.any(String),
                pass: true,
                where: [
                  { key: 'brand', type: 'TEXT', op: 'eq', value: 'volvo', actual: 'Volvo', pass: true },
                ],
              },
              {
                id: expect.any(String),
                pass: false,
                where: [
                  { key: 'brand', type: 'TEXT', op: 'eq', value: 'volvo', actual: 'Saab', pass: false },
                ],
              },
            ],
          },
        },
        { user: 'email', op: 'exists', pass: false },
        { not: { user: 'name', op: 'eq', value: 'ana', actual: 'Ana', pass: true }, pass: false },
      ],
    })
  })

  test('never reveals a sensitive value, and nothing at all to callers who may not read them', async () => {
    const ana = await create('/users', {
      name: 'Ana',
      properties: [{ key: 'iban', type: 'TEXT', value: 'DE02', sensitive: true }],
    })
    const id = await segment('A', iban)
    expect(await why(ana, id)).toMatchObject({
      pass: true,
      entities: [{ where: [{ key: 'iban', masked: true, pass: true }] }],
    })
    expect(JSON.stringify((await why(ana, id)) as { entities?: unknown })).not.toContain('"actual"')
    const explained = async (scope: string) => {
      const token = await service.sign({ sub: 'script', scope: `users:read segments:read ${scope}` })
      const answer = await service.fetch(`${service.baseUrl}/users/${ana}/segments?explain=true`, {
        headers: { authorization: `Bearer ${token}` },
      })
      return [answer.status, await answer.json()]
    }
    expect(await explained('entities:read')).toEqual([200, [{ id, name: 'A', member: null }]])
    expect(await explained('')).toMatchObject([403, { scope: 'entities:read' }])
  })

  test('is only told when it is asked for', async () => {
    const ana = await create('/users', {})
    const id = await segment('A', { all: [] })
    for (const query of ['', '?explain=false'])
      expect((await service.call('admin', 'GET', `/users/${ana}/segments${query}`)).body).toEqual([
        { id, name: 'A', member: true },
      ])
    expect((await service.call('admin', 'GET', `/users/${ana}/segments?explain=yes`)).status).toBe(400)
  })
})

describe('counts in the list of segments', () => {
  const listed = async (role: Role = 'admin'): Promise<Segment[]> =>
    (await service.call(role, 'GET', '/segments')).body

  test('come as soon as they were counted, with the time, and not for a filter that has changed', async () => {
    await userWithCar('Ana', 'Fiat')
    await userWithCar('Bo', 'Fiat')
    const id = await segment('Fiat', brand('fiat'))
    await expect
      .poll(async () => (await listed())[0])
      .toMatchObject({ total: 2, counted: expect.stringMatching(/^\d{4}-.*\.\d{3}$/) })
    await replace(id, { name: 'Saab', filter: brand('lada') })
    expect((await listed())[0]).not.toHaveProperty('total')
    await expect.poll(async () => (await listed())[0]).toMatchObject({ total: 0 })
  })

  test('are withheld from callers who could infer a sensitive value from them', async () => {
    await create('/users', { properties: [{ key: 'iban', type: 'TEXT', value: 'DE02', sensitive: true }] })
    await segment('A', iban)
    await expect.poll(async () => (await listed('steward'))[0]).toMatchObject({ total: 1 })
    const token = await service.sign({ sub: 'script', scope: 'segments:read' })
    const answer = await service.fetch(`${service.baseUrl}/segments`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(((await answer.json()) as Segment[])[0]).not.toHaveProperty('total')
  })

  test('come for the others where one holds what is no filter, and it can still be listed and outgrown', async () => {
    const id = await segment('Lancia', brand('lancia'))
    const outer = await segment('Broken', { segment: id })
    for (const broken of [null, { user: 'email', op: 'resembles', value: 'x' }]) {
      await sql`update segments set filter = ${JSON.stringify(broken)}::jsonb where id = ${outer}::uuid`.execute(
        service.database.sql,
      )
      await expect.poll(async () => (await listed())[0]).toMatchObject({ id, total: 0 })
      expect((await listed())[1]).toMatchObject({ id: outer, filter: broken })
      expect((await listed())[1]).not.toHaveProperty('total')
    }
    expect((await replace(id, { name: 'Lancia', filter: { any: [] } })).status).toBe(204)
  })

  test('are no part of the bare document', async () => {
    const bare = await startTestService({ additions: 'none' })
    await bare.call('admin', 'POST', '/segments', { name: 'A', filter: { all: [] } })
    for (let time = 0; time < 2; time++) {
      const { body }: { body: Segment[] } = await bare.call('admin', 'GET', '/segments')
      expect(Object.keys(body[0] ?? {}).toSorted()).toEqual(['created', 'filter', 'id', 'name', 'updated'])
    }
    await bare.close()
  })
})
