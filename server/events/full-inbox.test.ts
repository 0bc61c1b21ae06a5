import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { testService } from '../testing/hooks.ts'
import { numberEvents } from './storage.ts'

const service = testService()

test('an inbox that is far fuller than the engine believes is numbered in time', async () => {
  const { sql: database } = service.database
  const user = await service.create('steward', '/users', {})
  await numberEvents(database)
  const fill = async () =>
    await sql`
      insert into event_inbox (id, eventtime, type, properties)
      select gen_random_uuid(), now() at time zone 'UTC', 'SENSITIVE_DATA_ACCESSED',
        jsonb_build_object('user', ${user}::text, 'actor', 'support', 'keys', '["iban"]')
      from generate_series(1, 20000)`.execute(database)
  // Statistics are mostly collected while the inbox is empty, so the planner expects one row, however many there are.
  await fill()
  await sql`delete from event_inbox`.execute(database)
  await sql`analyze event_inbox`.execute(database)
  await fill()
  // Must finish within the statement time-out.
  await numberEvents(database)
  const { rows } = await sql`
    select count(*)::int as events, max(seq)::int as last from events where type = 'SENSITIVE_DATA_ACCESSED'`.execute(
    database,
  )
  expect(rows).toEqual([{ events: 20_000, last: 20_000 }])
})
