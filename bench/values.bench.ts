// Benchmarks searching by property values, such as numbers that people read out: how long finding users takes, and what
// the search terms of values cost writers. Searches for values of the store as people type them, one request at a time,
// in process. The writes alternate between a value with search terms and one without. Fill the store first: npm run
// load -- --users 200000, or with DATABASE_URL and 1000000. The users it creates are deleted at the end.
import { readConfig } from '#server/config.ts'
import { seededRandom, whole } from '#server/demo/random.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { application, percentile } from './application.ts'

const searches = 1000
const rounds = 60
const writesPerRound = 24
const atOnce = 8

const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
const database = await openDatabase(config.store, config.keys)
const { app, request } = await application(database, config)
await app.ready()
const random = seededRandom(3)
const { rows } = await database.pool.query<{ users: number; terms: number }>(
  `select (select sum(users)::int from user_counts) as users, (select count(*)::int from value_terms) as terms`,
)
const { users, terms } = rows[0] ?? { users: 0, terms: 0 }
console.log(
  `${database.engine}, ${users.toLocaleString('en')} users, ${terms.toLocaleString('en')} terms; milliseconds, p50 / p95\n`,
)
await measureSearches()
await measureWrites()
await app.close()
await database.close()

async function measureSearches(): Promise<void> {
  const found = await database.pool.query<{ value: string }>(
    `select e.properties -> t.key ->> 'value' as value
     from (select * from value_terms tablesample bernoulli (${Math.min(100, (300 * searches) / terms)}) repeatable (1)) t
     join entities e on e.user_id = t.user_id and e.id = t.entity_id`,
  )
  const values = found.rows.map(({ value }) => value)
  const numbers = values.filter((value) => /^\d+$/.test(value))
  const texts = values.filter((value) => !/^\d+$/.test(value))
  const compact = (text: string) => text.replaceAll(/[^\p{L}\d]/gu, '')
  const ways: Readonly<Record<string, () => string>> = {
    ...(numbers.length > 0 && { 'a whole number': () => one(numbers) }),
    ...(texts.length > 0 && {
      'a text as it is stored': () => one(texts),
      'without what separates it': () => compact(one(texts)),
      'its first four letters and digits': () => compact(one(texts)).slice(0, 4),
      'from its second part on': () => one(texts).replace(/^[^-\s]+[-\s]+/u, ''),
    }),
    'nobody’s': () => `QX-${whole(random, 100_000, 999_999)}-Z`,
  }
  const all: number[] = []
  for (const [name, way] of Object.entries(ways)) {
    const times: number[] = []
    let hits = 0
    for (let round = -20; round < searches / 5; round++) {
      const q = way()
      const started = performance.now()
      const { total } = await request<{ total: number }>('POST', '/users/search', { q })
      if (round < 0) continue
      times.push(performance.now() - started)
      if (total > 0) hits += 1
    }
    all.push(...times)
    report(`${name} (${times.length}, of which ${hits} find somebody)`, times)
  }
  report('all', all)
}

function one(list: readonly string[]): string {
  return list[whole(random, 0, list.length - 1)] ?? ''
}

async function send(method: 'POST' | 'PATCH' | 'DELETE', address: string, body?: object): Promise<string> {
  const { location = '' } = await request<{ location?: string }>(method, address, body)
  return location.split('/').at(-1) ?? ''
}

/**
 * Returns four parts of twelve characters, joined by hyphens: digits, which yield search terms, or letters, which yield
 * none.
 */
function write(withTerms: boolean): string {
  const part = () =>
    Array.from({ length: 12 }, () => (withTerms ? whole(random, 0, 9) : one(Array.from('abcdefghij')))).join(
      '',
    )
  return [part(), part(), part(), part()].join('-')
}

async function measureWrites(): Promise<void> {
  const owners: { readonly user: string; readonly entity: string }[] = []
  for (let made = 0; made < 50; made++) {
    const user = await send('POST', '/users', {})
    const entity = await send('POST', `/users/${user}/entities`, {
      type: 'order',
      properties: [{ key: 'number', type: 'TEXT', value: write(made % 2 === 0) }],
    })
    owners.push({ user, entity })
  }
  const rates: Record<'with' | 'without', number[]> = { with: [], without: [] }
  const kinds = ['with', 'without'] as const
  for (let round = -5; round < rounds; round++)
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const started = performance.now()
      let next = 0
      const worker = async () => {
        while (next < writesPerRound) {
          const owner = owners[(next++ + writesPerRound * Math.abs(round)) % owners.length]
          await send('PATCH', `/users/${owner?.user}/entities/${owner?.entity}`, {
            properties: [{ key: 'number', value: write(kind === 'with') }],
          })
        }
      }
      await Promise.all(Array.from({ length: atOnce }, worker))
      if (round >= 0) rates[kind].push((1000 * writesPerRound) / (performance.now() - started))
    }
  for (const { user } of owners) await send('DELETE', `/users/${user}`)
  const median = (list: readonly number[]) => percentile(list, 0.5)
  const ratio = median(rates.with.map((rate, round) => rate / (rates.without[round] ?? Number.NaN)))
  console.log(
    `\nPATCH of a value, ${atOnce} at a time: with four terms ${median(rates.with).toFixed(0)}/s, without ` +
      `${median(rates.without).toFixed(0)}/s, ${(100 * ratio).toFixed(0)} %`,
  )
}

function report(what: string, times: readonly number[]): void {
  const figures = [0.5, 0.95].map((share) => percentile(times, share).toFixed(1))
  console.log(`${what}: ${figures.join(' / ')}`)
}
