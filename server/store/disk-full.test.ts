// A disk that fills up while the service runs, and has room again. Once with a file system of its own, where the machine
// lets the test mount one, and everywhere with a limit that the test sets on the folder.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../sealing/database.ts'
import { startTestService, testKeys, type TestService } from '../testing.ts'

const diskBytes = 220 * 2 ** 20
const waiting = { timeout: 30_000, interval: 100 }

interface Disk {
  readonly folder: string
  fill(): void
  empty(): void
  remove(): void
}

function mountedDisk(): Disk | undefined {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'none', folder])
  if (status !== 0) {
    fs.rmdirSync(folder)
    return undefined
  }
  const other = path.join(folder, 'other')
  return {
    folder,
    fill() {
      const handle = fs.openSync(other, 'w')
      try {
        for (;;) fs.writeSync(handle, Buffer.alloc(4096, 1))
      } catch {
        fs.closeSync(handle)
      }
    },
    empty: () => fs.rmSync(other),
    remove() {
      spawnSync('umount', ['--lazy', folder])
      fs.rmdirSync(folder)
    },
  }
}

/** What the files of the folder have together is counted; a write that would make it more fails as on a full disk. */
function limitedDisk(): Disk {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-disk-'))
  let limit = diskBytes
  const used = () => {
    let bytes = 0
    for (const name of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
      bytes += fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0
    return bytes
  }
  const { writeSync } = fs
  vi.spyOn(fs, 'writeSync').mockImplementation(((handle: number, buffer: Uint8Array, ...rest: number[]) => {
    const [, length = 0, position = 0] = rest
    const more = position + length - fs.fstatSync(handle).size
    if (more > 0 && used() + more > limit) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    return writeSync(handle, buffer, ...rest)
  }) as typeof fs.writeSync)
  vi.spyOn(fs.promises, 'statfs').mockImplementation((async () => ({
    bsize: 1,
    bavail: Math.max(0, limit - used()),
  })) as unknown as typeof fs.promises.statfs)
  return {
    folder,
    fill: () => void (limit = used()),
    empty: () => void (limit = diskBytes),
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

describe.each([
  ['that is mounted for this', mountedDisk],
  ['with a limit of the test', limitedDisk],
])('a disk %s', (name, make) => {
  let disk: Disk | undefined
  let service: TestService
  const failures: string[] = []
  const open = async () => {
    const dataDir = path.join(disk?.folder ?? '', 'data')
    const failed = (error: Error) => void failures.push(error.name)
    return await startTestService({ database: await openDatabase({ dataDir }, testKeys, { failed }) })
  }

  beforeAll(async () => {
    disk = make()
    if (disk) service = await open()
    else
      process.stderr.write(`This machine lets no test mount a file system: the disk ${name} was left out.\n`)
  }, 120_000)
  afterAll(async () => {
    await service?.close()
    vi.restoreAllMocks()
    disk?.remove()
  })

  const status = async (...request: Parameters<TestService['call']> | []) =>
    (await service.call(...(request as Parameters<TestService['call']>))).status

  it('refuses changes while it is full, goes on reading, even after a restart, and recovers by itself', async ({
    skip,
  }) => {
    if (!disk) return skip()
    const created = await service.call('steward', 'POST', '/users', { name: 'Ada', email: 'ada@example.org' })
    expect(created.status).toBe(201)
    const id = created.headers.get('location')?.split('/').at(-1) ?? ''
    const changes = async () => {
      const answers = [
        await service.call('steward', 'POST', '/users', { name: 'Bea' }),
        await service.call('steward', 'PATCH', `/users/${id}`, { name: 'Ida' }),
        await service.call('steward', 'POST', `/users/${id}/entities`, { type: 'car', properties: [] }),
        await service.call('steward', 'DELETE', `/users/${id}`),
      ]
      for (const { status, headers, body } of answers) {
        expect(status).toBe(503)
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        expect((body as { detail: string }).detail).toMatch(
          /its disk is full and its operator has to make room/,
        )
      }
    }
    const reads = async () => {
      expect(await status('support', 'GET', '/users')).toBe(200)
      expect(await service.call('support', 'GET', `/users/${id}`)).toMatchObject({ body: { name: 'Ada' } })
      expect(await status('support', 'GET', `/users/${id}/entities`)).toBe(200)
      expect(await status('support', 'POST', '/users/search', { q: 'ada' })).toBe(200)
      expect(await status('support', 'GET', '/events')).toBe(200)
      expect(await status('support', 'GET', '/segments')).toBe(200)
      const ready = await service.fetch('/readyz')
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'read-only' }])
    }

    disk.fill()
    // Answered or refused, and never a bug, from the first moment on; the log has to grow by what it is kept room for.
    for (let times = 0; times < 3; times++) {
      expect(await status('steward', 'POST', '/users', { name: 'Bea' })).toBeOneOf([201, 503])
      await service.database.pool.query(`select pg_logical_emit_message(true, 'test', repeat('x', 9000000))`)
    }
    await vi.waitFor(changes, waiting)
    expect(failures).toContain('DiskFull')
    await service.database.upkeep?.()
    await reads()
    await service.close()
    service = await open()
    await reads()
    await changes()

    disk.empty()
    await vi.waitFor(
      async () => expect(await status('steward', 'POST', '/users', { name: 'Ida' })).toBe(201),
      waiting,
    )
    const ready = await service.fetch('/readyz')
    expect(await ready.json()).toMatchObject({ status: 'ok' })
    expect(failures).not.toContain('EngineStopped')
  }, 240_000)
})
