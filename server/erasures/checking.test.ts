import { createSecretKey } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'

import { type ErasureCheck, type Event, features, type Role } from '#contract/index.ts'
import { openDatabase } from '../sealing/database.ts'
import { rewrapAll } from '../sealing/key-rotation.ts'
import type { MasterKeys } from '../sealing/master-keys.ts'
import { inSteps } from '../store/migrations/migrations.ts'
import { testService } from '../testing/hooks.ts'
import {
  createTestDatabase,
  startTestService,
  type TestAnswer,
  testKeys,
  type TestService,
} from '../testing/service.ts'
import { finaliseErasures } from './finalising.ts'
import { digestsOf } from './identifiers.ts'

const service = testService({ jobs: true })
const without = testService({ erasureDigests: 'none' })
beforeEach(() => Promise.all([service.reset(), without.reset()]))

const path = '/erasures/check'
/** Asks as somebody who has not asked before, so that no limit is met. */
const check = async (body: object, role: Role = 'support', of = service): Promise<TestAnswer> =>
  await askAs(await of.sign({ sub: `${role} ${crypto.randomUUID()}`, role }), body, of)
const withoutRole: Role | undefined = undefined
const askAs = async (token: string, body: object, of = service): Promise<TestAnswer> =>
  await of.call(withoutRole, 'POST', path, body, { authorization: `Bearer ${token}` })
const erased = async (body: object): Promise<ErasureCheck> => {
  const { status, body: answer } = await check(body)
  expect(status).toBe(200)
  return answer
}

async function remove(body: object, reference?: string, of = service): Promise<string> {
  const user = await of.create('steward', '/users', body)
  const headers = reference === undefined ? {} : { 'deletion-reference': reference }
  expect((await of.call('steward', 'DELETE', `/users/${user}`, undefined, headers)).status).toBe(204)
  return user
}

