import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'

import { startTestService } from './service.ts'

test('a service that is closed answers what is under way first, and nothing that comes after', async () => {
  const logged: string[] = []
  const log = new Writable({
    write(chunk, _encoding, done) {
      logged.push(String(chunk))
      done()
    },
  })
  const service = await startTestService({ log: pino({ level: 'error' }, log) })
  const ask = () => service.call('admin', 'POST', '/users/search', { q: 'ana' })
  await ask()
  const answers = Array.from({ length: 12 }, ask)
  const closing = service.close()
  const late = ask()
  await expect(late).rejects.toThrow('closed')
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(answers.map(() => 200))
  await closing
  expect(logged).toEqual([])
})

// In a distributed store the reset and the transaction may wait for each other on different machines, and neither
// machine detects the deadlock.
const isOnOneMachine = !process.env.TEST_DATABASE_NODES
test.runIf(isOnOneMachine)('a reset that a transaction waits for asks again', async () => {
  const service = await startTestService()
  onTestFinished(() => service.close())
  await service.create('admin', '/users', {})
  const resetting = await service.database.sql.transaction().execute(async (transaction) => {
    // Makes PostgreSQL cancel the reset, not this transaction.
    await sql`set local deadlock_timeout = '1min'`.execute(transaction)
    await sql`lock table deliveries`.execute(transaction)
    const reset = service.reset()
    await vi.waitFor(async () => {
      const { rows } = await sql`select 1 from pg_locks where not granted`.execute(transaction)
      expect(rows).not.toEqual([])
    })
    await sql`lock table users`.execute(transaction)
    return { reset }
  })
  await resetting.reset
  expect((await service.call('admin', 'GET', '/users')).body).toMatchObject({ total: 0 })
})
