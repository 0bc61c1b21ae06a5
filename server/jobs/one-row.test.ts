import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Endpoints, Event, Job, Reply } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const events = async (query: string): Promise<Event[]> => {
  const { status, body } = await service.call('admin', 'GET', `/events?${query}`)
  expect(status).toBe(200)
  return body
}
const typesIn = async (query: string) => (await events(query)).map(({ type }) => type)

/** Begins a bulk change of new users who have a car each. */
async function changePlates(count: number) {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const user = await service.create('admin', '/users', { name: `User ${n}` })
    await service.create('admin', `/users/${user}/entities`, { type: 'car', properties: [] })
    ids.push(user)
  }
  const set = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B 2' }
  return { ids, job: await service.create('steward', '/users/batch', { ids, set }) }
}

async function waitForState(job: string, state: string): Promise<void> {
  await vi.waitFor(
    async () => {
      const { body }: { body: Job } = await service.call('admin', 'GET', `/jobs/${job}`)
      expect(body.state).toBe(state)
    },
    { timeout: 60_000, interval: 20 },
  )
}

describe('one act in the log', () => {
  test('is one row that opens: 36 users whom a job changed', async () => {
    const { ids, job } = await changePlates(36)
    await waitForState(job, 'finished')
    const [row, ...earlier] = await events('jobs=one&order=desc')
    expect(row).toMatchObject({
      type: 'JOB_FINISHED',
      properties: { job, kind: 'set', actor: 'steward', outcomes: '{"added":36}' },
    })
    expect(earlier.map(({ type }) => type)).not.toContain('JOB_FINISHED')
    expect(earlier).toHaveLength(72)
    const opened = await events(`job=${job}&type=DIRECT_DATA_CHANGE`)
    expect(new Set(opened.map(({ properties }) => properties['user']))).toEqual(new Set(ids))
    expect(opened).toHaveLength(36)
    // Each user's own timeline keeps theirs.
    for (const id of ids) expect((await typesIn(`user=${id}&order=desc`))[0]).toBe('DIRECT_DATA_CHANGE')
    expect(await typesIn(`user=${ids[0]}&jobs=one`)).toEqual(['USER_CREATED', 'DIRECT_DATA_CHANGE'])
    expect(await typesIn('jobs=one&actor=steward')).toEqual(['JOB_FINISHED'])
    expect(await typesIn('jobs=one&actor=steward&type=DIRECT_DATA_CHANGE')).toEqual([])
    expect(await typesIn(`jobs=one&job=${job}`)).toEqual(['JOB_FINISHED'])
  })

  test('has its result in the list of jobs, and so has its undo', async () => {
    const { job } = await changePlates(2)
    await waitForState(job, 'finished')
    const results = async () => {
      const { body }: { body: Job[] } = await service.call('steward', 'GET', '/jobs')
      return body.map(({ outcomes, undone }) => ({ outcomes, undone }))
    }
    expect(await results()).toEqual([{ outcomes: { added: 2 } }])
    await service.call('steward', 'POST', `/jobs/${job}/undo`)
    await waitForState(job, 'undone')
    expect(await results()).toEqual([{ undone: { undone: 2 } }])
  })

  test('is undone by another, with a row of its own', async () => {
    const { job } = await changePlates(2)
    await waitForState(job, 'finished')
    await service.call('steward', 'POST', `/jobs/${job}/undo`)
    await waitForState(job, 'undone')
    const rows = await events('jobs=one&actor=steward')
    expect(rows.map(({ type, properties }) => [type, properties['undo']])).toEqual([
      ['JOB_FINISHED', undefined],
      ['JOB_FINISHED', 'true'],
    ])
    expect(await events(`job=${job}&type=DIRECT_DATA_CHANGE`)).toHaveLength(4)
  })

  test('is counted once', async () => {
    const { job } = await changePlates(3)
    await waitForState(job, 'finished')
    const typesOf = async (query: string) => {
      const answer = await service.call('admin', 'GET', `/events/counts?${query}`)
      const { series }: Reply<Endpoints['countEvents']> = answer.body
      return series.map(({ types }) => types)
    }
    expect(await typesOf('by=month')).toEqual([{ DIRECT_DATA_CHANGE: 6, JOB_FINISHED: 1, USER_CREATED: 3 }])
    expect(await typesOf('by=month&jobs=one')).toEqual([
      { DIRECT_DATA_CHANGE: 3, JOB_FINISHED: 1, USER_CREATED: 3 },
    ])
    expect(await typesOf('by=month&jobs=one&type=JOB_FINISHED')).toEqual([{ JOB_FINISHED: 1 }])
  })

  test('is a row as well if it is stopped, by whomever, and finished later', async () => {
    const { ids, job } = await changePlates(2)
    await waitForState(job, 'finished')
    // The job is put back to where the second user still waited.
    await sql`update job_users set outcome = null where job_id = ${job}::uuid and at = 2`.execute(
      service.database.sql,
    )
    await sql`
      update jobs set state = 'running', waiting = 1, ended = null, leased = now() + interval '1 hour'
      where id = ${job}::uuid`.execute(service.database.sql)
    expect((await service.call('admin', 'POST', `/jobs/${job}/stop`)).status).toBe(204)
    expect((await service.call('admin', 'POST', `/jobs/${job}/stop`)).status).toBe(204)
    const stopped = await events('type=JOB_STOPPED')
    expect(stopped.map(({ properties }) => properties)).toEqual([
      { job, kind: 'set', actor: 'steward', outcomes: '{"added":1,"waiting":1}', stoppedBy: 'admin' },
    ])
    expect(ids).toHaveLength(2)
    expect(await typesIn('jobs=one&actor=steward')).toEqual(['JOB_FINISHED', 'JOB_STOPPED'])
  })

  test('is paged across, however many it changed', async () => {
    const job = crypto.randomUUID()
    const log = async (count: number, properties: object) =>
      await sql`
        insert into event_inbox (id, eventtime, type, properties)
        select gen_random_uuid(), now() at time zone 'UTC', 'DIRECT_DATA_CHANGE', ${JSON.stringify(properties)}::jsonb
        from generate_series(1, ${count}::int)`.execute(service.database.sql)
    await log(150, { actor: 'steward' })
    await events('')
    await log(1000, { actor: 'steward', job, changeset: crypto.randomUUID() })
    await events('')
    await log(60, { actor: 'steward' })
    for (const filter of ['jobs=one', 'jobs=one&type=DIRECT_DATA_CHANGE', 'jobs=one&actor=steward'])
      for (const order of ['asc', 'desc']) {
        const first = await events(`${filter}&order=${order}`)
        const second = await events(`${filter}&order=${order}&after=${first.at(-1)?.id}`)
        const third = await events(`${filter}&order=${order}&after=${second.at(-1)?.id}`)
        expect([first.length, second.length, third.length]).toEqual([100, 100, 10])
        const all = [...first, ...second, ...third]
        expect(new Set(all.map(({ id }) => id)).size).toBe(210)
        expect(all.some(({ properties }) => 'job' in properties)).toBe(false)
      }
    expect(await events(`job=${job}&order=desc`)).toHaveLength(100)
  })

  test.each(['jobs=two', 'jobs='])('has no other form: %s', async (query) => {
    expect((await service.call('admin', 'GET', `/events?${query}`)).status).toBe(400)
  })
})
