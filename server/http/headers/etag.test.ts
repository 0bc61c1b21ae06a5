import { beforeEach, describe, expect, test } from 'vitest'

import { endpoints, type Event } from '#contract/index.ts'
import { testService } from '../../testing/hooks.ts'
import { idOf } from '../../testing/service.ts'
import { readIfMatch } from './etag.ts'

const service = testService()
let user: string
let entity: string
let segment: string
let changeset: string
beforeEach(async () => {
  await service.reset()
  user = `/users/${idOf(await service.call('steward', 'POST', '/users', { name: 'Ana' }))}`
  const car = { type: 'car', properties: [plate('AB-123'), { key: 'doors', type: 'NUMBER', value: 5 }] }
  entity = `${user}/entities/${idOf(await service.call('steward', 'POST', `${user}/entities`, car))}`
  const all = { name: 'Everyone', filter: { all: [] } }
  segment = `/segments/${idOf(await service.call('admin', 'POST', '/segments', all))}`
  await service.call('steward', 'PUT', '/definitions/car', {})
  await service.call('steward', 'PUT', '/definitions/car/doors', {})
  await service.call('steward', 'PATCH', entity, { properties: [{ key: 'doors', value: 4 }] })
  const [event] = (await service.call('admin', 'GET', '/events?order=desc')).body as Event[]
  changeset = `/changesets/${String(event?.properties.changeset)}`
})

const plate = (value: string) => ({ key: 'plate', type: 'TEXT', sensitive: true, value })
const etagOf = async (path: string, role: 'steward' | 'support' = 'steward') =>
  (await service.call(role, 'GET', path)).headers.get('etag') ?? ''
const send = (method: string, path: string, body: object | undefined, ifMatch: string) =>
  service.call('admin', method, path, body, { 'if-match': ifMatch })
/** Returns the part of a tag that represents the editable state; the other part belongs to the answer. */
const stateIn = (etag: string) => /^"([\w-]{27})[".]/.exec(etag)?.[1]
const eventCount = async () =>
  ((await service.call('admin', 'GET', '/events')).body as readonly unknown[]).length

describe('If-Match', () => {
  test.each([
    ['"a"', ['"a"']],
    ['W/"a"', ['W/"a"']],
    ['"a", "b,c" ,, W/""', ['"a"', '"b,c"', 'W/""']],
    [', "a",', ['"a"']],
    ['*', '*'],
    [' * ', '*'],
  ])('is read: %s', (header, tags) => {
    expect(readIfMatch(header)).toEqual(tags)
  })

  test.each([
    '',
    ' ',
    ',',
    'a',
    '"a',
    'a"',
    '"a" "b"',
    '"a b"',
    '*, "a"',
    '"a"x',
    'w/"a"',
    `"a"${',x'.repeat(50_000)}`,
  ])('is malformed: %.20s', (header) => {
    expect(() => readIfMatch(header)).toThrow(expect.objectContaining({ status: 400 }))
  })
})

/** All conditional writes of the contract, each with a body that changes something. */
const writes = {
  patchUser: () => [user, { name: 'Eva' }],
  deleteUser: () => [user],
  replaceEntity: () => [entity, { type: 'car', properties: [] }],
  patchEntity: () => [entity, { properties: [{ key: 'doors', value: 3 }] }],
  deleteEntity: () => [entity],
  replaceSegment: () => [segment, { name: 'Nobody', filter: { any: [] } }],
  deleteSegment: () => [segment],
  revertChangeset: () => [`${changeset}/revert`, {}],
  replaceDefinitions: () => ['/definitions', { entityTypes: [] }],
  putTypeDefinition: () => ['/definitions/car', { label: { en: 'Car' } }],
  deleteTypeDefinition: () => ['/definitions/car'],
  putDefinition: () => ['/definitions/car/doors', { label: { en: 'Doors' } }],
  deleteDefinition: () => ['/definitions/car/doors'],
} as const satisfies Record<string, () => readonly [path: string, body?: object]>

