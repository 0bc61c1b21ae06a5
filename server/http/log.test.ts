import { createHash, createSecretKey } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'

import { createApi } from '../api/api.ts'
import { testService } from '../testing/hooks.ts'
import { createApp } from './app.ts'

const service = testService()

/** Returns the digest that the log records for a caller. */
async function logOf(subject: string, secret?: Buffer): Promise<string> {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const api = createApi({ database: service.database, inviteUrl: 'https://example.org/invitation' })
  const app = await createApp({
    api: secret ? { ...api, logSecret: createSecretKey(secret) } : api,
    log: pino(stream),
    authenticate: async () => ({ subject, scopes: new Set(['users:read'] as const), expires: Infinity }),
  })
  try {
    await app.inject({ url: '/api/users', headers: { host: 'localhost', authorization: 'Bearer x' } })
  } finally {
    await app.close()
  }
  const answered = lines
    .map((line) => JSON.parse(line) as { status?: number; subject?: string })
    .find((line) => line.status !== undefined)
  expect(answered).toMatchObject({ status: 200 })
  return answered?.subject ?? ''
}

test('the log tells callers apart by digests that nobody can make who has the log alone', async () => {
  const ana = await logOf('ana')
  expect(ana).toMatch(/^[\da-f]{12}$/)
  expect(await logOf('ana')).toBe(ana)
  expect(await logOf('eva')).not.toBe(ana)
  expect(ana).not.toBe(createHash('sha256').update('ana').digest('hex').slice(0, 12))
  expect(await logOf('ana', Buffer.alloc(32))).not.toBe(ana)
})
