// Exports 100,000 users with five properties, as a table, as a workbook and as lines of JSON.
import { sql } from 'kysely'

import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { format, startJobs, storeUsersFile } from './jobs.ts'

const size = Number(process.env.ROWS ?? 100_000)
const config = readConfig({ LOG_LEVEL: 'silent', SAMPLE_DATA: '0', RATE_LIMIT: '0', ...process.env })
const database = await openDatabase(config.store, config.keys)
const { post, whileReading, waitForEnd, checkFile, applyFile, stop } = await startJobs(database, config)
const { rows: found } = await sql<{ count: number }>`select count(*)::int as count from users`.execute(
  database.sql,
)
if ((found[0]?.count ?? 0) < size) {
  const file = await storeUsersFile(database, size, 5)
  await checkFile(file, size)
  await applyFile(file)
}
const keys = ['phone', 'birthday', 'city', 'points', 'amount']
const kinds = {
  'a table': { format: 'csv', columns: ['id', ...keys.map((key) => `person.${key}`)], entities: 'first' },
  'a workbook': { format: 'xlsx', columns: ['id', ...keys.map((key) => `person.${key}`)], entities: 'first' },
  'lines of JSON': { format: 'ndjson', entities: 'each' },
}
for (const [name, body] of Object.entries(kinds)) {
  const job = await post('/exports', { ...body, filter: { all: [] } })
  const { seconds, p95 } = await whileReading(() => waitForEnd(job))
  console.log(
    `${database.engine}; ${name} of ${format(size)} users: ${seconds.toFixed(1)} s, ${format(size / seconds)} rows/s; GET /users/{id} meanwhile: p95 ${p95.toFixed(1)} ms`,
  )
}
await stop()
await database.close()
