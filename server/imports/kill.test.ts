// Kills a service process while it checks, imports and undoes a file.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import type { Job } from '#contract/index.ts'
import { type Database, openDatabase } from '../sealing/database.ts'
import { storeFile, targetOf } from '../testing/imports.ts'
import { type KillableService, killableService } from '../testing/process.ts'
import { testKeys } from '../testing/service.ts'

const rows = 4000
const kills = 3

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-'))
// If the tests run as root, PostgreSQL runs as another account, which must be able to pass through.
fs.chmodSync(root, 0o755)
const dataDir = path.join(root, 'data')
let service: KillableService
beforeAll(async () => {
  service = await killableService({ DATA_DIR: dataDir })
})
afterAll(async () => {
  await service.close()
  fs.rmSync(root, { recursive: true, force: true })
})

/** Opens the store of the service while no process has it open. */
async function inStore<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  await service.kill()
  const database = await openDatabase({ dataDir }, testKeys)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function api(method: string, address: string, body?: object): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${service.port}/api${address}`, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`)
  return response
}

/** Kills the service again and again while it works on a job of `rows` rows, and waits for its end. */
async function killWithin(job: string, state: string): Promise<Job> {
  const read = async () => (await (await api('GET', `/jobs/${job}`)).json()) as Job
  for (let kill = 1; kill <= kills; kill++) {
    await vi.waitFor(
      async () => expect((await read()).done).toBeGreaterThan((rows * (kill - 0.9)) / (kills + 1)),
      {
        timeout: 60_000,
        interval: 5,
      },
    )
    await sleep(Math.random() * 200)
    await service.kill()
    await service.start()
  }
  return await vi.waitFor(
    async () => {
      const now = await read()
      expect(now.state).toBe(state)
      return now
    },
    { timeout: 120_000, interval: 100 },
  )
}

const count = async (database: Database, what: string) => {
  const { rows: found } = await sql<{
    count: number
  }>`select count(*)::int as count from ${sql.raw(what)}`.execute(database.sql)
  return found[0]?.count
}
const stored = async (database: Database) => ({
  users: await count(database, 'users'),
  entities: await count(database, 'entities'),
  changesets: await count(database, 'changesets'),
  created: await count(
    database,
    `(select type from events union all select type from event_inbox) as e where type = 'USER_CREATED'`,
  ),
  deleted: await count(
    database,
    `(select type from events union all select type from event_inbox) as e where type = 'USER_DELETED'`,
  ),
})

test(`through ${kills} kills each, a check, an import and its undo do every row once`, async () => {
  const file = Array.from({ length: rows }, (_, n) => [`ana.${n}@example.org`, `Ana ${n}`, `+49 30 ${n}`])
  const columns = [targetOf('.email'), targetOf('.name'), targetOf('phone')]
  const job = await inStore(
    async (database) => await storeFile(database, { columns, rows: file, role: 'admin', actor: 'test' }),
  )
  await service.start()
  await api('POST', `/imports/${job}/check`, {})
  expect((await killWithin(job, 'finished')).outcomes).toEqual({ created: rows })
  expect(await inStore(stored)).toEqual({ users: 0, entities: 0, changesets: 0, created: 0, deleted: 0 })
  await service.start()
  await api('POST', `/jobs/${job}/apply`)
  expect((await killWithin(job, 'finished')).outcomes).toEqual({ created: rows })
  expect(await inStore(stored)).toEqual({
    users: rows,
    entities: rows,
    changesets: 2 * rows,
    created: rows,
    deleted: 0,
  })
  await service.start()
  await api('POST', `/jobs/${job}/undo`)
  expect((await killWithin(job, 'undone')).undone).toEqual({ undone: rows })
  expect(await inStore(stored)).toEqual({
    users: 0,
    entities: 0,
    changesets: 0,
    created: rows,
    deleted: rows,
  })
}, 400_000)
