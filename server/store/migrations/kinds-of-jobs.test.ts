import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { testService } from '../../testing/hooks.ts'
import { statements } from './migrations.ts'

const service = testService({ jobs: true })

test('a job of the previous release sets a property, whether begun before the migration or after it', async () => {
  const handle = service.database.sql
  const user = await service.create('admin', '/users', { properties: [] })
  const set = { entity: 'person', key: 'plate', type: 'TEXT', value: 'B-XY 1' }
  const job = await service.create('steward', '/users/batch', { ids: [user], set })
  await sql`alter table jobs drop column kind`.execute(handle)
  await handle.transaction().execute((db) => statements('0023-kinds-of-jobs.sql').up(db))
  await sql`
    insert into jobs (id, actor, scopes, dry_run, asked, sealed, state, total, users, waiting, created, turn)
    select gen_random_uuid(), actor, scopes, dry_run, asked, sealed, 'finished', 0, 0, 0, created, turn
    from jobs`.execute(handle)
  const { body } = await service.call('steward', 'GET', '/jobs')
  expect(body).toMatchObject([{ kind: 'set' }, { kind: 'set' }])
  await expect
    .poll(async () => (await service.call('steward', 'GET', `/jobs/${job}`)).body)
    .toMatchObject({ state: 'finished', outcomes: { added: 1 } })
})
