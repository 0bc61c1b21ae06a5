import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Changeset, Entity, Event, Job, JobReport, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const plate = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B-XY 1' }
const text = (key: string, value: unknown, sensitive = false) => ({ key, type: 'TEXT', value, sensitive })

async function owner(name: string, ...cars: object[][]): Promise<string> {
  const user = await service.create('admin', '/users', { name })
  for (const properties of cars)
    await service.create('admin', `/users/${user}/entities`, { type: 'car', properties })
  return user
}
const carsOf = async (user: string): Promise<Entity[]> =>
  (await service.call('admin', 'GET', `/users/${user}/entities`)).body
const patchCar = async (user: string, properties: object[]) => {
  const [car] = await carsOf(user)
  await service.call('admin', 'PATCH', `/users/${user}/entities/${car?.id}`, { properties })
}
const read = async (job: string): Promise<Job> => (await service.call('admin', 'GET', `/jobs/${job}`)).body
const begin = (body: object) => service.create('steward', '/users/batch', body)
const undo = (job: string, reason?: string, role: Role = 'steward') =>
  service.call(
    role,
    'POST',
    `/jobs/${job}/undo`,
    undefined,
    reason === undefined ? {} : { 'change-reason': encodeURIComponent(reason) },
  )

async function waitFor(job: string, state: string): Promise<Job> {
  return await vi.waitFor(
    async () => {
      const now = await read(job)
      expect(now.state).toBe(state)
      return now
    },
    { timeout: 60_000, interval: 20 },
  )
}
async function apply(body: object): Promise<string> {
  const job = await begin(body)
  await waitFor(job, 'finished')
  return job
}
/** Returns name, outcome, outcome of the undo and error code of each user. */
async function readUndo(job: string, query = '') {
  const { body }: { body: JobReport } = await service.call('steward', 'GET', `/jobs/${job}/users${query}`)
  return body.users.map(({ name, outcome, undone, code }) =>
    [name, outcome, undone, code].filter((part) => part !== undefined),
  )
}
const events = async (query = ''): Promise<Event[]> =>
  (await service.call('admin', 'GET', `/events${query}`)).body

