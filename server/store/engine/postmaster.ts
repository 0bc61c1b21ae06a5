import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

import type { Account, Programs } from './programs.ts'

/** A running PostgreSQL. */
export interface Life {
  /** Resolves with the reason from the log when PostgreSQL has ended. */
  readonly ended: Promise<string>
  /** Closes all connections, writes out pending data and ends PostgreSQL. */
  stop(): Promise<unknown>
}

/**
 * Error for a failed start of PostgreSQL or a failed creation of a database. The message is the reason from its log.
 */
export class NotStarted extends Error {
  override name = 'NotStarted'
}

/** Address of a PostgreSQL for `pg`, including everything that `pg` would otherwise take from the environment. */
export interface Address {
  /** Folder of the socket; on Windows an IP address. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password: string
  readonly ssl: false
}

const superuser = 'postgres'
const isWindows = () => process.platform === 'win32'
const megabyte = 2 ** 20
const postmasterPollMs = 5
const lastWordsMs = 100
const lookAtWindowsMs = 500

/** Creates an empty database in an existing folder. Its files are on disk when this returns. */
export async function makeCluster(
  cluster: string,
  programs: Programs,
  passwordFile: string | undefined,
): Promise<void> {
  const auth = passwordFile ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`] : ['--auth=trust']
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = [`--pgdata=${cluster}`, `--username=${superuser}`, ...locale, '--data-checksums', ...auth]
  const { code, words } = await spawnTied(cluster, programs, { program: 'initdb', args }).exit
  if (code !== 0) throw new NotStarted(words)
}

/**
 * Starts PostgreSQL and waits until it accepts connections, including the recovery after a crash. First ends any
 * processes left by an earlier one: the caller has the folder for itself.
 */
export async function startServer(cluster: string, programs: Programs, address: Address): Promise<Life> {
  const settings = Object.entries(settingsFor(address)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  if (isWindows()) return await startOnWindows(cluster, programs, settings)
  endProcessesOf(cluster, programs)
  giveTo(cluster, programs.owner)
  const { pid: former } = statusOf(cluster)
  // The file may be empty after a power cut or on a full disk.
  if (former === '') fs.rmSync(path.join(cluster, pidFile), { force: true })
  // The pid in the file may by now belong to another program, since in a container all programs have the same few
  // numbers. PostgreSQL treats it as stale if it is the pid of its grandparent, and then relies only on whether the old
  // shared memory is in use.
  // The C library of Linux keeps what a process has freed if it once needed much: up to 64 MB for each connection. Above
  // one megabyte it gives that back.
  const malloc = { MALLOC_TRIM_THRESHOLD_: '1048576', MALLOC_MMAP_THRESHOLD_: '1048576' }
  const env = { PG_GRANDPARENT_PID: former, ...malloc }
  const args = ['-D', cluster, ...settings]
  const server = spawnTied(cluster, programs, { program: 'postgres', args, env })
  let isOver = false
  const over = server.exit.finally(() => (isOver = true))
  const isReady = ({ pid, state }: Status) => pid === String(server.pid) && state === 'ready'
  while (!isOver && !isReady(statusOf(cluster))) await setTimeout(postmasterPollMs)
  if (isOver) throw new NotStarted((await over).words)
  const ended = over.then(({ words }) => words)
  const stop = () => {
    server.kill('SIGINT')
    return ended
  }
  return { ended, stop }
}

const pidFile = 'postmaster.pid'
type Status = Readonly<Record<'pid' | 'port' | 'host' | 'state', string>>

/** Reads the server's state from its pid file; all fields are empty without one. A killed server leaves its file. */
function statusOf(cluster: string): Status {
  let lines: string[] = []
  try {
    lines = fs.readFileSync(path.join(cluster, pidFile), 'utf8').split('\n')
  } catch (error) {
    // A starting server deletes the old file before it writes its own.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  // Lines of the file: pid, folder, start time, port, socket folder, address, shared memory, state.
  const [pid = '', , , port = '', host = '', , , state = ''] = lines.map((line) => line.trim())
  return { pid, port, host, state }
}

/**
 * Returns the settings, sized for the machine. They are passed at each start, so no file in the folder can override
 * them. The log contains no statements or values.
 */
function settingsFor({ host, port }: Address): Record<string, string | number> {
  const buffers = Math.min(256, Math.max(16, Math.floor(process.availableMemory() / 4 / megabyte)))
  return {
    ...(isWindows()
      ? { listen_addresses: host }
      : {
          listen_addresses: '',
          unix_socket_directories: `"${host.replaceAll('"', '""')}"`,
          unix_socket_permissions: '0700',
        }),
    port,
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    wal_level: 'replica',
    max_wal_senders: 0,
    min_wal_size: '32MB',
    max_wal_size: '256MB',
    shared_buffers: `${buffers}MB`,
    max_connections: 30,
    // A search uses only one core of the machine and leaves the others to quick look-ups.
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    max_logical_replication_workers: 0,
    io_method: 'sync',
    huge_pages: 'off',
    jit: 'off',
    // In small tables, a few hundred dead rows are already the greater part, so they are vacuumed often.
    autovacuum_naptime: '20s',
    autovacuum_max_workers: 2,
    autovacuum_vacuum_scale_factor: 0.1,
    autovacuum_analyze_scale_factor: 0.05,
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    update_process_title: 'off',
  }
}

