import { beforeEach, describe, expect, test } from 'vitest'

import type { Filter, Problem, UserList } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
beforeEach(() => service.reset())

const past = '2020-01-01T00:00:00.000Z'
const future = '2900-01-01T00:00:00.000Z'
const began = { statusDate: '2019-01-01T00:00:00.000Z' }

/** Preferences to store. Each key describes one, and is the name of the user who has it. */
const consents = {
  'without an end': { status: 'GRANTED', ...began },
  'that ends': { status: 'GRANTED', ...began, expires: future },
  'that has ended': { status: 'GRANTED', ...began, expires: past },
  'that is to come': { status: 'GRANTED', statusDate: future },
  denied: { status: 'DENIED', ...began },
  'denied until then': { status: 'DENIED', ...began, expires: past },
  'revoked from then': { status: 'REVOKED', statusDate: future },
}
type Name = keyof typeof consents

const on = (op: string, value?: unknown) =>
  ({
    entity: 'person',
    where: [{ key: 'news', type: 'PREFERENCE', op, ...(value !== undefined && { value }) }],
  }) as Filter
const granted = on('eq', { status: 'GRANTED' })

/** Creates a user for each name and returns their ids. */
async function addAll(names: readonly Name[], sensitive = false): Promise<Map<string, string>> {
  const users = new Map<string, string>()
  for (const name of names) {
    const user = await service.create('admin', '/users', { name })
    const news = { key: 'news', type: 'PREFERENCE', sensitive, value: consents[name] }
    await service.create('admin', `/users/${user}/entities`, { type: 'person', properties: [news] })
    users.set(name, user)
  }
  return users
}

const namesOf = ({ users }: UserList) => users.map(({ name }) => name)
const findNames = async (filter: Filter) =>
  namesOf((await service.call('admin', 'POST', '/users/search', { filter })).body)

describe('a consent', () => {
  test('counts as granted while it holds, however it is asked for', async () => {
    const users = await addAll(Object.keys(consents) as Name[])
    const expected = ['without an end', 'that ends']
    const segment = await service.create('admin', '/segments', { name: 'Granted', filter: granted })

    expect(await findNames(granted)).toEqual(expected)
    expect(await findNames(on('in', [{ status: 'GRANTED' }]))).toEqual(expected)
    expect(await findNames({ segment })).toEqual(expected)
    expect(namesOf((await service.call('admin', 'GET', `/users?segment=${segment}`)).body)).toEqual(expected)
    expect(
      (await service.call('admin', 'POST', '/segments/preview', { filter: granted })).body,
    ).toMatchObject({
      total: 2,
    })
    for (const [name, user] of users) {
      const member = expected.includes(name)
      expect
        .soft((await service.call('admin', 'POST', `/users/${user}/explain`, { filter: granted })).body, name)
        .toMatchObject({ member })
      expect
        .soft((await service.call('admin', 'GET', `/users/${user}/segments`)).body, name)
        .toMatchObject([{ member }])
    }
    const batch = { filter: granted, set: { entity: 'person', key: 'seen', type: 'BOOLEAN', value: true } }
    const job = await service.create('admin', '/users/batch', { ...batch, dryRun: true })
    expect((await service.call('admin', 'GET', `/jobs/${job}`)).body).toMatchObject({ total: 2 })
  })

  test.each<[op: string, value: unknown, expected: readonly Name[]]>([
    ['granted', undefined, ['without an end', 'that ends']],
    [
      'not_granted',
      undefined,
      ['that has ended', 'that is to come', 'denied', 'denied until then', 'revoked from then'],
    ],
    ['expired', undefined, ['that has ended']],
    ['expires_within', 'P999Y', ['that ends']],
    ['expires_within', 'P1Y', []],
    ['eq', { status: 'DENIED' }, ['denied']],
    ['eq', { status: 'REVOKED' }, []],
    ['eq', { status: 'GRANTED', expires: past }, []],
    ['eq', { status: 'GRANTED', expires: future }, ['that ends']],
    ['eq', { status: 'GRANTED', statusDate: future }, []],
    ['in', [{ status: 'GRANTED', expires: future }, { status: 'DENIED' }], ['that ends', 'denied']],
  ])('%s %j', async (op, value, expected) => {
    await addAll(Object.keys(consents) as Name[])
    expect(await findNames(on(op, value))).toEqual(expected)
  })

  test('that is missing is neither granted nor refused, unless a test takes the missing too', async () => {
    const user = await service.create('admin', '/users', { name: 'Ana' })
    const none = { key: 'news', type: 'PREFERENCE', value: null }
    await service.create('admin', `/users/${user}/entities`, { type: 'person', properties: [none] })
    for (const op of ['granted', 'not_granted', 'expired']) {
      expect.soft(await findNames(on(op)), op).toEqual([])
      const orMissing = { key: 'news', type: 'PREFERENCE', op, orMissing: true } as const
      expect.soft(await findNames({ entity: 'person', where: [orMissing] } as Filter), op).toEqual(['Ana'])
    }
  })

  test.each([
    [{ op: 'granted', value: { status: 'GRANTED' } }, '/filter/where/0/value'],
    [{ op: 'expires_within' }, '/filter/where/0/value'],
    [{ op: 'expires_within', value: '30 days' }, '/filter/where/0/value'],
    [{ op: 'expires_within', value: { ahead: 'P1D' } }, '/filter/where/0/value'],
    [{ op: 'exists', orMissing: true }, '/filter/where/0/orMissing'],
    [{ op: 'granted', type: 'TEXT' }, '/filter/where/0/op'],
    [{ op: 'ne', value: { status: 'GRANTED' } }, '/filter/where/0/op'],
  ])('is not asked for by %j', async (test, pointer) => {
    const where = [{ key: 'news', type: 'PREFERENCE', ...test }]
    const answer = await service.call('admin', 'POST', '/users/search', {
      filter: { entity: 'person', where },
    })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } })
  })
})

