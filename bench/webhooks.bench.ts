// Benchmarks webhook deliveries: their rate, the lag between a write and the arrival of its event, and the cost for
// writers. Runs on the configured store, with a receiver in a separate process. The subscriptions and users it creates
// are deleted at the end.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'

import { readConfig } from '#server/config.ts'
import { numberEvents } from '#server/events/storage.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { Delivering } from '#server/webhooks/delivery/delivering.ts'
import { Receivers } from '#server/webhooks/delivery/receiver.ts'
import { application, percentile } from './application.ts'

const backlog = 5000
const paced = { perSecond: 100, seconds: 20 }
const rounds = 8
const writesPerRound = 1000
const writersAtOnce = 8

const config = readConfig({ LOG_LEVEL: 'silent', SAMPLE_DATA: '0', ...process.env })
const database = await openDatabase(config.store, config.keys)
const { app, request } = await application(database, { ...config, allowLoopback: true })
await app.ready()

const child = fork(path.join(import.meta.dirname, 'receiver.ts'))
const [port] = (await once(child, 'message')) as [number]
const receiverUrl = `http://127.0.0.1:${port}/`
/** Returns the deliveries that arrived since the last call. */
const arrivals = async () =>
  new Map((await (await fetch(receiverUrl)).json()) as [id: string, atMs: number][])

const made: string[] = []
async function write(): Promise<string> {
  const { location } = await request<{ location: string }>('POST', '/users', {})
  const id = location.split('/').at(-1) ?? ''
  made.push(id)
  return id
}
const { id: subscription } = await request<{ id: string }>('POST', '/subscriptions', { url: receiverUrl })
const start = () => new Delivering({ database, receivers: new Receivers({ allowLoopback: true }) })
async function settle(): Promise<void> {
  for (;;) {
    const { rows } =
      await sql`(select 1 from event_inbox limit 1) union all (select 1 from deliveries where state = 'waiting' limit 1)`.execute(
        database.sql,
      )
    if (rows.length === 0) return
    await sleep(20)
  }
}
async function atOnce(count: number, act: () => Promise<unknown>): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: writersAtOnce }, async () => {
      while (left-- > 0) await act()
    }),
  )
}
const median = (values: readonly number[]) => percentile(values, 0.5)
const percent = (ratio: number) => `${(ratio * 100).toFixed(1)} %`

// Delivery rate: the events are written first and pile up until delivering starts.
await atOnce(backlog, write)
await numberEvents(database.sql)
{
  const started = performance.now()
  const cpu = process.cpuUsage()
  const delivering = start()
  await settle()
  const seconds = (performance.now() - started) / 1000
  const { user, system } = process.cpuUsage(cpu)
  await delivering.stop()
  const { size } = await arrivals()
  console.log(
    `${database.engine}: ${size} of ${backlog} events to one receiver in ${seconds.toFixed(1)} s: ` +
      `${Math.round(size / seconds)}/s; processor ${((user + system) / 1000 / size).toFixed(2)} ms each (goal 500/s)`,
  )
}

// Cost of polling for deliveries when there are none.
{
  const used = async () => {
    const cpu = process.cpuUsage()
    await sleep(10_000)
    const { user, system } = process.cpuUsage(cpu)
    return (user + system) / 10_000
  }
  const without = await used()
  const delivering = start()
  const idle = await used()
  await delivering.stop()
  console.log(`idle: ${idle.toFixed(1)} ms of processor per second, ${without.toFixed(1)} without deliveries`)
}

// Lag: from the response to a write until the receiver has its event.
{
  const delivering = start()
  const answered = new Map<string, number>()
  const started = performance.now()
  const writes = []
  for (let index = 0; index < paced.perSecond * paced.seconds; index++) {
    await sleep(Math.max(0, started + (index * 1000) / paced.perSecond - performance.now()))
    writes.push(write().then((id) => answered.set(id, Date.now())))
  }
  await Promise.all(writes)
  await settle()
  await delivering.stop()
  const { rows } = await sql<{ id: string; user: string }>`
    select id, properties ->> 'user' as user from events where type = 'USER_CREATED'`.execute(database.sql)
  const userOf = new Map(rows.map(({ id, user }) => [id, user]))
  const lags = [...(await arrivals())].flatMap(([id, atMs]) => {
    const answeredMs = answered.get(userOf.get(id) ?? '')
    return answeredMs === undefined ? [] : [atMs - answeredMs]
  })
  console.log(
    `${paced.perSecond} events/s for ${paced.seconds} s: ${lags.length} arrived, lag p50 ${median(lags)} ms, ` +
      `p95 ${percentile(lags, 0.95)} ms, most ${percentile(lags, 1)} ms (goal p95 1,000 ms)`,
  )
}

// Cost for writers: alternating rounds without deliveries, with the numbering of events that every reader triggers, and
// with deliveries.
{
  const modes = {
    nothing: () => async () => {},
    numbering: () => {
      const timer = setInterval(() => void numberEvents(database.sql), 200)
      return async () => clearInterval(timer)
    },
    deliveries: () => {
      const delivering = start()
      return () => delivering.stop()
    },
  }
  const rates: Record<keyof typeof modes, number[]> = { nothing: [], numbering: [], deliveries: [] }
  const names = Object.keys(modes) as (keyof typeof modes)[]
  for (let round = -1; round < rounds; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const end = modes[name]()
      const started = performance.now()
      await atOnce(writesPerRound, write)
      const rate = writesPerRound / ((performance.now() - started) / 1000)
      // The first round is a warm-up.
      if (round >= 0) rates[name].push(rate)
      await end()
      const rest = start()
      await settle()
      await rest.stop()
    }
  const less = (name: keyof typeof modes) =>
    percent(1 - median(rates[name].map((rate, round) => rate / (rates.nothing[round] ?? Number.NaN))))
  console.log(
    `writes, ${writersAtOnce} at a time, as fast as they go: ${names.map((name) => `${name} ${Math.round(median(rates[name]))}/s`).join(', ')}; ` +
      `numbering costs ${less('numbering')}, deliveries ${less('deliveries')} (goal 10 %)`,
  )
}

await request('DELETE', `/subscriptions/${subscription}`)
await atOnce(made.length, async () => {
  await request('DELETE', `/users/${made.pop()}`)
})
child.disconnect()
await app.close()
await database.close()
