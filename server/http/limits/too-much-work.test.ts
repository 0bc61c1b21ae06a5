import { afterAll, beforeAll, expect, test, vi } from 'vitest'

import { endpoints } from '#contract/index.ts'
import { openDatabase } from '../../sealing/database.ts'
import { createTestDatabase, startTestService, testKeys, type TestService } from '../../testing/service.ts'

let service: TestService
let drop: () => Promise<void>

beforeAll(async () => {
  const created = await createTestDatabase()
  drop = created.drop
  const limits = { statementLimitMs: 60_000, searchLimitMs: 500 }
  const database = await openDatabase({ databaseUrl: created.databaseUrl }, testKeys, limits)
  service = await startTestService({ database, rateLimit: 0 })
  await service.call('admin', 'POST', '/users', { name: 'Ana' })
})
afterAll(async () => {
  await service.close()
  await drop()
})

const search = (role: 'support' | 'steward') => service.call(role, 'POST', '/users/search', { q: 'ana' })

/** Nobody searches users until `end` is called. */
async function block() {
  const client = await service.database.pool.connect()
  await client.query('begin; lock table user_terms in access exclusive mode')
  return {
    end: async () => {
      await client.query('rollback')
      client.release()
    },
  }
}

// A lock is waited for on another machine where users are distributed.
const isOnOneMachine = !process.env.TEST_DATABASE_NODES

test.runIf(isOnOneMachine)('a search that takes too long is stopped, and says what to do', async () => {
  const blocked = await block()
  const answer = await search('support')
  await blocked.end()
  expect(answer).toMatchObject({ status: 429, body: { code: 'too_much_work' } })
  expect(answer.body).toHaveProperty('detail', expect.stringMatching(/Ask for less at once/))
  expect(answer.headers.get('retry-after')).toBe('30')
  expect((await search('support')).status).toBe(200)
})

test.runIf(isOnOneMachine)(
  'each caller may have a few searches waiting, further ones are refused, and other callers have slots of their own',
  async () => {
    const blocked = await block()
    const many = Array.from({ length: 30 }, () => search('support'))
    // Refused at once, while the others wait.
    const refused = await Promise.race(many)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_much_work' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    const active = () =>
      service.database.pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    await vi.waitFor(async () => expect((await active()).rowCount).toBe(2))
    const other = search('steward')
    // Cheap reads are not limited.
    expect((await service.call('support', 'GET', '/datatypes')).status).toBe(200)
    expect((await service.call('support', 'GET', '/segments')).status).toBe(200)
    await blocked.end()
    expect((await other).status).toBeOneOf([200, 429])
    const answers = await Promise.all(many)
    const atOnce = answers.filter(({ headers }) => headers.get('retry-after') === '1').length
    expect(atOnce).toBeGreaterThan(0)
    expect(atOnce).toBeLessThanOrEqual(14)
  },
)

test('every operation that reads by conditions, or counts, is among what has a limit', () => {
  const expensive = Object.entries(endpoints).flatMap(([name, endpoint]) =>
    'expensive' in endpoint ? [name] : [],
  )
  expect(expensive).toEqual([
    'listUsers',
    'listEvents',
    'searchUsers',
    'lookUpUsers',
    'getDictionary',
    'listUserSegments',
    'explainUser',
    'previewSegment',
    'countEvents',
    'listAudit',
    'listAuditActors',
    'createBatch',
  ])
})
