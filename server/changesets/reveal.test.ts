import { beforeEach, describe, expect, test } from 'vitest'

import type { AuditPage, Event, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
const secretive = testService({ sensitiveReads: 'reveal' })
const sealed = (key: string, value: string) => ({ key, type: 'TEXT', sensitive: true, value })
const why = { reason: 'The customer asks which IBAN we had.' }

let user = ''
let entity = ''
let changeset = ''

async function prepare(on = service): Promise<void> {
  await on.reset()
  user = await on.create('steward', '/users', { name: 'Ana' })
  entity = await on.create('steward', `/users/${user}/entities`, {
    type: 'bank',
    properties: [
      sealed('iban', 'canary-1'),
      sealed('pin', 'canary-2'),
      { key: 'city', type: 'TEXT', value: 'Lyon' },
    ],
  })
  const properties = [
    sealed('iban', 'canary-3'),
    sealed('pin', 'canary-4'),
    { key: 'city', type: 'TEXT', value: 'Nice' },
  ]
  await on.call('steward', 'PATCH', `/users/${user}/entities/${entity}`, { properties })
  changeset = (await changesets(on)).at(-1) ?? ''
}
beforeEach(() => prepare())

const eventsOf = async (type: string, on = service): Promise<Event[]> =>
  (await on.call('admin', 'GET', `/events?type=${type}`)).body
const changesets = async (on = service) =>
  (await eventsOf('DIRECT_DATA_CHANGE', on)).map(({ properties }) => String(properties.changeset))
const accesses = async (on = service) =>
  (await eventsOf('SENSITIVE_DATA_ACCESSED', on)).map(({ properties }) => properties)
const reveal = (body: object, role: Role | undefined = 'steward', on = service) =>
  on.call(role, 'POST', `/changesets/${changeset}/reveal`, body)

describe('the reveal of earlier values', () => {
  test.each(['steward', 'admin'] as const)(
    'opens and records the named property alone, for %s',
    async (role) => {
      const { status, body } = await reveal({ keys: ['iban'], ...why }, role)
      expect(status).toBe(200)
      expect(body).toEqual({
        changes: [
          { op: 'change', key: 'iban', type: 'TEXT', sensitive: true, before: 'canary-1', after: 'canary-3' },
        ],
      })
      expect(await accesses()).toEqual([{ user, entity, actor: role, keys: '["iban"]', ...why }])
      const audit = (await service.call('admin', 'GET', '/audit?kind=read&key=iban')).body as AuditPage
      expect(audit.rows).toMatchObject([{ user, actor: role, keys: ['iban'], ...why }])
    },
  )

  test.each(['support', 'integrator'] as const)('is not for %s', async (role) => {
    expect(await reveal({ keys: ['iban'], ...why }, role)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    })
    expect(await accesses()).toEqual([])
  })

  test('works where values are revealed for a reason alone', async () => {
    await prepare(secretive)
    const { body } = await reveal({ keys: ['pin'], ...why }, 'steward', secretive)
    expect(body).toMatchObject({ changes: [{ key: 'pin', before: 'canary-2', after: 'canary-4' }] })
    expect(await accesses(secretive)).toMatchObject([{ keys: '["pin"]', ...why }])
  })

  test('opens values that became sensitive later, and those from before', async () => {
    const path = `/users/${user}/entities/${entity}`
    await service.call('steward', 'PATCH', path, { properties: [{ key: 'city', sensitive: true }] })
    expect((await reveal({ keys: ['city'], ...why })).body).toMatchObject({
      changes: [{ key: 'city', before: 'Lyon', after: 'Nice' }],
    })
    expect(await accesses()).toMatchObject([{ keys: '["city"]' }])
  })

  test('belongs to an act of reading that covers it', async () => {
    const begun = await service.call('steward', 'POST', `/users/${user}/accesses`, why)
    const { access } = begun.body as { access: string }
    await reveal({ keys: ['iban'], reason: 'on its own', access })
    expect(await accesses()).toHaveLength(1)
    await reveal({ keys: ['iban'], reason: 'on its own', access }, 'admin')
    expect((await accesses()).map(({ reason }) => reason)).toEqual([why.reason, 'on its own'])
  })

  test.each([
    [{ keys: ['iban'] }, '/reason'],
    [{ keys: ['iban'], reason: ' ' }, '/reason'],
    [{ keys: [], ...why }, '/keys'],
    [{ keys: ['iban', 'x'], ...why }, '/keys/1'],
  ])('needs a reason and properties that the write changed: %j', async (body, pointer) => {
    expect(await reveal(body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } })
    expect(await accesses()).toEqual([])
  })

  test('is refused for the fields of a user, and for changes that are gone', async () => {
    const [created] = await eventsOf('USER_CREATED')
    const known = changeset
    changeset = String(created?.properties.changeset)
    expect((await reveal({ keys: ['name'], ...why })).status).toBe(422)
    changeset = '01900000-0000-7000-8000-000000000000'
    expect((await reveal({ keys: ['iban'], ...why })).status).toBe(404)
    changeset = known
    await service.call('admin', 'DELETE', `/users/${user}`)
    expect((await reveal({ keys: ['iban'], ...why })).status).toBe(404)
  })
})