describe('a conditional write', () => {
  const names = Object.entries(endpoints)
    .filter(([, endpoint]) => 'conditional' in endpoint && endpoint.method !== 'GET')
    .map(([name]) => name as keyof typeof writes)
  /** Resource whose tag a write refers to. */
  const tagged = (name: keyof typeof writes) => (name === 'revertChangeset' ? entity : writes[name]()[0])

  test.each(names)('%s happens with the ETag that was read, or in a list, or with *', async (name) => {
    const { method, status } = endpoints[name]
    const [path, body] = writes[name]()
    const etag = await etagOf(tagged(name))
    expect(etag).toMatch(/^"[\w-]{27}\.[\w-]{11}"$/)
    const header = { patchUser: etag, patchEntity: '*' }[name as string] ?? `"other", ${etag}`
    expect(status).toContain((await send(method, path, body, header)).status)
  })

  test.each(names)(
    '%s with a stale ETag is refused with the current one, and changes nothing',
    async (name) => {
      const { method } = endpoints[name]
      const [path, body] = writes[name]()
      const etag = await etagOf(tagged(name))
      const before = (await service.call('steward', 'GET', tagged(name))).body
      const events = await eventCount()
      const answer = await send(method, path, body, '"other"')
      expect(answer.status).toBe(412)
      expect(answer.body).toMatchObject({ code: 'stale' })
      expect(answer.headers.get('etag')).toBe(`"${stateIn(etag)}"`)
      const malformed = await send(method, path, body, etag.slice(1))
      expect(malformed.status).toBe(400)
      expect(malformed.body).toMatchObject({ code: 'invalid_if_match' })
      expect(await eventCount()).toBe(events)
      expect((await service.call('steward', 'GET', tagged(name))).body).toEqual(before)
    },
  )

  // nginx and CDNs make a tag weak; Apache and Caddy append the coding to it, Jetty with two hyphens, older versions
  // with other separators.
  test.each([
    (tag: string) => `W/${tag}`,
    (tag: string) => tag.replace(/"$/, '-gzip"'),
    (tag: string) => tag.replace(/"$/, '-br"'),
    (tag: string) => tag.replace(/"$/, '--gzip"'),
    (tag: string) => tag.replace(/"$/, ';gzip"'),
    (tag: string) => tag.replace(/"$/, ':zstd"'),
    (tag: string) => `W/${tag.replace(/"$/, '-gzip"')}`,
    (tag: string) => `"other", ${tag.replace(/"$/, '-x-gzip"')}`,
    (tag: string) => `"${stateIn(tag)}"`,
    (tag: string) => `W/"${stateIn(tag)}-gzip"`,
  ])('happens with the ETag as a proxy that compresses spells it (%#)', async (spell) => {
    for (const [path, body] of [writes.patchUser(), writes.patchEntity(), writes.replaceSegment()]) {
      const method = path === segment ? 'PUT' : 'PATCH'
      expect([204, 303]).toContain((await send(method, path, body, spell(await etagOf(path)))).status)
    }
  })

  test.each([
    (tag: string) => `W/"${tag[1] === 'x' ? 'y' : 'x'}${tag.slice(2)}`,
    (tag: string) => tag.replace(/"$/, 'gzip"'),
    (tag: string) => tag.slice(0, 20) + '-gzip"',
    (tag: string) => tag.replace(/"$/, '-gzip-gzip-gzip"'),
    (tag: string) => tag.replace(/"$/, `-${'a'.repeat(20)}"`),
    (tag: string) => tag.toUpperCase(),
  ])('does not happen with a tag that is no spelling of the current one (%#)', async (spell) => {
    const answer = await send('PATCH', user, { name: 'Eva' }, spell(await etagOf(user)))
    expect(answer.status).toBe(412)
  })

  const ofIds = names.filter((name) => endpoints[name].path.includes('_id}'))
  test.each(ofIds)('%s of what is not there is not found, whatever the ETag', async (name) => {
    const { method } = endpoints[name]
    const [path, body] = writes[name]()
    const gone = path.replace(/[^/]{36}(?!.*[^/]{36})/, '01900000-0000-7000-8000-000000000000')
    expect((await send(method, gone, body, '"x"')).status).toBe(404)
  })

  test('races: of two with the same ETag one happens and one is refused', async () => {
    for (let round = 0; round < 20; round++) {
      const [ofUser, ofEntity] = [await etagOf(user), await etagOf(entity)]
      const statuses = await Promise.all([
        ...['b', 'c'].map((name) => send('PATCH', user, { name: `${name}${round}` }, ofUser)),
        ...[1, 2].map((n) =>
          send('PATCH', entity, { properties: [{ key: 'doors', value: round * 2 + n + 100 }] }, ofEntity),
        ),
      ])
      const [one, two, three, four] = statuses.map(({ status }) => status)
      expect(new Set([one, two])).toEqual(new Set([303, 412]))
      expect(new Set([three, four])).toEqual(new Set([204, 412]))
    }
  })

  test('races a deletion: the later one is refused or finds nothing', async () => {
    const etag = await etagOf(entity)
    const [patched, deleted] = await Promise.all([
      send('PATCH', entity, { properties: [{ key: 'doors', value: 3 }] }, etag),
      send('DELETE', entity, undefined, etag),
    ])
    expect([
      [204, 412],
      [404, 204],
    ]).toContainEqual([patched.status, deleted.status])
  })
})

describe('an ETag', () => {
  test('is the same until something is edited, and as before when the edit is taken back', async () => {
    const before = await etagOf(user)
    const { since } = (await service.call('steward', 'GET', user)).body as { since: string }
    await service.call('steward', 'PATCH', user, { name: 'Ana' })
    expect(await etagOf(user)).toBe(before)
    const edit = { email: 'a@example.org', name: 'Eva', ref: 'C-1', since: '2020-01-01T00:00:00.000' }
    for (const [field, value] of Object.entries(edit)) {
      const last = await etagOf(user)
      await service.call('steward', 'PATCH', user, { [field]: value })
      expect(await etagOf(user)).not.toBe(last)
    }
    await service.call('steward', 'PATCH', user, { email: '', name: 'Ana', ref: '', since })
    expect(await etagOf(user)).toBe(before)
  })

  test('for a user ignores the invitation: its day, and whether it was accepted', async () => {
    const before = await etagOf(user)
    const { invite_url: link } = (await service.call('steward', 'GET', user)).body as { invite_url: string }
    const token = new URL(link).searchParams.get('token')
    expect((await service.call('steward', 'POST', `${user}/account`, { token })).status).toBe(204)
    expect(stateIn(await etagOf(user))).toBe(stateIn(before))
    expect((await send('PATCH', user, { name: 'Eva' }, before)).status).toBe(303)
  })

  test('for an entity changes with a sensitive value and with the type, whether or not the caller may read it', async () => {
    const before = await etagOf(entity)
    expect(stateIn(await etagOf(entity, 'support'))).toBe(stateIn(before))
    expect(await etagOf(`${entity}?sensitive=masked`)).toBe(await etagOf(entity, 'support'))
    await service.call('steward', 'PUT', '/definitions/car', {})
    await service.call('steward', 'PUT', '/definitions/car/doors', {})
    await service.call('steward', 'PATCH', entity, { properties: [plate('AB-124')] })
    const changed = await etagOf(entity)
    expect(changed).not.toBe(before)
    await service.call('steward', 'PUT', '/definitions/car', {})
    await service.call('steward', 'PUT', '/definitions/car/doors', {})
    await service.call('steward', 'PATCH', entity, { type: 'van' })
    expect(await etagOf(entity)).not.toBe(changed)
  })

  test('differs between two entities with the same content, so that equal values do not show', async () => {
    const body = { type: 'car', properties: [plate('AB-123')] }
    const tags = await Promise.all(
      [1, 2].map(async () =>
        etagOf(`${user}/entities/${idOf(await service.call('steward', 'POST', `${user}/entities`, body))}`),
      ),
    )
    expect(new Set(tags).size).toBe(2)
  })
})

describe('a conditional read', () => {
  const reread = (path: string, ifNoneMatch: string, role: 'steward' | 'support' = 'steward') =>
    service.call(role, 'GET', path, undefined, { 'if-none-match': ifNoneMatch })

  test('is answered with 304, the tag and no body if nothing has changed', async () => {
    for (const path of [user, `${entity}?sensitive=masked`, segment]) {
      const etag = await etagOf(path)
      for (const spelling of [etag, `W/${etag}`, etag.replace(/"$/, '-gzip"'), `"other", ${etag}`, '*']) {
        const answer = await reread(path, spelling)
        expect(answer.status).toBe(304)
        expect(answer.body).toBeUndefined()
        expect(answer.headers.get('etag')).toBe(etag)
        expect(answer.headers.get('cache-control')).toContain('no-store')
      }
    }
  })

  test('is answered in full if something has changed, or if the tag is malformed', async () => {
    const etag = await etagOf(user)
    for (const other of ['"other"', 'x', '', `"${stateIn(etag)}"`])
      expect((await reread(user, other)).status).toBe(200)
    await service.call('steward', 'PATCH', user, { name: 'Eva' })
    expect((await reread(user, etag)).body).toMatchObject({ name: 'Eva' })
  })

  test('is answered whole where the same state is answered otherwise: an account, a value unmasked', async () => {
    const masked = await etagOf(entity, 'support')
    expect((await reread(entity, masked, 'support')).status).toBe(304)
    expect((await reread(entity, masked)).body).toMatchObject({ properties: [{ value: 'AB-123' }, {}] })
    const before = await etagOf(user)
    const { invite_url: link } = (await service.call('steward', 'GET', user)).body as { invite_url: string }
    const token = new URL(link).searchParams.get('token')
    await service.call('steward', 'POST', `${user}/account`, { token })
    expect((await reread(user, before)).body).toMatchObject({ account: true })
  })

  test('is answered with 404 if the resource is gone', async () => {
    const etag = await etagOf(entity)
    await service.call('steward', 'DELETE', entity)
    expect((await reread(entity, etag)).status).toBe(404)
    expect((await reread(entity, '*')).status).toBe(404)
  })
})

describe('If-None-Match: *', () => {
  const onlyMissing = { 'if-none-match': '*' }

  test.each(Object.keys(writes) as (keyof typeof writes)[])(
    '%s is not done where there is something already',
    async (name) => {
      const { method } = endpoints[name]
      const [path, body] = writes[name]()
      const before = await eventCount()
      const answer = await service.call('admin', method, path, body, onlyMissing)
      expect(answer).toMatchObject({ status: 412, body: { code: 'stale' } })
      expect(await eventCount()).toBe(before)
    },
  )

  test('a subscription, which has no tag, is neither changed nor deleted', async () => {
    const made = await service.call('admin', 'POST', '/subscriptions', { url: 'https://example.org/hooks' })
    const path = `/subscriptions/${(made.body as { id: string }).id}`
    for (const [method, body] of [['PATCH', { enabled: false }], ['DELETE']] as const)
      expect(await service.call('admin', method, path, body, onlyMissing)).toMatchObject({ status: 412 })
    expect(await service.call('admin', 'GET', path)).toMatchObject({ status: 200, body: { enabled: true } })
  })

  test('an address without a thing stays unknown', async () => {
    const none = '/users/0199e3a0-5b6c-7d10-8a42-1f0c9d3b7e01'
    expect(await service.call('admin', 'PATCH', none, {}, onlyMissing)).toMatchObject({ status: 404 })
  })
})

describe('If-None-Match: * on a service without additions', () => {
  const bare = testService({ additions: 'none' })

  test('a user, an entity and a segment stay as they are', async () => {
    const at = `/users/${idOf(await bare.call('admin', 'POST', '/users', { name: 'Ana' }))}`
    const car = `${at}/entities/${idOf(await bare.call('admin', 'POST', `${at}/entities`, { type: 'car' }))}`
    const all = { name: 'Everyone', filter: { all: [] } }
    const group = `/segments/${idOf(await bare.call('admin', 'POST', '/segments', all))}`
    for (const [method, path, body] of [
      ['PATCH', at, { name: 'Eva' }],
      ['PUT', car, { type: 'bus' }],
      ['PATCH', car, { type: 'bus' }],
      ['DELETE', car],
      ['DELETE', at],
      ['DELETE', group],
    ] as const) {
      const answer = await bare.call('admin', method, path, body, { 'if-none-match': '*' })
      expect([method, path, answer.status, answer.headers.get('etag')]).toEqual([method, path, 412, null])
    }
  })
})
