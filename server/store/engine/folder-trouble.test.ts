import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { clusterOf, contentsOf, emptyStores } from '../../testing/embedded.ts'
import { openStore } from '../store.ts'
import { folderTrouble } from './folder-trouble.ts'
import { NotStarted } from './tied.ts'

describe('messages for an operator whose data folder cannot be opened', () => {
  const stores = emptyStores()
  afterEach(() => vi.restoreAllMocks())

  const readMessage = (folder: string) =>
    openStore({ dataDir: folder }, () => Promise.resolve()).then(
      async ({ store }) => {
        await store.close()
        throw new Error('It was opened.')
      },
      (error: Error) => error.message,
    )
  const harmless = /Nothing is damaged or lost/

  // Messages of PostgreSQL. Since it is another process, its system calls cannot be made to fail from here.
  it.each([
    [
      'a full disk',
      'could not write to file "pg_wal/xlogtemp.7": No space left on device',
      /is full: make room/,
    ],
    [
      'a quota that is used up',
      'could not extend file "base/5/1": Disk quota exceeded',
      /quota of the disk is used up/,
    ],
    [
      'a disk that can only be read',
      'could not open file "global/1": Read-only file system',
      /can only be read: mount/,
    ],
    [
      'files of another user',
      'could not open file "PG_VERSION": Permission denied',
      /give all of the folder to the user/,
    ],
    ['too many open files', 'out of file descriptors: Too many open files in system', /raise the limit/],
    [
      'too little memory',
      'could not map anonymous shared memory: Cannot allocate memory',
      /not enough memory/,
    ],
    [
      'another one that has it',
      'pre-existing shared memory block (key 1, ID 2) is still in use',
      /in use by another/,
    ],
  ])('names %s, and that nothing is lost', (_name, words, expected) => {
    const { message } = folderTrouble(stores.copy(), new NotStarted(`FATAL:  ${words}`))
    expect(message).toMatch(expected)
    expect(message).toMatch(harmless)
    expect(message).not.toContain('backup')
  })

  it.each([
    'error while loading shared libraries: libicuuc.so.60: cannot open shared object file',
    'SIGKILL',
    'FATAL:  could not find a suitable moment',
  ])('blames no file where PostgreSQL speaks of none: %s', (words) => {
    const { message } = folderTrouble(stores.copy(), new NotStarted(words))
    expect(message).toContain(
      `could not be started (${words}). PostgreSQL says nothing of damage or loss: leave`,
    )
  })

  it.each([
    ['FATAL:  could not create any Unix-domain sockets', /could not make its socket \(FATAL/],
    [
      'FATAL:  could not create lock file "/tmp/gone/.s.PGSQL.5432.lock": No such file or directory',
      /could not make its socket .*\/tmp\/gone\/.*see that its folder is there/,
    ],
    [
      'FATAL:  could not write to file "/elsewhere/temporary": No space left on device',
      /The disk of \/elsewhere\/temporary is full/,
    ],
    [
      'FATAL:  could not open file "/elsewhere/x": Permission denied',
      /\/elsewhere\/x may not be used by the service/,
    ],
    ['FATAL:  configuration file "/d/postgresql.conf" contains errors: line 7', /file of settings .*line 7/],
    [
      'FATAL:  could not resize shared memory segment "/PostgreSQL.1" to 1048576 bytes: No space left on device',
      /shared memory of this machine, \/dev\/shm, cannot be used/,
    ],
    [
      'FATAL:  could not fork new process for connection: Resource temporarily unavailable',
      /No more processes may/,
    ],
  ])('names what a line of PostgreSQL names: %s', (words, expected) => {
    const { message } = folderTrouble(stores.copy(), new NotStarted(words))
    expect(message).toMatch(expected)
    expect(message).toMatch(harmless)
    expect(message).not.toMatch(/backup|The data folder/)
  })

  it('names the version that wrote the files', async () => {
    const folder = stores.copy()
    fs.writeFileSync(path.join(clusterOf(folder), 'PG_VERSION'), '17\n')
    const message = await readMessage(folder)
    expect(message).toContain('is of PostgreSQL 17, which this release does not open')
    expect(message).toMatch(harmless)
    expect(message).not.toContain('backup')
  })

  it('knows the database of a machine of another kind', async () => {
    const folder = stores.copy()
    const control = path.join(clusterOf(folder), 'global', 'pg_control')
    const bytes = fs.readFileSync(control)
    // Swaps the byte order of the file's version, as on another kind of processor.
    bytes.subarray(8, 12).reverse()
    fs.writeFileSync(control, bytes)
    const message = await readMessage(folder)
    expect(message).toContain('was made on a machine of another kind')
    expect(message).toMatch(harmless)
  })

  it('knows the database of release 0.2.0, and how to go on with it', async () => {
    const folder = stores.none()
    fs.mkdirSync(path.join(folder, 'pg'), { recursive: true })
    fs.writeFileSync(path.join(folder, 'pg', 'PG_VERSION'), '18\n')
    const message = await readMessage(folder)
    expect(message).toContain('is of release 0.2.0 or older')
    expect(message).toContain('"npm run upgrade-store" moves all of it into a new one')
    expect(fs.readdirSync(folder).toSorted()).toEqual(['lock', 'pg'])
  })

  it('names a file where the folder should be', async () => {
    const file = stores.none()
    fs.writeFileSync(file, 'not a folder')
    expect(await readMessage(file)).toMatch(/is not a folder: set DATA_DIR/)
  })

  it('names a lock that is none', async () => {
    const folder = stores.copy()
    fs.writeFileSync(path.join(folder, 'lock'), 'something else '.repeat(100))
    expect(await readMessage(folder)).toMatch(
      /lock is not the lock that it should be\. It holds no data: delete it\.$/,
    )
    fs.rmSync(path.join(folder, 'lock'))
    expect(await contentsOf(folder)).toMatchObject({ counted: 0 })
  })

  it('does not speak of damage where there is no folder yet, and none can be made', async () => {
    const folder = stores.none()
    // Node reports this error for nested folders on a read-only disk.
    vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
      throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
    })
    expect(await readMessage(folder)).toContain(
      `No database could be made in ${folder} (ENOENT). Nothing is damaged or lost by it.`,
    )
  })

  it('has a backup as the last resort where the disk fails', () => {
    const { message } = folderTrouble(
      stores.copy(),
      Object.assign(new Error('EIO: i/o error'), { code: 'EIO' }),
    )
    expect(message).toMatch(
      /its disk reports errors \(EIO: i\/o error\)\. Before anything else copy the whole folder/,
    )
  })

  it('has a backup as the last resort where a page is not what was written', async () => {
    const folder = stores.copy()
    const { store } = await openStore({ dataDir: folder }, () => Promise.resolve())
    const { rows } = await store.pool.query<{ file: string }>(
      `select pg_relation_filepath('kysely_migration') as file`,
    )
    await store.close()
    const file = path.join(clusterOf(folder), rows[0]?.file ?? '')
    const bytes = fs.readFileSync(file)
    bytes.fill(7, 4000, 5000)
    fs.writeFileSync(file, bytes)
    const message = await readMessage(folder)
    expect(message).toContain('its files are damaged (invalid page in block 0 of relation')
    expect(message).toMatch(/Before anything else copy the whole folder.*back to a backup\.$/)
  })

  it('refuses a database that would not keep what it acknowledges', async () => {
    const folder = stores.copy()
    const { store } = await openStore({ dataDir: folder }, () => Promise.resolve())
    await store.maintain?.('alter role postgres set synchronous_commit = off')
    await store.close()
    expect(await readMessage(folder)).toMatch(
      /does not keep what it acknowledges, since synchronous_commit is not "on"\. Undo what has changed that/,
    )
  })
})
