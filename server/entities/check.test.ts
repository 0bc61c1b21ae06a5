import { beforeEach, describe, expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { entitiesIn } from '../events/named-entities.ts'
import { testService } from '../testing/hooks.ts'

const service = testService({ rateLimit: 10_000 })
const withoutLimit = testService({ rateLimit: 0 })
beforeEach(() => service.reset())

const nobody = undefined
let caller = 0

/** Checks a value as a new caller each time, because the rate limit refuses frequent checks by one caller. */
async function check(user: string, body: object, scope = 'users:read entities:read') {
  const token = await service.sign({ sub: `caller ${caller++}`, scope })
  return await service.call(nobody, 'POST', `/users/${user}/check`, body, {
    authorization: `Bearer ${token}`,
  })
}

const sensitive = (key: string, type: string, value: unknown) => ({ key, type, sensitive: true, value })

async function create(...properties: object[]): Promise<string> {
  return await service.create('steward', '/users', { properties })
}

async function checks(): Promise<Event[]> {
  const { body } = await service.call('steward', 'GET', '/events?type=SENSITIVE_DATA_CHECKED')
  return body
}

describe('a check of a sensitive value', () => {
  test.each([
    [
      'TEXT',
      '+33 6 12-34-56 78',
      ['0033612345678', '06 12 34 56 78', '+33612345678'],
      ['0612345679', '0612', '78'],
    ],
    ['TEXT', 'AB-123-CD', ['ab 123 cd'], ['ab123', '123cd']],
    ['TEXT', '***', ['***'], ['**']],
    ['EMAIL', 'Ana@Example.org', [' ana@example.org '], ['ana@example.com']],
    ['NUMBER', 1234.5, ['1234.5', '01234.50'], ['12345', '1,234.5', 'x', '-1234.5']],
    ['DECIMAL', '-12.340', ['-12.34'], ['12.34']],
    ['DATE', '1980-02-29', ['1980-02-29'], ['1980-02-28', '19800229']],
  ])('answers yes or no for %s %j', async (type, value, right, wrong) => {
    const user = await create(sensitive('secret', type, value))
    for (const each of right)
      expect([each, (await check(user, { keys: ['secret'], value: each })).body]).toEqual([
        each,
        { matches: true },
      ])
    for (const each of wrong)
      expect([each, (await check(user, { keys: ['secret'], value: each })).body]).toEqual([
        each,
        { matches: false },
      ])
  })

  test('is on the record whatever the answer, without the value, with its reason for who may read it', async () => {
    const user = await create(sensitive('phone', 'TEXT', '612'), sensitive('other', 'TEXT', null))
    const path = `/users/${user}/entities`
    const car = await service.create('steward', path, {
      type: 'car',
      properties: [sensitive('plate', 'TEXT', 'Plate-1'), sensitive('vin', 'TEXT', 'X')],
    })
    const asked = { keys: ['phone', 'plate', 'other'], value: 'plate1', reason: 'Ana calls' }
    const answer = await service.call('support', 'POST', `/users/${user}/check`, asked)
    expect(answer.body).toEqual({ matches: true })
    const [first, ...more] = await checks()
    expect(more).toEqual([])
    expect(first?.properties).toMatchObject({ user, actor: 'support', reason: 'Ana calls' })
    expect(JSON.parse(String(first?.properties.keys)).toSorted()).toEqual(['other', 'phone', 'plate'])
    const entities = entitiesIn(first?.properties.entities)
    expect([...entities.keys()]).toContain(car)
    expect([...entities.values()].map((keys) => keys.toSorted())).toEqual([['other', 'phone'], ['plate']])
    const { body } = await service.call('support', 'GET', '/events?type=SENSITIVE_DATA_CHECKED')
    expect(JSON.stringify(body)).not.toMatch(/Ana calls|plate-?1/i)
    await check(user, { keys: ['phone'], value: 'no' })
    expect(await checks()).toHaveLength(2)
  })

  test('is for who may read entities, of a user who is there', async () => {
    const user = await create(sensitive('phone', 'TEXT', '612'))
    const body = { keys: ['phone'], value: '612' }
    for (const role of ['support', 'steward', 'admin'] as const)
      expect((await service.call(role, 'POST', `/users/${user}/check`, body)).status).toBe(200)
    expect((await service.call('integrator', 'POST', `/users/${user}/check`, body)).status).toBe(403)
    expect((await service.call(nobody, 'POST', `/users/${user}/check`, body)).status).toBe(401)
    expect((await check(user, body, 'users:read sensitive:read')).status).toBe(403)
    const gone = '01900000-0000-7000-8000-000000000000'
    expect((await check(gone, body)).status).toBe(404)
  })

  test('is refused for what is not sensitive, and for what few values are possible of', async () => {
    const user = await create(
      { key: 'city', type: 'TEXT', value: 'Lyon' },
      sensitive('ill', 'BOOLEAN', true),
      sensitive('phone', 'TEXT', '612'),
    )
    await create(sensitive('elsewhere', 'TEXT', '1'))
    const refused = async (keys: string[]) => {
      const answer = await check(user, { keys, value: 'true' })
      expect(answer.status).toBe(422)
      return answer.body
    }
    expect(await refused(['phone', 'city'])).toMatchObject({
      errors: [{ pointer: '/keys/1', code: 'unknown_key' }],
    })
    expect(await refused(['elsewhere'])).toMatchObject({ errors: [{ code: 'unknown_key' }] })
    expect(await refused(['ill'])).toMatchObject({ errors: [{ pointer: '/keys/0', code: 'not_checkable' }] })
    expect(await checks()).toEqual([])
  })

  test.each([
    ['', () => service],
    [', also where requests have no limit', () => withoutLimit],
  ])('is made twenty times in ten minutes, by each caller%s', async (_where, asked) => {
    const on = asked()
    const user = await on.create('steward', '/users', { properties: [sensitive('pin', 'TEXT', '4711')] })
    const ask = (role: 'support' | 'steward') =>
      on.call(role, 'POST', `/users/${user}/check`, { keys: ['pin'], value: '1' })
    let answer = await ask('support')
    let answered = 0
    for (; answered < 20 && answer.status === 200; answered++) answer = await ask('support')
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(100)
    const { body } = await on.call('steward', 'GET', '/events?type=SENSITIVE_DATA_CHECKED')
    expect(body).toHaveLength(answered)
    expect((await ask('steward')).status).toBe(200)
    expect((await on.call('support', 'GET', `/users/${user}`)).status).toBe(200)
  })
})