describe('whether somebody was erased', () => {
  test('is told by e-mail or ref with the deletions, newest first, and only once they are deleted', async () => {
    await service.create('steward', '/users', { email: 'ana@example.org', ref: 'C-1042' })
    const none = { erased: false, erasures: [] }
    expect(await erased({ email: 'ana@example.org' })).toEqual(none)
    expect(await erased({ ref: 'C-1042' })).toEqual(none)
    await service.reset()

    const user = await remove({ email: 'ana@example.org', ref: 'C-1042', name: 'Ana' }, 'T-1')
    const deletion = {
      user,
      deleted: expect.stringMatching(/Z$/),
      state: 'final',
      final: expect.stringMatching(/Z$/),
      actor: 'steward',
      reference: 'T-1',
    }
    expect(await erased({ email: 'ana@example.org' })).toEqual({ erased: true, erasures: [deletion] })
    expect(await erased({ ref: 'C-1042' })).toEqual({ erased: true, erasures: [deletion] })
    expect(await erased({ email: 'ben@example.org' })).toEqual(none)

    // The person came back, and was erased once more.
    const again = await remove({ email: 'Ana@Example.org', ref: 'C-2' }, 'T-2')
    expect((await erased({ email: 'ana@example.org' })).erasures.map((each) => each.user)).toEqual([
      again,
      user,
    ])
    expect((await erased({ ref: 'C-1042' })).erasures).toEqual([deletion])
  })

  test.each([
    ['capitals', 'Ana.Lopez@Example.ORG', 'aNA.lopez@eXample.org', true],
    ['blanks at the ends', 'ana@example.org', ' \u00a0ana@example.org\t', true],
    ['a domain beyond ASCII', 'ana@bücher.example', 'ana@xn--bcher-kva.example', true],
    ['letters that are composed', 'andré@example.org', 'andre\u0301@example.org', true],
    ['a letter beyond ASCII', 'mıke@example.org', 'mike@example.org', false],
    ['a plus', 'ana+shop@example.org', 'ana@example.org', false],
    ['the same plus', 'ana+shop@example.org', 'ANA+shop@example.org', true],
    ['a dot', 'a.na@example.org', 'ana@example.org', false],
  ])('is told of an e-mail with %s', async (_, email, asked, found) => {
    const user = await remove({ email })
    expect(await erased({ email: asked })).toMatchObject({ erased: found, erasures: found ? [{ user }] : [] })
  })

  test('is told of a ref by all of it, whatever its case, and never by an e-mail', async () => {
    const user = await remove({ ref: 'ben@example.org' })
    const other = await remove({ email: 'ana@example.org', ref: 'Ünit C-10' })
    expect((await erased({ email: 'ben@example.org' })).erased).toBe(false)
    expect((await erased({ ref: 'ana@example.org' })).erased).toBe(false)
    expect((await erased({ ref: 'ben@example.org' })).erasures).toMatchObject([{ user }])
    expect((await erased({ ref: ' ünit c-10 ' })).erasures).toMatchObject([{ user: other }])
    for (const ref of ['C-10', 'Ünit C10', 'Ünit C-1', 'Unit C-10', other])
      expect((await erased({ ref })).erased).toBe(false)
  })

  test('is told of users whom a job deletes, and not of a dry run', async () => {
    const user = await service.create('steward', '/users', { email: 'ana@example.org' })
    const run = async (dryRun: boolean) => {
      const { headers } = await service.call('steward', 'POST', '/users/delete', {
        ids: [user],
        count: 1,
        dryRun,
      })
      const job = headers.get('location')?.split('/').at(-1) ?? ''
      const state = async () =>
        ((await service.call('steward', 'GET', `/jobs/${job}`)).body as { state: string }).state
      await expect.poll(state).toBe('finished')
    }
    await run(true)
    expect((await erased({ email: 'ana@example.org' })).erased).toBe(false)
    await run(false)
    expect((await erased({ email: 'ana@example.org' })).erasures).toMatchObject([{ user }])
  })

  test('is told to those who may read the register, and each question is an event without the answer’s person', async () => {
    await remove({ email: 'ana@example.org' })
    expect((await check({ email: 'ana@example.org' }, 'integrator')).status).toBe(403)
    for (const role of ['support', 'steward', 'admin'] as const)
      expect((await service.call(role, 'POST', path, { email: 'ana@example.org' })).status).toBe(200)
    await service.call('admin', 'POST', path, { ref: 'ana@example.org' })
    const { body } = await service.call('admin', 'GET', '/events')
    const asked = (body as Event[]).filter(({ type }) => type === 'ERASURES_CHECKED')
    expect(asked.map(({ properties }) => properties)).toEqual([
      { actor: 'support', by: 'email', users: '1' },
      { actor: 'steward', by: 'email', users: '1' },
      { actor: 'admin', by: 'email', users: '1' },
      { actor: 'admin', by: 'ref', users: '0' },
    ])
  })

  test.each([
    [{}, ''],
    [{ email: 'ana@example.org', ref: 'C-1' }, ''],
    [{ email: 'ana' }, '/email'],
    [{ email: '' }, '/email'],
    [{ email: 'Unknown email' }, '/email'],
    [{ ref: ' ' }, '/ref'],
    [{ ref: 'x'.repeat(501) }, '/ref'],
    [{ name: 'Ana' }, '/name'],
  ])('is refused for %j', async (body, pointer) => {
    expect(await check(body)).toMatchObject({
      status: 422,
      body: { errors: expect.arrayContaining([expect.objectContaining({ pointer })]) },
    })
  })

  test('is asked twenty times in ten minutes', async () => {
    const token = await service.sign({ sub: 'curious', role: 'support' })
    for (let n = 0; n < 20; n++) expect((await askAs(token, { ref: `C-${n}` })).status).toBe(200)
    expect(await askAs(token, { ref: 'C-20' })).toMatchObject({
      status: 429,
      body: { code: 'too_many_requests' },
    })
  })
})

