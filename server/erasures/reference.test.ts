import { request } from 'node:http'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import type { ErasureList } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { startTestService } from '../testing/service.ts'

const service = testService()
beforeEach(() => service.reset())

const ana = { name: 'Ana López', email: 'ana.l@example.org', ref: 'C-10023' }
const make = (body: object = ana) => service.create('steward', '/users', body)
const remove = (user: string, headers: Readonly<Record<string, string>>) =>
  service.call('steward', 'DELETE', `/users/${user}`, undefined, headers)
const referring = (reference: string) => ({ 'deletion-reference': encodeURIComponent(reference) })
const readErasures = async (): Promise<ErasureList['erasures']> =>
  ((await service.call('support', 'GET', '/erasures?state=all')).body as ErasureList).erasures

describe('the reference of a deletion', () => {
  test.each([
    ['Ticket 4711', 'Ticket 4711'],
    ['  DSR/2026-114 ', 'DSR/2026-114'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['🙂'.repeat(100), '🙂'.repeat(100)],
    ['Zahl 7 – „Löschung“ №5 & <b>', 'Zahl 7 – „Löschung“ №5 & <b>'],
    ['e\u0301', '\u00e9'],
    ['طلب ٤٧', 'طلب ٤٧'],
    ['100 % @ once', '100 % @ once'],
    ['', undefined],
    [' \t\n ', undefined],
    ['\u200b\u2060', undefined],
  ])('%j is kept as %j', async (given, reference) => {
    const user = await make()
    expect((await remove(user, referring(given))).status).toBe(204)
    const [erasure] = await readErasures()
    expect(erasure?.user).toBe(user)
    expect(erasure?.reference).toBe(reference)
  })

  test.each([
    ['of 101 characters', encodeURIComponent('x'.repeat(101))],
    ['of 101 characters beyond the first plane', encodeURIComponent('🙂'.repeat(101))],
    ['with NUL', 'a%00b'],
    ['with a line break', 'a%0Ab'],
    ['with a tab', 'a%09b'],
    ['with the control for a next line', encodeURIComponent('a\u0085b')],
    ['with a separator of lines', encodeURIComponent('a\u2028b')],
    ['that turns round what follows', encodeURIComponent('a\u202eb')],
    ['of half a percent sign', '%'],
    ['that is no UTF-8', '%ff'],
    ['of a lone surrogate', '%ED%A0%80'],
    ['that is not encoded', 'Zoë'],
    ['with an e-mail', 'for%20bob%40example.org'],
    ['with an e-mail of full width', encodeURIComponent('bob＠example')],
    ['with an e-mail of another script', encodeURIComponent('최상수@example.org')],
  ])('%s is refused, and nobody deleted', async (_what, header) => {
    const user = await make()
    expect(await remove(user, { 'deletion-reference': header })).toMatchObject({
      status: 400,
      body: { code: 'invalid_deletion_reference', detail: expect.stringContaining('Nothing was deleted') },
    })
    expect((await service.call('steward', 'GET', `/users/${user}`)).status).toBe(200)
    expect(await readErasures()).toEqual([])
  })

  test('given twice is refused', async () => {
    const user = await make()
    const { port } = await service.listen()
    const authorization = `Bearer ${await service.token('steward')}`
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization, 'deletion-reference': ['T-1', 'T-2'] }
      request({ port, host: '127.0.0.1', path: `/api/users/${user}`, method: 'DELETE', headers })
        .on('response', ({ statusCode }) => resolve(statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(400)
    expect(await readErasures()).toEqual([])
  })

  test.each([
    'Ana López',
    'asked by ANA LÓPEZ, by phone',
    'ana-lópez/7',
    'López, Ana',
    'Ana Maria López',
    'ana lopez',
    'Ana Lo\u0301pez',
    'A\u200bna Ló\u00adpez',
    'ana.l\u2060.example.org',
    'ana.l.example.org',
    'customer c-10023',
    'C 10023',
    'Ｃ－１００２３',
  ])('%j names the user and is refused', async (reference) => {
    const user = await make()
    expect(await remove(user, referring(reference))).toMatchObject({
      status: 422,
      body: { code: 'personal_reference' },
    })
    expect((await service.call('steward', 'GET', `/users/${user}`)).body).toMatchObject(ana)
    expect(await readErasures()).toEqual([])
  })

  test.each([
    [ana, 'C-100234'],
    [ana, 'Ana asks for it'],
    [ana, 'Banana López'],
    [ana, 'López'],
    [{ name: 'Ana López' }, 'Anna López'],
    [{ name: '\u0301' }, 'T-7'],
    [{ name: 'Ana' }, 'Banana 7'],
    [{ ref: '47' }, 'Ticket 47'],
    [{ name: '?!' }, 'T-7?!'],
    [{}, 'Unknown user'],
    [{}, 'Unknown email'],
  ])('that deletes %j may be %j', async (body, reference) => {
    const user = await make(body)
    expect((await remove(user, referring(reference))).status).toBe(204)
    expect(await readErasures()).toMatchObject([{ user, reference }])
  })

  test('may not be a ref of a few characters, but may contain it', async () => {
    const user = await make({ ref: '47' })
    expect((await remove(user, referring('47'))).status).toBe(422)
  })

  test('takes the place of a reason, which is refused instead of dropped', async () => {
    const user = await make()
    for (const headers of [{}, referring('T-1')])
      expect(await remove(user, { 'change-reason': 'asked', ...headers })).toMatchObject({
        status: 400,
        body: { code: 'invalid_change_reason', detail: expect.stringContaining('Deletion-Reference') },
      })
    expect(await readErasures()).toEqual([])
  })

  test('is part of the write that an Idempotency-Key names, and kept once', async () => {
    const user = await make()
    const send = (headers: Readonly<Record<string, string>>) =>
      remove(user, { 'idempotency-key': 'k', ...headers })
    expect((await send(referring('T-1'))).status).toBe(204)
    const again = await send(referring('T-1'))
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 'true'])
    for (const other of [{}, referring('T-2')])
      expect(await send(other)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } })
    expect(await readErasures()).toMatchObject([{ user, reference: 'T-1' }])
  })

  test('is in no event, and nothing else of the user is kept with it', async () => {
    const user = await make()
    await remove(user, referring('T-4711'))
    await service.call('admin', 'GET', '/events')
    const { rows } = await sql<{ text: string }>`
      select e::text as text from events e union all select i::text from event_inbox i`.execute(
      service.database.sql,
    )
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.map(({ text }) => text).join()).not.toContain('T-4711')
    const { rows: erasures } = await sql<{ text: string }>`select e::text as text from erasures e`.execute(
      service.database.sql,
    )
    expect(erasures).toHaveLength(1)
    expect(erasures[0]?.text).toContain('T-4711')
    expect(erasures[0]?.text).not.toMatch(/ana|l[oó]pez|example|10023/i)
  })

  test('is nothing to a service that has the bare document alone', async () => {
    const bare = await startTestService({ additions: 'none' })
    try {
      const user = await bare.create('steward', '/users', ana)
      const headers = { 'change-reason': '%', 'deletion-reference': 'Ana%20L%C3%B3pez%00' }
      expect((await bare.call('steward', 'DELETE', `/users/${user}`, undefined, headers)).status).toBe(204)
    } finally {
      await bare.close()
    }
  })
})
