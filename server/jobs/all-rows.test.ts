import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'

import type { Job } from '#contract/index.ts'
import { beginCheck } from '../imports/row-storage.ts'
import { setMapping } from '../imports/storage.ts'
import type { Transaction } from '../store/sql.ts'
import { testService } from '../testing/hooks.ts'
import { dropDryRuns } from './counts.ts'
import { setApplied } from './storage.ts'
import { setUndoing } from './undoing.ts'

const service = testService({ jobs: true })

const rowsOfJob = 20_000

/** Creates a finished dry run with so many rows that no statement about all of them takes as little as a millisecond. */
async function createJob(): Promise<string> {
  const id = await service.create('steward', '/users/batch', {
    ids: [crypto.randomUUID()],
    set: { entity: 'person', key: 'city', type: 'TEXT', value: 'Köln' },
    dryRun: true,
  })
  await vi.waitFor(
    async () => {
      const { body }: { body: Job } = await service.call('steward', 'GET', `/jobs/${id}`)
      expect(body.state).toBe('finished')
    },
    { timeout: 60_000, interval: 20 },
  )
  await sql`
    insert into job_users (job_id, at, user_id, outcome, undone)
    select ${id}::uuid, at, gen_random_uuid(), 'changed', 'refused' from generate_series(2, ${rowsOfJob}::int) as at`.execute(
    service.database.sql,
  )
  return id
}

const ofImport = { rows: rowsOfJob, sealed: '' }
test.each<[string, (transaction: Transaction, id: string) => Promise<unknown>]>([
  ['the apply', (transaction, id) => setApplied(transaction, id, [])],
  ['the undo', (transaction, id) => setUndoing(transaction, { id, sealed: '', scopes: [] })],
  ['another check', (transaction, id) => beginCheck(transaction, { id, ...ofImport, scopes: [] })],
  ['another mapping', (transaction, id) => setMapping(transaction, { id, ...ofImport })],
  ['the removal', (transaction) => dropDryRuns(transaction, 'steward', { jobs: 1, users: 0 })],
])('%s of a job takes the time that all of its rows need', async (_, act) => {
  await service.reset()
  const id = await createJob()
  await service.database.sql.transaction().execute(async (transaction) => {
    await sql`select set_config('statement_timeout', '1', true)`.execute(transaction)
    await act(transaction, id)
  })
})
