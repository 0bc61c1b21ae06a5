import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'

import { NotOpened } from './programs.ts'

/** Root's folder may be passed through by others, since PostgreSQL runs as one of them; what is in it is closed to all. */
export function makeFolder(folder: string): void {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  const made = fs.mkdirSync(folder, { recursive: true, mode })
  // The folders made above are on disk once the one that holds them is.
  if (made !== undefined)
    for (let at = folder; at.length >= made.length; at = path.dirname(at)) syncFolder(path.dirname(at))
}

// The lock is the operating system's, held through SQLite: it is gone the moment its process is, killed or not, so
// there is no stale lock to guess about. Nothing else in this process may open the file: closing it would drop the
// lock (POSIX). PostgreSQL has a lock of its own, which a killed service's lets go a moment later.
export function lockFolder(folder: string) {
  const file = path.join(folder, 'lock')
  const lock = new DatabaseSync(file)
  try {
    // In memory it has no journal, which a full disk has no room for.
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
    // A process that may read the file could lock it.
    fs.chmodSync(file, 0o600)
  } catch (error) {
    lock.close()
    const { errcode } = error as { errcode?: unknown }
    if (errcode === 26 /* SQLITE_NOTADB */)
      throw new NotOpened(
        `The file ${file} is not the lock that it should be. It holds no data: delete it.`,
        { cause: error },
      )
    if (errcode !== 5 /* SQLITE_BUSY */) throw error
    throw Object.assign(new Error('locked', { cause: error }), { code: 'EBUSY' })
  }
  return () => lock.close()
}

// Windows moves no folder while anybody has a file of it open, and who looks through new files (a virus scanner, the
// search index) has them open for a moment.
export async function moveFolder(from: string, to: string): Promise<void> {
  const givenUpAt = performance.now() + 30_000
  for (;;)
    try {
      return fs.renameSync(from, to)
    } catch (error) {
      if (process.platform !== 'win32' || performance.now() > givenUpAt) throw error
      await setTimeout(100)
    }
}

/** Windows flushes no folder: there is nothing to sync. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
