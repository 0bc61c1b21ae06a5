import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { testService } from '../../testing/hooks.ts'
import { fillValueTerms } from './0004-values-to-search.ts'

const service = testService()

const table = readFileSync(path.join(import.meta.dirname, '0004-values-to-search.sql'), 'utf8')

test('entities that were stored before are found by the same terms as those that come after', async () => {
  const properties = [
    { key: 'phone', type: 'TEXT', value: '+33 6 12-34 56 78' },
    { key: 'mobile', type: 'TEXT', value: '00447700900123' },
    { key: 'plate', type: 'TEXT', value: 'ÄB-123-CD' },
    { key: 'street', type: 'TEXT', value: 'Große Straße 12, 3rd floor, left, back' },
    { key: 'order', type: 'NUMBER', value: 100_234 },
    { key: 'points', type: 'NUMBER', value: 12 },
    { key: 'balance', type: 'NUMBER', value: -1000 },
    { key: 'contact', type: 'EMAIL', value: 'Ana@Example.org' },
    { key: 'city', type: 'TEXT', value: 'Lyon' },
    { key: 'long', type: 'TEXT', value: '1'.repeat(65) },
    { key: 'none', type: 'TEXT', value: null },
    { key: 'secret', type: 'TEXT', sensitive: true, value: '4711' },
    { key: 'wide', type: 'TEXT', value: '１２３４' },
  ]
  for (let n = 0; n < 3; n++) await service.create('steward', '/users', { properties })
  const terms = async () =>
    (await service.database.pool.query('select * from value_terms order by user_id, entity_id, key, term'))
      .rows
  const written = await terms()
  expect(written.length).toBeGreaterThan(30)
  await sql.raw(`drop table value_terms; ${table}`).execute(service.database.sql)
  await fillValueTerms(service.database.sql)
  expect(await terms()).toEqual(written)
})
