import { beforeEach, describe, expect, test } from 'vitest'

import type { Event, Filter, Problem, Segment, UserList } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { maxInlinedTests, maxReferenceDepth } from './facts.ts'

const service = testService()
beforeEach(() => service.reset())

const volvo: Filter = { entity: 'car', where: [{ key: 'brand', type: 'TEXT', op: 'eq', value: 'Volvo' }] }
const iban: Filter = {
  entity: 'person',
  where: [{ key: 'iban', type: 'TEXT', op: 'eq', value: 'DE02' }],
}

describe('a segment', () => {
  test('is stored, answered, listed oldest first and deleted, with an event for each change', async () => {
    const created = await service.call('admin', 'POST', '/segments', {
      name: 'Volvos',
      filter: volvo,
      tz: 'Europe/Berlin',
    })
    expect(created.status).toBe(201)
    const id = created.headers.get('location')?.replace(`${service.baseUrl}/segments/`, '') ?? ''
    const other = await create({ all: [] }, 'Everyone')

    const answer = await service.call('support', 'GET', `/segments/${id}`)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/)
    expect(answer).toMatchObject({ status: 200 })
    expect(answer.body).toEqual({
      id,
      name: 'Volvos',
      filter: volvo,
      tz: 'Europe/Berlin',
      created: time,
      updated: time,
    })
    expect((await list()).map((segment) => segment.name)).toEqual(['Volvos', 'Everyone'])

    expect(await service.call('admin', 'DELETE', `/segments/${id}`)).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect((await list()).map((segment) => segment.id)).toEqual([other])
    expect(await service.call('admin', 'GET', `/segments/${id}`)).toMatchObject({ status: 404 })
    expect(await eventsSeen()).toEqual([
      ['SEGMENT_CREATED', { segment: id, actor: 'admin' }],
      ['SEGMENT_CREATED', { segment: other, actor: 'admin' }],
      ['SEGMENT_DELETED', { segment: id, actor: 'admin' }],
    ])
  })

  test('narrows the list of users', async () => {
    const ana = await addUser('Ana', 'car', [{ key: 'brand', type: 'TEXT', value: 'VOLVO' }])
    await addUser('Bo', 'car', [{ key: 'brand', type: 'TEXT', value: 'Saab' }])
    const id = await create(volvo)
    const { body }: { body: UserList } = await service.call('support', 'GET', `/users?segment=${id}`)
    expect(body).toMatchObject({ total: 1, numberOfRecords: 1, next: '', users: [{ id: ana }] })
  })

  test.each(['0190a5d8-0000-7000-8000-000000000001', 'no-id', "'"])(
    'that does not exist is 404: %s',
    async (id) => {
      for (const [method, path] of [
        ['GET', `/segments/${id}`],
        ['DELETE', `/segments/${id}`],
        ['GET', `/users?segment=${id}`],
      ] as const)
        expect(await service.call('admin', method, path)).toMatchObject({
          status: 404,
          body: { code: 'segment_not_found' },
        })
    },
  )

  test('is not for everybody', async () => {
    expect(await service.fetch(`${service.baseUrl}/segments`)).toMatchObject({ status: 401 })
    expect(await service.call('integrator', 'GET', '/segments')).toMatchObject({ status: 403 })
    const answer = await service.call('steward', 'POST', '/segments', { name: 'A', filter: volvo })
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', scope: 'segments:write' },
    })
  })

  test('that is not acceptable is refused with the places, and nothing happens', async () => {
    const where = [{ key: 'km', type: 'NUMBER', op: 'gt', value: 'many' }]
    const filter = {
      all: [{ entity: 'car', where }, { user: 'email', op: 'on', value: '2024-01-01' }, { x: 1 }],
    }
    const { status, body } = await service.call('admin', 'POST', '/segments', {
      name: '',
      filter,
      tz: 'Mars',
    })
    expect(status).toBe(422)
    expect((body as Problem).errors?.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/name invalid',
      '/filter/all/0/where/0/value invalid_value',
      '/filter/all/1/op unknown_operator',
      '/filter/all/2/x unknown_field',
      '/filter/all/2 not_a_filter',
      '/tz invalid',
    ])
    expect(await list()).toEqual([])
    expect(await eventsSeen()).toEqual([])
  })
})

