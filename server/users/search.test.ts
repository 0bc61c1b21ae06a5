import fc from 'fast-check'
import type { PoolClient } from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { UserSearchResult } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { searchText, termsOf } from './terms.ts'

const service = testService()
beforeEach(() => service.reset())

async function create(body: object): Promise<string> {
  return await service.create('steward', '/users', body)
}

/** Creates users with these names, one after the other. */
async function createNamed(...names: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push(await create({ name }))
  return ids
}

async function find(body: object): Promise<UserSearchResult> {
  const answer = await service.call('support', 'POST', '/users/search', body)
  expect(answer.status).toBe(200)
  return answer.body
}

const namesOf = ({ users }: UserSearchResult) => users.map(({ name }) => name)
const findNames = async (body: object) => namesOf(await find(body))

/** Reads all pages of a search. Returns one result per page. */
async function pages(body: object, between = async () => {}): Promise<UserSearchResult[]> {
  const all = [await find(body)]
  for (let next = all[0]?.next; next; next = all.at(-1)?.next) {
    await between()
    all.push(await find({ ...body, offset: next }))
  }
  return all
}

async function segment(filter: object): Promise<string> {
  return await service.create('admin', '/segments', { name: 'Some', filter })
}

/** Counts the texts in list parameters of the queries that `work` sends. */
async function texts(work: () => Promise<unknown>): Promise<number> {
  let count = 0
  const { pool } = service.database
  const listened = new Set<PoolClient>()
  const listen = (client: PoolClient) => {
    if (listened.has(client)) return
    listened.add(client)
    const query = client.query.bind(client)
    vi.spyOn(client, 'query').mockImplementation((...given: unknown[]) => {
      const lists = given.filter(Array.isArray).flat().filter(Array.isArray)
      count += lists.reduce((sum, list) => sum + list.length, 0)
      return (query as (...all: unknown[]) => unknown)(...given)
    })
  }
  pool.on('acquire', listen)
  await work()
  pool.off('acquire', listen)
  vi.restoreAllMocks()
  return count
}

