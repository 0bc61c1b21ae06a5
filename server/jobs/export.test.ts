import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import { exportHours, type Job, type Role } from '#contract/index.ts'
import { readRows } from '#contract/reading/table.ts'
import { testService } from '../testing/hooks.ts'
import { idOf, type TestService } from '../testing/service.ts'
import { dropOldFiles } from './files.ts'
import { dropReasonsOfDeleted } from './reasons.ts'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const text = (key: string, value: unknown, sensitive = false) => ({ key, type: 'TEXT', value, sensitive })

/** Creates a user with one car for each list of properties. */
async function owner(name: string, ...cars: object[][]): Promise<string> {
  const user = await service.create('admin', '/users', { name, email: `${name}@example.org`.toLowerCase() })
  for (const properties of cars)
    await service.create('admin', `/users/${user}/entities`, { type: 'car', properties })
  return user
}

const everybody = { all: [] }
const plates = { format: 'csv', columns: ['name', 'car.plate'], entities: 'each', filter: everybody }

async function ended(job: string, role: Role = 'steward', on: TestService = service): Promise<Job> {
  return await vi.waitFor(
    async () => {
      const now: Job = (await on.call(role, 'GET', `/jobs/${job}`)).body
      expect(now.state).toBe('finished')
      return now
    },
    { timeout: 60_000, interval: 20 },
  )
}

async function fetchFile(job: string, role: Role = 'steward', on: TestService = service) {
  const response = await on.fetch(`${on.baseUrl}/jobs/${job}/file`, {
    headers: { authorization: `Bearer ${await on.token(role)}` },
  })
  return {
    status: response.status,
    headers: response.headers,
    text: Buffer.from(await response.arrayBuffer()).toString(),
  }
}

/** Exports and returns the text of the file. */
async function exportText(body: object, role: Role = 'steward'): Promise<string> {
  const job = await service.create(role, '/exports', body)
  await ended(job, role)
  return (await fetchFile(job, role)).text
}
const rowsOf = (csv: string) => [...readRows(csv, ',')].map(({ cells }) => cells)

