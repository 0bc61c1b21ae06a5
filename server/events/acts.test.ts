import { beforeEach, describe, expect, test } from 'vitest'

import type { AuditActors, AuditPage, Event } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

const service = testService()
let user = ''
let ids: string[] = []

const sealed = (key: string, value: string) => ({ key, type: 'TEXT', sensitive: true, value })
const create = async (path: string, body: unknown) => idOf(await service.call('admin', 'POST', path, body))
const readActs = async (query = ''): Promise<Event['properties'][]> => {
  const kinds = 'SENSITIVE_DATA_ACCESSED,SENSITIVE_DATA_CHECKED'
  const { body } = await service.call('admin', 'GET', `/events?type=${kinds}${query}`)
  return (body as unknown as Event[]).map(({ properties }) => properties)
}
const readAudit = async (query: string): Promise<AuditPage['rows']> =>
  ((await service.call('admin', 'GET', `/audit?kind=read${query}`)).body as unknown as AuditPage).rows
const changesets = async (): Promise<string[]> =>
  ((await service.call('admin', 'GET', '/events?type=DIRECT_DATA_CHANGE')).body as unknown as Event[]).map(
    ({ properties }) => String(properties.changeset),
  )
const begin = async (reason = 'Request of 3 May'): Promise<string> =>
  String((await service.call('admin', 'POST', `/users/${user}/accesses`, { reason })).body['access'])
const reveal = (
  entity: string | undefined,
  key: string,
  access: string,
  who: 'admin' | 'steward' = 'admin',
) =>
  service.call(who, 'POST', `/users/${user}/entities/${entity}/reveal`, {
    keys: [key],
    reason: 'on its own',
    access,
  })

beforeEach(async () => {
  await service.reset()
  user = await create('/users', { name: 'Ana' })
  ids = []
  for (const properties of [
    [sealed('iban', 'canary-1'), sealed('bic', 'canary-2')],
    [sealed('iban', 'canary-3')],
    [],
  ])
    ids.push(await create(`/users/${user}/entities`, { type: 'bank', properties }))
})

describe('one act is one record', () => {
  test('a list of entities that shows values of several, which are all named, and found by each', async () => {
    await service.call('steward', 'GET', `/users/${user}/entities`)
    const entities = { [ids[0] ?? '']: ['iban', 'bic'], [ids[1] ?? '']: ['iban'] }
    const record = { user, actor: 'steward', entities: JSON.stringify(entities), keys: '["iban","bic"]' }
    expect(await readActs()).toEqual([record])
    for (const id of [ids[0], ids[1]?.toUpperCase()]) {
      expect(await readActs(`&entity=${id}`)).toEqual([record])
      expect(await readActs(`&entity=${id}&user=${user}&order=desc`)).toEqual([record])
    }
    expect(await readActs(`&entity=${ids[2]}`)).toEqual([])
    for (const key of ['iban', 'bic']) {
      const [row, ...others] = await readAudit(`&key=${key}&user=${user}`)
      expect(others).toEqual([])
      expect(row).toMatchObject({
        user,
        keys: ['bic', 'iban'],
        entities: [
          { id: ids[0], keys: ['iban', 'bic'] },
          { id: ids[1], keys: ['iban'] },
        ],
      })
      expect(row).not.toHaveProperty('entity')
    }
    const { body } = await service.call('admin', 'GET', '/audit/actors')
    const { actors } = body as AuditActors
    expect(actors.find(({ actor }) => actor === 'steward')).toMatchObject({ reads: 1, people: 1 })
  })

  test('a check of several entities, with its reason', async () => {
    const check = { keys: ['iban'], value: 'canary-3', reason: 'caller' }
    expect((await service.call('support', 'POST', `/users/${user}/check`, check)).body).toEqual({
      matches: true,
    })
    const entities = { [ids[0] ?? '']: ['iban'], [ids[1] ?? '']: ['iban'] }
    expect(await readActs()).toEqual([
      { user, actor: 'support', entities: JSON.stringify(entities), keys: '["iban"]', reason: 'caller' },
    ])
  })

  test('which properties they were is told with entities:read alone, which entities to everybody', async () => {
    await service.call('steward', 'GET', `/users/${user}/entities`)
    const { body } = await service.call('integrator', 'GET', '/events?type=SENSITIVE_DATA_ACCESSED')
    const [event] = body as unknown as Event[]
    expect(event?.properties).toEqual({
      user,
      actor: 'steward',
      entities: JSON.stringify({ [ids[0] ?? '']: [], [ids[1] ?? '']: [] }),
    })
  })

  test('all that is read of a user for one reason, entity by entity and change by change', async () => {
    const changes = await changesets()
    const access = await begin()
    const answers = [
      await reveal(ids[0], 'iban', access),
      await reveal(ids[0], 'bic', access),
      await reveal(ids[1], 'iban', access),
    ]
    expect(JSON.stringify(answers)).toMatch(/canary-1.*canary-2.*canary-3/)
    for (const id of changes) {
      const { body } = await service.call('admin', 'GET', `/changesets/${id}?access=${access}`)
      if (id !== changes[2]) expect(JSON.stringify(body)).toContain('canary')
    }
    const entities = { [ids[0] ?? '']: ['bic', 'iban'], [ids[1] ?? '']: ['iban'] }
    expect(await readActs()).toEqual([
      {
        user,
        actor: 'admin',
        entities: JSON.stringify(entities),
        keys: '["bic","iban"]',
        reason: 'Request of 3 May',
      },
    ])
    expect(await readAudit('')).toEqual([
      expect.objectContaining({ id: access, user, reason: 'Request of 3 May' }),
    ])
  })

  test('a key that was sensitive in the history alone is named too', async () => {
    await service.call('admin', 'PUT', `/users/${user}/entities/${ids[0]}`, {
      type: 'bank',
      properties: [sealed('bic', 'canary-2')],
    })
    const access = await begin()
    for (const id of await changesets())
      await service.call('admin', 'GET', `/changesets/${id}?access=${access}`)
    expect(await readActs()).toHaveLength(1)
  })
})

