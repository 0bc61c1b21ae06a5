import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Changeset, Event, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf, type TestService } from '../testing/service.ts'

const reason = 'canary: Zoë moved, ticket 4711 🙂'
const because = { 'change-reason': encodeURIComponent(reason) }
const properties = [{ key: 'plate', type: 'TEXT', value: 'B 1' }]

const service = testService()
const strict = testService({ changeReasons: 'required' })
beforeEach(() => Promise.all([service.reset(), strict.reset()]))

async function changesets(of: TestService, role: Role = 'steward', query = ''): Promise<Changeset[]> {
  const events: Event[] = (await of.call('admin', 'GET', '/events')).body
  const ids = events.map((event) => event.properties.changeset)
  const answers = await Promise.all(
    ids.map((id) => of.call(role, 'GET', `/changesets/${String(id)}${query}`)),
  )
  return answers.flatMap(({ status, body }) => (status === 200 ? [body] : []))
}

const newest = async (of: TestService) => (await changesets(of)).at(-1)

/** Creates a user with a car, and a changeset that can be reverted. */
async function prepare(of: TestService) {
  const user = await of.create('admin', '/users', { name: 'Ana' })
  const entity = await of.create(
    'admin',
    `/users/${user}/entities`,
    { type: 'car', properties },
    { 'change-reason': 'prepared' },
  )
  const at = `/users/${user}/entities/${entity}`
  const changed = { properties: [{ key: 'plate', value: 'B 2' }] }
  await of.call('admin', 'PATCH', at, changed, { 'change-reason': 'prepared' })
  return { user, at, changeset: (await newest(of))?.id }
}

type Prepared = Awaited<ReturnType<typeof prepare>>
const writes: readonly (readonly [string, (made: Prepared) => readonly [string, string, object?]])[] = [
  ['a change of a user', ({ user }) => ['PATCH', `/users/${user}`, { name: 'Eva' }]],
  ['a new entity', ({ user }) => ['POST', `/users/${user}/entities`, { type: 'car', properties }]],
  ['a change of an entity', ({ at }) => ['PATCH', at, { properties: [{ key: 'plate', value: 'B 3' }] }]],
  ['a replacement', ({ at }) => ['PUT', at, { type: 'car' }]],
  ['a deletion', ({ at }) => ['DELETE', at]],
  ['a change made back', ({ changeset }) => ['POST', `/changesets/${changeset}/revert`, {}]],
]

describe('the reason of', () => {
  test.each(writes)('%s is told with its changeset', async (_name, write) => {
    const [method, path, body] = write(await prepare(service))
    const { status } = await service.call('admin', method, path, body, because)
    expect([201, 204, 303]).toContain(status)
    expect(await newest(service)).toMatchObject({ reason })
  })

  test('a new user with properties is told with both changesets', async () => {
    const sensitive = [{ ...properties[0], sensitive: true }]
    const user = await service.create('admin', '/users', { name: 'Ana', properties: sensitive }, because)
    expect((await changesets(service)).map((each) => each.reason)).toEqual([reason, reason])
    const { body } = await service.call('admin', 'GET', `/users/${user}/entities`)
    expect(body).toMatchObject([{ properties: [{ key: 'plate', value: 'B 1' }] }])
  })

  test('an entity that is restored is told', async () => {
    const { at } = await prepare(service)
    await service.call('admin', 'DELETE', at)
    expect((await service.call('admin', 'POST', `${at}/restore`, undefined, because)).status).toBe(204)
    expect(await newest(service)).toMatchObject({ op: 'add', reason })
  })
})

