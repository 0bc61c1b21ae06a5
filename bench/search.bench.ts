// Benchmarks finding users: 1,000 searches in a fixed mix, a plain ILIKE scan for some of them, and pages of the list
// at various positions. One request at a time, in process, from the request to the response. Fill the store first: npm
// run load -- --users 200000, or with DATABASE_URL and 1000000.

import { readConfig } from '#server/config.ts'
import { pick, seededRandom, whole } from '#server/demo/random.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { encodeOffset } from '#server/users/paging.ts'
import { application, percentile } from './application.ts'

const searches = 1000
/** Number of searches repeated as a sequential scan; low, because the time of each scan grows with the table. */
const scans = 40
const listPages = 300

interface Person {
  id: string
  name: string
  email: string
  ref: string
}

interface Search {
  kind: string
  q: string
  segment?: string | undefined
}

const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
const database = await openDatabase(config.store, config.keys, { statementLimitMs: 0 })
const { app, secrets, request } = await application(database, config)
await app.ready()

// Counts only users of the generated load, since the store may hold others.
const { rows } = await database.pool.query<{ users: number }>(
  `select count(*)::int as users from users where ref between 'L-00000000' and 'L-99999999'`,
)
const users = rows[0]?.users ?? 0
if (users < 1000) {
  console.error('The store is too small. Fill it first: npm run load -- --users 200000')
  process.exit(1)
}
const segments = await makeSegments()
const mix = await searchMix()
console.log(`${database.engine}, ${users.toLocaleString('en')} users; milliseconds per answer\n`)
try {
  await measureSearches()
  await measureScan()
  await measureList()
} finally {
  for (const id of Object.values(segments)) await request('DELETE', `/segments/${id}`)
  await app.close()
  await database.close()
}

async function measureSearches(): Promise<void> {
  // Runs the last tenth first, to warm up the database cache and the query plans as in a running service.
  for (const search of mix.slice(-searches / 10)) await measure(search)
  const times = new Map<string, number[]>()
  const counted = new Map<string, number>()
  for (const search of mix) {
    const { ms, total } = await measure(search)
    for (const kind of [search.kind, 'all searches']) {
      times.set(kind, [...(times.get(kind) ?? []), ms])
      counted.set(kind, (counted.get(kind) ?? 0) + (total > 0 ? 1 : 0))
    }
  }
  for (const [kind, values] of times)
    report(`${kind} (${values.length}, of which ${counted.get(kind)} find somebody)`, values)
}

async function measureScan(): Promise<void> {
  const sample = mix.filter((_, index) => index % Math.floor(searches / scans) === 0)
  const ours: number[] = []
  const theirs: number[] = []
  for (const search of sample) {
    ours.push((await measure(search)).ms)
    const pattern = `%${search.q.replaceAll(/[\\%_]/g, '\\$&')}%`
    const started = performance.now()
    await database.pool.query(
      `select id, email, name, ref, created, since, account from users
       where name ilike $1 or email ilike $1 or ref ilike $1 or id::text ilike $1 order by id limit 50`,
      [pattern],
    )
    theirs.push(performance.now() - started)
  }
  report(`\nof these, ${sample.length} by search`, ours)
  report(`the same ${sample.length} by ILIKE '%…%', without a total, no slips, no order of words`, theirs)
  const ratio = (share: number) => (percentile(theirs, share) / percentile(ours, share)).toFixed(1)
  console.log(
    `ILIKE takes ${ratio(0.5)} times as long at p50, ${ratio(0.95)} at p95, ${(sum(theirs) / sum(ours)).toFixed(1)} in all\n`,
  )
}

async function measureList(): Promise<void> {
  const [middle, end] = await people([Math.floor(users / 2), users - 60])
  const places = { first: undefined, middle: middle?.id, end: end?.id }
  for (const [place, after] of Object.entries(places)) {
    const query = after ? `?offset=${encodeOffset(secrets.paging, after, undefined)}` : ''
    const values: number[] = []
    for (let round = -20; round < listPages; round++) {
      const started = performance.now()
      await request('GET', `/users${query}`)
      if (round >= 0) values.push(performance.now() - started)
    }
    report(`list page, ${place} (${listPages})`, values)
  }
}

async function measure({ q, segment }: Search): Promise<{ ms: number; total: number }> {
  const started = performance.now()
  const { total } = await request<{ total: number }>('POST', '/users/search', {
    q,
    ...(segment !== undefined && { segment }),
  })
  return { ms: performance.now() - started, total }
}