describe('a text', () => {
  test('finds the beginnings of words in name, e-mail and ref, in the envelope of the list', async () => {
    const id = await create({ name: 'Ana Maria Lopez', email: 'amlopez@example.org', ref: 'C-1042' })
    await create({ name: 'Ben', email: 'ben@other.example', ref: 'C-77' })
    for (const q of ['ana', 'maria lop', 'LOPEZ', 'amlo', 'example.org', '1042', 'C-10', 'c 1042'])
      expect(await find({ q })).toEqual({
        total: 1,
        numberOfRecords: 1,
        offset: '',
        next: '',
        users: [expect.objectContaining({ id, name: 'Ana Maria Lopez', ref: 'C-1042', account: false })],
      })
    expect((await find({ q: 'nobody' })).users).toEqual([])
    expect((await find({ q: 'pez' })).users).toEqual([])
    expect((await find({ q: 'ana' })).users[0]).not.toHaveProperty('invite_url')
  })

  test.each([
    ['Łukasz Żółty', 'lukasz zolty'],
    ['Lukasz Zolty', 'ŁUKASZ ŻÓŁTY'],
    ['Jürgen Weiß', 'jurgen weiss'],
    ['İnci Işık', 'inci isik'],
    ['Μαρία Παππάς', 'ΜΑΡΙΑ ΠΑΠΠΑ'],
    ['Андрій Шевченко', 'андрии'],
    ['Zoë', 'zoe\u0308'],
    ['Ｍａｒｃ', 'marc'],
    ['O’Brien', "o'brien"],
    ['O’Brien', 'obrien'],
    ['O’Brien', 'brien'],
    ['Anna-Maria', 'anna maria'],
    ['Anna Maria', 'anna-m'],
    ['بُشْرَى', 'بشرى'],
    ['山田花子', '山田'],
    ['김철수', '김철'],
    ['김철수', '철수'],
    ['김 철수', '김철수'],
    ['山田花子', '花子'],
    ['山田花子', '田花'],
    ['山田花子', '山田 花子'],
    ['山田花子', '花子 山田'],
    ['山田 花子', '山田花子'],
    ['山田　花子', '田花子'],
    ['佐々木ゆうじ', '木ゆう'],
    ['タナカ・ケン', 'ナカ'],
    ['ﾀﾅｶｹﾞﾝ', 'ゲン'],
    ['东京物流有限公司', '物流'],
    ['Zhang 伟明', '明'],
    ['สมชาย ใจดี', 'ชาย'],
    ['สมชาย ใจดี', 'สมชายใจดี'],
    ['ສົມພອນ', 'ພອນ'],
    ['အောင်ဆန်း', 'ဆန်း'],
    ['\u{1f600} Smile', '\u{1f600}'],
  ])('finds %s by %s', async (name, q) => {
    await createNamed(name, 'Somebody Else')
    expect(await findNames({ q })).toEqual([name])
  })

  test('puts whole words first, then longer ones in the order of their letters; a user once', async () => {
    await createNamed('Anabel', 'Ana', 'Ana Zoe', 'Peter Ana', 'Ana Anders Ana', 'Ánna')
    expect(await findNames({ q: 'ana' })).toEqual(['Ana', 'Ana Anders Ana', 'Peter Ana', 'Ana Zoe', 'Anabel'])
  })

  test('finds the family name first, and words in any order, over several fields, after that', async () => {
    await createNamed('Ana Maria Lopez', 'Lopez Ana', 'Ana Lopez', 'Ana Peters', 'Ben Lopez')
    await create({ name: 'Ana Ruiz', email: 'lopez@example.org' })
    for (const q of ['ana lopez', 'lopez ana', 'Lopez, Ana']) {
      const result = await find({ q })
      expect(namesOf(result).slice(0, 2)).toEqual(expect.arrayContaining(['Ana Lopez', 'Lopez Ana']))
      expect(namesOf(result).slice(2)).toEqual(expect.arrayContaining(['Ana Maria Lopez', 'Ana Ruiz']))
      expect(result.total).toBe(4)
      expect(result).not.toHaveProperty('atLeast')
    }
    expect(await findNames({ q: 'lo an ru' })).toEqual(['Ana Ruiz'])
    expect(await findNames({ q: 'ana ana peters' })).toEqual(['Ana Peters'])
  })

  test('that is an id or its beginning finds that user first', async () => {
    const [id = '', other = ''] = await createNamed('Ana', 'Ben')
    const byRef = await create({ name: 'Carl', ref: id })
    for (const q of [id, id.toUpperCase(), id.replaceAll('-', ''), id.slice(0, 35)])
      expect((await find({ q })).users.map((user) => user.id)[0]).toBe(id)
    expect(await find({ q: id })).toMatchObject({ total: 2, users: [{ id }, { id: byRef }] })
    expect((await find({ q: id.slice(0, 8) })).users.map((user) => user.id)).toEqual([id, other, byRef])
    await create({ ref: '0190abcd' })
    for (const q of ['0190abcd-0000-7000-8000-000000000000', '0190abce'])
      expect(await find({ q })).toMatchObject({ total: 0, users: [] })
  })

  test('that matches in several ways shows everybody once over all pages', async () => {
    const ids = await createNamed(...Array.from({ length: 60 }, (_, n) => `Ana Lopez ${n}`))
    ids.push(...(await createNamed(...Array.from({ length: 70 }, (_, n) => `Ana ${n} Lopez Zed`))))
    const shown = await pages({ q: 'ana lopez' })
    // Users with the words in another order are counted only from the page where they begin.
    expect(shown.map(({ numberOfRecords, total, atLeast }) => [numberOfRecords, total, atLeast])).toEqual([
      [50, 60, true],
      [50, 130, undefined],
      [30, 130, undefined],
    ])
    const seen = shown.flatMap(({ users }) => users.map(({ id }) => id as string))
    expect(new Set(seen)).toEqual(new Set(ids))
    expect(seen).toHaveLength(130)
    expect(shown[1]?.offset).toBe(shown[0]?.next)
  })
})

