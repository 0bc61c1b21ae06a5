import fs from 'node:fs'
import path from 'node:path'

import { holderOf } from './left-behind.ts'
import { pidFileOf, statusOf } from './pid-file.ts'
import { NotOpened } from './programs.ts'
import { reasonIn, type Reason } from './reasons.ts'
import { NotStarted } from './tied.ts'

/** With less free space than this, PostgreSQL may not be able to create the next file of its log. */
const littleBytes = 32 * 2 ** 20

/**
 * Explains to the operator why the data folder, or a file in it, cannot be used: the problem, whether anything is
 * lost, and how to fix it. Speaks of damage only if PostgreSQL does. Everything else is told by its own reason, with the
 * path that PostgreSQL or the system names.
 */
export function folderTrouble(folder: string, error: unknown): Error {
  const words = error instanceof Error ? error.message : ''
  const place: StoreFolder = { folder, store: path.join(folder, 'postgresql'), words }
  const trouble = diskTrouble(folder, error)
  if (trouble) return trouble
  const known = explainWords(place) ?? explain(place, reasonIn(words) ?? reasonOf(error))
  if (known !== undefined) return new Error(known, { cause: error })
  // PostgreSQL does not always say which error it met.
  const found = reasonOf(probe(folder)) ?? foreignFile(place.store)
  return new Error(explain(place, found) ?? explainRest(place), { cause: error })
}

/**
 * Like `folderTrouble`, but only for errors whose code alone explains what is wrong; returns `undefined` for all
 * others.
 */
export function diskTrouble(folder: string, error: unknown): Error | undefined {
  if (error instanceof NotOpened) return error
  const words = error instanceof Error ? error.message : ''
  const place = { folder, store: path.join(folder, 'postgresql'), words }
  if (isSpoiled(error)) return new Error(explainDamage(place), { cause: error })
  const known = explain(place, reasonOf(error))
  return known === undefined ? undefined : new Error(known, { cause: error })
}

/** Whether a page or an index is corrupted. */
const isSpoiled = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && (error.code === 'XX001' || error.code === 'XX002')

interface StoreFolder {
  readonly folder: string
  readonly store: string
  /** Message of the error. */
  readonly words: string
}

const harmless = 'Nothing is damaged or lost by it.'

/** Explains a reason of the operating system, which may be about a file elsewhere. */
function explain(place: StoreFolder, reason: Reason | undefined): string | undefined {
  if (reason === undefined) return undefined
  const { code, file } = reason
  if (code === 'EIO') return explainDamage(place, 'its disk reports errors')
  const at = path.resolve(place.store, file ?? '.')
  const isOurs = at === place.folder || at.startsWith(place.folder + path.sep)
  const words =
    code !== 'EFBIG' && file !== undefined && isSharedMemory.test(file)
      ? sharedMemory(place)
      : causes[code]?.({ ...place, at, isOurs })
  return words === undefined ? undefined : `${words} ${harmless}`
}

/** Names of PostgreSQL's segments of shared memory, which the system keeps in a folder of its own. */
const isSharedMemory = /^\/PostgreSQL\.\d+$/

const sharedMemory = ({ words }: StoreFolder) =>
  `The shared memory of this machine, /dev/shm, cannot be used (${words}): PostgreSQL needs a few MB there that every account may ` +
  'write to (mode 1777). Make it larger or mount it for writing (docker run --shm-size=64m), and start again.'

type Explain = (
  place: StoreFolder & {
    /** Path of the file that the error is about. */
    readonly at: string
    readonly isOurs: boolean
  },
) => string

const inUse: Explain = ({ folder, store }) => {
  const holder = holderOf(path.join(folder, 'lock'))
  const { pid } = statusOf(store)
  const who =
    holder !== undefined && holder !== process.pid
      ? ` (pid ${holder})`
      : pid === ''
        ? ''
        : ` (PostgreSQL, pid ${pid} in ${pidFileOf(store)})`
  return `The data folder ${folder} is in use by another process${who}. Stop that process, or set DATA_DIR to another folder.`
}

