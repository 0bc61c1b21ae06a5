import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'

import type { Event } from '#contract/index.ts'
import { startTestService } from '../../testing.ts'
import { migrations } from './provider.ts'

const idOf = (number: number) => `01900000-0000-7000-8000-${String(number).padStart(12, '0')}`
const time = '2024-03-01 12:00:00.12'

test('reasons that stood in events in the open are sealed, and gone where their user is', async () => {
  const service = await startTestService()
  const { database } = service
  await sql`drop schema public cascade`.execute(database.sql)
  await sql`create schema public`.execute(database.sql)
  const migrator = new Migrator({ db: database.sql, provider: migrations(database.keys.keyring) })
  expect((await migrator.migrateTo('0006-webhooks')).error).toBeUndefined()
  const [ana, gone] = [idOf(1), idOf(2)]
  await sql`insert into users (id, created, since) values (${ana}, ${time}::timestamp, ${time}::timestamp)`.execute(
    database.sql,
  )
  // Before and after they have a position.
  for (const [id, user] of [
    [10, ana],
    [11, gone],
    [12, ana],
  ] as const) {
    const properties = { user, entity: idOf(20), actor: 'steward', keys: '["iban"]', reason: `canary ${id}` }
    await sql`
      insert into event_inbox (id, eventtime, type, properties)
      values (${idOf(id)}, ${time}::timestamp, 'SENSITIVE_DATA_ACCESSED', ${JSON.stringify(properties)}::jsonb)`.execute(
      database.sql,
    )
    if (id < 12)
      await sql`
        with moved as (delete from event_inbox returning id, eventtime, type, properties)
        insert into events (seq, id, eventtime, type, properties) select ${id}, * from moved`.execute(
        database.sql,
      )
  }
  expect((await migrator.migrateToLatest()).error).toBeUndefined()

  const { rows } = await sql<{ text: string }>`
    select e::text as text from events e union all select i::text from event_inbox i
    union all select r::text from reasons r`.execute(database.sql)
  expect(rows).toHaveLength(5)
  expect(rows.filter(({ text }) => text.includes('canary'))).toEqual([])

  const { body }: { body: Event[] } = await service.call('steward', 'GET', '/events?order=asc')
  expect(body.map(({ properties: { user, reason } }) => [user, reason])).toEqual([
    [ana, 'canary 10'],
    [gone, undefined],
    [ana, 'canary 12'],
  ])
  await service.call('admin', 'DELETE', `/users/${ana}`)
  expect((await sql`select from reasons`.execute(database.sql)).rows).toEqual([])
  await service.close()
}, 60_000)