describe('a slip of the pen', () => {
  beforeEach(async () => {
    await createNamed(
      'John Smith',
      'Johanna Schmidt',
      'Jane Miller',
      'Ольга Шевченко',
      'Γιώργος Παππάς',
      'Li Wei',
    )
    await create({ name: 'Ref Only', ref: 'C-1042', email: 'ref.only@gmail.com' })
  })

  test.each([
    ['jonh', ['John Smith']],
    ['jon', []],
    ['smiht', ['John Smith']],
    ['smitth', ['John Smith']],
    ['simth', ['John Smith']],
    ['smyth', ['John Smith']],
    ['jonh smiht', ['John Smith']],
    ['smiht john', ['John Smith']],
    ['scmidt', ['Johanna Schmidt']],
    ['joahnn', ['Johanna Schmidt']],
    ['gmial.com', ['Ref Only']],
    ['шевчнко', ['Ольга Шевченко']],
    ['παπαπς', ['Γιώργος Παππάς']],
    ['παπάς', ['Γιώργος Παππάς']],
    ['wie', []],
    ['1043', []],
    ['smxxh', []],
  ])('in %s finds %j', async (q, expected) => {
    const result = await find({ q })
    expect(namesOf(result)).toEqual(expected)
    expect(result.total).toBe(expected.length)
    expect(result.similar).toBe(expected.length > 0 ? true : undefined)
  })

  test('is not looked for where somebody is found as typed', async () => {
    await createNamed('Jonh Typo')
    const result = await find({ q: 'jonh' })
    expect(namesOf(result)).toEqual(['Jonh Typo'])
    expect(result).not.toHaveProperty('similar')
  })

  test('is looked for in three long words at once', async () => {
    await createNamed('Konstantina Wojciechowska Abernathy')
    expect(await findNames({ q: 'Konstantjna Wojciechovska Abernatyh' })).toEqual([
      'Konstantina Wojciechowska Abernathy',
    ])
  })

  test('is tried in a bounded number of spellings, however many words there are', async () => {
    await createNamed('Ana')
    const sent = await texts(() =>
      find({ q: 'aaaabbbb ccccdddd eeeeffff gggghhhh iiiijjjj kkkkllll mmmmnnnn' }),
    )
    expect(sent).toBeLessThan(2 * 2 * 2100)
    const mixed = await texts(() =>
      find({ q: `${'aбγ1'.repeat(7)} ${'bбγ1'.repeat(7)} ${'cбγ1'.repeat(7)}` }),
    )
    expect(mixed).toBeLessThan(2 * 2 * 2100)
  })

  test('is found beside one that very many have', async () => {
    await service.database.pool.query(`
      insert into users (id, created, since)
        select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), now()
        from generate_series(1, 10000) n`)
    await service.database.pool.query(`
      insert into user_terms (user_id, name, term) select id, false, 'mass' from users`)
    await createNamed('Moss Rare')
    expect(await findNames({ q: 'mess rare' })).toEqual(['Moss Rare'])
  })

  test('has pages as well, each marked as similar', async () => {
    await createNamed(...Array.from({ length: 60 }, (_, n) => `Katarzyna ${n}`))
    const shown = await pages({ q: 'katarzina' })
    expect(shown.map(({ numberOfRecords, similar, total }) => [numberOfRecords, similar, total])).toEqual([
      [50, true, 60],
      [10, true, 60],
    ])
    expect(new Set(shown.flatMap(namesOf)).size).toBe(60)
  })
})

