import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { DurableNodeFS } from './durable-files.ts'
import { Engine } from './embedded-engine.ts'
import { folderTrouble } from './folder-trouble.ts'
import { DiskFull, Reserve } from './reserve.ts'

export interface Embedded {
  engine: Engine
  close(): Promise<void>
}

// The stock parameters begin with `-F`, which turns fsync off, and WAL is synced by fdatasync, which does nothing in
// Emscripten: with them every one of 125 simulated power cuts lost data (PGlite 0.5.16).
const durableStartParams = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
  // As for PostgreSQL, see database.ts.
  '-c',
  'work_mem=32MB',
]

/**
 * Opens the database in `<dataDir>/pg`, creating it where there is none, for this process alone. Refuses when another
 * process has it, or when a commit would not be on disk before it is acknowledged.
 */
export async function openFolder(
  dataDir: string,
  failed: (error: Error) => void,
  startParams = durableStartParams,
): Promise<Embedded> {
  const folder = path.resolve(dataDir)
  const words = lastWords()
  let unlock = () => {}
  try {
    const made = fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    unlock = lockFolder(folder)
    const store = path.join(folder, 'pg')
    if (!fs.existsSync(store)) await createStore(store, words.read)
    // the folders made above are on disk once the one that holds them is
    if (made !== undefined)
      for (let at = folder; at.length >= made.length; at = path.dirname(at)) await syncPath(path.dirname(at))
    const reserve = new Reserve(folder)
    const files = new DurableNodeFS(store, reserve)
    const pglite = await PGlite.create({ fs: files, startParams, onStderr: words.read })
    const engine = new Engine(pglite, words.text, failed)
    try {
      await verifyCommitSyncs(folder, pglite, engine, files)
    } catch (error) {
      await engine.close()
      throw error
    }
    await reserve.watch((isShort) => {
      engine.readOnly = isShort
      if (isShort)
        failed(
          new DiskFull(`The disk of ${folder} is full, or nearly: changes are refused until there is room.`),
        )
    })
    const close = async () => {
      await reserve.stop()
      await engine.close()
      unlock()
    }
    return { engine, close }
  } catch (error) {
    unlock()
    throw error instanceof NotOpened ? error : folderTrouble(folder, error, words.text())
  }
}

/** Says by itself what is to be done. */
class NotOpened extends Error {}

/**
 * A database that is gone with the process, for tests: nothing is synced, nothing is locked. What initdb and `migrate` make is
 * kept beside the packages for the next test file: 0.3 s instead of 1.2 to 1.9 s for the one, 0.4 s instead of 1.2 for
 * the other.
 *
 * @param version Names what `migrate` makes.
 */
export async function openMemory(
  failed: (error: Error) => void,
  version: string,
  migrate: (embedded: Embedded) => Promise<void>,
): Promise<Embedded> {
  const engine = createRequire(import.meta.url).resolve('@electric-sql/pglite/pglite.wasm')
  const { size, mtimeMs } = fs.statSync(engine)
  const cache = path.resolve(engine, '../../../../.cache/data-store')
  const file = path.join(cache, `cluster-${size}-${Math.round(mtimeMs)}-${version}.tar`)
  const open = async (loadDataDir?: Blob) => {
    const words = lastWords()
    const pglite = await PGlite.create({ onStderr: words.read, ...(loadDataDir && { loadDataDir }) })
    const opened = new Engine(pglite, words.text, failed)
    return { pglite, embedded: { engine: opened, close: () => opened.close() } }
  }
  if (!fs.existsSync(file)) {
    const { pglite, embedded } = await open()
    await migrate(embedded)
    await pglite.exec('checkpoint')
    const dump = await pglite.dumpDataDir('none')
    await embedded.close()
    fs.mkdirSync(cache, { recursive: true })
    // Moved into place whole, since several test files start at once.
    fs.writeFileSync(`${file}.${process.pid}`, await dump.bytes())
    fs.renameSync(`${file}.${process.pid}`, file)
  }
  return (await open(new Blob([fs.readFileSync(file)]))).embedded
}

