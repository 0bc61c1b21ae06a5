import { beforeEach, describe, expect, test } from 'vitest'

import type { Filter, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startTestService } from '../testing/service.ts'

const service = testService()
beforeEach(() => service.reset())

const nobody = '01900000-0000-7000-8000-000000000000'
const brand = (value: string) =>
  ({ entity: 'car', where: [{ key: 'brand', type: 'TEXT', op: 'eq', value }] }) as const satisfies Filter
const iban = {
  entity: 'person',
  where: [{ key: 'iban', type: 'TEXT', op: 'exists' }],
} as const satisfies Filter

const explain = (
  user: string,
  filter: Filter,
  { role = 'steward', tz = '' }: { role?: Role; tz?: string } = {},
) => service.call(role, 'POST', `/users/${user}/explain`, { filter, ...(tz && { tz }) })
const userWith = async (type: string, ...entities: object[][]) => {
  const user = await service.create('admin', '/users', { name: 'Ana' })
  const ids = []
  for (const properties of entities)
    ids.push(await service.create('admin', `/users/${user}/entities`, { type, properties }))
  return { user, ids }
}
const car = (value: string) => [{ key: 'brand', type: 'TEXT', value }]
const person = [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02' }]
const accesses = async () => {
  const { body } = await service.call('admin', 'GET', '/events?type=SENSITIVE_DATA_ACCESSED')
  return (body as { properties: object }[]).map(({ properties }) => properties)
}

describe('why a filter that nobody saved finds a user', () => {
  test('tells the entities that it asks for from the others', async () => {
    const { user, ids } = await userWith('car', car('Volvo'), car('Saab'))
    const { status, body } = await explain(user, brand('volvo'))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      member: true,
      why: {
        entities: [
          { id: ids[0], pass: true, where: [{ actual: 'Volvo' }] },
          { id: ids[1], pass: false, where: [{ actual: 'Saab' }] },
        ],
      },
    })
    expect((await explain(user, { not: brand('volvo') })).body).toMatchObject({ member: false })
    expect((await service.call('admin', 'GET', '/segments')).body).toEqual([])
  })

  test('goes through segments, in days of the zone that was given', async () => {
    const { user } = await userWith('car', car('Volvo'))
    const used = await service.create('admin', '/segments', { name: 'Volvo', filter: brand('volvo') })
    const isNew: Filter = { user: 'created', op: 'within_last', value: 'P1D' }
    expect(
      (await explain(user, { all: [{ segment: used }, isNew] }, { tz: 'Asia/Tokyo' })).body,
    ).toMatchObject({ member: true, why: { all: [{ is: { pass: true } }, { pass: true }] } })
  })

  test('refuses what a search by it refuses', async () => {
    const { user } = await userWith('car', car('Volvo'))
    expect(await explain(nobody, brand('volvo'))).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    })
    expect(await explain('x', brand('volvo'))).toMatchObject({ status: 404 })
    expect(await explain(user, { segment: nobody })).toMatchObject({ status: 422 })
    expect(await explain(user, { all: [] }, { tz: 'Nowhere/Land' })).toMatchObject({ status: 422 })
    expect(await explain(user, { all: [] }, { role: 'integrator' })).toMatchObject({ status: 403 })
  })

  test('tells a sensitive value to nobody who may not read it, and records who asked', async () => {
    const { user, ids } = await userWith('person', person)
    expect(await explain(user, iban, { role: 'support' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', scope: 'sensitive:read' },
    })
    expect(await accesses()).toEqual([])
    const { body } = await explain(user, iban)
    expect(JSON.stringify(body)).not.toContain('DE02')
    expect(body).toMatchObject({ member: true, why: { entities: [{ where: [{ masked: true }] }] } })
    expect(await accesses()).toEqual([{ user, entity: ids[0], actor: 'steward', keys: '["iban"]' }])
  })

  test('does not tell what a segment compares a key with that was sensitive once', async () => {
    const { user } = await userWith('person', person)
    const where = [{ key: 'iban', type: 'TEXT', op: 'eq', value: 'DE02' }] as const
    const used = await service.create('admin', '/segments', {
      name: 'One',
      filter: { entity: 'person', where },
    })
    await service.call('admin', 'DELETE', `/users/${user}`)
    const { user: other } = await userWith('car')
    expect((await explain(other, { segment: used }, { role: 'support' })).body).toEqual({ member: false })
  })
})

test('a saved segment alone is explained where a reason is the only way to see a value, and without why', async () => {
  const revealing = await startTestService({ sensitiveReads: 'reveal' })
  const user = await revealing.create('steward', '/users', { name: 'Ana', properties: person })
  const segment = await revealing.create('admin', '/segments', { name: 'One', filter: iban })
  const ask = (filter: unknown) => revealing.call('steward', 'POST', `/users/${user}/explain`, { filter })
  expect(await ask(iban)).toMatchObject({ status: 403, body: { code: 'sensitive_filter' } })
  // `why` would reveal the value that the segment compares with.
  expect((await ask({ segment })).body).toEqual({ member: true })
  const events = await revealing.call('admin', 'GET', '/events?type=SENSITIVE_DATA_ACCESSED')
  expect(events.body).toMatchObject([{ properties: { user, actor: 'steward', keys: '["iban"]' } }])
  await revealing.close()
})