const notAllowed: Explain = ({ folder, words, at, isOurs }) =>
  isOurs
    ? `The data folder ${folder} has files that this process may not read and write${quote(words)}: give all of the folder to the user that ` +
      `the service runs as${process.getuid ? ` (user id ${process.getuid()})` : ''}, and start again.`
    : `${at} may not be used by the service or its PostgreSQL (${words}): permit it, and start again.`

const notAFolder: Explain = ({ folder, store, at }) => {
  const isFile = (place: string) => fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === false
  return `${[folder, store].find(isFile) ?? at} is not a folder: set DATA_DIR to the folder of the store, or to one that is to be made.`
}

const tooManyFiles: Explain = ({ words }) =>
  `Too many files are open${quote(words)}: raise the limit for this process or this machine (ulimit -n, LimitNOFILE), and start again.`

const full: Explain = ({ folder, words, at, isOurs }) =>
  isOurs
    ? `The disk of the data folder ${folder} is full: make room on it and start again; leave the files in the folder as they are.`
    : `The disk of ${at} is full (${words}): make room on it and start again.`

const causes: Readonly<Record<string, Explain>> = {
  ENOSPC: full,
  EDQUOT: ({ folder }) =>
    `The quota of the disk is used up for the data folder ${folder}: raise it or make room, and start again; leave the files in the folder as they are.`,
  EROFS: ({ folder, words, at, isOurs }) =>
    isOurs
      ? `The data folder ${folder} can only be read: mount its disk for writing and start again. A system mounts a disk so by itself when that reports errors: see the system's log before.`
      : `${at} can only be read (${words}): mount its disk for writing, and start again.`,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EBUSY: inUse,
  ENOTDIR: notAFolder,
  EEXIST: notAFolder,
  EISDIR: ({ words, at }) =>
    `${at} is a folder, and should be a file (${words}): move it elsewhere, and start again.`,
  ENAMETOOLONG: ({ folder }) =>
    `The path ${folder} is longer than this system allows: set DATA_DIR to a shorter one.`,
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  EFBIG: ({ words }) =>
    `The service or its PostgreSQL may not make files as large as it needs${quote(words)}: raise the limit (ulimit -f, LimitFSIZE), and start again.`,
  EAGAIN: ({ words }) =>
    `No more processes may be started${quote(words)}: raise the limit (ulimit -u, LimitNPROC, TasksMax), and start again.`,
  ENOMEM: () =>
    'There is not enough memory to open the database: service and database need 1 GB. Give them more, and start again.',
  ESTACK: ({ words }) =>
    `The stack that this process may use is too small for PostgreSQL (${words}): raise the limit (ulimit -s 8192, LimitSTACK), and start again.`,
  ESOCKET: ({ words }) =>
    `PostgreSQL could not make its socket (${words}): see that its folder is there, and that the account of the service may write to it.`,
}

const quote = (words: string) => (words === '' ? '' : ` (${words})`)

/** Explains messages of PostgreSQL and of programs that start it, which are about more than one call of the system. */
function explainWords(place: StoreFolder): string | undefined {
  const { store, words } = place
  if (!fs.existsSync(store)) return undefined
  const version = otherVersion(store)
  if (version !== undefined && /incompatible|valid data directory/.test(words))
    return (
      `The database in ${store} is of PostgreSQL ${version}, which this release does not open (${words}). ` +
      'Nothing is damaged or lost: start the release that wrote it, and read in its notes how to go on to this one.'
    )
  if (/incompatible with server/.test(words))
    return (
      `The database in ${store} was made on a machine of another kind, which this one does not read (${words}). Nothing is ` +
      'damaged or lost: start the service there, and move the store by pg_dump, as docs/operations.md says.'
    )
  if (saysDamage.test(words)) return explainDamage(place)
  if (/configuration file .*contains errors/.test(words))
    return (
      `A file of settings of the database in ${store} cannot be read (${words}). Correct that line, or delete it: the service gives ` +
      `its settings itself. ${harmless}`
    )
  const lost = lostFile(place)
  if (lost !== undefined)
    return (
      `The database in ${store} could not be opened: ${lost} is missing (${words}). If it was moved, or left out of a copy, put it ` +
      'back. If it is nowhere, copy the whole folder before anything else, and go back to a backup.'
    )
  return undefined
}