describe('one field alone', () => {
  let ana: string
  beforeEach(async () => {
    ana = await create({ name: 'Ana López', email: 'Ana.Lopez@example.org', ref: 'C-1042' })
    await create({ name: 'Anabel Ana', email: 'anabel@example.org', ref: 'c-1042' })
    await create({ name: 'Lopez', email: 'ana-lopez@example.org', ref: 'X C-1042' })
  })

  test.each([
    [{ email: 'ANA' }, ['Lopez', 'Ana López', 'Anabel Ana']],
    [{ email: 'ana.lopez@example.org' }, ['Ana López']],
    [{ email: 'ana.l', match: 'exact' }, []],
    [{ email: ' ANA.lopez@EXAMPLE.org ', match: 'exact' }, ['Ana López']],
    [{ email: 'example' }, []],
    [{ name: 'ana' }, ['Ana López', 'Anabel Ana']],
    [{ name: 'ana lop' }, ['Ana López']],
    [{ name: 'lopez' }, ['Lopez']],
    [{ name: 'ana lopez', match: 'exact' }, ['Ana López']],
    [{ name: 'ana', match: 'exact' }, []],
    [{ name: '-' }, []],
    [{ ref: 'c-10' }, ['Ana López', 'Anabel Ana']],
    [{ ref: 'C-1042', match: 'exact' }, ['Ana López', 'Anabel Ana']],
    [{ ref: 'C-104', match: 'exact' }, []],
    [{ ref: '%' }, []],
  ])('%j finds %j', async (body, expected) => {
    const result = await find(body)
    expect(namesOf(result)).toEqual(expected)
    expect(result.total).toBe(expected.length)
  })

  test('the id, whole or its beginning', async () => {
    expect(await findNames({ id: ana, match: 'exact' })).toEqual(['Ana López'])
    expect(await findNames({ id: ana.toUpperCase() })).toEqual(['Ana López'])
    expect(await findNames({ id: ana.slice(0, 5) })).toEqual(['Ana López', 'Anabel Ana', 'Lopez'])
    expect(await findNames({ id: ana.slice(0, 5), match: 'exact' })).toEqual([])
    expect(await findNames({ id: 'ana' })).toEqual([])
  })

  test('has pages in its own order', async () => {
    await createNamed(...Array.from({ length: 120 }, (_, n) => `Zoe ${1000 + n}`))
    const shown = await pages({ name: 'zoe' })
    expect(shown.flatMap(namesOf)).toEqual(Array.from({ length: 120 }, (_, n) => `Zoe ${1000 + n}`))
    const ids = await pages({ id: ana.slice(0, 4) })
    expect(ids.flatMap(({ users }) => users)).toHaveLength(123)
  })
})

