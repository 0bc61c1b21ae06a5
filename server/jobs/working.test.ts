import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { Event, Job, JobReport } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { dropReasonsOfDeleted } from './reasons.ts'
import { dropJobsOfNobody, dropOldJob } from './storage.ts'
import { openTyped } from './task.ts'
import { JobTidying } from './tidying.ts'
import { Working } from './working.ts'

const service = testService()
let working: Working | undefined
let tidying: JobTidying | undefined
beforeEach(() => service.reset())
afterEach(async () => {
  await working?.stop()
  await tidying?.stop()
  await run('drop function if exists fail() cascade; drop sequence if exists tries')
})

const set = { entity: 'person', key: 'plate', type: 'TEXT', value: 'B-XY 1' }
const run = async (text: string) => await sql.raw(text).execute(service.database.sql)
const start = () => (working = new Working({ database: service.database, pollMs: 20 }))
const tidy = () => (tidying = new JobTidying(service.database))

/** Trigger event of every change. Its table is on one machine even if users are distributed. */
const eachChange = 'insert on event_inbox'

/** Makes the statements that `when` names fail from now on, with an error like one from the database itself. */
async function failing(when: string, code: string, only = 'true'): Promise<void> {
  await run(`
    create sequence tries;
    create function fail() returns trigger language plpgsql as $$ begin
      if ${only} then raise exception 'in trouble' using errcode = '${code}'; end if;
      return coalesce(new, old);
    end $$`)
  await run(`create trigger fail before ${when} for each row execute function fail()`)
}

const begin = (ids: readonly string[]) => service.create('steward', '/users/batch', { ids, set })
async function waitForEnd(job: string): Promise<Job> {
  return await vi.waitFor(
    async () => {
      const { body }: { body: Job } = await service.call('steward', 'GET', `/jobs/${job}`)
      expect(body.state).toBe('finished')
      return body
    },
    { timeout: 60_000, interval: 20 },
  )
}
const person = () =>
  service.create('steward', '/users', { properties: [{ key: 'plate', type: 'TEXT', value: 'A 1' }] })

async function old(state: string): Promise<string> {
  const id = crypto.randomUUID()
  await sql`
    insert into jobs (id, actor, scopes, dry_run, asked, sealed, state, total, users, waiting, created, turn, leased)
    values (${id}::uuid, 'admin', '{}', true, '{}', '', ${state}, 1, 1, 1, '2020-01-01', now(), 'infinity')`.execute(
    service.database.sql,
  )
  return id
}
const jobs = async () =>
  (await sql<{ id: string }>`select id from jobs`.execute(service.database.sql)).rows.map(({ id }) => id)

test('old jobs go one by one once they have ended', async () => {
  const kept = [await old('waiting'), await old('running')]
  for (const state of ['finished', 'stopped', 'failed']) await old(state)
  const dropped = () => dropOldJob(service.database.sql, 30)
  expect([await dropped(), await dropped(), await dropped(), await dropped()]).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect(new Set(await jobs())).toEqual(new Set(kept))
})

test('an old job that cannot be dropped keeps no other waiting', async () => {
  const stays = await old('finished')
  await failing('delete on jobs', '57014')
  const job = await begin([await person()])
  tidy()
  start()
  expect(await waitForEnd(job)).toMatchObject({ outcomes: { changed: 1 } })
  expect(await jobs()).toContain(stays)
})

test('a write that fails is tried again soon, by the process that takes the job next', async () => {
  const ids = [await person(), await person()]
  await failing(eachChange, '53200', `nextval('tries') = 1`)
  const job = await begin(ids)
  start()
  expect(await waitForEnd(job)).toMatchObject({ outcomes: { changed: 2 } })
})

test('a user whose change fails again and again is refused, and the others are changed', async () => {
  const ids = [await person(), await person(), await person()]
  await failing(eachChange, '57014', `new.properties ->> 'user' = '${ids[1]}'`)
  const job = await begin(ids)
  start()
  expect(await waitForEnd(job)).toMatchObject({ done: 3, outcomes: { changed: 2, refused: 1 } })
  const { body } = await service.call('steward', 'GET', `/jobs/${job}/users?outcome=refused`)
  expect(body).toMatchObject({ users: [{ user: ids[1], code: 'unavailable' }] })
})