describe('an export', () => {
  test('is a table of users, a row for each of their entities, for who has none too', async () => {
    await owner('Ana', [text('plate', 'A 1')], [text('plate', 'A 2')])
    await owner('Eva')
    const job = await service.create('steward', '/exports', { ...plates, byteOrderMark: true })
    expect(await ended(job)).toMatchObject({
      kind: 'export',
      total: 2,
      done: 2,
      outcomes: { exported: 2 },
      export: { format: 'csv', columns: ['name', 'car.plate'], entities: 'each', rows: 3, withheld: 0 },
      file: {
        name: expect.stringMatching(/^users-\d{4}-\d\d-\d\d\.csv$/) as string,
        bytes: expect.any(Number) as number,
      },
    })
    const file = await fetchFile(job)
    expect(file.text).toBe('\uFEFF"name","car.plate (each)"\r\n"Ana","A 1"\r\n"Ana","A 2"\r\n"Eva",""\r\n')
    expect(file.headers.get('content-type')).toBe('text/csv;charset=UTF-8')
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="users-[\d-]+\.csv"$/)
    expect(file.headers.get('content-length')).toBe(String(Buffer.byteLength(file.text)))
    expect(file.headers.get('cache-control')).toContain('no-store')
  })

  test('has one row for each user where only the first entity is asked for, and titles of its own', async () => {
    await owner('Ana', [text('plate', 'A 1')], [text('plate', 'A 2')])
    const body = { ...plates, entities: 'first', titles: ['Name', 'Plate'], separator: ';' }
    expect(await exportText(body)).toBe('"Name";"Plate"\r\n"Ana";"A 1"\r\n')
  })

  test('has only the entities that meet the filter where these are asked for', async () => {
    await owner('Ana', [text('plate', 'A 1')], [text('plate', 'B 2')])
    await owner('Eva', [text('plate', 'C 3')])
    const filter = { entity: 'car', where: [{ key: 'plate', type: 'TEXT', op: 'eq', value: 'B 2' }] }
    expect(rowsOf(await exportText({ ...plates, entities: 'matching', filter })).slice(1)).toEqual([
      ['Ana', 'B 2'],
    ])
  })

  test('guards what a spreadsheet would run as a formula', async () => {
    await owner('Ana', [text('plate', '=1+1')])
    expect(await exportText(plates)).toContain(`"'=1+1"`)
  })

  test('has the users of a segment, and those who are named, without who is gone', async () => {
    const ana = await owner('Ana')
    await owner('Eva')
    const filter = { user: 'name', op: 'eq', value: 'Eva' }
    const segment = await service.create('admin', '/segments', { name: 'Evas', filter })
    const names = { format: 'csv', columns: ['name'] }
    expect(await exportText({ ...names, segment })).toBe('"name"\r\n"Eva"\r\n')
    const ids = [ana, ...Array.from({ length: 1500 }, () => randomUUID())]
    expect(await exportText({ ...names, ids })).toBe('"name"\r\n"Ana"\r\n')
  })

  test('has users in the order that is asked for, each with the entities that meet the filter', async () => {
    for (const [name, ...plates] of [
      ['Bo', 'A 1'],
      ['ana', 'B 2', 'A 3'],
      ['Cy', 'C 4'],
      ['Eva', 'A 5'],
    ])
      await owner(name ?? '', ...plates.map((plate) => [text('plate', plate)]))
    const filter = { entity: 'car', where: [{ key: 'plate', type: 'TEXT', op: 'starts_with', value: 'A' }] }
    const sorted = { ...plates, entities: 'matching', filter }
    expect(rowsOf(await exportText({ ...sorted, sort: '-name' })).slice(1)).toEqual([
      ['Eva', 'A 5'],
      ['Bo', 'A 1'],
      ['ana', 'A 3'],
    ])
    expect(rowsOf(await exportText({ ...sorted, sort: 'email' })).slice(1)).toEqual([
      ['ana', 'A 3'],
      ['Bo', 'A 1'],
      ['Eva', 'A 5'],
    ])
  })

  test('has users who are named in that order', async () => {
    const [ana, eva] = [await owner('Ana'), await owner('Eva')]
    const names = { format: 'csv', columns: ['name'], ids: [eva, ana, eva] }
    expect(await exportText(names)).toBe('"name"\r\n"Eva"\r\n"Ana"\r\n')
    expect(await service.call('steward', 'POST', '/exports', { ...names, sort: 'name' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/sort' }] },
    })
  })

  test('is a line of JSON for each user, with all entities where they are asked for', async () => {
    const ana = await owner('Ana', [text('plate', 'A 1'), text('pin', '4711', true)])
    const [line = ''] = (await exportText({ format: 'ndjson', filter: everybody, entities: 'each' })).split(
      '\n',
    )
    expect(JSON.parse(line)).toMatchObject({
      id: ana,
      name: 'Ana',
      entities: [
        {
          type: 'car',
          properties: [
            { key: 'plate', type: 'TEXT', sensitive: false, value: 'A 1' },
            { key: 'pin', type: 'TEXT', sensitive: true, masked: true },
          ],
        },
      ],
    })
    expect(line).not.toContain('4711')
    expect(await exportText({ format: 'ndjson', filter: everybody })).not.toContain('entities')
  })

  test('is written in parts, nobody twice and nobody left out', async () => {
    await sql`
      insert into users (id, name, since, created)
      select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'u' || n, now(), now() from generate_series(1, 2500) n`.execute(
      service.database.sql,
    )
    const body = { format: 'csv', columns: ['name'], filter: everybody }
    const job = await service.create('steward', '/exports', body)
    expect(await ended(job)).toMatchObject({ total: 2500, done: 2500 })
    const names = Array.from({ length: 2500 }, (_, n) => [`u${n + 1}`])
    expect(rowsOf((await fetchFile(job)).text)).toEqual([['name'], ...names])
    expect(rowsOf(await exportText({ ...body, sort: '-created' }))).toEqual([['name'], ...names.toReversed()])
    const { rows } = await sql`select 1 from file_chunks`.execute(service.database.sql)
    expect(rows).toHaveLength(6)
  })

  test('keeps its file sealed', async () => {
    await owner('Ana', [text('plate', 'A 1')])
    await exportText(plates)
    const { rows } = await sql<{ sealed: Buffer }>`select sealed from file_chunks`.execute(
      service.database.sql,
    )
    expect(rows[0]?.sealed.includes('Ana')).toBe(false)
  })
})

