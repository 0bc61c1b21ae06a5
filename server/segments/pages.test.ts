import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

import { type Membership, type Segment, segmentsPerPage } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
beforeEach(() => service.reset())

const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Stores `count` segments, oldest first. Each finds all users; every third refers to the segment before it. */
async function storeSegments(count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: idOf(n),
    filter: n % 3 === 2 ? { segment: idOf(n - 1) } : { all: [] },
  }))
  await sql`
    insert into segments (id, name, filter, created, updated)
    select id, id::text, filter, now(), now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (id uuid, filter jsonb)`.execute(
    service.database.sql,
  )
}

const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)
const wanted = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => idOf(from + n))

test('the list of segments comes in pages of 1,000', async () => {
  await storeSegments(2 * segmentsPerPage + 120)
  const list = async (query = ''): Promise<Segment[]> =>
    (await service.call('support', 'GET', `/segments${query}`)).body
  expect(ids(await list())).toEqual(wanted(0, 1000))
  expect(ids(await list(`?offset=${idOf(999)}`))).toEqual(wanted(1000, 2000))
  expect(ids(await list(`?offset=${idOf(1999)}`))).toEqual(wanted(2000, 2120))
  expect(await list(`?offset=${idOf(2119)}`)).toEqual([])
  // Segments are read 50 at a time: after two full parts there is an empty one.
  expect(ids(await list(`?offset=${idOf(2019)}`))).toEqual(wanted(2020, 2120))
  // A deleted segment’s id is still a valid cursor.
  expect((await service.call('admin', 'DELETE', `/segments/${idOf(999)}`)).status).toBe(204)
  expect(ids(await list(`?offset=${idOf(999)}`))).toEqual(wanted(1000, 2000))
  expect(await service.call('support', 'GET', '/segments?offset=1000')).toMatchObject({
    status: 400,
    body: { code: 'invalid_parameter' },
  })
})

test('so does that of a user, who is in those on each page', async () => {
  await storeSegments(segmentsPerPage + 120)
  const user = await service.create('steward', '/users', {})
  const list = async (query: string): Promise<Membership[]> =>
    (await service.call('steward', 'GET', `/users/${user}/segments${query}`)).body
  const first = await list('?explain=true')
  expect(ids(first)).toEqual(wanted(0, 1000))
  expect(first.every(({ member, why }) => member === true && why?.pass === true)).toBe(true)
  expect(first[2]?.why).toMatchObject({ segment: idOf(1), is: { all: [] } })
  const second = await list(`?offset=${idOf(999)}`)
  expect(ids(second)).toEqual(wanted(1000, 1120))
  expect(second.every(({ member }) => member === true)).toBe(true)
})

test('an explanation shows the beginning of a long text', async () => {
  const value = 'x'.repeat(60_000)
  const user = await service.create('steward', '/users', {
    properties: [{ key: 'note', type: 'TEXT', value }],
  })
  const where = [{ key: 'note', type: 'TEXT', op: 'starts_with', value: 'xx' }]
  await service.call('admin', 'POST', '/segments', { name: 'Notes', filter: { entity: 'person', where } })
  expect((await service.call('steward', 'GET', `/users/${user}/segments?explain=true`)).body).toMatchObject([
    { member: true, why: { entities: [{ where: [{ actual: `${'x'.repeat(1000)}…` }] }] } },
  ])
})
