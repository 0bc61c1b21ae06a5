import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { ErasureList } from '#contract/index.ts'
import type { Database } from '../sealing/database.ts'
import { Keyring } from '../sealing/encryption.ts'
import { KeyFile } from '../sealing/key-file.ts'
import { readKey } from '../sealing/master-keys.ts'
import { openContents, startTestService, type TestService } from '../testing/service.ts'
import { finaliseErasures } from './finalising.ts'

const iban = 'DE02120300000000202051'
const now = { now: true, graceMs: 0 } as const

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-erasure-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

/** Creates a user with a name, an e-mail and a sealed IBAN. */
async function addUser(service: TestService, name: string, value: string): Promise<string> {
  return await service.create('steward', '/users', {
    name: `${name} Brandvold`,
    email: `${name}.brandvold@example.org`,
    properties: [
      { key: 'iban', type: 'TEXT', sensitive: true, value },
      { key: 'town', type: 'TEXT', value: `${name}-Hausen` },
    ],
  })
}

async function ibanOf(service: TestService, user: string): Promise<unknown> {
  const { body } = await service.call('steward', 'GET', `/users/${user}/entities`)
  const [person] = body as { properties: { key: string; value: unknown }[] }[]
  return person?.properties.find(({ key }) => key === 'iban')?.value
}

const waiting = async (service: TestService, query = '') =>
  (await service.call('support', 'GET', `/erasures${query}`)).body as ErasureList

/** Returns the bytes of every file below the folder. A running PostgreSQL may remove one while they are read. */
function filesOf(at: string): { name: string; bytes: Buffer }[] {
  const names = fs.readdirSync(at, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => fs.statSync(path.join(at, name), { throwIfNoEntry: false })?.isFile())
    .map((name) => ({ name, bytes: fs.readFileSync(path.join(at, name)) }))
}

/** Returns which of these byte sequences occur in the folder, and in which files. */
function remains(at: string, needles: Readonly<Record<string, Buffer>>): Record<string, string[]> {
  const files = filesOf(at)
  const found = Object.entries(needles).map(([what, needle]): [string, string[]] => [
    what,
    files.filter(({ bytes }) => bytes.includes(needle)).map(({ name }) => name),
  ])
  return Object.fromEntries(found.filter(([, names]) => names.length > 0))
}

/** Returns all traces of a user's values: keys, what they open, and clear text. */
async function tracesOf({ sql: database }: Database, user: string, name: string) {
  const { rows } = await sql<{ wrapped: Buffer; sealed: string; blind: string }>`
    select wrapped, sealed ->> 'iban' as sealed, properties -> 'iban' -> 'blind' ->> 0 as blind
    from user_keys join entities using (user_id) where user_id = ${user}::uuid`.execute(database)
  const [row] = rows
  if (!row) throw new Error('The user has nothing sealed.')
  const masterText = fs.readFileSync(path.join(folder, 'encryption-key'), 'utf8').trim()
  const master = readKey(masterText)
  if (!master) throw new Error('There is no master key.')
  return {
    stored: { user, master: master.id, wrapped: row.wrapped },
    sealed: {
      'the master key': master.key,
      'the master key in base64': Buffer.from(masterText.split(':')[1] ?? ''),
    },
    rows: {
      'the wrapped key': row.wrapped,
      'the sealed value': Buffer.from(row.sealed),
      'the blind index': Buffer.from(row.blind),
      'the name': Buffer.from(`${name} Brandvold`),
      'the folded name': Buffer.from(`${name} Brandvold`.toLowerCase()),
      'the e-mail': Buffer.from(`${name.toLowerCase()}.brandvold@`),
      'the town': Buffer.from(`${name}-Hausen`),
    },
  }
}