/** Messages by which PostgreSQL says that its files are not what it wrote. */
const saysDamage =
  /checkpoint record|redo location|checksum|: read (only )?\d+ of \d+|contains? invalid|invalid page|page verification|WAL ends before|critical system index/

/** Returns the file of the database that a message says is missing. */
function lostFile({ store, words }: StoreFolder): string | undefined {
  const named = /"([^"]+)"[^"]*(?:: No such file or directory|does not exist)/.exec(words)?.[1]
  const files: readonly (readonly [RegExp, string])[] = [
    [/valid data directory/, 'PG_VERSION'],
    [/could not find the database system/, 'global/pg_control'],
    [/access status of transaction/, 'pg_xact, or pg_multixact, or a file of it,'],
    [/database "postgres" does not exist/, 'base, or a folder of it,'],
  ]
  const known = files.find(([message]) => message.test(words))?.[1]
  if (known !== undefined) return path.join(store, known)
  if (named === undefined || isSharedMemory.test(named)) return undefined
  const at = path.resolve(store, named)
  return at.startsWith(store + path.sep) && !/\.s\.PGSQL|postmaster\.pid/.test(at) ? at : undefined
}

/** Returns the system's code of an error or of its cause, and the file that it names. */
function reasonOf(error: unknown): Reason | undefined {
  if (error instanceof RangeError && /memory/i.test(error.message)) return { code: 'ENOMEM' }
  if (!(error instanceof Error)) return undefined
  const { code, cause, path: file } = error as { code?: unknown; cause?: unknown; path?: unknown }
  // PostgreSQL codes for a full disk, or for changes refused because of one. The former may be about shared memory.
  if (code === '53100') return reasonIn(error.message) ?? { code: 'ENOSPC' }
  if (code === '25006') return { code: 'ENOSPC' }
  if (typeof code !== 'string' || !(code in causes || code === 'EIO')) return reasonOf(cause)
  return { code, ...(typeof file === 'string' && { file }) }
}

/** Returns the error of a test write to the folder. */
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
 * Returns the reason of a file that this account may not use, such as in a folder that was copied or restored as root.
 */
function foreignFile(store: string): Reason | undefined {
  try {
    for (const name of fs.readdirSync(store, { recursive: true, encoding: 'utf8' }))
      fs.accessSync(path.join(store, name), fs.constants.R_OK | fs.constants.W_OK)
    return undefined
  } catch (error) {
    return reasonOf(error)
  }
}

/** Whether the disk lacks the space that PostgreSQL needs to start. */
export function isNoRoom(folder: string, error: unknown): boolean {
  const { code, file } =
    (error instanceof NotStarted ? reasonIn(error.message) : undefined) ??
    reasonOf(error) ??
    reasonOf(probe(folder)) ??
    ({} as Partial<Reason>)
  return (code === 'ENOSPC' || code === 'EDQUOT') && !isSharedMemory.test(file ?? '')
}

const explainRest = ({ folder, store, words }: StoreFolder) =>
  fs.existsSync(store)
    ? `The database in ${store} could not be started (${words || 'it did not say why'}). PostgreSQL says nothing of damage or loss: leave the files in the folder as they are.`
    : `No database could be made in ${folder} (${words}). ${harmless}`

const explainDamage = ({ store, words }: StoreFolder, what = 'its files are damaged') =>
  `The database in ${store} could not be opened: ${what} (${words}). Before anything else copy the whole ` +
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