describe('a segment that uses another', () => {
  test('has its members', async () => {
    const ana = await addUser('Ana', 'car', [{ key: 'brand', type: 'TEXT', value: 'Volvo' }])
    const bo = await addUser('Bo', 'car', [{ key: 'brand', type: 'TEXT', value: 'Saab' }])
    const used = await create(volvo)
    expect(await members(await create({ segment: used.toUpperCase() }))).toEqual([ana])
    expect(await members(await create({ not: { all: [{ segment: used }] } }))).toEqual([bo])
  })

  test('needs it to exist', async () => {
    const segment = '0190a5d8-0000-7000-8000-000000000001'
    const filter = { any: [volvo, { not: { segment } }, { segment: 'no-id' }] }
    const { status, body } = await service.call('admin', 'POST', '/segments', { name: 'A', filter })
    expect(status).toBe(422)
    expect((body as Problem).errors).toMatchObject([
      { pointer: '/filter/any/1/not/segment', code: 'segment_not_found' },
      { pointer: '/filter/any/2/segment', code: 'segment_not_found' },
    ])
  })

  test('keeps it from being deleted, by name', async () => {
    const used = await create(volvo)
    const dependent = await create({ any: [{ not: { segment: used } }] }, 'No Volvo')
    // Looks like a reference to a segment, but is a text to compare with.
    await create({ entity: 'x', where: [{ key: 'segment', type: 'TEXT', op: 'eq', value: used }] })
    const answer = await service.call('admin', 'DELETE', `/segments/${used}`)
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'segment_in_use', dependents: [{ id: dependent, name: 'No Volvo' }] },
    })
    expect((answer.body as Problem).detail).toContain('“No Volvo”')
    expect(await service.call('admin', 'DELETE', `/segments/${dependent}`)).toMatchObject({ status: 204 })
    expect(await service.call('admin', 'DELETE', `/segments/${used}`)).toMatchObject({ status: 204 })
  })

  test('never loses it to somebody who deletes it at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const used = await create(volvo)
      const [made, gone] = await Promise.all([
        service.call('admin', 'POST', '/segments', { name: 'B', filter: { segment: used } }),
        service.call('admin', 'DELETE', `/segments/${used}`),
      ])
      expect([
        [201, 409],
        [422, 204],
      ]).toContainEqual([made.status, gone.status])
    }
  })

  test('stays within limits with all the segments that it uses', async () => {
    let last = await create(volvo)
    for (let depth = 1; depth <= maxReferenceDepth; depth++) last = await create({ segment: last })
    const deep = await service.call('admin', 'POST', '/segments', { name: 'A', filter: { segment: last } })
    expect(deep).toMatchObject({ status: 422, body: { errors: [{ pointer: '/filter', code: 'too_large' }] } })
    const ten = await create({ any: Array.from({ length: 10 }, () => volvo) })
    const wide = (times: number) => ({ any: Array.from({ length: times }, () => ({ segment: ten })) })
    expect(await members(await create(wide(maxInlinedTests / 10)))).toEqual([])
    const answer = await service.call('admin', 'POST', '/segments', {
      name: 'A',
      filter: wide(maxInlinedTests / 10 + 1),
    })
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/filter', code: 'too_large' }] },
    })
  })
})

