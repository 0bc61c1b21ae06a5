// Benchmarks every kind of call that the console makes, in milliseconds. For a distributed store it also counts the
// statements that query one machine and those that query all. One request at a time, in process, from the request to
// the response. Fill the store first: npm run load -- --users 1000000, with DATABASE_URL.
import type { Entity, User } from '#contract/index.ts'
import { readConfig } from '#server/config.ts'
import { seededRandom, whole } from '#server/demo/random.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { detectDistribution } from '#server/store/distributed.ts'
import { application, percentile } from './application.ts'
import { filters } from './filters.ts'

const rounds = Number(process.env.ROUNDS ?? 100)

const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
const database = await openDatabase(config.store, config.keys, { statementLimitMs: 60_000 })
const { app, request } = await application(database, config)
await app.ready()

const { rows: known } = await database.pool.query<{ id: string }>(
  'select user_id as id from entities order by user_id offset 5000 limit 2000',
)
const isDistributed = await detectDistribution(database.sql)
if (isDistributed) {
  await database.pool.query('alter system set citus.enable_stat_counters = on')
  await database.pool.query('select pg_reload_conf()')
}

const random = seededRandom(7)
const user = () => known[whole(random, 0, known.length - 1)]?.id ?? ''
const path = async (found: string) => `/users/${found}/entities/${await entityOf(found)}`
const text = (value: string) => ({ key: 'nickname', type: 'TEXT', value })
const { location: segmentAt } = await request<{ location: string }>('POST', '/segments', {
  name: 'calls',
  filter: filters['text is'],
})
const segment = segmentAt.split('/').at(-1) ?? ''
let made = 0

/** Each entry prepares its data first and then resolves to the call that is measured. */
const calls: Readonly<Record<string, () => Promise<() => Promise<unknown>>>> = {
  'one user': ready(() => request('GET', `/users/${user()}`)),
  'entities of a user': ready(() => request('GET', `/users/${user()}/entities`)),
  'segments of a user': ready(() => request('GET', `/users/${user()}/segments`)),
  'events of a user': ready(() => request('GET', `/events?user=${user()}&order=desc`)),
  'page of users': ready(() => request('GET', '/users')),
  'page by name': ready(() => request('POST', '/users/search', { sort: 'name' })),
  'page of a segment': ready(() => request('GET', `/users?segment=${segment}`)),
  'page of a filter by name': ready(() =>
    request('POST', '/users/search', { filter: filters['text is'], sort: 'name' }),
  ),
  'preview of a filter': ready(() =>
    request('POST', '/segments/preview', { filter: filters['date before'] }),
  ),
  'search by a name': async () => {
    const { name } = await request<User>('GET', `/users/${user()}`)
    return () => request('POST', '/users/search', { q: name })
  },
  'search by an e-mail': async () => {
    const { email } = await request<User>('GET', `/users/${user()}`)
    return () => request('POST', '/users/search', { q: email })
  },
  'page of events': ready(() => request('GET', '/events')),
  'new user': ready(() => {
    made++
    const own = `${process.pid}-${made}`
    return request('POST', '/users', { name: 'Calls', email: `${own}@calls.example`, ref: `calls-${own}` })
  }),
  'new entity': ready(() =>
    request('POST', `/users/${user()}/entities`, { type: 'hobby', properties: [text('chess')] }),
  ),
  'changed user': ready(() =>
    request('PATCH', `/users/${user()}`, { since: new Date(made++).toISOString().slice(0, -1) }),
  ),
  'changed value': async () => {
    const address = await path(user())
    return () => request('PATCH', address, { properties: [text(String(made++))] })
  },
  'deleted user': async () => {
    const { location } = await request<{ location: string }>('POST', '/users', { name: 'Gone' })
    return () => request('DELETE', `/users/${location.split('/').at(-1)}`)
  },
}

console.log(
  `${database.engine}${isDistributed ? ', distributed' : ''}; milliseconds\n\ncall | p50 | p95${isDistributed ? ' | of one machine | of all' : ''}`,
)
for (const [name, prepare] of Object.entries(calls)) {
  const times: number[] = []
  const statements = { one: 0, all: 0 }
  for (let round = -10; round < rounds; round++) {
    const call = await prepare()
    const before = await measureCalls()
    const started = performance.now()
    await call()
    const took = performance.now() - started
    if (round < 0) continue
    times.push(took)
    const after = await measureCalls()
    statements.one += after.one - before.one
    statements.all += after.all - before.all
  }
  const figures = [0.5, 0.95].map((share) => percentile(times, share).toFixed(1))
  const each = isDistributed ? [statements.one, statements.all].map((sum) => (sum / rounds).toFixed(1)) : []
  console.log([name, ...figures, ...each].join(' | '))
}
await request('DELETE', `/segments/${segment}`)
await app.close()
await database.close()

function ready(call: () => Promise<unknown>) {
  return () => Promise.resolve(call)
}

async function entityOf(of: string): Promise<string> {
  const [first] = await request<Entity[]>('GET', `/users/${of}/entities`)
  return first?.id ?? ''
}

/**
 * Returns the number of statements that Citus has counted so far: those that queried a single machine, and those that
 * queried all machines.
 */
async function measureCalls(): Promise<{ one: number; all: number }> {
  if (!isDistributed) return { one: 0, all: 0 }
  const { rows } = await database.pool.query<{ one: number; all: number }>(
    `select query_execution_single_shard as one, query_execution_multi_shard as all
     from citus_stat_counters where name = current_database()`,
  )
  return rows[0] ?? { one: 0, all: 0 }
}
