// Tests with a PostgreSQL that goes away, hangs, and comes back.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { openDatabase } from '../sealing/database.ts'
import { startTestService, testKeys, type TestService } from '../testing/service.ts'
import { TestPostgres } from '../testing/test-postgresql.ts'

// The service promises 2 s; the rest allows for a busy machine.
const promisedMs = 4_000
const password = 'not-to-be-shown'

describe('when PostgreSQL', () => {
  let postgres: TestPostgres
  let service: TestService
  beforeAll(async () => {
    postgres = await TestPostgres.make({ password })
    const database = await openDatabase({ databaseUrl: postgres.url }, testKeys, { statementLimitMs: 60_000 })
    service = await startTestService({ database })
  })
  afterAll(async () => {
    await service.close()
    await postgres.remove()
  })

  it('hangs: the service refuses with 503 instead of waiting, and recovers with it', async () => {
    const slow = service.database.pool.query('select pg_sleep(3)')
    await expect(slow).resolves.toBeDefined()
    expect(await statuses(service)).toEqual([200, 200, 201])
    postgres.standStill()
    try {
      const askedMs = performance.now()
      const first = await Promise.all(Array.from({ length: 15 }, () => refused(service)))
      const tookMs = performance.now() - askedMs
      expect(first.flat()).toEqual(first.flat().map(() => ({ status: 503, retry: true })))
      expect(tookMs).toBeLessThan(promisedMs)
      // By now the service knows that PostgreSQL hangs.
      const againMs = performance.now()
      await refused(service)
      expect(performance.now() - againMs).toBeLessThan(promisedMs / 2)
    } finally {
      postgres.goOn()
    }
    await vi.waitFor(async () => expect(await statuses(service)).toEqual([200, 200, 201]), waiting)
  })

  it('is gone, refuses with 503, and is well again when it is back', async () => {
    expect(await statuses(service)).toEqual([200, 200, 201])
    postgres.stop('immediate')
    const endsAtMs = performance.now() + 5_000
    while (performance.now() < endsAtMs) {
      const askedMs = performance.now()
      expect(await refused(service)).toEqual([1, 2, 3].map(() => ({ status: 503, retry: true })))
      expect(performance.now() - askedMs).toBeLessThan(promisedMs)
    }
    postgres.start()
    await vi.waitFor(async () => expect(await statuses(service)).toEqual([200, 200, 201]), waiting)
  })

  it('has become a standby of another, refuses what would be old with 503, and is well again as the primary', async () => {
    expect(await statuses(service)).toEqual([200, 200, 201])
    postgres.becomeStandby()
    const all = [1, 2, 3].map(() => ({ status: 503, retry: true }))
    await vi.waitFor(async () => {
      const { body } = await service.call('admin', 'POST', '/users', {})
      // A read-only standby must not be reported as a full disk, on which an operator would act.
      expect((body as { detail?: string }).detail ?? '').not.toMatch(/^The disk/)
      expect(await refused(service)).toEqual(all)
    }, waiting)
    const endsAtMs = performance.now() + 3_000
    while (performance.now() < endsAtMs) expect(await refused(service)).toEqual(all)
    postgres.becomePrimary()
    await vi.waitFor(async () => expect(await statuses(service)).toEqual([200, 200, 201]), waiting)
  })

  it('is not there yet, is waited for at the start, and that is said without its password', async () => {
    postgres.stop()
    const said: string[] = []
    const opening = openDatabase({ databaseUrl: postgres.url }, testKeys, {
      waitSeconds: 60,
      waiting: (line) => said.push(line),
    })
    try {
      await vi.waitFor(() => expect(said).not.toEqual([]), waiting)
      const none = openDatabase({ databaseUrl: postgres.url }, testKeys, { waitSeconds: 0 })
      await expect(none).rejects.toThrow(
        /does not answer \(ECONNREFUSED\)\. Start it, or correct DATABASE_URL/,
      )
    } finally {
      postgres.start()
    }
    await (await opening).close()
    expect(said.join()).toMatch(/^PostgreSQL at 127\.0\.0\.1:\d+ does not answer yet \(ECONNREFUSED\)/)
    expect(said.join()).not.toContain(password)
  })

  it.each([
    ['with another password', { password: 'guessed' }, /refuses the user "postgres" or the password/],
    ['with a database that it lacks', { pathname: '/nowhere' }, /has no database "nowhere"/],
  ])(
    'is asked %s, is not waited for',
    async (_how, wrong, message) => {
      const databaseUrl = Object.assign(new URL(postgres.url), wrong).href
      const said: string[] = []
      const opening = openDatabase({ databaseUrl }, testKeys, {
        waitSeconds: 600,
        waiting: (line) => said.push(line),
      })
      await expect(opening).rejects.toThrow(message)
      expect(said).toEqual([])
    },
    60_000,
  )
})

const waiting = { timeout: 30_000, interval: 50 }

const answers = async (service: TestService) => {
  const ready = await service.fetch('/readyz')
  const listed = await service.call('support', 'GET', '/users')
  const made = await service.call('support', 'POST', '/users', { name: 'Ada' })
  return [ready, listed, made]
}
const statuses = async (service: TestService) => (await answers(service)).map(({ status }) => status)

const refused = (service: TestService) =>
  Promise.all(
    [
      service.fetch('/readyz'),
      service.call('support', 'GET', '/users'),
      service.call('support', 'POST', '/users', { name: 'Ada' }),
    ].map(async (asked) => {
      const { status, headers } = await asked
      return { status, retry: Number(headers.get('retry-after')) > 0 }
    }),
  )
