import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { testService } from '../../testing/hooks.ts'
import { inSteps } from './migrations.ts'

const service = testService()

test('events by an actor are found by an index, which may be made again, and no name is too long for it', async () => {
  const { sql: handle } = service.database
  await sql`
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), now() at time zone 'UTC', 'A',
      jsonb_build_object('actor', (select string_agg(md5(n::text), '') from generate_series(1, 500) n))`.execute(
    handle,
  )
  expect((await service.call('admin', 'GET', '/events')).body).toHaveLength(1)
  for (let round = 0; round < 2; round++) await inSteps('0021-actors-of-events.sql').up(handle)
  const plan = await handle.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select seq from events
      where left(properties ->> 'actor', 200) collate "C" = 'steward' and type collate "C" = 'A'
        and (case when delivered then 'delivered' else undelivered end) = 'none' and -seq <= 0
      order by -seq limit 100`.execute(transaction)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('events_actor_index')
})