describe('within a segment', () => {
  test('only its members are found, misspelled too', async () => {
    await create({ name: 'Ana', properties: [{ key: 'vip', type: 'BOOLEAN', value: true }] })
    await create({ name: 'Anabel', properties: [{ key: 'vip', type: 'BOOLEAN', value: false }] })
    await create({ name: 'Anabela', ref: 'C-1' })
    const vip = await segment({
      entity: 'person',
      where: [{ key: 'vip', type: 'BOOLEAN', op: 'eq', value: true }],
    })
    const others = await segment({ not: { segment: vip } })
    const referenced = await segment({ user: 'ref', op: 'exists' })
    expect(await find({ q: 'ana', segment: vip })).toMatchObject({ total: 1, users: [{ name: 'Ana' }] })
    expect(await findNames({ q: 'ana', segment: others })).toEqual(['Anabel', 'Anabela'])
    expect(await findNames({ name: 'an', segment: referenced })).toEqual(['Anabela'])
    expect(await find({ q: 'anabl', segment: referenced })).toMatchObject({ similar: true, total: 1 })
  })

  test('a handful of members are found who come last of many who match', async () => {
    await service.database.pool.query(`
      insert into users (id, name, name_key, ref, ref_key, created, since)
        select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Ana ' || n, 'ana ' || n, n, n, now(), now()
        from generate_series(1000, 2300) n`)
    await service.database.pool.query(`
      insert into user_terms (user_id, name, term) select id, true, name_key from users`)
    const members = await segment({ user: 'ref', op: 'in', value: ['2299', '2300'] })
    expect(await find({ q: 'ana', segment: members })).toMatchObject({
      total: 2,
      users: [{ name: 'Ana 2299' }, { name: 'Ana 2300' }],
    })
  })

  test.each([
    ['few', { user: 'name', op: 'ends_with', value: '7' }, 130],
    ['many', { user: 'name', op: 'not_contains', value: '7' }, 972],
  ])('all pages show everybody once, for %s among many users who match', async (_what, filter, members) => {
    await service.database.pool.query(`
      insert into users (id, name, name_key, created, since)
        select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Ana ' || n, 'ana ' || n, now(), now()
        from generate_series(1, 1300) n`)
    await service.database.pool.query(`
      insert into user_terms (user_id, name, term) select id, true, name_key from users`)
    const shown = await pages({ q: 'ana', segment: await segment(filter) })
    const seen = shown.flatMap(namesOf)
    expect(seen).toHaveLength(members)
    expect(new Set(seen).size).toBe(members)
    expect(shown[0]?.total).toBeLessThanOrEqual(members)
    expect(shown[0]?.atLeast === true || shown[0]?.total === members).toBe(true)
  })

  test('that does not exist is a 404, and one on a sensitive property is refused to who may not read it', async () => {
    const unknown = { q: 'ana', segment: '01900000-0000-7000-8000-000000000000' }
    expect((await service.call('support', 'POST', '/users/search', unknown)).status).toBe(404)
    await create({ properties: [{ key: 'salary', type: 'NUMBER', sensitive: true, value: 5 }] })
    const filter = { entity: 'person', where: [{ key: 'salary', type: 'NUMBER', op: 'eq', value: 5 }] }
    const answer = await service.call('support', 'POST', '/users/search', {
      q: 'ana',
      segment: await segment(filter),
    })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toContain('sensitive:read')
  })
})

describe('the number of users found', () => {
  test('is counted up to 1,000', async () => {
    const insert = (from: number, to: number) =>
      service.database.pool.query(`
        with added as (
          insert into users (id, created, since)
          select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, now(), now()
          from generate_series(${from}, ${to}) n returning id)
        insert into user_terms (user_id, name, term) select id, false, 'mass' from added`)
    await insert(1, 1000)
    const exact = await find({ q: 'mass' })
    expect(exact).toMatchObject({ total: 1000, numberOfRecords: 50 })
    expect(exact).not.toHaveProperty('atLeast')
    await insert(1001, 1001)
    const shown = await pages({ q: 'mass' })
    expect(shown[0]).toMatchObject({ total: 1000, atLeast: true })
    expect(shown.at(-1)).toMatchObject({ total: 1000, atLeast: true, numberOfRecords: 1 })
    expect(new Set(shown.flatMap(({ users }) => users.map(({ id }) => id))).size).toBe(1001)
  })
})

