import { Client } from 'pg'
import { expect, test, vi } from 'vitest'

import type { Filter, PropertyTest, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { readFilter } from './facts.ts'

const service = testService()

const iban = { key: 'iban', type: 'TEXT', op: 'eq', value: 'DE1' } as const
const person = (...where: PropertyTest[]): Filter => ({ entity: 'person', where })

/** Counts the statements by which a request asks which of some properties any entity has as sensitive. */
async function countQuestions(role: Role, method: string, path: string, body?: unknown): Promise<number> {
  const query = vi.spyOn(Client.prototype, 'query')
  expect((await service.call(role, method, path, body)).status).toBeLessThan(300)
  const questions = query.mock.calls.filter((given) =>
    [given].flat(2).some((each) => String(each).includes('"sensitive":true}')),
  )
  query.mockRestore()
  return questions.length
}

test('a request asks the store once which of the tested properties are sensitive', async () => {
  const sealed = { key: 'iban', type: 'TEXT', value: 'DE1', sensitive: true }
  const user = await service.create('admin', '/users', { properties: [sealed] })
  const segment = await service.create('admin', '/segments', {
    name: 'open',
    filter: person({ ...iban, key: 'bic' }),
  })
  const open = { filter: person({ ...iban, key: 'city', op: 'contains', value: 'L' }), segment }
  const own = { filter: person(iban) }
  const questions = async (...of: Parameters<typeof countQuestions>) => [
    of[0],
    of[2],
    await countQuestions(...of),
  ]
  const once = (role: Role, path: string) => [role, path, 1]
  const [memberships, explain] = [`/users/${user}/segments?explain=true`, `/users/${user}/explain`]
  expect([
    await questions('steward', 'POST', '/users/search', { ...own, segment }),
    await questions('support', 'POST', '/users/search', open),
    await questions('admin', 'POST', '/segments', { ...own, name: 'own' }),
    await questions('support', 'GET', memberships),
    await questions('support', 'POST', explain, { filter: open.filter }),
  ]).toEqual([
    once('steward', '/users/search'),
    once('support', '/users/search'),
    once('admin', '/segments'),
    once('support', memberships),
    once('support', explain),
  ])
})

test('facts of a filter hold its tests with their places, what it names, and what all users it finds pass', () => {
  const [since, ref] = [
    { user: 'since', op: 'before', value: '2020-01-01' },
    { user: 'ref', op: 'exists' },
  ] as const
  const filter = {
    all: [since, { any: [person(iban), { segment: 'a' }] }, { not: { all: [ref] } }],
  } satisfies Filter
  const facts = readFilter({ filter, tz: null })
  expect(facts).toMatchObject({
    tests: [{ entity: 'person', test: iban, path: ['all', 1, 'any', 0, 'where', 0] }],
    references: [{ id: 'a', path: ['all', 1, 'any', 1, 'segment'] }],
    required: [since],
    testsEntities: true,
    testsUsers: true,
    keys: [{ type: 'person', key: 'iban' }],
    extent: { tests: 4, depth: 1 },
  })
  const turned = { value: since.value, op: since.op, user: since.user }
  expect(readFilter({ filter: { all: [turned, ...filter.all.slice(1)] }, tz: null }).name).toBe(facts.name)
  expect(readFilter({ filter, tz: 'Europe/Berlin' }).name).not.toBe(facts.name)
})
