// Imports files of 20,000 and 100,000 new users with three properties: check, import, and reading a user meanwhile.
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { roleScopes } from '#contract/index.ts'
import { readConfig } from '#server/config.ts'
import { importWork } from '#server/imports/import.ts'
import { beginCheck } from '#server/imports/row-storage.ts'
import { jobById, setApplied } from '#server/jobs/storage.ts'
import { Working } from '#server/jobs/working.ts'
import { openDatabase } from '#server/sealing/database.ts'
import { storeFile, targetOf } from '#server/testing/imports.ts'
import { application } from './application.ts'

const sizes = (process.env.ROWS ?? '20000,100000').split(',').map(Number)
const config = readConfig({ LOG_LEVEL: 'silent', SAMPLE_DATA: '0', RATE_LIMIT: '0', ...process.env })
const database = await openDatabase(config.store, config.keys)
const { app, token } = await application(database, config)
await app.listen({ port: 0, host: '127.0.0.1' })
const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api`
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
const created = await fetch(`${base}/users`, { method: 'POST', headers, body: '{"name":"Reader"}' })
const user = created.headers.get('location')?.split('/').at(-1) ?? ''
const working = new Working({ database, kinds: { import: importWork(database) } })
const columns = [
  targetOf('.name'),
  targetOf('.email'),
  targetOf('phone'),
  targetOf('birthday', 'DATE'),
  targetOf('city'),
]

/** Reads a user every 10 ms until the work ends; returns its seconds and the 95th percentile of the reads. */
async function whileReading(work: () => Promise<void>): Promise<{ seconds: number; p95: number }> {
  let isOver = false
  const times: number[] = []
  const reading = (async () => {
    while (!isOver) {
      const begun = performance.now()
      const answer = await fetch(`${base}/users/${user}`, { headers })
      await answer.arrayBuffer()
      times.push(performance.now() - begun)
      await sleep(10)
    }
  })()
  const begun = performance.now()
  await work()
  const seconds = (performance.now() - begun) / 1000
  isOver = true
  await reading
  return { seconds, p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0 }
}

async function waitForEnd(job: string): Promise<void> {
  for (;;) {
    const row = await jobById(database.sql, job)
    if (row?.state === 'finished' || row?.state === 'failed') return
    await sleep(50)
  }
}

const alone = await whileReading(() => sleep(5000))
console.log(`${database.engine}; GET /users/{id} alone: p95 ${alone.p95.toFixed(1)} ms`)
for (const size of sizes) {
  const serial = Date.now().toString(36)
  const rows = Array.from({ length: size }, (_, n) => [
    `Ana ${serial} ${n}`,
    `ana.${serial}.${n}@example.org`,
    `+49 30 ${100_000 + n}`,
    `${1 + (n % 28)}.${1 + (n % 12)}.${1950 + (n % 50)}`,
    `City ${n % 500}`,
  ])
  const job = await storeFile(database, { columns, rows, role: 'admin' })
  const sealed = (await jobById(database.sql, job))?.sealed ?? ''
  const checked = await whileReading(async () => {
    await database.sql.transaction().execute(async (transaction) => {
      await beginCheck(transaction, { id: job, rows: size, sealed, scopes: [...roleScopes.admin] })
    })
    await waitForEnd(job)
  })
  const applied = await whileReading(async () => {
    await database.sql.transaction().execute(async (transaction) => {
      await setApplied(transaction, job, [...roleScopes.admin])
    })
    await waitForEnd(job)
  })
  const memory = Math.round(process.memoryUsage().rss / 1024 / 1024)
  for (const [name, { seconds, p95 }] of Object.entries({ check: checked, import: applied }))
    console.log(
      `${name} of ${size.toLocaleString('en')} rows: ${seconds.toFixed(1)} s, ${Math.round(size / seconds).toLocaleString('en')} rows/s; GET /users/{id} meanwhile: p95 ${p95.toFixed(1)} ms`,
    )
  console.log(`memory of the process: ${memory} MB`)
}
await working.stop()
await app.close()
await database.close()
