import { beforeEach, describe, expect, test } from 'vitest'

import type { Changeset, Event, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

const service = testService()
beforeEach(() => service.reset())

const write = (method: string, path: string, body?: object, role: Role = 'steward') =>
  service.call(role, method, path, body)
const text = (key: string, value: string | null) => ({ key, type: 'TEXT', value })
const secret = (key: string, value: string | null) => ({ ...text(key, value), sensitive: true })
const plain = { sensitive: false }

/** Returns the events of writes only: reading sensitive values adds events too. */
async function events(): Promise<Event[]> {
  const all: Event[] = (await service.call('admin', 'GET', '/events')).body
  return all.filter(({ type }) => type !== 'SENSITIVE_DATA_ACCESSED')
}

async function changeset(id: unknown, role: Role = 'steward', query = ''): Promise<Changeset> {
  const { status, body } = await service.call(role, 'GET', `/changesets/${String(id)}${query}`)
  expect(status).toBe(200)
  return body
}

/** The changeset of the newest event. */
async function newest(role?: Role, query?: string): Promise<Changeset> {
  return await changeset((await events()).at(-1)?.properties.changeset, role, query)
}

async function makeEntity(properties: object[] = [], type = 'car') {
  const user = idOf(await write('POST', '/users', {}))
  const entity = idOf(await write('POST', `/users/${user}/entities`, { type, properties }))
  return { user, entity, path: `/users/${user}/entities/${entity}` }
}

describe('a changeset', () => {
  test('tells the fields of a new user, the writer and the time', async () => {
    const id = idOf(
      await write(
        'POST',
        '/users',
        { email: 'Ana@example.org', since: '2024-03-01T09:30:00.000' },
        'support',
      ),
    )
    const [event] = await events()
    expect(await changeset(event?.properties.changeset)).toEqual({
      id: event?.properties.changeset,
      user: id,
      actor: 'support',
      time: event?.eventtime,
      op: 'add',
      changes: [
        { op: 'add', key: 'email', type: 'EMAIL', ...plain, after: 'Ana@example.org' },
        { op: 'add', key: 'since', type: 'DATETIME', ...plain, after: '2024-03-01T09:30:00.000Z' },
      ],
    })
  })

  test('tells the given, changed and cleared fields of a user', async () => {
    const since = '2024-03-01T09:30:00.000'
    const id = idOf(await write('POST', '/users', { name: 'Ana', ref: 'C-1', since }))
    await write('PATCH', `/users/${id}`, {
      email: 'ana@example.org',
      name: 'Eva',
      ref: '',
      since: '2024-03-01T09:30:01',
    })
    const { op, entity, changes } = await newest()
    expect({ op, entity }).toEqual({ op: 'change', entity: undefined })
    expect(changes).toEqual([
      { op: 'add', key: 'email', type: 'EMAIL', ...plain, after: 'ana@example.org' },
      { op: 'change', key: 'name', type: 'TEXT', ...plain, before: 'Ana', after: 'Eva' },
      { op: 'remove', key: 'ref', type: 'TEXT', ...plain, before: 'C-1' },
      {
        op: 'change',
        key: 'since',
        type: 'DATETIME',
        ...plain,
        before: `${since}Z`,
        after: '2024-03-01T09:30:01.000Z',
      },
    ])
  })

  test('belongs to one event, even if one write makes two', async () => {
    const id = idOf(await write('POST', '/users', { name: 'Ana', properties: [text('city', 'Lyon')] }))
    const [made, added] = await events()
    expect(made?.properties.changeset).not.toBe(added?.properties.changeset)
    expect((await changeset(made?.properties.changeset)).changes.map(({ key }) => key)).toEqual([
      'name',
      'since',
    ])
    expect(await changeset(added?.properties.changeset)).toMatchObject({
      user: id,
      entity: added?.properties.entity,
      op: 'add',
      entityType: 'person',
      changes: [{ op: 'add', key: 'city', after: 'Lyon' }],
    })
  })

  test('that comes from a match tells the change to the person entity, not to the user', async () => {
    const id = idOf(await write('POST', '/users', { ref: 'C-1', properties: [text('city', 'Lyon')] }))
    const answer = await write('POST', '/users', {
      ref: 'C-1',
      name: 'Eva',
      properties: [text('city', 'Brno')],
    })
    expect(answer.status).toBe(303)
    expect(await events()).toHaveLength(3)
    expect(await newest()).toMatchObject({
      user: id,
      entityType: 'person',
      op: 'change',
      changes: [{ op: 'change', key: 'city', before: 'Lyon', after: 'Brno' }],
    })
  })

  test('tells that an entity was added, changed, replaced or removed', async () => {
    const price = { currency: 'EUR', value: '12.50' }
    const { user, entity, path } = await makeEntity([
      text('brand', 'Volvo'),
      { key: 'price', type: 'CURRENCY', value: price },
      { key: '__proto__', type: 'BOOLEAN', value: true },
    ])
    expect(await newest()).toMatchObject({
      user,
      entity,
      op: 'add',
      entityType: 'car',
      changes: [
        { op: 'add', key: 'brand', type: 'TEXT', ...plain, after: 'Volvo' },
        { op: 'add', key: 'price', type: 'CURRENCY', ...plain, after: price },
        { op: 'add', key: '__proto__', type: 'BOOLEAN', ...plain, after: true },
      ],
    })

    await write('PATCH', path, { properties: [text('colour', null), { key: 'brand', value: 'Saab' }] })
    expect(await newest()).toMatchObject({
      op: 'change',
      entityType: 'car',
      changes: [
        { op: 'change', key: 'brand', before: 'Volvo', after: 'Saab' },
        { op: 'add', key: 'colour', after: null },
      ],
    })

    await write('PUT', path, {
      type: 'van',
      properties: [{ key: 'price', type: 'TEXT', value: 'dear' }, text('brand', 'Saab')],
    })
    expect(await newest()).toEqual({
      id: expect.any(String),
      user,
      entity,
      actor: 'steward',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      op: 'change',
      entityType: 'van',
      entityTypeBefore: 'car',
      changes: [
        {
          op: 'change',
          key: 'price',
          type: 'TEXT',
          typeBefore: 'CURRENCY',
          ...plain,
          before: price,
          after: 'dear',
        },
        { op: 'remove', key: '__proto__', type: 'BOOLEAN', ...plain, before: true },
        { op: 'remove', key: 'colour', type: 'TEXT', ...plain, before: null },
      ],
    })

    await write('DELETE', path)
    expect(await newest()).toMatchObject({
      user,
      entity,
      op: 'remove',
      entityType: 'van',
      changes: [
        { op: 'remove', key: 'price', before: 'dear' },
        { op: 'remove', key: 'brand', before: 'Saab' },
      ],
    })
  })

  test('without changes tells that the properties were put in another order', async () => {
    const { path } = await makeEntity([text('a', '1'), text('b', '2')])
    await write('PUT', path, { type: 'car', properties: [text('b', '2'), text('a', '1')] })
    expect(await events()).toHaveLength(3)
    expect((await newest()).changes).toEqual([])
  })

  test('is not made by a write that changes nothing, and no event either', async () => {
    const body = { type: 'car', properties: [text('brand', 'Volvo'), secret('plate', 'AB-123')] }
    const { user, path } = await makeEntity(body.properties)
    await write('PATCH', `/users/${user}`, { email: 'ana@example.org', name: '', ref: 'C-1' })
    const { invite_url: link } = (await write('GET', `/users/${user}`)).body as { invite_url: string }
    const token = new URL(link).searchParams.get('token')
    await write('POST', `/users/${user}/account`, { token })
    await write('POST', '/users', { ref: 'C-1', properties: [text('city', 'Lyon')] })
    const before = await events()
    for (const [method, address, given] of [
      ['PATCH', `/users/${user}`, {}],
      ['PATCH', `/users/${user}`, { email: 'ana@example.org', name: 'Unknown user' }],
      ['POST', `/users/${user}/account`, { token }],
      ['POST', '/users', { email: 'ANA@example.org', name: 'Eva' }],
      ['POST', '/users', { ref: 'C-1', properties: [text('city', 'Lyon')] }],
      ['POST', '/users', { ref: 'C-1', properties: [] }],
      ['PATCH', path, {}],
      ['PATCH', path, { type: 'car', properties: [{ key: 'plate', value: 'AB-123' }] }],
      ['PUT', path, body],
    ] as const)
      expect((await write(method, address, given)).status).toBeLessThan(400)
    expect(await events()).toEqual(before)
    const { rows } = await service.database.pool.query('select count(*)::int as count from changesets')
    expect(rows).toEqual([{ count: before.length }])
  })

  test('is not made by a write that is refused', async () => {
    const { path } = await makeEntity([secret('plate', 'AB-123')])
    await write('PATCH', path, { properties: [{ key: 'plate', type: 'NUMBER' }] })
    await write('PATCH', path, { properties: [text('brand', 'Volvo')] }, 'support')
    const { rows } = await service.database.pool.query('select count(*)::int as count from changesets')
    expect(rows).toEqual([{ count: 2 }])
  })

  test('is gone with its user, and that of the deletion tells who deleted and with which reference', async () => {
    const { user } = await makeEntity([text('brand', 'Canary')])
    const referring = { 'deletion-reference': 'T-1' }
    await service.call('steward', 'DELETE', `/users/${user}`, undefined, referring)
    const all = await events()
    expect(all.map(({ type }) => type)).toEqual(['USER_CREATED', 'DIRECT_DATA_CHANGE', 'USER_DELETED'])
    const deletion = String(all.pop()?.properties.changeset)
    const short = { id: deletion, op: 'remove', total: 0, changes: [] }
    for (const role of ['support', 'admin'] as const) {
      expect(await changeset(deletion, role)).toEqual({
        id: deletion,
        user,
        op: 'remove',
        actor: 'steward',
        reference: 'T-1',
        time: expect.stringMatching(/Z$/),
        changes: [],
      })
      // Answers follow the order and repetitions of the requested ids, whose case does not matter.
      const { user: other } = await makeEntity([text('brand', 'Volvo')])
      const kept = String((await events()).at(-1)?.properties.changeset)
      const asked = { ids: [deletion.toUpperCase(), kept, deletion, String(all[0]?.properties.changeset)] }
      const { body } = await service.call(role, 'POST', '/changesets/lookup', asked)
      expect(body).toMatchObject([short, { id: kept, op: 'add', entityType: 'car' }, short])
      await write('DELETE', `/users/${other}`)
    }
    const revert = (query: object) => service.call('admin', 'POST', `/changesets/${deletion}/revert`, query)
    for (const body of [{}, { keys: ['brand'] }])
      expect(await revert(body)).toMatchObject({ status: 409, body: { code: 'not_revertible' } })
    expect((await service.call('integrator', 'GET', `/changesets/${deletion}`)).status).toBe(403)
    for (const { properties } of all) {
      const answer = await service.call('admin', 'GET', `/changesets/${String(properties.changeset)}`)
      expect(answer.status).toBe(404)
      expect(answer.body).toMatchObject({
        code: 'changeset_not_found',
        detail: expect.stringMatching(/deleted.+never recorded/),
      })
    }
    const { rows } = await service.database.pool.query('select * from changesets')
    expect(rows).toEqual([])
  })

  test.each(['no-uuid', '01900000-0000-7000-8000-000000000000'])('is not found as %s', async (id) => {
    expect((await service.call('admin', 'GET', `/changesets/${id}`)).status).toBe(404)
  })
})

describe('sensitive values', () => {
  const values = /AB-123|XY-9|open/

  test('are withheld without sensitive:read, and from everybody who asks for that', async () => {
    const { path } = await makeEntity([secret('plate', 'AB-123'), text('brand', 'Volvo')])
    await write('PATCH', path, { properties: [{ key: 'plate', value: 'XY-9' }] })
    expect((await newest()).changes).toEqual([
      { op: 'change', key: 'plate', type: 'TEXT', sensitive: true, before: 'AB-123', after: 'XY-9' },
    ])
    for (const [role, query] of [
      ['support', ''],
      ['support', '?sensitive=masked'],
      ['admin', '?sensitive=masked'],
    ] as const)
      expect((await newest(role, query)).changes).toEqual([
        { op: 'change', key: 'plate', type: 'TEXT', sensitive: true, masked: true },
      ])
    const made = await changeset((await events())[1]?.properties.changeset, 'support')
    expect(made.changes).toMatchObject([
      { key: 'plate', masked: true },
      { key: 'brand', after: 'Volvo' },
    ])
    expect(JSON.stringify(made)).not.toMatch(values)
    await write('DELETE', path)
    expect(JSON.stringify(await newest('support'))).not.toMatch(values)
    expect(JSON.stringify(await newest('steward'))).toMatch(values)
  })

  test('are withheld on both sides of the switch, and in all that was recorded before it', async () => {
    const { path } = await makeEntity([text('plate', 'open')])
    await write('PATCH', path, { properties: [{ key: 'plate', sensitive: true }] })
    expect((await newest()).changes).toEqual([
      {
        op: 'change',
        key: 'plate',
        type: 'TEXT',
        sensitive: true,
        sensitiveBefore: false,
        before: 'open',
        after: 'open',
      },
    ])
    await write('PATCH', path, { properties: [{ key: 'plate', sensitive: false, value: 'AB-123' }] })
    await write('PATCH', path, { properties: [{ key: 'plate', value: 'XY-9' }] })
    await write('DELETE', path)
    const ids = (await events()).slice(1).map(({ properties }) => properties.changeset)
    expect(ids).toHaveLength(5)
    for (const id of ids) {
      expect((await changeset(id, 'support')).changes).toMatchObject([{ key: 'plate', masked: true }])
      expect(JSON.stringify(await changeset(id, 'support'))).not.toMatch(values)
    }
  })

  test('that were marked when nothing was recorded are withheld too', async () => {
    const { entity, path } = await makeEntity([text('plate', 'open')])
    await service.database.pool.query(
      `update entities set properties = jsonb_set(properties, '{plate,sensitive}', 'true') where id = $1`,
      [entity],
    )
    expect((await newest('support')).changes).toMatchObject([{ key: 'plate', masked: true }])
    expect(JSON.stringify(await newest('support'))).not.toMatch(values)
    // Unmarking the property does not reveal its earlier values either.
    await write('PATCH', path, { properties: [{ key: 'plate', sensitive: false }] })
    for (const { properties } of (await events()).slice(1))
      expect(JSON.stringify(await changeset(properties.changeset, 'support'))).not.toMatch(values)
  })

  test('another word than masked is refused', async () => {
    await makeEntity()
    const [event] = await events()
    const answer = await service.call(
      'admin',
      'GET',
      `/changesets/${String(event?.properties.changeset)}?sensitive=yes`,
    )
    expect(answer.status).toBe(400)
  })
})

describe('writes to an entity', () => {
  test('and the deletion of its user do not stop one another', async () => {
    for (let round = 0; round < 30; round++) {
      const { user, path } = await makeEntity([text('brand', 'Volvo')])
      const answers = await Promise.all([
        ...['a', 'b', 'c'].map((value) => write('PATCH', path, { properties: [text('brand', value)] })),
        write('DELETE', `/users/${user}`),
        write('PUT', path, { type: 'car', properties: [] }),
      ])
      for (const { status } of answers) expect([204, 404]).toContain(status)
    }
    const { rows } = await service.database.pool.query('select * from changesets')
    expect(rows).toEqual([])
  })
})
