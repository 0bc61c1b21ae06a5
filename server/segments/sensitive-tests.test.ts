import { beforeEach, expect, test } from 'vitest'

import type { Filter, Problem, PropertyInput, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

// Filters that test whether a property is marked as sensitive.

const service = testService()
const revealing = testService({ sensitiveReads: 'reveal' })
beforeEach(() => service.reset())

const iban = (value: unknown, sensitive: boolean, type = 'TEXT') =>
  ({ key: 'iban', type, value, sensitive }) as PropertyInput
const people: Readonly<Record<string, readonly PropertyInput[]>> = {
  Ana: [iban('DE1', true)],
  Ben: [iban('DE1', false)],
  Chloé: [iban('DE2', true)],
  Dan: [iban(7, true, 'NUMBER')],
  Eva: [],
  Fay: [iban(null, true)],
  Gil: [iban(null, false)],
}

async function fill() {
  for (const [name, properties] of Object.entries(people))
    await service.create('admin', '/users', {
      name,
      ...(properties.length > 0 ? { properties } : { email: 'eva@example.org' }),
    })
}
const where = (...tests: object[]) => ({ entity: 'person', where: tests }) as Filter
const exists = { key: 'iban', type: 'TEXT', op: 'exists' }

async function search(filter: Filter, role: Role = 'steward') {
  const { status, body } = await service.call(role, 'POST', '/users/search', { filter })
  return { status, body: body as Problem & { users: { name: string }[] } }
}
async function findNames(filter: Filter): Promise<string> {
  const { status, body } = await search(filter)
  expect(status).toBe(200)
  return body.users
    .map(({ name }) => name)
    .toSorted()
    .join(' ')
}

test('users are found by how a property is marked, besides what it is compared with', async () => {
  await fill()
  const tests: readonly (readonly [Filter, string])[] = [
    [where(exists), 'Ana Ben Chloé'],
    [where({ ...exists, sensitive: true }), 'Ana Chloé'],
    [where({ ...exists, sensitive: false }), 'Ben'],
    [where({ ...exists, type: 'NUMBER', sensitive: true }), 'Dan'],
    [where({ ...exists, type: 'NUMBER', sensitive: false }), ''],
    [where({ ...exists, op: 'eq', value: 'DE1' }), 'Ana Ben'],
    [where({ ...exists, op: 'eq', value: 'DE1', sensitive: true }), 'Ana'],
    [where({ ...exists, op: 'eq', value: 'DE1', sensitive: false }), 'Ben'],
    [where({ ...exists, op: 'ne', value: 'DE1', sensitive: true }), 'Chloé'],
    [where({ ...exists, op: 'ne', value: 'DE1', sensitive: false }), ''],
    [where({ ...exists, op: 'in', value: ['DE1', 'DE2'], sensitive: true }), 'Ana Chloé'],
    [where({ ...exists, key: 'other', sensitive: false }), ''],
    [{ not: where({ ...exists, sensitive: true }) }, 'Ben Dan Eva Fay Gil'],
    [
      { any: [where({ ...exists, sensitive: true }), where({ ...exists, sensitive: false })] },
      'Ana Ben Chloé',
    ],
  ]
  for (const [filter, names] of tests) expect([filter, await findNames(filter)]).toEqual([filter, names])
})

test('a mark is a yes or a no, and nothing is asked of a missing property', async () => {
  for (const wrong of [
    { ...exists, op: 'missing', sensitive: true },
    { ...exists, op: 'eq', value: 'x', orMissing: true, sensitive: false },
    { ...exists, sensitive: 'yes' },
    { ...exists, sensitive: 1 },
  ]) {
    const { status, body } = await search(where(wrong))
    expect([wrong, status, body.errors?.map(({ pointer }) => pointer)]).toEqual([
      wrong,
      422,
      ['/filter/where/0/sensitive'],
    ])
  }
})

test('a filter by the mark tells of a sensitive property, and takes the scope to read such', async () => {
  await fill()
  for (const sensitive of [true, false]) {
    const { status, body } = await search(where({ ...exists, sensitive }), 'support')
    expect([status, body.code]).toEqual([403, 'insufficient_scope'])
    await revealing.create('admin', '/users', { properties: [iban('DE1', true)] })
    const filter = where({ ...exists, sensitive })
    const unsaved = await revealing.call('steward', 'POST', '/users/search', { filter })
    expect(unsaved).toMatchObject({ status: 403, body: { code: 'sensitive_filter' } })
  }
})

test('a segment keeps it, finds by it, and explains it', async () => {
  await fill()
  const filter = where({ ...exists, sensitive: false })
  const segment = idOf(await service.call('admin', 'POST', '/segments', { name: 'In clear', filter }))
  const { body } = await service.call('admin', 'GET', `/segments/${segment}`)
  expect(body).toMatchObject({ filter })
  const members = await service.call('admin', 'GET', `/users?segment=${segment}`)
  expect(members.body).toMatchObject({ users: [{ name: 'Ben' }] })
  for (const [name, pass] of [
    ['Ana', false],
    ['Ben', true],
  ] as const) {
    const { body: some } = await service.call('admin', 'POST', '/users/search', {
      filter: { user: 'name', op: 'eq', value: name },
    })
    const [user] = (some as { users: { id: string }[] }).users
    const path = `/users/${user?.id ?? ''}/explain`
    const explained = await service.call('steward', 'POST', path, { filter })
    expect({ name, ...explained }).toMatchObject({ name, status: 200, body: { member: pass } })
  }
})