describe('a deletion', () => {
  test('is final when nothing in the bytes of the folder leads back to the user; others keep theirs', async () => {
    let service = await startTestService({ dataDir: folder })
    // The deleted user is created last: nothing is written after it that would overwrite the bytes of its dead row.
    const staying = await addUser(service, 'Stella', 'DE75512108001245126199')
    const leaving = await addUser(service, 'Leopold', iban)
    const before = await waiting(service)
    expect(before).toEqual({ total: 0, finalBy: 'service', due: expect.any(String), erasures: [] })
    const traces = await tracesOf(service.database, leaving, 'Leopold')
    // Planner statistics quote values.
    await service.database.pool.query('analyze')
    expect((await service.call('admin', 'DELETE', `/users/${leaving}`)).status).toBe(204)

    const listed = await waiting(service)
    const [erasure] = listed.erasures
    expect(listed).toMatchObject({ total: 1, since: erasure?.deleted, erasures: [{ user: leaving }] })
    expect(Date.parse(erasure?.due ?? '') - Date.parse(erasure?.deleted ?? '')).toBe(24 * 3_600_000)
    expect((await waiting(service, `?user=${leaving}`)).total).toBe(1)
    expect((await waiting(service, `?user=${staying}`)).total).toBe(0)
    expect(await finaliseErasures(service.database, { graceMs: 0 })).toEqual({ done: 0, damaged: [] })
    expect((await waiting(service)).total).toBe(1)

    // Not final yet: after a clean stop, the folder still has all traces (the master key only in base64), which proves
    // that the search finds them. Log files kept for recycling have them too.
    await service.database.maintain?.(
      ...Array.from({ length: 4 }, () => `select pg_logical_emit_message(true, '', repeat('x', 16000000))`),
      'checkpoint',
    )
    await service.close()
    const needles = { ...traces.sealed, ...traces.rows }
    expect(remains(folder, needles)['the name']?.join()).toMatch(/pg_wal\//)
    expect(Object.keys(remains(folder, needles)).sort()).toEqual(
      Object.keys(needles)
        .filter((name) => name !== 'the master key')
        .sort(),
    )
    expect(remains(folder, { iban: Buffer.from(iban) })).toEqual({})

    service = await startTestService({ dataDir: folder })
    const secrets = { ...service.database.keys.secrets }
    await finaliseErasures(service.database, now)
    expect(await waiting(service)).toEqual({
      total: 0,
      finalBy: 'service',
      due: expect.any(String),
      erasures: [],
    })
    expect(await waiting(service, '?state=all')).toMatchObject({
      erasures: [{ user: leaving, state: 'final' }],
    })
    expect(await ibanOf(service, staying)).toBe('DE75512108001245126199')
    // Checked twice: while the store runs, with all memory flushed, and after it has stopped.
    await service.database.maintain?.('checkpoint')
    expect(remains(folder, { ...needles, iban: Buffer.from(iban) })).toEqual({})
    await service.close()
    expect(remains(folder, { ...needles, iban: Buffer.from(iban) })).toEqual({})

    service = await startTestService({ dataDir: folder })
    expect(await ibanOf(service, staying)).toBe('DE75512108001245126199')
    expect(service.database.keys.secrets).toEqual(secrets)
    await service.close()
  })

  test('is final in a store too large to be rewritten: no key opens what is left of the user', async () => {
    const service = await startTestService({ dataDir: folder })
    const leaving = await addUser(service, 'Leopold', iban)
    const staying = await addUser(service, 'Stella', 'DE75512108001245126199')
    const traces = await tracesOf(service.database, leaving, 'Leopold')
    await service.call('admin', 'DELETE', `/users/${leaving}`)
    await finaliseErasures(service.database, { ...now, rewrittenBytes: 0 })
    // No restart is needed: existing values are readable, and new ones are sealed under the new key.
    expect(await ibanOf(service, staying)).toBe('DE75512108001245126199')
    const later = await addUser(service, 'Later', 'FR1420041010050500013M02606')
    await service.close()
    expect(remains(folder, { ...traces.sealed, iban: Buffer.from(iban) })).toEqual({})

    // A page may still hold the bytes of the user's key, so every master key in the folder is tried on them.
    const keys = filesOf(folder).flatMap(({ name, bytes }) =>
      name.startsWith('encryption-key') ? [readKey(bytes.toString().trim())] : [],
    )
    for (const key of keys) {
      if (!key) throw new Error('A key file holds no key.')
      const ring = new Keyring([{ id: traces.stored.master, key: key.key }])
      expect(() => ring.unwrap(leaving, traces.stored)).toThrow()
    }
    expect(keys).toHaveLength(1)
    const again = await startTestService({ dataDir: folder })
    expect(await ibanOf(again, staying)).toBe('DE75512108001245126199')
    expect(await ibanOf(again, later)).toBe('FR1420041010050500013M02606')
    await again.close()
  })

  test('during a change of keys waits for the next one', async () => {
    const service = await startTestService({ dataDir: folder })
    const leaving = await addUser(service, 'Leopold', iban)
    const deleted: Promise<unknown>[] = []
    await finaliseErasures(service.database, {
      ...now,
      graceMs: 1000,
      step: (name) => {
        if (name === 'wrapped') deleted.push(service.call('admin', 'DELETE', `/users/${leaving}`))
      },
    })
    await Promise.all(deleted)
    expect(await waiting(service)).toMatchObject({ total: 1, erasures: [{ user: leaving }] })
    // The deletion becomes final by itself once it is due.
    await sql`update erasures set deleted = deleted - interval '21 hours'`.execute(service.database.sql)
    await finaliseErasures(service.database, { graceMs: 0 })
    expect((await waiting(service)).total).toBe(0)
    await service.close()
  })

  test('while people read and write is noticed by none, and a key that was made just before is taken along', async () => {
    let service = await startTestService({ dataDir: folder })
    const { keys, sql: store } = service.database
    const owner = await addUser(service, 'Owner', iban)
    const made: string[] = []
    const late = uuidv7()
    const { stored } = keys.keyring.create(late)
    const under = keys.keyring.current
    let ended = false
    const people = Array.from({ length: 3 }, async (_, person) => {
      for (let number = 0; !ended; number++) {
        made.push(await addUser(service, `P${person}-${number}`, iban))
        expect(await ibanOf(service, owner)).toBe(iban)
      }
    })
    const inserted: Promise<unknown>[] = []
    await finaliseErasures(service.database, {
      ...now,
      graceMs: 200,
      step: (name) => {
        if (name === 'wrapped')
          inserted.push(
            sql`with added as (insert into users (id, created, since) values (${late}, now(), now()))
              insert into user_keys (user_id, master, wrapped)
              values (${late}, ${stored.master}, ${stored.wrapped})`.execute(store),
          )
      },
    })
    ended = true
    await Promise.all([...people, ...inserted])
    const { rows } = await sql<{ master: string }>`select distinct master from user_keys`.execute(store)
    expect(rows).toEqual([{ master: keys.keyring.current }])
    expect(stored.master).toBe(under)
    expect(keys.keyring.ids).not.toContain(under)
    await service.close()

    service = await startTestService({ dataDir: folder })
    for (const user of [owner, ...made]) expect(await ibanOf(service, user)).toBe(iban)
    await service.close()
  })
})

test('without its key file a store does not start with a new key', async () => {
  const service = await startTestService({ dataDir: folder })
  const user = await addUser(service, 'Stella', iban)
  await finaliseErasures(service.database, { now: true, graceMs: 0 })
  await service.close()
  const file = path.join(folder, 'encryption-key')
  const key = fs.readFileSync(file)
  fs.rmSync(file)
  await expect(startTestService({ dataDir: folder })).rejects.toThrow('put it back, and start again')
  fs.writeFileSync(file, key)
  const again = await startTestService({ dataDir: folder })
  expect(await ibanOf(again, user)).toBe(iban)
  await again.close()
})

test('a finalising that is killed at any step loses nothing, and continues at the next start', async () => {
  const service = await startTestService({ dataDir: folder })
  const users: string[] = []
  for (let number = 0; number < 10; number++) users.push(await addUser(service, `N${number}`, iban))
  await service.call('admin', 'DELETE', `/users/${users[0]}`)
  const masterBefore = fs.readFileSync(path.join(folder, 'encryption-key'), 'utf8')
  expect((await openContents(service.database)).entities).toHaveLength(9)
  await service.close()

  const seen: { point: string; reads: string | undefined; status: number | null }[] = []
  const points = ['new key', 'batch 3', 'batch 6', 'wrapped', 'removed', 'destroyed', 'none']
  for (const point of points) {
    const { stdout, stderr, signal, status } = spawnSync(
      process.execPath,
      [path.join(import.meta.dirname, 'finalising-run.ts'), folder, point],
      { encoding: 'utf8' },
    )
    expect({ point, stderr, signal, status }).toMatchObject(
      point === 'none' ? { status: 0 } : { signal: 'SIGKILL' },
    )
    seen.push({ point, reads: /reads (\S+)/.exec(stdout)?.[1], status })
  }
  expect(new Set(seen.map(({ reads }) => reads)).size).toBe(1)
  expect(seen[0]?.reads).toMatch(/^[\da-f]{64}$/)
  expect(fs.readdirSync(folder).filter((name) => name.startsWith('encryption-key'))).toEqual([
    'encryption-key',
  ])
  expect(remains(folder, { before: Buffer.from(masterBefore.trim().split(':')[1] ?? '') })).toEqual({})
}, 300_000)

describe('the key file', () => {
  const at = (name: string) => path.join(folder, name)

  test('is one key, which only its owner may read, the same at each start', () => {
    const [key, ...others] = new KeyFile(folder).read()
    expect(others).toEqual([])
    expect(key.key).toHaveLength(32)
    expect(new KeyFile(folder).read()).toEqual([key])
    expect(fs.statSync(at('encryption-key')).mode & 0o777).toBe(0o600)
    expect(fs.readdirSync(folder)).toEqual(['encryption-key'])
  })

  test('has both while they are being changed, then the new one alone', () => {
    const file = new KeyFile(folder)
    const [old] = file.read()
    const [added, second] = file.add()
    expect(second).toEqual(old)
    expect(file.read()).toEqual([added, old])
    const oldBytes = fs.openSync(at('encryption-key'), 'r')
    expect(file.destroyOld()).toEqual([added])
    expect(new KeyFile(folder).read()).toEqual([added])
    // The key file is not only removed from the folder: its bytes are overwritten in place.
    const size = fs.fstatSync(oldBytes).size
    const left = Buffer.alloc(size)
    fs.readSync(oldBytes, left)
    fs.closeSync(oldBytes)
    expect(left).toEqual(Buffer.alloc(size))
  })

  test.each([
    ['nothing of the new one', ''],
    ['half of it', 'local-1:c2l4dGVlbg'],
  ])('is what it was where the writing of the new key was cut short: %s', (_, written) => {
    const file = new KeyFile(folder)
    const keys = file.read()
    fs.writeFileSync(at('encryption-key.next'), written)
    expect(file.read()).toEqual(keys)
    const [added] = file.add()
    expect(file.read()).toEqual([added, ...keys])
  })

  test.each([
    ['all', (size: number) => '\0'.repeat(size)],
    ['half', (size: number) => '\0'.repeat(size / 2) + 'x'.repeat(size / 2)],
  ])('is the new one where destroying the old one was cut short: %s overwritten', (_, left) => {
    const file = new KeyFile(folder)
    file.read()
    const [added] = file.add()
    fs.writeFileSync(at('encryption-key'), left(fs.statSync(at('encryption-key')).size))
    expect(file.read()).toEqual([added])
    expect(fs.readdirSync(folder)).toEqual(['encryption-key'])
  })

  test('that is damaged is neither replaced nor overwritten', () => {
    const file = new KeyFile(folder)
    file.read()
    fs.writeFileSync(at('encryption-key'), 'local:damaged')
    expect(() => file.read()).toThrow('restore it from a backup')
    expect(fs.readFileSync(at('encryption-key'), 'utf8')).toBe('local:damaged')
  })
})
