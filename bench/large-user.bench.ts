// Benchmarks reading the largest allowed user from the configured store: memory, and the delay for other callers.
// Repeats it with a user ten times as large, which a store from before the limits may contain. The users are deleted at
// the end.
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'

import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { application, percentile } from './application.ts'

const readersAtOnce = 4

const config = readConfig({ LOG_LEVEL: 'silent', SAMPLE_DATA: '0', ...process.env })
const database = await openDatabase(config.store, config.keys)
const { app, token, request } = await application(database, config)
await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
const headers = { authorization: `Bearer ${token}` }

async function userOf(megabytes: number): Promise<string> {
  const { location } = await request<{ location: string }>('POST', '/users', {})
  const user = location.split('/').at(-1) ?? ''
  for (let n = 0; n < megabytes; n++)
    await sql`
      insert into entities (user_id, id, type, created, properties)
      select ${user}::uuid, gen_random_uuid(), 'car', now(), jsonb_object_agg('text-' || n, jsonb_build_object(
        'id', n::text, 'at', n, 'type', 'TEXT', 'sensitive', false, 'value', repeat(md5(random()::text), 1950)))
      from generate_series(1, 16) n`.execute(database.sql)
  return user
}

/** Resolves with the number of bytes in the response, its status if that is not 200, or `broken` if it breaks off. */
const read = (path: string): Promise<number | string> =>
  new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: `/api${path}`, headers, agent: false }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('error', () => resolve('broken'))
      response.on('end', () => resolve(response.statusCode === 200 ? bytes : `status ${response.statusCode}`))
    }).on('error', () => resolve('broken'))
  })

for (const megabytes of [16, 160]) {
  const user = await userOf(megabytes)
  let isOver = false
  const waits: number[] = []
  const others = (async () => {
    while (!isOver) {
      const started = performance.now()
      await read('/users')
      waits.push(performance.now() - started)
      await sleep(5)
    }
  })()
  await sleep(1000)
  const alone = percentile(waits.splice(0), 0.99)
  const before = process.resourceUsage().maxRSS
  const started = performance.now()
  const answers = await Promise.all(
    Array.from({ length: readersAtOnce }, () => read(`/users/${user}/entities`)),
  )
  const seconds = (performance.now() - started) / 1000
  isOver = true
  await others
  const more = (process.resourceUsage().maxRSS - before) / 1024
  console.log(
    `${database.engine}: ${readersAtOnce} lists at once of ${megabytes} MB: ${seconds.toFixed(1)} s, answered ${answers.join(', ')}; ` +
      `others waited ${percentile(waits, 0.99).toFixed(0)} ms (p99), ${Math.max(...waits).toFixed(0)} ms at most, alone ${alone.toFixed(0)} ms; ` +
      `memory + ${more.toFixed(0)} MB`,
  )
  await request('DELETE', `/users/${user}`)
}
await app.close()
await database.close()
