import { beforeEach, describe, expect, test } from 'vitest'

import { type Erasure, erasuresPerPage, type ErasureList } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
beforeEach(() => service.reset())

const sealed = { properties: [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02' }] }
const list = async (query = ''): Promise<ErasureList> =>
  (await service.call('support', 'GET', `/erasures${query}`)).body

async function deleteOne(body: object = {}, role: 'steward' | 'admin' = 'steward'): Promise<string> {
  const user = await service.create('steward', '/users', body)
  expect((await service.call(role, 'DELETE', `/users/${user}`)).status).toBe(204)
  return user
}

async function pagesOf(state: string): Promise<Erasure[][]> {
  const pages: Erasure[][] = []
  for (let offset = ''; ;) {
    const { erasures, next } = await list(`?state=${state}&offset=${offset}`)
    pages.push(erasures)
    if (next === '' || next === undefined) return pages
    offset = next
  }
}

describe('deletions', () => {
  test('are listed with who deleted, those that wait and those that are final', async () => {
    const waits = await deleteOne(sealed)
    const plain = await deleteOne({ name: 'Ana' }, 'admin')
    const known = { deleted: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/) }
    const waiting = { user: waits, state: 'waiting', actor: 'steward', ...known }
    // A store without its own key has nothing to wait for if nothing was sealed.
    const final = { user: plain, state: 'final', actor: 'admin', ...known, final: known.deleted }
    expect(await list('?state=all')).toEqual({
      total: 1,
      since: known.deleted,
      finalBy: 'operator',
      erasures: [final, waiting],
      next: '',
    })
    expect((await list('?state=waiting')).erasures).toEqual([waiting])
    expect((await list('?state=final')).erasures).toEqual([final])
    expect((await list(`?state=all&user=${waits}`)).erasures).toEqual([waiting])
    expect((await list(`?state=final&user=${waits}`)).erasures).toEqual([])
    // Without a state the list answers as it did before states existed.
    expect(await list()).toEqual({
      total: 1,
      since: known.deleted,
      finalBy: 'operator',
      erasures: [waiting],
    })
    expect((await list(`?user=${plain}`)).total).toBe(0)
  })

  test('come in pages, newest first, without a gap and once, while others come', async () => {
    const users: string[] = []
    for (let n = 0; n < 2 * erasuresPerPage + 1; n++) users.push(await deleteOne())
    // Gives deletions equal times, as a fast machine does.
    await service.database.pool.query(`update erasures set deleted = date_trunc('minute', deleted)`)
    const [first, ...others] = await pagesOf('all')
    expect([first, ...others].map((page) => page?.length)).toEqual([50, 50, 1])
    const found = [first, ...others].flatMap((page) => page?.map(({ user }) => user))
    expect(new Set(found)).toEqual(new Set(users))
    const { next } = await list('?state=all')
    await deleteOne()
    expect((await list(`?state=all&offset=${next}`)).erasures).toEqual(others[0])
    // Exactly one full page has no next page.
    await service.database.pool.query(
      `delete from erasures where user_id not in (select user_id from erasures order by user_id limit ${erasuresPerPage})`,
    )
    expect(await list('?state=all')).toMatchObject({ next: '', erasures: { length: erasuresPerPage } })
  })

  test.each([
    ['?state=gone', 'invalid_parameter'],
    ['?state=', 'invalid_parameter'],
    ['?state=all&offset=x', 'invalid_offset'],
    ['?state=all&offset=0', 'invalid_offset'],
  ])('asked for as %s are refused', async (query, code) => {
    expect(await service.call('support', 'GET', `/erasures${query}`)).toMatchObject({
      status: 400,
      body: { code },
    })
  })

  test('are found on from a page of the same list alone', async () => {
    for (let n = 0; n <= erasuresPerPage; n++) await deleteOne()
    const { next } = await list('?state=all')
    for (const query of [`?state=final&offset=${next}`, `?offset=${next}`])
      expect(await service.call('support', 'GET', `/erasures${query}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_offset' },
      })
    const users = (await service.call('support', 'GET', '/users')).body as { next: string }
    expect(users.next).toBe('')
    expect(await list('?state=all&user=nobody')).toEqual({
      total: 0,
      finalBy: 'operator',
      erasures: [],
      next: '',
    })
  })

  test('are listed once however often somebody deletes, and once for two who do so together', async () => {
    const user = await service.create('steward', '/users', sealed)
    const answers = await Promise.all(
      (['steward', 'admin', 'steward'] as const).map((role) =>
        service.call(role, 'DELETE', `/users/${user}`),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404])
    expect((await service.call('admin', 'DELETE', `/users/${user}`)).status).toBe(404)
    expect((await list('?state=all')).erasures).toMatchObject([{ user }])
  })

  test('are not listed where they were refused', async () => {
    const user = await service.create('steward', '/users', { ...sealed, name: 'Ana' })
    expect((await service.call('support', 'DELETE', `/users/${user}`)).status).toBe(403)
    const stale = await service.call('admin', 'DELETE', `/users/${user}`, undefined, {
      'if-match': '"other"',
    })
    expect(stale.status).toBe(412)
    expect((await list('?state=all')).erasures).toEqual([])
  })

  test('are told to those who may read users', async () => {
    await deleteOne()
    expect((await service.call('integrator', 'GET', '/erasures?state=all')).status).toBe(403)
    expect((await service.call('integrator', 'POST', '/erasures/search', {})).status).toBe(403)
    for (const role of ['support', 'steward', 'admin'] as const) {
      expect((await service.call(role, 'GET', '/erasures?state=all')).status).toBe(200)
      expect((await service.call(role, 'POST', '/erasures/search', {})).status).toBe(200)
    }
  })
})

describe('a search of deletions', () => {
  const remove = async (reference: string, role: 'steward' | 'admin') => {
    const user = await service.create('steward', '/users', {})
    const headers = { 'deletion-reference': encodeURIComponent(reference) }
    expect((await service.call(role, 'DELETE', `/users/${user}`, undefined, headers)).status).toBe(204)
    return user
  }
  const search = async (body: object): Promise<ErasureList> => {
    const answer = await service.call('support', 'POST', '/erasures/search', body)
    expect(answer.status).toBe(200)
    return answer.body
  }
  const found = async (body: object) => (await search(body)).erasures.map(({ user }) => user)

  test('finds parts of references and actors in any case, beginnings of ids, and days', async () => {
    const first = await remove('Ticket 4711/a%', 'steward')
    const second = await remove('Ärger_12', 'admin')
    await service.database.pool.query(`update erasures set deleted = '2026-03-01 12:00' where user_id = $1`, [
      first,
    ])
    expect(await found({ q: 'ticket 4711' })).toEqual([first])
    expect(await found({ q: 'A%' })).toEqual([first])
    expect(await found({ q: 'Ärger_' })).toEqual([second])
    expect(await found({ q: '%' })).toEqual([first])
    expect(await found({ q: 'STEW' })).toEqual([first])
    expect(await found({ q: second.toUpperCase() })).toEqual([second])
    expect(await found({ q: ' ' })).toEqual([second, first])
    expect(await found({ from: '2026-03-01T00:00:00.000Z', to: '2026-03-02T00:00:00.000Z' })).toEqual([first])
    expect(await found({ from: '2026-03-01T12:00:00.001Z' })).toEqual([second])
    expect(await found({ to: '2026-03-01T12:00:00.000Z' })).toEqual([])
    expect(await found({ state: 'waiting', q: 'ticket' })).toEqual([])
  })

  test('has pages of its own', async () => {
    for (let n = 0; n <= erasuresPerPage; n++) await remove(`Case ${n}`, 'steward')
    await remove('Other', 'steward')
    const { erasures, next } = await search({ q: 'case' })
    expect(erasures).toHaveLength(erasuresPerPage)
    expect((await search({ q: 'case', offset: next })).erasures).toMatchObject([{ reference: 'Case 0' }])
    expect((await service.call('support', 'GET', `/erasures?state=all&offset=${next}`)).status).toBe(400)
  })
})

test('times of any year and zone are taken', async () => {
  for (const time of ['5348-06-02T18:21:12-20:15', '9999-12-31T23:59:59-23:59', '0000-01-01T00:00:00Z'])
    for (const bound of ['from', 'to']) {
      const body = { [bound]: time }
      const { status } = await service.call('admin', 'POST', '/erasures/search', body)
      expect({ ...body, status }).toEqual({ ...body, status: 200 })
    }
})
