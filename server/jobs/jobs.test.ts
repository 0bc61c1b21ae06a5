import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import type { Entity, Event, Job, JobEntry, JobReport, Role } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { type TestAnswer, idOf, openContents } from '../testing/service.ts'
import { dropReasonsOfDeleted } from './reasons.ts'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const plate = { entity: 'car', key: 'plate', type: 'TEXT', value: 'B-XY 1' }
const text = (key: string, value: unknown, sensitive = false) => ({ key, type: 'TEXT', value, sensitive })

/** Creates a user with one car for each list of properties. */
async function owner(name: string, ...cars: object[][]): Promise<string> {
  const user = await service.create('admin', '/users', { name })
  for (const properties of cars)
    await service.create('admin', `/users/${user}/entities`, { type: 'car', properties })
  return user
}

const carsOf = async (user: string): Promise<Entity[]> =>
  (await service.call('admin', 'GET', `/users/${user}/entities`)).body
const valuesOf = async (user: string, key: string): Promise<unknown[]> =>
  (await carsOf(user)).map(({ properties }) => properties.find((each) => each.key === key)?.value)

const ask = (body: object, role: Role = 'steward') => service.call(role, 'POST', '/users/batch', body)
const begin = async (body: object, role: Role = 'steward') => await service.create(role, '/users/batch', body)
const read = async (job: string, role: Role = 'steward'): Promise<Job> =>
  (await service.call(role, 'GET', `/jobs/${job}`)).body
const act = (job: string, what: 'stop' | 'resume' | 'apply', role: Role = 'steward') =>
  service.call(role, 'POST', `/jobs/${job}/${what}`)

async function waitForEnd(job: string, state = 'finished'): Promise<Job> {
  return await vi.waitFor(
    async () => {
      const now = await read(job, 'admin')
      expect(now.state).toBe(state)
      return now
    },
    { timeout: 60_000, interval: 20 },
  )
}

async function report(job: string, query = ''): Promise<JobEntry[]> {
  const { users }: JobReport = (await service.call('steward', 'GET', `/jobs/${job}/users${query}`)).body
  return users
}
/** Returns name, outcome, previous value and error code of each user in a job's report, omitting undefined ones. */
const readJob = async (job: string) =>
  (await report(job)).map(({ name, outcome, before, masked, code }) =>
    [name, outcome, masked ? 'masked' : before, code].filter((part) => part !== undefined),
  )
const events = async (): Promise<Event[]> => (await service.call('admin', 'GET', '/events')).body

