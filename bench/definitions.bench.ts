// Benchmarks definitions: how long the list of all of them takes, and what they cost writes. One request at a time, in
// process. The writes are made in turns with definitions of all that they write and with none. The configured store must
// have no definitions, as one of npm run load; those of the bench are deleted at the end.
import { rangeTypes } from '#contract/index.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { application, percentile } from './application.ts'

const reads = 300
const rounds = 30
const writesPerRound = 100

const config = readConfig({ LOG_LEVEL: 'silent', SAMPLE_DATA: '0', ...process.env })
const database = await openDatabase(config.store, config.keys)
const { app, token, request } = await application(database, config)
await app.ready()
const { rows } = await database.pool.query<{ users: number; definitions: number }>(
  `select (select sum(users)::int from user_counts) as users, (select count(*)::int from definitions) as definitions`,
)
const { users, definitions } = rows[0] ?? { users: 0, definitions: 0 }
if (definitions > 0) throw new Error('The store has definitions, which this would replace.')
console.log(`${database.engine}, ${users.toLocaleString('en')} users; milliseconds, p50 / p95\n`)
try {
  // Counted first, so that the list has what nobody defined too.
  while ((await request<{ made?: string }>('GET', '/dictionary')).made === undefined);
  for (const count of [0, 200, 4999]) {
    const first = await define(propertiesOf(count))
    console.log(`${count} definitions: first answer after a change ${first.toFixed(0)}`)
    await measureList(count)
  }
  await measureWrites()
} finally {
  await define([])
  await app.close()
  await database.close()
}

/** Returns definitions of so many properties as an attentive steward would write them. */
function propertiesOf(count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({
    key: at === 0 ? 'number' : `key-${at}`,
    label: { en: `Property ${at}` },
    type: at % 3 === 0 ? 'TEXT' : rangeTypes[at % rangeTypes.length],
    sensitive: false,
    group: `Group ${at % 20}`,
    order: at % 1000,
  }))
}

/** Makes these the only definitions, and returns how long the first list of them took, by which the process knows them. */
async function define(properties: readonly object[]): Promise<number> {
  await database.pool.query('delete from definitions')
  await database.pool.query(
    `insert into definitions (entity_type, key, definition, updated)
     select 'order', row ->> 'key', (row - 'key')::json, now() at time zone 'UTC'
     from jsonb_array_elements($1::jsonb) as row`,
    [JSON.stringify(properties)],
  )
  await database.pool.query('update definitions_version set version = version + 1')
  const started = performance.now()
  await request('GET', '/definitions')
  return performance.now() - started
}

async function measureList(count: number): Promise<void> {
  const read = async (headers: Readonly<Record<string, string>>) => {
    const started = performance.now()
    const answer = await app.inject({
      url: '/api/definitions',
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
    return { took: performance.now() - started, answer }
  }
  const { answer } = await read({})
  const tag = String(answer.headers.etag)
  const ways = {
    whole: {},
    br: { 'accept-encoding': 'br' },
    'not changed (304)': { 'if-none-match': tag },
  }
  for (const [name, headers] of Object.entries(ways)) {
    const times: number[] = []
    for (let round = -20; round < reads; round++) {
      const { took } = await read(headers)
      if (round >= 0) times.push(took)
    }
    report(`${count} definitions, ${Math.round(answer.body.length / 1000)} kB, ${name}`, times)
  }
}

async function measureWrites(): Promise<void> {
  const { location } = await request<{ location: string }>('POST', '/users', {})
  const user = location.split('/').at(-1) ?? ''
  const path = `/users/${user}/entities`
  const send = async (body: object, entity = '') => {
    const answer = await request<{ location?: string }>(entity === '' ? 'POST' : 'PATCH', path + entity, body)
    return `/${answer.location?.split('/').at(-1)}`
  }
  const entity = await send({ type: 'order', properties: [property(0)] })
  const defined = propertiesOf(4999)
  const kinds = { with: defined, without: [] }
  const times: Record<'patch' | 'create', Record<keyof typeof kinds, number[]>> = {
    patch: { with: [], without: [] },
    create: { with: [], without: [] },
  }
  for (let round = -2; round < rounds; round++)
    for (const kind of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      await define(kinds[kind])
      for (let write = -10; write < writesPerRound; write++) {
        const started = performance.now()
        await send({ properties: [property(round * 1000 + write)] }, entity)
        const patched = performance.now()
        const made = await send({ type: 'order', properties: [property(write)] })
        const created = performance.now()
        await request('DELETE', path + made)
        if (round < 0 || write < 0) continue
        times.patch[kind].push(patched - started)
        times.create[kind].push(created - patched)
      }
    }
  await request('DELETE', `/users/${user}`)
  console.log('')
  for (const [name, each] of Object.entries(times)) {
    for (const kind of ['without', 'with'] as const) report(`${name}, ${kind} definitions`, each[kind])
    // The medians of neighbouring rounds, since the machine's speed changes more than a write by its definitions.
    const ratios = Array.from({ length: rounds }, (_, round) => {
      const part = (list: readonly number[]) =>
        percentile(list.slice(round * writesPerRound, (round + 1) * writesPerRound), 0.5)
      return part(each.with) / part(each.without)
    })
    console.log(`${name}: ${(100 * percentile(ratios, 0.5) - 100).toFixed(1)} % more with definitions`)
  }
}

function property(value: number): object {
  return { key: 'number', type: 'TEXT', value: `number ${value}` }
}

function report(what: string, times: readonly number[]): void {
  const figures = [0.5, 0.95].map((share) => percentile(times, share).toFixed(2))
  console.log(`${what} (${times.length}): ${figures.join(' / ')}`)
}
