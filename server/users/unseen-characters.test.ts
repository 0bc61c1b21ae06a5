import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import { SealedGate } from '../events/sealed-gate.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'
import { lockUser } from './storage.ts'
import { storeUsers } from './store.ts'
import { planUserChange } from './write.ts'

const service = testService()
beforeEach(() => service.reset())
const caller = { subject: 'earlier', scopes: new Set<never>(), expires: Infinity }

const post = (body: object) => service.call('steward', 'POST', '/users', body)
const patch = (id: string, body: object) => service.call('steward', 'PATCH', `/users/${id}`, body)
const get = async (id: string): Promise<object> => (await service.call('steward', 'GET', `/users/${id}`)).body

async function create(body: object): Promise<string> {
  const answer = await post(body)
  expect(answer.status).toBe(201)
  return idOf(answer)
}

describe('a ref', () => {
  test.each(['K-1 ', ' K-1', 'K-1\u200b', '\ufeffK-1', 'K-1\u00a0', 'K-1\n', '\u202aK-1\u202c'])(
    '%j is the same as K-1',
    async (ref) => {
      const id = await create({ ref: 'K-1' })
      const again = await post({ ref })
      expect([again.status, idOf(again)]).toEqual([303, id])
      const third = await create({ email: 'third@example.org' })
      expect((await patch(third, { ref })).body).toMatchObject({ code: 'ref_taken' })
      const { body } = await service.call('support', 'POST', '/users/search', { ref, match: 'exact' })
      expect(body).toMatchObject({ users: [{ id }] })
    },
  )

  test.each(['K-\u200b1', 'K\u00ad-1', 'K-\n1', 'K-\u202e1'])(
    '%j is refused by the name of what is hidden',
    async (ref) => {
      const detail = expect.stringMatching(/^There is .+ before the “[1-]”: remove it\.$/)
      const refused = { errors: [{ pointer: '/ref', code: 'invalid', detail }] }
      expect(await post({ ref })).toMatchObject({ status: 422, body: refused })
      expect((await patch(await create({}), { ref })).body).toMatchObject(refused)
    },
  )

  test('that consists of blanks counts as none', async () => {
    const [one, other] = [await create({ ref: ' ' }), await create({ ref: '\u200b', name: ' \u00a0' })]
    expect(await get(one)).not.toHaveProperty('ref')
    expect(await get(other)).toMatchObject({ name: 'Unknown user' })
  })

  test('that an earlier release stored with a blank is found as stored, and may be sent back', async () => {
    const id = await create({ ref: 'K-1', name: 'Ana' })
    for (const stored of ['K-1 ', 'K-\u200b1']) {
      await service.database.sql.transaction().execute(async (transaction) => {
        const writing = {
          transaction,
          keys: service.database.keys,
          caller,
          reason: { required: false },
          gate: new SealedGate(),
        }
        const before = await lockUser(transaction, id)
        const plan =
          before &&
          planUserChange(writing, before, { name: ' Ana', ref: stored, since: '2020-01-01T00:00:00.000' })
        if (plan) await storeUsers(writing, [plan])
      })
      const again = await post({ ref: stored })
      expect([again.status, idOf(again)]).toEqual([303, id])
      expect((await patch(id, { ref: stored, name: ' Ana', since: '2020-01-01T00:00:00' })).status).toBe(303)
      expect(await get(id)).toMatchObject({ ref: stored, name: ' Ana' })
    }
  })

  test('and a name are trimmed at both ends', async () => {
    const id = await create({ name: '\u200bAna ' })
    expect(await get(id)).toMatchObject({ name: 'Ana' })
    await patch(id, { name: ' Ana López\u00a0' })
    expect(await get(id)).toMatchObject({ name: 'Ana López' })
  })
})

