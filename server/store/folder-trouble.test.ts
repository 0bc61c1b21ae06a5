import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../sealing/database.ts'
import { testKeys } from '../testing.ts'

describe('what an operator is told when a data folder cannot be opened', () => {
  let root: string
  let fresh: string
  let folder: string

  beforeAll(async () => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-'))
    fresh = path.join(root, 'fresh')
    await (await openDatabase({ dataDir: fresh }, testKeys)).close()
  }, 120_000)
  beforeEach(({ task }) => {
    folder = path.join(root, task.id)
    fs.cpSync(fresh, folder, { recursive: true })
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

  const told = () =>
    openDatabase({ dataDir: folder }, testKeys).then(
      async (database) => {
        await database.close()
        throw new Error('It was opened.')
      },
      (error: Error) => error.message,
    )

  // As the file system does it: the engine is given the error of the system's call.
  const failing = (method: 'openSync' | 'writeSync', code: string) => {
    const real = fs[method] as (...given: unknown[]) => number
    const isRead = (flags: unknown) => flags === 'r' || (typeof flags === 'number' && (flags & 3) === 0)
    vi.spyOn(fs, method).mockImplementation((...given: unknown[]) => {
      if (method === 'openSync' && code !== 'EMFILE' && isRead(given[1])) return real(...given)
      throw Object.assign(new Error(code), { code })
    })
  }

  it.each([
    ['a full disk', 'writeSync', 'ENOSPC', /is full: make room on it and start again/],
    ['a quota that is used up', 'writeSync', 'EDQUOT', /quota of the disk is used up/],
    ['a disk that can only be read', 'openSync', 'EROFS', /can only be read: mount its disk for writing/],
    ['files of another user', 'openSync', 'EACCES', /give all of the folder to the user/],
    ['too many open files', 'openSync', 'EMFILE', /raise the limit/],
  ] as const)(
    'names %s, and that nothing is lost',
    async (_name, method, code, words) => {
      failing(method, code)
      const message = await told()
      expect(message).toMatch(words)
      expect(message).toContain('Nothing is damaged or lost')
      expect(message).not.toContain('backup')
      vi.restoreAllMocks()
      await (await openDatabase({ dataDir: folder }, testKeys)).close()
    },
    120_000,
  )

  it('names the version that wrote the files', async () => {
    fs.writeFileSync(path.join(folder, 'pg', 'PG_VERSION'), '17\n')
    const message = await told()
    expect(message).toContain('is of PostgreSQL 17, which this release does not open')
    expect(message).toContain('Nothing is damaged or lost')
    expect(message).not.toContain('backup')
  }, 120_000)

  it('names a file where the folder should be', async () => {
    fs.rmSync(folder, { recursive: true })
    fs.writeFileSync(folder, 'not a folder')
    expect(await told()).toMatch(/is not a folder: set DATA_DIR/)
  }, 120_000)

  it('does not speak of damage where there is no folder yet, and none can be made', async () => {
    fs.rmSync(folder, { recursive: true })
    // As Node says it of several folders at once on a disk that can only be read.
    vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
    })
    const unexplained = await told()
    expect(unexplained).toContain(`No database could be made in ${folder}. Nothing is damaged or lost`)
    failing('openSync', 'EROFS')
    const message = await told()
    expect(message).toMatch(/can only be read: mount its disk for writing.*Nothing is damaged or lost/)
  }, 120_000)

  it('has a backup as the last resort of files that are damaged, after a copy of them', async () => {
    fs.writeFileSync(path.join(folder, 'pg', 'global', 'pg_control'), 'not what it was')
    const message = await told()
    expect(message).toContain(
      `The database in ${path.join(folder, 'pg')} could not be opened: its files are damaged`,
    )
    expect(message).toMatch(/Before anything else copy the whole folder.*back to a backup\.$/)
  }, 120_000)
})