describe('among very many users', () => {
  const idOf = (n: string) => `('01900000-0000-7000-8000-' || lpad(${n}::text, 12, '0'))::uuid`
  const numbersOf = (shown: readonly UserSearchResult[]) =>
    shown.flatMap(({ users }) => users.map(({ id }) => Number((id as string).slice(-12))))
  const insert = (users: string, terms: string) =>
    service.database.pool.query(`
      with added as (
        insert into users (id, created, since, account) select ${idOf('n')}, now(), now(), n > 5000 from ${users} n)
      insert into user_terms (user_id, name, term) ${terms}`)

  test('two words of 40,000 terms each miss nobody, though hardly anybody has both', async () => {
    const terms = (users: string, word: string, many: number) =>
      `select ${idOf('n')}, false, '${word} ' || m from ${users} n, generate_series(1, ${many}) m`
    // Inserted in batches: on a busy machine a single statement exceeds the time limit.
    for (let from = 1; from <= 400; from += 100) {
      const users = `generate_series(${from}, ${from + 99})`
      await insert(users, terms(users, 'first', 101))
    }
    for (let from = 341; from <= 400; from += 15)
      await service.database.pool.query(
        `insert into user_terms (user_id, name, term) ${terms(`generate_series(${from}, ${from + 14})`, 'second', 700)}`,
      )
    const shown = await pages({ q: 'first second' })
    expect(shown.map(({ numberOfRecords, total }) => [numberOfRecords, total])).toEqual([
      [50, 60],
      [10, 60],
    ])
    expect(numbersOf(shown)).toEqual(Array.from({ length: 60 }, (_, n) => 341 + n))
  })

  test('a segment with more members than are looked up misses nobody, though they come last', async () => {
    await insert(
      'generate_series(4000, 10200)',
      `select ${idOf('n')}, false, 'third' from generate_series(4000, 5100) n`,
    )
    const accounts = await segment({ user: 'account', op: 'eq', value: true })
    const shown = await pages({ q: 'third', segment: accounts })
    expect(shown[0]).toMatchObject({ numberOfRecords: 50, total: 100 })
    expect(numbersOf(shown)).toEqual(Array.from({ length: 100 }, (_, n) => 5001 + n))
  })

  test('two common words that many have are counted as others are', async () => {
    await insert(
      'generate_series(1, 1300)',
      `select ${idOf('n')}, false, term from generate_series(1, 1300) n, unnest(array['first', 'second']) term`,
    )
    const shown = await pages({ q: 'second first' })
    expect(shown[0]).toMatchObject({ total: 1000, atLeast: true })
    expect(numbersOf(shown)).toEqual(Array.from({ length: 1300 }, (_, n) => 1 + n))
  })
})

describe('paging', () => {
  test('neither skips nor repeats anybody who existed throughout while others come, change and go', async () => {
    const ids = await createNamed(...Array.from({ length: 160 }, (_, n) => `Ana ${1000 + n}`))
    const gone = new Set<string | undefined>()
    let round = 0
    const shown = await pages({ q: 'ana' }, async () => {
      // Two users at the end of the page just shown, and one ahead of it.
      for (const at of [49, 48, 75].map((place) => place + 50 * round)) {
        gone.add(ids[at])
        if (at % 2) await service.call('steward', 'DELETE', `/users/${ids[at]}`)
        else await service.call('support', 'PATCH', `/users/${ids[at]}`, { name: 'Zed' })
      }
      await createNamed('Ana 0', `Ana ${1060 + 50 * round} new`, 'Ana 9')
      round++
    })
    const seen = shown.flatMap(({ users }) => users.map(({ id }) => id as string))
    expect(new Set(seen).size).toBe(seen.length)
    for (const id of ids) if (!gone.has(id)) expect(seen).toContain(id)
  })

  test('refuses an offset of another search, a damaged one and one of the list', async () => {
    await createNamed(...Array.from({ length: 51 }, () => 'Ana Lopez'))
    const { next = '' } = await find({ q: 'ana' })
    expect(next).toMatch(/^[\w-]+$/)
    const everybody = await segment({ all: [] })
    const list = await service.call('support', 'GET', '/users')
    const damaged = `${next?.slice(0, -1)}${next?.endsWith('A') ? 'B' : 'A'}`
    for (const body of [
      { q: 'lopez', offset: next },
      { name: 'ana', offset: next },
      { q: 'ana', segment: everybody, offset: next },
      { q: 'ana', offset: damaged },
      { q: 'ana', offset: 'x' },
      { q: 'ana', offset: '\u{1f600}' },
      { q: 'ana', offset: (list.body as { next: string }).next },
    ]) {
      const answer = await service.call('support', 'POST', '/users/search', body)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ code: 'invalid_offset' })
    }
    expect((await find({ q: 'ana', offset: next })).numberOfRecords).toBe(1)
  })

  test('keeps names and e-mails out of the offset', async () => {
    await createNamed(...Array.from({ length: 51 }, () => 'Anatolia Lopez'))
    const { next } = await find({ q: 'anatolia' })
    const bytes = Buffer.from(next ?? '', 'base64url')
    expect(bytes.length).toBeGreaterThan(40)
    expect(bytes.toString('latin1').toLowerCase()).not.toMatch(/anatol|lopez/)
  })
})

