// Tests with a disk that is full or read-only, both while the service runs and when it starts.
import { once } from 'node:events'
import fs from 'node:fs'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { dropOne } from '../../imports/tidying.ts'
import { openDatabase } from '../../sealing/database.ts'
import { makeImage, mountDisk, mounts } from '../../testing/disk.ts'
import { clusterOf, emptyStores, kill, processesIn } from '../../testing/embedded.ts'
import { startTestService, testKeys, type TestService } from '../../testing/service.ts'

const waiting = { timeout: 60_000, interval: 100 }
const stores = emptyStores()

/** Errors that the store has reported. */
let failures: Error[]

async function openHere(folder: string): Promise<TestService> {
  failures = []
  const failed = (error: Error) => void failures.push(error)
  const service = await startTestService({
    database: await openDatabase({ dataDir: folder }, testKeys, { failed }),
  })
  onTestFinished(() => service.close())
  return service
}

const names = () => failures.map(({ name }) => name)
const refusalOf = (folder: string) => openHere(folder).then(String, (error: Error) => error.message)

async function create(service: TestService, name: string): Promise<number> {
  return (await service.call('steward', 'POST', '/users', { name })).status
}

async function expectReads(service: TestService, user: string): Promise<void> {
  for (const [method, address, body] of [
    ['GET', '/users'],
    ['GET', `/users/${user}`],
    ['GET', `/users/${user}/entities`],
    ['POST', '/users/search', { q: 'ada' }],
    ['GET', '/events'],
    ['GET', '/segments'],
  ] as const)
    expect([address, (await service.call('support', method, address, body)).status]).toEqual([address, 200])
  const ready = await service.fetch('/readyz')
  expect([ready.status, await ready.json()]).toEqual([200, { status: 'read-only' }])
}

async function expectNoChanges(service: TestService, user: string): Promise<void> {
  for (const [method, address, body] of [
    ['POST', '/users', { name: 'Bea' }],
    ['PATCH', `/users/${user}`, { name: 'Ida' }],
    ['POST', `/users/${user}/entities`, { type: 'car', properties: [] }],
    // Last, because for a moment a write that needs no space still succeeds.
    ['DELETE', `/users/${user}`],
  ] as const) {
    const answer = await service.call('steward', method, address, body)
    expect([address, answer.status]).toEqual([address, 503])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.body).toMatchObject({
      detail: expect.stringMatching(/its disk is full and its operator has to/),
    })
  }
}

const addUser = (service: TestService) =>
  service.create('steward', '/users', { name: 'Ada', email: 'ada@example.org' })

/** Rows of a file without end. */
function* endlessRows(): Generator<string, never> {
  yield 'Name,Ref\n'
  for (;;) yield 'Rosa Klein,K-1\n'.repeat(1000)
}

/** Sends a file without end until the service answers, and returns its answer. */
async function sendEndlessly(service: TestService): Promise<{ status: number | undefined; text: string }> {
  const { port } = await service.listen()
  const headers = { authorization: `Bearer ${await service.token('steward')}`, 'content-type': 'text/csv' }
  const sending = httpRequest({ port, path: '/api/imports', method: 'POST', headers })
  onTestFinished(() => void sending.destroy())
  Readable.from(endlessRows()).pipe(sending)
  const [answer] = (await once(sending, 'response')) as [IncomingMessage]
  const text = Buffer.concat(await answer.toArray()).toString()
  return { status: answer.statusCode, text }
}

async function countReceived({ database }: TestService): Promise<{ imports: number; chunks: number }> {
  const { rows } = await database.pool.query<{ imports: number; chunks: number }>(
    'select (select count(*)::int from imports) as imports, (select count(*)::int from import_chunks) as chunks',
  )
  return rows[0] ?? { imports: 0, chunks: 0 }
}

