import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

import type { Entity, Event } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const count = 200

const service = testService()
let user: string
let entity: string
let other: string

beforeEach(async () => {
  await service.reset()
  user = await service.create('admin', '/users', {})
  const id = await service.create('admin', `/users/${user}/entities`, { type: 'person', properties: [] })
  entity = `/users/${user}/entities/${id}`
  other = `/users/${await service.create('admin', '/users', {})}`
})

test(`${count} changes at once of one entity: each learns its result, and others are served at the same time`, async () => {
  const statuses = await allAtOnce([204, 412], 'PATCH', (index) => [
    entity,
    { properties: [{ key: `k${index}`, type: 'TEXT', value: 'x' }] },
  ])
  const done = statuses.flatMap((status, index) => (status === 204 ? [`k${index}`] : []))
  expect(done).not.toEqual([])
  expect((await properties()).toSorted()).toEqual(done.toSorted())
  expect((await history()).toSorted()).toEqual(done.toSorted())
})

test(`${count} at once that revert one change: others are served at the same time`, async () => {
  const plate = { key: 'plate', type: 'TEXT', value: 'M-AB 12' }
  await service.call('steward', 'PATCH', entity, { properties: [plate] })
  const { body } = await service.call('admin', 'GET', `/events?user=${user}&type=DIRECT_DATA_CHANGE`)
  const made = String((body as Event[]).at(-1)?.properties['changeset'])
  const statuses = await allAtOnce([204, 409], 'POST', () => [`/changesets/${made}/revert`, {}])
  expect(statuses).toContain(204)
  expect(await properties()).toEqual([])
})

/** Sends `count` requests at once and keeps reading another user until all are answered. Returns their statuses. */
async function allAtOnce(
  usual: readonly number[],
  method: string,
  request: (index: number) => [path: string, body: unknown],
): Promise<number[]> {
  let answered = 0
  const sent = Array.from({ length: count }, async (_, index) => {
    const { status, headers } = await service.call('steward', method, ...request(index))
    answered++
    const isLater = [429, 503].includes(status) && headers.has('retry-after')
    return { status, isUsual: usual.includes(status) || isLater }
  })
  let meanwhile = 0
  for (; answered < count; meanwhile++) expect((await service.call('steward', 'GET', other)).status).toBe(200)
  const answers = await Promise.all(sent)
  expect(answers.filter(({ isUsual }) => !isUsual)).toEqual([])
  // Only 2 to 7 reads succeed if each has to wait for all earlier requests; more on PostgreSQL.
  expect(meanwhile).toBeGreaterThan(count / 5)
  return answers.map(({ status }) => status)
}

async function properties(): Promise<string[]> {
  const { body } = await service.call('steward', 'GET', entity)
  return (body as Entity).properties.map(({ key }) => key)
}

/** Returns the keys that the entity's events changed, oldest first. */
async function history(): Promise<string[]> {
  // Reading the log assigns positions to waiting events.
  await service.call('admin', 'GET', '/events')
  const { rows } = await sql<{ key: string }>`
    select change ->> 'key' as key from events e
    join changesets c on c.id = (e.properties ->> 'changeset')::uuid, jsonb_array_elements(c.changes) change
    where e.type = 'DIRECT_DATA_CHANGE' order by e.seq`.execute(service.database.sql)
  return rows.map(({ key }) => key)
}
