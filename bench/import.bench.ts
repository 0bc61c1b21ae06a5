// Imports files of 20,000 and 100,000 new users with three properties: check, import, and reading a user meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'

import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { format, startJobs, storeUsersFile } from './jobs.ts'

const sizes = (process.env.ROWS ?? '20000,100000').split(',').map(Number)
const config = readConfig({ LOG_LEVEL: 'silent', SAMPLE_DATA: '0', RATE_LIMIT: '0', ...process.env })
const database = await openDatabase(config.store, config.keys)
const { whileReading, checkFile, applyFile, stop } = await startJobs(database, config)
const alone = await whileReading(() => sleep(5000))
console.log(`${database.engine}; GET /users/{id} alone: p95 ${alone.p95.toFixed(1)} ms`)
for (const size of sizes) {
  const job = await storeUsersFile(database, size)
  const check = await whileReading(() => checkFile(job, size))
  const applied = await whileReading(() => applyFile(job))
  const memory = Math.round(process.memoryUsage().rss / 1024 / 1024)
  for (const [name, { seconds, p95 }] of Object.entries({ check, import: applied }))
    console.log(
      `${name} of ${format(size)} rows: ${seconds.toFixed(1)} s, ${format(size / seconds)} rows/s; GET /users/{id} meanwhile: p95 ${p95.toFixed(1)} ms`,
    )
  console.log(`memory of the process: ${memory} MB`)
}
await stop()
await database.close()
