import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { conditionOf } from '../../segments/conditions.ts'
import { readFilter } from '../../segments/facts.ts'
import { testService } from '../../testing/hooks.ts'
import { isDistributed } from '../distributed.ts'
import { countOfTypes } from './0015-who-has-several.ts'
import { inSteps, statements } from './migrations.ts'

const service = testService()

test('who had several of a type before is found, and who gets them from a process of the release before', async () => {
  const { pool, sql: handle } = service.database
  const user = async (name: string, ...entities: string[]) => {
    const id = await service.create('steward', '/users', { name })
    for (const type of entities)
      await service.create('steward', `/users/${id}/entities`, { type, properties: [] })
    return id
  }
  const boat = await user('Retyped', 'car', 'boat')
  const added = await user('Added', 'car')
  await user('Before', 'car', 'boat', 'car', 'car')
  await user('One', 'car', 'boat')
  // Dropping the function also drops its trigger; with distributed users there is no trigger.
  await pool.query('drop function entities_not_counted cascade')
  await pool.query('alter table entities drop column nth_of_type')

  const before = statements('0014-which-of-its-type.sql')
  await handle.transaction().execute((transaction) => before.up(transaction))
  // Sorts after every id that the service gives: an id before them makes the other car the second one.
  const insert = `insert into entities (user_id, id, type, created, properties)
      values ($1, 'ffffffff-ffff-4fff-bfff-ffffffffffff', 'car', now(), '{}')`
  const retype = `update entities set type = 'car', properties = '{}' where user_id = $1 and type = 'boat'`
  await pool.query(insert, [added])
  // Runs twice from the beginning, as after a crash, a few at a time.
  for (const atOnce of [1, 2])
    await inSteps('0015-who-has-several.sql', (db) => countOfTypes(db, atOnce)).up(handle)
  await pool.query(retype, [boat])

  // Uses the set query, because a page with so few users would check them one by one.
  const namesOf = async (min: number) => {
    const filter = { entity: 'car', min }
    const { where } = conditionOf(readFilter({ filter, tz: null }), service.database)
    const found = await sql<{ name: string }>`select name from users u where ${where} order by name`.execute(
      handle,
    )
    return found.rows.map(({ name }) => name)
  }
  expect(await namesOf(2)).toEqual(['Added', 'Before', 'Retyped'])
  expect(await namesOf(3)).toEqual(['Before'])
  // Only entities after the first of their type are numbered and in the index; with distributed users, all are.
  const { rows } = await pool.query('select count(*)::int as later from entities where nth_of_type > 1')
  expect(rows).toEqual([{ later: isDistributed(handle) ? 10 : 4 }])
})
