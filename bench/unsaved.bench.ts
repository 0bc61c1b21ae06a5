// Benchmarks unsaved filters with two conditions: the first page, compared with the first page of a segment with the
// same filter; sorted, the first page and a page at nine tenths of the list; and the first page with a cold cache. One
// request at a time, in process, from the request to the response with its total. Fill the store first: npm run load --
// --users 200000, or with DATABASE_URL and 1000000. ONLY=<beginning of a name> measures some of them.
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { keepRangeIndexes } from '#server/segments/range-indexes.ts'
import { sealOffset } from '#server/users/paging.ts'
import { application, percentile } from './application.ts'
import { pairs } from './filters.ts'

const pages = Number(process.env.PAGES ?? 12)
const { ONLY: only = '' } = process.env

const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
const database = await openDatabase(config.store, config.keys, { statementLimitMs: 30_000 })
const { app, request, secrets } = await application(database, config)
await app.ready()
// Loads the existing range indexes, as the service does at its start (`KEEP=1 npm run bench ranges` leaves its indexes
// in place).
await keepRangeIndexes(database)
const { rows } = await database.pool.query<{ users: number }>(
  'select sum(users)::int as users from user_counts',
)
const users = rows[0]?.users ?? 0
console.log(`${database.engine}, ${users.toLocaleString('en')} users; milliseconds, p50 / p95\n`)

const places = {
  name: await placeAt('select term as key, user_id as id from user_terms where name order by term, user_id'),
  email: await placeAt('select email_key as key, id from users order by email_key, id'),
}
// A filter in another time zone counts as a different filter, so nothing is cached for it.
const zones = Array.from({ length: 14 }, (_, hours) => `Etc/GMT-${hours + 1}`)

console.log(
  'filter | users | segment | not saved | by name | at nine tenths | by e-mail | at nine tenths | asked first',
)
for (const [name, filter] of Object.entries(pairs)) {
  if (!name.startsWith(only)) continue
  const { location } = await request<{ location: string }>('POST', '/segments', { name, filter })
  const segment = location.split('/').at(-1) ?? ''
  try {
    const deep = (sort: keyof typeof places) => {
      const list = JSON.stringify(['list', filter, undefined, undefined, sort])
      return { filter, sort, offset: sealOffset(secrets.search, list, places[sort]) }
    }
    const requests: readonly (readonly ['GET' | 'POST', string, object?])[] = [
      ['GET', `/users?segment=${segment}`],
      ['POST', '/users/search', { filter }],
      ['POST', '/users/search', { filter, sort: 'name' }],
      ['POST', '/users/search', deep('name')],
      ['POST', '/users/search', { filter, sort: 'email' }],
      ['POST', '/users/search', deep('email')],
    ]
    let total: number | string = ''
    const times = requests.map((): number[] => [])
    for (let round = -1; round < pages; round++)
      for (const [at, each] of requests.entries()) {
        const { took, answer } = await measure(...each)
        if (round >= 0) times[at]?.push(took)
        if (at === 2) total = answer.total
      }
    const first: number[] = []
    for (const tz of zones)
      first.push((await measure('POST', '/users/search', { filter, tz, sort: 'name' })).took)
    console.log([name, total, ...[...times, first].map(figures)].join(' | '))
  } finally {
    await request('DELETE', `/segments/${segment}`)
  }
}
await app.close()
await database.close()

async function measure(...call: readonly ['GET' | 'POST', string, object?]) {
  const started = performance.now()
  const answer = await request<{ total: number }>(...call)
  return { took: performance.now() - started, answer }
}

async function placeAt(statement: string) {
  const offset = Math.floor(users * 0.9)
  const found = await database.pool.query<{ key: string; id: string }>(
    `${statement} offset ${offset} limit 1`,
  )
  return { ...found.rows[0], part: 0 }
}

function figures(times: readonly number[]): string {
  return [0.5, 0.95].map((share) => percentile(times, share).toFixed(1)).join(' / ')
}