describe('a filter on a sensitive property', () => {
  test('needs the scope to read it: where it is stored, where it is used, and through another segment', async () => {
    await addUser('Ana', 'person', [{ key: 'iban', type: 'TEXT', value: 'DE02', sensitive: true }])
    const direct = await create(iban)
    const through = await create({ not: { segment: direct } })
    for (const id of [direct, through]) {
      const answer = await service.call('support', 'GET', `/users?segment=${id}`)
      expect(answer).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope', scope: 'sensitive:read' },
      })
      expect(answer.headers.get('www-authenticate')).toContain('scope="sensitive:read"')
      expect(await service.call('steward', 'GET', `/users?segment=${id}`)).toMatchObject({ status: 200 })
    }
    const missing: Filter = { entity: 'person', where: [{ key: 'iban', type: 'TEXT', op: 'missing' }] }
    for (const filter of [iban, missing, { all: [{ segment: direct }] }])
      expect((await createWithout(filter)).status).toBe(403)
    expect((await createWithout(volvo)).status).toBe(201)
    // The members of this filter would reveal data of entities.
    const denied = await createWithout({ not: volvo }, '')
    expect([denied.status, await denied.json()]).toMatchObject([403, { scope: 'entities:read' }])
    expect((await createWithout({ user: 'name', op: 'exists' }, '')).status).toBe(201)
    // No car has a sensitive iban.
    expect((await createWithout({ ...iban, entity: 'car' })).status).toBe(201)
  })

  test('finds by equality: another test on it is refused with its place and what is possible', async () => {
    const sensitive = { sensitive: true }
    const ana = await addUser('Ana', 'person', [
      { key: 'iban', type: 'TEXT', value: 'DE02', ...sensitive },
      { key: 'seen', type: 'DATETIME', value: '2024-03-14T22:30:00Z', ...sensitive },
      { key: 'mail', type: 'PREFERENCE', value: { status: 'GRANTED' }, ...sensitive },
      { key: 'income', type: 'DECIMAL', value: '1000.00', ...sensitive },
      { key: 'city', type: 'TEXT', value: 'Leeds' },
    ])
    await addUser('Bo', 'person', [{ key: 'iban', type: 'TEXT', value: 'DE03', ...sensitive }])
    const on = (key: string, type: string, op: string, value?: unknown) =>
      ({ entity: 'person', where: [{ key, type, op, ...(value !== undefined && { value }) }] }) as Filter
    const granted = { status: 'GRANTED' }
    const refused = [
      on('iban', 'TEXT', 'starts_with', 'DE'),
      { not: on('income', 'DECIMAL', 'gt', '5') },
      on('seen', 'DATETIME', 'within_last', 'P1Y'),
      on('seen', 'DATETIME', 'on', '2024-03-14'),
      on('mail', 'PREFERENCE', 'in', [{ ...granted, expires: '2030-01-01T00:00:00Z' }]),
      on('city', 'TEXT', 'starts_with', 'L'),
      on('income', 'DECIMAL', 'exists'),
    ]
    const answer = await service.call('admin', 'POST', '/segments', {
      name: 'A',
      filter: { all: refused },
      tz: 'Europe/Berlin',
    })
    expect(answer.status).toBe(422)
    const errors = (answer.body as Problem).errors ?? []
    expect(errors.map(({ pointer }) => pointer)).toEqual([
      '/filter/all/0/where/0/op',
      '/filter/all/1/not/where/0/op',
      '/filter/all/2/where/0/op',
      '/filter/all/3/where/0/value',
      '/filter/all/4/where/0/value',
    ])
    expect(errors[1]?.detail).toContain('eq, ne, in, exists, missing.')
    expect(await list()).toEqual([])

    for (const filter of [
      on('iban', 'TEXT', 'in', ['de02', 'x']),
      on('iban', 'TEXT', 'ne', 'DE03'),
      on('seen', 'DATETIME', 'on', '2024-03-14'),
      on('seen', 'DATETIME', 'on', '2024-03-14T23:30:00+01:00'),
      on('mail', 'PREFERENCE', 'eq', granted),
      on('income', 'DECIMAL', 'eq', '1000'),
      on('income', 'DECIMAL', 'exists'),
    ])
      expect.soft(await members(await create(filter)), JSON.stringify(filter)).toEqual([ana])
  })

  test('is open again to everybody once nobody has such a property any more', async () => {
    const ana = await addUser('Ana', 'person', [
      { key: 'iban', type: 'TEXT', value: 'DE99', sensitive: true },
    ])
    // A unique filter: on a busy machine, another test's cached count of the same filter would be used.
    const id = await create({
      entity: 'person',
      where: [{ key: 'iban', type: 'TEXT', op: 'eq', value: 'DE99' }],
    })
    expect(await service.call('support', 'GET', `/users?segment=${id}`)).toMatchObject({ status: 403 })
    expect(await service.call('admin', 'DELETE', `/users/${ana}`)).toMatchObject({ status: 204 })
    expect(await service.call('support', 'GET', `/users?segment=${id}`)).toMatchObject({
      status: 200,
      body: { total: 0 },
    })
  })
})

async function create(filter: Filter, name = 'A segment'): Promise<string> {
  return await service.create('admin', '/segments', { name, filter })
}

/** Creates a segment as a caller who may write segments but not read sensitive values; no role has these scopes. */
async function createWithout(filter: Filter, more = 'entities:read'): Promise<Response> {
  const token = await service.sign({ sub: 'script', scope: `segments:write users:read ${more}` })
  return await service.fetch(`${service.baseUrl}/segments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A', filter }),
  })
}

async function list(): Promise<Segment[]> {
  return (await service.call('support', 'GET', '/segments')).body
}

async function members(id: string): Promise<string[]> {
  const { body }: { body: UserList } = await service.call('admin', 'GET', `/users?segment=${id}`)
  return body.users.map((user) => user.id)
}

async function eventsSeen(): Promise<unknown[]> {
  const { body }: { body: Event[] } = await service.call('admin', 'GET', '/events')
  return body.map(({ type, properties }) => [type, properties])
}

async function addUser(name: string, type: string, properties: readonly object[]): Promise<string> {
  const user = await service.call('admin', 'POST', '/users', { name })
  const id = user.headers.get('location')?.split('/').at(-1) ?? ''
  expect(await service.call('admin', 'POST', `/users/${id}/entities`, { type, properties })).toMatchObject({
    status: 201,
  })
  return id
}
