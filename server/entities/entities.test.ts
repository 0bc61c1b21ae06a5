import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Entity, Event, Property, Role } from '#contract/index.ts'
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

const addEntity = (properties: object[] = [], type = 'car') =>
  create(`/users/${user}/entities`, { type, properties })
const call = (method: string, id: string, body?: object, role: Role = 'steward') =>
  service.call(role, method, `/users/${user}/entities/${id}`, body)
const get = async (id: string, role: Role = 'steward'): Promise<Entity> =>
  (await call('GET', id, undefined, role)).body
const property = async (id: string, key: string): Promise<Property | undefined> =>
  (await get(id)).properties.find((each) => each.key === key)
const events = async (offset = 0): Promise<Event[]> =>
  ((await service.call('support', 'GET', `/events?offset=${offset}`)).body as Event[]).filter(
    ({ type }) => type === 'DIRECT_DATA_CHANGE',
  )

describe('entities', () => {
  test('are created with 201 and the singular Location, listed oldest first, read and deleted', async () => {
    const answer = await service.call('steward', 'POST', `/users/${user}/entities`, {
      type: 'person',
      properties: [],
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toMatch(
      new RegExp(`^http://data-store\\.test/api/user/${user}/entities/[\\da-f-]{36}$`),
    )
    expect(answer.headers.get('content-length')).toBe('0')
    const second = await addEntity([{ key: 'brand', type: 'TEXT', value: 'Volvo' }])
    const list: Entity[] = (await service.call('support', 'GET', `/users/${user}/entities`)).body
    expect(list.map(({ type }) => type)).toEqual(['person', 'car'])
    expect(list[1]).toEqual(await get(second))
    expect(list[1]).toEqual({
      id: second,
      type: 'car',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
      properties: [{ id: expect.any(String), key: 'brand', type: 'TEXT', sensitive: false, value: 'Volvo' }],
    })
    expect((await call('DELETE', second)).status).toBe(204)
    expect((await call('GET', second)).status).toBe(404)
    expect((await call('DELETE', second)).status).toBe(404)
  })

  test('are not found under another user', async () => {
    const other = await create('/users', {})
    const id = await addEntity()
    for (const [method, body] of [['GET'], ['PUT', { type: 'car' }], ['PATCH', {}], ['DELETE']] as const)
      expect((await service.call('steward', method, `/users/${other}/entities/${id}`, body)).status).toBe(404)
  })

  test('keep properties in the order they were given', async () => {
    const keys = ['zeta', 'alpha', 'mid', 'b', '10', '9', 'a much longer key']
    const id = await addEntity(keys.map((key) => ({ key, type: 'TEXT', value: key })))
    expect((await get(id)).properties.map(({ key }) => key)).toEqual(keys)
    await call('PATCH', id, {
      properties: [
        { key: 'last', type: 'TEXT', value: '' },
        { key: 'mid', value: 'changed' },
      ],
    })
    expect((await get(id)).properties.map(({ key }) => key)).toEqual([...keys, 'last'])
  })

  test('a user owns at most 1,000 of them, also when they come at once', async () => {
    for (let n = 0; n < 990; n++) await addEntity()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        service.call('steward', 'POST', `/users/${user}/entities`, { type: 'car' }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({ code: 'too_many_entities' })
  })
})

describe('PUT', () => {
  test('replaces everything; a key that stays keeps its property id', async () => {
    const id = await addEntity([
      { key: 'brand', type: 'TEXT', value: 'Volvo' },
      { key: 'doors', type: 'NUMBER', value: 5 },
    ])
    const before = await property(id, 'brand')
    const answer = await call('PUT', id, {
      type: 'vehicle',
      properties: [{ key: 'brand', type: 'TEXT', value: 'Saab' }],
    })
    expect(answer.status).toBe(204)
    expect(await get(id)).toMatchObject({ type: 'vehicle', properties: [{ ...before, value: 'Saab' }] })
    expect((await get(id)).properties).toHaveLength(1)
  })

  test('with the entity as it was read changes nothing and makes no event', async () => {
    const id = await addEntity([
      { key: 'price', type: 'CURRENCY', value: { value: '12.50', currency: 'EUR' } },
      { key: 'plate', type: 'TEXT', sensitive: true, value: 'AB-123' },
      { key: 'weight', type: 'DECIMAL', value: '12.340' },
      { key: 'none', type: 'DATE', value: null },
    ])
    const read = await get(id)
    expect((await call('PUT', id, read)).status).toBe(204)
    expect(await get(id)).toEqual(read)
    expect(await events()).toHaveLength(1)
  })
})

describe('PATCH', () => {
  test('adds and changes by key, keeps the rest, removes nothing', async () => {
    const id = await addEntity([
      { key: 'brand', type: 'TEXT', value: 'Volvo' },
      { key: 'doors', type: 'NUMBER', value: 5 },
    ])
    const before = await get(id)
    const answer = await call('PATCH', id, {
      properties: [
        { key: 'doors', value: 3 },
        { key: 'electric', type: 'BOOLEAN', value: true },
      ],
    })
    expect(answer.status).toBe(204)
    const [brand, doors] = before.properties
    expect((await get(id)).properties).toEqual([
      brand,
      { ...doors, value: 3 },
      { id: expect.any(String), key: 'electric', type: 'BOOLEAN', sensitive: false, value: true },
    ])
  })

  test('needs type and value for a new key, and says so at its place', async () => {
    const id = await addEntity()
    const answer = await call('PATCH', id, {
      properties: [
        { key: 'a', value: 1 },
        { key: 'b', type: 'TEXT' },
      ],
    })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      errors: [
        { pointer: '/properties/0/type', code: 'required' },
        { pointer: '/properties/1/value', code: 'required' },
      ],
    })
  })

  test('with a new type re-validates the stored value', async () => {
    const id = await addEntity([
      { key: 'year', type: 'TEXT', value: '2024-02-29' },
      { key: 'word', type: 'TEXT', value: 'soon' },
    ])
    expect((await call('PATCH', id, { properties: [{ key: 'year', type: 'DATE' }] })).status).toBe(204)
    expect(await property(id, 'year')).toMatchObject({ type: 'DATE', value: '2024-02-29' })
    const answer = await call('PATCH', id, { properties: [{ key: 'word', type: 'DATE' }] })
    expect(answer.body).toMatchObject({ errors: [{ pointer: '/properties/0/type' }] })
  })

  /**
   * Retries after a 503, which a busy machine answers if no connection is free within 2 s; such a request has changed
   * nothing.
   */
  async function patched(id: string, body: object): Promise<Awaited<ReturnType<typeof call>>> {
    const answer = await call('PATCH', id, body)
    return answer.status === 503 ? await patched(id, body) : answer
  }

  test('200 times at once loses none', async () => {
    const id = await addEntity()
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        patched(id, { properties: [{ key: `k${n}`, type: 'NUMBER', value: n }] }),
      ),
    )
    expect(answers.every(({ status }) => status === 204)).toBe(true)
    expect((await get(id)).properties).toHaveLength(200)
    // One event for the user, one for the entity, one for each change.
    expect(await events(200)).toHaveLength(2)
  })

  test('that changes nothing makes no event', async () => {
    const id = await addEntity([{ key: 'brand', type: 'TEXT', value: 'Volvo' }])
    await call('PATCH', id, {})
    await call('PATCH', id, {
      type: 'car',
      properties: [{ key: 'brand', type: 'TEXT', sensitive: false, value: 'Volvo' }],
    })
    expect(await events()).toHaveLength(1)
  })

  test('cannot grow an entity beyond 500 properties', async () => {
    const id = await addEntity(
      Array.from({ length: 500 }, (_, n) => ({ key: `k${n}`, type: 'NUMBER', value: n })),
    )
    const answer = await call('PATCH', id, { properties: [{ key: 'one more', type: 'NUMBER', value: 1 }] })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ errors: [{ code: 'too_many_properties' }] })
    const many = Array.from({ length: 501 }, (_, n) => ({ key: `k${n}`, type: 'NUMBER', value: n }))
    expect((await call('PUT', id, { type: 'car', properties: many })).status).toBe(422)
  })
})

