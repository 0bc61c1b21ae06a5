// Kills a service process while it changes or exports many users.
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'

import type { Entity, Event, Job } from '#contract/index.ts'
import { type KillableService, killableService } from '../testing/process.ts'

const users = 60
const kills = 3
/** Sample users, enough for an export of several parts. */
const samples = 6000

let service: KillableService
beforeAll(async () => {
  service = await killableService({ SAMPLE_DATA: String(samples) })
  await service.start()
})
afterAll(async () => {
  await service.close()
})

async function api(method: string, address: string, body?: object): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${service.port}/api${address}`, {
    method,
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${address}: ${response.status} ${await response.text()}`)
  return response
}
const get = async <Answer>(address: string) => (await (await api('GET', address)).json()) as Answer
const create = async (address: string, body: object) =>
  (await api('POST', address, body)).headers.get('location')?.split('/').at(-1) ?? ''

/** Kills the service again and again while it works on a job, which has `total` users, and waits for its end. */
async function killWithin(job: string, total: number, state: string): Promise<Job> {
  const read = () => get<Job>(`/jobs/${job}`)
  for (let kill = 1; kill <= kills; kill++) {
    await vi.waitFor(
      async () => expect((await read()).done).toBeGreaterThan((total * (kill - 0.8)) / (kills + 1)),
      { timeout: 60_000, interval: 5 },
    )
    await sleep(Math.random() * 50)
    await service.kill()
    await service.start()
  }
  return await vi.waitFor(
    async () => {
      const now = await read()
      expect(now.state).toBe(state)
      return now
    },
    { timeout: 120_000, interval: 100 },
  )
}

test(`through ${kills} kills nobody is left out, and nobody is changed or put back twice`, async () => {
  const ids: string[] = []
  for (let n = 0; n < users; n++) {
    const id = await create('/users', {})
    const properties = [{ key: 'plate', type: 'TEXT', value: String(n) }]
    await create(`/users/${id}/entities`, { type: 'car', properties })
    ids.push(id)
  }
  // The users are mixed with many unknown ids, so that each process gets to change some of them before it is killed.
  const gone = () => Array.from({ length: 40 }, () => crypto.randomUUID())
  const set = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B-XY 1' }
  const job = await create('/users/batch', { ids: ids.flatMap((id) => [id, ...gone()]), set })
  const { outcomes } = await killWithin(job, users * 41, 'finished')
  expect(outcomes).toEqual({ changed: users, not_found: users * 40 })
  for (const id of ids) {
    const [car] = await get<Entity[]>(`/users/${id}/entities`)
    expect(car?.properties[0]?.value).toBe('B-XY 1')
    const events = await get<Event[]>(`/events?user=${id}&type=DIRECT_DATA_CHANGE`)
    // One event for the creation and one for the only change.
    expect(events).toHaveLength(2)
  }

  await api('POST', `/jobs/${job}/undo`)
  const { undone } = await killWithin(job, users, 'undone')
  expect(undone).toEqual({ undone: users })
  const ends = await get<Event[]>('/events?type=JOB_FINISHED')
  expect(ends.map(({ properties: { state } }) => state)).toEqual(['finished', 'undone'])
  for (const [n, id] of ids.entries()) {
    const [car] = await get<Entity[]>(`/users/${id}/entities`)
    expect(car?.properties[0]?.value).toBe(String(n))
    const events = await get<Event[]>(`/events?user=${id}&type=DIRECT_DATA_CHANGE`)
    expect(events).toHaveLength(3)
  }
}, 300_000)

test(`through ${kills} kills an export has each user once`, async () => {
  const body = { format: 'ndjson', entities: 'each', filter: { all: [] } }
  const job = await create('/exports', body)
  const { total, outcomes } = await killWithin(job, samples, 'finished')
  const text = await (await api('GET', `/jobs/${job}/file`)).text()
  const ids = text
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { id: string }).id)
  expect(ids).toHaveLength(total)
  expect(outcomes).toEqual({ exported: total })
  expect(ids).toEqual([...new Set(ids)].toSorted())
  expect(total).toBeGreaterThanOrEqual(samples)
}, 300_000)

test(`through ${kills} kills a workbook has each user once`, async () => {
  const job = await create('/exports', { format: 'xlsx', columns: ['id'], filter: { all: [] } })
  const { total } = await killWithin(job, samples, 'finished')
  const file = Buffer.from(await (await api('GET', `/jobs/${job}/file`)).arrayBuffer())
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
}, 300_000)

test(`through ${kills} kills each user is deleted once`, async () => {
  const ids: string[] = []
  for (let n = 0; n < users; n++) ids.push(await create('/users', {}))
  const gone = () => Array.from({ length: 40 }, () => crypto.randomUUID())
  const all = ids.flatMap((id) => [id, ...gone()])
  const job = await create('/users/delete', { ids: all, count: all.length })
  const { outcomes } = await killWithin(job, all.length, 'finished')
  expect(outcomes).toEqual({ deleted: users, not_found: users * 40 })
  for (const id of ids) expect(await get<Event[]>(`/events?user=${id}&type=USER_DELETED`)).toHaveLength(1)
}, 300_000)