describe('sensitive values', () => {
  const pins = { ...plates, columns: ['name', 'car.pin'] }
  const open = { ...pins, sensitive: 'open', reason: 'Audit of pins' }

  test('are left out, which the title says, unless a reason is given', async () => {
    await owner('Ana', [text('pin', '4711', true)])
    const job = await service.create('steward', '/exports', pins)
    expect((await ended(job)).export).toMatchObject({ sensitive: 'masked', withheld: 1 })
    expect((await fetchFile(job)).text).toBe('"name","car.pin (each, sensitive, withheld)"\r\n"Ana",""\r\n')
    expect(await service.call('steward', 'POST', '/exports', { ...pins, sensitive: 'open' })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/reason', code: 'required' }] },
    })
  })

  test('are in the file with a reason, and each time that it is fetched is recorded as one act', async () => {
    await owner('Ana', [text('pin', '4711', true)])
    await owner('Eva')
    const job = await service.create('steward', '/exports', open)
    await ended(job)
    const audit = async () =>
      (await service.call('steward', 'GET', '/audit?kind=read')).body as { rows: object[] }
    expect((await audit()).rows).toEqual([])
    expect((await fetchFile(job)).text).toBe(
      '"name","car.pin (each, sensitive)"\r\n"Ana","4711"\r\n"Eva",""\r\n',
    )
    const act = {
      kind: 'read',
      actor: 'steward',
      by: 'export',
      users: 2,
      keys: ['pin'],
      reason: 'Audit of pins',
    }
    expect((await audit()).rows).toMatchObject([act])
    const log = (await service.call('admin', 'GET', '/events')).body as { type: string; properties: object }[]
    const told = log.filter(({ type }) => type === 'JOB_FINISHED' || type === 'EXPORT_FETCHED')
    expect(told).toMatchObject([
      {
        type: 'JOB_FINISHED',
        properties: { job, kind: 'export', outcomes: '{"exported":2}', sensitive: 'open' },
      },
      {
        type: 'EXPORT_FETCHED',
        properties: { job, actor: 'steward', users: '2', columns: '["name","car.pin"]' },
      },
    ])
    expect(JSON.stringify(log)).not.toContain('4711')
    await fetchFile(job)
    expect((await audit()).rows).toHaveLength(2)
  })

  test('need the right to read them, when the export begins and when its file is fetched', async () => {
    await owner('Ana', [text('pin', '4711', true)])
    expect((await service.call('support', 'POST', '/exports', open)).status).toBe(403)
    expect((await service.call('support', 'POST', '/exports', pins)).status).toBe(201)
    const job = await service.create('steward', '/exports', open)
    await ended(job)
    const token = await service.sign({ sub: 'steward', scope: 'users:read entities:read' })
    const fetched = await service.fetch(`${service.baseUrl}/jobs/${job}/file`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(fetched.status).toBe(403)
  })

  test('are tested by a filter only for who may read them', async () => {
    const filter = { entity: 'car', where: [{ key: 'pin', type: 'TEXT', op: 'eq', value: '4711' }] }
    await owner('Ana', [text('pin', '4711', true)])
    const body = { format: 'csv', columns: ['name'], filter }
    expect((await service.call('support', 'POST', '/exports', body)).status).toBe(403)
    expect(await exportText(body)).toBe('"name"\r\n"Ana"\r\n')
  })
})

