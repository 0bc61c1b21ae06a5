// Benchmarks range filters that match hardly anybody, without and with the indexes that their segments create: the
// first page of the segment, the same filter unsaved and sorted by name, the exact count and the preview. Then measures
// what the indexes cost a write. One request at a time, in process. Fill the store first: npm run load -- --users
// 200000, or with DATABASE_URL and 1000000.
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { conditionOf } from '#server/segments/conditions.ts'
import { countUsers } from '#server/segments/counts.ts'
import { readFilter } from '#server/segments/facts.ts'
import { keepRangeIndexes } from '#server/segments/range-indexes.ts'
import { application, percentile } from './application.ts'
import { filters, pairs, rareRanges } from './filters.ts'

const pages = Number(process.env.PAGES ?? 12)
const writes = 2000

const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
const database = await openDatabase(config.store, config.keys, { statementLimitMs: 30_000 })
const { app, request } = await application(database, config)
await app.ready()

const others =
  'two ranges|two ranges, hardly anybody|city and range|number and not|city and amount|any of two|number at least|amount over|date before|three tests on one car'
const names = new Set([...Object.keys(rareRanges), ...others.split('|')])
const measured = Object.entries({ ...filters, ...pairs, ...rareRanges }).filter(([name]) => names.has(name))

const segments = new Map<string, string>()
for (const [name, filter] of measured) {
  const { location } = await request<{ location: string }>('POST', '/segments', { name, filter })
  segments.set(name, location.split('/').at(-1) ?? '')
}
try {
  console.log(`${database.engine}; milliseconds, p50 / p95\n`)
  console.log('filter | users | segment | not saved | by name | count | preview')
  await table('without')
  const startedMs = performance.now()
  await keepRangeIndexes(database, {
    leastEntities: 0,
    made: ({ key, currency = '' }, ms) => console.log(`${key} ${currency}: made in ${ms.toFixed(0)} ms`),
  })
  console.log(`all made in ${(performance.now() - startedMs).toFixed(0)} ms\n`)
  await table('with')
  await measureWrites()
} finally {
  for (const id of segments.values()) await request('DELETE', `/segments/${id}`)
  if (process.env.KEEP === undefined)
    for (let times = 0; times < 2; times++)
      await keepRangeIndexes(database, { leastEntities: 0, keptUnusedMs: 0 })
}
await app.close()
await database.close()

async function table(way: string) {
  for (const [name, filter] of measured) {
    const { where } = conditionOf(readFilter({ filter, tz: null }), database)
    const counting = performance.now()
    const total = await countUsers(database, where(), {})
    const countMs = performance.now() - counting
    const asked: readonly (readonly ['GET' | 'POST', string, object?])[] = [
      ['GET', `/users?segment=${segments.get(name)}`],
      ['POST', '/users/search', { filter }],
      ['POST', '/users/search', { filter, sort: 'name' }],
      ['POST', '/segments/preview', { filter }],
    ]
    const times = asked.map((): number[] => [])
    for (let round = -1; round < pages; round++)
      for (const [at, each] of asked.entries()) {
        const started = performance.now()
        await request(...each)
        if (round >= 0) times[at]?.push(performance.now() - started)
      }
    const [segment, unsaved, byName, preview] = times.map(figures)
    console.log([`${name}, ${way}`, total, segment, unsaved, byName, countMs.toFixed(0), preview].join(' | '))
  }
}

/** Inserts entities one by one, alternating with and without the indexes, and rolls everything back. */
async function measureWrites() {
  const client = await database.pool.connect()
  const { rows: owners } = await client.query<{ id: string }>(
    `select user_id as id from entities tablesample system (1) where type = 'person' order by random() limit ${writes}`,
  )
  const insert = async (ids: readonly { id: string }[], times: number[]) => {
    for (const { id } of ids) {
      const started = performance.now()
      await client.query(
        `insert into entities (user_id, id, type, created, properties, sealed, nth_of_type)
         select user_id, gen_random_uuid(), type, created, properties, sealed, nth_of_type from entities
         where user_id = $1 and type = 'person' limit 1`,
        [id],
      )
      times.push(performance.now() - started)
    }
  }
  const { rows } = await client.query<{ name: string; size: string }>(
    `select relname as name, pg_size_pretty(pg_relation_size(oid)) as size from pg_class
     where relkind = 'i' and starts_with(relname, 'range_')`,
  )
  console.log(`\nsizes: ${rows.map(({ size }) => size).join(', ')}`)
  const [indexed, bare]: [number[], number[]] = [[], []]
  try {
    await client.query('begin')
    for (let at = 0; at < owners.length; at += 100) {
      await insert(owners.slice(at, at + 50), indexed)
      await client.query(`savepoint dropped; drop index ${rows.map(({ name }) => name).join(', ')}`)
      await insert(owners.slice(at + 50, at + 100), bare)
      await client.query('rollback to dropped')
    }
    await client.query('rollback')
    const median = (times: readonly number[]) => percentile(times, 0.5).toFixed(3)
    console.log(`one person inserted: ${median(indexed)} ms with the indexes, ${median(bare)} ms without`)
  } finally {
    client.release()
  }
}

function figures(times: readonly number[]): string {
  return [0.5, 0.95].map((share) => percentile(times, share).toFixed(0)).join(' / ')
}
