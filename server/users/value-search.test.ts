import { beforeEach, describe, expect, test } from 'vitest'

import type { UserSearchResult } from '#contract/index.ts'
import { searchTerms, valueTermsOf } from '../entities/value-terms.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
beforeEach(() => service.reset())

const nobody = undefined

const text = (key: string, value: string | null) => ({ key, type: 'TEXT', value })

async function create(name: string, ...properties: object[]): Promise<string> {
  return await service.create('steward', '/users', { name, properties })
}

async function find(body: object): Promise<UserSearchResult> {
  const answer = await service.call('support', 'POST', '/users/search', body)
  expect(answer.status).toBe(200)
  return answer.body
}

const findNames = async (q: string) => (await find({ q })).users.map(({ name }) => name)

describe('a value', () => {
  test.each([
    ['+33 6 12-34-56 78', ['+33 6 12-34', '0033612 34', '33612345678', '06 12 34', '612345', '(06) 12.34']],
    ['06 12 34 56 78', ['0612', '+33 6 12 34 56 78', '0033612345678', '612 34']],
    ['00447700900123', ['+44 7700', '07700 900', '0044 77']],
    ['AB-123-CD', ['ab123', 'AB 123 CD', 'ab-1', '123cd']],
    ['ORD-2024-00017', ['ord2024', '2024-00017', '00017', 'ORD 2024 000']],
    ['Große Straße 12', ['Grosse Strasse 12', 'STRASSE 12', 'straße 1']],
    ['00017', ['00017', '0001']],
    ['１２３４', ['1234']],
    [
      '+49 170 1234567',
      ['tel:+491701234567', 'TEL:0170-1234567', 'tel:+49-170-123;ext=5', 'callto://+49170', 'sms:+49%20170'],
    ],
    ['+98 912 345 6789', ['٠٩١٢٣٤٥٦٧٨٩', '+٩٨٩١٢', '۰۹۱۲ ۳۴۵', '०९१२३', '๐๙๑๒๓๔']],
    ['٠٩١٢ ٣٤٥', ['٠٩١٢٣٤٥', '٠٩١٢']],
    ['+7 916 4974539', ['8 916 4974539', '8(916)4974539', '79164974539', '9164974539', '007 916 4974539']],
    ['+36 20 555 0149', ['06 20 555 0149', '06205550149']],
    ['06 30 555 0150', ['+36 30 555 0150', '36305550150']],
    ['+370 612 50151', ['8 612 50151', '(8 612) 50151', '0 612 50151']],
    ['8 612 50152', ['+370 612 50152', '37061250152']],
    ['+375 29 555 01 53', ['8 029 555 01 53', '80295550153']],
    ['8 029 555 01 54', ['+375 29 555 01 54', '375295550154']],
    ['+52 1 55 5550 0156', ['+52 55 5550 0156', '01 55 5550 0156', '5555500156']],
    ['+54 9 11 5550-0157', ['+54 11 5550 0157']],
    ['+1 202 555 0119', ['011 1 202 555 0119']],
    [
      '+49 170 5550001',
      [
        'Tel. 0170 5550001',
        'WhatsApp: 0170 5550001',
        'https://wa.me/491705550001',
        'sip:+491705550001@example.org',
        '+49[0]170 5550001',
        '(+49) 170 5550001',
        '0170.5550001',
      ],
    ],
    ['(+49) 170 5550008', ['0170 5550008', '+49 170 5550008']],
    ['01705550239  01715550240', ['0171 5550240', '+49 171 5550240']],
    ['03-5555-0251、03-5555-0252', ['0355550252', '+81 3 5555 0252']],
    ['8 (916) 8163452', ['+79168163452', '+7 916 816', '79168163452', '9168163452', '8 916 816']],
    ['+7 701 123 45 67', ['8 701 1234567', '8-701-123-45-67']],
    ['(202) 315-1952', ['1-202-315-1952', '+1 202 315 1952', '12023151952', '001 202 3151952']],
    ['1-202-315-1952', ['(202) 315-1952', '+1202315', '1 202']],
    [
      '+49 (0)151 8040870',
      ['491518040870', '0151 8040870', '+49 151 8040870', '0049 151', '+49 (0)151 8040', '(0)151 8040870'],
    ],
    ['0049 (0) 151 8040870', ['+491518040870', '01518040870']],
    ['0151 8040870', ['491518040870', '+49 151 8040870', '+49 (0)151 8040870']],
    ['491518040870', ['0151 8040870', '+491518040870']],
    ['0151 7099202 / 0152 70992021', ['0151 7099202', '015270992021', '+49 152 70992021', '0152-7099']],
    ['0151/7099202; 030/1234567', ['01517099202', '030 123 45 67']],
    ['+33 6 12 34 56 78, +33 1 23 45 67 89', ['0123456789', '+33 1 23', '06 12 34']],
    ['+44 7700 900123 or 020 7946 0958', ['07700 900123', '+44 20 7946']],
    [
      '+1 202 5530961 ext. 12',
      ['2025530961x12', '+12025530961', '(202) 553-0961 #12', '1-202-553-0961 ext 12'],
    ],
    ['030 1234567 Durchwahl 89', ['0301234567', '+49 30 1234567', '030/1234567x89', '030 1234567 DW 89']],
  ])('%s is found as people type it', async (value, typed) => {
    await create('Ana', text('number', value))
    await create('Ben', text('number', 'ZZ 999 999'))
    for (const q of typed) expect([q, await findNames(q)]).toEqual([q, ['Ana']])
  })

  test.each([
    [
      '+971 50 123 4567',
      ['+966501234567', '966501234567', '00966 50 123 4567', '+966 (0)50 1234', '+66501234567'],
    ],
    ['971501234567', ['+966 50 1234567', '966501234567']],
    ['+49 151 8040870', ['+43 151 8040870', '0043 151 8040870', '43151804087', '+1 151 8040870']],
    ['+49 612 50151', ['8 612 50151', '+370 612 50151']],
    ['+44 20 555 0149', ['+36 20 555 0149', '36205550149']],
    ['+7 916 4974539', ['+49 916 4974539', '+8 916 4974539', '+971 916 4974539']],
    ['+33 6 12 34 56 78, +33 1 23 45 67 89', ['+34 612345678', '0044 1 23 45 67 89']],
    ['+49 30 1234567 ext. 12', ['+43 30 1234567 ext. 12', '+43 30 1234567']],
  ])('%s is not found by the number of another country', async (value, typed) => {
    await create('Ana', text('number', value))
    for (const q of typed) expect([q, await findNames(q)]).toEqual([q, []])
  })

  test.each([
    ['+49 0151 8040870', ['+49 151 8040870', '+49 (0)151 8040870', '0151 8040870']],
    ['+49 151 8040870', ['+49 0151 8040870', '004901518040870', '1518040870']],
    ['916 8163452', ['+7 916 8163452', '79168163452']],
    ['+971 50 123 4567', ['050 123 4567', '501234567', '971501234567', '+971 050 1234567']],
    ['0151 8040870 or +43 151 8040870', ['+49 151 8040870', '+43 1518040870']],
  ])('%s is found with the zero of its country and without', async (value, typed) => {
    await create('Ana', text('number', value))
    for (const q of typed) expect([q, await findNames(q)]).toEqual([q, ['Ana']])
  })

  test('is found although another one of the user has the number of another country', async () => {
    const both = [text('abroad', '+43 151 8040870'), text('mobile', '151 8040870')]
    await create('Ana', ...both)
    await create('Ben', ...both.toReversed())
    await create('Carl', text('abroad', '+43 151 8040870'))
    const found = await find({ q: '+49 151 8040870' })
    expect(found).toMatchObject({ total: 2, users: [{ name: 'Ana' }, { name: 'Ben' }] })
    expect(await findNames('0151 8040870')).toEqual(['Ana', 'Ben', 'Carl'])
  })

  test('or an e-mail is found as a link has it', async () => {
    await service.create('steward', '/users', { name: 'Ana', email: 'ana.b@example.org' })
    await create('Ben', { key: 'mail', type: 'EMAIL', value: 'ben+c@example.org' })
    expect(await findNames('mailto:ana.b@example.org?subject=Hello')).toEqual(['Ana'])
    expect(await findNames(' Mailto:ben%2Bc@example.org')).toEqual(['Ben'])
    expect(await findNames('mailto:%')).toEqual([])
    expect(await findNames('mailto:')).toEqual([])
  })

  test('is told with the user whom it has found', async () => {
    const ana = await create('Ana', text('city', 'Lyon'))
    const car = await service.create('steward', `/users/${ana}/entities`, {
      type: 'car',
      properties: [text('plate', 'AB-123-CD')],
    })
    const { users, total } = await find({ q: 'ab 123' })
    expect(total).toBe(1)
    expect(users[0]?.matched).toEqual({ entity: car, type: 'car', key: 'plate', value: 'AB-123-CD' })
    const columned = await find({ q: 'ab 123', columns: ['person.city'] })
    expect(columned.users[0]).toMatchObject({
      matched: { key: 'plate' },
      columns: { 'person.city': [{ value: 'Lyon' }] },
    })
    expect((await find({ q: 'ana' })).users[0]).not.toHaveProperty('matched')
  })

  test('comes after names, e-mails and refs, and each user once', async () => {
    const ana = await create('Ana 1042', text('a', '1042-1'), text('b', '1042-2'))
    await service.create('steward', `/users/${ana}/entities`, {
      type: 'car',
      properties: [text('a', '1042-1')],
    })
    await create('Ben', text('a', '1042-1'), text('b', '1042-1'), text('c', '1042'))
    await create('Zoë Ten 1042', text('a', '1042'))
    expect(await findNames('1042')).toEqual(['Ana 1042', 'Zoë Ten 1042', 'Ben'])
    expect((await find({ q: '1042' })).total).toBe(3)
    expect(await findNames('ten 1042')).toEqual(['Zoë Ten 1042'])
  })

  test('that is a number is found as a whole', async () => {
    await create('Ana', { key: 'order', type: 'NUMBER', value: 100_234 })
    await create('Ben', { key: 'order', type: 'NUMBER', value: 1_002_345 })
    expect(await findNames('100234')).toEqual(['Ana'])
    expect(await findNames('100,234')).toEqual(['Ana'])
    expect(await findNames('1002')).toEqual([])
  })

  test('that is an e-mail is found by its beginning', async () => {
    await create('Ana', { key: 'contact', type: 'EMAIL', value: 'ana.lopez@example.org' })
    expect(await findNames('Ana.Lopez@')).toEqual(['Ana'])
  })

  test('is found as it is now, and not once it is gone or sensitive', async () => {
    const ana = await create('Ana')
    const path = `/users/${ana}/entities`
    const car = await service.create('steward', path, { type: 'car', properties: [text('plate', 'AB-123')] })
    const write = (method: string, body?: object) => service.call('steward', method, `${path}/${car}`, body)
    await write('PATCH', { properties: [text('plate', 'CD-456'), text('other', 'EF-789')] })
    expect([await findNames('ab123'), await findNames('cd456'), await findNames('ef789')]).toEqual([
      [],
      ['Ana'],
      ['Ana'],
    ])
    await write('PATCH', { properties: [{ key: 'plate', sensitive: true }] })
    expect([await findNames('cd456'), await findNames('ef789')]).toEqual([[], ['Ana']])
    await write('PUT', { type: 'car', properties: [{ ...text('plate', 'CD-456'), sensitive: false }] })
    expect([await findNames('cd456'), await findNames('ef789')]).toEqual([['Ana'], []])
    await write('DELETE')
    expect(await findNames('cd456')).toEqual([])
    await service.call('steward', 'POST', `${path}/${car}/restore`)
    expect(await findNames('cd456')).toEqual(['Ana'])
    await service.call('steward', 'DELETE', `/users/${ana}`)
    const { rows } = await service.database.pool.query('select 1 from value_terms')
    expect(rows).toEqual([])
  })

  test('finds nobody for who may not read entities', async () => {
    await create('Ana', text('plate', 'AB-123'))
    const ask = async (scope: string) =>
      await service.call(
        nobody,
        'POST',
        '/users/search',
        { q: 'ab 123' },
        {
          authorization: `Bearer ${await service.sign({ scope })}`,
        },
      )
    expect((await ask('users:read')).body).toMatchObject({ total: 0 })
    expect((await ask('users:read entities:read')).body).toMatchObject({ total: 1 })
  })

  test('is found within a segment, and page by page', async () => {
    for (let n = 0; n < 60; n++)
      await create(`Ana ${n}`, text('plate', `AB-${n}`), { key: 'vip', type: 'BOOLEAN', value: n % 30 === 0 })
    const first = await find({ q: 'ab-' })
    const all = await find({ q: 'ab-1' })
    expect(first.users).toEqual([])
    expect(all.total).toBe(11)
    const filter = { entity: 'person', where: [{ key: 'vip', type: 'BOOLEAN', op: 'eq', value: true }] }
    expect((await find({ q: 'ab-3', filter })).users.map(({ name }) => name)).toEqual(['Ana 30'])
    for (let n = 0; n < 55; n++) await create(`Ben ${n}`, text('order', `ORDER 7 ${n}`))
    const page = await find({ q: 'order 7' })
    const next = await find({ q: 'order 7', offset: page.next })
    const ids = [...page.users, ...next.users].map(({ id }) => id)
    expect([ids.length, new Set(ids).size, next.next]).toEqual([55, 55, ''])
    expect(next.users[0]?.matched?.key).toBe('order')
  })
})

test('values that people do not read out have no terms', () => {
  const property = (type: string, value: unknown, sensitive = false) => ({ a: { type, value, sensitive } })
  for (const each of [
    property('TEXT', 'Lyon'),
    property('TEXT', '12'),
    property('TEXT', null),
    property('TEXT', '1'.repeat(65)),
    property('TEXT', 'AB-123', true),
    property('NUMBER', 12),
    property('NUMBER', -1000),
    property('NUMBER', 1000.5),
    property('DATE', '2024-01-01'),
  ])
    expect(valueTermsOf(each)).toEqual([])
  for (const typed of ['ana', '12', '@', '+-', ' 1 2 '])
    expect(searchTerms(typed)).toEqual({ beginnings: [], wholes: [], withoutCode: [] })
})
