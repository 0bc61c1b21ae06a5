import { describe, expect, test } from 'vitest'

import type { KnownKey } from '#contract/index.ts'
import { insertGenerated, newEntity } from '../demo/bulk.ts'
import { seededIds, seededRandom } from '../demo/random.ts'
import { testService } from '../testing/hooks.ts'
import { startTestService } from '../testing/service.ts'

const service = testService()

async function create(path: string, body: object): Promise<string> {
  return await service.create('steward', path, body)
}

const addUser = () => create('/users', {})
const keys = async (query = ''): Promise<KnownKey[]> =>
  (await service.call('support', 'GET', `/keys${query}`)).body

// Keys stay known, so each test uses its own entity type.
describe('known keys', () => {
  test('are listed by key with each type that they occur with, sensitive where any is', async () => {
    const user = await addUser()
    const car = await create(`/users/${user}/entities`, {
      type: 'car',
      properties: [
        { key: 'plate', type: 'TEXT', sensitive: true, value: 'AB-123' },
        { key: 'doors', type: 'NUMBER', value: 5 },
      ],
    })
    await create(`/users/${user}/entities`, {
      type: 'car',
      properties: [
        { key: 'plate', type: 'TEXT', value: 'CD-456' },
        { key: 'doors', type: 'TEXT', value: 'five' },
      ],
    })
    await create(`/users/${user}/entities`, {
      type: 'boat',
      properties: [{ key: 'plate', type: 'TEXT', value: 'EF-789' }],
    })
    const ofCars = [
      { key: 'doors', type: 'NUMBER', sensitive: false },
      { key: 'doors', type: 'TEXT', sensitive: false },
      { key: 'plate', type: 'TEXT', sensitive: true },
    ]
    expect(await keys('?entity=car')).toEqual(ofCars)
    expect(await keys('?entity=boat')).toEqual([{ key: 'plate', type: 'TEXT', sensitive: false }])
    expect(await keys()).toEqual(ofCars)

    await service.call('steward', 'PATCH', `/users/${user}/entities/${car}`, {
      properties: [{ key: 'Ünïcode "key"', type: 'BOOLEAN', value: true }],
    })
    await service.call('steward', 'PUT', `/users/${user}/entities/${car}`, { type: 'truck', properties: [] })
    await service.call('steward', 'POST', '/users', { properties: [{ key: 'b', type: 'DATE', value: null }] })
    expect((await keys('?entity=car')).map(({ key }) => key)).toContain('Ünïcode "key"')
    expect(await keys('?entity=person')).toEqual([{ key: 'b', type: 'DATE', sensitive: false }])
    expect(await keys('?entity=truck')).toEqual([])
  })

  test('take on the type that an entity changes to', async () => {
    const user = await addUser()
    const properties = [{ key: 'sail', type: 'TEXT', value: 'red' }]
    const id = await create(`/users/${user}/entities`, { type: 'raft', properties })
    await service.call('steward', 'PATCH', `/users/${user}/entities/${id}`, { type: 'ship' })
    expect(await keys('?entity=ship')).toEqual(await keys('?entity=raft'))
  })

  test('stay known when nothing has them any more', async () => {
    const user = await addUser()
    const properties = [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02' }]
    await create(`/users/${user}/entities`, { type: 'account', properties })
    await service.call('steward', 'DELETE', `/users/${user}`)
    expect(await keys('?entity=account')).toEqual([{ key: 'iban', type: 'TEXT', sensitive: true }])
  })

  test('are not those of a write that failed, which the next one brings', async () => {
    const user = await addUser()
    const body = { type: 'plane', properties: [{ key: 'wings', type: 'NUMBER', value: 2 }] }
    const nobody = '01900000-0000-7000-8000-000000000000'
    const broken = [...body.properties, { key: 'x', type: 'RELATIONSHIP', value: { user: nobody } }]
    for (let time = 0; time < 3; time++)
      expect(
        await service.call('steward', 'POST', `/users/${user}/entities`, { ...body, properties: broken }),
      ).toMatchObject({ status: 422 })
    expect(await keys('?entity=plane')).toEqual([])
    await create(`/users/${user}/entities`, body)
    expect(await keys('?entity=plane')).toEqual([{ key: 'wings', type: 'NUMBER', sensitive: false }])
  })

  test('include those of a bulk load that is rolled back and repeated', async () => {
    const load = async (fail: boolean) => {
      const makeId = seededIds(seededRandom(fail ? 1 : 2))
      const people = [1, 2].map((n) => {
        const id = makeId(n)
        const entity = newEntity(makeId, n, id, 'robot', [{ key: 'arms', type: 'NUMBER', value: n }])
        const time = '2024-01-01T00:00:00.000'
        const fields = { email: null, name: null, ref: null, created: time, since: time, account: false }
        return { user: { id, ...fields }, entities: [entity], events: [], changesets: [], reasons: [] }
      })
      await service.database.sql.transaction().execute(async (transaction) => {
        for (const person of people) await insertGenerated(transaction, service.database.keys, [person])
        if (fail) throw new Error('undone')
      })
    }
    await expect(load(true)).rejects.toThrow('undone')
    expect(await keys('?entity=robot')).toEqual([])
    await load(false)
    expect(await keys('?entity=robot')).toEqual([{ key: 'arms', type: 'NUMBER', sensitive: false }])
  })

  test('are all there after 16 writers brought the same new ones at once, in different order', async () => {
    const names = Array.from({ length: 30 }, (_, n) => `k${String(n).padStart(2, '0')}`)
    const users = await Promise.all(Array.from({ length: 16 }, addUser))
    const answers = await Promise.all(
      users.map((user, n) => {
        const order = [...names.slice(n), ...names.slice(0, n)]
        return service.call('steward', 'POST', `/users/${user}/entities`, {
          type: 'crowd',
          properties: (n % 2 ? order : order.toReversed()).map((key) => ({ key, type: 'NUMBER', value: n })),
        })
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual(users.map(() => 201))
    expect((await keys('?entity=crowd')).map(({ key }) => key)).toEqual(names)
  })

  test.each(['no-such-type', 'No Type', '%00', ''])('are none for the type "%s"', async (type) => {
    expect(await keys(`?entity=${type}`)).toEqual([])
  })

  test('need entities:read', async () => {
    expect(await service.call('integrator', 'GET', '/keys')).toMatchObject({
      status: 403,
      body: { scope: 'entities:read' },
    })
    expect(await service.fetch(`${service.baseUrl}/keys`)).toMatchObject({ status: 401 })
  })
})

test('the bare document has no list of keys', async () => {
  const bare = await startTestService({ additions: 'none' })
  expect(await bare.call('admin', 'GET', '/keys')).toMatchObject({
    status: 404,
    body: { code: 'unknown_address' },
  })
  await bare.close()
})
