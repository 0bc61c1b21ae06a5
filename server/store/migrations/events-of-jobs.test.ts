import { sql } from 'kysely'
import { expect, test } from 'vitest'

import { testService } from '../../testing/hooks.ts'
import { inSteps } from './migrations.ts'

const service = testService()

test('events are found by their job, and those that are none of a job’s changes, by indexes that may be made again', async () => {
  const { sql: handle } = service.database
  for (let round = 0; round < 2; round++) await inSteps('0027-events-of-jobs.sql').up(handle)
  const isAct = `(properties ->> 'job' is null or properties ->> 'changeset' is null)`
  const state = `(case when delivered then 'delivered' else undelivered end) = 'none'`
  const down = '-1 - seq <= -1 order by -1 - seq limit 100'
  const walks = {
    events_job_index: `(properties ->> 'job') collate "C" = 'a' and -seq <= 0 order by -seq limit 100`,
    events_act_index: `${isAct} and ${down}`,
    events_act_state_index: `type collate "C" = 'A' and ${state} and ${isAct} and ${down}`,
    events_act_actor_index: `type collate "C" = 'A' and ${state} and ${isAct}
      and left(properties ->> 'actor', 200) collate "C" = 'steward' and ${down}`,
    events_job_time_index: `eventtime > '2024-01-01' and properties ->> 'job' is not null
      and properties ->> 'changeset' is not null`,
  }
  for (const [index, where] of Object.entries(walks)) {
    const plan = await handle.transaction().execute(async (transaction) => {
      for (const other of ['seqscan', 'bitmapscan', 'sort'])
        await sql`set local ${sql.raw(`enable_${other}`)} = off`.execute(transaction)
      const { rows } = await sql<{
        'QUERY PLAN': string
      }>`explain select seq from events where ${sql.raw(where)}`.execute(transaction)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toContain(index)
  }
})
