import { type ChildProcess, spawn, type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'

import { findPrograms } from '../store/engine/programs.ts'
import { fastestFolder } from './folder.ts'

// The data need not survive a crash of the machine or this process.
const serverSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  // Enough for several workers, each with services of up to twenty connections.
  max_connections: 300,
  shared_buffers: '64MB',
  max_wal_size: '256MB',
}

// The guard reads its standard input, which closes when the process that started it ends, killed or not. PostgreSQL
// deletes its pid file when it ends. The pid itself may remain, if no process reaps orphans.
const guardScript = `read -r _
file="$1/data/postmaster.pid"
if pid=$(head -n 1 "$file"); then
  kill -QUIT "$pid"; kill -CONT "$pid"
  while [ -e "$file" ] && kill -0 "$pid"; do sleep 0.02; done
fi
until rm -rf "$1"; do sleep 0.02; done`

type Run = (program: string, ...args: string[]) => void

/** A temporary PostgreSQL on this machine for tests, deleted at the latest when this process ends. */
export class TestPostgres {
  readonly url: string
  readonly #folder: string
  readonly #run: Run
  readonly #options: string
  readonly #guard: ChildProcess | undefined

  private constructor(
    folder: string,
    { guard, run, url, options }: { guard: ChildProcess | undefined; run: Run; url: string; options: string },
  ) {
    this.#folder = folder
    this.#guard = guard
    this.#run = run
    this.url = url
    this.#options = options
  }

