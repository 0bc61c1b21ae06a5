import { beforeEach, describe, expect, test } from 'vitest'

import type { Event, LookedUpChangeset } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

const service = testService()
beforeEach(() => service.reset())

const because = { 'change-reason': encodeURIComponent('canary: a new number') }
const nobody = undefined
const gone = '01900000-0000-7000-8000-000000000000'

/** Returns the ids of all changesets, oldest first. */
async function changesetIds(): Promise<string[]> {
  const events: Event[] = (await service.call('admin', 'GET', '/events')).body
  return events.map(({ properties }) => String(properties['changeset']))
}

async function lookUp(ids: readonly unknown[], role: 'admin' | 'support' | 'steward' = 'steward') {
  const { status, body } = await service.call(role, 'POST', '/changesets/lookup', { ids })
  expect(status).toBe(200)
  return body as LookedUpChangeset[]
}

/** Creates a user and a car with a sensitive plate, each with a reason. */
async function prepare() {
  const user = idOf(await service.call('admin', 'POST', '/users', { name: 'Canary' }, because))
  const body = {
    type: 'car',
    properties: [
      { key: 'plate', type: 'TEXT', value: 'canary AB-123', sensitive: true },
      { key: 'seats', type: 'NUMBER', value: 4711 },
    ],
  }
  const path = `/users/${user}/entities`
  const entity = idOf(await service.call('admin', 'POST', path, body, because))
  return { user, at: `${path}/${entity}` }
}

describe('changesets in short', () => {
  test('tell which properties were changed, in the order asked, without those that are gone', async () => {
    const { user } = await prepare()
    const [ofUser, ofCar] = await changesetIds()
    expect(await lookUp([ofCar, gone, 'no-uuid', ofUser])).toEqual([
      {
        id: ofCar,
        op: 'add',
        entityType: 'car',
        reason: 'canary: a new number',
        total: 2,
        changes: [
          { op: 'add', key: 'plate', type: 'TEXT', sensitive: true },
          { op: 'add', key: 'seats', type: 'NUMBER', sensitive: false },
        ],
      },
      {
        id: ofUser,
        op: 'add',
        reason: 'canary: a new number',
        total: 2,
        changes: [
          { op: 'add', key: 'name', type: 'TEXT', sensitive: false },
          { op: 'add', key: 'since', type: 'DATETIME', sensitive: false },
        ],
      },
    ])
    await service.call('admin', 'DELETE', `/users/${user}`)
    expect(await lookUp([ofUser, ofCar])).toEqual([])
  })

  test('hold no value, and reading them is on no record', async () => {
    const { at } = await prepare()
    // The plate is no longer marked as sensitive, but it was before this change.
    const unmarked = { properties: [{ key: 'plate', sensitive: false, value: 'canary XY-9' }] }
    await service.call('admin', 'PATCH', at, unmarked)
    const ids = await changesetIds()
    for (const role of ['support', 'admin'] as const) {
      const found = await lookUp(ids, role)
      expect(found.at(-1)?.changes).toMatchObject([{ key: 'plate', sensitive: true }])
      expect(JSON.stringify(found.map(({ changes }) => changes))).not.toMatch(/canary|4711/i)
    }
    expect(await changesetIds()).toEqual(ids)
  })

  test('tell why to those alone who may read sensitive values', async () => {
    await prepare()
    const ids = await changesetIds()
    expect(JSON.stringify(await lookUp(ids, 'support'))).not.toContain('canary')
    for (const role of ['steward', 'admin'] as const)
      expect((await lookUp(ids, role)).map(({ reason }) => reason)).toEqual(
        ids.map(() => 'canary: a new number'),
      )
  })

  test('show the first of many changes, and the total', async () => {
    const { at } = await prepare()
    const properties = Array.from({ length: 60 }, (_, n) => ({ key: `k${n}`, type: 'NUMBER', value: n }))
    await service.call('admin', 'PATCH', at, { properties })
    const [found] = await lookUp([(await changesetIds()).at(-1)])
    expect(found?.total).toBe(60)
    expect(found?.changes.map(({ key }) => key)).toEqual(properties.slice(0, 20).map(({ key }) => key))
  })

  test('are for those who may read the changes themselves', async () => {
    await prepare()
    const ids = await changesetIds()
    const asked = (caller: 'integrator' | undefined) =>
      service.call(caller, 'POST', '/changesets/lookup', { ids })
    expect((await asked('integrator')).status).toBe(403)
    expect((await asked(nobody)).status).toBe(401)
    for (const [scope, status] of [
      ['users:read events:read', 403],
      ['entities:read events:read', 403],
      ['users:read entities:read', 200],
    ] as const) {
      const headers = { authorization: `Bearer ${await service.sign({ scope })}` }
      const answer = await service.call(nobody, 'POST', '/changesets/lookup', { ids }, headers)
      expect(answer.status).toBe(status)
    }
  })

  test.each([[[]], [Array.from({ length: 201 }, () => gone)], [['a'.repeat(65)]], [[4711]]])(
    'are refused %#',
    async (ids) => {
      const answer = await service.call('admin', 'POST', '/changesets/lookup', { ids })
      expect(answer.status).toBe(422)
    },
  )
})