test('failures of the dry run do not count when it is applied', async () => {
  const ids = [await person()]
  await failing(eachChange, '57014', `nextval('tries') in (1, 2, 4)`)
  const job = await service.create('steward', '/users/batch', { ids, set, dryRun: true })
  start()
  expect(await waitForEnd(job)).toMatchObject({ dryRun: true, outcomes: { changed: 1 } })
  expect((await service.call('steward', 'POST', `/jobs/${job}/apply`)).status).toBe(204)
  expect(await waitForEnd(job)).toMatchObject({ dryRun: false, outcomes: { changed: 1 } })
})

test('a job of a kind that only a later release knows waits for it', async () => {
  const job = await begin([await person()])
  await sql`update jobs set kind = 'later' where id = ${job}::uuid`.execute(service.database.sql)
  start()
  await waitForEnd(await begin([await person()]))
  const { body } = await service.call('steward', 'GET', `/jobs/${job}`)
  expect(body).toMatchObject({ kind: 'later', state: 'waiting', done: 0 })
})

test('a job that found nobody stays with its report', async () => {
  const filter = { user: 'name', op: 'eq', value: 'Nobody' }
  const job = await service.create('steward', '/users/batch', { filter, set })
  start()
  expect(await waitForEnd(job)).toMatchObject({ total: 0 })
  await dropJobsOfNobody(service.database.sql)
  expect(await jobs()).toEqual([job])
})

describe('the reason of a job', () => {
  const reason = 'Ana Gone told us by phone'
  const beginWith = (ids: readonly string[], more: object = {}) =>
    service.create('steward', '/users/batch', { ids, set, reason, ...more })
  const reasonOf = async (job: string) => {
    const { body }: { body: Job } = await service.call('steward', 'GET', `/jobs/${job}`)
    return body.reason
  }
  const remove = (user: string) => service.call('steward', 'DELETE', `/users/${user}`)

  test('goes when one of its users is deleted; what was done to the others keeps it', async () => {
    const [gone, there, other] = [await person(), await person(), await person()]
    start()
    const both = await beginWith([gone, there])
    const others = await beginWith([there, other])
    const tried = await beginWith([other, gone], { dryRun: true })
    for (const job of [both, others, tried]) await waitForEnd(job)
    await working?.stop()
    await remove(gone)
    await dropReasonsOfDeleted(service.database)
    expect(await Promise.all([both, others, tried].map(reasonOf))).toEqual([undefined, reason, undefined])
    // The report remains, and so does the value.
    const { body: job }: { body: Job } = await service.call('steward', 'GET', `/jobs/${both}`)
    expect(job).toMatchObject({ set, total: 2, outcomes: { changed: 2 } })
    const { body: report }: { body: JobReport } = await service.call('steward', 'GET', `/jobs/${both}/users`)
    expect(report.users).toMatchObject([{ user: gone }, { user: there, outcome: 'changed' }])
    const { body: events }: { body: Event[] } = await service.call(
      'steward',
      'GET',
      `/events?order=desc&user=${there}`,
    )
    const changesets = events.flatMap(({ properties }) => properties.changeset ?? [])
    const told = await service.call('steward', 'POST', '/changesets/lookup', { ids: changesets })
    expect(told.body).toContainEqual(expect.objectContaining({ reason }))
    // The sealed input of a job with a deleted user does not contain the reason either.
    const { rows } = await sql<{ id: string; sealed: string }>`select id, sealed from jobs`.execute(
      service.database.sql,
    )
    const { indexKey } = service.database.keys
    const kept = new Map(rows.map(({ id, sealed }) => [id, openTyped(indexKey, id, sealed)]))
    expect(kept.get(both)).toEqual({ value: set.value })
    expect(kept.get(others)).toEqual({ value: set.value, reason })
  })

  test('is kept while the job runs, and is deleted when it has ended', async () => {
    const [gone, there] = [await person(), await person()]
    const job = await beginWith([gone, there])
    await remove(gone)
    await dropReasonsOfDeleted(service.database)
    expect(await reasonOf(job)).toBe(reason)
    start()
    await waitForEnd(job)
    tidy()
    await vi.waitFor(async () => expect(await reasonOf(job)).toBeUndefined(), { timeout: 60_000 })
  })

  test('stays where a user who was named was never there', async () => {
    const job = await beginWith([crypto.randomUUID(), await person()])
    start()
    await waitForEnd(job)
    await dropReasonsOfDeleted(service.database)
    expect(await reasonOf(job)).toBe(reason)
  })

  test('a job that cannot be opened keeps its sealed reason, and the reasons of the others go', async () => {
    const [gone, there] = [await person(), await person()]
    start()
    const [broken, job] = [await beginWith([gone, there]), await beginWith([gone, there])]
    await waitForEnd(broken)
    await waitForEnd(job)
    await working?.stop()
    await sql`update jobs set sealed = 'AAAA' where id = ${broken}::uuid`.execute(service.database.sql)
    await remove(gone)
    await dropReasonsOfDeleted(service.database)
    expect(await reasonOf(job)).toBeUndefined()
    expect(await reasonOf(broken)).toBeUndefined()
  })
})