describe('a dry run', () => {
  test('tells of each user what would change, and changes nothing', async () => {
    const ids = [
      await owner('Ana', [text('plate', 'A 1')]),
      await owner('Eva', [text('brand', 'Volvo')]),
      await owner('Ida', [text('plate', 'B-XY 1')]),
      await owner('Ole'),
      await owner('Uma', [], []),
      '01900000-0000-7000-8000-000000000000',
    ]
    const before = [await openContents(service.database), await events()]
    const job = await begin({ ids, set: plate, dryRun: true })
    expect(await waitForEnd(job)).toMatchObject({
      kind: 'set',
      dryRun: true,
      total: 6,
      done: 6,
      set: plate,
      actor: 'steward',
      outcomes: { changed: 1, added: 1, unchanged: 1, no_entity: 1, ambiguous: 1, not_found: 1 },
    })
    expect(await readJob(job)).toEqual([
      ['Ana', 'changed', 'A 1'],
      ['Eva', 'added'],
      ['Ida', 'unchanged', 'B-XY 1'],
      ['Ole', 'no_entity'],
      ['Uma', 'ambiguous'],
      ['not_found'],
    ])
    expect([await openContents(service.database), await events()]).toEqual(before)
  })

  test('is applied to those whom it would change, as writes of who asked', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1')])
    const eva = await owner('Eva', [text('plate', 'B-XY 1')])
    const job = await begin({ ids: [ana, eva, ana], set: plate, reason: 'New plates', dryRun: true })
    await waitForEnd(job)
    const count = (await events()).length
    expect((await act(job, 'apply')).status).toBe(204)
    expect(await waitForEnd(job)).toMatchObject({ dryRun: false, total: 1, done: 1 })
    expect(await readJob(job)).toEqual([
      ['Ana', 'changed', 'A 1'],
      ['Eva', 'unchanged', 'B-XY 1'],
    ])
    expect(await valuesOf(ana, 'plate')).toEqual(['B-XY 1'])
    const written = (await events()).slice(count)
    expect(written.map(({ type, properties }) => [type, properties.user, properties.actor])).toEqual([
      ['DIRECT_DATA_CHANGE', ana, 'steward'],
      ['JOB_FINISHED', undefined, 'steward'],
    ])
    const changeset = await service.call(
      'steward',
      'GET',
      `/changesets/${String(written[0]?.properties.changeset)}`,
    )
    expect(changeset.body).toMatchObject({ reason: 'New plates' })
    // A second apply finds nothing left to do.
    expect((await act(job, 'apply')).status).toBe(204)
    expect(await events()).toHaveLength(count + 2)
  })

  test('does not write over what somebody else has written since', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1')])
    const eva = await owner('Eva', [text('plate', 'E 1')])
    const ida = await owner('Ida')
    const ole = await owner('Ole', [text('brand', 'Volvo')])
    const set = { ...plate, create: true }
    const job = await begin({ ids: [ana, eva, ida, ole], set, dryRun: true })
    await waitForEnd(job)
    const [car] = await carsOf(ana)
    const patch = (properties: object[], of = car) => ({ path: of?.id, body: { properties } })
    const { path, body } = patch([text('plate', 'A 2')])
    await service.call('admin', 'PATCH', `/users/${ana}/entities/${path}`, body)
    await service.create('admin', `/users/${ida}/entities`, { type: 'car', properties: [] })
    // The job is not affected by a change of another property of the same car.
    const [volvo] = await carsOf(ole)
    await service.call('admin', 'PATCH', `/users/${ole}/entities/${volvo?.id}`, {
      properties: [text('brand', 'Saab')],
    })
    await act(job, 'apply')
    await waitForEnd(job)
    expect(await readJob(job)).toEqual([
      ['Ana', 'conflict', 'A 2'],
      ['Eva', 'changed', 'E 1'],
      ['Ida', 'conflict'],
      ['Ole', 'added'],
    ])
    expect(await valuesOf(ana, 'plate')).toEqual(['A 2'])
    expect(await valuesOf(ida, 'plate')).toEqual([undefined])
  })

  test('does not write over a sensitive value that was written since', async () => {
    const zoe = await owner('Zoe', [{ ...text('plate', 'Z 1'), sensitive: true }])
    const job = await begin({ ids: [zoe], set: plate, dryRun: true })
    expect((await waitForEnd(job)).outcomes).toEqual({ changed: 1 })
    const [car] = await carsOf(zoe)
    const properties = [text('plate', 'Z 2', true)]
    await service.call('admin', 'PATCH', `/users/${zoe}/entities/${car?.id}`, { properties })
    await act(job, 'apply')
    expect((await waitForEnd(job)).outcomes).toEqual({ conflict: 1 })
    expect(await valuesOf(zoe, 'plate')).toEqual(['Z 2'])
  })

  test('that has not looked at everybody is not applied', async () => {
    const job = await begin({ filter: { all: [] }, set: plate, dryRun: true })
    await waitForEnd(job)
    await sql`update jobs set state = 'stopped'`.execute(service.database.sql)
    expect(await act(job, 'apply')).toMatchObject({ status: 409, body: { code: 'check_not_finished' } })
  })
})

