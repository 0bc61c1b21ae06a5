import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { readConfig } from '../config.ts'
import { loadVolume } from '../demo/volume.ts'
import { type Database, openDatabase } from '../sealing/database.ts'
import { testService } from '../testing/hooks.ts'
import { isOnAnotherDatabase } from '../testing/postgresql.ts'
import { openContents } from '../testing/service.ts'

/** Counts the rows. `total` is the user list's own total; `positions` follows from the newest event's position. */
async function counts({ pool }: Database) {
  const { rows } = await pool.query(`select
    (select count(*)::int from users) as users,
    (select sum(users)::int from user_counts) as total,
    (select count(*)::int from entities) as entities,
    (select count(*)::int from events) as events,
    (select count(distinct id)::int from events) as different,
    (select coalesce(max(seq) + 1, 0)::int from events) as positions,
    (select count(*)::int from event_inbox) as waiting`)
  return rows[0] as Record<string, number>
}

/** Expected counts after a complete load of this many users. */
function whole(users: number) {
  return {
    users,
    total: users,
    // One and a half entities per user.
    entities: expect.toSatisfy((n: number) => Math.abs(n / users - 1.5) < 0.1),
    events: expect.any(Number),
    waiting: 0,
  }
}

function expectWhole(found: Record<string, number>, users: number) {
  expect(found).toMatchObject(whole(users))
  expect(found['events']).toBe(users + (found['entities'] ?? 0))
  expect(found).toMatchObject({ different: found['events'], positions: found['events'] })
}

describe('loading many users', () => {
  const service = testService()
  beforeEach(() => service.reset())

  async function people() {
    const { rows } = await service.database.pool.query(
      `select md5(string_agg(u::text, '' order by id)) as users from users u`,
    )
    const { entities } = await openContents(service.database)
    return { users: rows, entities: createHash('sha256').update(JSON.stringify(entities)).digest('hex') }
  }

  test('continues where it was interrupted, and further with a larger number', async () => {
    const { database } = service
    await loadVolume(database, 3200)
    const atOnce = await people()
    expectWhole(await counts(database), 3200)

    await service.reset()
    const stop = new AbortController()
    const interrupted = await loadVolume(database, 2500, {
      progress: () => stop.abort(),
      signal: stop.signal,
    })
    expect(interrupted).toEqual({ there: 1000, added: 1000 })
    expectWhole(await counts(database), 1000)

    expect(await loadVolume(database, 2500)).toEqual({ there: 2500, added: 1500 })
    expect(await loadVolume(database, 2500)).toEqual({ there: 2500, added: 0 })
    expect(await loadVolume(database, 3200)).toEqual({ there: 3200, added: 700 })
    expectWhole(await counts(database), 3200)
    expect(await people()).toEqual(atOnce)
  })

  test('changes nothing that is there, and leaves out users whose e-mail is taken', async () => {
    const given = { email: 'User.5@example.org', name: 'Ana' }
    const id = await service.create('support', '/users', given)
    const before = (await service.call('support', 'GET', `/users/${id}`)).body as object
    expect(await loadVolume(service.database, 20)).toEqual({ there: 19, added: 19 })
    const { invite_url: _, ...after } = (await service.call('support', 'GET', `/users/${id}`)).body as {
      invite_url: string
    }
    expect(before).toMatchObject(after)
    expect((await service.call('support', 'GET', `/users/${id}/entities`)).body).toEqual([])
    expect(await counts(service.database)).toMatchObject({ users: 20, total: 20, waiting: 0 })
  })

  test('makes entities that the API takes back as they are, with what is sensitive marked', async () => {
    await loadVolume(service.database, 40)
    expect(await counts(service.database)).toMatchObject({ waiting: 0 })
    const { rows } = await service.database.pool.query(
      'select distinct on (type) user_id, id from entities order by type, id',
    )
    expect(rows).toHaveLength(2)
    for (const { user_id, id } of rows as { user_id: string; id: string }[]) {
      const address = `/users/${user_id}/entities/${id}`
      const { body } = await service.call('admin', 'GET', address)
      expect((body as { properties: unknown[] }).properties).toHaveLength(6)
      expect(await service.call('admin', 'PUT', address, body)).toMatchObject({ status: 204 })
      expect((await service.call('admin', 'GET', address)).body).toEqual(body)
    }
    const { rows: sensitive } = await service.database.pool.query(`select distinct key
      from entities e, jsonb_each(e.properties) as p (key, property) where property @> '{"sensitive":true}' order by 1`)
    expect(sensitive).toEqual([{ key: 'phone' }, { key: 'plate' }])
  })
})

describe.skipIf(isOnAnotherDatabase())('npm run load', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'data-store-load-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Runs the command; `endAt` is the signal to send on its first output. */
  function load(args: readonly string[], endAt?: NodeJS.Signals) {
    return new Promise<{ status: number | null; out: string; problem: string }>((resolve, reject) => {
      const child = spawn(process.execPath, [path.join(import.meta.dirname, 'load.ts'), ...args], {
        env: { PATH: process.env['PATH'], DATA_DIR: folder },
      })
      let out = ''
      let problem = ''
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString()
        // Send the signal once: a second Ctrl-C does not wait for the batch.
        if (endAt && !child.killed) child.kill(endAt)
      })
      child.stderr.on('data', (chunk: Buffer) => (problem += chunk.toString()))
      child.on('error', reject)
      child.on('close', (status) => resolve({ status, out, problem }))
    })
  }

  test('explains itself, and says in words what is wrong with what it was given', async () => {
    expect(await load(['--help'])).toMatchObject({
      status: 0,
      out: expect.stringContaining('npm run load -- --users <number>'),
    })
    expect(await load([])).toMatchObject({
      status: 1,
      problem: expect.stringContaining('Say how many users.'),
    })
    expect(await load(['--', '--users', 'many'])).toMatchObject({
      status: 1,
      problem: '--users many: give a whole number from 1 to 10,000,000.\n',
    })
  })

  test('survives Ctrl-C and being killed, and completes the load when it is run again', async () => {
    const stopped = await load(['--users', '3000'], 'SIGINT')
    expect(stopped).toMatchObject({ status: 130, problem: '' })
    expect(stopped.out).toMatch(
      /Stopped at [\d,]+ of 3,000 users\. Each of them is complete\. Run it again to continue\.\n$/,
    )

    const killed = await load(['--users', '5000'], 'SIGKILL')
    expect(killed).toMatchObject({ status: null, problem: '' })

    const done = await load(['--', '--users', '5000'])
    expect(done).toMatchObject({ status: 0, problem: '' })
    expect(done.out).toMatch(/5,000 users are there, [\d,]+ of them new/)

    const database = await openDatabase({ dataDir: folder }, readConfig({ DATA_DIR: folder }).keys)
    try {
      expectWhole(await counts(database), 5000)
      const taken = await load(['--users', '20'])
      expect(taken).toMatchObject({ status: 1, out: '' })
      expect(taken.problem).toMatch(
        /^The store was not filled: The data folder .* is in use by another process \(pid \d+\)\. Stop that process, or set DATA_DIR to another folder\. Nothing is damaged or lost by it\.\n$/,
      )
    } finally {
      await database.close()
    }
  })
})
