import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import type { EntityTest, Filter, Membership, Role, UserList } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startTestService } from '../testing/service.ts'

const service = testService()
beforeEach(() => service.reset())

const nobody = '01900000-0000-7000-8000-000000000000'

async function create(path: string, body: object): Promise<string> {
  return await service.create('admin', path, body)
}

const segment = (name: string, filter: Filter, more: object = {}) =>
  create('/segments', { name, filter, ...more })

async function userWith(fields: object, entities: Record<string, object[][]> = {}): Promise<string> {
  const user = await create('/users', fields)
  for (const [type, each] of Object.entries(entities))
    for (const properties of each) await create(`/users/${user}/entities`, { type, properties })
  return user
}

const memberships = async (user: string, role: Role = 'steward'): Promise<Membership[]> => {
  const { status, body } = await service.call(role, 'GET', `/users/${user}/segments`)
  expect(status).toBe(200)
  return body
}

const byName = (list: readonly Membership[]) =>
  Object.fromEntries(list.map(({ name, member }) => [name, member]))

const brand = (value: string) =>
  ({ entity: 'car', where: [{ key: 'brand', type: 'TEXT', op: 'eq', value }] }) as const satisfies Filter
const iban: EntityTest = { entity: 'person', where: [{ key: 'iban', type: 'TEXT', op: 'exists' }] }

