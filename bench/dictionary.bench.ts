// Benchmarks what is counted in the background, the property dictionary and the common values of a key: counting for
// the first time, reading it from the cache, and the delay for other requests during a count. One request at a time beside the count, in process. Fill the store first: npm run load
// -- --users 200000, or with DATABASE_URL and 1000000.
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { application, percentile } from './application.ts'

const pages = 300

const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
const database = await openDatabase(config.store, config.keys)
const { app, request } = await application(database, config)
await app.ready()
const { rows } = await database.pool.query<{ users: number; entities: number }>(
  `select (select sum(users)::int from user_counts) as users, (select count(*)::int from entities) as entities`,
)
const { users, entities } = rows[0] ?? { users: 0, entities: 0 }
console.log(
  `${database.engine}, ${users.toLocaleString('en')} users, ${entities.toLocaleString('en')} entities; milliseconds\n`,
)

const usersPage = async () => await measure('/users')
for (let round = 0; round < 20; round++) await usersPage()
const alone: number[] = []
for (let round = 0; round < pages; round++) alone.push(await usersPage())

for (const address of ['/dictionary', '/keys/car/brand/values', '/keys/car/mileage/values']) {
  const started = performance.now()
  const first = await measure(address)
  const beside: number[] = []
  const polls: number[] = []
  for (let made: string | undefined; made === undefined;) {
    for (let page = 0; page < 20; page++) beside.push(await usersPage())
    const asked = performance.now()
    made = (await request<{ made?: string }>('GET', address)).made
    if (made === undefined) polls.push(performance.now() - asked)
  }
  const took = performance.now() - started
  const kept: number[] = []
  for (let round = 0; round < pages; round++) kept.push(await measure(address))

  console.log(`${address}\nfirst answer: ${first.toFixed(0)}; made after ${took.toFixed(0)}`)
  for (const [name, times] of Object.entries({
    'the kept one': kept,
    'asked while it is made': polls,
    'first page of users alone': alone,
    'first page of users while it is made': beside,
  }))
    console.log(
      `${name} (${times.length}): ${[0.5, 0.95].map((share) => percentile(times, share).toFixed(1)).join(' / ')}`,
    )
}
await app.close()
await database.close()

async function measure(address: string): Promise<number> {
  const asked = performance.now()
  await request('GET', address)
  return performance.now() - asked
}
