import { beforeEach, describe, expect, test } from 'vitest'

import { emailKey, type Filter, type UserList } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService({ rateLimit: 0 })
beforeEach(() => service.reset())

const post = (body: object) => service.call('steward', 'POST', '/users', body)
const create = (body: object) => service.create('steward', '/users', body)

async function found(body: object): Promise<string[]> {
  const { status, body: list } = await service.call('admin', 'POST', '/users/search', body)
  expect(status).toBe(200)
  return (list as UserList).users.map(({ id }) => id)
}

const nobody = undefined
let caller = 0

/** Checks a value as a new caller each time, because the rate limit refuses frequent checks by one caller. */
async function check(user: string, value: string) {
  const token = await service.sign({ sub: `caller ${caller++}`, scope: 'users:read entities:read' })
  const given = { authorization: `Bearer ${token}` }
  const body = { keys: ['mail'], value }
  return (await service.call(nobody, 'POST', `/users/${user}/check`, body, given)).body
}

const mail = (value: string, sensitive = false) => ({ key: 'mail', type: 'EMAIL', sensitive, value })

describe('names of mailboxes that only meet in upper case are two people', () => {
  test.each([
    ['mike', 'mıke'],
    ['mike', 'mİke'],
    ['mike', 'mi\u0307ke'],
    ['mİke', 'mi\u0307ke'],
    ['mİke', 'mıke'],
    ['sam', 'ſam'],
    ['strasse', 'straße'],
    ['straße', 'straẞe'],
    ['office', 'oﬃce'],
    ['fiona', 'ﬁona'],
    ['jürgen', 'JÜRGEN'],
    ['почта', 'ПОЧТА'],
    ['σοφός', 'σοφόσ'],
    ['\u00b5m', '\u03bcm'],
    ['mike', 'ｍｉｋｅ'],
    ['mike', 'míke'],
    ['ŉa', 'ʼna'],
  ])('%s and %s', async (one, other) => {
    const [first, second] = [`${one}@example.org`, `${other}@example.org`]
    const id = await create({ email: first, properties: [mail(first)] })
    const iban = { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE00' }
    const id2 = await create({ email: second, properties: [mail(second), iban] })
    expect(id2).not.toBe(id)
    const { body } = await service.call('admin', 'GET', `/users/${id}/entities`)
    expect(JSON.stringify(body)).not.toContain('iban')
    const own = async (filter: (value: string) => Filter) => {
      expect([await found({ filter: filter(first) }), await found({ filter: filter(second) })]).toEqual([
        [id],
        [id2],
      ])
    }
    for (const op of ['eq', 'contains', 'starts_with', 'ends_with'] as const) {
      await own((value) => ({ user: 'email', op, value }))
      await own((value) => ({ entity: 'person', where: [{ key: 'mail', type: 'EMAIL', op, value }] }))
    }
    for (const op of ['contains', 'starts_with'] as const)
      await own((value) => ({ user: 'email', op, value: value.slice(0, -'@example.org'.length) }))
    await own((value) => ({ user: 'email', op: 'in', value: [value, 'nobody@example.org'] }))
    await own((value) => ({
      all: [{ user: 'email', op: 'not_in', value: [value === first ? second : first] }],
    }))
    expect(await found({ email: first, match: 'exact' })).toEqual([id])
    expect(await found({ email: second, match: 'exact' })).toEqual([id2])
    for (const email of [first, second]) expect((await post({ email })).status).toBe(303)
    const taken = await service.call('steward', 'PATCH', `/users/${id}`, { email: second })
    expect(taken.body).toMatchObject({ code: 'email_taken' })
  })

  test.each([
    ['mike', 'mıke'],
    ['mike', 'mİke'],
    ['sam', 'ſam'],
    ['strasse', 'straße'],
    ['office', 'oﬃce'],
    ['jürgen', 'JÜRGEN'],
    ['mike', 'ｍｉｋｅ'],
  ])('sealed too: %s and %s', async (one, other) => {
    const [first, second] = [`${one}@example.org`, `${other}@example.org`]
    const id = await create({ properties: [mail(first, true)] })
    const id2 = await create({ properties: [mail(second, true)] })
    expect(await check(id, first)).toEqual({ matches: true })
    expect(await check(id, second)).toEqual({ matches: false })
    expect(await check(id2, second)).toEqual({ matches: true })
    expect(await check(id2, first)).toEqual({ matches: false })
    const members = (op: 'eq' | 'ne', value: string) =>
      found({ filter: { entity: 'person', where: [{ key: 'mail', type: 'EMAIL', op, value }] } })
    expect([await members('eq', first), await members('eq', second)]).toEqual([[id], [id2]])
    expect([await members('ne', first), await members('ne', second)]).toEqual([[id2], [id]])
  })
})

test.each([
  ['mike@example.org', 'MIKE@Example.ORG'],
  ['İnci@example.org', 'İnci@EXAMPLE.org'],
  ['müller@example.org', 'mu\u0308ller@example.org'],
  ['Jürgen@example.org', 'jürgeN@example.org'],
  ['ǰan@example.org', 'J\u030can@example.org'],
  ['\u212aim@example.org', 'kim@example.org'],
  ['x@ſam.example', 'x@sam.example'],
  ['x@oﬃce.example', 'x@OFFICE.example'],
  ['x@ｅｘａｍｐｌｅ．org', 'x@example.org'],
  ['x@BÜCHER.example', 'x@xn--bcher-kva.example'],
])('%s and %s are one person', async (one, other) => {
  const id = await create({ email: one, properties: [mail(one, true)] })
  expect((await post({ email: other })).headers.get('location')).toMatch(new RegExp(`${id}$`))
  expect(await found({ email: other, match: 'exact' })).toEqual([id])
  expect(await found({ filter: { user: 'email', op: 'eq', value: other } })).toEqual([id])
  const where = [{ key: 'mail', type: 'EMAIL' as const, op: 'eq' as const, value: other }]
  expect(await found({ filter: { entity: 'person', where } })).toEqual([id])
  expect(await check(id, other)).toEqual({ matches: true })
})

test('a part of an address with a letter that a domain spells otherwise finds that domain, and no name', async () => {
  await create({ email: 'sam@example.org' })
  const id = await create({ email: 'x@sam.example' })
  const members = (op: 'contains' | 'starts_with' | 'ends_with', value: string) =>
    found({ filter: { user: 'email', op, value } })
  expect(await members('contains', 'ſam')).toEqual([id])
  expect(await members('starts_with', 'ſam')).toEqual([])
  expect(await members('ends_with', 'ſam.example')).toEqual([id])
})

test('the key of a key is that key', () => {
  const letters = Array.from({ length: 0x1_0000 }, (_, code) => String.fromCharCode(code))
  const texts = [...letters, ...letters.flatMap((letter) => (/\p{Mn}/u.test(letter) ? [`J${letter}`] : []))]
  const others = texts
    .filter((text) => text.isWellFormed())
    .map((text) => emailKey(`${text}@example.org`))
    .filter((key) => emailKey(key) !== key)
  expect(others).toEqual([])
})

test('free text finds a mailbox by letters that people take for its own', async () => {
  const id = await create({ email: 'mıke.straße@example.org' })
  for (const q of ['mike.strasse@example.org', 'MIKE', 'strasse']) expect(await found({ q })).toEqual([id])
})
