import { afterEach, describe, expect, test, vi } from 'vitest'

import { testService } from '../testing/hooks.ts'
import { startTestService } from '../testing/service.ts'

const service = testService()
afterEach(() => {
  vi.useRealTimers()
})

const header = 'property-warnings'
const sealed = (key: string, value: unknown = 'secret', type = 'TEXT') => ({
  key,
  type,
  value,
  sensitive: true,
})
const open = (key: string, value: unknown = 'open', type = 'TEXT') => ({ key, type, value })

async function send(method: string, path: string, sent?: object) {
  const { status, headers, body } = await service.call('steward', method, path, sent)
  return {
    status,
    body,
    warnings: headers.get(header),
    job: headers.get('location')?.replace(service.baseUrl, ''),
  }
}

const user = (...properties: object[]) => service.create('steward', '/users', { properties })

async function entityOf(id: string): Promise<string> {
  const { body } = await service.call('steward', 'GET', `/users/${id}/entities`)
  return `/users/${id}/entities/${(body as { id: string }[])[0]?.id}`
}

const said = (key: string, entity = 'person') => `"known_sensitive";entity="${entity}";key="${key}"`

// Keys stay known, so each test uses its own keys.
describe('a value that is stored in clear where the others are sealed', () => {
  test('is warned of by every write, whose status and body stay', async () => {
    const first = await user(sealed('phone'), sealed('phone2'))
    const place = await entityOf(first)
    const plain = await user()
    const made = await send('POST', '/users', { properties: [open('phone')] })
    expect([made.status, made.body, made.warnings]).toEqual([201, undefined, said('phone')])
    expect(
      await send('POST', `/users/${plain}/entities`, { type: 'person', properties: [open('phone2')] }),
    ).toMatchObject({ status: 201, body: undefined, warnings: said('phone2') })
    await user(sealed('pin'), sealed('pin2'))
    const added = await send('PATCH', place, { properties: [open('pin')] })
    expect([added.status, added.body, added.warnings]).toEqual([204, undefined, said('pin')])
    const replaced = await send('PUT', await entityOf(plain), { type: 'person', properties: [open('pin2')] })
    expect([replaced.status, replaced.body, replaced.warnings]).toEqual([204, undefined, said('pin2')])
  })

  test('is warned of where an existing user is matched', async () => {
    await user(sealed('matched'))
    await service.create('steward', '/users', { ref: 'M-1' })
    const matched = await send('POST', '/users', { ref: 'M-1', properties: [open('matched')] })
    expect([matched.status, matched.warnings]).toEqual([303, said('matched')])
  })

  test('is warned of again when some are in clear already, as long as nearly all are sealed', async () => {
    for (let n = 0; n < 12; n += 1) await user(sealed('often'), open('city'))
    await user(sealed('city'))
    expect((await send('POST', '/users', { properties: [open('often')] })).warnings).toBe(said('often'))
    // From here on, a count runs in the background; until it ends, the key counts as sensitive.
    expect((await send('POST', '/users', { properties: [open('often')] })).warnings).toBe(said('often'))
    await vi.waitFor(async () =>
      expect((await send('POST', '/users', { properties: [open('city')] })).warnings).toBeNull(),
    )
    expect(await service.call('steward', 'GET', '/dictionary')).toMatchObject({ status: 200 })
  })

  test('is not warned of where it is sealed, null, untouched, of another entity type or of an open key', async () => {
    const id = await user(sealed('iban'), open('street'))
    const place = await entityOf(id)
    for (const properties of [
      [sealed('iban')],
      [open('iban', null)],
      [open('street', 'other')],
      [open('never seen')],
      [{ key: 'iban', value: 'DE03' }],
    ])
      expect((await send('PATCH', place, { properties })).warnings).toBeNull()
    const car = { type: 'car', properties: [open('iban')] }
    expect((await send('POST', `/users/${id}/entities`, car)).warnings).toBeNull()
  })

  test('is warned of when it gets a value, when its mark goes, and when its entity becomes one of another type', async () => {
    await user(sealed('late'), sealed('marked'))
    const place = await entityOf(await user(open('late', null), sealed('marked')))
    expect((await send('PATCH', place, { properties: [{ key: 'late', value: 'now' }] })).warnings).toBe(
      said('late'),
    )
    const unmarked = { properties: [{ key: 'marked', sensitive: false }] }
    expect((await send('PATCH', place, unmarked)).warnings).toBe(said('marked'))
    const owner = await user()
    await service.create('steward', `/users/${owner}/entities`, {
      type: 'account',
      properties: [sealed('number')],
    })
    const note = await service.create('steward', `/users/${owner}/entities`, {
      type: 'note',
      properties: [open('number')],
    })
    expect((await send('PATCH', `/users/${owner}/entities/${note}`, { type: 'account' })).warnings).toBe(
      said('number', 'account'),
    )
  })

  test('is warned of when a property that was deleted in between is restored', async () => {
    const place = await entityOf(await user(open('restored')))
    await service.call('steward', 'DELETE', place)
    await user(sealed('restored'))
    // The key is known as clear for some, so it stays in doubt until it is counted.
    const restored = await send('POST', `${place}/restore`)
    expect(restored.status).toBe(204)
    expect(restored.warnings).toBe(said('restored'))
  })

  test('is warned of as the definition of its key says, whatever the others are', async () => {
    await user(sealed('nickname'))
    const write = async (key: string) => (await send('POST', '/users', { properties: [open(key)] })).warnings
    const define = (key: string, definition: object) =>
      service.call('steward', 'PUT', `/definitions/person/${key}`, definition)
    expect([await write('passport'), await write('nickname')]).toEqual([null, said('nickname')])
    await define('passport', { sensitive: true })
    await define('nickname', { sensitive: false })
    await vi.waitFor(
      async () =>
        expect([await write('passport'), await write('nickname')]).toEqual([said('passport'), null]),
      { timeout: 30_000, interval: 200 },
    )
    await define('passport', { label: { en: 'Passport' } })
    await vi.waitFor(async () => expect(await write('passport')).toBeNull(), {
      timeout: 30_000,
      interval: 200,
    })
  })

  test('is warned of by a batch, and by its job', async () => {
    await user(sealed('loyalty'))
    const id = await user()
    const set = { entity: 'person', key: 'loyalty', type: 'TEXT', value: 'gold', create: true }
    const begun = await send('POST', '/users/batch', { ids: [id], set, dryRun: true })
    expect([begun.status, begun.warnings]).toEqual([201, said('loyalty')])
    const warnings = [{ code: 'known_sensitive', entity: 'person', key: 'loyalty' }]
    expect(await service.call('steward', 'GET', begun.job ?? '')).toMatchObject({ body: { warnings } })
    const marked = await send('POST', '/users/batch', {
      ids: [id],
      set: { ...set, sensitive: true },
      dryRun: true,
    })
    expect(marked.warnings).toBeNull()
    expect((await service.call('steward', 'GET', marked.job ?? '')).body).not.toHaveProperty('warnings')
  })

  test('is not warned of by a refusal', async () => {
    await user(sealed('refused'))
    const nobody = { user: '01900000-0000-7000-8000-000000000000' }
    const refused = await send('POST', '/users', {
      properties: [open('refused'), open('friend', nobody, 'RELATIONSHIP')],
    })
    expect([refused.status, refused.warnings]).toEqual([422, null])
  })
})

