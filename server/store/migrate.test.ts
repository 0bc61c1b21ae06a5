import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { type Kysely, sql } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'

import type { Database } from '../sealing/database.ts'
import { openTestDatabase } from '../testing.ts'
import { migrate } from './migrate.ts'
import { migrations, statements } from './migrations/migrations.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'data-store-migrations-'))
afterAll(() => rmSync(folder, { recursive: true }))

let database: Database
beforeEach(async () => {
  const opened = await openTestDatabase()
  database = opened.database
  onTestFinished(async () => {
    await database.close()
    await opened.drop()
  })
})

const own = Object.keys(await migrations.getMigrations())
const newest = own.at(-1)?.slice(0, 4)

/** A version that has these too. */
function version(added: Readonly<Record<string, string>>): MigrationProvider {
  const more = Object.entries(added).map(([name, text]): [string, Migration] => {
    const file = path.join(folder, `${name}.sql`)
    writeFileSync(file, text)
    return [name, statements(file)]
  })
  return {
    getMigrations: async () => ({ ...(await migrations.getMigrations()), ...Object.fromEntries(more) }),
  }
}

const refused = 'This store was made by another version of Data Store'
const done = async (db: Kysely<unknown>) =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)).rows.map(
    ({ name }) => name,
  )

test('a version starts on what a newer one has added to, and changes nothing', async () => {
  const added = {
    '9001-nickname': 'alter table users add column nickname text',
    '9002-table': 'create table more ()',
  }
  await migrate(database.sql, { provider: version(added) })
  await migrate(database.sql)
  expect(await done(database.sql)).toEqual([...own, ...Object.keys(added)])
})

test('a version is refused where a newer one has taken away what it needs', async () => {
  const added = {
    '9001-nickname': 'alter table users add column nickname text',
    '9002-table': 'create table more ()',
  }
  const without = { ...added, '9003-no-nickname-needs-9002': 'alter table users drop column nickname' }
  await migrate(database.sql, { provider: version(without) })
  await expect(migrate(database.sql)).rejects.toThrow(refused)
  await expect(migrate(database.sql, { provider: version({ '9001-nickname': '' }) })).rejects.toThrow(refused)
  await migrate(database.sql, { provider: version(added) })
  expect(await done(database.sql)).toEqual([...own, ...Object.keys(without)])
})

test('the oldest version that a newer one names is the one that may still start', async () => {
  await migrate(database.sql, {
    provider: version({ [`9001-less-needs-${newest}`]: 'create table less ()' }),
  })
  await migrate(database.sql)
})

test.each([
  ['has another beginning', `update kysely_migration set name = '0001-first' where name like '0001-%'`],
  ['lacks one that is known', `delete from kysely_migration where name like '0005-%'`],
  ['has one in between', `update kysely_migration set name = '0005-else' where name like '0005-%'`],
])('a store whose history %s is refused', async (_name, change) => {
  await database.pool.query(change)
  const before = await done(database.sql)
  await migrate(database.sql, { provider: version({ '9001-more': 'create table more ()' }) }).catch(() => {})
  await expect(migrate(database.sql)).rejects.toThrow(refused)
  expect(await done(database.sql)).toEqual(before)
})
