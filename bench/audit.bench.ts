// Benchmarks pages of the audit log, its counts and the counts of events: one request at a time, in process. If
// the store named by DATABASE_URL or DATA_DIR is empty, it is first filled with EVENTS=5000000 reads of sensitive
// values of 50,000 users by forty people, spread over 400 days.
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { application, percentile } from './application.ts'

const wanted = Number(process.env.EVENTS ?? 5_000_000)
const users = 50_000
const rounds = 30
const dayMs = 24 * 60 * 60 * 1000

const config = readConfig({ LOG_LEVEL: 'silent', ...process.env })
const database = await openDatabase(config.store, config.keys, { statementLimitMs: 3_600_000 })
const { app, request } = await application(database, config)
await app.ready()
const { pool } = database
const count = async (table: string) =>
  (await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? 0
await fill()
const { rows } = await pool.query<{ id: string }>('select id from users order by id limit 1 offset 10')
const user = rows[0]?.id ?? ''
const ago = (days: number) => encodeURIComponent(new Date(Date.now() - days * dayMs).toISOString())

console.log(
  `${database.engine}, ${(await count('audit')).toLocaleString('en')} rows; milliseconds, p50 / p95 / most\n`,
)
const asked: Readonly<Record<string, string>> = {
  'the newest page': '/audit',
  'of an actor': '/audit?actor=actor-7',
  'of an actor and a key': '/audit?actor=actor-7&key=key-3',
  'of a user': `/audit?user=${user}`,
  'of a key': '/audit?key=key-3',
  'of a span of a year ago': `/audit?from=${ago(380)}&to=${ago(365)}`,
  'changes, of which there are none': '/audit?kind=change',
  'actors of 30 days': `/audit/actors?from=${ago(30)}`,
  'actors of a user': `/audit/actors?user=${user}`,
  'actors of a key': '/audit/actors?key=key-3',
  'actors of a key, of a year': `/audit/actors?key=key-3&from=${ago(365)}`,
  'actors of a kind': '/audit/actors?kind=read',
  'actors of a kind, of 30 days': `/audit/actors?kind=read&from=${ago(30)}`,
  'actors of a year': `/audit/actors?from=${ago(365)}`,
  'events of 24 hours, by hour': `/events/counts?from=${ago(1)}&by=hour`,
  'events of 30 days, by hour': `/events/counts?from=${ago(30)}&by=hour`,
  'events of 30 days, by day': `/events/counts?from=${ago(30)}&by=day`,
  'the whole log, by month': '/events/counts?by=month',
}
for (const [name, path] of Object.entries(asked)) {
  const times: number[] = []
  for (let round = -3; round < rounds; round++) {
    const started = performance.now()
    await request('GET', path)
    if (round >= 0) times.push(performance.now() - started)
  }
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(1))
  console.log(`  ${name.padEnd(34)} ${p50} / ${p95} / ${most}`)
}
await app.close()
await database.close()

async function fill(): Promise<void> {
  const missing = users - (await count('users'))
  if (missing > 0)
    await pool.query(
      'insert into users (id, created, since) select gen_random_uuid(), now(), now() from generate_series(1, $1::int)',
      [missing],
    )
  const part = 50_000
  for (let from = await count('events'); from < wanted; from += part) {
    await pool.query(
      `with numbered as (select id, row_number() over (order by id) - 1 as place from users)
       insert into event_inbox (id, eventtime, type, properties)
       select gen_random_uuid(), (now() - interval '400 days') at time zone 'UTC' + n * (interval '400 days' / $3::int),
         'SENSITIVE_DATA_ACCESSED', jsonb_build_object('user', numbered.id, 'entity', gen_random_uuid(),
           'actor', 'actor-' || n % 40, 'keys', jsonb_build_array('key-' || n % 9)::text)
       from generate_series($1::bigint, $2::bigint) n join numbered on place = n * 7919 % ${users}`,
      [from, from + part - 1, wanted],
    )
    // This read numbers the events and writes them into the audit log and the counts.
    await request('GET', '/events')
  }
  await pool.query('analyze')
}
