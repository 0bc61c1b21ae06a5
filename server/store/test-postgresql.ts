import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A PostgreSQL of this machine's, made for tests and thrown away afterwards. */
export class TestPostgres {
  readonly url: string
  readonly #folder: string
  readonly #port: number

  /** With a password, it is asked for; without one, whoever comes is trusted. */
  constructor(port: number, password?: string) {
    this.#port = port
    this.url = `postgresql://postgres${password === undefined ? '' : `:${password}`}@127.0.0.1:${port}/postgres`
    this.#folder = mkdtempSync(path.join(tmpdir(), 'data-store-pg-'))
    chmodSync(this.#folder, 0o777)
    const passwordFile = path.join(this.#folder, 'password')
    if (password !== undefined) writeFileSync(passwordFile, password)
    const auth =
      password === undefined ? ['--auth', 'trust'] : ['--auth', 'scram-sha-256', '--pwfile', passwordFile]
    this.#run('initdb', '--username', 'postgres', '--encoding', 'UTF8', '--no-sync', ...auth)
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
    const settings = `-p ${this.#port} -k ${this.#folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=200`
    this.#run('pg_ctl', '--log', path.join(this.#folder, 'log'), '--wait', '--options', settings, 'start')
  }

  /** It goes on as what it is after another one has taken over: all can be read, and nothing changed. */
  becomeStandby(): void {
    this.stop()
    writeFileSync(path.join(this.#data, 'standby.signal'), '')
    this.start()
  }

  becomePrimary(): void {
    this.#run('pg_ctl', '--wait', 'promote')
  }

  stop(mode: 'fast' | 'immediate' = 'fast'): void {
    this.#run('pg_ctl', '--mode', mode, '--wait', 'stop')
  }

  /** All of its processes, as on a machine or a disk that hangs: connections stay open and nothing answers. */
  standStill(): void {
    for (const pid of this.#processes()) process.kill(pid, 'SIGSTOP')
  }

  goOn(): void {
    for (const pid of this.#processes()) process.kill(pid, 'SIGCONT')
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #data() {
    return path.join(this.#folder, 'data')
  }

  #processes(): number[] {
    const [first = ''] = readFileSync(path.join(this.#data, 'postmaster.pid'), 'utf8').split('\n')
    const children = readFileSync(`/proc/${first}/task/${first}/children`, 'utf8')
    return [first, ...children.split(' ').filter(Boolean)].map(Number)
  }

  #run(program: string, ...args: string[]): void {
    const file = [path.join(programsOfPostgres(), program), '--pgdata', this.#data, ...args]
    // PostgreSQL refuses to run as root; Debian's package brings a user of its own.
    const user = process.getuid?.() === 0 ? 'postgres' : undefined
    const as = user === undefined ? [] : ['setpriv', '--reuid', user, '--regid', user, '--init-groups']
    // The server keeps running: with a pipe for its output this would wait for it.
    runOrThrow([...as, ...file], { stdio: ['ignore', 'ignore', 'inherit'], cwd: this.#folder })
  }
}

export function runOrThrow([command = '', ...args]: readonly string[], options: SpawnSyncOptions): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', ...options })
  if (error) throw error
  if (status !== 0) throw new Error(`${path.basename(command)} ended with ${status}`)
}

export function programsOfPostgres(): string {
  const root = '/usr/lib/postgresql'
  const newest = readdirSync(root).toSorted((a, b) => Number(b) - Number(a))[0]
  if (!newest) throw new Error(`There is no PostgreSQL in ${root}: install it (apt-get install postgresql).`)
  return path.join(root, newest, 'bin')
}