describe('a search follows the writes', () => {
  test('a changed user under the new fields only, a deleted one no more', async () => {
    const id = await create({ name: 'Ana Lopez', email: 'ana@example.org', ref: 'C-1' })
    await service.call('support', 'PATCH', `/users/${id}`, { name: 'Eva Lopez', email: '' })
    expect(await findNames({ q: 'eva' })).toEqual(['Eva Lopez'])
    expect(await findNames({ q: 'lopez' })).toEqual(['Eva Lopez'])
    expect(await findNames({ name: 'eva lopez', match: 'exact' })).toEqual(['Eva Lopez'])
    for (const q of ['ana', 'ana@example.org', 'example.org']) expect(await findNames({ q })).toEqual([])
    expect(await findNames({ q: 'C-1' })).toEqual(['Eva Lopez'])
    await service.call('support', 'PATCH', `/users/${id}`, { name: 'C-1' })
    expect(await findNames({ name: 'c 1' })).toEqual(['C-1'])
    await service.call('support', 'PATCH', `/users/${id}`, { name: 'Unknown user' })
    expect(await findNames({ name: 'c' })).toEqual([])
    expect(await findNames({ ref: 'c' })).toEqual(['Unknown user'])
    await service.call('steward', 'DELETE', `/users/${id}`)
    expect(await findNames({ q: 'C-1' })).toEqual([])
  })

  test('nobody by the default texts', async () => {
    await create({})
    for (const q of ['unknown', 'user', 'unknown email']) expect(await findNames({ q })).toEqual([])
  })

  test('a create that matches somebody leaves that user’s terms as they are', async () => {
    await create({ name: 'Ana', email: 'ana@example.org' })
    const again = { name: 'Eva', email: 'ana@example.org' }
    expect((await service.call('support', 'POST', '/users', again)).status).toBe(303)
    expect(await findNames({ q: 'eva' })).toEqual([])
    expect(await findNames({ q: 'ana' })).toEqual(['Ana'])
  })
})

