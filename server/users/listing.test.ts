import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { UserSearchResult } from '#contract/index.ts'
import { conditionOf } from '../segments/conditions.ts'
import { readFilter } from '../segments/facts.ts'
import { isDistributed } from '../store/distributed.ts'
import { testService } from '../testing/hooks.ts'
import { listPage, memberPage } from './listing.ts'

const service = testService()
beforeEach(() => service.reset())
afterEach(() => vi.restoreAllMocks())

const nobody = undefined

const create = (body: object) => service.create('steward', '/users', body)

async function list(body: object): Promise<UserSearchResult> {
  const answer = await service.call('support', 'POST', '/users/search', body)
  expect(answer.status).toBe(200)
  return answer.body
}

/** Reads all pages of a list. */
async function pages(body: object): Promise<UserSearchResult[]> {
  const all = [await list(body)]
  for (let next = all[0]?.next; next; next = all.at(-1)?.next) all.push(await list({ ...body, offset: next }))
  return all
}

const idsOf = (shown: readonly UserSearchResult[]) => shown.flatMap(({ users }) => users.map(({ id }) => id))
const namesOf = ({ users }: UserSearchResult) => users.map(({ name }) => name)

/** Searches with a token that has only these scopes. */
async function withScopes(scope: string, body: object) {
  const headers = { authorization: `Bearer ${await service.sign({ scope })}` }
  return await service.call(nobody, 'POST', '/users/search', body, headers)
}

const person = (key: string, type: string, value: unknown) => ({
  entity: 'person',
  where: [{ key, type, op: 'eq', value }],
})

describe('a filter that nobody saved', () => {
  test('lists those who match, as the segment of the same filter does', async () => {
    for (let n = 0; n < 60; n++)
      await create({ name: `Ana ${n}`, properties: [{ key: 'vip', type: 'BOOLEAN', value: n % 2 === 0 }] })
    const filter = { all: [person('vip', 'BOOLEAN', true), { user: 'name', op: 'ne', value: 'Ana 0' }] }
    const segment = await service.create('admin', '/segments', { name: 'Some', filter })
    const saved = await service.call('support', 'GET', `/users?segment=${segment}`)
    // On a busy machine the page may show a cached count, with its time.
    const { counted: _, ...page } = saved.body as UserSearchResult
    expect(page).toMatchObject({ total: 29, next: '' })
    expect(await list({ filter })).toMatchObject(page)
    expect(await list({ segment })).toMatchObject(page)
    const both = await list({ segment, filter: { user: 'name', op: 'ends_with', value: '8' } })
    expect(both.total).toBe(6)
    expect(namesOf(both)).toEqual(['Ana 8', 'Ana 18', 'Ana 28', 'Ana 38', 'Ana 48', 'Ana 58'])
  })

  test('tells no kept count of sensitive values that nobody has any more', async () => {
    for (let n = 0; n < 60; n++) await create({})
    const holder = await create({
      properties: [{ key: 'iban', type: 'TEXT', value: 'DE02', sensitive: true }],
    })
    const filter = { not: person('iban', 'TEXT', 'DE02') }
    const segment = await service.create('admin', '/segments', { name: 'Others', filter })
    // Only slow counts are shown again from the cache, so the clock makes all counts look slow.
    const now = performance.now.bind(performance)
    let later = 0
    vi.spyOn(performance, 'now').mockImplementation(() => now() + (later += 25))
    const totals = async (role: 'admin' | 'support') =>
      await Promise.all(
        [
          service.call(role, 'GET', `/users?segment=${segment}`),
          service.call(role, 'POST', '/users/search', { segment }),
          service.call(role, 'POST', '/users/search', { filter }),
        ].map(async (answer) => (await answer).body as UserSearchResult),
      )
    expect((await totals('admin')).map(({ total }) => total)).toEqual([60, 60, 60])
    const { body } = await service.call('admin', 'GET', `/users/${holder}/entities`)
    await service.call('admin', 'DELETE', `/users/${holder}/entities/${(body as { id: string }[])[0]?.id}`)
    expect((await totals('admin')).map(({ total }) => total)).toEqual([60, 60, 60])
    const seen = await totals('support')
    expect(seen.map(({ total, counted }) => [total, counted])).toEqual(
      Array.from({ length: 3 }, () => [61, undefined]),
    )
  })

  test('has its days begin in its zone', async () => {
    await create({ name: 'Ana', since: '2024-03-01T23:30:00' })
    const filter = { user: 'since', op: 'on', value: '2024-03-02' }
    expect((await list({ filter })).total).toBe(0)
    expect((await list({ filter, tz: 'Europe/Berlin' })).total).toBe(1)
  })

  test('narrows a search by text', async () => {
    const vip = [{ key: 'vip', type: 'BOOLEAN', value: true }]
    await create({ name: 'Ana Lopez', properties: vip })
    await create({ name: 'Ana Ruiz' })
    await create({ name: 'Ben', properties: vip })
    const filter = person('vip', 'BOOLEAN', true)
    expect(namesOf(await list({ q: 'ana', filter }))).toEqual(['Ana Lopez'])
    const segment = await service.create('admin', '/segments', { name: 'Vip', filter })
    const other = { user: 'name', op: 'contains', value: 'ruiz' }
    expect(namesOf(await list({ q: 'ana', filter: other, segment }))).toEqual([])
  })

  test('needs to read what it looks at', async () => {
    await create({ properties: [{ key: 'salary', type: 'NUMBER', sensitive: true, value: 5 }] })
    const salary = person('salary', 'NUMBER', 5)
    const named = { user: 'name', op: 'exists' }
    expect((await withScopes('users:read', { filter: named })).status).toBe(200)
    const refused = await withScopes('users:read', { filter: { not: person('vip', 'BOOLEAN', true) } })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toContain('entities:read')
    const segment = await service.create('admin', '/segments', { name: 'Paid', filter: salary })
    for (const body of [{ filter: salary }, { filter: named, segment }, { filter: { segment } }]) {
      const answer = await service.call('support', 'POST', '/users/search', body)
      expect(answer.status).toBe(403)
      expect(answer.headers.get('www-authenticate')).toContain('sensitive:read')
      const read = await service.call('steward', 'POST', '/users/search', body)
      expect(read.status).toBe(200)
    }
  })

  test.each([
    ['/filter/all/0/op', { filter: { all: [{ user: 'name', op: 'lt', value: 'x' }] } }],
    ['/filter/segment', { filter: { segment: '01900000-0000-7000-8000-000000000000' } }],
    ['/tz', { filter: { all: [] }, tz: '+02:00' }],
    ['/sort', { sort: 'ref' }],
    ['/sort', { q: 'ana', sort: 'name' }],
    ['/columns/0', { columns: ['plate'] }],
    ['/columns/0', { columns: ['Car.plate'] }],
    ['/columns', { columns: Array.from({ length: 21 }, (_, n) => `car.key${n}`) }],
  ])('is refused at %s: %j', async (pointer, body) => {
    const answer = await service.call('steward', 'POST', '/users/search', body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ errors: [{ pointer }] })
  })

  test('with a segment that does not exist is a 404', async () => {
    const segment = '01900000-0000-7000-8000-000000000000'
    for (const body of [{ segment }, { segment, filter: { all: [] } }])
      expect((await service.call('steward', 'POST', '/users/search', body)).status).toBe(404)
  })
})

