import fs from 'node:fs'
import path from 'node:path'

import { NotStarted } from './postmaster.ts'

/** With less free space than this, PostgreSQL may not be able to create the next file of its log. */
const littleBytes = 32 * 2 ** 20

/**
 * Explains to the operator why the data folder, or a file in it, cannot be used: the problem, whether anything is
 * lost, and how to fix it. Blames damaged files only if PostgreSQL reports a corrupted page or index, or if nothing
 * else explains the error.
 */
export function folderTrouble(folder: string, error: unknown): Error {
  const words = error instanceof Error ? error.message : ''
  const store = path.join(folder, 'postgresql')
  const trouble = diskTrouble(folder, error)
  if (trouble) return trouble
  const code = codeIn(words) ?? codeOf(probe(folder)) ?? foreignFile(store)
  // Whether the error came before PostgreSQL looked at the files.
  const isUntouched = error instanceof NotStarted && (!/PANIC|FATAL/.test(words) || ofTheMachine.test(words))
  return explain(folder, code, error) ?? new Error(explainRest(store, words, isUntouched), { cause: error })
}

/**
 * Like `folderTrouble`, but only for errors whose code alone explains what is wrong; returns `undefined` for all
 * others.
 */
export function diskTrouble(folder: string, error: unknown): Error | undefined {
  if (isSpoiled(error))
    return new Error(explainDamage(path.join(folder, 'postgresql'), error.message), { cause: error })
  return explain(folder, codeOf(error), error)
}

/** Whether a page or an index is corrupted. */
const isSpoiled = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && (error.code === 'XX001' || error.code === 'XX002')

function explain(folder: string, code: string | undefined, cause: unknown): Error | undefined {
  const words = code === undefined ? undefined : causes[code]?.(folder)
  return words === undefined ? undefined : new Error(`${words} Nothing is damaged or lost by it.`, { cause })
}

const full = (folder: string) =>
  `The disk of the data folder ${folder} is full: make room on it and start again; leave the files in the folder as they are.`

const notAllowed = (folder: string) =>
  `The data folder ${folder} has files that this process may not read and write: give all of the folder to the user that ` +
  `the service runs as${process.getuid ? ` (user id ${process.getuid()})` : ''}, and start again.`

const notAFolder = (folder: string) =>
  `${folder} is not a folder: set DATA_DIR to the folder of the store, or to one that is to be made.`

const tooManyFiles = () =>
  'Too many files are open: raise the limit for this process or this machine (ulimit -n, LimitNOFILE), and start again.'

const inUse = (folder: string) =>
  `The data folder ${folder} is in use by another process. Stop that process, or set DATA_DIR to another folder.`

const causes: Readonly<Record<string, (folder: string) => string>> = {
  ENOSPC: full,
  EDQUOT: (folder) =>
    `The quota of the disk is used up for the data folder ${folder}: raise it or make room, and start again; leave the files in the folder as they are.`,
  EROFS: (folder) =>
    `The data folder ${folder} can only be read: mount its disk for writing and start again. A system mounts a disk so by itself when that reports errors: see the system's log before.`,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EBUSY: inUse,
  ENOTDIR: notAFolder,
  EEXIST: notAFolder,
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  ENOMEM: () =>
    'There is not enough memory to open the database: service and database need 1 GB. Give them more, and start again.',
}

/** Returns the system error code of an error or of its cause. */
function codeOf(error: unknown): string | undefined {
  if (error instanceof RangeError && /memory/i.test(error.message)) return 'ENOMEM'
  if (!(error instanceof Error)) return undefined
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  // PostgreSQL codes for a full disk, or for changes refused because of one.
  if (code === '53100' || code === '25006') return 'ENOSPC'
  return typeof code === 'string' && code in causes ? code : codeOf(cause)
}

/** Returns the error code for a message of the C library in PostgreSQL's log. */
function codeIn(text = ''): string | undefined {
  return Object.entries({
    ENOSPC: /No space left on device/,
    EDQUOT: /quota exceeded/i,
    EROFS: /Read-only file system/,
    EACCES: /Permission denied|Operation not permitted/,
    EMFILE: /Too many open files/,
    EBUSY: /lock file .* already exists|shared memory block .* is still in use/,
    ENOMEM: /out of memory|Cannot allocate memory/i,
  }).find(([, words]) => words.test(text))?.[0]
}

/** Returns the error of a test write to the folder, because PostgreSQL does not always report which error it met. */
function probe(wanted: string): unknown {
  let folder = wanted
  while (!fs.existsSync(folder)) folder = path.dirname(folder)
  const file = path.join(folder, `probe-${process.pid}`)
  try {
    const handle = fs.openSync(file, 'w', 0o600)
    try {
      fs.writeSync(handle, Buffer.alloc(64 * 1024, 1))
      fs.fsyncSync(handle)
    } finally {
      fs.closeSync(handle)
      fs.rmSync(file)
    }
    const { bavail, bsize } = fs.statfsSync(folder)
    return bavail * bsize < littleBytes ? Object.assign(new Error(), { code: 'ENOSPC' }) : undefined
  } catch (error) {
    return error
  }
}

/**
 * Returns the error code of a file that this account may not use, such as in a folder that was copied or restored as
 * root.
 */
function foreignFile(store: string): string | undefined {
  try {
    for (const name of fs.readdirSync(store, { recursive: true, encoding: 'utf8' }))
      fs.accessSync(path.join(store, name), fs.constants.R_OK | fs.constants.W_OK)
    return undefined
  } catch (error) {
    return codeOf(error)
  }
}

/** Whether the disk lacks the space that PostgreSQL needs to start. */
export function isNoRoom(folder: string, error: unknown): boolean {
  const code =
    codeIn(error instanceof NotStarted ? error.message : '') ?? codeOf(error) ?? codeOf(probe(folder))
  return code === 'ENOSPC' || code === 'EDQUOT'
}

/** Messages of PostgreSQL that are about the machine rather than its files. */
const ofTheMachine = /shared memory|semaphore|socket|lock file|configuration/i

function explainRest(store: string, words: string, isUntouched: boolean): string {
  if (!fs.existsSync(store))
    return `No database could be made in ${path.dirname(store)} (${words}). Nothing is damaged or lost by it.`
  const version = otherVersion(store)
  if (version !== undefined)
    return (
      `The database in ${store} is of PostgreSQL ${version}, which this release does not open (${words}). ` +
      'Nothing is damaged or lost: start the release that wrote it, and read in its notes how to go on to this one.'
    )
  if (/incompatible with server/.test(words))
    return (
      `The database in ${store} was made on a machine of another kind, which this one does not read (${words}). Nothing is ` +
      'damaged or lost: start the service there, and move the store by pg_dump, as docs/operations.md says.'
    )
  if (isUntouched)
    return `The database in ${store} could not be started (${words}). Nothing is damaged or lost by it.`
  return explainDamage(store, words)
}

const explainDamage = (store: string, words: string) =>
  `The database in ${store} could not be opened: its files are damaged (${words}). Before anything else copy the whole ` +
  "folder, and keep the copy: what was written last may be in it alone. Then look for errors of the disk in the system's " +
  'log, and start with the copy on another disk (DATA_DIR). If that fails as well, go back to a backup.'

/** Returns the major version of the database files if this release cannot open it. */
function otherVersion(store: string): string | undefined {
  try {
    const version = fs.readFileSync(path.join(store, 'PG_VERSION'), 'utf8').trim()
    return /^\d+$/.test(version) && version !== engineVersion ? version : undefined
  } catch {
    return undefined
  }
}

/** Major version of the PostgreSQL programs pinned in package.json. */
const engineVersion = '18'