describe('the header', () => {
  test('names at most twenty, and says that there are more', async () => {
    const keys = Array.from({ length: 30 }, (_, n) => `many-${n}`)
    await user(...keys.map((key) => sealed(key)))
    const { warnings } = await send('POST', '/users', { properties: keys.map((key) => open(key)) })
    expect(warnings?.split(', ')).toEqual([...keys.slice(0, 20).map((key) => said(key)), '"more"'])
  })

  test('stays short with the longest keys', async () => {
    const keys = Array.from({ length: 20 }, (_, n) => `${'🦀'.repeat(50)}${n}`)
    await user(...keys.map((key) => sealed(key)))
    const { warnings } = await send('POST', '/users', { properties: keys.map((key) => open(key)) })
    expect(warnings?.endsWith(', "more"')).toBe(true)
    expect(warnings?.length).toBeLessThan(4096)
  })

  test.each([
    ['quo"te\\', '"quo\\"te\\\\"'],
    ['Ünï', '%"%c3%9cn%c3%af"'],
    ['電話 "%', '%"%e9%9b%bb%e8%a9%b1 %22%25"'],
  ])('writes the key %s as a structured field', async (key, written) => {
    await user(sealed(key))
    const { warnings } = await send('POST', '/users', { properties: [open(key)] })
    expect(warnings).toBe(`"known_sensitive";entity="person";key=${written}`)
  })

  test('is none of the bare document', async () => {
    const bare = await startTestService({ additions: 'none' })
    const create = (property: object) => bare.call('admin', 'POST', '/users', { properties: [property] })
    await create(sealed('phone'))
    const answer = await create(open('phone'))
    expect([answer.status, answer.headers.get(header)]).toEqual([201, null])
    await bare.close()
  })
})