describe.runIf(mounts.memory)('a disk that is full', () => {
  const makeDisk = (megabytes: number) => {
    const disk = mountDisk(megabytes)
    stores.copy(disk.folder)
    return disk
  }

  it('refuses changes, still reads, even after a restart, and recovers by itself', async () => {
    const disk = makeDisk(200)
    const first = await openHere(disk.folder)
    const user = await addUser(first)
    disk.fill()
    // From the first moment on, each write is either done or refused, and none fails as a bug.
    for (let times = 0; times < 3; times++) expect(await create(first, 'Bea')).toBeOneOf([201, 503])
    await vi.waitFor(() => expectNoChanges(first, user), waiting)
    await expectReads(first, user)
    expect(names()).toEqual(['DiskFull'])
    await first.close()

    const second = await openHere(disk.folder)
    await expectReads(second, user)
    await expectNoChanges(second, user)
    disk.empty()
    await vi.waitFor(async () => expect(await create(second, 'Ida')).toBe(201), waiting)
    const ready = await second.fetch('/readyz')
    expect(await ready.json()).toMatchObject({ status: 'ok' })
    expect(names()).toEqual(['DiskFull'])
  })

  it('and leaves no room for the log is given what was kept for that, and reads again within a moment', async () => {
    const disk = makeDisk(400)
    const service = await openHere(disk.folder)
    const user = await addUser(service)
    disk.fill()
    await vi.waitFor(() => expect(names()).toContain('DiskFull'), waiting)
    // Writes more than the log files that are ready for reuse can hold.
    const fillLog = () =>
      service.database.pool.query(`select pg_logical_emit_message(true, '', repeat('x', 9000000))`)
    // Ends with the first failure: the server is then restarted with the reserve, which more writes would use up.
    let isEnded = false
    for (let count = 0; !isEnded && count < 40; count++) await fillLog().catch(() => (isEnded = true))
    await vi.waitFor(() => expect(names()).toContain('ServerEnded'), waiting)
    await vi.waitFor(() => expectReads(service, user), waiting)
    await expectNoChanges(service, user)
    expect(fs.statSync(path.join(disk.folder, 'reserve')).size).toBeLessThan(64 * 2 ** 20)
    disk.empty()
    await vi.waitFor(async () => expect(await create(service, 'Ida')).toBe(201), waiting)
    expect(fs.statSync(path.join(disk.folder, 'reserve')).size).toBe(64 * 2 ** 20)
  })

  it('when all was killed and has to be recovered is read from, and written to once there is room', async () => {
    const disk = makeDisk(200)
    const first = await openHere(disk.folder)
    const user = await addUser(first)
    await first.database.pool.query('create table many as select generate_series(1, 100000) as n')
    const all = processesIn(clusterOf(disk.folder))
    const closed = first.close()
    all.forEach(kill)
    await closed
    disk.fill()
    const second = await openHere(disk.folder)
    await expectReads(second, user)
    await expectNoChanges(second, user)
    disk.empty()
    await vi.waitFor(async () => expect(await create(second, 'Ida')).toBe(201), waiting)
  })

  it('while a file is received refuses it, and keeps nothing of it once there is room', async () => {
    const disk = makeDisk(200)
    const service = await openHere(disk.folder)
    const sending = sendEndlessly(service)
    await vi.waitFor(async () => expect((await countReceived(service)).chunks).toBeGreaterThan(0), waiting)
    disk.fill()
    const { status, text } = await sending
    expect(status).toBe(503)
    expect(text).toMatch(/disk .*is full.*operator has to make room/)
    disk.empty()
    const file = Buffer.from('Name,Ref\nRosa Klein,K-1\n')
    const send = () => service.call('steward', 'POST', '/imports', file, { 'content-type': 'text/csv' })
    await vi.waitFor(async () => expect((await send()).status).toBe(201), waiting)
    // Goes within the hour if it could not be deleted while the disk was full.
    await service.database.pool.query(`update imports set begun = begun - interval '41 min'`)
    while (await dropOne(service.database));
    expect(await countReceived(service)).toEqual({ imports: 1, chunks: 1 })
  })

  it('before a database is made is named, and one is made once there is room', async () => {
    const disk = mountDisk(20)
    expect(await refusalOf(disk.folder)).toMatch(
      /is full: make room on it and start again.* Nothing is damaged or lost/,
    )
    disk.remount('size=200m')
    expect(await create(await openHere(disk.folder), 'Ada')).toBe(201)
  })
})

describe('a disk that can only be read', () => {
  const words = /can only be read: mount its disk for writing and start again.* Nothing is damaged or lost/

  it.runIf(mounts.memory)('is named at the start', async () => {
    const disk = mountDisk(200)
    stores.copy(disk.folder)
    disk.remount('ro')
    expect(await refusalOf(disk.folder)).toMatch(words)
    disk.remount('rw')
    expect(await create(await openHere(disk.folder), 'Ada')).toBe(201)
  })

  it.runIf(mounts.file)(
    'is named while the service runs, and nothing is lost when it can be written again',
    async () => {
      const image = makeImage(300)
      const disk = mountDisk(image)
      stores.copy(disk.folder)
      disk.sync()
      const service = await openHere(disk.folder)
      const user = await addUser(service)
      disk.fail()
      await vi.waitFor(async () => {
        expect(await create(service, 'Bea')).toBe(503)
        expect(failures.map(({ message }) => message).join()).toMatch(words)
      }, waiting)
      await service.close()
      disk.unmount()
      const next = await openHere(mountDisk(image).folder)
      expect((await next.call('support', 'GET', `/users/${user}`)).status).toBe(200)
      expect(await create(next, 'Ida')).toBe(201)
    },
  )
})