describe('values', () => {
  const somebody = () => user
  test.each<[string, unknown, unknown]>([
    ['BOOLEAN', false, false],
    ['NUMBER', -1.5, -1.5],
    ['NUMBER', 9007199254740991, 9007199254740991],
    ['DECIMAL', '12.340', '12.340'],
    ['DECIMAL', 7, '7'],
    ['DECIMAL', '-0.00000000000000000000000000000000001', '-0.00000000000000000000000000000000001'],
    ['CURRENCY', { currency: 'EUR', value: '12.50' }, { currency: 'EUR', value: '12.50' }],
    // Valid codes that many machines do not know, and former currencies.
    ...['VED', 'CLF', 'CHE', 'UYW', 'MXV', 'XCG', 'SLE', 'ZWG', 'XAD', 'XAU', 'DEM', 'HRK', 'BGN', 'ANG'].map(
      (currency): [string, unknown, unknown] => [
        'CURRENCY',
        { currency, value: '7' },
        { currency, value: '7' },
      ],
    ),
    ['DATE', '2024-02-29', '2024-02-29'],
    ['TIME', '23:59', '23:59'],
    ['TIME', '00:00:00.001', '00:00:00.001'],
    ['DATETIME', '2024-03-01T10:30:00+01:00', '2024-03-01T09:30:00.000Z'],
    ['EMAIL', 'ana@example.org', 'ana@example.org'],
    ['URL', 'https://example.org/a?b=c#d', 'https://example.org/a?b=c#d'],
    ['TEXT', '', ''],
    ['TEXT', 'e\u0301', '\u00e9'],
    [
      'PREFERENCE',
      { status: 'DENIED', statusDate: '2024-01-01T00:00:00Z' },
      { status: 'DENIED', statusDate: '2024-01-01T00:00:00.000Z' },
    ],
    ['DATE', null, null],
  ])('%s %j is stored and answered as %j', async (type, sent, answered) => {
    const id = await addEntity([{ key: 'k', type, value: sent }])
    expect((await property(id, 'k'))?.value).toEqual(answered)
  })

  test('PREFERENCE is dated now where no date is given', async () => {
    const id = await addEntity([{ key: 'k', type: 'PREFERENCE', value: { status: 'GRANTED' } }])
    expect((await property(id, 'k'))?.value).toEqual({
      status: 'GRANTED',
      statusDate: expect.stringMatching(/T.*\.\d{3}Z$/),
    })
  })

  test('PREFERENCE may end when it begins, and one that is stored the wrong way round stays until it is changed', async () => {
    const day = '2024-01-01T00:00:00.000Z'
    const value = { status: 'GRANTED', statusDate: day, expires: day }
    const id = await addEntity([
      { key: 'k', type: 'PREFERENCE', value },
      { key: 'note', type: 'TEXT', value: 'a' },
    ])
    const reversed = { ...value, expires: '2020-01-01T00:00:00.000Z' }
    // Stored in this form by the previous release of the service.
    await sql`
      update entities set properties = jsonb_set(properties, '{k,value}', ${JSON.stringify(reversed)}::jsonb)
      where id = ${id}::uuid`.execute(service.database.sql)
    const whole = await get(id)
    expect(whole).toMatchObject({ properties: [{ value: reversed }, { value: 'a' }] })
    expect((await call('PUT', id, whole)).status).toBe(204)
    const patch = (properties: object[]) => call('PATCH', id, { properties })
    expect(
      (
        await patch([
          { key: 'k', value: reversed },
          { key: 'note', value: 'b' },
        ])
      ).status,
    ).toBe(204)
    expect(await patch([{ key: 'k', value: { ...reversed, status: 'REVOKED' } }])).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/properties/0/value/expires', code: 'invalid_value' }] },
    })
  })

  test.each<[string, unknown, string]>([
    ['BOOLEAN', 'true', ''],
    ['NUMBER', '5', ''],
    ['NUMBER', 9007199254740992, ''],
    ['DECIMAL', '1e5', ''],
    ['DECIMAL', '1'.repeat(39), ''],
    ['CURRENCY', { currency: 'EURO', value: '1' }, '/currency'],
    ['CURRENCY', { currency: 'BTC', value: '1' }, '/currency'],
    ['CURRENCY', { currency: 'eur', value: '1' }, '/currency'],
    ['CURRENCY', { currency: 'XAB', value: '1' }, '/currency'],
    ['CURRENCY', { currency: 'EUR', value: 12.5 }, '/value'],
    ['DATE', '2023-02-29', ''],
    ['TIME', '24:00', ''],
    ['DATETIME', '2024-03-01T10:30:00', ''],
    ['EMAIL', 'nobody', ''],
    ['URL', 'javascript:alert(1)', ''],
    ['URL', '/relative', ''],
    ['TEXT', 5, ''],
    ['TEXT', 'x'.repeat(64 * 1024 + 1), ''],
    ['RELATIONSHIP', { user: '01900000-0000-7000-8000-000000000000' }, ''],
    ['RELATIONSHIP', { user: 'nobody' }, '/user'],
    ['PREFERENCE', { status: 'MAYBE' }, '/status'],
    [
      'PREFERENCE',
      { status: 'GRANTED', statusDate: '2024-01-01T00:00:00Z', expires: '2023-12-31T23:59:59.999Z' },
      '/expires',
    ],
    [
      'PREFERENCE',
      { status: 'DENIED', statusDate: '2024-01-01T00:00:00Z', expires: '2024-01-01T00:30:00+01:00' },
      '/expires',
    ],
  ])('%s refuses a value that does not fit, at its place', async (type, value, place) => {
    const answer = await service.call('steward', 'POST', `/users/${somebody()}/entities`, {
      type: 'car',
      properties: [{ key: 'k', type, value }],
    })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ errors: [{ pointer: `/properties/0/value${place}` }] })
  })

  test('RELATIONSHIP must exist when written and may vanish later', async () => {
    const other = await create('/users', {})
    const theirs = await create(`/users/${other}/entities`, { type: 'car' })
    const id = await addEntity([
      { key: 'owner of', type: 'RELATIONSHIP', value: { user: other, entity: theirs } },
    ])
    const refused = await call('PATCH', id, {
      properties: [{ key: 'x', type: 'RELATIONSHIP', value: { user, entity: theirs } }],
    })
    expect(refused.body).toMatchObject({
      errors: [{ pointer: '/properties/0/value', code: 'unknown_target' }],
    })
    await service.call('steward', 'DELETE', `/users/${other}`)
    expect((await property(id, 'owner of'))?.value).toEqual({ user: other, entity: theirs })
    expect((await call('PUT', id, await get(id))).status).toBe(204)
  })

  test('RELATIONSHIP that is sent back as it is stored is not checked again, whatever else changes', async () => {
    const other = await create('/users', {})
    const friend = { key: 'friend', type: 'RELATIONSHIP', value: { user: other } }
    const code = (value: string) => ({ key: 'code', type: 'TEXT', sensitive: true, value })
    const id = await addEntity([friend, code('042')])
    await service.call('steward', 'DELETE', `/users/${other}`)
    const sent = (value: string) => ({ properties: [code(value), friend] })
    for (const value of ['042', '999', '107']) {
      expect([value, (await call('PATCH', id, sent(value))).status]).toEqual([value, 204])
      expect([value, (await call('PUT', id, { ...(await get(id)), ...sent(value) })).status]).toEqual([
        value,
        204,
      ])
    }
    const moved = await call('PATCH', id, { properties: [{ ...friend, key: 'brother' }] })
    expect(moved.body).toMatchObject({ errors: [{ code: 'unknown_target' }] })
  })

  test.each<[object, string, string?]>([
    [{ type: 'Car' }, '/type'],
    [{ properties: [] }, '/type'],
    [{ type: 'car', properties: [{ key: '', type: 'TEXT', value: '' }] }, '/properties/0/key'],
    [{ type: 'car', properties: [{ key: 'a\tb', type: 'TEXT', value: '' }] }, '/properties/0/key'],
    [{ type: 'car', properties: [{ key: 'a', type: 'STRING', value: '' }] }, '/properties/0/type'],
    [
      {
        type: 'car',
        properties: [
          { key: 'a', type: 'TEXT', value: '' },
          { key: 'a', type: 'TEXT', value: '' },
        ],
      },
      '/properties/1/key',
      'duplicate_key',
    ],
    [
      { type: 'car', properties: [{ key: 'a', type: 'TEXT', value: '', secret: 1 }] },
      '/properties/0/secret',
      'unknown_field',
    ],
    [{ type: 'car', properties: {} }, '/properties'],
  ])('%j is refused at %s', async (body, pointer, code) => {
    const answer = await service.call('steward', 'POST', `/users/${user}/entities`, body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ errors: [{ pointer, ...(code && { code }) }] })
  })
})

