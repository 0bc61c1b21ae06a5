import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'

import { openDatabase } from '../sealing/database.ts'
import { startTestService, testKeys } from '../testing/service.ts'
import { canDistribute, distribute } from './distribute.ts'
import { isDistributed } from './distributed.ts'
import { migrate } from './migrate.ts'

const nodes = process.env.TEST_DATABASE_NODES?.split(' ')

/** Creates a database on several machines with all users still on the first one. */
async function makeUndistributed(): Promise<string> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  for (const node of nodes ?? []) {
    const client = new pg.Client({ connectionString: node })
    await client.connect()
    await client.query(`create database ${name} template template_of_machines`)
    await client.end()
  }
  const url = new URL(nodes?.[0] ?? '')
  url.pathname = name
  return url.href
}

test.runIf(nodes)('a store that has users is distributed as it is', async () => {
  const databaseUrl = await makeUndistributed()
  const pool = new pg.Pool({ connectionString: databaseUrl })
  const plain = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  await migrate(plain)
  const first = '01900000-0000-7000-8000-000000000000'
  await sql`insert into users (id, created, since) values (${first}::uuid, now(), now())`.execute(plain)
  const open = async () => await startTestService({ database: await openDatabase({ databaseUrl }, testKeys) })

  const before = await open()
  expect(isDistributed(before.database.sql)).toBe(false)
  const ana = await before.create('steward', '/users', {
    name: 'Ana',
    email: 'ana@example.org',
    ref: 'C-1',
    properties: [{ key: 'iban', type: 'TEXT', sensitive: true, value: 'DE02' }],
  })
  // Reading entities adds to the audit and the log, so the entities are read first here, and last after the move.
  const paths = [`/users/${ana}/entities`, '/users', `/users/${ana}`, '/audit', '/events']
  const seen = async (service: typeof before, paths: readonly string[]) => {
    const answers = new Map<string, object>()
    for (const path of paths) {
      const { status, body } = await service.call('admin', 'GET', path)
      answers.set(path, { status, body: JSON.stringify(body) })
    }
    return answers
  }
  const all = await seen(before, paths)
  await before.close()

  expect(await canDistribute(plain)).toBe(true)
  await distribute(plain)
  await distribute(plain)
  expect(await canDistribute(plain)).toBe(false)
  const { rows } = await sql<{ name: string }>`select table_name::text as name from citus_tables`.execute(
    plain,
  )
  expect(rows.map(({ name }) => name)).toContain('entities')
  await plain.destroy()

  const after = await open()
  expect(isDistributed(after.database.sql)).toBe(true)
  expect(await seen(after, paths.toReversed())).toEqual(all)
  const again = await after.call('steward', 'POST', '/users', { email: 'ANA@example.org' })
  expect(again.status).toBe(303)
  expect((await after.call('steward', 'PATCH', `/users/${first}`, { ref: 'C-1' })).status).toBe(409)
  expect((await after.call('steward', 'DELETE', `/users/${ana}`)).status).toBe(204)
  expect((await after.call('steward', 'PATCH', `/users/${first}`, { ref: 'C-1' })).status).toBe(303)
  expect((await after.call('admin', 'GET', '/users')).body).toMatchObject({ total: 1 })
  await after.close()
})
