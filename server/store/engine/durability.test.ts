import fs from 'node:fs'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'

import {
  anyMoment,
  childrenOf,
  clusterOf,
  contentsOf,
  emptyStores,
  kill,
  open,
  type Opener,
  postmasterOf,
  processesIn,
} from '../../testing/embedded.ts'
import { openStore } from '../store.ts'

/** Number of kills. KILLS=60 runs more by hand and prints figures. */
const rounds = Number(process.env.KILLS ?? 3)
const writers = 16
const stores = emptyStores()
const tookMs = new Map<string, number[]>()

describe.runIf(process.platform === 'linux')(
  `a store with ${writers} writers loses nothing acknowledged`,
  () => {
    afterAll(() => {
      if (process.env.KILLS === undefined) return
      for (const [name, all] of tookMs) {
        const sorted = all.map(Math.round).toSorted((a, b) => a - b)
        const figures = `median ${sorted[Math.floor(sorted.length / 2)]} ms, most ${sorted.at(-1)} ms`
        process.stderr.write(`${name} killed ${all.length} times; the next write after ${figures}\n`)
      }
    })

    it.each([
      ['the service', () => {}],
      ['all that runs', (cluster: string) => processesIn(cluster).forEach(kill)],
    ])(`when %s is killed ${rounds} times`, async (name, killToo) => {
      const folder = stores.copy()
      const acknowledged: string[] = []
      for (let round = 0; round < rounds; round++) {
        const writer = open(folder, { name: `round${round}`, writers })
        await measure(name, writer.says('wrote', 1))
        expectAll(await writer.found, acknowledged)
        await writer.says('wrote', Math.floor(Math.random() * 300))
        await anyMoment()
        const killed = writer.kill()
        killToo(clusterOf(folder))
        await killed
        acknowledged.push(...writer.said.wrote)
        expectOnlyRefusals(writer)
      }
      expectAll(await contentsOf(folder), acknowledged)
      expect(acknowledged.length).toBeGreaterThan(rounds)
    })

    it.each([
      ['PostgreSQL', (cluster: string) => postmasterOf(cluster)],
      ['a process of PostgreSQL', (cluster: string) => oneOf(childrenOf(postmasterOf(cluster)))],
    ])(`when %s is killed ${rounds} times, and writes again by itself`, async (name, victim) => {
      const folder = stores.copy()
      const writer = open(folder, { name: 'writer', writers })
      await writer.says('wrote', 1)
      for (let round = 0; round < rounds; round++) {
        await writer.says('wrote', Math.floor(Math.random() * 300))
        await anyMoment()
        const noticed = writer.says(name === 'PostgreSQL' ? 'told' : 'failed', 1)
        kill(victim(clusterOf(folder)))
        await measure(
          name,
          noticed.then(() => writer.says('wrote', 1)),
        )
      }
      await writer.kill()
      expectOnlyRefusals(writer)
      const restarts = writer.said.told.filter((told) => told === 'ServerEnded')
      expect(restarts).toHaveLength(name === 'PostgreSQL' ? rounds : 0)
      expectAll(await contentsOf(folder), writer.said.wrote)
    })
  },
)

const oneOf = (pids: readonly number[]) => pids[Math.floor(Math.random() * pids.length)] ?? 0

async function measure(name: string, again: Promise<void>): Promise<void> {
  const startMs = performance.now()
  await again
  tookMs.set(name, [...(tookMs.get(name) ?? []), performance.now() - startMs])
}

function expectAll(found: Awaited<Opener['found']>, acknowledged: readonly string[]): void {
  const refs = new Set(found.refs)
  expect(acknowledged.filter((ref) => !refs.has(ref))).toEqual([])
  expect(found).toMatchObject({ usersWithoutEvent: 0, eventsWithoutUser: 0, counted: refs.size })
}

const expectOnlyRefusals = ({ said }: Opener) =>
  expect(said.failed.filter((status) => status !== '503')).toEqual([])

it('has each commit on the disk before it is acknowledged, whatever a file of the folder says', async () => {
  const folder = stores.copy()
  const settings = ['fsync', 'full_page_writes', 'synchronous_commit']
  fs.appendFileSync(
    `${clusterOf(folder)}/postgresql.auto.conf`,
    settings.map((name) => `${name} = off\n`).join(''),
  )
  const { store } = await openStore({ dataDir: folder }, () => Promise.resolve())
  onTestFinished(() => store.close())
  const names = [...settings, 'data_checksums'].map((name) => `'${name}'`).join()
  const set = await store.pool.query(`select distinct setting from pg_settings where name in (${names})`)
  expect(set.rows).toEqual([{ setting: 'on' }])

  const client = await store.pool.connect()
  const countFlushes = async () => {
    await client.query('select pg_stat_force_next_flush()')
    const { rows } = await client.query<{ count: number }>(
      `select sum(fsyncs)::int8 as count from pg_stat_io where object = 'wal' and backend_type = 'client backend'`,
    )
    return rows[0]?.count ?? 0
  }
  const before = await countFlushes()
  for (let commits = 1; commits <= 5; commits++) {
    await client.query('insert into users (id, created, since) values (gen_random_uuid(), now(), now())')
    expect(await countFlushes()).toBe(before + commits)
  }
  expect(await countFlushes()).toBe(before + 5)
  client.release()
})
