import fs from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { KeyFile } from '../../sealing/key-file.ts'
import { clusterOf, emptyStores, kill, postmasterOf } from '../../testing/embedded.ts'
import { openStore } from '../store.ts'
import { addressOf } from './address.ts'
import { startServer } from './postmaster.ts'
import { findPrograms } from './programs.ts'

/**
 * Imitates how Windows treats files: a handle opened for reading cannot be flushed, a folder with open files cannot be
 * moved, modes have no effect, and a virus scanner holds new files for a moment.
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

  const { platform } = process
  // npm installs programs for the real platform, so programs.ts must see that one.
  vi.spyOn(process, 'platform', 'get').mockImplementation(() =>
    new Error().stack?.includes('programs.ts') ? platform : 'win32',
  )
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
  const stores = emptyStores()
  let folder: string

  beforeEach(({ task }) => {
    // A store that was made on another system lets nobody connect to a port.
    folder = task.name.startsWith('the key') ? stores.copy() : stores.none()
    fs.mkdirSync(folder, { recursive: true, mode: 0o755 })
    // On Windows, whichever account runs PostgreSQL can read this file; here it has to own it.
    const password = `${clusterOf(folder)}-password`
    fs.writeFileSync(password, 'a long one')
    const { owner } = findPrograms(folder)
    if (owner) fs.chownSync(password, owner.uid, owner.gid)
    imitateWindows()
  })
  afterEach(() => vi.restoreAllMocks())

  const openHere = async (failed?: (error: Error) => void) => {
    const { store } = await openStore({ dataDir: folder }, () => Promise.resolve(), failed && { failed })
    onTestFinished(() => store.close())
    return store
  }
  const kept = 'select count(*) as n from kept'

  it('a store is made, kept, and opened again, at a port of this machine and with a password', async () => {
    const first = await openHere()
    await first.pool.query('create table kept as select generate_series(1, 1000) as n')
    const { host, port } = first.pool.options
    expect(host).toBe('127.0.0.1')
    const stranger = new Client(`postgresql://postgres:guessed@127.0.0.1:${port}/postgres`)
    await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' })
    await first.close()

    const second = await openHere()
    expect((await second.pool.query(kept)).rows).toEqual([{ n: 1000 }])
  })

  it('PostgreSQL is started again when it has ended by itself, and taken over where it has outlived its service', async () => {
    const failures: string[] = []
    const store = await openHere(({ name }) => failures.push(name))
    await store.pool.query('create table kept as select generate_series(1, 1000) as n')
    kill(postmasterOf(clusterOf(folder)))
    await vi.waitFor(() => expect(failures).toContain('ServerEnded'))
    await vi.waitFor(async () => expect((await store.pool.query(kept)).rows).toEqual([{ n: 1000 }]))
    await store.close()

    const programs = findPrograms(folder)
    const cluster = clusterOf(folder)
    const address = await addressOf(cluster, programs)
    const { signal } = new AbortController()
    const orphan = await startServer(cluster, programs, { address, signal })
    const next = await openHere()
    await orphan.ended
    expect((await next.pool.query(kept)).rows).toEqual([{ n: 1000 }])
  })

  it('the key of a store is replaced', () => {
    const file = new KeyFile(folder)
    const [first] = file.read()
    const [second] = file.add()
    expect(file.destroyOld()).toEqual([second])
    expect(second).not.toEqual(first)
    expect(file.read()).toEqual([second])
  })
})