describe('a sealed consent', () => {
  test('is found by its status where it says no end and has begun, and by none where it does', async () => {
    const users = await addAll(Object.keys(consents) as Name[], true)
    const segment = await service.create('admin', '/segments', { name: 'Granted', filter: on('granted') })
    expect(await findNames(granted)).toEqual(['without an end'])
    expect(await findNames(on('granted'))).toEqual(['without an end'])
    expect(await findNames(on('in', [{ status: 'DENIED' }, { status: 'REVOKED' }]))).toEqual(['denied'])
    expect(await findNames(on('exists'))).toEqual(Object.keys(consents))
    for (const [name, user] of users)
      expect
        .soft((await service.call('admin', 'GET', `/users/${user}/segments`)).body, name)
        .toMatchObject([{ id: segment, member: name === 'without an end' }])
  })

  test('is found again when an expiry is set or removed', async () => {
    const [[, user = ''] = []] = await addAll(['without an end'], true)
    const [entity] = (await service.call('admin', 'GET', `/users/${user}/entities`)).body as { id: string }[]
    const change = async (value: object) =>
      await service.call('admin', 'PATCH', `/users/${user}/entities/${entity?.id}`, {
        properties: [{ key: 'news', value }],
      })
    expect(await change(consents['that ends'])).toMatchObject({ status: 204 })
    expect(await findNames(granted)).toEqual([])
    expect(await change(consents['without an end'])).toMatchObject({ status: 204 })
    expect(await findNames(granted)).toEqual(['without an end'])
  })

  test('is refused to tests that would have to see its dates', async () => {
    await addAll(['that ends'], true)
    for (const filter of [on('not_granted'), on('expired'), on('expires_within', 'P1M')]) {
      const { status, body } = await service.call('admin', 'POST', '/users/search', { filter })
      expect([status, (body as Problem).errors]).toMatchObject([
        422,
        [{ pointer: '/filter/where/0/op', code: 'sensitive_property' }],
      ])
    }
  })
})
