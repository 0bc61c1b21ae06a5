import { beforeEach, describe, expect, test, vi } from 'vitest'

import {
  type Definitions,
  definitionEndpoints,
  type Event,
  type Problem,
  type Role,
  roles,
} from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
beforeEach(() => service.reset())

const iban = {
  label: { en: 'IBAN', de: 'Kontonummer' },
  type: 'TEXT',
  sensitive: true,
  mask: 'last4',
  enforce: 'on',
  purpose: 'Payouts',
  basis: 'contract',
  keptFor: 'P10Y',
}
const place = '/definitions/person/iban'
const put = (path: string, body: object, headers = {}, role: Role = 'admin') =>
  service.call(role, 'PUT', path, body, headers)
const get = (path: string, role: Role = 'admin', headers = {}) =>
  service.call(role, 'GET', path, undefined, headers)
const list = async (role: Role = 'admin') => (await get('/definitions', role)).body as Definitions
const events = async () =>
  ((await get('/events?type=DEFINITION_CHANGED')).body as Event[]).map(({ properties }) => properties)
const errorsOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  ...((body as Problem).errors ?? []).map(({ pointer, code }) => `${code} ${pointer}`),
]

describe('a definition', () => {
  test('is stored as it was given, languages in their order, and recorded without its texts', async () => {
    expect((await put(place, iban)).status).toBe(204)
    expect((await get(place)).body).toEqual({ key: 'iban', ...iban, users: 0, updated: expect.any(String) })
    expect((await put('/definitions/person', { plural: { de: 'Leute', en: 'People' } })).status).toBe(204)
    expect(Object.keys(((await get('/definitions/person')).body as { plural: object }).plural)).toEqual([
      'de',
      'en',
    ])
    expect((await put(place, { ...iban, unit: undefined, sensitive: false, mask: 'none' })).status).toBe(204)
    expect((await service.call('steward', 'DELETE', place)).status).toBe(204)
    expect(errorsOf(await get(place))).toEqual([404])
    expect(await events()).toEqual([
      { entityType: 'person', key: 'iban', change: 'created', actor: 'admin' },
      { entityType: 'person', change: 'created', actor: 'admin' },
      { entityType: 'person', key: 'iban', change: 'updated', actor: 'admin' },
      { entityType: 'person', key: 'iban', change: 'deleted', actor: 'steward' },
    ])
  })

  test('that says what is there already makes no event, and may be sent back as it was read', async () => {
    await put(place, iban)
    const { body } = await get(place)
    expect((await put(place, body)).status).toBe(204)
    expect((await put(place, Object.fromEntries(Object.entries(iban).toReversed()))).status).toBe(204)
    expect(await events()).toHaveLength(1)
  })

  test('shows the second of two people who write at once that another was first', async () => {
    await put(place, iban)
    const etag = (await get(place)).headers.get('etag') ?? ''
    const both = await Promise.all(
      ['One', 'Two'].map((label) => put(place, { label: { en: label } }, { 'if-match': etag })),
    )
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([204, 412]))
    const stale = await service.call('admin', 'DELETE', place, undefined, { 'if-match': etag })
    expect(errorsOf(stale)).toEqual([412])
    const made = await Promise.all(
      ['One', 'Two'].map((label) =>
        put('/definitions/car/plate', { label: { en: label } }, { 'if-none-match': '*' }),
      ),
    )
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([204, 412]))
    expect((await put('/definitions/car/none', {}, { 'if-match': '*' })).status).toBe(412)
  })

  test.each([
    [{ labels: {} }, 'unknown_field /labels'],
    [{ type: 'STRING' }, 'invalid /type'],
    [{ purpose: 'x'.repeat(10_000) }, 'invalid /purpose'],
    [{ label: { en: ' \u200b ' } }, 'invalid /label/en'],
    [{ label: {} }, 'invalid /label'],
    [{ label: { 'not a language': 'x' } }, 'invalid /label/not a language'],
    [{ type: 'NUMBER', choices: [{ value: 1 }, { value: 'two' }] }, 'invalid /choices/1/value'],
    [{ type: 'TEXT', choices: [{ value: 'a' }, { value: 'a' }] }, 'invalid /choices/1/value'],
    [{ type: 'DATE', choices: [{ value: '2024-01-01' }] }, 'invalid /choices'],
    [{ type: 'TEXT', unit: 'km' }, 'invalid /unit'],
    [{ mask: 'last4' }, 'invalid /mask'],
    [{ type: 'TEXT', range: true }, 'invalid /range'],
    [{ keptFor: 'ten years' }, 'invalid /keptFor'],
  ])('%j is refused by its place', async (body, error) => {
    expect(errorsOf(await put(place, body))).toEqual([422, error])
    expect(await events()).toEqual([])
  })

  test('with the label of another property of its entity type is refused, but in another language or type', async () => {
    await put(place, { label: { en: 'Account', de: 'Konto' } })
    expect(errorsOf(await put('/definitions/person/konto', { label: { en: 'x', de: 'KONTO' } }))).toEqual([
      422,
      'duplicate_label /label/de',
    ])
    expect((await put('/definitions/person/konto', { label: { fr: 'Konto' } })).status).toBe(204)
    expect((await put('/definitions/car/iban', { label: { de: 'Konto' } })).status).toBe(204)
    expect((await put(place, { label: { en: 'account', de: 'konto' } })).status).toBe(204)
  })

  test.each(['a/b', 'a b', '%', '%2F', 'ключ', '😀', "'", '?#&=', 'x'.repeat(128), '{key}', '...'])(
    'may be of the key %s',
    async (key) => {
      const path = `/definitions/person/${encodeURIComponent(key)}`
      expect((await put(path, {})).status).toBe(204)
      expect((await get(path)).body).toMatchObject({ key })
      expect((await list()).entityTypes[0]?.properties).toMatchObject([{ key }])
      expect((await service.call('admin', 'DELETE', path)).status).toBe(204)
    },
  )

  test.each([' ', '\u200b', '\u00a0', 'plain ', 'a\u200bb'])(
    'is refused of the key %j, which no property can have',
    async (key) => {
      expect(errorsOf(await put(`/definitions/person/${encodeURIComponent(key)}`, { type: 'TEXT' }))).toEqual(
        [422, 'invalid '],
      )
      const properties = [
        { key: 'plain', type: 'TEXT' },
        { key, type: 'TEXT' },
      ]
      expect(errorsOf(await put('/definitions', { entityTypes: [{ type: 'person', properties }] }))).toEqual([
        422,
        'invalid /entityTypes/0/properties/1/key',
      ])
      expect((await list()).entityTypes).toEqual([])
    },
  )

  test('is refused of no key, of one that no property can have, and of no entity type', async () => {
    for (const [path, status] of [
      ['/definitions/person/', 404],
      ['/definitions//iban', 400],
      [`/definitions/person/${'x'.repeat(129)}`, 400],
      ['/definitions/person/%00', 400],
      ['/definitions/person/a%0Ab', 400],
      ['/definitions/Person/iban', 400],
      ['/definitions/Person', 400],
    ] as const)
      expect([path, (await put(path, {})).status]).toEqual([path, status])
    const { body } = await put('/definitions/Person', {})
    expect((body as Problem).detail).toBe('A parameter of the address is not acceptable.')
    expect(await events()).toEqual([])
  })
})