describe('an act does not cover', () => {
  const records = async () => (await readActs()).map(({ reason }) => reason)

  test('reads by another caller', async () => {
    const access = await begin()
    expect((await reveal(ids[0], 'iban', access, 'steward')).status).toBe(200)
    expect(await records()).toEqual(['Request of 3 May', 'on its own'])
  })

  test('reads of another user', async () => {
    const access = await begin()
    user = await create('/users', { name: 'Eva' })
    const entity = await create(`/users/${user}/entities`, {
      type: 'bank',
      properties: [sealed('iban', 'canary-9')],
    })
    expect((await reveal(entity, 'iban', access)).status).toBe(200)
    expect(await records()).toEqual(['Request of 3 May', 'on its own'])
  })

  test('an entity, or a key, added later', async () => {
    const access = await begin()
    await service.call('admin', 'PATCH', `/users/${user}/entities/${ids[1]}`, {
      properties: [sealed('pin', '1234')],
    })
    ids.push(
      await create(`/users/${user}/entities`, { type: 'bank', properties: [sealed('iban', 'canary-4')] }),
    )
    await reveal(ids[1], 'pin', access)
    await reveal(ids[3], 'iban', access)
    expect(await records()).toEqual(['Request of 3 May', 'on its own', 'on its own'])
  })

  test('a change made later', async () => {
    const access = await begin()
    await service.call('admin', 'PATCH', `/users/${user}/entities/${ids[1]}`, {
      properties: [sealed('iban', 'canary-5')],
    })
    const id = (await changesets()).at(-1)
    const { body } = await service.call('admin', 'GET', `/changesets/${id}?access=${access}`)
    expect(JSON.stringify(body)).toContain('canary-5')
    expect(await records()).toEqual(['Request of 3 May', undefined])
  })

  test('reads an hour later', async () => {
    const access = await begin()
    await service.call('admin', 'GET', '/events')
    await service.database.pool.query(
      "update events set eventtime = eventtime - interval '61 minutes' where id = $1",
      [access],
    )
    await reveal(ids[0], 'iban', access)
    expect(await records()).toEqual(['Request of 3 May', 'on its own'])
  })

  test('reads that name no act: without a reason, by reveal, or with an unknown id', async () => {
    await service.call('admin', 'GET', `/users/${user}/entities`)
    await service.call('admin', 'POST', `/users/${user}/entities/${ids[0]}/reveal`, {
      keys: ['iban'],
      reason: 'one',
    })
    const { body } = await service.call('admin', 'GET', '/events?type=SENSITIVE_DATA_ACCESSED')
    const events = (body as unknown as Event[]).map(({ id }) => id)
    for (const id of [...events, crypto.randomUUID()]) await reveal(ids[0], 'iban', id)
    expect(await records()).toEqual([undefined, 'one', 'on its own', 'on its own', 'on its own'])
  })
})

test('an act needs a reason and the right to read sensitive values, and one without any is no act', async () => {
  const path = `/users/${user}/accesses`
  expect((await service.call('admin', 'POST', path, { reason: '  ' })).status).toBe(422)
  expect((await service.call('support', 'POST', path, { reason: 'why' })).status).toBe(403)
  expect((await service.call('admin', 'POST', `/users/${ids[0]}/accesses`, { reason: 'why' })).status).toBe(
    404,
  )
  const bare = await create('/users', { name: 'Eva' })
  expect((await service.call('admin', 'POST', `/users/${bare}/accesses`, { reason: 'why' })).body).toEqual({})
  expect(await readActs()).toEqual([])
})
