import { expect, onTestFinished, test, vi } from 'vitest'

import { endpoints } from '#contract/index.ts'
import { openDatabase } from '../../sealing/database.ts'
import { createTestDatabase, startTestService, testKeys, type TestService } from '../../testing/service.ts'

/** Starts a service on its own database, with `searchLimitMs` as the time limit of a search. */
async function start(searchLimitMs: number): Promise<TestService> {
  const { databaseUrl, drop } = await createTestDatabase()
  const limits = { statementLimitMs: 60_000, searchLimitMs }
  const database = await openDatabase({ databaseUrl }, testKeys, limits)
  const service = await startTestService({ database, rateLimit: 0 })
  onTestFinished(async () => {
    await service.close()
    await drop()
  })
  await service.call('admin', 'POST', '/users', { name: 'Ana' })
  return service
}

const search = (service: TestService, role: 'support' | 'steward') =>
  service.call(role, 'POST', '/users/search', { q: 'ana' })

/** Blocks all user searches until `end` is called. */
async function block(service: TestService) {
  const client = await service.database.pool.connect()
  await client.query('begin; lock table user_terms in access exclusive mode')
  let isBlocked = true
  const end = async () => {
    if (!isBlocked) return
    isBlocked = false
    await client.query('rollback')
    client.release()
  }
  // Must run before the service is closed, since closing waits for its connections.
  onTestFinished(end)
  return { end }
}

// With distributed users, the lock wait happens on another machine.
const isOnOneMachine = !process.env.TEST_DATABASE_NODES

test.runIf(isOnOneMachine)('a search that takes too long is stopped, and says what to do', async () => {
  const service = await start(500)
  const blocked = await block(service)
  const answer = await search(service, 'support')
  await blocked.end()
  expect(answer).toMatchObject({ status: 429, body: { code: 'too_much_work' } })
  expect(answer.body).toHaveProperty('detail', expect.stringMatching(/Ask for less at once/))
  expect(answer.headers.get('retry-after')).toBe('30')
  expect((await search(service, 'support')).status).toBe(200)
})

test.runIf(isOnOneMachine)(
  'each caller may have a few searches waiting, further ones are refused, and other callers have slots of their own',
  async () => {
    // Long enough that the waiting searches are still waiting when they are counted.
    const service = await start(60_000)
    const blocked = await block(service)
    const many = Array.from({ length: 30 }, () => search(service, 'support'))
    // The excess searches are refused at once, while the others wait.
    const refused = await Promise.race(many)
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_much_work' } })
    expect(refused.headers.get('retry-after')).toBe('1')
    const active = () =>
      service.database.pool.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    await vi.waitFor(async () => expect((await active()).rowCount).toBe(2))
    const other = search(service, 'steward')
    // Cheap reads are not limited.
    expect((await service.call('support', 'GET', '/datatypes')).status).toBe(200)
    expect((await service.call('support', 'GET', '/keys')).status).toBe(200)
    await blocked.end()
    expect((await other).status).toBe(200)
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
    'listSegments',
    'listEvents',
    'searchUsers',
    'lookUpUsers',
    'getDictionary',
    'listUserSegments',
    'explainUser',
    'previewSegment',
    'listSegmentHistory',
    'countEvents',
    'listAudit',
    'listAuditActors',
    'createBatch',
    'deleteUsers',
    'listJobs',
    'createExport',
    'mapImport',
    'getImportRows',
  ])
})