describe('the list of definitions', () => {
  const user = (...properties: object[]) => service.create('admin', '/users', { properties })

  test('has what somebody defined, in its order, then what values suggest, with who may read entities', async () => {
    await user(
      { key: 'city', type: 'TEXT', value: 'Lyon' },
      { key: 'iban', type: 'TEXT', value: 'DE02', sensitive: true },
    )
    await user({ key: 'city', type: 'TEXT', value: 'Nice' })
    await put('/definitions/person/nobody', { label: { en: 'Nobody has it' }, order: 2 })
    await put('/definitions/person/city', { label: { en: 'City' }, order: 1 })
    await put('/definitions/boat', { label: { en: 'Boat' } })
    const updated = expect.any(String) as unknown
    const defined = [
      { key: 'city', label: { en: 'City' }, order: 1, updated },
      { key: 'nobody', label: { en: 'Nobody has it' }, order: 2, updated },
    ]
    await vi.waitFor(async () =>
      expect(await list('support')).toEqual({
        made: expect.any(String),
        entityTypes: [
          {
            type: 'person',
            inferred: true,
            users: 2,
            properties: [
              { ...defined[0], users: 2 },
              { ...defined[1], users: 0 },
              { key: 'iban', type: 'TEXT', sensitive: true, inferred: true, users: 1 },
            ],
          },
          { type: 'boat', label: { en: 'Boat' }, users: 0, updated, properties: [] },
        ],
      }),
    )
    expect(await list('integrator')).toEqual({
      entityTypes: [
        { type: 'boat', label: { en: 'Boat' }, updated, properties: [] },
        { type: 'person', inferred: true, properties: defined },
      ],
    })
  })

  test('has one tag as long as nothing changes, also while counts are made again', async () => {
    await user({ key: 'city', type: 'TEXT', value: 'Lyon' })
    await put('/definitions/person/city', {})
    await vi.waitFor(async () => expect((await list()).made).toBeDefined())
    const etag = (await get('/definitions')).headers.get('etag') ?? ''
    const again = await get('/definitions', 'admin', { 'if-none-match': etag })
    expect([again.status, again.body]).toEqual([304, undefined])
    expect((await get('/definitions', 'integrator', { 'if-none-match': etag })).status).toBe(200)
    await put('/definitions/person/city', { label: { en: 'City' } })
    expect((await get('/definitions', 'admin', { 'if-none-match': etag })).status).toBe(200)
  })
})