describe('an order', () => {
  const name = (n: number) => ['Émile', 'emil', 'Zoë', '!', '???'][n % 5] ?? ''
  async function many() {
    for (let n = 0; n < 130; n++)
      await create({
        ...(n % 3 !== 0 && { name: name(n) }),
        ...(n % 4 !== 0 && { email: `${'cab'[n % 3]}${n}@example.org` }),
        since: `2020-01-0${1 + (n % 7)}T00:00:00`,
      })
  }

  test.each(['name', 'email', 'since', 'created'])(
    'by %s shows everybody once, those without it last, and backwards the other way round',
    async (field) => {
      await many()
      const up = await pages({ sort: field })
      const down = await pages({ sort: `-${field}` })
      expect(up.map(({ total }) => total)).toEqual([130, 130, 130])
      const [ids, back] = [idsOf(up), idsOf(down)]
      expect(new Set(ids).size).toBe(130)
      const values = up.flatMap(({ users }) => users).map((user) => user[field])
      const missing = values.filter((value) => String(value).startsWith('Unknown')).length
      expect(missing).toBe(field === 'name' ? 44 : field === 'email' ? 33 : 0)
      expect(values.slice(130 - missing).every((value) => String(value).startsWith('Unknown'))).toBe(true)
      // Descending order reverses users with a value and users without one, each group by itself.
      const turned = (all: typeof ids) => [
        ...all.slice(0, 130 - missing).toReversed(),
        ...all.slice(130 - missing).toReversed(),
      ]
      expect(back).toEqual(turned(ids))
      if (field !== 'name') {
        const known = values.slice(0, 130 - missing) as string[]
        expect(known).toEqual(known.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)))
      }
    },
  )

  test('by name ignores accents and case', async () => {
    for (const each of ['Zoë', 'éa', 'Eb', 'EC', 'ed', '—']) await create({ name: each })
    expect(namesOf(await list({ sort: 'name' }))).toEqual(['—', 'éa', 'Eb', 'EC', 'ed', 'Zoë'])
    expect(namesOf(await list({ sort: '-name' }))).toEqual(['Zoë', 'ed', 'EC', 'Eb', 'éa', '—'])
  })

  test('sorts the users who match a filter, few or many', async () => {
    await many()
    const withEmail = { user: 'email', op: 'exists' }
    const segment = await service.create('admin', '/segments', { name: 'Reached', filter: withEmail })
    for (const filter of [
      withEmail,
      { all: [{ segment }, { not: { entity: 'car' } }] },
      { not: { entity: 'car' } },
      { user: 'email', op: 'eq', value: 'b5@example.org' },
      {
        all: [
          { user: 'name', op: 'missing' },
          { user: 'since', op: 'after', value: '2020-01-03' },
        ],
      },
    ])
      for (const sort of ['name', '-email', 'since']) {
        const expected = idsOf(await pages({ filter }))
        const shown = await pages({ filter, sort })
        expect(idsOf(shown).toSorted()).toEqual(expected.toSorted())
        expect(shown[0]?.total).toBe(expected.length)
        const all = idsOf(await pages({ sort }))
        expect(idsOf(shown)).toEqual(all.filter((id) => expected.includes(id)))
      }
  })

  async function veryMany() {
    await service.database.pool.query(`
      insert into users (id, name, name_key, created, since)
      select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Name ' || n, 'name ' || n, now(), now()
      from generate_series(1001, 4000) n`)
    await service.database.pool.query(
      'insert into user_terms (user_id, name, term) select id, true, name_key from users',
    )
  }

  test('finds the few who match among very many', async () => {
    await veryMany()
    const filter = { user: 'name', op: 'in', value: ['Name 3999', 'Name 1030', 'Name 2005'] }
    expect(namesOf(await list({ filter, sort: '-name' }))).toEqual(['Name 3999', 'Name 2005', 'Name 1030'])
  })

  test('finds the set at once of those who are known to be few', async () => {
    await veryMany()
    const filter = { user: 'name', op: 'eq', value: 'Name 3999' } as const
    const condition = conditionOf(readFilter({ filter, tz: null }), service.database)
    const within = vi.spyOn(service.database, 'within')
    const asked = { filter, sort: 'name', match: 'prefix' } as const
    const page = (known?: number) =>
      listPage(service.database, service.database.keys.secrets.search, asked, condition, known)
    expect((await page(1)).json).toContain('Name 3999')
    expect(within).not.toHaveBeenCalled()
    expect((await page()).json).toContain('Name 3999')
    // A distributed store finds the set at once, without a time limit.
    expect(within).toHaveBeenCalledTimes(isDistributed(service.database.sql) ? 0 : 1)
  })

  test.each(['soon', 'not soon'])(
    'finds matches that are all late in the order, where their set is found %s',
    async (when) => {
      await veryMany()
      if (when === 'not soon') vi.spyOn(service.database, 'within').mockResolvedValue(undefined)
      const names = Array.from({ length: 60 }, (_, n) => `Name ${3900 + n}`)
      const filter = { user: 'name', op: 'in', value: names } as const
      const shown = await pages({ filter, sort: 'name' })
      expect(shown.flatMap(namesOf)).toEqual(names)
      expect((await pages({ filter, sort: '-name' })).flatMap(namesOf)).toEqual(names.toReversed())
      const condition = conditionOf(readFilter({ filter, tz: null }), service.database)
      const page = (after?: string) => memberPage(service.database, condition, { after, known: undefined })
      const first = await page()
      const second = await page(first.last)
      const members = [first, second].flatMap(({ json }) => JSON.parse(json) as { name: string }[])
      expect(members.map((member) => member.name)).toEqual(names)
      expect([first.more, second.more]).toEqual([true, false])
    },
  )

  test('has offsets of its own, which hold no name', async () => {
    for (let n = 0; n < 51; n++) await create({ name: `Anatolia ${n}` })
    const { next } = await list({ sort: 'name' })
    expect(Buffer.from(next ?? '', 'base64url').toString('latin1')).not.toMatch(/anatol/i)
    for (const body of [{ sort: '-name' }, { sort: 'email' }, { sort: 'name', filter: { all: [] } }]) {
      const answer = await service.call('support', 'POST', '/users/search', { ...body, offset: next })
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ code: 'invalid_offset' })
    }
    // The columns are not part of the list's identity, so the offset stays valid.
    expect((await list({ sort: 'name', columns: ['person.vip'], offset: next })).numberOfRecords).toBe(1)
  })
})

