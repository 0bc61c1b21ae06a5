import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { testService } from '../../testing/hooks.ts'

const service = testService()
const migration = readFileSync(path.join(import.meta.dirname, '0011-audit.sql'), 'utf8')
const tables = ['audit', 'audit_keys', 'audit_met', 'audit_hours', 'audit_days', 'audit_people']

async function rows(): Promise<unknown[]> {
  const each = tables.map((name) => `select '${name}' as name, to_jsonb(t) as row from ${name} t`)
  return (await service.database.pool.query(`${each.join(' union all ')} order by 1, 2`)).rows
}

test('reads, checks and changes from before are in the audit as later ones are', async () => {
  const { pool, sql: database } = service.database
  const iban = { key: 'iban', type: 'TEXT', value: 'x', sensitive: true }
  const owner = async () => {
    const user = await service.create('steward', '/users', { properties: [iban] })
    await service.call('steward', 'GET', `/users/${user}/entities`)
    await service.call('support', 'POST', `/users/${user}/check`, { keys: ['iban'], value: 'y' })
    return user
  }
  const first = await owner()
  await owner()
  // Adds events of other days and hours.
  await pool.query(
    `
    insert into event_inbox (id, eventtime, type, properties)
    select gen_random_uuid(), '2024-03-01T00:00:00'::timestamp + n * interval '50 minutes', 'SENSITIVE_DATA_ACCESSED',
      jsonb_build_object('user', $1::text, 'actor', 'steward', 'keys', '["iban","bic"]') from generate_series(1, 60) n`,
    [first],
  )
  await service.call('admin', 'GET', '/audit')
  const before = await rows()
  expect(before.length).toBeGreaterThan(200)
  // This event is still in the inbox when the migration runs.
  const late = await service.create('steward', '/users', { properties: [iban] })
  await sql.raw(`drop table ${tables.join()}; alter table event_inbox drop column keys`).execute(database)
  await database.transaction().execute((transaction) => sql.raw(migration).execute(transaction))
  expect(await rows()).toEqual(before)
  const { body } = await service.call('admin', 'GET', `/audit?user=${late}`)
  expect(body).toMatchObject({ rows: [{ kind: 'change', keys: ['iban'] }] })
})