// The lock is the operating system's, held through SQLite: it is gone the moment its process is, killed or not, so
// there is no stale lock to guess about. Nothing else in this process may open the file: closing it would drop the
// lock (POSIX).
function lockFolder(folder: string) {
  const file = path.join(folder, 'lock')
  const lock = new DatabaseSync(file)
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    const { errcode } = error as { errcode?: unknown }
    if (errcode === 26 /* SQLITE_NOTADB */)
      throw new NotOpened(
        `The file ${file} is not the lock that it should be. It holds no data: delete it.`,
        {
          cause: error,
        },
      )
    if (errcode !== 5 /* SQLITE_BUSY */) throw error
    throw new NotOpened(
      `The data folder ${folder} is in use by another process. ` +
        'Stop that process, or set DATA_DIR to another folder.',
      { cause: error },
    )
  }
  return () => lock.close()
}

// Made beside its place and moved there when every file is on disk: a crash in between leaves no half database that
// looks like a whole one.
async function createStore(store: string, onStderr: (line: string) => false) {
  const unfinished = `${store}.new`
  fs.rmSync(unfinished, { recursive: true, force: true, maxRetries: 10 })
  fs.mkdirSync(unfinished, { mode: 0o700 })
  const files = new DurableNodeFS(unfinished)
  const pglite = await PGlite.create({ fs: files, startParams: durableStartParams, onStderr })
  await pglite.close()
  // PGlite unpacks its folder with modes of its own
  fs.chmodSync(unfinished, 0o700)
  const names = fs.readdirSync(unfinished, { recursive: true, encoding: 'utf8' }).values()
  const lane = async () => {
    for (const name of names) await syncPath(path.join(unfinished, name))
  }
  // a thousand files: the file system flushes together what is asked for at the same time
  await Promise.all([lane(), lane(), lane(), lane()])
  await syncPath(unfinished)
  await moveFolder(unfinished, store)
  await syncPath(path.dirname(store))
}

// Windows moves no folder while anybody has a file of it open, and who looks through new files (a virus scanner, the
// search index) has them open for a moment.
async function moveFolder(from: string, to: string) {
  const givenUpAt = performance.now() + 30_000
  for (;;)
    try {
      return fs.renameSync(from, to)
    } catch (error) {
      if (process.platform !== 'win32' || performance.now() > givenUpAt) throw error
      await setTimeout(100)
    }
}

async function syncPath(file: string) {
  const isFolder = fs.statSync(file).isDirectory()
  // Windows flushes no folder: there is nothing to sync.
  if (isFolder && process.platform === 'win32') return
  // A file is opened for writing: Windows flushes no other. A folder cannot be opened so.
  const handle = await fs.promises.open(file, isFolder ? 'r' : 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

// Durability and the guard of Engine lean on internals of PGlite: shown to work on each start, with a commit that
// writes to the log and changes nothing.
async function verifyCommitSyncs(folder: string, pglite: PGlite, engine: Engine, files: DurableNodeFS) {
  const before = { walSyncs: files.walSyncs, entered: engine.entered }
  await pglite.query(`select pg_logical_emit_message(true, 'data-store', 'opened')`)
  if (files.walSyncs === before.walSyncs || engine.entered === before.entered)
    throw new NotOpened(
      `The database in ${folder} was not opened: a commit did not reach the disk before it was acknowledged. ` +
        'Install the exact version of @electric-sql/pglite that package-lock.json names (npm ci).',
    )
}

// The log line with which the engine ends names a file and a reason, never data; no other line is kept, since those can
// quote rows.
function lastWords() {
  let text: string | undefined
  const read = (line: string): false => {
    text = /(?:PANIC|FATAL): .*/.exec(line)?.[0] ?? text
    return false
  }
  return { read, text: () => text }
}
