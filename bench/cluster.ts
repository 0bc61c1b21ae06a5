// A cluster of three PostgreSQL nodes under Patroni and etcd behind HAProxy, on free ports, set up as
// docs/operations.md describes.
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { TestPostgres } from '#server/testing/test-postgresql.ts'
import { answers, ClusterNode, type Loss, password, requirePrograms, run } from './cluster-node.ts'

const names = ['one', 'two', 'three'] as const

export class Cluster {
  readonly #folder: string
  readonly #port: number
  readonly #programs: ChildProcess[] = []
  #nodes: readonly ClusterNode[] = []
  #lost: ClusterNode | undefined

  private constructor(port: number) {
    this.#port = port
    this.#folder = mkdtempSync(path.join(tmpdir(), 'data-store-cluster-'))
    chmodSync(this.#folder, 0o777)
  }

  static async start(): Promise<Cluster> {
    requirePrograms()
    const cluster = new Cluster(await TestPostgres.freePort())
    process.once('exit', (code) => {
      cluster.#end()
      for (const name of ['etcd', ...names])
        rmSync(path.join(cluster.#folder, name), { recursive: true, force: true, maxRetries: 5 })
      if (code !== 0) console.error(`What each program said: ${cluster.#folder}/*.log`)
    })
    const etcd = await cluster.#startEtcd()
    const nodes: ClusterNode[] = []
    for (const name of names) nodes.push(await ClusterNode.make(name, cluster.#folder, etcd))
    cluster.#nodes = nodes
    for (const node of nodes) node.start()
    cluster.#startProxy()
    await cluster.healthy()
    return cluster
  }

  /** Connection string that goes through HAProxy to the primary. */
  get url(): string {
    return `postgresql://postgres:${password}@127.0.0.1:${this.#port}/postgres`
  }

  /**
   * Waits until three nodes are healthy: the primary, its synchronous standby and one more standby, both caught up. A
   * node that does not recover by itself is replaced with an empty one, as an operator would do. Returns the number of
   * replaced nodes.
   */
  async healthy(): Promise<number> {
    const areHealthy = async () => (await this.#ill()).length === 0 && (await this.#of('/sync')).length === 1
    try {
      await until('three healthy nodes', areHealthy, 60_000)
      return 0
    } catch {
      const ill = (await this.#of('/primary')).length === 1 ? await this.#ill() : []
      for (const node of ill) node.restart()
      await until('three healthy nodes', areHealthy)
      return ill.length
    }
  }

  async #ill(): Promise<readonly ClusterNode[]> {
    const well = new Set([...(await this.#of('/primary')), ...(await this.#of('/replica?lag=16MB'))])
    return this.#nodes.filter((node) => !well.has(node))
  }

  /** Makes the cluster lose its primary. Returns a function that brings the lost node back. */
  async losePrimary(loss: Loss): Promise<() => void> {
    const [primary] = await this.#of('/primary')
    if (!primary) throw new Error('There is no primary to lose')
    this.#lost = primary
    return primary.lose(loss)
  }

  /** Whether a node other than the lost one is the primary. */
  async hasPrimaryBeside(): Promise<boolean> {
    return (await this.#of('/primary')).some((node) => node !== this.#lost)
  }

  stop(): void {
    this.#end()
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  #end(): void {
    for (const node of this.#nodes) node.end()
    for (const program of this.#programs) program.kill('SIGKILL')
  }

  async #of(role: string): Promise<readonly ClusterNode[]> {
    const are = await Promise.all(this.#nodes.map((node) => node.is(role)))
    return this.#nodes.filter((_, index) => are[index])
  }

  async #startEtcd(): Promise<number> {
    const [clients, peers] = [await TestPostgres.freePort(), await TestPostgres.freePort()]
    const [client, peer] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`]
    const settings = {
      'enable-v2': 'true',
      'data-dir': path.join(this.#folder, 'etcd'),
      'initial-cluster': `default=${peer}`,
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
    }
    this.#run(
      'etcd',
      Object.entries(settings).map(([name, value]) => `--${name}=${value}`),
    )
    await until('etcd', () => answers(`${client}/health`))
    return clients
  }

  #startProxy(): void {
    const file = path.join(this.#folder, 'haproxy.cfg')
    const servers = this.#nodes.map(
      ({ name, port, health }) => `  server ${name} 127.0.0.1:${port} check port ${health}`,
    )
    writeFileSync(
      file,
      `defaults
  mode tcp
  timeout connect 2s
  timeout check 1s
  timeout client 1h
  timeout server 1h
  timeout client-fin 5s
  timeout server-fin 5s
listen primary
  bind 127.0.0.1:${this.#port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
    )
    this.#run('haproxy', ['-db', '-f', file])
  }

  #run(program: string, args: readonly string[]): void {
    this.#programs.push(run(program, args, path.join(this.#folder, `${program}.log`)))
  }
}

export async function until(
  what: string,
  isSo: () => Promise<boolean> | boolean,
  limitMs = 180_000,
): Promise<void> {
  const endsAtMs = performance.now() + limitMs
  while (!(await isSo())) {
    if (performance.now() > endsAtMs) throw new Error(`No ${what} within ${limitMs / 1_000} s`)
    await setTimeout(100)
  }
}
