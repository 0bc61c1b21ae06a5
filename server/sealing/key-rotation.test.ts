import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { isOnAnotherDatabase } from '../testing/postgresql.ts'
import { openTestDatabase, testKeys } from '../testing/service.ts'
import { insertSubscription, replaceSecret } from '../webhooks/storage.ts'
import { type Database, openDatabase } from './database.ts'
import { Keyring, type WrappedKey } from './encryption.ts'
import { missingMasters, rewrapAll } from './key-rotation.ts'
import type { MasterKey } from './master-keys.ts'
import { deriveSecrets, readSecrets, type Secrets } from './secrets.ts'
import { createSecret, openSecrets, type SecretsRow } from './webhook-secrets.ts'

const another: MasterKey = { id: 'another', key: randomBytes(32) }
const rotated = new Keyring([another, ...testKeys])

let database: Database
let drop: () => Promise<void>
let users: readonly string[]
let dataKeys: readonly Buffer[]
beforeAll(async () => {
  ;({ database, drop } = await openTestDatabase())
})
beforeEach(async () => {
  await sql`truncate users, subscriptions cascade`.execute(database.sql)
  await rewrapAll(database.sql, new Keyring([...testKeys, another]))
  users = await addUsers(database, new Keyring(testKeys), 50)
  dataKeys = await openAll(new Keyring(testKeys))
})
afterAll(async () => {
  await database.close()
  await drop()
})

async function addUsers(to: Database, keyring: Keyring, count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => uuidv7())
  for (const id of ids) {
    const { master, wrapped } = keyring.create(id).stored
    await sql`
      with added as (insert into users (id, created, since) values (${id}, now(), now()))
      insert into user_keys (user_id, master, wrapped) values (${id}, ${master}, ${wrapped})`.execute(to.sql)
  }
  return ids
}

/** Opens all data keys with the given master keys only. */
async function openAll(keyring: Keyring): Promise<readonly Buffer[]> {
  const { rows } = await database.pool.query<WrappedKey & { user_id: string }>(
    'select user_id, master, wrapped from user_keys order by user_id',
  )
  return rows.map(({ user_id: user, ...stored }) => keyring.unwrap(user, stored))
}

const run = (options: Parameters<typeof rewrapAll>[2] = {}) =>
  rewrapAll(database.sql, rotated, { batch: 7, ...options })

describe('rewrapping', () => {
  test('leaves nothing that needs the old master key, and every data key what it was', async () => {
    const progress: number[] = []
    expect(await missingMasters(database.sql, new Keyring([another]))).toEqual(['test'])
    expect(await run({ progress: (done, of) => progress.push(done, of) })).toEqual({ done: 50, damaged: [] })
    expect(progress.slice(0, 4)).toEqual([7, 50, 14, 50])
    expect(await missingMasters(database.sql, new Keyring([another]))).toEqual([])
    expect(await openAll(new Keyring([another]))).toEqual(dataKeys)
    expect(await run()).toEqual({ done: 0, damaged: [] })
  })

  test('continues where it was stopped', async () => {
    const stop = new AbortController()
    const first = await run({ signal: stop.signal, progress: (done) => done >= 20 && stop.abort() })
    expect(first.done).toBe(21)
    expect(await missingMasters(database.sql, new Keyring([another]))).toEqual(['test'])
    expect(await openAll(rotated)).toEqual(dataKeys)
    expect((await run()).done).toBe(29)
    expect(await openAll(new Keyring([another]))).toEqual(dataKeys)
  })

  test('takes the secrets of subscriptions along, both while there are two', async () => {
    const id = uuidv7()
    const { sealed } = createSecret(database.keys.keyring, id)
    const settings = { url: 'https://example.org/', types: null, description: null, enabled: true }
    await insertSubscription(database.sql, { ...settings, id, secret: sealed })
    await replaceSecret(database.sql, {
      id,
      secret: createSecret(database.keys.keyring, id).sealed,
      hours: 1,
    })
    const open = async (keyring: Keyring) => {
      const { rows } = await sql<SecretsRow>`select * from subscriptions`.execute(database.sql)
      return rows.flatMap((row) => openSecrets(keyring, row))
    }
    const before = await open(rotated)
    expect(before).toHaveLength(2)
    await sql`truncate users cascade`.execute(database.sql)
    await sql`update service_keys set master = 'another'`.execute(database.sql)
    // Only the subscription secrets still need the old key.
    expect(await missingMasters(database.sql, new Keyring([another]))).toEqual(['test'])
    await sql`update service_keys set master = 'test'`.execute(database.sql)
    await run()
    expect(await missingMasters(database.sql, new Keyring([another]))).toEqual([])
    expect(await open(new Keyring([another]))).toEqual(before)

    await sql`update subscriptions set secret = set_byte(secret, 40, get_byte(secret, 40) # 1)`.execute(
      database.sql,
    )
    expect(await run()).toEqual({ done: 0, damaged: [id] })
  })

  test('can be done by several at once', async () => {
    const done = await Promise.all([run(), run(), run()])
    expect(done.reduce((sum, each) => sum + each.done, 0)).toBe(50)
    expect(await openAll(new Keyring([another]))).toEqual(dataKeys)
  })

  test('changes nothing when a master key is missing, be it one user who needs it', async () => {
    await sql`update user_keys set master = 'lost' where user_id = ${users[7]}`.execute(database.sql)
    await expect(run()).rejects.toThrow('The master key "lost" is needed')
    await sql`update user_keys set master = 'test' where master = 'lost'`.execute(database.sql)
    expect(await openAll(new Keyring(testKeys))).toEqual(dataKeys)
  })

  test('tells of a key that does not open, and does the others', async () => {
    const [damaged = ''] = users
    await sql`update user_keys set wrapped = set_byte(wrapped, 40, get_byte(wrapped, 40) # 1) where user_id = ${damaged}`.execute(
      database.sql,
    )
    expect(await run()).toEqual({ done: 49, damaged: [damaged] })
  })

  test('gives up when no key opens, since the settings have another key under an old name', async () => {
    const impostor = new Keyring([another, { id: 'test', key: randomBytes(32) }])
    await sql`update service_keys set master = 'another'`.execute(database.sql)
    await expect(rewrapAll(database.sql, impostor, { batch: 7 })).rejects.toThrow('under an old id')
    await sql`update service_keys set master = 'test'`.execute(database.sql)
    expect(await openAll(new Keyring(testKeys))).toEqual(dataKeys)
  })

  test('waits for rows that somebody else has locked', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let locked = () => {}
    const isLocked = new Promise<void>((resolve) => (locked = resolve))
    const other = database.sql.transaction().execute(async (transaction) => {
      await sql`select 1 from user_keys where user_id = ${users[0]} for update`.execute(transaction)
      locked()
      await released
    })
    await isLocked
    const done = run({ progress: (so) => so === 49 && release() })
    expect(await done).toEqual({ done: 50, damaged: [] })
    await other
  })
})

