import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { testService } from '../../testing/hooks.ts'
import { inSteps } from './migrations.ts'

const service = testService()

test('an event that names an entity among several is found by an index, which may be made again', async () => {
  const { sql: handle } = service.database
  for (let round = 0; round < 2; round++) await inSteps('0018-events-of-several-entities.sql').up(handle)
  const plan = await handle.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction)
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select seq from events where properties ->> 'entities' is not null
        and (properties ->> 'entities')::jsonb ? ${crypto.randomUUID()}`.execute(transaction)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('events_entities_index')
})
