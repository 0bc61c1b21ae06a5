// Tests that a store comes up again by itself after kills of any kind, beside another PostgreSQL of the machine.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'

import {
  anyMoment,
  childrenOf,
  clusterOf,
  commandOf,
  contentsOf,
  emptyStores,
  kill,
  open,
  type Opener,
  postmasterOf,
  processesIn,
} from '../../testing/embedded.ts'
import { TestPostgres } from '../../testing/test-postgresql.ts'

/** Number of kills; KILLS=30 runs more by hand. By default each kind once. */
const rounds = Number(process.env.KILLS ?? 9)
const writers = 8
const stores = emptyStores()

const oneOf = (pids: readonly number[]) => pids[Math.floor(Math.random() * pids.length)] ?? 0
const stop = (pid: number) => process.kill(pid, 'SIGSTOP')
const readersOf = (cluster: string) =>
  processesIn(cluster).filter((pid) => commandOf(pid).startsWith('/bin/sh'))

/** Kills after which the service has to be started again. */
const ofService: Record<string, (cluster: string, writer: Opener) => unknown> = {
  'the service': () => {},
  'all that runs': (cluster) => processesIn(cluster).forEach(kill),
  'the service, whose PostgreSQL is stopped': (cluster) => stop(postmasterOf(cluster)),
  'the service, after what would end its PostgreSQL': (cluster) => readersOf(cluster).forEach(kill),
  async 'the service, and the next one while it starts'(cluster, writer) {
    await writer.kill()
    const next = open(path.dirname(cluster))
    await setTimeout(Math.random() * 1500)
    await next.kill()
  },
}

/** Kills after which the service recovers by itself. */
const ofPostgres: Record<string, (cluster: string) => unknown> = {
  PostgreSQL: (cluster) => kill(postmasterOf(cluster)),
  'a process of PostgreSQL': (cluster) => kill(oneOf(childrenOf(postmasterOf(cluster)))),
  'PostgreSQL, by stopping it': (cluster) => stop(postmasterOf(cluster)),
  'the socket': (cluster) => fs.rmSync(path.join(cluster, '.s.PGSQL.5432')),
}

it.runIf(process.platform === 'linux')(
  `a store comes up again after ${rounds} kills of all kinds, and loses nothing acknowledged`,
  { timeout: 900_000 },
  async () => {
    const other = fs.existsSync('/usr/lib/postgresql')
      ? await TestPostgres.make({ programs: 'debian' })
      : undefined
    onTestFinished(() => other?.remove())
    const folder = stores.copy()
    const cluster = clusterOf(folder)
    const acknowledged: string[] = []
    let writer = open(folder, { name: 'first', writers })
    const kinds = [...Object.keys(ofService), ...Object.keys(ofPostgres)]
    for (let round = 0; round < rounds; round++) {
      const kind = kinds[round % kinds.length] ?? ''
      await writer.says('wrote', 1 + Math.floor(Math.random() * 200))
      await anyMoment()
      const harm = ofService[kind]
      if (harm) {
        await harm(cluster, writer)
        await writer.kill()
        acknowledged.push(...writer.said.wrote)
        writer = open(folder, { name: `round${round}`, writers })
        const kept = new Set((await writer.found).refs)
        expect([kind, acknowledged.filter((ref) => !kept.has(ref))]).toEqual([kind, []])
      } else {
        const noticed = writer.says(kind === 'a process of PostgreSQL' ? 'failed' : 'told', 1)
        await ofPostgres[kind]?.(cluster)
        await noticed
      }
      await writer.says('wrote', 1)
    }
    await writer.kill()
    acknowledged.push(...writer.said.wrote)
    const found = await contentsOf(folder)
    const refs = new Set(found.refs)
    expect(acknowledged.filter((ref) => !refs.has(ref))).toEqual([])
    expect(found).toMatchObject({ usersWithoutEvent: 0, eventsWithoutUser: 0, counted: refs.size })
    if (process.env.KILLS !== undefined)
      process.stderr.write(`${rounds} kills, ${acknowledged.length} writes acknowledged, none lost\n`)
    if (!other) return
    const client = new Client({ connectionString: other.url })
    await client.connect()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
  },
)
