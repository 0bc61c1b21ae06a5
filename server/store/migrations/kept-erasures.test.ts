import { sql } from 'kysely'
import { expect, test } from 'vitest'

import type { ErasureList } from '#contract/index.ts'
import { testService } from '../../testing/hooks.ts'
import { inSteps } from './migrations.ts'

const service = testService()

test('deletions from before are listed with what the log tells of them, and the release before removes none', async () => {
  const { pool, sql: handle, keys } = service.database
  const iban = { key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02' }
  const deleteOne = async (role: 'steward' | 'admin', properties: object[] = []) => {
    const user = await service.create('admin', '/users', { properties })
    await service.call(role, 'DELETE', `/users/${user}`)
    return user
  }
  const waits = await deleteOne('steward', [iban])
  const over = await deleteOne('admin')
  await service.call('admin', 'GET', '/events')
  // This event is still in the inbox when the migration runs.
  const late = await deleteOne('steward')
  await pool.query('alter table erasures drop column actor, drop column reference, drop column changeset')
  await pool.query('alter table erasures drop column final')
  await pool.query('delete from erasures where masters is null')
  await pool.query('alter table erasures alter column masters set not null')

  // Runs all of it twice, as after a crash.
  for (let round = 0; round < 2; round++) await inSteps('0016-kept-erasures.sql').up(handle)
  const list = async () =>
    ((await service.call('support', 'GET', '/erasures?state=all')).body as ErasureList).erasures
  const deleted = expect.any(String)
  const expected = [
    { user: late, deleted, state: 'final', actor: 'steward' },
    { user: over, deleted, state: 'final', actor: 'admin' },
    { user: waits, deleted, state: 'waiting', actor: 'steward' },
  ]
  expect(await list()).toEqual(expected)

  // Acts like a process of the previous release: records a deletion, lists the waiting ones, and deletes the final
  // ones.
  const older = `insert into erasures (user_id, deleted, masters) values (gen_random_uuid(), now() at time zone 'UTC', $1)`
  await pool.query(older, [[keys.keyring.current]])
  const { ids } = keys.keyring
  const { rows } = await sql`select 1 from erasures where masters && ${ids}::text[]`.execute(handle)
  expect(rows).toHaveLength(2)
  await sql`delete from erasures where not masters && ${ids}::text[]`.execute(handle)
  expect((await list()).slice(1)).toEqual(expected)
  expect((await list())[0]).not.toHaveProperty('actor')
})