describe('an undo', () => {
  test('puts back every value, and removes what the job created', async () => {
    const [ana, eva, ida, ole] = [
      await owner('Ana', [text('plate', 'A 1'), text('brand', 'Volvo')]),
      await owner('Eva', [text('brand', 'Saab')]),
      await owner('Ida'),
      await owner('Ole', [text('plate', 'B-XY 1')]),
    ]
    const all = [ana, eva, ida, ole]
    const before = await Promise.all(all.map(carsOf))
    const job = await apply({ ids: all, set: { ...plate, create: true } })
    const count = (await events()).length
    // A property that somebody else has added meanwhile stays, and so does what the job had nothing to do with.
    await patchCar(eva, [text('colour', 'red')])
    expect(await undo(job, 'The wrong list')).toMatchObject({ status: 204 })
    expect(await waitFor(job, 'undone')).toMatchObject({
      undo: true,
      total: 3,
      done: 3,
      outcomes: { changed: 1, added: 1, created: 1, unchanged: 1 },
      undone: { undone: 3 },
    })
    expect(await readUndo(job)).toEqual([
      ['Ana', 'changed', 'undone'],
      ['Eva', 'added', 'undone'],
      ['Ida', 'created', 'undone'],
      ['Ole', 'unchanged'],
    ])
    const after = await Promise.all(all.map(carsOf))
    expect(after[1]?.[0]?.properties.map(({ key }) => key)).toEqual(['brand', 'colour'])
    expect(after.toSpliced(1, 1)).toEqual(before.toSpliced(1, 1))
    const written = (await events()).slice(count + 1).filter(({ type }) => type === 'DIRECT_DATA_CHANGE')
    expect(written.map(({ properties: { user, actor } }) => [user, actor])).toEqual(
      [ana, eva, ida].map((user) => [user, 'steward']),
    )
    const ids = written.map(({ properties }) => properties.changeset)
    const { body }: { body: Changeset[] } = await service.call('steward', 'POST', '/changesets/lookup', {
      ids,
    })
    expect(body.map(({ op }) => op)).toEqual(['change', 'change', 'remove'])
    const first = await service.call('steward', 'GET', `/changesets/${String(ids[0])}`)
    expect(first.body).toMatchObject({ reason: 'The wrong list' })
  })

  test('leaves alone what others have changed since, and says of whom', async () => {
    const [ana, eva, ida, ole, uma, gone] = [
      await owner('Ana', [text('plate', 'A 1')]),
      await owner('Eva', [text('plate', 'E 1')]),
      await owner('Ida'),
      await owner('Ole', [text('plate', 'O 1')]),
      await owner('Uma'),
      await owner('Zoe', [text('plate', 'Z 1')]),
    ]
    const job = await apply({ ids: [ana, eva, ida, ole, uma, gone], set: { ...plate, create: true } })
    await patchCar(ana, [text('plate', 'A 2')])
    await patchCar(ida, [text('brand', 'Saab')])
    const [car] = await carsOf(ole)
    await service.call('admin', 'DELETE', `/users/${ole}/entities/${car?.id}`)
    const [made] = await carsOf(uma)
    await service.call('admin', 'DELETE', `/users/${uma}/entities/${made?.id}`)
    await service.call('admin', 'DELETE', `/users/${gone}`)
    await undo(job)
    const after = await waitFor(job, 'undone')
    expect(after.undone).toEqual({ conflict: 4, undone: 1, not_found: 1 })
    expect(await readUndo(job)).toEqual([
      ['Ana', 'changed', 'conflict'],
      ['Eva', 'changed', 'undone'],
      ['Ida', 'created', 'conflict'],
      ['Ole', 'changed', 'conflict'],
      ['Uma', 'created', 'conflict'],
      ['changed', 'not_found'],
    ])
    expect(await readUndo(job, '?undone=undone')).toEqual([['Eva', 'changed', 'undone']])
    expect((await carsOf(ana))[0]?.properties[0]?.value).toBe('A 2')
    expect((await carsOf(ida))[0]?.properties.map(({ key }) => key)).toEqual(['plate', 'brand'])
    expect(await carsOf(ole)).toEqual([])
  })

  test('acts with what its caller may when asking for it', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1', true)])
    const eva = await owner('Eva', [text('plate', 'E 1')])
    const sign = (scope: string) => service.sign({ sub: 'x', scope })
    const post = async (path: string, scope: string, body?: object) =>
      await service.fetch(`${service.baseUrl}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await sign(scope)}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
    const scopes = 'users:read entities:read entities:write'
    const job = idOf(await post('/users/batch', `${scopes} sensitive:write`, { ids: [ana, eva], set: plate }))
    await waitFor(job, 'finished')
    expect((await undo(job)).status).toBe(404)
    expect((await post(`/jobs/${job}/undo`, 'users:read entities:read')).status).toBe(403)
    expect((await post(`/jobs/${job}/undo`, scopes)).status).toBe(204)
    await waitFor(job, 'undone')
    const { body }: { body: JobReport } = await service.call('admin', 'GET', `/jobs/${job}/users`)
    expect(body.users).toMatchObject([
      { name: 'Ana', undone: 'refused', code: 'insufficient_scope' },
      { name: 'Eva', undone: 'undone' },
    ])
    // Asked again with the right, it puts back what was refused.
    expect((await post(`/jobs/${job}/undo`, `${scopes} sensitive:write`)).status).toBe(204)
    expect(await waitFor(job, 'undone')).toMatchObject({ total: 1, undone: { undone: 2 } })
    expect((await carsOf(ana))[0]?.properties[0]?.value).toBe('A 1')
  })

  test('puts back sealed values without telling them, and records that it opens one', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1', true)])
    const eva = await owner('Eva', [text('plate', 'E 1')])
    const same = await owner('Ida', [text('plate', 'top secret', true)])
    const set = { ...plate, value: 'top secret', sensitive: true }
    const job = await apply({ ids: [ana, eva, same], set })
    const count = (await events()).length
    await undo(job, 'The wrong list')
    await waitFor(job, 'undone')
    expect((await readUndo(job)).map(([, , undone]) => undone)).toEqual(['undone', 'undone', 'undone'])
    expect((await carsOf(ana))[0]?.properties[0]).toMatchObject({ value: 'A 1', sensitive: true })
    expect((await carsOf(eva))[0]?.properties).toMatchObject([{ value: 'E 1', sensitive: false }])
    const opened = (await events()).slice(count).filter(({ type }) => type === 'SENSITIVE_DATA_ACCESSED')
    expect(opened.map(({ properties }) => properties.user)).toContain(eva)
    const { rows } = await sql<{ row: string }>`
      select j::text as row from jobs j union all select u::text from job_users u`.execute(
      service.database.sql,
    )
    expect(rows.map(({ row }) => row).join()).not.toMatch(/top secret|The wrong list|E 1|A 1/)
  })

  test('leaves a sealed value that others have written since', async () => {
    const zoe = await owner('Zoe', [text('plate', 'Z 1', true)])
    const job = await apply({ ids: [zoe], set: plate })
    await patchCar(zoe, [text('plate', 'Z 2', true)])
    await undo(job)
    expect((await waitFor(job, 'undone')).undone).toEqual({ conflict: 1 })
    expect((await carsOf(zoe))[0]?.properties[0]?.value).toBe('Z 2')
  })

  test('is stopped and resumed, also of a job that was stopped half-way', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => owner(`U${n}`, [text('plate', 'A')])))
    const job = await begin({ ids, set: plate })
    await vi.waitFor(async () => expect((await read(job)).done).toBeGreaterThan(3), { interval: 5 })
    await service.call('steward', 'POST', `/jobs/${job}/stop`)
    await undo(job)
    await service.call('steward', 'POST', `/jobs/${job}/stop`)
    expect(await read(job)).toMatchObject({ state: 'stopped', undo: true })
    expect(await undo(job)).toMatchObject({ status: 409, body: { code: 'job_not_ended' } })
    await service.call('steward', 'POST', `/jobs/${job}/resume`)
    const { total, done, outcomes, undone } = await waitFor(job, 'undone')
    expect({ undone, total, done }).toEqual({
      undone: { undone: total },
      total: outcomes?.['changed'],
      done: total,
    })
    for (const id of ids) expect((await carsOf(id))[0]?.properties[0]?.value).toBe('A')
    // The users whom the stopped job had not come to stay as they are.
    await service.call('steward', 'POST', `/jobs/${job}/resume`)
    expect((await read(job)).state).toBe('undone')
  })

  test('is refused of a dry run, of a job that is not over, and a second time', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1')])
    const tried = await apply({ ids: [ana], set: plate, dryRun: true })
    expect(await undo(tried)).toMatchObject({ status: 409, body: { code: 'nothing_applied' } })
    const job = await apply({ ids: [ana], set: plate })
    const setState = async (state: string) =>
      await sql`update jobs set state = ${state}, leased = 'infinity' where id = ${job}::uuid`.execute(
        service.database.sql,
      )
    for (const state of ['waiting', 'running', 'undoing']) {
      await setState(state)
      expect(await undo(job)).toMatchObject({ status: 409, body: { code: 'job_not_ended' } })
    }
    await setState('finished')
    expect((await undo(job)).status).toBe(204)
    await waitFor(job, 'undone')
    expect(await undo(job)).toMatchObject({ status: 409, body: { code: 'already_undone' } })
  })
})

describe('the end of a job', () => {
  const finished = async () =>
    (await events('?type=JOB_FINISHED')).map(({ properties }) =>
      Object.assign(properties, { outcomes: JSON.parse(String(properties['outcomes'])) as unknown }),
    )

  test('is one event with its counts: of the change, and of its undo', async () => {
    const [ana, eva] = [await owner('Ana', [text('plate', 'A 1')]), await owner('Eva')]
    const job = await apply({ ids: [ana, eva], set: plate, reason: 'New plates', dryRun: true })
    expect(await finished()).toEqual([])
    await service.call('steward', 'POST', `/jobs/${job}/apply`)
    await waitFor(job, 'finished')
    await undo(job)
    await waitFor(job, 'undone')
    const of = { job, kind: 'set', actor: 'steward' }
    expect(await finished()).toEqual([
      { ...of, state: 'finished', outcomes: { changed: 1, no_entity: 1 } },
      { ...of, state: 'undone', undo: 'true', outcomes: { undone: 1 } },
    ])
  })

  test('is told of a job that failed, and not of one that was stopped', async () => {
    const ids = [await owner('Ana')]
    const [broken, stopped] = [await begin({ ids, set: plate }), await begin({ ids, set: plate })]
    await sql`update jobs set state = 'running', leased = 'infinity'`.execute(service.database.sql)
    await service.call('steward', 'POST', `/jobs/${stopped}/stop`)
    await sql`
      update jobs set sealed = 'AAAA', leased = null where id = ${broken}::uuid`.execute(service.database.sql)
    await waitFor(broken, 'failed')
    expect(await finished()).toMatchObject([{ job: broken, state: 'failed' }])
  })
})

describe('if each change needs a reason', () => {
  const strict = testService({ jobs: true, changeReasons: 'required' })

  test('an undo wants one of its own, which goes as that of the job does', async () => {
    const ana = await strict.create('admin', '/users', { properties: [] })
    const set = { ...plate, entity: 'person' }
    const job = await strict.create('steward', '/users/batch', { ids: [ana], set, reason: 'New plates' })
    const state = async () => ((await strict.call('admin', 'GET', `/jobs/${job}`)).body as Job).state
    await expect.poll(state).toBe('finished')
    expect(await strict.call('steward', 'POST', `/jobs/${job}/undo`)).toMatchObject({
      status: 422,
      body: { code: 'reason_required' },
    })
    const reason = { 'change-reason': 'Wrong%20list' }
    expect((await strict.call('steward', 'POST', `/jobs/${job}/undo`, undefined, reason)).status).toBe(204)
    await expect.poll(state).toBe('undone')
  })
})
