// Tests of the thread that works on jobs, with the files that it runs from.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'

import { JobThread } from './job-thread.ts'
import { openDatabase } from './sealing/database.ts'
import { testService } from './testing/hooks.ts'
import { idOf, startTestService, type TestService } from './testing/service.ts'

const service = testService()
const settings = { logLevel: 'silent', sensitiveReads: 'values' } as const

async function newUser(own: TestService): Promise<string> {
  const id = idOf(await own.call('steward', 'POST', '/users', {}))
  await own.call('steward', 'POST', `/users/${id}/entities`, { type: 'person' })
  return id
}

/** Begins a job that gives a user a sensitive value. */
async function begin(own: TestService, user: string): Promise<string> {
  const set = { entity: 'person', key: 'plate', type: 'TEXT', value: 'B-XY 1', sensitive: true }
  return idOf(await own.call('steward', 'POST', '/users/batch', { ids: [user], set }))
}

async function waitFor(own: TestService, job: string, state: string): Promise<void> {
  await vi.waitFor(
    async () => expect((await own.call('steward', 'GET', `/jobs/${job}`)).body).toMatchObject({ state }),
    { timeout: 60_000 },
  )
}

test('a job goes on while the thread that answers requests can do nothing else', async () => {
  const jobs = new JobThread(service.database, settings)
  onTestFinished(() => jobs.stop())
  const user = await newUser(service)
  const locked = await service.database.pool.connect()
  onTestFinished(() => locked.release(true))
  await locked.query('begin')
  await locked.query('select 1 from users where id = $1 for update', [user])
  const { rows } = await locked.query<{ pid: number }>('select pg_backend_pid() as pid')
  const job = await begin(service, user)
  await waitFor(service, job, 'running')
  // Frees the user, and waits until the job has ended, while this thread waits for the process that does so.
  const frees = `
    import { Client } from 'pg'
    const { server, pid, job } = JSON.parse(process.argv[1])
    const client = new Client(server)
    await client.connect()
    await client.query('select pg_terminate_backend($1::int)', [pid])
    for (let state; state !== 'finished'; )
      state = (await client.query('select state from jobs where id = $1', [job])).rows[0].state
    process.exit()`
  const given = JSON.stringify({ server: service.database.place.server, pid: rows[0]?.pid, job })
  const { status, stderr } = spawnSync('node', ['--input-type=module', '-e', frees, given], {
    cwd: import.meta.dirname,
    timeout: 60_000,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

/** Opens a store of a folder of its own, with a service on it. */
async function openEmbedded() {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-jobs-'))
  fs.chmodSync(dataDir, 0o711)
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }))
  const database = await openDatabase({ dataDir }, undefined)
  const own = await startTestService({ database })
  onTestFinished(() => own.close())
  return { database, own }
}

test('a job whose process was killed goes on at once on an embedded store', async () => {
  const { database, own } = await openEmbedded()
  const job = await begin(own, await newUser(own))
  await sql`update jobs set state = 'running', leased = 'infinity'`.execute(database.sql)
  const jobs = new JobThread(database, settings)
  onTestFinished(() => jobs.stop())
  await waitFor(own, job, 'finished')
})

test('a job seals under the master key of the moment, also after it was replaced', async () => {
  const { database, own } = await openEmbedded()
  const jobs = new JobThread(database, settings)
  onTestFinished(() => jobs.stop())
  const { keyring, file } = database.keys
  const masterOf = async (user: string) => {
    const job = await begin(own, user)
    await waitFor(own, job, 'finished')
    const { rows } = await sql<{ master: string }>`
      select master from user_keys where user_id = ${user}::uuid`.execute(database.sql)
    return rows[0]?.master
  }
  const before = keyring.current
  expect(await masterOf(await newUser(own))).toBe(before)
  keyring.replace(file?.add() ?? keyring.masters)
  expect(keyring.current).not.toBe(before)
  expect(await masterOf(await newUser(own))).toBe(keyring.current)
})