describe('sensitive values', () => {
  const secret = { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE00 1234' }
  const writer = () => service.sign({ sub: 'writer', scope: 'users:read entities:read entities:write' })
  const asWriter = async (method: string, id: string, body?: object) => {
    const response = await service.fetch(`${service.baseUrl}/users/${user}/entities/${id}`, {
      method,
      headers: { authorization: `Bearer ${await writer()}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }

  test('are answered without the value, masked, to a caller without sensitive:read', async () => {
    const id = await addEntity([secret, { key: 'brand', type: 'TEXT', value: 'Volvo' }])
    const answer = await call('GET', id, undefined, 'support')
    expect((answer.body as Entity).properties).toEqual([
      {
        id: expect.any(String),
        key: 'iban',
        type: 'TEXT',
        sensitive: true,
        masked: true,
        version: expect.any(String),
      },
      { id: expect.any(String), key: 'brand', type: 'TEXT', sensitive: false, value: 'Volvo' },
    ])
    expect(
      JSON.stringify((await service.call('support', 'GET', `/users/${user}/entities`)).body),
    ).not.toContain('DE00')
    expect((await property(id, 'iban'))?.value).toBe('DE00 1234')
  })

  test('survive a PUT of what such a caller read', async () => {
    const id = await addEntity([secret, { key: 'brand', type: 'TEXT', value: 'Volvo' }])
    const { text } = await asWriter('GET', id)
    const read = JSON.parse(text) as Entity
    const edited = read.properties.map((each) => (each.key === 'brand' ? { ...each, value: 'Saab' } : each))
    expect((await asWriter('PUT', id, { ...read, properties: edited })).status).toBe(204)
    expect(await property(id, 'iban')).toMatchObject({ value: 'DE00 1234', sensitive: true })
    expect(await property(id, 'brand')).toMatchObject({ value: 'Saab' })
  })

  test.each<[string, string, object]>([
    ['changed', 'PATCH', { properties: [{ key: 'iban', value: 'other' }] }],
    ['guessed', 'PATCH', { properties: [{ key: 'iban', value: 'DE00 1234' }] }],
    ['unmarked', 'PATCH', { properties: [{ key: 'iban', sensitive: false }] }],
    ['dropped', 'PUT', { type: 'car', properties: [] }],
    ['added', 'PATCH', { properties: [{ key: 'pin', type: 'TEXT', sensitive: true, value: '1' }] }],
    ['marked', 'PATCH', { properties: [{ key: 'brand', sensitive: true }] }],
    ['deleted with the entity', 'DELETE', {}],
  ])('cannot be %s without sensitive:write', async (_what, method, body) => {
    const id = await addEntity([secret, { key: 'brand', type: 'TEXT', value: 'Volvo' }])
    const before = await get(id)
    const answer = await asWriter(method, id, body)
    expect(answer.status).toBe(403)
    const { code, scope } = JSON.parse(answer.text) as { code: string; scope: string }
    expect(code).toBe('insufficient_scope')
    expect(scope.split(' ')).toContain('sensitive:write')
    expect(await get(id)).toEqual(before)
  })

  test('are never part of an error', async () => {
    const id = await addEntity([secret])
    const answer = await call('PATCH', id, {
      properties: [{ key: 'iban', type: 'DATE', value: 'canary-7421' }],
    })
    expect(answer.status).toBe(422)
    expect(JSON.stringify(answer.body)).not.toContain('canary')
  })
})