  /**
   * Creates and starts a server: with npm's programs like the embedded store, or with the oldest installed ones of
   * Debian. With a password, it listens on TCP and requires the password; otherwise it trusts everybody who reaches its
   * socket.
   */
  static async make({
    programs = 'npm',
    password,
  }: { programs?: 'npm' | 'debian'; password?: string } = {}): Promise<TestPostgres> {
    const folder = mkdtempSync(path.join(fastestFolder(), 'data-store-pg-'))
    chmodSync(folder, 0o755)
    const guard = startGuard(folder)
    const run = programs === 'npm' ? runOfNpm(folder) : runOfDebian(folder)
    // From here on only the owner can enter, because the server trusts everybody who reaches the socket.
    chmodSync(folder, 0o700)
    const postgres = new TestPostgres(folder, { guard, run, ...(await placeFor(folder, password)) })
    const passwordFile = path.join(folder, 'password')
    if (password !== undefined) writeFileSync(passwordFile, password)
    const auth =
      password === undefined ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${passwordFile}`]
    const locale = programs === 'npm' ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []
    run('initdb', '--username=postgres', '--encoding=UTF8', '--locale=C', ...locale, '--no-sync', ...auth)
    postgres.start()
    return postgres
  }

  static async freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    await new Promise((resolve) => server.close(resolve))
    if (address === null || typeof address === 'string') throw new Error('There is no free port')
    return address.port
  }

  start(): void {
    this.#run(
      'pg_ctl',
      `--log=${path.join(this.#folder, 'log')}`,
      '--wait',
      `--options=${this.#options}`,
      'start',
    )
  }

  /** Restarts the server as a standby, as after a failover: reads work, and writes are refused. */
  becomeStandby(): void {
    this.stop()
    writeFileSync(path.join(this.#data, 'standby.signal'), '')
    this.start()
  }

  becomePrimary(): void {
    this.#run('pg_ctl', '--wait', 'promote')
  }

  stop(mode: 'fast' | 'immediate' = 'fast'): void {
    this.#run('pg_ctl', `--mode=${mode}`, '--wait', 'stop')
  }

  /**
   * Pauses all processes of the server, as on a machine or disk that hangs: connections stay open and nothing answers.
   */
  standStill(): void {
    this.#signal('SIGSTOP')
  }

  goOn(): void {
    this.#signal('SIGCONT')
  }

  /** Ends the server, running or not, and deletes its files. */
  async remove(): Promise<void> {
    if (this.#guard) {
      this.#guard.ref()
      const ended = once(this.#guard, 'close')
      this.#guard.stdin?.end()
      await ended
    } else {
      this.stop('immediate')
      rmSync(this.#folder, { recursive: true, force: true })
    }
  }

  get #data() {
    return dataOf(this.#folder)
  }

  #signal(signal: NodeJS.Signals): void {
    // The processes of connections end by themselves, also between the list and the signal.
    for (const pid of this.#processes())
      try {
        process.kill(pid, signal)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
  }

  #processes(): number[] {
    const [first = ''] = readFileSync(path.join(this.#data, 'postmaster.pid'), 'utf8').split('\n')
    const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8')
    return [first, ...children.split(' ').filter(Boolean)].map(Number)
  }
}

const dataOf = (folder: string) => path.join(folder, 'data')

/** Starts the guard in its own session, so that Ctrl-C only reaches this process, which has its own cleanup. */
function startGuard(folder: string): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const child = spawn('/bin/sh', ['-c', guardScript, 'sh', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.unref()
  // The guard must not keep this process alive.
  ;(child.stdin as unknown as { unref(): void }).unref()
  return child
}

async function placeFor(folder: string, password: string | undefined) {
  const common = Object.entries(serverSettings).map(([name, value]) => `-c ${name}=${value}`)
  if (password === undefined && process.platform !== 'win32')
    return {
      url: `postgresql://postgres@${encodeURIComponent(folder)}/postgres`,
      options: [...common, `-k ${folder}`, '-c listen_addresses='].join(' '),
    }
  const port = await TestPostgres.freePort()
  return {
    url: `postgresql://postgres${password === undefined ? '' : `:${password}`}@127.0.0.1:${port}/postgres`,
    options: [...common, `-p ${port}`, `-c unix_socket_directories=`, '-c listen_addresses=127.0.0.1'].join(
      ' ',
    ),
  }
}

// The server inherits the output and keeps running, so with a pipe `spawnSync` would not return.
const stdio = ['ignore', 'ignore', 'inherit'] as const

function runOfNpm(folder: string): Run {
  const programs = findPrograms(folder)
  if (programs.owner) chownSync(folder, programs.owner.uid, programs.owner.gid)
  return (program, ...args) => {
    const { file, args: all, options } = programs.command(program, `--pgdata=${dataOf(folder)}`, ...args)
    runOrThrow([file, ...all], { ...(options as SpawnSyncOptions), cwd: folder, stdio: [...stdio] })
  }
}

function runOfDebian(folder: string): Run {
  const programs = programsOfPostgres('oldest')
  // PostgreSQL refuses to run as root; Debian's package creates a user for it.
  const user = process.getuid?.() === 0 ? 'postgres' : undefined
  const as = user === undefined ? [] : ['setpriv', '--reuid', user, '--regid', user, '--init-groups']
  if (user !== undefined) runOrThrow(['chown', user, folder])
  return (program, ...args) =>
    runOrThrow([...as, path.join(programs, program), `--pgdata=${dataOf(folder)}`, ...args], {
      cwd: folder,
      stdio: [...stdio],
    })
}

export function runOrThrow([command = '', ...args]: readonly string[], options: SpawnSyncOptions = {}): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options })
  if (error) throw error
  if (status !== 0) throw new Error(`${path.basename(command)} ended with ${status}`)
}

/** Returns the folder of programs installed by Debian's packages. */
export function programsOfPostgres(which: 'oldest' | 'newest' = 'newest'): string {
  const root = '/usr/lib/postgresql'
  const versions = readdirSync(root).toSorted((a, b) => Number(a) - Number(b))
  const version = versions.at(which === 'oldest' ? 0 : -1)
  if (!version) throw new Error(`There is no PostgreSQL in ${root}: install it (apt-get install postgresql).`)
  return path.join(root, version, 'bin')
}