describe("a user's segments", () => {
  test('are all segments, oldest first, and say of each what the list of its users says', async () => {
    const volvo = [{ key: 'brand', type: 'TEXT', value: 'VOLVO' }]
    const saab = [{ key: 'brand', type: 'TEXT', value: 'Saab' }]
    const people = [
      await userWith({ name: 'Ana', email: 'ana@example.org' }, { car: [volvo, saab] }),
      await userWith({ name: 'Bo' }, { car: [volvo, volvo] }),
      await userWith({ name: 'Cleo' }),
    ]
    const used = await segment('Volvo', brand('volvo'))
    await segment('Everyone', { all: [] })
    await segment('Nobody', { any: [] })
    await segment('Two cars', { entity: 'car', min: 2 })
    await segment('Two of a kind', { ...brand('volvo'), min: 2 })
    await segment('No Volvo', { not: { segment: used } })
    await segment('Volvo and an address', { all: [{ segment: used }, { user: 'email', op: 'exists' }] })
    await segment('No car at all', { not: { entity: 'car' } })
    await segment('New', { user: 'created', op: 'within_last', value: 'P1D' }, { tz: 'Asia/Tokyo' })
    // Segments are evaluated 50 at a time.
    for (let n = 0; n < 50; n++)
      await segment(`Called ${n}`, { user: 'name', op: 'eq', value: n % 2 ? 'ana' : 'x' })

    const segments: { id: string; name: string }[] = (await service.call('admin', 'GET', '/segments')).body
    for (const user of people) {
      const answer = await memberships(user)
      expect(answer.map(({ id, name }) => ({ id, name }))).toEqual(
        segments.map(({ id, name }) => ({ id, name })),
      )
      for (const { id, name, member } of answer) {
        const { body }: { body: UserList } = await service.call('admin', 'GET', `/users?segment=${id}`)
        expect({ name, member }).toEqual({ name, member: body.users.some((each) => each.id === user) })
      }
    }
    expect(byName(await memberships(people[0] ?? ''))).toMatchObject({
      Volvo: true,
      Everyone: true,
      Nobody: false,
      'Two cars': true,
      'Two of a kind': false,
      'No Volvo': false,
      'Called 1': true,
      'Called 2': false,
      'Called 23': true,
    })
  })

  test('are an empty list where there is none, of a user that exists', async () => {
    expect(await memberships(await userWith({}))).toEqual([])
    for (const id of [nobody, 'x', '%00'])
      expect(await service.call('admin', 'GET', `/users/${id}/segments`)).toMatchObject({
        status: 404,
        body: { code: 'user_not_found' },
      })
  })

  test('stay open where the answer would tell a sensitive value that the caller may not read', async () => {
    const ana = await userWith(
      { name: 'Ana' },
      { person: [[{ key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02' }]] },
    )
    const bo = await userWith({ name: 'Bo' })
    const direct = await segment('Direct', iban)
    const through = await segment('Through', { not: { segment: direct } })
    await segment('Twice through', {
      any: [{ segment: through }, { user: 'name', op: 'eq', value: 'nobody' }],
    })
    await segment('Volvo', brand('volvo'))
    // No car has a sensitive iban.
    await segment('Of cars', { ...iban, entity: 'car' })
    const withheld = { Direct: null, Through: null, 'Twice through': null, Volvo: false, 'Of cars': false }
    expect(byName(await memberships(ana, 'support'))).toEqual(withheld)
    expect(byName(await memberships(bo, 'support'))).toEqual(withheld)
    expect(byName(await memberships(ana))).toMatchObject({
      Direct: true,
      Through: false,
      'Twice through': false,
    })
    await service.call('admin', 'DELETE', `/users/${ana}`)
    expect(byName(await memberships(bo, 'support'))).toMatchObject({ Direct: false, Through: true })
  })

  test('answer the others where one cannot be evaluated', async () => {
    const user = await userWith({ name: 'Ana' })
    await segment('First', { all: [] })
    const broken: [string, unknown, string | null][] = [
      ['No filter', null, null],
      ['No such operator', { user: 'email', op: 'resembles', value: 'x' }, null],
      ['No such zone', { user: 'created', op: 'anniversary_within', value: 'P1D' }, 'Nowhere/Land'],
      ['No truth value', { user: 'account', op: 'eq', value: 'perhaps' }, null],
      ['No time', { user: 'created', op: 'before', value: 'yesterday' }, null],
    ]
    for (const [name, filter, tz] of broken)
      await sql`insert into segments (id, name, filter, tz, created, updated) values (
        ${(await segment(name, { all: [] })).replace(/^.{8}/, 'ffffffff')}, ${name}, ${JSON.stringify(filter)}::jsonb,
        ${tz}, now(), now())`.execute(service.database.sql)
    await segment('Last', { user: 'name', op: 'eq', value: 'ANA' })
    for (const role of ['steward', 'support'] as const) {
      const list = await memberships(user, role)
      const found = list.filter(({ id }) => id.startsWith('ffffffff'))
      expect(byName(found)).toEqual(Object.fromEntries(broken.map(([name]) => [name, null])))
      expect(list.filter(({ member }) => member === true)).toHaveLength(list.length - found.length)
    }
  })

  test('need users:read and segments:read', async () => {
    const user = await userWith({})
    for (const [scope, missing] of [
      ['users:read', 'segments:read'],
      ['segments:read', 'users:read'],
    ]) {
      const token = await service.sign({ sub: 'script', scope })
      const answer = await service.fetch(`${service.baseUrl}/users/${user}/segments`, {
        headers: { authorization: `Bearer ${token}` },
      })
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ scope: missing })
    }
  })

  test('asked while users and segments come and go are answered, or the user is gone', async () => {
    const statuses = new Set<number>()
    for (let round = 0; round < 8; round++) {
      const user = await userWith({}, { car: [[]] })
      const used = await segment('Volvo', brand('volvo'))
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => service.call('support', 'GET', `/users/${user}/segments`)),
        service.call('admin', 'POST', '/segments', { name: 'B', filter: { not: { segment: used } } }),
        service.call('admin', 'DELETE', `/segments/${used}`),
        service.call('admin', 'DELETE', `/users/${user}`),
        ...Array.from({ length: 4 }, () => service.call('support', 'GET', `/users/${user}/segments`)),
      ])
      for (const { status } of [...answers.slice(0, 4), ...answers.slice(7)]) statuses.add(status)
    }
    expect([200, 404]).toEqual(expect.arrayContaining([...statuses]))
  })
})

test('the bare document does not answer them', async () => {
  const bare = await startTestService({ additions: 'none' })
  expect(await bare.call('admin', 'GET', `/users/${nobody}/segments`)).toMatchObject({
    status: 404,
    body: { code: 'unknown_address' },
  })
  await bare.close()
})
