// Changes a property of 10,000 users with one bulk change, in clear and sealed, looks at it first, and undoes it.
import { setTimeout as sleep } from 'node:timers/promises'

import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { format, startJobs, storeUsersFile } from './jobs.ts'

const size = Number(process.env.ROWS ?? 10_000)
const config = readConfig({ LOG_LEVEL: 'silent', SAMPLE_DATA: '0', RATE_LIMIT: '0', ...process.env })
const database = await openDatabase(config.store, config.keys)
const { post, whileReading, waitForEnd, checkFile, applyFile, stop } = await startJobs(database, config)
const file = await storeUsersFile(database, size)
await checkFile(file, size)
await applyFile(file)
const alone = await whileReading(() => sleep(5000))
console.log(`${database.engine}; GET /users/{id} alone: p95 ${alone.p95.toFixed(1)} ms`)

const filter = { all: [] }
const changes = {
  'a value in clear': { key: 'city', value: 'Bonn' },
  'a sealed value': { key: 'tax', value: '12/345', sensitive: true },
}
for (const [name, change] of Object.entries(changes)) {
  const body = { filter, set: { entity: 'person', type: 'TEXT', ...change } }
  const steps = {
    'looked at': () => post('/users/batch', { ...body, dryRun: true }),
    changed: () => post('/users/batch', body),
    undone: async () => {
      await post(`/jobs/${last}/undo`)
      return last
    },
  }
  let last = ''
  for (const [step, begin] of Object.entries(steps)) {
    last = await begin()
    const job = last
    const { seconds, p95 } = await whileReading(() => waitForEnd(job))
    console.log(
      `${name} of ${format(size)} users, ${step}: ${seconds.toFixed(1)} s, ${format(size / seconds)} users/s; GET /users/{id} meanwhile: p95 ${p95.toFixed(1)} ms`,
    )
  }
}
await stop()
await database.close()