/** Creates segments that match about 6 %, one in 15, 60 % and one in 2,000 of all users. */
async function makeSegments(): Promise<Record<string, string>> {
  const filters = {
    vip: person({ key: 'vip', type: 'BOOLEAN', op: 'eq', value: true }),
    city: person({ key: 'city', type: 'TEXT', op: 'eq', value: 'Lyon' }),
    accounts: { user: 'account', op: 'eq', value: true },
    points: person({ key: 'loyalty_points', type: 'NUMBER', op: 'eq', value: 777 }),
  }
  const made: Record<string, string> = {}
  for (const [name, filter] of Object.entries(filters)) {
    const { location } = await request<{ location: string }>('POST', '/segments', { name, filter })
    made[name] = location.split('/').at(-1) ?? ''
  }
  return made
}

function person(test: object): object {
  return { entity: 'person', where: [test] }
}

/** Reads users of the generated load by their number. */
async function people(numbers: readonly number[]): Promise<Person[]> {
  const refs = numbers.map((number) => `L-${String(number).padStart(8, '0')}`)
  const { rows } = await database.pool.query<Person>(
    `select u.id, u.name, u.email, u.ref from unnest($1::text[]) with ordinality as wanted (ref, at)
     join users u on u.ref = wanted.ref order by at`,
    [refs],
  )
  return rows
}

/** Returns the mix of searches. The seed is fixed, so stores with the same number of users get the same searches. */
async function searchMix(): Promise<Search[]> {
  const random = seededRandom(3)
  const known = await people(Array.from({ length: searches }, () => whole(random, 0, users - 1)))
  const letters = (count: number) =>
    Array.from({ length: count }, () => pick(random, ['q', 'x', 'z', 'v', 'k', 'w'])).join('')
  const texts: Record<string, (each: Person) => string> = {
    beginning: ({ name, email }) => {
      const text = random() < 0.8 ? pick(random, [name, name.split(' ').at(-1) ?? name]) : email
      return text.slice(0, whole(random, 1, 10))
    },
    'full name': ({ name }) => name,
    'reversed name': ({ name }) => name.split(' ').toReversed().join(' '),
    'e-mail': ({ email }) => email,
    ref: ({ ref }) => (random() < 0.5 ? ref : ref.slice(2)),
    id: ({ id }) => (random() < 0.5 ? id : id.slice(0, 13)),
    domain: () => pick(random, ['example.org', 'example', 'example.o']),
    slip: ({ name }) => slip(name.toLowerCase(), whole(random, 1, name.length - 2), random()),
    'no match': ({ name, ref }) =>
      pick(random, [
        letters(7),
        `${name.split(' ')[0]} ${letters(6)}`,
        `${name} ${ref}0`,
        `nobody.${ref}@example.org`,
      ]),
  }
  const shares: Record<string, number> = {
    beginning: 300,
    'full name': 170,
    'reversed name': 80,
    'e-mail': 100,
    ref: 50,
    id: 30,
    domain: 20,
    slip: 100,
    'no match': 50,
  }
  const kinds = Object.entries(shares).flatMap(([kind, share]) => Array.from({ length: share }, () => kind))
  const outside = ['beginning', 'full name', 'reversed name', 'e-mail', 'beginning'] as const
  const all = known.map((each, index): Search => {
    const kind = kinds[index]
    if (kind !== undefined) return { kind, q: texts[kind]?.(each).trim() ?? '' }
    const segment = Object.values(segments)[index % 4]
    return { kind: 'within a segment', q: texts[pick(random, [...outside])]?.(each).trim() ?? '', segment }
  })
  // Shuffled, as searches of different kinds arrive in practice.
  return all
    .map((search) => ({ search, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ search }) => search)
}

/** Returns the text with a typing mistake: a letter left out, doubled, replaced, or swapped with the next one. */
function slip(text: string, at: number, chance: number): string {
  const [before, letter, next, after] = [
    text.slice(0, at),
    text[at] ?? '',
    text[at + 1] ?? '',
    text.slice(at + 2),
  ]
  if (chance < 0.25) return before + next + after
  if (chance < 0.5) return before + letter + letter + next + after
  if (chance < 0.75) return `${before}x${next}${after}`
  return before + next + letter + after
}

function report(what: string, values: readonly number[]): void {
  const shown = [0.5, 0.95, 0.99, 1].map((share) => percentile(values, share).toFixed(1).padStart(8))
  console.log(`${what}: p50 ${shown[0]}  p95 ${shown[1]}  p99 ${shown[2]}  max ${shown[3]}`)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