describe('the property of a batch', () => {
  test('goes onto the first of several where asked, and onto a new one where there is none', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1')], [text('plate', 'A 2')])
    const eva = await owner('Eva')
    const set = { ...plate, which: 'first', create: true }
    const job = await begin({ ids: [ana, eva], set })
    await waitForEnd(job)
    expect(await readJob(job)).toEqual([
      ['Ana', 'changed', 'A 1'],
      ['Eva', 'created'],
    ])
    expect(await valuesOf(ana, 'plate')).toEqual(['B-XY 1', 'A 2'])
    expect(await valuesOf(eva, 'plate')).toEqual(['B-XY 1'])
  })

  test('null takes a value away, and adds nothing where there is none', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1')])
    const eva = await owner('Eva', [])
    const job = await begin({ ids: [ana, eva], set: { ...plate, value: null, create: true } })
    await waitForEnd(job)
    expect(await readJob(job)).toEqual([
      ['Ana', 'changed', 'A 1'],
      ['Eva', 'unchanged'],
    ])
    expect(await valuesOf(ana, 'plate')).toEqual([null])
    expect((await carsOf(eva))[0]?.properties).toEqual([])
  })

  test('keeps to the rules of a single write, and says of each user which one', async () => {
    const ana = await owner('Ana', [])
    const set = { ...plate, type: 'RELATIONSHIP', value: { user: '01900000-0000-7000-8000-000000000000' } }
    const job = await begin({ ids: [ana], set })
    expect(await waitForEnd(job)).toMatchObject({ outcomes: { refused: 1 } })
    expect(await readJob(job)).toEqual([['Ana', 'refused', 'unknown_target']])
  })

  test('is set on many users in one transaction, and an undo puts back many in one', async () => {
    const ids = []
    for (let n = 0; n < 30; n++) ids.push(await owner(`Ana ${n}`, [text('plate', String(n))]))
    const job = await begin({ ids, set: plate })
    expect(await waitForEnd(job)).toMatchObject({ outcomes: { changed: 30 } })
    const transactions = async () =>
      await sql`select distinct xmin::text from job_users where job_id = ${job}::uuid`.execute(
        service.database.sql,
      )
    expect((await transactions()).rows).toHaveLength(1)
    expect((await service.call('steward', 'POST', `/jobs/${job}/undo`)).status).toBe(204)
    expect(await waitForEnd(job, 'undone')).toMatchObject({ undone: { undone: 30 } })
    expect((await transactions()).rows).toHaveLength(1)
  })

  test('is refused to the user alone whose entity would be too large, and set on the others', async () => {
    const full = Array.from({ length: 16 }, (_, n) => text(`note ${n}`, 'x'.repeat(65_000)))
    const ids = [
      await owner('Ana', []),
      await owner('Bea', []),
      await owner('Cem', full),
      await owner('Dan', []),
      await owner('Eva', []),
    ]
    const set = { ...plate, value: 'y'.repeat(30_000) }
    const looked = await begin({ ids, set, dryRun: true })
    expect(await waitForEnd(looked)).toMatchObject({ outcomes: { added: 4, refused: 1 } })
    expect(await valuesOf(ids[0] ?? '', 'plate')).toEqual([undefined])
    const job = await begin({ ids, set })
    expect(await waitForEnd(job)).toMatchObject({ outcomes: { added: 4, refused: 1 } })
    expect((await readJob(job)).map(([name, ...outcome]) => [name, outcome.at(0), outcome.at(-1)])).toEqual([
      ['Ana', 'added', 'added'],
      ['Bea', 'added', 'added'],
      ['Cem', 'refused', 'entity_too_large'],
      ['Dan', 'added', 'added'],
      ['Eva', 'added', 'added'],
    ])
    for (const id of ids.toSpliced(2, 1)) expect(await valuesOf(id, 'plate')).toEqual([set.value])
    expect((await events()).filter(({ properties: { job: by } }) => by === job)).toHaveLength(5)
  })

  test('is a consent that has ended already, as a single write takes it', async () => {
    const ana = await owner('Ana', [])
    const value = { status: 'GRANTED', expires: '2020-01-01T00:00:00.000Z' }
    const job = await begin({ ids: [ana], set: { ...plate, key: 'news', type: 'PREFERENCE', value } })
    expect(await waitForEnd(job)).toMatchObject({ outcomes: { added: 1 } })
    expect(await valuesOf(ana, 'news')).toMatchObject([value])
  })

  test('fits its type, or is refused at once', async () => {
    const ids = [await owner('Ana')]
    expect(await ask({ ids, set: { ...plate, type: 'NUMBER', value: 'many' } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/set/value', code: 'invalid_value' }] },
    })
    const reversed = {
      status: 'GRANTED',
      statusDate: '2024-01-01T00:00:00Z',
      expires: '2023-01-01T00:00:00Z',
    }
    expect(await ask({ ids, set: { ...plate, type: 'PREFERENCE', value: reversed } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/set/value/expires', code: 'invalid_value' }] },
    })
    const { value: _, ...without } = plate
    expect(await ask({ ids, set: without })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/set/value', code: 'required' }] },
    })
    expect(await ask({ set: plate })).toMatchObject({ status: 422 })
    expect(await ask({ ids, segment: 'x', set: plate })).toMatchObject({ status: 422 })
  })
})

