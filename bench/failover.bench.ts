// Benchmarks losing the primary: 16 clients write while the primary of a three-node PostgreSQL cluster is killed,
// frozen or cut off, ROUNDS times. At the end every acknowledged write must be there, with its event, and the service
// must not have restarted.
import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'

import { TestPostgres } from '#server/testing/test-postgresql.ts'
import { seeConsoleBuilt } from '../server/build-console.ts'
import { percentile } from './application.ts'
import type { Loss } from './cluster-node.ts'
import { Cluster, until } from './cluster.ts'
import { Writers } from './writers.ts'

const rounds = Number(process.env.ROUNDS ?? 20)
const losses: readonly Loss[] = ['killed', 'cut off', 'frozen']
const root = path.join(import.meta.dirname, '..')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

await seeConsoleBuilt()
const cluster = await Cluster.start()
const service = await startService(cluster.url)
const writers = new Writers(`http://127.0.0.1:${service.port}/api`, service.token, 16)
let restarted = 0
const outagesMs = new Map<Loss, number[]>(losses.map((loss) => [loss, []]))
for (let round = 0; round < rounds; round++) {
  const loss = losses[round % losses.length] ?? 'killed'
  const before = writers.acknowledgedMs.length
  await until('hundred writes', () => writers.acknowledgedMs.length > before + 100)
  const lostMs = performance.now()
  const bringBack = await cluster.losePrimary(loss)
  await until('new primary', () => cluster.hasPrimaryBeside())
  const untilMs = performance.now()
  await until('write after it', () => (writers.acknowledgedMs.at(-1) ?? 0) > untilMs)
  const outageMs = longestGapAfter(lostMs)
  outagesMs.get(loss)?.push(outageMs)
  bringBack()
  restarted += await cluster.healthy()
  console.log(`${round + 1}. ${loss}: first write after ${seconds(outageMs)} s`)
}
await writers.stop()
await report()
service.stop()
cluster.stop()

/** Returns the milliseconds from the loss to the end of the longest gap without an acknowledged write. */
function longestGapAfter(lostMs: number): number {
  const times = [lostMs, ...writers.acknowledgedMs.filter((ms) => ms > lostMs)]
  const gaps = times.slice(1).map((ms, index) => ({ ms, gap: ms - (times[index] ?? ms) }))
  const longest = gaps.reduce((one, other) => (other.gap > one.gap ? other : one))
  return longest.ms - lostMs
}

async function report(): Promise<void> {
  const acknowledged = writers.values.length
  const lost = await writers.lost()
  const { forgotten, withoutEvent, withoutChange } = await audit()
  console.log(`
${rounds} times without a primary, ${acknowledged} writes acknowledged
  lost: ${lost + forgotten}
  changes without event: ${withoutEvent}
  events without change: ${withoutChange}
  restarts of the service: ${service.isRunning() ? 0 : 'it ended'}
  wrong answers: ${writers.wrong}
  slowest answer: ${seconds(writers.slowestMs)} s
  nodes that did not come back by themselves: ${restarted}`)
  for (const [answer, count] of writers.answers) console.log(`  answered ${answer}: ${count}`)
  for (const [loss, all] of outagesMs)
    if (all.length > 0)
      console.log(
        `  ${loss}: first write after ${seconds(percentile(all, 0.5))} (median), ${seconds(Math.max(...all))} (most) s`,
      )
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}

/** Compares the acknowledged writes with the tables of the final primary. */
async function audit() {
  // Reading the log numbers the pending events, so that they are in the table `events`.
  const headers = { authorization: `Bearer ${service.token()}` }
  await fetch(`http://127.0.0.1:${service.port}/api/events`, { headers })
  const client = new Client(cluster.url)
  await client.connect()
  try {
    const column = async (statement: string) =>
      (await client.query<{ value: string }>(statement)).rows.map(({ value }) => value)
    const recorded = new Set(
      await column(
        `select change ->> 'after' as value from changesets, jsonb_array_elements(changes) change`,
      ),
    )
    const stored = await column(`
      select name as value from users where name is not null
      union all select properties -> 'value' ->> 'value' from entities`)
    const unpaired = await column(`
      select case when changesets.id is null then 'event' else 'change' end as value
      from changesets full join (select properties ->> 'changeset' as id from events where properties ? 'changeset') e
      on e.id = changesets.id::text where e.id is null or changesets.id is null`)
    return {
      forgotten: writers.values.filter((value) => !recorded.has(value)).length,
      withoutEvent:
        unpaired.filter((which) => which === 'change').length +
        stored.filter((value) => !recorded.has(value)).length,
      withoutChange: unpaired.filter((which) => which === 'event').length,
    }
  } finally {
    await client.end()
  }
}

async function startService(databaseUrl: string) {
  const port = await TestPostgres.freePort()
  const log = path.join(tmpdir(), `data-store-failover-${process.pid}.log`)
  const environment = {
    ...process.env,
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: `bench:${randomBytes(32).toString('base64')}`,
    RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
  }
  const child = spawn(process.execPath, [path.join(root, 'server', 'main.ts')], {
    env: environment,
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  await until('answer of the service', async () => {
    if (child.exitCode !== null) throw new Error(`The service ended: see ${log}`)
    return await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  let token = ''
  const renew = async () => {
    const args = [path.join(root, 'server', 'identity', 'print-token.ts'), '--role', 'admin']
    token = (await promisify(execFile)(process.execPath, args, { env: environment })).stdout.trim()
  }
  await renew()
  const renewing = setInterval(() => void renew(), 60_000)
  return {
    port,
    token: () => token,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop() {
      clearInterval(renewing)
      child.kill('SIGKILL')
    },
  }
}
