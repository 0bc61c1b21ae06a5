import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { testService } from '../../testing/hooks.ts'

const service = testService()

const migration = ['0008-states-of-events.sql', '0009-counts-of-events.sql', '0010-ages-of-deliveries.sql']
  .map((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8'))
  .join('\n')

test('earlier events have the state of their deliveries, and are counted so', async () => {
  const { sql: database, pool } = service.database
  const url = 'https://example.org/'
  for (let n = 0; n < 2; n++) await service.call('admin', 'POST', '/subscriptions', { url })
  for (let n = 0; n < 4; n++) await service.create('support', '/users', {})
  const log: Event[] = (await service.call('admin', 'GET', '/events?type=USER_CREATED')).body
  const { rows } = await pool.query<{ seq: number }>(
    `select seq from events where type = 'USER_CREATED' order by seq`,
  )
  const [waiting, failed, delivered, none] = rows.map(({ seq }) => seq)
  await sql`update deliveries set state = 'delivered' where seq = ${delivered}`.execute(database)
  await sql`update events set delivered = true where seq = ${delivered}`.execute(database)
  await sql`delete from deliveries where seq = ${none}`.execute(database)
  await sql`
    update deliveries set state = case when subscription_id = (select max(id::text) from subscriptions)::uuid
      then 'failed' else 'waiting' end
    where seq = ${failed}`.execute(database)
  await sql`
    update deliveries set state = 'delivered'
    where seq = ${waiting} and subscription_id = (select max(id::text) from subscriptions)::uuid`.execute(
    database,
  )
  await sql
    .raw(
      `alter table deliveries drop column done; alter table subscriptions drop column pruned;
       drop table event_counts; drop index events_state_index; alter table events drop column undelivered;
       create index events_type_index on events (type collate "C", delivered, (-seq))`,
    )
    .execute(database)
  await sql.raw(migration).execute(database)
  const { rows: ages } = await pool.query('select distinct done is null as ageless from deliveries')
  expect(ages).toEqual([{ ageless: false }])
  const states = await Promise.all(
    log.map(async ({ id }) => (await service.call('admin', 'GET', `/events/${id}?with=delivery`)).body),
  )
  expect((states as Event[]).map(({ delivery }) => delivery?.state)).toEqual([
    'waiting',
    'failed',
    'delivered',
    'none',
  ])
  expect((await service.call('admin', 'GET', '/events/counts?type=USER_CREATED')).body).toMatchObject({
    series: [{ types: { USER_CREATED: 4 }, states: { delivered: 1, waiting: 1, failed: 1, none: 1 } }],
  })
})
