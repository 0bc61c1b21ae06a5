// One PostgreSQL node with its Patroni, and the installed programs that a cluster consists of.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

import { programsOfPostgres, TestPostgres } from '#server/testing/test-postgresql.ts'
import { Wire } from './wire.ts'

/** Ways to lose a primary: its machine dies, it freezes, or it is cut off and still believes that it is the primary. */
export type Loss = 'killed' | 'frozen' | 'cut off'

export const password = 'of-the-bench'

export class ClusterNode {
  readonly name: string
  readonly port: number
  /** Port of Patroni's REST API (health checks). */
  readonly health: number
  readonly #folder: string
  readonly #wires: readonly Wire[]
  #patroni: ChildProcess | undefined

  private constructor(name: string, folder: string, port: number, health: number, wires: readonly Wire[]) {
    this.name = name
    this.port = port
    this.health = health
    this.#folder = folder
    this.#wires = wires
  }

  static async make(name: string, cluster: string, etcdPort: number): Promise<ClusterNode> {
    const [port, api] = [await TestPostgres.freePort(), await TestPostgres.freePort()]
    const wires = [await Wire.to(etcdPort), await Wire.to(port), await Wire.to(api)] as const
    const [etcd, standbys, health] = wires
    const folder = path.join(cluster, name)
    const at = (to: number) => `127.0.0.1:${to}`
    const account = (username: string) => ({ username, password })
    const everybody = ['all', 'replication'].map(
      (database) => `host ${database} all 127.0.0.1/32 scram-sha-256`,
    )
    const settings = {
      scope: 'bench',
      name,
      restapi: { listen: at(api), connect_address: at(health.port) },
      // Patroni uses the wire as a proxy; otherwise it would ask etcd for its address and bypass the wire. Version 2 of
      // the etcd API, because with version 3 Patroni 3.0 could keep an outdated key and then stop naming a synchronous
      // standby.
      etcd: { host: at(etcd.port), use_proxies: true },
      bootstrap: {
        dcs: {
          ttl: 20,
          loop_wait: 5,
          retry_timeout: 5,
          synchronous_mode: true,
          postgresql: {
            use_pg_rewind: true,
            // A primary that is cut off waits for its standbys before it stops: one minute by default. Until then
            // Patroni 3.0 stops it a second time and starts it twice, and one of the two servers is left without
            // its data.
            parameters: { max_connections: 60, shared_buffers: '64MB', wal_sender_timeout: '3s' },
          },
        },
        initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
      },
      postgresql: {
        listen: at(port),
        connect_address: at(standbys.port),
        data_dir: path.join(folder, 'data'),
        bin_dir: programsOfPostgres(),
        pgpass: path.join(folder, 'pgpass'),
        pg_hba: everybody,
        parameters: { unix_socket_directories: cluster, password_encryption: 'scram-sha-256' },
        authentication: { superuser: account('postgres'), replication: account('replicator') },
        // A fast checkpoint, because otherwise the base backup waits minutes for the primary's next regular checkpoint.
        basebackup: [{ checkpoint: 'fast' }],
        remove_data_directory_on_rewind_failure: true,
      },
    }
    // Patroni reads YAML, and JSON is valid YAML.
    writeFileSync(`${folder}.yml`, JSON.stringify(settings), { mode: 0o644 })
    return new ClusterNode(name, folder, port, health.port, wires)
  }

  start(): void {
    this.#patroni = run('patroni', [`${this.#folder}.yml`], `${this.#folder}.log`)
  }

  /** Replaces the node with an empty machine: its data is deleted first. */
  restart(): void {
    this.#kill()
    rmSync(path.join(this.#folder, 'data'), { recursive: true, force: true })
    this.start()
  }

  is(role: string): Promise<boolean> {
    return answers(`http://127.0.0.1:${this.health}${role}`)
  }

  lose(loss: Loss): () => void {
    if (loss === 'cut off') {
      for (const wire of this.#wires) wire.cut()
      return () => this.#wires.forEach((wire) => wire.mend())
    }
    if (loss === 'frozen') {
      this.#signal('SIGSTOP')
      return () => this.#signal('SIGCONT')
    }
    this.#kill()
    return () => this.start()
  }

  end(): void {
    this.#kill()
    for (const wire of this.#wires) wire.close()
  }

  /** Freezes all processes before killing them, so that none of them notices that another one died. */
  #kill(): void {
    this.#signal('SIGSTOP')
    this.#signal('SIGKILL')
  }

  #signal(signal: NodeJS.Signals): void {
    for (const pid of this.#processes()) {
      try {
        process.kill(pid, signal)
      } catch {
        // The process has already exited.
      }
    }
  }

  /** Returns the ids of Patroni, PostgreSQL and all their child processes. */
  #processes(): readonly number[] {
    const found = new Set<number>()
    if (
      this.#patroni?.pid !== undefined &&
      this.#patroni.exitCode === null &&
      this.#patroni.signalCode === null
    )
      found.add(this.#patroni.pid)
    const processes = readdirSync('/proc')
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
    for (const pid of processes) if (read(`/proc/${pid}/cmdline`).includes(this.#folder)) found.add(pid)
    for (let before = -1; before !== found.size;) {
      before = found.size
      for (const pid of processes) if (found.has(parentOf(pid))) found.add(pid)
    }
    return [...found]
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Returns the parent's process id; 0 if the process no longer exists. */
const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0)

export function run(program: string, args: readonly string[], log: string): ChildProcess {
  // PostgreSQL refuses to run as root, so root switches to the user that Debian's package creates.
  const as =
    process.getuid?.() === 0 ? ['setpriv', '--reuid', 'postgres', '--regid', 'postgres', '--init-groups'] : []
  const [command = '', ...rest] = [...as, locate(program), ...args]
  const output = openSync(log, 'a')
  return spawn(command, rest, { stdio: ['ignore', output, output], cwd: path.dirname(log) })
}

const locate = (program: string) =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin'].map((folder) => path.join(folder, program)).find(existsSync) ??
  ''

export function requirePrograms(): void {
  const missing = ['patroni', 'etcd', 'haproxy'].filter((program) => locate(program) === '')
  if (missing.length > 0)
    throw new Error(
      `This needs ${missing.join(', ')}: apt-get install postgresql patroni etcd-server haproxy (none of their own services has to run).`,
    )
}

export async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok
  } catch {
    return false
  }
}