describe('a file of definitions', () => {
  test('changes nothing as it is listed; changed, it changes that, and what is not in it goes', async () => {
    await service.create('admin', '/users', { properties: [{ key: 'city', type: 'TEXT', value: 'Lyon' }] })
    await put(place, iban)
    await put('/definitions/car', { label: { en: 'Car' } })
    await put('/definitions/car/plate', { keyFact: true })
    const file = await list()
    expect((await put('/definitions', file)).status).toBe(204)
    expect(await events()).toHaveLength(3)
    const changed = {
      entityTypes: [
        { type: 'car', label: { en: 'Car' }, properties: [{ key: '..' }, { key: 'plate', order: 1 }] },
        { type: 'person', inferred: true, properties: [{ key: 'city', inferred: true }] },
      ],
    }
    expect((await put('/definitions', changed)).status).toBe(204)
    expect((await events()).slice(3)).toEqual([
      { entityType: 'car', key: '..', change: 'created', actor: 'admin' },
      { entityType: 'car', key: 'plate', change: 'updated', actor: 'admin' },
      { entityType: 'person', key: 'iban', change: 'deleted', actor: 'admin' },
    ])
    expect((await list('integrator')).entityTypes).toMatchObject([
      { type: 'car', label: { en: 'Car' }, properties: [{ key: 'plate', order: 1 }, { key: '..' }] },
    ])
  })

  test('with many changes is one event that says how many', async () => {
    const properties = Array.from({ length: 30 }, (_, at) => ({ key: `key ${at}` }))
    await put('/definitions', { entityTypes: [{ type: 'car', properties }] })
    expect(await events()).toEqual([{ change: 'imported', count: '31', actor: 'admin' }])
  })

  test('that is wrong in parts changes nothing, and says where it is wrong', async () => {
    await put(place, iban)
    const file = {
      entityTypes: [
        {
          type: 'car',
          properties: [
            { key: 'plate', label: { en: 'Plate' } },
            { key: 'number', label: { en: 'PLATE' } },
          ],
        },
      ],
    }
    expect(errorsOf(await put('/definitions', file))).toEqual([
      422,
      'duplicate_label /entityTypes/0/properties/1/label/en',
    ])
    const twice = {
      type: 'car',
      properties: [{ key: 'a' }, { key: 'a' }, { key: 'b', purpose: 5 }, { key: '' }],
    }
    expect(errorsOf(await put('/definitions', { entityTypes: [twice, { type: 'Car' }] }))[0]).toBe(422)
    expect(errorsOf(await put('/definitions', { entityTypes: [{ type: 'car' }, { type: 'car' }] }))).toEqual([
      422,
      'duplicate_key /entityTypes/1/type',
    ])
    expect(errorsOf(await put('/definitions', {}))).toEqual([422, 'invalid /entityTypes'])
    expect(await events()).toHaveLength(1)
    expect((await get(place)).body).toMatchObject(iban)
  })

  test('made from an older state is refused', async () => {
    const etag = (await get('/definitions')).headers.get('etag') ?? ''
    await put(place, iban)
    expect((await put('/definitions', { entityTypes: [] }, { 'if-match': etag })).status).toBe(412)
    const current = (await get('/definitions')).headers.get('etag') ?? ''
    expect((await put('/definitions', { entityTypes: [] }, { 'if-match': current })).status).toBe(204)
    expect((await list('integrator')).entityTypes).toEqual([])
  })

  test('holds so many definitions at most', async () => {
    await service.database.pool.query(
      `insert into definitions (entity_type, key, definition, updated) select 'car', n::text, '{}', now() from generate_series(1, 5000) n`,
    )
    expect(await put(place, iban)).toMatchObject({ status: 422, body: { code: 'too_many_definitions' } })
    expect((await put('/definitions/car/1', { label: { en: 'One' } })).status).toBe(204)
  })
})

test('every role reads definitions, and a steward and an admin write them', async () => {
  await put(place, iban)
  const paths = { '/definitions': { entityTypes: [] }, '/definitions/car': {}, [place]: {} }
  for (const role of roles)
    for (const [path, body] of Object.entries(paths)) {
      const mayWrite = role === 'steward' || role === 'admin'
      if (path !== '/definitions/car') expect((await get(path, role)).status).toBe(200)
      for (const method of path === '/definitions' ? ['PUT'] : ['PUT', 'DELETE']) {
        const answer = await service.call(role, method, path, body)
        expect([role, path, answer.status]).toEqual([role, path, mayWrite ? 204 : 403])
        if (!mayWrite)
          expect(answer.body).toMatchObject({ code: 'insufficient_scope', scope: 'definitions:write' })
        if (mayWrite) await put(place, iban)
      }
    }
  const anonymous = (method: string, path: string) =>
    service.fetch(`${service.baseUrl}${path.replaceAll(/[{}]/g, '')}`, { method })
  for (const { path, method } of Object.values(definitionEndpoints))
    expect((await anonymous(method, path)).status).toBe(401)
  const narrow = await service.sign({ sub: 'narrow', role: 'admin', scope: 'entities:read segments:write' })
  const headers = { authorization: `Bearer ${narrow}` }
  expect((await service.fetch(`${service.baseUrl}${place}`, { method: 'DELETE', headers })).status).toBe(403)
})
