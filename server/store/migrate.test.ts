import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Kysely, sql } from 'kysely'
import type { Migration, MigrationProvider } from 'kysely/migration'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import type { Database } from '../sealing/database.ts'
import { openTestDatabase } from '../testing/service.ts'
import { migrate, MigratingDialect } from './migrate.ts'
import { inSteps, migrations, statements } from './migrations/migrations.ts'

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

const own = Object.keys(await migrations().getMigrations())
const newest = own.at(-1)?.slice(0, 4)

/** Returns the migrations of a version that has `added` besides those of this version. */
function version(added: Readonly<Record<string, string>>, kind = statements): MigrationProvider {
  const more = Object.entries(added).map(([name, text]): [string, Migration] => {
    const file = path.join(folder, `${name}.sql`)
    writeFileSync(file, text)
    return [name, kind(file)]
  })
  return {
    getMigrations: async () => ({ ...(await migrations().getMigrations()), ...Object.fromEntries(more) }),
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

test('each migration is done whole or not at all, and those before it stay', async () => {
  const added = { '9001-good': 'create table good ()', '9002-bad': 'create table bad (); select 1 / 0' }
  await expect(migrate(database.sql, { provider: version(added) })).rejects.toThrow('division by zero')
  expect(await done(database.sql)).toEqual([...own, '9001-good'])
  const { rows } = await database.pool.query(
    `select to_regclass('good') is null as a, to_regclass('bad') is null as b`,
  )
  expect(rows).toEqual([{ a: false, b: true }])
})

const index = `drop index concurrently if exists nicknames;
create index concurrently nicknames on users (ref, since);
`

test('a long migration runs in steps, between migrations that run in one transaction', async () => {
  const whole = version({ '9001-before': 'create table before ()', '9003-after': 'create table after ()' })
  const steps = version({ '9002-index': index }, inSteps)
  const provider = {
    getMigrations: async () => ({ ...(await whole.getMigrations()), ...(await steps.getMigrations()) }),
  }
  await migrate(database.sql, { provider })
  expect(await done(database.sql)).toEqual([...own, '9001-before', '9002-index', '9003-after'])
  const { rows } = await database.pool.query(
    `select indisvalid from pg_index where indexrelid = 'nicknames'::regclass`,
  )
  expect(rows).toEqual([{ indisvalid: true }])
})

describe('while others work', () => {
  test('an index is made in steps while others write', async () => {
    const writer = await database.pool.connect()
    const insert = 'insert into users (id, created, since) values (gen_random_uuid(), now(), now())'
    await writer.query('begin')
    await writer.query(insert)
    const migrating = migrate(database.sql, { provider: version({ '9001-index': index }, inSteps) })
    const isBuilding = `select from pg_stat_activity where datname = current_database()
      and query like 'create index concurrently%' and wait_event_type = 'Lock'`
    await vi.waitFor(
      async () => expect(await database.pool.query(isBuilding)).toMatchObject({ rowCount: 1 }),
      60_000,
    )
    await database.pool.query(insert)
    await writer.query('commit')
    writer.release()
    await migrating
  })

  test('services that start together make an index in steps only once, and do not stop each other', async () => {
    const provider = version({ '9001-index': index }, inSteps)
    const writer = await database.pool.connect()
    await writer.query(
      'begin; insert into users (id, created, since) values (gen_random_uuid(), now(), now())',
    )
    const both = [0, 1].map(() => {
      const db = new Kysely<unknown>({ dialect: new MigratingDialect({ pool: database.pool }) })
      return migrate(db, { provider })
    })
    const isBuilding = `select from pg_stat_activity where datname = current_database()
      and query like 'create index concurrently%' and wait_event_type = 'Lock'`
    const isAsking = `select from pg_stat_activity where datname = current_database()
      and query like '%pg_try_advisory_lock%' and pid <> pg_backend_pid()`
    for (const state of [isBuilding, isAsking])
      await vi.waitFor(
        async () => expect((await database.pool.query(state)).rowCount).toBeGreaterThan(0),
        60_000,
      )
    await writer.query('commit')
    writer.release()
    await Promise.all(both)
    expect(await done(database.sql)).toEqual([...own, '9001-index'])
  })

  test('a locked table is requested again, and others work with it in the meantime', async () => {
    const holder = await database.pool.connect()
    await holder.query('begin')
    await holder.query('select from users')
    const provider = version({ '9001-nickname': 'alter table users add column nickname text' })
    await expect(migrate(database.sql, { provider })).rejects.toThrow('Another connection has locked a table')
    expect(await done(database.sql)).toEqual(own)
    const said: string[] = []
    const migrating = migrate(database.sql, { provider, waitSeconds: 60, waiting: (line) => said.push(line) })
    await vi.waitFor(() => expect(said).not.toEqual([]), 60_000)
    await database.pool.query('select from users')
    await holder.query('commit')
    holder.release()
    await migrating
  })
})
