import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { openDatabase } from '../sealing/database.ts'
import { KeyFile } from '../sealing/key-file.ts'

/**
 * What Windows does otherwise with files, done by this machine: a handle that was opened for reading cannot be flushed, a
 * folder with open files is not moved, modes say nothing, and who looks through new files holds them for a moment.
 */
function imitateWindows(): void {
  const opened = new Map<number, { file: string; isReadOnly: boolean }>()
  const note = (handle: number, file: unknown, flags: unknown = 'r') => {
    const isReadOnly = flags === 'r' || (typeof flags === 'number' && (flags & 3) === fs.constants.O_RDONLY)
    opened.set(handle, { file: path.resolve(String(file)), isReadOnly })
  }
  const refused = (call: string) =>
    Object.assign(new Error(`EPERM: ${call}`), { code: 'EPERM', errno: -4048 })
  const checkFlush = (handle: number) => {
    if (opened.get(handle)?.isReadOnly) throw refused('fsync')
  }
  const { openSync, closeSync, fsyncSync, renameSync, lstatSync, statSync, fstatSync } = fs
  const { open } = fs.promises

  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  vi.spyOn(fs, 'openSync').mockImplementation((file, flags, mode) => {
    const handle = openSync(file, flags, mode)
    note(handle, file, flags)
    return handle
  })
  vi.spyOn(fs, 'closeSync').mockImplementation((handle) => {
    opened.delete(handle)
    closeSync(handle)
  })
  vi.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
    checkFlush(handle)
    fsyncSync(handle)
  })
  vi.spyOn(fs.promises, 'open').mockImplementation(async (file, flags, mode) => {
    const handle = await open(file, flags, mode)
    const { fd } = handle
    note(fd, file, flags)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      checkFlush(fd)
      await sync()
    }
    const close = handle.close.bind(handle)
    handle.close = async () => {
      opened.delete(fd)
      await close()
    }
    return handle
  })
  const looksAt = new Set<string>()
  vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    const source = path.resolve(String(from))
    const isFolder = statSync(source).isDirectory()
    if (isFolder && [...opened.values()].some(({ file }) => file.startsWith(source + path.sep)))
      throw refused('rename')
    if (isFolder && !looksAt.has(source)) {
      looksAt.add(source)
      throw refused('rename')
    }
    renameSync(from, to)
  })
  for (const [method, real] of [
    ['lstatSync', lstatSync],
    ['statSync', statSync],
    ['fstatSync', fstatSync],
  ] as const)
    vi.spyOn(fs, method).mockImplementation((...given: unknown[]) => {
      const stats = (real as (...given: unknown[]) => fs.Stats | undefined)(...given)
      if (stats) Object.assign(stats, { mode: (stats.mode & fs.constants.S_IFMT) | 0o666, uid: 0, gid: 0 })
      return stats as never
    })
}

describe('on Windows', () => {
  let root: string
  let folder: string

  beforeAll(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-'))
  })
  beforeEach(({ task }) => {
    folder = path.join(root, task.id, 'data')
    imitateWindows()
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

  it('a store is made, kept, and opened again', async () => {
    const first = await openDatabase({ dataDir: folder }, undefined)
    await first.pool.query('create table kept as select generate_series(1, 1000) as n')
    await first.upkeep?.()
    await first.close()

    const second = await openDatabase({ dataDir: folder }, undefined)
    const { rows } = await second.pool.query('select count(*) as n from kept')
    expect(rows).toEqual([{ n: 1000 }])
    await second.close()
  })

  it('the key of a store is replaced', () => {
    fs.mkdirSync(folder, { recursive: true })
    const file = new KeyFile(folder)
    const [first] = file.read()
    const [second] = file.add()
    expect(file.destroyOld()).toEqual([second])
    expect(second).not.toEqual(first)
    expect(file.read()).toEqual([second])
  })
})
