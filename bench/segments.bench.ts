// Benchmarks segments: the first page, the exact count and the preview for filters of different kinds, from few to many
// matches. One request at a time, in process, from the request to the response. Fill the store first: npm run load --
// --users 200000, or with DATABASE_URL and 1000000. `PLANS=1` prints the plans of the slowest three pages.

import { sql } from 'kysely'

import type { Filter } from '#contract/index.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { countUsers } from '#server/segments/counts.ts'
import { filterSql } from '#server/segments/sql/filter-sql.ts'
import { application, percentile } from './application.ts'
import { filters } from './filters.ts'

const pages = Number(process.env.PAGES ?? 30)
const previews = 5
const writes = 300
/** The service's limit for counts in the background. */
const countLimitMs = 60_000

const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
const database = await openDatabase(config.store, config.keys, { statementLimitMs: 60_000 })
const { app, request } = await application(database, config)
await app.ready()
const { rows } = await database.pool.query<{ users: number }>(
  'select sum(users)::int as users from user_counts',
)
console.log(`${database.engine}, ${(rows[0]?.users ?? 0).toLocaleString('en')} users; milliseconds\n`)
console.log('filter | users | page p50 | page p95 | exact count | preview | preview says')

const all: number[] = []
const slowest: { name: string; p95: number }[] = []
for (const [name, filter] of Object.entries(filters)) {
  const { location } = await request<{ location: string }>('POST', '/segments', { name, filter })
  const id = location.split('/').at(-1) ?? ''
  try {
    const counting = performance.now()
    const total = (await countUsers(database, where(filter), { limitMs: countLimitMs })) ?? 'given up'
    const countMs = performance.now() - counting
    const times: number[] = []
    for (let round = -3; round < pages; round++) {
      const started = performance.now()
      await request('GET', `/users?segment=${id}`)
      if (round >= 0) times.push(performance.now() - started)
    }
    const previewTimes: number[] = []
    let said = ''
    for (let round = 0; round < previews; round++) {
      const started = performance.now()
      const found = await request<{ total: number; atLeast: boolean }>('POST', '/segments/preview', {
        filter,
      })
      previewTimes.push(performance.now() - started)
      said = `${found.atLeast ? 'at least ' : ''}${found.total}`
    }
    all.push(...times)
    slowest.push({ name, p95: percentile(times, 0.95) })
    const figures = [percentile(times, 0.5), percentile(times, 0.95), countMs, percentile(previewTimes, 1)]
    console.log([name, total, ...figures.map((ms) => ms.toFixed(1)), said].join(' | '))
  } finally {
    await request('DELETE', `/segments/${id}`)
  }
}
console.log(`\nall pages: p50 ${percentile(all, 0.5).toFixed(1)}, p95 ${percentile(all, 0.95).toFixed(1)}`)
if (process.env.PLANS !== undefined)
  for (const { name } of slowest.toSorted((a, b) => b.p95 - a.p95).slice(0, 3)) {
    const filter = filters[name]
    if (!filter) continue
    const plan = await sql<{ 'QUERY PLAN': string }>`
      explain (analyze, costs off) select u.id from users u where ${where(filter)} order by u.id limit 51`.execute(
      database.sql,
    )
    console.log(`\n${name}\n${plan.rows.map((row) => row['QUERY PLAN']).join('\n')}`)
  }
await measureWrites()
await app.close()
await database.close()

/**
 * Measures what the index on `properties` costs a write: inserts entities one by one, with and without the index, and
 * rolls everything back.
 */
async function measureWrites() {
  const client = await database.pool.connect()
  const { rows: owners } = await client.query<{ id: string }>(
    'select user_id as id from entities tablesample system (1) order by random() limit $1',
    [writes],
  )
  const insert = async () => {
    const started = performance.now()
    for (const { id } of owners)
      await client.query(
        `insert into entities (user_id, id, type, created, properties, sealed, nth_of_type)
         select user_id, gen_random_uuid(), type, created, properties, sealed, nth_of_type from entities where user_id = $1 limit 1`,
        [id],
      )
    return (performance.now() - started) / owners.length
  }
  try {
    await client.query('begin')
    await insert()
    const indexed = [await insert(), await insert()]
    await client.query('drop index entities_properties_gin')
    const bare = [await insert(), await insert()]
    await client.query('rollback')
    const each = (values: number[]) => values.map((ms) => ms.toFixed(2)).join(' and ')
    console.log(`\none entity inserted: ${each(indexed)} ms with the index, ${each(bare)} ms without`)
  } finally {
    client.release()
  }
}

function where(filter: Filter) {
  const { indexKey } = database.keys
  return filterSql(filter, { segments: new Map(), indexKey, tz: 'UTC', now: new Date() })
}