describe('whom a batch is for', () => {
  test('is the members of a filter or a segment, as they are when it is asked for', async () => {
    const ana = await owner('Ana', [text('brand', 'Volvo')])
    await owner('Eva', [text('brand', 'Saab')])
    const filter = {
      entity: 'car',
      where: [{ key: 'brand', type: 'TEXT', op: 'eq', value: 'Volvo' }],
    }
    const segment = await service.create('admin', '/segments', { name: 'Volvo', filter })
    const set = { ...plate, key: 'brand', value: 'Volvo 2' }
    for (const whom of [{ filter, tz: 'Europe/Berlin' }, { segment }]) {
      const job = await begin({ ...whom, set, dryRun: true })
      const { total, segment: named } = await waitForEnd(job)
      expect([total, named]).toEqual([1, 'segment' in whom ? segment : undefined])
      expect((await report(job)).map(({ user }) => user)).toEqual([ana])
    }
    expect(await ask({ segment: crypto.randomUUID(), set })).toMatchObject({ status: 404 })
  })

  test.each(['filter', 'segment'] as const)(
    'is settled once, however often the request of one key comes: by %s',
    async (by) => {
      const ana = await owner('Ana')
      const filter = { user: 'name', op: 'eq', value: 'Ana' }
      const segment = await service.create('admin', '/segments', { name: 'Ana', filter })
      const send = () =>
        service.call(
          'steward',
          'POST',
          '/users/batch',
          {
            ...(by === 'filter' ? { filter: { all: [{ segment }] } } : { segment }),
            set: plate,
            dryRun: true,
          },
          { 'idempotency-key': `by ${by}`.replace(' ', '-') },
        )
      const first = await send()
      expect(first.status).toBe(201)
      // The first request's users are settled: the repeat succeeds even if the segment is gone.
      await service.call('admin', 'DELETE', `/segments/${segment}`)
      const again = await send()
      expect([again.status, idOf(again)]).toEqual([201, idOf(first)])
      expect((await waitForEnd(idOf(first))).total).toBe(1)
      expect((await report(idOf(first))).map(({ user }) => user)).toEqual([ana])
    },
  )

  test('must not tell what the caller may not know', async () => {
    await owner('Ana', [text('plate', 'A 1', true)])
    const filter = { entity: 'car', where: [{ key: 'plate', type: 'TEXT', op: 'eq', value: 'A 1' }] }
    const token = await service.sign({ sub: 'x', scope: 'users:read entities:read entities:write' })
    const answer = await service.fetch(`${service.baseUrl}/users/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ filter, set: { ...plate, key: 'brand' } }),
    })
    expect(answer.status).toBe(403)
  })

  test('are 10 jobs at a time', async () => {
    const ids = [await owner('Ana')]
    await sql`
      insert into jobs (id, actor, scopes, dry_run, asked, sealed, state, total, users, waiting, created, turn, leased)
      select gen_random_uuid(), 'steward', '{}', true, '{}', '', 'running', 0, 0, 0, now(), now(), 'infinity'
      from generate_series(1, 10)`.execute(service.database.sql)
    expect(await ask({ ids, set: plate })).toMatchObject({
      status: 429,
      body: { code: 'too_many_at_once' },
    })
    expect((await ask({ ids, set: plate }, 'admin')).status).toBe(201)
  })
})

describe('sensitive values', () => {
  const secret = { ...plate, value: 'top secret', sensitive: true }

  test('are set without being told, compared or stored in the open', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1', true)])
    const eva = await owner('Eva', [text('plate', 'top secret', true)])
    const ida = await owner('Ida', [text('plate', 'I 1')])
    const job = await begin({ ids: [ana, eva, ida], set: secret, reason: 'Told by phone', dryRun: true })
    const checked = await waitForEnd(job)
    expect(checked.set).toMatchObject({ masked: true })
    expect(checked.set).not.toHaveProperty('value')
    const lines = [
      ['Ana', 'changed', 'masked'],
      ['Eva', 'changed', 'masked'],
      ['Ida', 'changed', 'I 1'],
    ]
    expect(await readJob(job)).toEqual(lines)
    await act(job, 'apply')
    await waitForEnd(job)
    expect(await readJob(job)).toEqual([...lines.slice(0, 2), ['Ida', 'changed', 'masked']])
    expect(await valuesOf(ana, 'plate')).toEqual(['top secret'])
    expect(await valuesOf(ida, 'plate')).toEqual(['top secret'])
    const { rows } = await sql<{ row: string }>`
      select j::text as row from jobs j union all select u::text from job_users u`.execute(
      service.database.sql,
    )
    expect(rows.map(({ row }) => row).join()).not.toMatch(/top secret|Told by phone|I 1|A 1/)
  })

  test('are beyond who may not write them, of each user alone', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1', true)])
    const eva = await owner('Eva', [text('plate', 'E 1')])
    const scope = 'users:read entities:read entities:write'
    const authorization = `Bearer ${await service.sign({ sub: 'x', scope })}`
    const post = (set: object) =>
      service.fetch(`${service.baseUrl}/users/batch`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ ids: [ana, eva], set }),
      })
    expect((await post(secret)).status).toBe(403)
    const job = idOf(await post(plate))
    await waitForEnd(job)
    const answer = await service.fetch(`${service.baseUrl}/jobs/${job}/users`, { headers: { authorization } })
    expect(await answer.json()).toMatchObject({
      users: [
        { name: 'Ana', outcome: 'refused', code: 'insufficient_scope', masked: true },
        { name: 'Eva', outcome: 'changed', before: 'E 1' },
      ],
    })
    expect(await valuesOf(ana, 'plate')).toEqual(['A 1'])
  })
})

describe('a job', () => {
  test('is stopped after its current users, and resumed with the next', async () => {
    const ids = []
    for (let n = 0; n < 30; n++) ids.push(await owner(`Ana ${n}`, [text('plate', String(n))]))
    const job = await begin({ ids, set: plate })
    await vi.waitFor(async () => expect((await read(job)).done).toBeGreaterThan(0), { interval: 1 })
    expect((await act(job, 'stop')).status).toBe(204)
    const { done, state } = await read(job)
    // A job whose users are all done may be stopped before it has ended.
    expect(done < 30 ? ['stopped'] : ['stopped', 'finished']).toContain(state)
    await act(job, 'resume')
    expect(await waitForEnd(job)).toMatchObject({ done: 30, outcomes: { changed: 30 } })
    // No user was changed twice.
    expect((await events()).filter(({ type }) => type === 'DIRECT_DATA_CHANGE')).toHaveLength(60)
    // Stop and resume leave a finished job as it is.
    expect((await act(job, 'stop')).status).toBe(204)
    expect((await act(job, 'resume')).status).toBe(204)
    expect((await read(job)).state).toBe('finished')
  })

  test('is its asker’s, and seen and stopped by who may do everything', async () => {
    const ids = [await owner('Ana', [])]
    const job = await begin({ ids, set: plate, reason: 'A new plate', dryRun: true })
    await waitForEnd(job)
    const other = await begin({ ids, set: plate, dryRun: true }, 'admin')
    const idsSeen = async (role: Role) =>
      ((await service.call(role, 'GET', '/jobs')).body as Job[]).map(({ id }) => id)
    expect(await idsSeen('steward')).toEqual([job])
    expect(await idsSeen('admin')).toEqual([other, job])
    expect(await read(job)).toMatchObject({ reason: 'A new plate' })
    expect(await service.call('steward', 'GET', `/jobs/${other}`)).toMatchObject({
      status: 404,
      body: { code: 'job_not_found' },
    })
    expect((await service.call('steward', 'GET', `/jobs/${other}/users`)).status).toBe(404)
    for (const what of ['stop', 'resume', 'apply'] as const) expect((await act(other, what)).status).toBe(404)
    expect((await act(job, 'stop', 'admin')).status).toBe(204)
    expect((await act(job, 'apply', 'admin')).status).toBe(404)
  })

  test.each([
    ['integrator', 403],
    [undefined, 401],
  ] as const)('is nothing for %s', async (role, status) => {
    const id = crypto.randomUUID()
    const answers: TestAnswer[] = [
      await service.call(role, 'POST', '/users/batch', { ids: [id], set: plate }),
      await service.call(role, 'GET', '/jobs'),
      await service.call(role, 'GET', `/jobs/${id}`),
      await service.call(role, 'GET', `/jobs/${id}/users`),
      await service.call(role, 'POST', `/jobs/${id}/stop`),
      await service.call(role, 'POST', `/jobs/${id}/resume`),
      await service.call(role, 'POST', `/jobs/${id}/apply`),
    ]
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status))
  })

  test('is seen and steered by nobody who may not write entities, not even by its author', async () => {
    const job = await begin({ ids: [await owner('Ana', [])], set: plate })
    const token = await service.sign({ sub: 'steward', scope: 'users:read entities:read' })
    const ask = (method: string, path: string) =>
      service.fetch(`${service.baseUrl}${path}`, { method, headers: { authorization: `Bearer ${token}` } })
    expect(await (await ask('GET', '/jobs')).json()).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/users'],
      ['POST', '/stop'],
      ['POST', '/resume'],
      ['POST', '/apply'],
    ] as const)
      expect((await ask(method, `/jobs/${job}${path}`)).status).toBe(403)
    expect((await service.call('support', 'POST', '/users/batch', { ids: [], set: plate })).status).toBe(403)
  })

  test('holds nothing of a user who was deleted but the id', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1')])
    const job = await begin({ ids: [ana], set: plate })
    await waitForEnd(job)
    await service.call('steward', 'DELETE', `/users/${ana}`)
    expect(await report(job)).toEqual([
      { user: ana, entity: expect.any(String) as string, outcome: 'changed' },
    ])
  })

  test('hides what has become sensitive since', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1')])
    const job = await begin({ ids: [ana], set: plate })
    await waitForEnd(job)
    const [car] = await carsOf(ana)
    await service.call('steward', 'PATCH', `/users/${ana}/entities/${car?.id}`, {
      properties: [{ key: 'plate', sensitive: true }],
    })
    expect(await readJob(job)).toEqual([['Ana', 'changed', 'masked']])
    expect((await read(job)).set).toMatchObject({ masked: true })
  })

  test('has a report in pages, of one outcome where asked', async () => {
    const ids = [await owner('Ana', []), ...Array.from({ length: 150 }, () => crypto.randomUUID())]
    const job = await begin({ ids, set: plate, dryRun: true })
    await waitForEnd(job)
    const page = async (query: string): Promise<JobReport> =>
      (await service.call('steward', 'GET', `/jobs/${job}/users${query}`)).body
    const first = await page('')
    const second = await page(`?offset=${first.next}`)
    expect([first.users.length, second.users.length, second.next]).toEqual([100, 51, ''])
    expect([...first.users, ...second.users].map(({ user }) => user)).toEqual(ids)
    expect((await page('?outcome=added')).users).toHaveLength(1)
    expect((await page('?outcome=waiting')).users).toHaveLength(0)
    expect(await service.call('steward', 'GET', `/jobs/${job}/users?offset=x`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_offset' },
    })
  })
})

describe('if each change needs a reason', () => {
  const strict = testService({ changeReasons: 'required' })

  test('a batch does too', async () => {
    const body = { ids: [crypto.randomUUID()], set: plate }
    const ask = (given: object) => strict.call('steward', 'POST', '/users/batch', { ...body, ...given })
    expect(await ask({ dryRun: true })).toMatchObject({ status: 422, body: { code: 'reason_required' } })
    expect(await ask({ reason: ' ' })).toMatchObject({ status: 422, body: { code: 'validation' } })
    expect((await ask({ reason: 'New plates' })).status).toBe(201)
  })

  test('a dry run whose reason went with a deleted user is not applied', async () => {
    const person = () => strict.create('admin', '/users', { name: 'Ana' })
    const [gone, there] = [await person(), await person()]
    const body = { ids: [gone, there], set: plate, reason: 'Told by Ana', dryRun: true }
    const job = idOf(await strict.call('steward', 'POST', '/users/batch', body))
    const stopped = idOf(await strict.call('steward', 'POST', '/users/batch', body))
    await strict.call('steward', 'POST', `/jobs/${stopped}/stop`)
    await strict.database.pool.query(`update jobs set state = 'finished', ended = now() where id = $1`, [job])
    const reference = { 'deletion-reference': 'DSR-1' }
    expect((await strict.call('steward', 'DELETE', `/users/${gone}`, undefined, reference)).status).toBe(204)
    await dropReasonsOfDeleted(strict.database)
    const refused = { status: 422, body: { code: 'reason_required' } }
    expect(await strict.call('steward', 'POST', `/jobs/${job}/apply`)).toMatchObject(refused)
    expect(await strict.call('steward', 'POST', `/jobs/${stopped}/resume`)).toMatchObject(refused)
  })
})
