import { sql } from 'kysely'
import { Client } from 'pg'
import { beforeEach, expect, test, vi } from 'vitest'

import type { Job } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const text = (key: string, value: string) => ({ key, type: 'TEXT', value })

/** Creates users with a person whose plate is changed once, in clear. */
async function createUsers(count: number): Promise<string[]> {
  const users: string[] = []
  for (let n = 0; n < count; n++) {
    const properties = [text('plate', `old-${n}`), text('city', 'Köln')]
    const ref = `user-${n}`
    users.push(await service.create('admin', '/users', { ref, properties }))
    await service.call('admin', 'POST', '/users', { ref, properties: [text('plate', `new-${n}`)] })
  }
  return users
}

async function markPlates(ids: readonly string[]): Promise<void> {
  const set = { entity: 'person', ...text('plate', 'B-XY 1'), sensitive: true }
  const job = await service.create('steward', '/users/batch', { ids, set })
  await vi.waitFor(
    async () => {
      const { body }: { body: Job } = await service.call('steward', 'GET', `/jobs/${job}`)
      expect(body.outcomes).toEqual({ changed: ids.length })
    },
    { timeout: 60_000, interval: 20 },
  )
}

test('marking a property seals its earlier values of all users together', async () => {
  const users = await createUsers(6)
  const query = vi.spyOn(Client.prototype, 'query')
  await markPlates(users)
  const texts = (query.mock.calls as unknown[][]).filter(([given]) => typeof given === 'string').map(String)
  query.mockRestore()
  expect(texts.filter((each) => /update changesets/.test(each))).toHaveLength(1)
  const { rows } = await sql<{ changes: string }>`
    select changes::text as changes from changesets where entity_id is not null`.execute(service.database.sql)
  const stored = rows.map(({ changes }) => changes).join('\n')
  expect(stored).not.toMatch(/old-\d|new-\d/)
  expect(stored.match(/Köln/g)).toHaveLength(users.length)
})
