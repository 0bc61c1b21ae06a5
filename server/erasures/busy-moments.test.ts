import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'

import type { ErasureList } from '#contract/index.ts'
import { openDatabase } from '../sealing/database.ts'
import { testService } from '../testing/hooks.ts'
import { createTestDatabase, testKeys } from '../testing/service.ts'
import { againMs, startFinalising } from './finalising.ts'

const service = testService()

const waiting = { timeout: 60_000, interval: 20 }

test('a deletion that a busy moment kept from becoming final is tried again within a minute', () => {
  expect(againMs).toBeLessThanOrEqual(60_000)
})

test('a deletion becomes final soon after the busy moment, which is told once', async () => {
  const { databaseUrl, drop } = await createTestDatabase()
  const database = await openDatabase({ databaseUrl }, testKeys, { statementLimitMs: 200 })
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line) => void lines.push(line) })
  // A deletion whose master key is no longer in the settings.
  await sql`insert into erasures (user_id, deleted, masters, actor)
    values (${crypto.randomUUID()}, now(), '{gone}', 'admin')`.execute(database.sql)
  const isFinal = async () => {
    const { rows } = await sql<{ final: string | null }>`select final from erasures`.execute(database.sql)
    return rows[0]?.final !== null
  }
  const over = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const busy = database.unlimited((handle) =>
    handle.transaction().execute(async (transaction) => {
      await sql`lock table erasures in exclusive mode`.execute(transaction)
      locked.resolve()
      await over.promise
    }),
  )
  await locked.promise
  let attempts = 0
  const counting = new Proxy(database, {
    get(target, name, receiver) {
      if (name === 'keys') attempts++
      return Reflect.get(target, name, receiver) as unknown
    },
  })
  const finalising = startFinalising(counting, log, { againMs: 20 })
  try {
    await vi.waitFor(() => expect(attempts).toBeGreaterThanOrEqual(3), waiting)
    expect(await isFinal()).toBe(false)
    over.resolve()
    await busy
    await vi.waitFor(async () => expect(await isFinal()).toBe(true), waiting)
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { code: '57014', msg: 'deletions could not be made final; it is tried again within a minute' },
    ])
  } finally {
    over.resolve()
    await finalising.stop()
    await database.close()
    await drop()
  }
})

test('a store that is well is looked at once an hour, and a stop waits for nothing', async () => {
  const looks: number[] = []
  const log = pino({ level: 'silent' })
  const { keys } = service.database
  const counting = Object.assign(Object.create(service.database) as typeof service.database, {})
  Object.defineProperty(counting, 'keys', {
    get() {
      looks.push(performance.now())
      return keys
    },
  })
  const finalising = startFinalising(counting, log, { againMs: 1 })
  await vi.waitFor(() => expect(looks).not.toEqual([]), waiting)
  const user = await service.create('admin', '/users', { name: 'Ana' })
  await service.call('admin', 'DELETE', `/users/${user}`)
  for (let count = 0; count < 20; count++) await service.call('support', 'GET', '/erasures')
  await finalising.stop()
  expect(looks).toHaveLength(1)
  const { body } = await service.call('support', 'GET', '/erasures?state=all')
  expect((body as ErasureList).erasures.map(({ user: id }) => id)).toContain(user)
})
