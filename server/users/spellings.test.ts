import { beforeEach, describe, expect, test } from 'vitest'

import type { UserSearchResult } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
beforeEach(() => service.reset())

const create = (body: object) => service.create('steward', '/users', body)

async function find(body: object): Promise<UserSearchResult> {
  const answer = await service.call('support', 'POST', '/users/search', body)
  expect(answer.status).toBe(200)
  return answer.body
}

/** Names of the users who are found as typed: none that is only similar. */
async function findNames(q: string): Promise<(string | null | undefined)[]> {
  const { users, similar } = await find({ q })
  return similar === true ? [] : users.map(({ name }) => name)
}

describe('a name is found as another keyboard or standard writes it', () => {
  test.each([
    // Arabic and Persian
    ['علي كريمي', 'علی کریمی'],
    ['فاطمة', 'فاطمه'],
    ['موسى', 'موسي'],
    ['إبراهيم أحمد', 'ابراهیم احمد'],
    ['مؤمن رئيس', 'مومن ریيس'],
    ['خانۀ ما', 'خانه ما'],
    ['محـــمد', 'محمد'],
    ['مُحَمَّدٌ', 'محمد'],
    ['ٱلله', 'الله'],
    ['ہما', 'هما'],
    ['علی\u200cرضا', 'علی رضا'],
    ['علی\u200cرضا', 'علیرضا'],
    ['علی رضا', 'علي\u200cرضا'],
    ['علیرضا', 'علی\u200cرضا'],
    ['الشقة ٤٢', 'الشقه 42'],
    ['Unit 42', 'unit ۴۲'],
    ['Unit 42', '４２'],
    ['राम ४२', 'राम 42'],
    ['کۆمار', 'کومار'],
    // Hebrew, Hindi, and Latin letters of Africa and Azerbaijan
    ['צה״ל', 'צהל'],
    ['צה"ל', 'צהל'],
    ['ז׳בוטינסקי', 'זבוטינסקי'],
    ['ज़ाकिर', 'जाकिर'],
    ['फरहान', 'फ़रहान'],
    ['Sámi Ŋuolla', 'nuolla'],
    ['Kɔfi', 'kofi'],
    ['Əliyev', 'eliyev'],
    // Japanese
    ['たなか けん', 'タナカ'],
    ['タナカ', 'たなか'],
    ['ﾀﾅｶ ｹﾞﾝ', 'げん'],
    ['がんも', 'か\u3099んも'],
    ['コーヒー', 'ｺｰﾋｰ'],
    ['コーヒー', 'コ－ヒ－'],
    ['さーや', 'サ―ヤ'],
    ['キョウコ', 'キヨウコ'],
    ['ｷﾖｳｺ', 'きょうこ'],
    ['いすゞ', 'イスズ'],
    ['みゝ', 'ミミ'],
    ['霞ヶ関', '霞ケ関'],
    ['三ッ矢', '三つ矢'],
    ['佐々木', '佐佐木'],
    ['財宝', '財寳'],
    ['髙橋', '高橋'],
    ['山崎', '山﨑'],
    ['渡邊', '渡辺'],
    ['渡辺', '渡邉'],
    ['齋藤', '斉藤'],
    ['斎藤', '齊藤'],
    ['濵田', '浜田'],
    ['澤村', '沢村'],
    ['黑木', '黒木'],
    ['廣瀬', '広瀬'],
    ['國分', '国分'],
    ['眞田', '真田'],
    ['大島', '大嶋'],
    ['𠮷野', '吉野'],
    // Chinese
    ['张伟', '張偉'],
    ['劉德華', '刘德华'],
    ['陈静', '陳靜'],
    ['楊', '杨'],
    ['吳趙', '吴赵'],
    ['黄', '黃'],
    ['龚龙', '龔龍'],
  ])('%s by %s', async (name, q) => {
    await create({ name })
    await create({ name: 'Somebody Else' })
    expect(await findNames(q)).toEqual([name])
  })
})