test('offsets, invitations and ETags stay valid under another master key', async () => {
  const bytes = (given: Secrets) => Object.entries(given).map(([name, key]) => [name, key.export()])
  const secrets = bytes(database.keys.secrets)
  // The first opening stores the derived secrets, which older versions used directly.
  expect(secrets).toEqual(bytes(deriveSecrets(testKeys[0])))
  await run()
  const reread = await readSecrets(database.sql, new Keyring([another]), deriveSecrets(another))
  expect(bytes(reread)).toEqual(secrets)
})

describe.skipIf(isOnAnotherDatabase())('npm run rewrap', () => {
  let folder: string
  const [k1, k2] = [randomBytes(32), randomBytes(32)].map((key, index) => ({ id: `k${index + 1}`, key }))
  const inSettings = (...keys: (MasterKey | undefined)[]) =>
    keys.map((key) => `${key?.id}:${key?.key.toString('base64')}`).join(' ')

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'data-store-rewrap-'))
    if (!k1) return
    const store = await openDatabase({ dataDir: folder }, [k1])
    await addUsers(store, store.keys.keyring, 20)
    await store.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function rewrap(keys: string, ...args: readonly string[]) {
    return new Promise<{ status: number | null; out: string; problem: string }>((resolve, reject) => {
      const child = spawn(
        process.execPath,
        [path.join(import.meta.dirname, '../commands/rewrap.ts'), ...args],
        {
          env: { PATH: process.env['PATH'], DATA_DIR: folder, ENCRYPTION_KEYS: keys },
        },
      )
      const [out, problem]: string[][] = [[], []]
      child.stdout.on('data', (chunk: Buffer) => out?.push(chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => problem?.push(chunk.toString()))
      child.on('error', reject)
      child.on('close', (status) =>
        resolve({ status, out: (out ?? []).join(''), problem: (problem ?? []).join('') }),
      )
    })
  }

  test('explains itself', async () => {
    expect(await rewrap(inSettings(k1), '--help')).toMatchObject({
      status: 0,
      out: expect.stringContaining('npm run rewrap'),
    })
    expect(await rewrap(inSettings(k1), '--fast')).toMatchObject({ status: 1, out: '' })
  })

  test('says which key is missing, then which is not needed any more, and never prints a key', async () => {
    const missing = await rewrap(inSettings(k2))
    expect(missing).toEqual({
      status: 1,
      out: '',
      problem:
        'The master key "k1" is needed and is not among ENCRYPTION_KEYS. Nothing was changed: add it, behind the others.\n',
    })
    const done = await rewrap(inSettings(k2, k1))
    expect(done).toMatchObject({ status: 0, problem: '' })
    expect(done.out).toContain('20 data keys were rewrapped; all are wrapped with "k2" now.')
    expect(done.out).toContain('Nothing stored needs "k1" any more.')
    const again = await rewrap(inSettings(k2))
    expect(again).toMatchObject({ status: 0, out: expect.stringMatching(/^0 data keys/), problem: '' })
    const printed = JSON.stringify([missing, done, again])
    for (const key of [k1, k2]) {
      expect(printed).not.toContain(key?.key.toString('base64'))
      expect(printed).not.toContain(key?.key.toString('hex'))
    }
  })
})
