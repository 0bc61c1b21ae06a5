import { sql } from 'kysely'
import { expect, test } from 'vitest'

import type { Entity } from '#contract/index.ts'
import { seededRandom, whole } from '../demo/random.ts'
import { testService } from '../testing/hooks.ts'
import { conditionOf } from './conditions.ts'
import { readFilter } from './facts.ts'

const service = testService()

const users = 4
const steps = 160
const types = ['car', 'boat']
const wanted = types.flatMap((entity) => [2, 3, 4].map((min) => ({ entity, min })))

test('a user with several entities of a type is found, whatever became of them before', async () => {
  const random = seededRandom(11)
  const owners: string[] = []
  for (let n = 0; n < users; n++) owners.push(await service.create('steward', '/users', {}))
  const entitiesOf = async (user: string): Promise<Entity[]> =>
    (await service.call('steward', 'GET', `/users/${user}/entities`)).body
  const deleted: string[] = []
  const found = new Set<string>()
  for (let step = 0; step < steps; step++) {
    const user = owners[whole(random, 0, users - 1)] ?? ''
    const entities = await entitiesOf(user)
    const path = `/users/${user}/entities/${entities[whole(random, 0, entities.length - 1)]?.id}`
    const type = types[whole(random, 0, 1)]
    const chance = random()
    if (chance < 0.4 || entities.length === 0)
      await service.create('steward', `/users/${user}/entities`, { type, properties: [] })
    else if (chance < 0.65) {
      expect((await service.call('steward', 'DELETE', path)).status).toBe(204)
      deleted.push(path)
    } else if (chance < 0.85)
      expect((await service.call('steward', 'PUT', path, { type, properties: [] })).status).toBe(204)
    else if (deleted.length > 0)
      expect((await service.call('steward', 'POST', `${deleted.pop()}/restore`)).status).toBe(204)
    if (step % 2 > 0) continue
    const has = await Promise.all(owners.map(entitiesOf))
    for (const filter of wanted) {
      // Runs the set query directly, because a page with so few users would check them one by one.
      const { where } = conditionOf(readFilter({ filter, tz: null }), service.database)
      const { rows } = await sql<{ id: string }>`select id from users u where ${where} order by id`.execute(
        service.database.sql,
      )
      const expected = owners.filter(
        (_, at) => (has[at] ?? []).filter((each) => each.type === filter.entity).length >= filter.min,
      )
      expect(rows.map(({ id }) => id)).toEqual(expected.toSorted())
      if (expected.length > 0) found.add(JSON.stringify(filter))
    }
  }
  expect(found.size).toBe(wanted.length)
})

test('a user who gets two entities of a type at the same time is found', async () => {
  const owners = await Promise.all(Array.from({ length: 8 }, () => service.create('steward', '/users', {})))
  const add = (user: string) =>
    service.create('steward', `/users/${user}/entities`, { type: 'bike', properties: [] })
  await Promise.all([...owners, ...owners].map(add))
  const filter = { entity: 'bike', min: 2 }
  const { where } = conditionOf(readFilter({ filter, tz: null }), service.database)
  const { rows } = await sql`select id from users u where ${where}`.execute(service.database.sql)
  expect(rows).toHaveLength(owners.length)
})
