import { readFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { testService } from '../../testing/hooks.ts'

const service = testService()

const migration = readFileSync(path.join(import.meta.dirname, '0002-orders-of-users.sql'), 'utf8')

// A store is distributed only after it has been migrated.
const isOnOneMachine = !process.env.TEST_DATABASE_NODES
test.runIf(isOnOneMachine)(
  'a name without letters, stored before, has its place in the order of names',
  async () => {
    for (const name of ['Ana', '!!!', '']) await service.create('steward', '/users', { name })
    await sql
      .raw(`
      drop index users_since_id_index, users_without_email_index, users_without_name_index;
      delete from user_terms where term = ''`)
      .execute(service.database.sql)
    await sql.raw(migration).execute(service.database.sql)
    const { rows } = await service.database.pool.query('select term from user_terms where name order by term')
    expect(rows).toEqual([{ term: '' }, { term: 'ana' }])
    const list = await service.call('support', 'POST', '/users/search', { sort: 'name' })
    expect(list.body).toMatchObject({
      total: 3,
      users: [{ name: '!!!' }, { name: 'Ana' }, { name: 'Unknown user' }],
    })
  },
)
