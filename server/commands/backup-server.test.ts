// Runs the commands of docs/operations.md, "Back up and restore", for a PostgreSQL server exactly as printed there.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { readStoreConfig } from '../config.ts'
import { openDatabase } from '../sealing/database.ts'
import { addUser, commands, lookInto, run, withStore } from '../testing/backup.ts'
import { fastestFolder } from '../testing/folder.ts'
import { startTestService, testKeys, type TestService } from '../testing/service.ts'
import { TestPostgres } from '../testing/test-postgresql.ts'

const [dump, restore, dumpEmbedded, exportKeys] = commands.slice(5)

const root = fs.mkdtempSync(path.join(fastestFolder(), 'data-store-dumps-'))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))
const at = (name: string) => path.join(root, name)

// Version of Debian's pg_dump: the server from npm comes without dump programs.
const [, version] =
  /\b(\d+)\.\d+/.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? []

async function fill(service: TestService) {
  await service.call('admin', 'POST', '/subscriptions', { url: 'https://example.org/' })
  for (let n = 0; n < 10; n++) await addUser(service, `user${n}`)
  await service.call('steward', 'DELETE', `/users/${await addUser(service, 'gone')}`)
}

/** Creates an empty database with its own role. */
async function createDatabase(postgres: TestPostgres): Promise<string> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('create role restorer login')
  await client.query('create database restored owner restorer')
  await client.end()
  return postgres.url.replace('//postgres@', '//restorer@').replace('/postgres', '/restored')
}

describe.runIf(version !== undefined && fs.existsSync('/usr/lib/postgresql'))('a server', () => {
  let postgres: TestPostgres
  let service: TestService
  beforeAll(async () => {
    postgres = await TestPostgres.make({ programs: 'debian' })
    service = await startTestService({
      database: await openDatabase({ databaseUrl: postgres.url }, testKeys),
    })
    await fill(service)
  })
  afterAll(async () => {
    await service.close()
    await postgres.remove()
  })

  test('comes back from a dump row for row, as another role, with values, keys, webhooks and events', async () => {
    const BACKUP = at('dump')
    const dumped = await run(dump, { BACKUP, DATABASE_URL: postgres.url })
    expect(dumped).toEqual({ status: 0, out: '', problem: '' })
    const RESTORED_URL = await createDatabase(postgres)
    expect(await run(restore, { BACKUP, RESTORED_URL })).toEqual({ status: 0, out: '', problem: '' })
    const found = await withStore({ databaseUrl: RESTORED_URL }, lookInto, testKeys)
    expect(found).toEqual(await lookInto(service.database))
    expect(found.values.entities).toHaveLength(10)
  })
})

describe('an embedded store that moves to a server', () => {
  const dataDir = at('data')
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ dataDir })
    await fill(service)
  })
  afterAll(() => service.close())

  test.runIf(version !== undefined)(
    `is dumped through its socket, by a pg_dump that is not older (here: ${version})`,
    async () => {
      const ended = await run(dumpEmbedded, { BACKUP: at('moving'), DATA_DIR: dataDir })
      if (Number(version) < 18) {
        expect(ended).toMatchObject({
          status: 1,
          problem: expect.stringContaining('aborting because of server version mismatch'),
        })
        expect(ended.problem).toContain('server version: 18.')
        return
      }
      expect(ended).toEqual({ status: 0, out: '', problem: '' })
      const postgres = await TestPostgres.make()
      try {
        const RESTORED_URL = await createDatabase(postgres)
        expect(await run(restore, { BACKUP: at('moving'), RESTORED_URL })).toMatchObject({
          status: 0,
          problem: '',
        })
        const { keys } = await settingsOf(dataDir)
        expect(await withStore({ databaseUrl: RESTORED_URL }, lookInto, keys)).toEqual(
          await lookInto(service.database),
        )
      } finally {
        await postgres.remove()
      }
    },
  )

  test('opens with the key that it had as a setting', async () => {
    const before = await lookInto(service.database)
    await service.close()
    const { store, keys } = await settingsOf(dataDir)
    expect(await withStore(store, lookInto, keys)).toEqual(before)
    service = await startTestService({ dataDir })
  })
})

async function settingsOf(dataDir: string) {
  const { out } = await run(`${exportKeys} printenv ENCRYPTION_KEYS`, { DATA_DIR: dataDir })
  return readStoreConfig({ DATA_DIR: dataDir, ENCRYPTION_KEYS: out })
}