describe('a name is found with and without its signs', () => {
  test.each([
    ['J.R.R. Tolkien', ['JRR', 'jrr tolkien', 'Tolkien, J.R.R.', 'J. R. R. Tolkien', 'j r r tolkien']],
    ['J. R. R. Tolkien', ['JRR Tolkien', 'J.R.R.']],
    ['JR Ewing', ['J.R. Ewing', 'J. R. Ewing', 'ewing j.r.', 'J R Ewing']],
    ['AT&T Wireless', ['ATT', 'att wireless', 'AT&T', 'at & t', 'AT+T']],
    ['ATT Wireless', ['AT&T Wireless', 'AT & T']],
    ['H & M', ['hm', 'H&M']],
    ["Sinéad O'Neill", ['ONeill', 'o’neill', 'oneill sinead', 'neill']],
    ['ONeill', ["O'Neill", 'O‘Neill']],
    ['Jean-Luc Picard', ['JeanLuc', 'jeanluc picard', 'jean luc', 'Jean‑Luc', 'luc']],
    ['JeanLuc Picard', ['Jean-Luc', 'jean–luc picard']],
    ['J.R. O’Brien-Smith', ['jr obrien', 'JR O’Brien-Smith', 'obriensmith', 'J.R.']],
  ])('%s', async (name, typed) => {
    await create({ name })
    await create({ name: 'Somebody Else' })
    for (const q of typed) expect([q, await findNames(q)]).toEqual([q, [name]])
  })

  test('and two letters apart are first the beginnings of two words', async () => {
    await create({ name: 'Abel' })
    await create({ name: 'Anna Bell' })
    for (const q of ['a b', 'a b’', 'a’ b']) expect([q, await findNames(q)]).toEqual([q, ['Anna Bell']])
    await create({ name: 'Lope' })
    expect(await findNames('l o’')).toEqual([])
  })

  test('but a mailbox only with them', async () => {
    for (const [name, email] of [
      ['One', 'ana-lopez.42@example.org'],
      ['Two', 'analopez42@example.org'],
      ['Three', 'аna-lopez.42@example.org'],
    ])
      await create({ name, email })
    expect(await findNames('ana-lopez.42@example.org')).toEqual(['One'])
    expect(await findNames('analopez42@example.org')).toEqual(['Two'])
  })
})

test('a name never meets one that looks like it in another alphabet', async () => {
  await create({ name: 'Нина Вера', email: 'x1@example.org' })
  await create({ name: 'Τάκης Ρ2', email: 'x2@example.org' })
  for (const q of ['HИHA', 'Bepa', 'P2', 'takhc']) expect(await findNames(q)).toEqual([])
})

describe('a ref is found', () => {
  test('without its signs, in another case, and in letters that look like it', async () => {
    await create({ name: 'Frag', ref: 'ACC-0042-U' })
    await create({ name: 'Other', ref: 'ACC-0043-U' })
    for (const q of [
      'ACC0042U',
      'acc0042',
      'acc 0042 u',
      'ACC_0042/U',
      '0042-U',
      '0042u',
      'АСС-0042',
      'acc 0042u',
    ])
      expect([q, await findNames(q)]).toEqual([q, ['Frag']])
    await create({ name: 'Cyrillic', ref: 'АК/77.X' })
    for (const q of ['AK77X', 'ак77', 'AK-77']) expect([q, await findNames(q)]).toEqual([q, ['Cyrillic']])
    await create({ name: 'Letters', ref: 'K.XYZ_Q' })
    expect(await findNames('kxyzq')).toEqual(['Letters'])
  })
})

describe('a code in a property is found in letters that look like it', () => {
  test.each([
    ['А123ВС77', ['A123BC77', 'a 123 bc', 'а123вс', 'A123ВС']],
    ['A 123 BC 77', ['А123ВС77']],
    ['ΙΚΖ-4520', ['IKZ4520', 'ικζ 45']],
    ['خانه ۵-ک', ['خانة 5']],
  ])('%s', async (value, typed) => {
    await create({ name: 'Ana', properties: [{ key: 'plate', type: 'TEXT', value }] })
    await create({ name: 'Ben', properties: [{ key: 'plate', type: 'TEXT', value: 'ZZ 999' }] })
    for (const q of typed) expect([q, await findNames(q)]).toEqual([q, ['Ana']])
  })

  test('if it has no other letters', async () => {
    await create({ name: 'Ana', properties: [{ key: 'plate', type: 'TEXT', value: 'Б123ВС' }] })
    expect([await findNames('б123'), await findNames('Б123ВС')]).toEqual([['Ana'], ['Ana']])
    expect(await findNames('B123')).toEqual([])
  })
})