describe('digests', () => {
  const kept = async (of = service) => {
    const { rows } = await of.database.pool.query('select digests from erasures order by deleted')
    return (rows as { digests: string[] | null }[]).map(({ digests }) => digests)
  }

  test('hold nothing that is readable, and are other ones under another key', async () => {
    await remove({ email: 'ana@example.org', ref: 'ana@example.org' })
    const [digests] = await kept()
    expect(digests).toEqual([expect.stringMatching(/^[\w-]{22}$/), expect.stringMatching(/^[\w-]{22}$/)])
    expect(new Set(digests).size).toBe(2)
    const identity = { email: 'ana@example.org', ref: 'ana@example.org' }
    const other = digestsOf(createSecretKey(Buffer.alloc(32, 1)), identity)
    expect(other.some((each) => digests?.includes(each))).toBe(false)
  })

  // A digest cannot be made again once the user is gone: whoever changes how texts are compared must go on asking for these too.
  test('stay as they are from release to release', () => {
    const secret = createSecretKey(Buffer.alloc(32, 7))
    expect(digestsOf(secret, { email: 'Ana+1@Bücher.example', ref: ' Ünit C-10' })).toEqual([
      'lnOO3XCXXMyjLF2qIf1QHg',
      'w9sIx_sRGi9Ud-LqJnVznA',
    ])
    expect(digestsOf(secret, { email: null, ref: null })).toEqual([])
  })

  test('are missing of deletions from before, of which the answer tells until when they were', async () => {
    await remove({ email: 'ana@example.org' })
    // Acts like a process of the release before, which knows no digests.
    await service.database.pool.query(
      `insert into erasures (user_id, deleted) values (gen_random_uuid(), '2026-02-01 12:00')`,
    )
    const unknownUntil = '2026-02-01T12:00:00.000Z'
    expect(await erased({ email: 'ben@example.org' })).toEqual({ erased: false, erasures: [], unknownUntil })
    expect(await erased({ email: 'ana@example.org' })).toMatchObject({ erased: true, unknownUntil })
    // A user without e-mail and ref is known to have had none.
    await service.reset()
    await remove({ name: 'Ana' })
    expect(await erased({ email: 'ana@example.org' })).toEqual({ erased: false, erasures: [] })
  })

  test('are added to a store of the release before, however often the migration runs', async () => {
    const { pool, sql: handle } = service.database
    await pool.query('alter table erasures drop column digests')
    await pool.query(`insert into erasures (user_id, deleted) values (gen_random_uuid(), '2026-02-01 12:00')`)
    for (let round = 0; round < 2; round++) await inSteps('0032-digests-of-erasures.sql').up(handle)
    const user = await remove({ ref: 'C-1' })
    expect(await erased({ ref: 'C-1' })).toMatchObject({
      erasures: [{ user }],
      unknownUntil: '2026-02-01T12:00:00.000Z',
    })
    const { rows } = await sql<{ name: string }>`
      select indexname as name from pg_indexes where tablename = 'erasures' and indexdef like '%digests%' order by 1`.execute(
      handle,
    )
    expect(rows.map(({ name }) => name)).toEqual(['erasures_digests_index', 'erasures_without_digests_index'])
  })

  test('are not kept where the setting says so, which the answer and the features tell', async () => {
    expect(without.features).not.toHaveProperty(['erasures.check'])
    expect(service.features).toHaveProperty(['erasures.check'], features['erasures.check'])
    await remove({ email: 'ana@example.org' }, undefined, without)
    expect(await kept(without)).toEqual([null])
    expect(await check({ email: 'ana@example.org' }, 'support', without)).toMatchObject({
      status: 409,
      body: { code: 'digests_not_kept', detail: expect.stringContaining('ERASURE_DIGESTS') },
    })
    expect((await check({ email: 'ana@example.org' }, 'integrator', without)).status).toBe(403)
  })

  test('are compared after the master key was replaced, and not while it is missing', async () => {
    const { databaseUrl, drop } = await createTestDatabase()
    const next = { id: 'next', key: Buffer.alloc(32, 9) }
    const withKeys = async (masters: MasterKeys, act: (of: TestService) => Promise<unknown>) => {
      const of = await startTestService({ database: await openDatabase({ databaseUrl }, masters) })
      try {
        await act(of)
      } finally {
        await of.close()
      }
    }
    const ask = (of: TestService) => check({ email: 'ana@example.org' }, 'support', of)
    try {
      await withKeys(testKeys, (of) => remove({ email: 'ana@example.org' }, undefined, of))
      await withKeys([next], async (of) => {
        expect((await ask(of)).status).toBe(503)
        // A deletion whose digests cannot be made waits for the key too.
        const user = await of.create('steward', '/users', { email: 'ben@example.org' })
        expect((await of.call('steward', 'DELETE', `/users/${user}`)).status).toBe(503)
      })
      await withKeys([next, ...testKeys], ({ database }) => rewrapAll(database.sql, database.keys.keyring))
      await withKeys([next], async (of) => expect((await ask(of)).body).toMatchObject({ erased: true }))
    } finally {
      await drop()
    }
  })

  test('are removed once the setting says that none are kept', async () => {
    await remove({ email: 'ana@example.org' })
    const { database } = service
    await finaliseErasures(database)
    expect(await kept()).toEqual([[expect.any(String)]])
    await finaliseErasures({ ...database, keys: { ...database.keys, keepsDigests: false } })
    expect(await kept()).toEqual([null])
    expect(await erased({ email: 'ana@example.org' })).toMatchObject({
      erased: false,
      unknownUntil: expect.any(String),
    })
  })
})
