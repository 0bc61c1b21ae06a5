// Benchmarks the list of users: for each order, the first page and a page at nine tenths of the list; for filters,
// saved and unsaved, the first page in default order, by name and by `since` descending; and a page with property
// columns. One request at a time, in process, from the request to the response with its total. Statements may take 30 s
// here so that slow ones still yield a number; the service stops them at 5 s. Fill the store first: npm run load --
// --users 200000, or with DATABASE_URL and 1000000.

import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { sealOffset } from '#server/users/paging.ts'
import { application, percentile } from './application.ts'
import { filters } from './filters.ts'

const pages = 30

const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
const database = await openDatabase(config.store, config.keys, { statementLimitMs: 30_000 })
const { app, request, secrets } = await application(database, config)
await app.ready()
const { rows } = await database.pool.query<{ users: number }>(
  'select sum(users)::int as users from user_counts',
)
const users = rows[0]?.users ?? 0
console.log(`${database.engine}, ${users.toLocaleString('en')} users; milliseconds\n`)

console.log('order | first page p50 | p95 | at nine tenths p50 | p95 | deep / first')
const keys = {
  name: ['select term as key, user_id as id from user_terms where name', 'term', 'user_id'],
  email: ['select email_key as key, id from users where email_key is not null', 'email_key', 'id'],
  since: [`select to_char(since, 'YYYY-MM-DD"T"HH24:MI:SS.MS') as key, id from users`, 'since', 'id'],
  created: ['select null as key, id from users', 'id', 'id'],
} as const
for (const [field, [select, key, id]] of Object.entries(keys))
  for (const sort of [field, `-${field}`]) {
    const direction = sort === field ? 'asc' : 'desc'
    const { rows: places } = await database.pool.query<{ key: string | null; id: string }>(
      `${select} order by ${key} ${direction}, ${id} ${direction} offset ${Math.floor(users * 0.9)} limit 1`,
    )
    const list = JSON.stringify(['list', undefined, undefined, undefined, sort])
    const offset = sealOffset(secrets.search, list, { ...places[0], part: 0 })
    const [first = [], deep = []] = await measure(
      ['POST', '/users/search', { sort }],
      ['POST', '/users/search', { sort, offset }],
    )
    const ratio = percentile(deep, 0.5) / percentile(first, 0.5)
    console.log([sort, ...figures(first), ...figures(deep), ratio.toFixed(2)].join(' | '))
  }

console.log(
  '\nfilter | users | segment p50 | p95 | unsaved p50 | p95 | by name p50 | p95 | last since first p50 | p95',
)
const all: number[][] = [[], [], [], []]
for (const [name, filter] of Object.entries(filters)) {
  const { location } = await request<{ location: string }>('POST', '/segments', { name, filter })
  const segment = location.split('/').at(-1) ?? ''
  const { total } = await request<{ total: number }>('POST', '/users/search', { filter })
  const times = await measure(
    ['GET', `/users?segment=${segment}`],
    ['POST', '/users/search', { filter }],
    ['POST', '/users/search', { filter, sort: 'name' }],
    ['POST', '/users/search', { filter, sort: '-since' }],
  )
  await request('DELETE', `/segments/${segment}`)
  for (const [at, each] of times.entries()) all[at]?.push(...each)
  console.log([name, total, ...times.flatMap(figures)].join(' | '))
}
console.log(['all', '', ...all.flatMap(figures)].join(' | '))
const columns = ['car.plate', 'person.city', 'person.birthday', 'person.phone', 'car.price']
const [plain = [], columned = []] = await measure(
  ['POST', '/users/search', { sort: 'name' }],
  ['POST', '/users/search', { sort: 'name', columns }],
)
console.log(`without columns ${figures(plain).join(' / ')}, with five ${figures(columned).join(' / ')}`)
await app.close()
await database.close()

/** Times the requests in turns, so that other load on the machine affects all of them alike. */
async function measure(...requests: readonly Parameters<typeof request>[]): Promise<number[][]> {
  const times = requests.map((): number[] => [])
  for (let round = -3; round < pages; round++)
    for (const [at, each] of requests.entries()) {
      const started = performance.now()
      await request(...each)
      if (round >= 0) times[at]?.push(performance.now() - started)
    }
  return times
}

function figures(times: readonly number[]): string[] {
  return [percentile(times, 0.5).toFixed(1), percentile(times, 0.95).toFixed(1)]
}
