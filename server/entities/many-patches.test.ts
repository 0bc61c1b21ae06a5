import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'

import type { Entity } from '#contract/index.ts'
import { testService } from '../testing-hooks.ts'

const count = 200

const service = testService()
let base: string
let authorization: string
let entity: string
let other: string

beforeAll(async () => {
  base = `http://127.0.0.1:${(await service.listen()).port}/api`
  authorization = `Bearer ${await service.token('steward')}`
  const user = await service.create('admin', '/users', {})
  const id = await service.create('admin', `/users/${user}/entities`, { type: 'person', properties: [] })
  entity = `${base}/users/${user}/entities/${id}`
  other = `${base}/users/${await service.create('admin', '/users', {})}`
})

test(`${count} at once of one entity: each is told what became of it, and others are served meanwhile`, async () => {
  let answered = 0
  const patches = Array.from({ length: count }, async (_, index) => {
    const response = await fetch(entity, {
      method: 'PATCH',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ properties: [{ key: `k${index}`, type: 'TEXT', value: 'x' }] }),
    })
    await response.arrayBuffer()
    answered++
    return { key: `k${index}`, ...told(response) }
  })
  let meanwhile = 0
  for (; answered < count; meanwhile++) {
    const response = await fetch(other, { headers: { authorization } })
    await response.arrayBuffer()
    expect(response.status).toBe(200)
  }
  const outcomes = await Promise.all(patches)
  const done = outcomes.filter(({ status }) => status === 204).map(({ key }) => key)
  expect(outcomes.filter(({ isUsual }) => !isUsual)).toEqual([])
  expect(done).not.toEqual([])
  // Two or three, where each has to wait until all who came before are done.
  expect(meanwhile).toBeGreaterThan(count / 10)

  const read = (await (await fetch(entity, { headers: { authorization } })).json()) as Entity
  expect(read.properties.map(({ key }) => key).toSorted()).toEqual(done.toSorted())
  expect((await history()).toSorted()).toEqual(done.toSorted())
}, 60_000)

const told = ({ status, headers }: Response) => ({
  status,
  isUsual: [204, 412].includes(status) || ([429, 503].includes(status) && headers.has('retry-after')),
})

/** The keys that the events of the entity tell of, without the event of its creation. */
async function history(): Promise<string[]> {
  // Reading the log is what numbers the events that wait.
  await service.call('admin', 'GET', '/events')
  const { rows } = await sql<{ key: string }>`
    select change ->> 'key' as key from events e
    join changesets c on c.id = (e.properties ->> 'changeset')::uuid, jsonb_array_elements(c.changes) change
    where e.type = 'DIRECT_DATA_CHANGE' order by e.seq`.execute(service.database.sql)
  return rows.map(({ key }) => key)
}
