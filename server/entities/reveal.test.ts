import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { Entity, Event } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startTestService, type TestService } from '../testing/service.ts'

const secret = 'canary-7421'

const service = testService()
let user: string
let path: string
beforeEach(async () => {
  await service.reset()
  user = await create(service, '/users', { name: 'Ana' })
  path = await carOf(service, user)
})

async function create(on: TestService, address: string, body: object): Promise<string> {
  return await on.create('steward', address, body)
}

/** Creates an entity with one sensitive property between two others, and returns its path. */
async function carOf(on: TestService, owner: string): Promise<string> {
  const id = await create(on, `/users/${owner}/entities`, {
    type: 'car',
    properties: [
      { key: 'brand', type: 'TEXT', value: 'Volvo' },
      { key: 'plate', type: 'TEXT', sensitive: true, value: secret },
      { key: 'doors', type: 'NUMBER', value: 5 },
    ],
  })
  return `/users/${owner}/entities/${id}`
}

const propertiesOf = (answer: { body: unknown }) => (answer.body as Entity).properties

describe('?sensitive=masked', () => {
  test('withholds sensitive values from every caller, on the entity and in the list, and nothing else', async () => {
    const plain = await service.call('steward', 'GET', path)
    const masked = await service.call('steward', 'GET', `${path}?sensitive=masked`)
    const list = await service.call('steward', 'GET', `/users/${user}/entities?sensitive=masked`)
    const { value: _, ...plate } = propertiesOf(plain)[1] ?? { key: '' }
    expect(masked.body).toEqual({
      ...(plain.body as Entity),
      properties: [
        propertiesOf(plain)[0],
        { ...plate, masked: true, version: expect.any(String) },
        propertiesOf(plain)[2],
      ],
    })
    expect(list.body).toEqual([masked.body])
    const support = await service.call('support', 'GET', `${path}?sensitive=masked`)
    expect(support.body).toEqual(masked.body)
    const [state, ...others] = [masked, plain].map(({ headers }) => headers.get('etag')?.split('.')[0])
    expect(others).toEqual([state])
  })

  test('read, edited and written back keeps the stored value, with sensitive:write and without', async () => {
    const before = (await service.call('steward', 'GET', path)).body as Entity
    const read = (await service.call('steward', 'GET', `${path}?sensitive=masked`)).body as Entity
    const writer = await service.sign({ sub: 'writer', scope: 'entities:read entities:write' })
    for (const [brand, token] of [
      ['Saab', await service.token('steward')],
      ['Fiat', writer],
    ] as const) {
      const [first, ...rest] = read.properties
      const { status } = await service.fetch(`${service.baseUrl}${path}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...read, properties: [{ ...first, value: brand }, ...rest] }),
      })
      expect(status).toBe(204)
      const after = (await service.call('steward', 'GET', path)).body as Entity
      expect(after.properties).toEqual([{ ...first, value: brand }, ...before.properties.slice(1)])
    }
  })

  test('is the only choice', async () => {
    const answer = await service.call('steward', 'GET', `${path}?sensitive=shown`)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter: 'sensitive' }] })
  })
})

describe('reveal', () => {
  const reveal = (body: object, role: 'steward' | 'support' | 'admin' = 'steward', at = path) =>
    service.call(role, 'POST', `${at}/reveal`, body)
  const accesses = async (): Promise<Event[]> =>
    (await service.call('steward', 'GET', '/events?type=SENSITIVE_DATA_ACCESSED')).body
  const why = { reason: 'The customer asks which plate we have.' }

  test('answers the named properties in the order of the entity, and records one event of it', async () => {
    const answer = await reveal({ keys: ['doors', 'plate', 'doors'], reason: `  ${why.reason} ` })
    expect(answer.status).toBe(200)
    const events = await accesses()
    const [, plate, doors] = propertiesOf(await service.call('steward', 'GET', path))
    expect(answer.body).toEqual({ properties: [plate, doors] })
    expect(plate).toMatchObject({ key: 'plate', value: secret })
    expect(events.map(({ properties }) => properties)).toEqual([
      {
        user,
        entity: path.split('/').at(-1),
        actor: 'steward',
        reason: why.reason,
        keys: '["plate","doors"]',
      },
    ])
    expect(JSON.stringify(events)).not.toContain(secret)
  })

  test('names the keys that the entity does not have, by place, and then reveals and records nothing', async () => {
    const answer = await reveal({ keys: ['x', 'plate', 'toString'], ...why })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({
      errors: [
        { pointer: '/keys/0', code: 'unknown_key' },
        { pointer: '/keys/2', code: 'unknown_key' },
      ],
    })
    expect(JSON.stringify(answer.body)).not.toContain(secret)
    expect(await accesses()).toEqual([])
  })

  test.each([
    [{ keys: ['plate'] }, '/reason'],
    [{ keys: ['plate'], reason: ' ' }, '/reason'],
    [{ keys: ['plate'], reason: 'x'.repeat(501) }, '/reason'],
    [{ keys: [], reason: 'x' }, '/keys'],
    [{ keys: ['plate'], reason: 'x', all: true }, '/all'],
  ])('needs keys and a reason: %j', async (body, pointer) => {
    const answer = await reveal(body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ errors: [{ pointer }] })
    expect(await accesses()).toEqual([])
  })

  test('needs sensitive:read', async () => {
    const answer = await reveal({ keys: ['plate'], ...why }, 'support')
    expect(answer.status).toBe(403)
    expect(answer.body).toMatchObject({ code: 'insufficient_scope', scope: 'sensitive:read' })
    expect(answer.headers.get('www-authenticate')).toContain('sensitive:read')
    expect(await accesses()).toEqual([])
  })

  test('finds only an entity of this user', async () => {
    const other = await create(service, '/users', {})
    const entity = path.split('/').at(-1) ?? ''
    const nobody = '01900000-0000-7000-8000-000000000000'
    for (const at of [
      `/users/${other}/entities/${entity}`,
      `/users/${nobody}/entities/${entity}`,
      `/users/${user}/entities/${nobody}`,
      '/users/x/entities/y',
    ])
      expect(await reveal({ keys: ['plate'], ...why }, 'admin', at)).toMatchObject({
        status: 404,
        body: { code: 'entity_not_found' },
      })
    expect(await accesses()).toEqual([])
  })

  test('answered to 20 at once, and while the entity is deleted, is recorded as often as it was answered', async () => {
    const asking = Array.from({ length: 20 }, () => reveal({ keys: ['plate'], ...why }))
    const deleting = service.call('steward', 'DELETE', path)
    const statuses = (await Promise.all(asking)).map(({ status }) => status)
    await deleting
    expect(statuses.every((status) => status === 200 || status === 404)).toBe(true)
    expect(await accesses()).toHaveLength(statuses.filter((status) => status === 200).length)
  })

  describe('if the event cannot be', () => {
    afterEach(() => sql`drop trigger no_access on event_inbox`.execute(service.database.sql))

    // Failure at once, and at the latest moment that a commit can fail.
    test.each(['written', 'committed'])('%s, gives nothing away', async (when) => {
      await sql`
        create or replace function refuse_access() returns trigger language plpgsql as
        $$ begin raise exception 'no'; end $$`.execute(service.database.sql)
      await sql`
        create constraint trigger no_access after insert on event_inbox
        deferrable ${sql.raw(when === 'written' ? 'initially immediate' : 'initially deferred')}
        for each row when (new.type = 'SENSITIVE_DATA_ACCESSED') execute function refuse_access()`.execute(
        service.database.sql,
      )
      const { properties } = ((await service.call('admin', 'GET', '/events')).body as Event[])[1] ?? {}
      const reads = [path, `/users/${user}/entities`, `/changesets/${String(properties?.changeset)}`]
      for (const answer of [
        await reveal({ keys: ['plate'], ...why }),
        await service.call('steward', 'POST', `${reads.at(-1)}/reveal`, { keys: ['plate'], ...why }),
        ...(await Promise.all(reads.map((at) => service.call('steward', 'GET', at)))),
      ]) {
        expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } })
        expect(JSON.stringify(answer.body)).not.toContain(secret)
      }
      expect(await accesses()).toEqual([])
      // Masked reads record no event, so they succeed.
      for (const at of reads)
        expect((await service.call('steward', 'GET', `${at}?sensitive=masked`)).status).toBe(200)
    })
  })
})

test('the bare document masks nothing on demand and reveals nothing', async () => {
  const bare = await startTestService({ additions: 'none' })
  const at = await carOf(bare, await create(bare, '/users', {}))
  for (const choice of ['masked', 'shown'])
    expect(propertiesOf(await bare.call('steward', 'GET', `${at}?sensitive=${choice}`))[1]).toMatchObject({
      value: secret,
    })
  expect(await bare.call('steward', 'POST', `${at}/reveal`, { keys: ['plate'], reason: 'x' })).toMatchObject({
    status: 404,
    body: { code: 'unknown_address' },
  })
  await bare.close()
})