// The shell starts a reader in the background and then replaces itself with the program. When this process exits or is
// killed, its end of the pipe closes, and the reader stops the program at once. The reader is orphaned deliberately:
// PostgreSQL would treat the exit of its own child as a crash.
const tie = `( ( read -r line <&3 || kill -QUIT $$ ) >/dev/null 2>&1 & ) 3<&0; exec "$@" </dev/null`

/** Runs a program that ends with this process. It has its own session, so that Ctrl-C only reaches this process. */
function spawnTied(cwd: string, programs: Programs, run: { program: string; args: string[]; env?: object }) {
  const { file, args: rest, options } = programs.command(run.program, ...run.args)
  const command = isWindows() ? [file, ...rest] : ['/bin/sh', '-c', tie, 'sh', file, ...rest]
  const child = spawn(command[0] ?? '', command.slice(1), {
    ...options,
    env: { ...options.env, ...run.env },
    cwd,
    detached: !isWindows(),
    windowsHide: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const { stdin, stderr } = child
  if (!stdin || !stderr) throw new Error('A child has no pipes')
  let words = ''
  createInterface(stderr).on('line', (line) => (words = wordsOf(words, line)))
  stdin.on('error', () => {})
  // The program's children may keep the pipe open for a moment longer.
  const closed = once(child, 'close')
  closed.catch(() => {})
  const exit = once(child, 'exit').then(
    async ([code, signal]: (number | NodeJS.Signals | null)[]) => {
      // Ends the reader: there is no program left to stop, and another one may soon get the same pid.
      stdin.end('over\n')
      await Promise.race([closed, setTimeout(lastWordsMs)])
      return { code, words: words || `${signal ?? `code ${code}`}` }
    },
    (error: Error) => ({ code: null, words: error.message }),
  )
  return { pid: child.pid, exit, kill: (signal: NodeJS.Signals) => child.kill(signal) }
}

/** Log lines that do not explain why a program ends: activity, failed statements, refused connections. */
const others =
  /^(LOG|ERROR|WARNING|NOTICE|DETAIL|HINT|CONTEXT|STATEMENT|\t)|FATAL: *(the database system|terminating)/

/** Picks the line that explains why a program ended: the last reason it gave, otherwise the first line. */
function wordsOf(former: string, line: string): string {
  if (others.test(line)) return former
  return /(?:PANIC|FATAL|error)\b.*/.exec(line)?.[0] ?? (former || line)
}

/** Timeout in seconds, long enough for any recovery. */
const aDay = '86400'

/** Starts PostgreSQL on Windows by pg_ctl, which drops administrator rights; PostgreSQL does not start with them. */
async function startOnWindows(cluster: string, programs: Programs, settings: string[]): Promise<Life> {
  const log = path.join(cluster, 'start.log')
  const control = async (...args: string[]) => {
    const {
      file,
      args: given,
      options,
    } = programs.command('pg_ctl', '-D', cluster, '-s', '-w', '-t', aDay, ...args)
    // No pipes: the server would inherit them and keep them open after pg_ctl has ended.
    const child = spawn(file, given, { ...options, cwd: cluster, stdio: 'ignore', windowsHide: true })
    return ((await once(child, 'exit')) as [number | null])[0]
  }
  fs.rmSync(log, { force: true })
  if (statusOf(cluster).pid !== '') await control('stop', '-m', 'immediate')
  const words = () => (fs.existsSync(log) ? fs.readFileSync(log, 'utf8').split('\n').reduce(wordsOf, '') : '')
  const code = await control('start', '-l', log, '-o', settings.join(' '))
  if (code !== 0) throw new NotStarted(words() || `code ${code}`)
  const pid = Number(statusOf(cluster).pid)
  const watch = async () => {
    while (isAlive(pid)) await setTimeout(lookAtWindowsMs)
    return words()
  }
  return { ended: watch(), stop: () => control('stop', '-m', 'fast') }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

// `lsof` is part of macOS. The processes are killed because a busy backend might not notice for a long time that its
// postmaster is gone. After ten seconds this gives up: PostgreSQL itself does not start next to a process that cannot
// be ended.
const endAll = `list() {
  [ -d /proc/self ] || { lsof -t -a -d cwd -c postgres -c initdb "$1"; return; }
  for at in /proc/[0-9]*; do
    read -r name <$at/comm && case $name in postgres | initdb) [ $at/cwd -ef "$1" ] && echo \${at#/proc/} ;; esac
  done
}
tries=0
while [ $tries -lt 500 ] && pids=$(list "$1") && [ "$pids" ]; do kill -KILL $pids; sleep 0.02; tries=$((tries + 1)); done`

/**
 * Ends the processes that work in this folder: a killed service leaves its PostgreSQL for a moment. They are
 * identified by the folder, since a pid in a file may belong to any program. Runs as their own account, because in a
 * container only that one can see where processes work.
 */
export function endProcessesOf(cluster: string, { owner }: Programs): void {
  spawnSync('/bin/sh', ['-c', endAll, 'sh', cluster], { ...owner, cwd: '/', stdio: 'ignore' })
}

/** Gives the files of a database to the account that runs it, and closes them to all others. */
export function giveTo(cluster: string, owner: Account | undefined): void {
  if (!isWindows()) fs.chmodSync(cluster, 0o700)
  if (owner) spawnSync('chown', ['-R', `${owner.uid}:${owner.gid}`, cluster], { stdio: 'ignore' })
}

/** Maximum length of a socket path; if the folder's path is longer, the socket is elsewhere. */
const longestSocket = 103

/**
 * Returns the address for a server that will be started: a socket in the folder, or on Windows a local port with a
 * password.
 */
export async function addressOf(cluster: string, { owner }: Programs): Promise<Address> {
  const common = { user: superuser, database: superuser, ssl: false } as const
  const secret = passwordFile(cluster)
  if (secret !== undefined)
    return { ...common, host: '127.0.0.1', port: await freePort(), password: fs.readFileSync(secret, 'utf8') }
  const port = 5432
  if (Buffer.byteLength(`${cluster}/.s.PGSQL.${port}`) <= longestSocket)
    return { ...common, host: cluster, port, password: '' }
  const host = fs.mkdtempSync(path.join(os.tmpdir(), 'data-store-socket-'))
  if (owner) fs.chownSync(host, owner.uid, owner.gid)
  return { ...common, host, port, password: '' }
}

/** Returns the address of another process's server; `undefined` if it does not accept connections. */
export function addressOfRunning(cluster: string): Address | undefined {
  const { port, host, state } = statusOf(cluster)
  if (state !== 'ready') return undefined
  const common = { user: superuser, database: superuser, ssl: false, port: Number(port) } as const
  const secret = passwordFile(cluster)
  return secret === undefined
    ? { ...common, host, password: '' }
    : { ...common, host: '127.0.0.1', password: fs.readFileSync(secret, 'utf8') }
}

/**
 * Returns the password file next to the database, and creates it if needed; undefined if the server is reached by a
 * socket.
 */
export function passwordFile(cluster: string): string | undefined {
  if (!isWindows()) return undefined
  const file = `${cluster}-password`
  if (!fs.existsSync(file)) fs.writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return file
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