describe('a reason', () => {
  test('is for those alone who may read sensitive values, also of a masked read; others learn that there is one', async () => {
    const user = await service.create('support', '/users', { name: 'Ana' })
    await service.call('support', 'PATCH', `/users/${user}`, { name: 'Eva' }, because)
    for (const role of ['steward', 'admin'] as const)
      for (const query of ['', '?sensitive=masked'])
        expect((await changesets(service, role, query)).at(-1)).toMatchObject({ reason })
    const [first, second] = await changesets(service, 'support')
    expect(second).toMatchObject({ reasonMasked: true })
    expect(JSON.stringify([first, second])).not.toContain('canary')
    expect(first).not.toHaveProperty('reasonMasked')
    // Reading a reason records no event.
    expect((await service.call('admin', 'GET', '/events')).body).toHaveLength(2)
  })

  test('is sealed, in no event, and gone with its user', async () => {
    const user = await service.create('admin', '/users', { name: 'Ana' }, because)
    const kept = async () =>
      (
        await sql<{ text: string }>`
          select r::text as text from reasons r union all select c::text from changesets c
          union all select e::text from events e union all select i::text from event_inbox i
          union all select k::text from idempotency_keys k`.execute(service.database.sql)
      ).rows.map(({ text }) => text)
    expect((await kept()).join()).not.toContain('canary')
    expect((await sql`select 1 from reasons`.execute(service.database.sql)).rows).toHaveLength(1)
    expect((await service.call('admin', 'DELETE', `/users/${user}`)).status).toBe(204)
    expect((await sql`select 1 from reasons`.execute(service.database.sql)).rows).toEqual([])
  })

  test.each(['', '%20', '%', '%ff', '%00', 'a'.repeat(501), 'Zoë'])(
    'that reads %j is refused, and nothing is changed',
    async (header) => {
      const user = await service.create('admin', '/users', { name: 'Ana' })
      const answer = await service.call(
        'admin',
        'PATCH',
        `/users/${user}`,
        { name: 'Eva' },
        { 'change-reason': header },
      )
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_change_reason' } })
      expect((await service.call('admin', 'GET', `/users/${user}`)).body).toMatchObject({ name: 'Ana' })
    },
  )

  test('is part of the write that an Idempotency-Key names', async () => {
    const user = await service.create('admin', '/users', { name: 'Ana' })
    const send = (headers: Record<string, string>) =>
      service.call(
        'admin',
        'PATCH',
        `/users/${user}`,
        { name: 'Eva' },
        { 'idempotency-key': 'k', ...headers },
      )
    expect((await send(because)).status).toBe(303)
    expect((await send(because)).headers.get('idempotency-replayed')).toBe('true')
    for (const other of [{}, { 'change-reason': 'another' }])
      expect(await send(other)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
  })
})

describe('a service that wants reasons', () => {
  test('says so', () => {
    expect(strict.features).toMatchObject({ 'changes.reason': 1, 'changes.reason.required': 1 })
    expect(service.features).not.toHaveProperty('changes.reason.required')
  })

  test.each(writes)('refuses %s without one', async (_name, write) => {
    const [method, path, body] = write(await prepare(strict))
    const before = await changesets(strict)
    const refused = await strict.call('admin', method, path, body)
    expect(refused).toMatchObject({ status: 422, body: { code: 'reason_required' } })
    expect(await changesets(strict)).toEqual(before)
    expect([201, 204, 303]).toContain((await strict.call('admin', method, path, body, because)).status)
  })

  test('takes a new user without one, and not what that adds to a user who is there', async () => {
    const body = { email: 'ana@example.org', properties }
    expect(idOf(await strict.call('admin', 'POST', '/users', body))).not.toBe('')
    const more = { ...body, properties: [{ key: 'plate', type: 'TEXT', value: 'B 2' }] }
    const refused = await strict.call('admin', 'POST', '/users', more)
    expect(refused).toMatchObject({ status: 422, body: { code: 'reason_required' } })
    // Resending stored values changes nothing, so no reason is required.
    expect((await strict.call('admin', 'POST', '/users', body)).status).toBe(303)
  })

  test('wants one for a sealed value that is given, be it the stored one or not', async () => {
    const sealed = (value: string) => [{ key: 'plate', type: 'TEXT', value, sensitive: true }]
    const user = await strict.create('admin', '/users', { ref: 'R-1', properties: sealed('B 1') }, because)
    const [entity] = (await strict.call('admin', 'GET', `/users/${user}/entities`)).body as { id: string }[]
    const at = `/users/${user}/entities/${entity?.id}`
    const mayWrite = ['users:write', 'entities:read', 'entities:write', 'sensitive:write'].join(' ')
    const authorization = `Bearer ${await strict.sign({ sub: 'guesser', scope: mayWrite })}`
    const nobody = undefined
    const send = (method: string, path: string, body: object, headers = {}) =>
      strict.call(nobody, method, path, body, { authorization, ...headers })
    for (const value of ['B 1', 'B 2'])
      for (const [method, path, body] of [
        ['PATCH', at, { properties: [{ key: 'plate', value }] }],
        ['PUT', at, { type: 'person', properties: sealed(value) }],
        ['POST', '/users', { ref: 'R-1', properties: [{ key: 'plate', type: 'TEXT', value }] }],
      ] as const)
        expect([value, method, await send(method, path, body)]).toMatchObject([
          value,
          method,
          { status: 422, body: { code: 'reason_required' } },
        ])
    // A masked value sent back as it was read is not compared with the stored one.
    const hidden = {
      type: 'person',
      properties: [{ key: 'plate', type: 'TEXT', sensitive: true, masked: true }],
    }
    expect((await send('PUT', at, hidden)).status).toBe(204)
    expect((await send('PATCH', at, { properties: [{ key: 'plate', value: 'B 1' }] }, because)).status).toBe(
      204,
    )
  })

  test('deletes a user with a reference alone, in which a reason is no substitute', async () => {
    const { user } = await prepare(strict)
    const answerTo = (headers: Readonly<Record<string, string>> = {}) =>
      strict.call('admin', 'DELETE', `/users/${user}`, undefined, headers)
    for (const headers of [{}, { 'deletion-reference': '' }, { 'deletion-reference': '%20%E2%80%8B' }])
      expect(await answerTo(headers)).toMatchObject({ status: 422, body: { code: 'reference_required' } })
    expect(await answerTo(because)).toMatchObject({ status: 400, body: { code: 'invalid_change_reason' } })
    expect((await strict.call('admin', 'GET', `/users/${user}`)).status).toBe(200)
    expect((await answerTo({ 'deletion-reference': 'T-1' })).status).toBe(204)
  })
})
