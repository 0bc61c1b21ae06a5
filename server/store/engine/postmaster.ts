import fs from 'node:fs'
import { setTimeout } from 'node:timers/promises'

import { giveTo, writeAccess } from './access.ts'
import { type Address, restoreSocketFolder, superuser } from './address.ts'
import { endProcessesOf } from './left-behind.ts'
import { pidFileOf, statusOf } from './pid-file.ts'
import type { Programs } from './programs.ts'
import { NotStarted, spawnTied } from './tied.ts'
import { unreachable } from './unreachable.ts'
import { startOnWindows } from './windows.ts'

/** A running PostgreSQL. */
export interface Life {
  /** Resolves with the reason from the log when PostgreSQL has ended. */
  readonly ended: Promise<string>
  /**
   * Closes all connections, writes out pending data and ends PostgreSQL. One that takes longer than `withinMs` is ended
   * without that, and has to recover at its next start.
   */
  stop(withinMs: number): Promise<string>
}

const megabyte = 2 ** 20
const postmasterPollMs = 5
/** Time that PostgreSQL has to end when it is interrupted. */
const interruptedMs = 3_000
/** Time that a PostgreSQL which is still starting, or recovering, has for an orderly end. */
const startingMs = 3_000

/** Creates an empty database in an existing folder. Its files are on disk when this returns. */
export async function makeCluster(
  cluster: string,
  programs: Programs,
  passwordFile: string | undefined,
): Promise<void> {
  const auth = passwordFile ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`] : ['--auth=trust']
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const args = [`--pgdata=${cluster}`, `--username=${superuser}`, ...locale, '--data-checksums', ...auth]
  const { code, words } = await spawnTied(cluster, programs, { program: 'initdb', args, isQuotable: true })
    .exit
  if (code !== 0) throw new NotStarted(words)
}

/**
 * Starts PostgreSQL and waits until it accepts connections, including the recovery after a crash. First ends any
 * processes left by an earlier one: the caller has the folder for itself. A PostgreSQL that lives and cannot be reached
 * is ended, whether it is starting or has been running for long.
 */
export async function startServer(
  cluster: string,
  programs: Programs,
  { address, signal }: { readonly address: Address; readonly signal: AbortSignal },
): Promise<Life> {
  const settings = Object.entries(settingsFor(address)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  if (process.platform === 'win32') {
    const { ended, end } = await startOnWindows(cluster, programs, settings)
    return watchLife(address, ended, end)
  }
  endProcessesOf(cluster, programs)
  const { pid: former } = statusOf(cluster)
  // The file may be empty, or hold anything, after a power cut or on a full disk.
  if (!/^[1-9]\d*$/.test(former)) fs.rmSync(pidFileOf(cluster), { force: true })
  writeAccess(cluster, programs)
  giveTo(cluster, programs.owner)
  restoreSocketFolder(address, programs)
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
  const end: End = (how) => {
    server.kill(how)
    // The others may be busy, or stopped, and not notice for long that the first process is gone.
    if (how === 'SIGKILL') endProcessesOf(cluster, programs)
  }
  const words = over.then(({ words: said }) => said)
  const life = watchLife(address, words, end)
  const stop = () => void life.stop(startingMs)
  signal.addEventListener('abort', stop)
  const isReady = ({ pid, state }: ReturnType<typeof statusOf>) =>
    pid === String(server.pid) && state === 'ready'
  while (!isOver && !isReady(statusOf(cluster))) await setTimeout(postmasterPollMs)
  signal.removeEventListener('abort', stop)
  if (isOver) throw new NotStarted(await life.ended)
  return life
}

type End = (signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL') => unknown

/** Watches a PostgreSQL until it ends, and ends it when it cannot be reached any more. */
function watchLife(address: Address, over: Promise<string>, end: End): Life {
  let isLost = false
  const interrupt = async () => {
    end('SIGQUIT')
    const isOver = await Promise.race([
      over.then(() => true),
      setTimeout(interruptedMs, false, { ref: false }),
    ])
    if (!isOver) end('SIGKILL')
  }
  const unwatch = unreachable(address, () => {
    isLost = true
    void interrupt()
  })
  const ended = over.then((words) => {
    unwatch()
    return isLost ? 'it could not be reached any more, and was stopped' : words
  })
  return {
    ended,
    async stop(withinMs) {
      unwatch()
      end('SIGINT')
      const isOver = await Promise.race([over.then(() => true), setTimeout(withinMs, false, { ref: false })])
      if (!isOver) await interrupt()
      return await ended
    },
  }
}

/**
 * Returns the settings, sized for the machine. They are passed at each start, so no file in the folder can override
 * them. The log contains no statements or values.
 */
function settingsFor({ host, port }: Address): Record<string, string | number> {
  const buffers = Math.min(256, Math.max(16, Math.floor(process.availableMemory() / 4 / megabyte)))
  return {
    ...(process.platform === 'win32'
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
