import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

import type { Entity } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

/** Number of pairs of simultaneous writes in each of the first two tests. */
const pairs = Number(process.env.PATCH_PAIRS ?? 500)

const service = testService()
let user: string
let path: string

beforeEach(async () => {
  await service.reset()
  user = await create('/users', {})
  path = `/users/${user}/entities/${await create(`/users/${user}/entities`, { type: 'person', properties: [] })}`
})

async function create(where: string, body: object): Promise<string> {
  return await service.create('admin', where, body)
}

const patch = async (key: string, value: string, sensitive = false) =>
  (await service.call('steward', 'PATCH', path, { properties: [{ key, type: 'TEXT', sensitive, value }] }))
    .status

async function values(): Promise<Record<string, unknown>> {
  const { properties } = (await service.call('steward', 'GET', path)).body as Entity
  return Object.fromEntries(properties.map(({ key, value }) => [key, value]))
}

interface Written {
  key: string
  before?: unknown
  after: unknown
}

/** Returns the changes from each of the entity's events, in log order, without its creation. */
async function log(): Promise<Written[]> {
  // Reading the log assigns positions to waiting events.
  await service.call('admin', 'GET', '/events')
  const { rows } = await sql<{ changes: Written[] }>`
    select c.changes from events e join changesets c on c.id = (e.properties ->> 'changeset')::uuid
    where e.type = 'DIRECT_DATA_CHANGE' order by e.seq offset 1`.execute(service.database.sql)
  return rows.flatMap(({ changes }) => changes)
}

test(
  `${pairs} pairs, each write to its own key: none is lost, and each has its event`,
  async () => {
    const keys = ['a', 'b'] as const
    for (let pair = 0; pair < pairs; pair += 1) {
      const statuses = await Promise.all(keys.map((key) => patch(key, `${key}${pair}`)))
      expect(statuses).toEqual([204, 204])
    }
    expect(await values()).toEqual({ a: `a${pairs - 1}`, b: `b${pairs - 1}` })
    const written = await log()
    for (const key of keys) {
      const own = written.filter((change) => change.key === key)
      expect(own.map(({ after }) => after)).toEqual(
        Array.from({ length: pairs }, (_, pair) => `${key}${pair}`),
      )
      // Each change starts from the previous one: no write was based on a stale state.
      for (const [index, { before }] of own.entries()) expect(before).toBe(own[index - 1]?.after)
    }
    expect(written).toHaveLength(2 * pairs)
  },
  60_000 + pairs * 200,
)

test(
  `${pairs} pairs on one key: the last one wins, and each has its event`,
  async () => {
    for (let pair = 0; pair < pairs; pair += 1) {
      const statuses = await Promise.all(['x', 'y'].map((side) => patch('a', `${side}${pair}`)))
      expect(statuses).toEqual([204, 204])
    }
    const written = await log()
    expect(written).toHaveLength(2 * pairs)
    for (const [index, { before, after }] of written.entries()) {
      expect(before).toBe(written[index - 1]?.after)
      expect(String(after).slice(1)).toBe(String(Math.floor(index / 2)))
    }
    expect(new Set(written.map(({ after }) => after)).size).toBe(2 * pairs)
    expect(await values()).toEqual({ a: written.at(-1)?.after })
  },
  60_000 + pairs * 200,
)

test('fifty pairs of new keys, every second one sensitive: none is lost', async () => {
  for (let pair = 0; pair < 50; pair += 1) {
    const statuses = await Promise.all([patch(`a${pair}`, 'open'), patch(`b${pair}`, 'secret', true)])
    expect(statuses).toEqual([204, 204])
  }
  const stored = Object.entries(await values())
  expect(stored).toHaveLength(100)
  for (const [key, value] of stored) expect(value).toBe(key.startsWith('a') ? 'open' : 'secret')
  expect(await log()).toHaveLength(100)
})

test('one of two changes that name the same state is done, the other refused, fifty times', async () => {
  for (let pair = 0; pair < 50; pair += 1) {
    const tag = (await service.call('steward', 'GET', path)).headers.get('etag') ?? ''
    const answers = await Promise.all(
      ['x', 'y'].map((side) =>
        service.call(
          'steward',
          'PATCH',
          path,
          { properties: [{ key: 'a', type: 'TEXT', value: `${side}${pair}` }] },
          { 'if-match': tag },
        ),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 412])
  }
  expect(await log()).toHaveLength(50)
})