describe('a user is found by the address of their', () => {
  test.each([
    'http://localhost:8080/users/<id>',
    'https://crm.example.org/users/<id>/entities',
    'https://crm.example.org/data/store/users/<id>?tab=changes#top',
    'https://crm.example.org/#/users/<id>',
    'https://api.example.org/api/user/<id>',
    'https://api.example.org/v1/users/<id>/entities/01900000-0000-7000-8000-000000000000',
    'crm.example.org/users/<id>/',
    '/user/<id>',
    'users/<id>',
    '<https://crm.example.org/users/<id>>',
    'https://crm.example.org/log?user=<id>&from=2026-01-01',
    'https://crm.example.org/sign-in?to=%2Fusers%2F<id>%2Fentities',
    'GET https://crm.example.org/api/users/<ID>',
    `https://crm.example.org/users/<id>?${'x'.repeat(500)}`,
  ])('page or of the API: %s', async (address) => {
    const id = await create({ name: 'Frag' })
    const other = await create({ name: 'Other' })
    const q = address.replace('<id>', id).replace('<ID>', id.toUpperCase())
    expect(await findNames(q)).toEqual(['Frag'])
    expect(await findNames(q.replace(/users?.*/i, `entities/${other}`))).not.toContain('Other')
  })
})

describe('a user is found by what is copied from', () => {
  const json = (members: object) => JSON.stringify(members)
  test.each([
    ['a query', 'id=<id>'],
    ['a longer query', 'tab=1&user_id=<id>&at=2'],
    ['a log', 'userId: <id>, done'],
    ['an answer of the API', json({ id: '<id>', name: 'Other', email: 'else@example.org' })],
    ['an indented answer', JSON.stringify({ name: 'Other', id: '<ID>' }, null, 2)],
    ['an answer that was cut', json({ id: '<id>', name: 'x'.repeat(300) }).slice(0, 200)],
    ['a long answer', json({ name: 'Other', ref: 'x'.repeat(400), id: '<id>' })],
    ['an event', json({ id: '01900000-0000-7000-8000-000000000000', properties: { user: '<id>' } })],
    ['another system', json({ id: 7, email: 'frag@example.org', name: 'Other' })],
    ['a form', 'email=frag@example.org'],
    ['a form, encoded', 'frag%40example.org'],
    ['quotes', '"<id>"'],
    ['single quotes and a comma', "'<ID>',"],
    ['brackets', '{<id>}'],
    ['a list', '- <id>'],
    ['XML', '<id><id></id>'],
    ['a program', ':id=>"<id>"'],
    ['a name of a resource', 'urn:uuid:<id>'],
    ['a letter', 'From: Frag Other <frag@example.org>'],
    ['a line of a letter', 'To: frag@example.org'],
    ['a directory', 'SMTP:frag@example.org'],
    ['Markdown', '[frag@example.org](mailto:frag@example.org)'],
    ['a page', 'Ref: F-1'],
    ['another answer', json({ ref: 'F-1', name: 'Other' })],
  ])('%s', async (_, copied) => {
    const id = await create({ name: 'Frag', email: 'frag@example.org', ref: 'F-1' })
    await create({ name: 'Other', email: 'else@example.org' })
    expect(await findNames(copied.replace('<id>', id).replace('<ID>', id.toUpperCase()))).toEqual(['Frag'])
  })

  test('hyphens of a text program', async () => {
    const id = await create({ name: 'Frag' })
    for (const hyphen of ['\u2010', '\u2011', '\u2013', '\u2212'])
      expect(await findNames(id.replaceAll('-', hyphen))).toEqual(['Frag'])
  })

  test('no id of something else', async () => {
    const id = await create({ name: 'Frag' })
    for (const q of [`/entities/${id}`, `segment=${id}`, `${id} ${crypto.randomUUID()}`])
      expect(await findNames(q)).toEqual([])
  })

  test('no text that only speaks of an id', async () => {
    await create({ name: 'Idris Email' })
    for (const q of ['id', 'email', 'idris e', 'email:']) expect(await findNames(q)).toEqual(['Idris Email'])
  })
})