describe('a property key', () => {
  const text = (key: string, value = 'a') => ({ key, type: 'TEXT', value })
  const entity = (...properties: object[]) => ({ type: 'person', properties })
  const made = async (user: string, body: object) =>
    idOf(await service.call('steward', 'POST', `/users/${user}/entities`, body))
  const at = (user: string, id: string) => `/users/${user}/entities/${id}`
  const keysOf = async (path: string) => {
    const { properties } = (await service.call('steward', 'GET', path)).body as {
      properties: { key: string; value: unknown }[]
    }
    return properties.map(({ key, value }) => [key, value])
  }

  test.each([' ', '\u200b', '\u00a0', '', 'pl\u200bain', 'pl\u00adain'])('%j is refused', async (key) => {
    const refused = { errors: [{ pointer: '/properties/0/key' }] }
    expect(await post({ properties: [text(key)] })).toMatchObject({ status: 422, body: refused })
    const user = await create({})
    const answer = await service.call('steward', 'POST', `/users/${user}/entities`, entity(text(key)))
    expect(answer).toMatchObject({ status: 422, body: refused })
  })

  test.each(['plain ', ' plain', 'plain\u200b', '\ufeffplain', 'plain\u00a0'])('%j is plain', async (key) => {
    const user = await create({})
    const id = await made(user, entity(text('plain')))
    expect(
      (await service.call('steward', 'PATCH', at(user, id), { properties: [text(key, 'b')] })).status,
    ).toBe(204)
    expect(await keysOf(at(user, id))).toEqual([['plain', 'b']])
    const twice = await service.call('steward', 'PUT', at(user, id), entity(text('plain'), text(key)))
    expect(twice.body).toMatchObject({ errors: [{ pointer: '/properties/1/key', code: 'duplicate_key' }] })
    expect(await keysOf(at(user, await made(user, entity(text(key)))))).toEqual([['plain', 'a']])
  })

  test('with a joiner between letters that it joins stays as it is', async () => {
    const user = await create({})
    const key = 'نام\u200cخانوادگی'
    expect(await keysOf(at(user, await made(user, entity(text(key)))))).toEqual([[key, 'a']])
  })

  test('and a value that an earlier release stored may be changed and sent back as they are', async () => {
    const user = await create({})
    const id = await made(user, entity(text('plain'), text('x'), text('url'), text('date')))
    const { rows } = await sql<{ properties: Record<string, object> }>`
      select properties from entities where user_id = ${user}::uuid and id = ${id}::uuid`.execute(
      service.database.sql,
    )
    const { plain, x, url, date } = rows[0]?.properties ?? {}
    const address = 'https://exam\nple.org/'
    const earlier = {
      plain,
      'plain ': x,
      url: { ...url, type: 'URL', value: address, fold: address },
      date: { ...date, type: 'DATE', value: '0000-05-05', fold: undefined },
    }
    await sql`update entities set properties = ${JSON.stringify(earlier)}::jsonb
      where user_id = ${user}::uuid and id = ${id}::uuid`.execute(service.database.sql)
    const { body } = await service.call('steward', 'GET', at(user, id))
    expect((await service.call('steward', 'PUT', at(user, id), body)).status).toBe(204)
    const change = [text('plain ', 'b'), { key: 'url', sensitive: true }, { key: 'date', sensitive: true }]
    expect((await service.call('steward', 'PATCH', at(user, id), { properties: change })).status).toBe(204)
    expect(await keysOf(at(user, id))).toEqual([
      ['plain', 'a'],
      ['plain ', 'b'],
      ['url', 'https://exam\nple.org/'],
      ['date', '0000-05-05'],
    ])
  })
})

test('the address of a webhook is without what is not seen at its ends, and refused with it within', async () => {
  const subscribe = (url: string) => service.call('integrator', 'POST', '/subscriptions', { url })
  expect((await subscribe('https://exam\nple.org/')).body).toMatchObject({
    errors: [{ pointer: '/url', detail: 'There is a line break before the “p”: remove it.' }],
  })
  const { id } = (await subscribe(' https://example.org/\t')).body as { id: string }
  const { body } = await service.call('integrator', 'GET', `/subscriptions/${id}`)
  expect(body).toMatchObject({ url: 'https://example.org/' })
})
