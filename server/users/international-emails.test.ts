import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import type { Filter, UserList } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
beforeEach(() => service.reset())

const post = (body: object) => service.call('steward', 'POST', '/users', body)
const idOf = (headers: Headers) => (headers.get('location') ?? '').split('/').at(-1) ?? ''

async function create(body: object): Promise<string> {
  const { status, headers } = await post(body)
  expect(status).toBe(201)
  return idOf(headers)
}

async function found(body: object): Promise<string[]> {
  const { status, body: list } = await service.call('support', 'POST', '/users/search', body)
  expect(status).toBe(200)
  return (list as UserList).users.map(({ id }) => id)
}

describe('an e-mail beyond ASCII', () => {
  test.each([
    'x@bücher.example',
    'jürgen@example.org',
    '최상수@example.org',
    'почта@пример.example',
    '用户@例子.公司',
    'उपयोगकर्ता@उदाहरण.भारत',
    'χρήστης@παράδειγμα.ελ',
    'مستخدم@مثال.إختبار',
    'ana@xn--bcher-kva.example',
    "o'brien+tag@straße.example",
    '👍@i❤.example',
  ])('is taken, and answered as it was given: %s', async (email) => {
    const id = await create({ email })
    expect((await service.call('support', 'GET', `/users/${id}`)).body).toHaveProperty('email', email)
    const entity = { type: 'person', properties: [{ key: 'mail', type: 'EMAIL', value: email }] }
    const made = await service.call('steward', 'POST', `/users/${id}/entities`, entity)
    expect(made.status).toBe(201)
    const { body } = await service.call('steward', 'GET', `/users/${id}/entities`)
    expect(body).toMatchObject([{ properties: [{ value: email }] }])
  })

  test.each([
    'jürgen',
    'jürgen@',
    '@bücher.example',
    'x@bücher..example',
    'x@.bücher',
    'x@bü cher.example',
    'jür gen@example.org',
    'jür\u00a0gen@example.org',
    'jür\u200bgen@example.org',
    'x@bü\u202echer.example',
    'x@-bücher.example',
    'x@bü_cher.example',
    'x@bü/cher.example',
    'x@bü%2fcher.example',
    'x@bücher:80',
    'x@１.２.３.４',
    'x@１',
    'x@xn--ü.example',
    `x@${'ü'.repeat(64)}.example`,
    `${'ü'.repeat(310)}@example.org`,
  ])('is refused where no mail could go to it: %j', async (email) => {
    expect((await post({ email })).body).toMatchObject({ errors: [{ pointer: '/email' }] })
    const properties = [{ key: 'mail', type: 'EMAIL', value: email }]
    expect((await post({ properties })).body).toMatchObject({ errors: [{ pointer: '/properties/0/value' }] })
  })

  test.each([
    ['same@bücher.example', 'same@xn--bcher-kva.example'],
    ['same@xn--bcher-kva.example', 'same@bücher.example'],
    ['same@bücher.example', 'SAME@BÜCHER.Example'],
    ['same@bücher.example', 'same@bu\u0308cher.example'],
    ['same@例子.example', 'same@例子。example'],
    ['same@example.org', 'same@ｅｘａｍｐｌｅ.org'],
    ['JüRGEN@example.org', 'jürgen@example.org'],
  ])('%s is the same person as %s', async (one, other) => {
    const id = await create({ email: one })
    const again = await post({ email: other })
    expect(again.status).toBe(303)
    expect(idOf(again.headers)).toBe(id)
    const third = await create({ email: 'third@example.org' })
    const moved = await service.call('steward', 'PATCH', `/users/${third}`, { email: other })
    expect(moved.body).toMatchObject({ code: 'email_taken' })
    expect(await found({ email: other, match: 'exact' })).toEqual([id])
    expect(await found({ email: other })).toEqual([id])
    expect(await found({ q: other })).toEqual([id])
  })

  test('with ß in the domain is another address than with ss', async () => {
    const id = await create({ email: 'x@straße.example' })
    expect(await create({ email: 'x@strasse.example' })).not.toBe(id)
  })

  test.each(['x@bücher.example', 'x@xn--bcher-kva.example'])(
    '%s is found by the beginning of either spelling of it',
    async (email) => {
      const id = await create({ email })
      await create({ email: 'x@xn--bcherei-o2a.example' })
      for (const q of ['büch', 'bücher.example', 'x@büch', 'xn--bcher-k', 'bucher'])
        expect(await found({ q })).toContain(id)
      for (const typed of ['x@büch', 'x@bücher.e', 'x@xn--bcher-k', 'X@BÜCHER'])
        expect(await found({ email: typed })).toContain(id)
      expect(await found({ email: 'x@büchn' })).toEqual([])
    },
  )

  test.each(['x@bücher.example', 'x@xn--bcher-kva.example'])(
    '%s is found by filters in either spelling, open and sealed',
    async (email) => {
      const properties = [
        { key: 'open', type: 'EMAIL', value: email },
        { key: 'sealed', type: 'EMAIL', sensitive: true, value: email },
      ]
      const id = await create({ email, properties })
      await create({ email: 'y@example.org' })
      const members = async (filter: Filter) => {
        const { body } = await service.call('admin', 'POST', '/users/search', { filter })
        return (body as UserList).users.map((user) => user.id)
      }
      const ofProperty = (
        key: string,
        test: { op: 'eq' | 'in' | 'contains' | 'ends_with'; value: unknown },
      ) => members({ entity: 'person', where: [{ key, type: 'EMAIL', ...test }] })
      for (const value of ['x@bücher.example', 'X@xn--bcher-kva.example']) {
        expect(await members({ user: 'email', op: 'eq', value })).toEqual([id])
        expect(await members({ user: 'email', op: 'in', value: [value] })).toEqual([id])
        expect(await ofProperty('open', { op: 'eq', value })).toEqual([id])
        expect(await ofProperty('open', { op: 'in', value: [value] })).toEqual([id])
        expect(await ofProperty('sealed', { op: 'eq', value })).toEqual([id])
      }
      for (const value of ['@bücher.example', '@xn--bcher-kva.example', 'bücher.example']) {
        expect(await members({ user: 'email', op: 'ends_with', value })).toEqual([id])
        expect(await members({ user: 'email', op: 'contains', value })).toEqual([id])
        expect(await ofProperty('open', { op: 'ends_with', value })).toEqual([id])
        expect(await members({ user: 'email', op: 'not_contains', value })).not.toContain(id)
      }
    },
  )

  test('is found by either spelling, as a property too', async () => {
    const values = ['x1@bücher.example', 'x1@xn--bcher-kva.example']
    for (const value of values) {
      const id = await create({ properties: [{ key: 'mail', type: 'EMAIL', value }] })
      for (const q of [...values, 'x1@bü']) expect(await found({ q })).toEqual([id])
      await service.call('steward', 'DELETE', `/users/${id}`)
    }
  })

  test('that was stored in ASCII before is found by the other spelling, name and all', async () => {
    const id = await create({ name: 'Ana López', email: 'x@xn--bcher-kva.example' })
    // Stores the terms in the form of the previous release.
    await sql`delete from user_terms where term like '%b_cher%' and term not like '%xn%'`.execute(
      service.database.sql,
    )
    for (const q of ['x@bücher.example', 'bücher.example', 'lópez bücher.example', 'lopez x@bücher.ex'])
      expect(await found({ q })).toEqual([id])
    for (const email of ['x@bücher.example', 'x@bücher.ex']) expect(await found({ email })).toEqual([id])
  })

  test('that is sealed is checked in either spelling', async () => {
    const properties = [{ key: 'mail', type: 'EMAIL', sensitive: true, value: 'x@bücher.example' }]
    const id = await create({ properties })
    const check = async (value: string) =>
      (await service.call('steward', 'POST', `/users/${id}/check`, { keys: ['mail'], value })).body
    expect(await check('x@xn--bcher-kva.example')).toEqual({ matches: true })
    expect(await check('X@Bücher.example')).toEqual({ matches: true })
    expect(await check('x@bucher.example')).toEqual({ matches: false })
  })
})