test('a job goes with the last of its users, and what was typed for them', async () => {
  const [gone, alsoGone, there] = [await person(), await person(), await person()]
  start()
  const batches = [await begin([gone]), await begin([gone, alsoGone]), await begin([gone, there])]
  for (const job of batches) await waitForEnd(job)
  await working?.stop()
  const waits = await begin([gone])
  await dropJobsOfNobody(service.database.sql)
  expect(new Set(await jobs())).toEqual(new Set([...batches, waits]))
  await service.call('steward', 'DELETE', `/users/${gone}`)
  await dropJobsOfNobody(service.database.sql)
  expect(new Set(await jobs())).toEqual(new Set([...batches.slice(1), waits]))
  await service.call('steward', 'DELETE', `/users/${alsoGone}`)
  tidy()
  await vi.waitFor(async () => expect(await jobs()).toEqual(expect.not.arrayContaining([batches[1]])), {
    timeout: 60_000,
  })
  expect(await jobs()).toContain(batches[2])
})

test('a job whose process died is gone on with after ten seconds at most', async () => {
  const locked = await service.database.pool.connect()
  try {
    const user = await person()
    await locked.query('begin')
    await locked.query('select 1 from users where id = $1 for update', [user])
    const job = await begin([user])
    start()
    const left = async () => {
      const { rows } = await sql<{ s: number }>`
        select extract(epoch from leased - clock_timestamp() at time zone 'UTC')::float8 as s
        from jobs where id = ${job}::uuid and leased is not null`.execute(service.database.sql)
      return rows[0]?.s
    }
    expect(
      await vi.waitFor(
        async () => {
          const seconds = await left()
          expect(seconds).toBeDefined()
          return seconds
        },
        { timeout: 60_000 },
      ),
    ).toBeLessThanOrEqual(10)
  } finally {
    await locked.query('rollback')
    locked.release()
  }
})

test('two processes at one job change each user once, whichever of them holds the lease', async () => {
  const users = await Promise.all(Array.from({ length: 12 }, person))
  const job = await begin(users)
  start()
  const other = new Working({ database: service.database, pollMs: 20 })
  const taking = setInterval(() => void run('update jobs set leased = null'), 100)
  try {
    expect(await waitForEnd(job)).toMatchObject({ done: 12, total: 12 })
  } finally {
    clearInterval(taking)
    await other.stop()
  }
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from changesets where op = 'change' group by user_id`.execute(
    service.database.sql,
  )
  expect(rows.map(({ n }) => n)).toEqual(users.map(() => 1))
})
