// Kills a service process while it changes, exports or deletes many users.
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'

import type { Event } from '#contract/index.ts'
import type { Database } from '../sealing/database.ts'
import { findDifferences, readKept } from '../testing/kept.ts'
import { countEvents, countUntold, kills, killWithin, limitMs } from '../testing/kills.ts'
import { type KillableService, killableService } from '../testing/process.ts'
import { openEntities } from '../testing/service.ts'
import { usersWho } from './storage.ts'

/** Sample users: enough for an export in several parts, and for more of them than kills. */
const samples = Math.max(6000, kills * 1200)
/** Users who are changed: at most as many as a request may name. */
const changed = Math.min(10_000, Math.max(2000, kills * 300))
/** Users who are deleted. */
const deleted = Math.max(800, kills * 100)

let service: KillableService
beforeAll(async () => {
  service = await killableService({ SAMPLE_DATA: String(samples) })
  await service.start()
}, limitMs(1))
afterAll(async () => {
  await service.close()
})

async function begin(address: string, body: object): Promise<string> {
  const { headers } = await service.ask('POST', address, body)
  return headers.get('location')?.split('/').at(-1) ?? ''
}
const findUsers = ({ sql: database }: Database, atMost: number) => usersWho(database, sql`true`, atMost)
const countOf = (counts: Readonly<Record<string, number>> = {}) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Returns how many changes of the caller there are, and of how many users. */
async function countOwnChanges({ sql: database }: Database): Promise<object | undefined> {
  const { rows } = await sql<object>`
    select count(*)::int as changes, count(distinct user_id)::int as users from changesets where actor = 'test'`.execute(
    database,
  )
  return rows[0]
}

test(
  `through ${kills} kills nobody is left out, and nobody is changed or put back twice`,
  async () => {
    const [ids, before] = await service.inStore(async (database) => [
      await findUsers(database, changed),
      await readKept(database),
    ])
    await service.start()
    const set = {
      entity: 'person',
      key: 'plate',
      type: 'TEXT',
      value: 'B-XY 1',
      which: 'first',
      create: true,
    }
    const job = await begin('/users/batch', { ids, set })
    const { outcomes } = await killWithin(service, job, 'finished')
    expect(countOf(outcomes)).toBe(changed)
    await service.inStore(async (database) => {
      const set = (await openEntities(database)).filter(
        ({ properties }) => properties['plate']?.value === 'B-XY 1',
      )
      expect(new Set(set.map(({ user }) => user))).toEqual(new Set(ids))
      expect(await countOwnChanges(database)).toEqual({ changes: changed, users: changed })
      expect(await countUntold(database)).toEqual({ untold: 0, twice: 0 })
    })

    await service.start()
    await service.ask('POST', `/jobs/${job}/undo`)
    const { undone } = await killWithin(service, job, 'undone')
    expect(undone).toEqual({ undone: changed })
    const ends = (await (await service.ask('GET', '/events?type=JOB_FINISHED')).json()) as Event[]
    expect(ends.map(({ properties: { state } }) => state)).toEqual(['finished', 'undone'])
    await service.inStore(async (database) => {
      expect(findDifferences(before, await readKept(database))).toEqual([])
      expect(await countOwnChanges(database)).toEqual({ changes: 2 * changed, users: changed })
      expect(await countUntold(database)).toEqual({ untold: 0, twice: 0 })
    })
    await service.start()
  },
  limitMs(2),
)

test(
  `through ${kills} kills an export has each user once`,
  async () => {
    const body = { format: 'ndjson', entities: 'each', filter: { all: [] } }
    const job = await begin('/exports', body)
    const { total, outcomes } = await killWithin(service, job, 'finished')
    const text = await (await service.ask('GET', `/jobs/${job}/file`)).text()
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id)
    expect(ids).toHaveLength(total)
    expect(outcomes).toEqual({ exported: total })
    expect(ids).toEqual([...new Set(ids)].toSorted())
    expect(total).toBeGreaterThanOrEqual(samples)
  },
  limitMs(1),
)

test(
  `through ${kills} kills a workbook has each user once`,
  async () => {
    const job = await begin('/exports', { format: 'xlsx', columns: ['id'], filter: { all: [] } })
    const { total } = await killWithin(service, job, 'finished')
    const file = Buffer.from(await (await service.ask('GET', `/jobs/${job}/file`)).arrayBuffer())
    const zip = await fromBufferPromise(file)
    const sheets: Buffer[] = []
    for await (const entry of zip.eachEntry()) {
      const pieces: Buffer[] = []
      for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
      const bytes = Buffer.concat(pieces)
      expect(crc32(bytes)).toBe(entry.crc32)
      if (entry.fileName.startsWith('xl/worksheets/')) sheets.push(bytes)
    }
    const ids = [
      ...Buffer.concat(sheets)
        .toString()
        .matchAll(/[\da-f]{8}-[\da-f-]{27}/g),
    ].map(([id]) => id)
    expect(ids).toHaveLength(total)
    expect(ids).toEqual([...new Set(ids)].toSorted())
  },
  limitMs(1),
)

test(
  `through ${kills} kills each user is deleted once`,
  async () => {
    const [ids, events] = await service.inStore(async (database) => [
      await findUsers(database, deleted),
      (await countEvents(database, 'USER_DELETED'))?.events ?? 0,
    ])
    await service.start()
    const unknown = Array.from({ length: 500 }, () => crypto.randomUUID())
    const all = [...ids, ...unknown]
    const job = await begin('/users/delete', { ids: all, count: all.length })
    const { outcomes } = await killWithin(service, job, 'finished')
    expect(outcomes).toEqual({ deleted, not_found: unknown.length })
    await service.inStore(async (database) => {
      const left = await findUsers(database, samples)
      expect(left.filter((id) => ids.includes(id))).toEqual([])
      expect(await countEvents(database, 'USER_DELETED')).toEqual({
        events: events + deleted,
        users: events + deleted,
      })
    })
  },
  limitMs(1),
)
