// Shared by the benchmarks of jobs.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

import { type Role, roleScopes } from '#contract/index.ts'
import type { Config } from '#server/config.ts'
import { beginCheck } from '#server/imports/row-storage.ts'
import { JobThread } from '#server/job-thread.ts'
import { jobById, setApplied } from '#server/jobs/storage.ts'
import type { Database } from '#server/sealing/database.ts'
import { storeFile, targetOf } from '#server/testing/imports.ts'
import { application, percentile } from './application.ts'
import type { Reading } from './reader.ts'

const role: Role = 'admin'
const scopes = [...roleScopes[role]]

/** How long some work took, and how long requests of another caller took meanwhile. */
export interface Timed {
  readonly seconds: number
  /** 95th percentile of `GET /users/{id}`, in milliseconds. */
  readonly p95: number
}

/** Starts a service that works on jobs, with one user whom another caller reads every 10 ms. */
export async function startJobs(database: Database, config: Config) {
  const { app, token } = await application(database, config)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api`
  const headers = { authorization: `Bearer ${token}` }
  const working = new JobThread(database, config)

  async function post(path: string, body?: object): Promise<string> {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.headers.get('location')?.split('/').at(-1) ?? ''
  }
  const user = await post('/users', { name: 'Reader' })

  const reader = new Worker(new URL('reader.ts', import.meta.url), {
    workerData: { url: `${base}/users/${user}`, token } satisfies Reading,
  })
  /** Returns the times of the reads since the last call. */
  async function timesOfReads(): Promise<readonly number[]> {
    const told = once(reader, 'message')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    reader.postMessage('tell')
    const [times] = (await told) as [readonly number[]]
    return times
  }

  /** Does some work while the other caller reads the user. */
  async function whileReading(work: () => Promise<void>): Promise<Timed> {
    await timesOfReads()
    const begun = performance.now()
    await work()
    const seconds = (performance.now() - begun) / 1000
    return { seconds, p95: percentile(await timesOfReads(), 0.95) }
  }

  async function waitForEnd(job: string): Promise<void> {
    for (;;) {
      const row = await jobById(database.sql, job)
      if (row?.state === 'finished' || row?.state === 'undone') return
      if (row?.state === 'failed') throw new Error('The job has failed.')
      await sleep(50)
    }
  }

  async function checkFile(job: string, rows: number): Promise<void> {
    const sealed = (await jobById(database.sql, job))?.sealed ?? ''
    await database.sql.transaction().execute(async (transaction) => {
      await beginCheck(transaction, { id: job, rows, sealed, scopes })
    })
    await waitForEnd(job)
  }

  async function applyFile(job: string): Promise<void> {
    await database.sql.transaction().execute(async (transaction) => {
      await setApplied(transaction, job, scopes)
    })
    await waitForEnd(job)
  }

  async function stop(): Promise<void> {
    await reader.terminate()
    await working.stop()
    await app.close()
  }

  return { post, whileReading, waitForEnd, checkFile, applyFile, stop }
}

/** Stores a file of new users with a name, an e-mail and three properties, or five; returns its job. */
export async function storeUsersFile(
  database: Database,
  size: number,
  properties: 3 | 5 = 3,
): Promise<string> {
  const serial = Date.now().toString(36)
  const columns = [
    targetOf('.name'),
    targetOf('.email'),
    targetOf('phone'),
    targetOf('birthday', 'DATE'),
    targetOf('city'),
    ...(properties === 5 ? [targetOf('points', 'NUMBER'), targetOf('amount', 'CURRENCY')] : []),
  ]
  const rows = Array.from({ length: size }, (_, n) => [
    `Ana ${serial} ${n}`,
    `ana.${serial}.${n}@example.org`,
    `+49 30 ${100_000 + n}`,
    `${1 + (n % 28)}.${1 + (n % 12)}.${1950 + (n % 50)}`,
    `City ${n % 500}`,
    ...(properties === 5 ? [String(n), `${n % 100}.50 EUR`] : []),
  ])
  return await storeFile(database, { columns, rows, role })
}

export const format = (count: number) => Math.round(count).toLocaleString('en')
