// Compares the service with a bare handler and with a plain Fastify app whose JSON the database writes. Both check the
// token as the service does and run the same statement on the same store. Also compares the first page of each list
// with its last. Fill the store first: npm run load -- --users 200000, or with DATABASE_URL and 1000000
import { spawn } from 'node:child_process'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Fastify from 'fastify'
import pg, { type QueryConfig } from 'pg'

import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { encodeOffset } from '#server/users/paging.ts'
import { application } from './application.ts'

const rounds = 3
const seconds = 4
const connections = 16

const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
// The limit is raised because the count of all events below may take longer than a request is allowed to.
const database = await openDatabase(config.store, config.keys, { statementLimitMs: 60_000 })

const { rows } = await database.pool.query<{
  users: number
  events: number
  first: string
  last: string
  nearEnd: string
}>(`
  select (select sum(users) from user_counts)::int as users, (select count(*) from events)::int as events,
    (select id from users order by id limit 1) as first, (select id from users order by id desc limit 1) as last,
    (select id from users order by id desc offset 60 limit 1) as "nearEnd"`)
const [store] = rows
if (!store?.nearEnd || store.events < 200) {
  console.error('The store is too small. Fill it first: npm run load -- --users 200000')
  process.exit(1)
}

const { app, token, secrets, authenticate } = await application(database, config)
await app.listen({ port: 0, host: '127.0.0.1' })

const calls = {
  'one user, first and last': [`/users/${store.first}`, `/users/${store.last}`],
  'page of 50, start and end': [
    '/users',
    `/users?offset=${encodeOffset(secrets.paging, store.nearEnd, undefined)}`,
  ],
  'events, start and end': ['/events', `/events?offset=${store.events - 100}`],
}

console.log(
  `${database.engine}, ${store.users.toLocaleString('en')} users, ${store.events.toLocaleString('en')} events; ` +
    `${connections} connections, median of ${rounds} rounds of ${seconds} s, requests per second`,
)
for (const [name, [start = '', end]] of Object.entries(calls)) {
  const statement = await statementOf(start)
  const bare = await listen(async (request, response) => {
    await authenticate([request.headers.authorization ?? ''])
    const { rows } = await database.pool.query(statement)
    response.setHeader('content-type', 'application/json;charset=UTF-8')
    response.end(JSON.stringify(rows[0]))
  })
  const fastify = await listenFastify(statement)
  const results: Record<string, number[]> = { bare: [], fastify: [], service: [], end: [] }
  for (let round = 0; round < rounds; round++) {
    results.bare?.push(await load(bare, '/'))
    results.fastify?.push(await load(fastify.server, '/'))
    results.service?.push(await load(app.server, `/api${start}`))
    if (end) results.end?.push(await load(app.server, `/api${end}`))
  }
  bare.close()
  await fastify.close()
  const [bareRate, fastifyRate] = [median(results.bare), median(results.fastify)]
  const serviceRate = median(results.service)
  console.log(
    `${name}: bare ${show(bareRate)}, Fastify ${show(fastifyRate)}, service ${show(serviceRate)} ` +
      `(${percent(serviceRate / bareRate)} of bare, ${percent(serviceRate / fastifyRate)} of Fastify)`,
  )
  if (end) {
    const endRate = median(results.end)
    console.log(
      `  at the end ${show(endRate)}: takes ${(serviceRate / endRate).toFixed(2)} times as long as at the start`,
    )
  }
}
await app.close()
await database.close()

/**
 * Returns the statement that the service sends for a request, captured at the driver, so that the bare handler can run
 * exactly the same one.
 */
async function statementOf(address: string): Promise<QueryConfig<unknown[]>> {
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const { query } = prototype
  let last: QueryConfig<unknown[]> | undefined
  prototype.query = function (this: unknown, ...args: unknown[]) {
    const [given, values] = args
    if (typeof given === 'string' && Array.isArray(values)) last = { text: given, values }
    else if (typeof given === 'object') last = given as QueryConfig<unknown[]>
    return query.apply(this, args)
  }
  await app.inject({ url: `/api${address}`, headers: { authorization: `Bearer ${token}` } })
  prototype.query = query
  if (!last) throw new Error(`No statement was seen for ${address}`)
  return last
}

function listen(handler: (...args: Parameters<RequestListener>) => Promise<void>): Promise<Server> {
  const server = createServer((request, response) => void handler(request, response))
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

async function listenFastify({ name, text, values = [] }: QueryConfig<unknown[]>) {
  const server = Fastify()
  const written = {
    ...(name !== undefined && { name: `${name}_as_json` }),
    text: `select row_to_json(answered)::text as json from (${text}) answered`,
    values,
  }
  server.get('/', async (request, reply) => {
    await authenticate([request.headers.authorization ?? ''])
    const { rows } = await database.pool.query<{ json: string }>(written)
    return reply.header('content-type', 'application/json;charset=UTF-8').send(rows[0]?.json)
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  return server
}

/** Returns the requests per second achieved by a client in a separate process. */
function load(server: Server, address: string): Promise<number> {
  const { port } = server.address() as AddressInfo
  const autocannon = path.join(import.meta.dirname, '..', 'node_modules', 'autocannon', 'autocannon.js')
  const options = [
    '-c',
    String(connections),
    '-d',
    String(seconds),
    '-j',
    '-H',
    `authorization=Bearer ${token}`,
  ]
  const client = spawn('node', [autocannon, ...options, `http://127.0.0.1:${port}${address}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return new Promise((resolve, reject) => {
    let text = ''
    client.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
    client.on('close', () => {
      const result = JSON.parse(text) as { requests: { average: number }; non2xx: number; errors: number }
      if (result.non2xx > 0 || result.errors > 0)
        reject(new Error(`${address}: ${result.non2xx} answers were not 2xx`))
      else resolve(result.requests.average)
    })
  })
}

function median(values: number[] = []): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

function show(rate: number): string {
  return Math.round(rate).toLocaleString('en')
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`
}