describe('against users in memory', () => {
  interface Person {
    id: string
    name: string | null
    email: string | null
    ref: string | null
  }
  const word = fc.constantFrom('Ana', 'Anab', 'Bana', 'López', 'Lope', 'L', 'Ab', 'O’Ab', 'Ana-Lope', 'Нова')
  const name = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '))
  const person = fc.record({
    name,
    local: fc.option(word.map((text) => searchText(text).replace(/[^a-z]/g, 'x'))),
    ref: fc.option(word),
  })
  const change = fc.record({ at: fc.nat(), name: fc.option(name) })
  const query = fc
    .array(fc.tuple(word, fc.nat(3)), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.map(([text, cut]) => text.slice(0, text.length - cut) || text).join(' '))

  /** Compares texts by code point. */
  const before = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

  /** Returns the ids of users with a term that begins with the phrase, in the order of their first such term. */
  function byPhrase(users: readonly Person[], phrase: string): string[] {
    return users
      .flatMap((user) => {
        const [first] = termsOf(user)
          .map(({ term }) => term)
          .filter((term) => term.startsWith(phrase))
          .sort(before)
        return first === undefined ? [] : [{ first, id: user.id }]
      })
      .sort((a, b) => before(a.first, b.first) || before(a.id, b.id))
      .map(({ id }) => id)
  }

  test('finds the same, however they were written', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { maxLength: 8 }),
        fc.array(change, { maxLength: 4 }),
        fc.array(query, { minLength: 4, maxLength: 8 }),
        async (people, changes, queries) => {
          await service.reset()
          const users: Person[] = []
          for (const [at, { name, local, ref }] of people.entries()) {
            const fields = {
              name: name || null,
              email: local && `${local}.${at}@ana.example`,
              ref: ref && `${ref} ${at}`,
            }
            const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value))
            users.push({ id: await create(body), ...fields })
          }
          for (const { at, name } of changes) {
            const user = users[at % (users.length || 1)]
            if (!user) continue
            if (name === null) {
              await service.call('steward', 'DELETE', `/users/${user.id}`)
              users.splice(users.indexOf(user), 1)
            } else {
              await service.call('support', 'PATCH', `/users/${user.id}`, { name })
              user.name = name || null
            }
          }
          for (const q of queries) {
            const phrase = byPhrase(users, searchText(q))
            const pieces = q.split(' ').map((piece) => byPhrase(users, searchText(piece)))
            const inAnyOrder = users
              .filter(({ id }) => !phrase.includes(id) && pieces.every((found) => found.includes(id)))
              .map(({ id }) => id)
            const result = await find({ q })
            const ids = result.users.map(({ id }) => id as string)
            if (phrase.length + inAnyOrder.length === 0) {
              expect(result.similar ?? ids.length === 0).toBe(true)
              continue
            }
            expect(result.similar).toBeUndefined()
            expect(ids.slice(0, phrase.length)).toEqual(phrase)
            expect(ids.slice(phrase.length).toSorted(before)).toEqual(inAnyOrder.toSorted(before))
            expect(result.total).toBe(ids.length)
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  test('a text that has been made comparable stays as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const once = searchText(text)
        expect(searchText(once)).toBe(once)
        expect(searchText(text.toUpperCase())).toBe(searchText(text.toLowerCase()))
        expect(searchText(text.normalize('NFD'))).toBe(once)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('the service refuses', () => {
  test('a search without a token, and without users:read', async () => {
    const nobody = await service.fetch(`${service.baseUrl}/users/search`, {
      method: 'POST',
      body: '{"q":"ana"}',
    })
    expect(nobody.status).toBe(401)
    const answer = await service.fetch(`${service.baseUrl}/users/search`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await service.sign({ scope: 'users:write' })}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ q: 'ana' }),
    })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toContain('users:read')
  })

  test.each([
    ['', {}],
    ['', { q: 'ana', name: 'ana' }],
    ['/q', { q: '  ' }],
    ['/q', { q: 'x'.repeat(201) }],
    ['/q', { q: 'a\0b' }],
    ['/q', { q: 5 }],
    ['/match', { name: 'ana', match: 'fuzzy' }],
    ['/limit', { q: 'ana', limit: 5 }],
  ])('at %j: %j', async (pointer, body) => {
    const answer = await service.call('support', 'POST', '/users/search', body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ errors: [{ pointer }] })
  })

  test.each([
    '@',
    '% _ \\ * ( [ |',
    "'; drop table users; --",
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u202eana',
    'e\u0301'.repeat(100),
    '\u{10ffff}\uffff\ufdd0',
    'ﷺ'.repeat(200),
    'a '.repeat(100),
    'abcd '.repeat(40),
    'x'.repeat(200),
    '\u{10ffff}',
    'ffffffffffffffffffffffffffffffff',
    '-'.repeat(36),
    'שלום عليكم',
  ])('but no text: %j', async (q) => {
    await createNamed('Ana')
    for (const body of [{ q }, { name: q }, { email: q }, { ref: q }, { id: q }, { ref: q, match: 'exact' }])
      await find(body)
  })
})
