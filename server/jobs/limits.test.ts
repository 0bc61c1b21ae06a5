import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'

import type { Job, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

// No worker runs, so each job stays as it is.
const service = testService()
beforeEach(() => service.reset())

const set = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B-XY 1' }
const ids = [crypto.randomUUID(), crypto.randomUUID()]
const ask = (role: Role = 'steward') => service.call(role, 'POST', '/users/batch', { ids, set, dryRun: true })
const act = (job: string, what: 'resume' | 'apply') => service.call('steward', 'POST', `/jobs/${job}/${what}`)
const open = async () =>
  (await service.database.pool.query("select 1 from jobs where state = 'waiting'")).rows.length

/** Inserts jobs that began as many days after 1 March as there were jobs before. */
async function kept(
  count: number,
  users: number,
  { state = 'finished', dryRun = false } = {},
): Promise<void> {
  await sql`
    insert into jobs (id, actor, scopes, dry_run, asked, sealed, state, total, users, waiting, created, turn)
    select gen_random_uuid(), 'steward', '{}', ${dryRun}, '{}', '', ${state}, 1, ${users}, 0,
      timestamp '2026-03-01' + (select count(*) from jobs) * interval '1 day', now()
    from generate_series(1, ${count}::int)`.execute(service.database.sql)
}

test('ten jobs wait or run, however many are asked for at once', async () => {
  const answers = await Promise.all(Array.from({ length: 14 }, () => ask()))
  const having = (status: number) => answers.filter((answer) => answer.status === status).length
  expect([having(201), having(429)]).toEqual([10, 4])
  expect(await open()).toBe(10)
})

test('a job that is resumed or applied counts toward the ten', async () => {
  const stopped = await service.create('steward', '/users/batch', { ids, set })
  await service.call('steward', 'POST', `/jobs/${stopped}/stop`)
  const tried = await service.create('steward', '/users/batch', { ids, set, dryRun: true })
  await sql`update jobs set state = 'finished' where id = ${tried}::uuid`.execute(service.database.sql)
  for (let n = 0; n < 10; n++) expect((await ask()).status).toBe(201)
  for (const [job, what] of [
    [stopped, 'resume'],
    [tried, 'apply'],
  ] as const) {
    expect(await act(job, what)).toMatchObject({ status: 429, body: { code: 'too_many_at_once' } })
    await sql`
      update jobs set state = 'finished' where id = (select id from jobs where state = 'waiting' limit 1)`.execute(
      service.database.sql,
    )
    expect((await act(job, what)).status).toBe(204)
  }
})

test.each([
  ['jobs', 1000, 1],
  ['users', 1, 999_999],
])('no more %s are kept of one caller than there is room for', async (_, count, users) => {
  await kept(count, users)
  const refused = await ask()
  expect(refused).toMatchObject({ status: 422, body: { code: 'too_many_jobs' } })
  expect((refused.body as { detail: string }).detail).toContain('enough will be gone by 2026-03-31')
  expect(await open()).toBe(0)
  expect((await ask('admin')).status).toBe(201)
})

const readEnded = async () => {
  const { rows } = await sql<{ users: number }>`
    select users from jobs where state <> 'waiting' order by created`.execute(service.database.sql)
  return rows.map(({ users }) => users)
}

test('dry runs that were never applied make room for another job, the oldest first and no more than needed', async () => {
  await kept(1, 500_000)
  await kept(1, 1, { dryRun: true, state: 'stopped' })
  await kept(1, 2, { dryRun: true, state: 'failed' })
  await kept(1, 499_997, { dryRun: true })
  expect((await ask()).status).toBe(201)
  expect(await readEnded()).toEqual([500_000, 499_997])
  expect((await ask()).status).toBe(201)
  expect(await readEnded()).toEqual([500_000])
})

test('one of a thousand dry runs goes for another job', async () => {
  await kept(999, 1)
  await kept(1, 2, { dryRun: true })
  expect((await ask()).status).toBe(201)
  expect(await readEnded()).toEqual(Array.from({ length: 999 }, () => 1))
})

test('a dry run that is not enough room stays, and the refusal says when there will be', async () => {
  await kept(1, 1)
  await kept(1, 1)
  await kept(1, 999_997)
  await kept(1, 1, { dryRun: true })
  const ask3 = { ids: [...ids, ...ids.map(() => crypto.randomUUID())], set }
  const refused = await service.call('steward', 'POST', '/users/batch', ask3)
  expect(refused).toMatchObject({ status: 422, body: { code: 'too_many_jobs' } })
  expect((refused.body as { detail: string }).detail).toContain('will be gone by 2026-04-02')
  expect(await readEnded()).toHaveLength(4)
})

test('a job whose sealed part cannot be opened is listed without it, and the others with theirs', async () => {
  await kept(1, 1)
  const job = await service.create('steward', '/users/batch', { ids, set })
  const { status, body } = await service.call('steward', 'GET', '/jobs')
  expect(status).toBe(200)
  const jobs = body as Job[]
  expect(jobs.find(({ id }) => id === job)?.set).toMatchObject({ value: 'B-XY 1' })
  expect(jobs.find(({ id }) => id !== job)?.set).toEqual({ masked: true })
})
