import fs from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'

import { NotOpened } from './programs.ts'

/**
 * Creates the data folder. Other accounts may pass through one that root creates, but not list it: PostgreSQL runs as
 * one of them.
 */
export function makeFolder(folder: string): void {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  const made = fs.mkdirSync(folder, { recursive: true, mode })
  // A new folder is on disk once its parent folder is synced.
  if (made !== undefined)
    for (let at = folder; at.length >= made.length; at = path.dirname(at)) syncFolder(path.dirname(at))
}

// The lock is held by the operating system through SQLite. It ends with its process, killed or not, so it is never
// stale. No other code in this process may open the file: closing it would release the lock (POSIX). PostgreSQL has its
// own lock, which is released a moment after its service was killed.
export function lockFolder(folder: string) {
  const file = path.join(folder, 'lock')
  if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw notALock(file)
  const lock = openLock(folder, file)
  try {
    // Keeping the journal in memory lets this work on a full disk.
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
    // Any process that can read the file could lock it.
    fs.chmodSync(file, 0o600)
  } catch (error) {
    lock.close()
    const { errcode } = error as { errcode?: unknown }
    if (errcode === 26 /* SQLITE_NOTADB */) throw notALock(file, error)
    if (errcode !== 5 /* SQLITE_BUSY */) throw error
    throw Object.assign(new Error('locked', { cause: error }), { code: 'EBUSY' })
  }
  return () => lock.close()
}

function openLock(folder: string, file: string): DatabaseSync {
  try {
    return new DatabaseSync(file)
  } catch (error) {
    // SQLite does not say why it cannot open a file, the system does. Only the folder is opened, for the limit of files.
    fs.accessSync(fs.existsSync(file) ? file : folder, fs.constants.R_OK | fs.constants.W_OK)
    fs.closeSync(fs.openSync(folder, 'r'))
    throw error
  }
}

const notALock = (file: string, cause?: unknown) =>
  new NotOpened(`The file ${file} is not the lock that it should be. It holds no data: delete it.`, { cause })

/** Returns a warning if accounts other than the folder's owner may list it or change what is in it. */
export function warningOfMode(folder: string): string | undefined {
  const mode = fs.statSync(folder).mode & 0o777
  if (process.platform === 'win32' || (mode & 0o066) === 0) return undefined
  const can = (mode & 0o022) === 0 ? 'list its files' : 'delete its files, or put others in their place'
  return (
    `The data folder ${folder} has the mode ${mode.toString(8).padStart(4, '0')}: other accounts of this machine can ${can}. ` +
    `Close it to them (chmod ${process.getuid?.() === 0 ? '0711' : '0700'}).`
  )
}

// Windows cannot move a folder while any file in it is open, and scanners of new files (antivirus, search index) keep
// them open for a moment.
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

/** Syncs a folder to disk; Windows cannot sync folders. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}