test('a letter that a keyboard has not got is found spelled out, beside itself', async () => {
  for (const name of ['Jörg Müller', 'Joerg Mueller', 'Soeren Aagaard', 'Samul Noah']) await create({ name })
  for (const q of ['müller', 'Jörg MÜLLER', 'mu\u0308ller jörg'])
    expect([q, new Set(await findNames(q))]).toEqual([q, new Set(['Joerg Mueller', 'Jörg Müller'])])
  for (const q of ['Søren', 'sören åga', 'Åg'])
    expect([q, await findNames(q)]).toEqual([q, ['Soeren Aagaard']])
  expect(await findNames('mueller')).toEqual(['Joerg Mueller'])
  expect(await findNames('samuel')).toEqual([])
})

describe('a name of several words is found in one, where nobody has that', () => {
  test.each([
    ['Mac Donald', 'macdonald'],
    ['John Mac Donald', 'john macdonald'],
    ['Mac Donald', 'MacDonald'],
    ['Piet van der Berg', 'vanderberg'],
    ['Piet van der Berg', 'vanderberg piet'],
    ['Ana de la Cruz', 'delacruz'],
    ['Sam O Connor', 'oconnor'],
  ])('%s: %s', async (name, q) => {
    await create({ name })
    await create({ name: 'Somebody Else' })
    const { users, similar } = await find({ q })
    expect({ names: users.map((user) => user.name), similar }).toEqual({ names: [name], similar: true })
  })

  test('and only in whole words', async () => {
    await create({ name: 'John Sonntag' })
    expect((await find({ q: 'johnson' })).users).toEqual([])
    await create({ name: 'Macdonald' })
    await create({ name: 'Mac Donald' })
    expect(await findNames('macdonald')).toEqual(['Macdonald'])
  })
})

describe('a name of one word is found in several, where nobody has those', () => {
  test.each([
    ['Macdonald', 'mac donald'],
    ['John MacDonald', 'john mac donald'],
    ['Vanderberg', 'van der berg'],
    ['JPMorgan Chase', 'jp morgan'],
    ['عبدالله', 'عبد الله'],
  ])('%s: %s', async (name, q) => {
    await create({ name })
    await create({ name: 'Somebody Else' })
    const { users, similar } = await find({ q })
    expect({ names: users.map((user) => user.name), similar }).toEqual({ names: [name], similar: true })
  })

  test('and only in whole words', async () => {
    await create({ name: 'Macdonaldson' })
    expect((await find({ q: 'mac donald' })).users).toEqual([])
    await create({ name: 'Mac Donald' })
    await create({ name: 'Macdonald' })
    expect(await findNames('mac donald')).toEqual(['Mac Donald'])
  })
})

test('a name of a digit and a letter is found with a blank between them', async () => {
  await create({ name: '3M Deutschland' })
  await create({ name: 'Else 3' })
  for (const q of ['3 M', '3 m deutschland', '3M'])
    expect([q, await findNames(q)]).toEqual([q, ['3M Deutschland']])
})

describe('any blank is a blank', () => {
  test.each(['\u00a0', '\u2009', '\u202f', '\u3000', '\u2003', '\u1680'])(
    'in names, refs and texts: %j',
    async (blank) => {
      const name = `Ana${blank}Lopez`
      await create({
        name,
        ref: `K${blank}1`,
        properties: [{ key: 'city', type: 'TEXT', value: `New${blank}York` }],
      })
      const sealed = { key: 'secret', type: 'TEXT', sensitive: true, value: `Le${blank}Mans` }
      await create({ name: 'Other', properties: [sealed] })
      const names = async (filter: object) => {
        const answer = await service.call('admin', 'POST', '/users/search', { filter })
        return (answer.body as UserSearchResult).users.map((user) => user.name)
      }
      const where = (key: string, value: string) => ({
        entity: 'person',
        where: [{ key, type: 'TEXT', op: 'eq', value }],
      })
      for (const each of ['Ana Lopez', name, 'ana\u2007lopez'])
        expect(await names({ user: 'name', op: 'eq', value: each })).toEqual([name])
      expect(await names({ user: 'name', op: 'in', value: ['Ana Lopez'] })).toEqual([name])
      expect(await names({ user: 'name', op: 'starts_with', value: 'Ana L' })).toEqual([name])
      expect(await names({ user: 'ref', op: 'eq', value: 'K 1' })).toEqual([name])
      expect(await names(where('city', 'new york'))).toEqual([name])
      expect(await names(where('secret', 'Le Mans'))).toEqual(['Other'])
    },
  )
})