describe('the file', () => {
  const names = { format: 'csv', columns: ['name'], filter: everybody }

  test('is fetched by its author alone, once it is complete', async () => {
    await owner('Ana')
    const job = await service.create('steward', '/exports', names)
    await ended(job)
    expect((await fetchFile(job, 'admin')).status).toBe(404)
    expect((await fetchFile(job, 'support')).status).toBe(404)
    expect((await fetchFile(randomUUID())).status).toBe(404)
    await sql`update job_files set done = null`.execute(service.database.sql)
    expect(await service.call('steward', 'GET', `/jobs/${job}/file`)).toMatchObject({
      status: 409,
      body: { code: 'file_not_ready' },
    })
  })

  test('goes with the first person in it who is deleted, and with it the reason', async () => {
    const ana = await owner('Ana')
    await owner('Eva')
    const job = await service.create('steward', '/exports', {
      ...names,
      sensitive: 'open',
      reason: 'Told by Ana',
    })
    await ended(job)
    await service.call('steward', 'DELETE', `/users/${ana}`)
    await dropReasonsOfDeleted(service.database)
    expect((await fetchFile(job)).status).toBe(410)
    const { rows } = await sql`select 1 from file_chunks where sealed is not null`.execute(
      service.database.sql,
    )
    expect(rows).toEqual([])
    const now = (await service.call('steward', 'GET', `/jobs/${job}`)).body as Job
    expect(now.file).toMatchObject({ gone: 'erased' })
    expect(now.reason).toBeUndefined()
  })

  test('is not sent with somebody whom an older process has deleted', async () => {
    const ana = await owner('Ana')
    const job = await service.create('steward', '/exports', names)
    await ended(job)
    await service.call('steward', 'DELETE', `/users/${ana}`)
    await sql`update job_files set gone = null`.execute(service.database.sql)
    await sql`update file_chunks set sealed = '\\x00'`.execute(service.database.sql)
    expect((await fetchFile(job)).status).toBe(410)
  })

  test(`is gone after ${exportHours} hours`, async () => {
    await owner('Ana')
    const job = await service.create('steward', '/exports', names)
    await ended(job)
    await sql`update job_files set done = done - ${exportHours + 1} * interval '1 hour'`.execute(
      service.database.sql,
    )
    expect(await service.call('steward', 'GET', `/jobs/${job}/file`)).toMatchObject({
      status: 410,
      body: { code: 'file_gone', detail: expect.stringContaining('time is over') as string },
    })
    await dropOldFiles(service.database.sql)
    const { rows } = await sql`select 1 from file_chunks where sealed is not null`.execute(
      service.database.sql,
    )
    expect(rows).toEqual([])
  })

  test('gives way once its author has newer ones', async () => {
    await owner('Ana')
    const first = await service.create('steward', '/exports', names)
    await ended(first)
    for (let n = 0; n < 10; n++) await ended(await service.create('steward', '/exports', names))
    expect(((await service.call('steward', 'GET', `/jobs/${first}`)).body as Job).file).toMatchObject({
      gone: 'replaced',
    })
  })
})

test('an export that is stopped goes on where it was, and has nothing to undo', async () => {
  await owner('Ana')
  const job = idOf(
    await service.call('steward', 'POST', '/exports', {
      format: 'csv',
      columns: ['name'],
      filter: everybody,
    }),
  )
  await service.call('steward', 'POST', `/jobs/${job}/stop`)
  await service.call('steward', 'POST', `/jobs/${job}/resume`)
  await ended(job)
  expect((await fetchFile(job)).text).toBe('"name"\r\n"Ana"\r\n')
  expect(await service.call('steward', 'POST', `/jobs/${job}/undo`)).toMatchObject({
    status: 409,
    body: { code: 'nothing_applied' },
  })
})