describe('columns', () => {
  test('come with each user, masked, without a word in the log', async () => {
    const ana = await create({
      name: 'Ana',
      properties: [
        { key: 'phone', type: 'TEXT', sensitive: true, value: '+33 6 12 34' },
        { key: 'a.b', type: 'TEXT', value: 'x'.repeat(201) },
      ],
    })
    await create({ name: 'Ben' })
    for (const plate of ['AB-1', null, 'CD-2'])
      await service.create('steward', `/users/${ana}/entities`, {
        type: 'car',
        properties: [{ key: 'plate', type: 'TEXT', value: plate }],
      })
    await service.create('steward', `/users/${ana}/entities`, { type: 'car' })
    const columns = ['car.plate', 'person.phone', 'person.a.b', 'car.plate']
    for (const body of [{ columns }, { q: 'ana', columns }]) {
      const answer = await service.call('steward', 'POST', '/users/search', body)
      const [first] = (answer.body as UserSearchResult).users
      const told = { id: expect.any(String), type: 'TEXT', sensitive: false }
      expect(first).toMatchObject({ name: 'Ana' })
      expect(first).not.toHaveProperty('ref')
      expect(first?.columns).toEqual({
        'car.plate': [
          { ...told, key: 'plate', value: 'AB-1' },
          { ...told, key: 'plate', value: null },
          { ...told, key: 'plate', value: 'CD-2' },
        ],
        'person.phone': [{ ...told, key: 'phone', sensitive: true, masked: true }],
        'person.a.b': [{ ...told, key: 'a.b', value: 'x'.repeat(200), cut: true }],
      })
    }
    const { users } = await list({ columns })
    expect(users[1]?.columns).toEqual({ 'car.plate': [], 'person.phone': [], 'person.a.b': [] })
    const log = await service.call('steward', 'GET', '/events')
    expect(JSON.stringify(log.body)).not.toContain('ACCESSED')
  })

  test('show the first ten of a user who has many', async () => {
    const ana = await create({ name: 'Ana' })
    for (let n = 0; n < 12; n++)
      await service.create('steward', `/users/${ana}/entities`, {
        type: 'car',
        properties: [{ key: 'number', type: 'NUMBER', value: n }],
      })
    const [user] = (await list({ columns: ['car.number'] })).users
    expect(user?.columns?.['car.number']?.map(({ value }) => value)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('need entities:read', async () => {
    expect((await withScopes('users:read', { columns: ['car.plate'] })).status).toBe(403)
    expect((await withScopes('users:read entities:read', { columns: ['car.plate'] })).status).toBe(200)
  })
})

describe('looking up', () => {
  test('tells who somebody is, in the order asked', async () => {
    const ana = await create({ name: 'Ana', email: 'ana@example.org' })
    const ben = await create({})
    const gone = '01900000-0000-7000-8000-000000000000'
    const answer = await service.call('support', 'POST', '/users/lookup', { ids: [ben, gone, 'x', ana] })
    expect(answer.body).toEqual([
      { id: ben, name: 'Unknown user', email: 'Unknown email' },
      { id: ana, name: 'Ana', email: 'ana@example.org' },
    ])
    expect((await service.call('integrator', 'POST', '/users/lookup', { ids: [ana] })).status).toBe(403)
    expect((await service.call(nobody, 'POST', '/users/lookup', { ids: [ana] })).status).toBe(401)
    for (const ids of [[], Array.from({ length: 201 }, () => ana)])
      expect((await service.call('support', 'POST', '/users/lookup', { ids })).status).toBe(422)
  })

  test('returns the values of columns, masked, to callers who may read entities', async () => {
    const ana = await create({ name: 'Ana', properties: [{ key: 'city', type: 'TEXT', value: 'Jena' }] })
    const ben = await create({ properties: [{ key: 'city', type: 'TEXT', sensitive: true, value: 'Ulm' }] })
    const body = { ids: [ben, ana], columns: ['person.city', 'car.plate'] }
    const told = { id: expect.any(String), key: 'city', type: 'TEXT' }
    expect((await service.call('support', 'POST', '/users/lookup', body)).body).toEqual([
      {
        id: ben,
        name: 'Unknown user',
        email: 'Unknown email',
        columns: { 'car.plate': [], 'person.city': [{ ...told, sensitive: true, masked: true }] },
      },
      {
        id: ana,
        name: 'Ana',
        email: 'Unknown email',
        columns: { 'car.plate': [], 'person.city': [{ ...told, sensitive: false, value: 'Jena' }] },
      },
    ])
    const asked = async (scope: string) => {
      const headers = { authorization: `Bearer ${await service.sign({ scope })}` }
      return (await service.call(nobody, 'POST', '/users/lookup', body, headers)).status
    }
    expect(await asked('users:read')).toBe(403)
    expect(await asked('users:read entities:read')).toBe(200)
    const many = { ...body, ids: Array.from({ length: 51 }, () => ana) }
    expect(await service.call('support', 'POST', '/users/lookup', many)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/ids' }] },
    })
    expect((await service.call('support', 'POST', '/users/lookup', { ids: many.ids })).status).toBe(200)
  })
})
