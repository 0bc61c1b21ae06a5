import { sql } from 'kysely'
import { Client } from 'pg'
import { beforeEach, describe, expect, test, vi } from 'vitest'

import {
  type Entity,
  type Event,
  type ImportRow,
  type Job,
  type Role,
  type User,
  type UserList,
} from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { storeFile, targetOf } from '../testing/imports.ts'
import { findDifferences, readKept } from '../testing/kept.ts'

const nobody = undefined
const service = testService({ jobs: true })
beforeEach(() => service.reset())

const read = async (job: string): Promise<Job> => (await service.call('admin', 'GET', `/jobs/${job}`)).body
async function waitFor(job: string, state = 'finished'): Promise<Job> {
  return await vi.waitFor(
    async () => {
      const now = await read(job)
      expect(now.state).toBe(state)
      return now
    },
    { timeout: 60_000, interval: 20 },
  )
}

type File = Parameters<typeof storeFile>[1]
async function check(file: File): Promise<string> {
  const job = await storeFile(service.database, file)
  const { role = 'steward', scopes } = file
  const token = await service.sign({
    sub: role,
    role,
    ...(scopes && { role: undefined, scope: scopes.join(' ') }),
  })
  const headers = { authorization: `Bearer ${token}` }
  expect(await service.call(nobody, 'POST', `/imports/${job}/check`, {}, headers)).toMatchObject({
    status: 204,
  })
  await waitFor(job)
  return job
}
const act = async (job: string, what: 'apply' | 'undo', role: Role = 'steward') => {
  expect(await service.call(role, 'POST', `/jobs/${job}/${what}`)).toMatchObject({ status: 204 })
  return await waitFor(job, what === 'apply' ? 'finished' : 'undone')
}
async function importFile(file: File): Promise<string> {
  const job = await check(file)
  await act(job, 'apply', file.role)
  return job
}
const rowsOf = async (job: string) => {
  const { rows } = await sql<{
    at: number
    outcome: string
    undone: string | null
    code: string | null
    user: string
  }>`
    select at, outcome, undone, code, user_id as "user" from job_users where job_id = ${job}::uuid order by at`.execute(
    service.database.sql,
  )
  return rows
}
const outcomesOf = async (job: string) =>
  (await rowsOf(job)).map(({ outcome, code }) => (code === null ? outcome : `${outcome} ${code}`))
const users = async (): Promise<User[]> => {
  const { body }: { body: UserList } = await service.call('admin', 'GET', '/users')
  return body.users
}
const entitiesOf = async (user: string): Promise<Entity[]> =>
  (await service.call('admin', 'GET', `/users/${user}/entities`)).body
const valuesOf = async (user: string) =>
  (await entitiesOf(user)).map(({ type, properties }) =>
    [type].concat(properties.map(({ key, value }) => `${key}=${JSON.stringify(value)}`)),
  )
const events = async (query = ''): Promise<Event[]> =>
  (await service.call('admin', 'GET', `/events${query}`)).body

const people = [targetOf('.name'), targetOf('.email'), targetOf('phone'), targetOf('born', 'DATE')]

describe('a check', () => {
  test('tells of each row what it would do, and changes nobody', async () => {
    const ana = await service.create('admin', '/users', {
      name: 'Ana',
      email: 'ana@example.org',
      properties: [{ key: 'phone', type: 'TEXT', value: '1' }],
    })
    const before = (await events()).length
    const job = await check({
      columns: people,
      existing: 'overwrite',
      rows: [
        ['Ana', 'ANA@example.org', '1', ''],
        ['Ben', 'ben@example.org', '2', '31.12.1984'],
        ['Eva', 'no address', '3', ''],
        ['Ida', 'ida@example.org', '4', '31.02.1984'],
        ['Ben', 'Ben@Example.org', '2', '31.12.1984'],
        ['Bea', 'ben@example.org', '2', '31.12.1984'],
        ['', '', '', ''],
        ['Ole', 'ole@example.org', '5', '', 'x'],
      ],
    })
    expect(await outcomesOf(job)).toEqual([
      'unchanged',
      'created',
      'refused not_of_type',
      'refused not_of_type',
      'skipped repeated',
      'refused repeated_otherwise',
      'refused nothing',
      'refused width',
    ])
    expect((await users()).map(({ id }) => id)).toEqual([ana])
    expect((await events()).length).toBe(before)
    await act(job, 'apply')
    const [, ben] = await users()
    expect(ben).toMatchObject({ name: 'Ben', email: 'ben@example.org' })
    expect(await valuesOf(ben?.id ?? '')).toEqual([['person', 'phone="2"', 'born="1984-12-31"']])
    expect(await read(job)).toMatchObject({ dryRun: false, outcomes: { created: 1, refused: 5, skipped: 1 } })
  })
})

const person = (...properties: object[]) => properties
const text = (key: string, value: unknown, sensitive = false) => ({ key, type: 'TEXT', value, sensitive })

describe('a user who exists', () => {
  test('is found by id, then e-mail, then ref, and by none of them if they are of several users', async () => {
    const [ana, ben, eva] = [
      await service.create('admin', '/users', { name: 'Ana', email: 'ana@example.org' }),
      await service.create('admin', '/users', { name: 'Ben', email: 'ben@example.org', ref: 'B-1' }),
      await service.create('admin', '/users', { name: 'Eva', ref: 'E-1' }),
    ]
    const job = await importFile({
      columns: [targetOf('.id'), targetOf('.email'), targetOf('.ref'), targetOf('.name')],
      existing: 'overwrite',
      rows: [
        [ana, 'ana@other.example', '', 'Ana A'],
        ['', 'BEN@example.org', '', 'Ben B'],
        ['', '', 'E-1', 'Eva E'],
        ['', 'ben@example.org', 'E-1', 'Who'],
        ['', 'new@example.org', 'N-1', 'New'],
      ],
    })
    expect(await outcomesOf(job)).toEqual([
      'changed',
      'changed',
      'changed',
      'ambiguous several_users',
      'created',
    ])
    expect(await users()).toMatchObject([
      { id: ana, name: 'Ana A', email: 'ana@other.example' },
      { id: ben, name: 'Ben B', email: 'ben@example.org', ref: 'B-1' },
      { id: eva, name: 'Eva E', ref: 'E-1' },
      { name: 'New', email: 'new@example.org', ref: 'N-1' },
    ])
  })

  test.each([
    ['fill', 'leave', ['Ana', 'phone="1"', 'city="Rome"', 'note="n"', 'zip=null']],
    ['fill', 'clear', ['Ana', 'phone="1"', 'city="Rome"', 'note="n"', 'zip=null']],
    ['overwrite', 'leave', ['Bea', 'phone="2"', 'city="Rome"', 'note="n"', 'zip=null']],
    ['overwrite', 'clear', ['Bea', 'phone="2"', 'city="Rome"', 'note=null', 'zip=null']],
    ['skip', 'clear', ['Ana', 'phone="1"', 'city=null', 'note="n"', 'zip=null']],
  ] as const)('with %s and %s', async (existing, empty, [name, ...values]) => {
    const ana = await service.create('admin', '/users', {
      name: 'Ana',
      email: 'ana@example.org',
      ref: 'A-1',
      properties: person(text('phone', '1'), text('city', null), text('note', 'n'), text('zip', null)),
    })
    const columns = ['.name', '.email', '.ref', 'phone', 'city', 'note', 'zip', 'street']
    const row = ['Bea', 'ana@example.org', '', '2', 'Rome', '', '', '']
    const job = await importFile({
      columns: columns.map((each) => targetOf(each)),
      existing,
      empty,
      rows: [row],
    })
    expect(await outcomesOf(job)).toEqual([existing === 'skip' ? 'skipped' : 'changed'])
    expect(await users()).toMatchObject([{ name }])
    const isCleared = existing === 'overwrite' && empty === 'clear'
    expect((await users())[0]?.ref).toBe(isCleared ? undefined : 'A-1')
    expect(await valuesOf(ana)).toEqual([['person', ...values]])
    const again = await check({
      columns: columns.map((each) => targetOf(each)),
      existing,
      empty,
      rows: [row],
    })
    expect(await outcomesOf(again)).toEqual([existing === 'skip' ? 'skipped' : 'unchanged'])
  })

  test('gets one event for the fields and one for each entity, with the reason and several entities of a row', async () => {
    const ana = await service.create('admin', '/users', { name: 'Ana', email: 'ana@example.org' })
    const count = (await events(`?user=${ana}`)).length
    const columns = [
      targetOf('.email'),
      targetOf('.name'),
      targetOf('phone'),
      targetOf('car.plate'),
      targetOf('cat.name'),
    ]
    const rows = [
      ['ana@example.org', 'Ana A', '1', 'B-XY 1', 'Mia'],
      ['ben@example.org', 'Ben', '2', 'B-XY 2', 'Tom'],
    ]
    await importFile({ columns, existing: 'overwrite', rows })
    const [, ben] = await users()
    for (const [user, number] of [
      [ana, 1],
      [ben?.id ?? '', 2],
    ] as const)
      expect(await valuesOf(user)).toEqual([
        ['person', `phone="${number}"`],
        ['car', `plate="B-XY ${number}"`],
        ['cat', `name="${number === 1 ? 'Mia' : 'Tom'}"`],
      ])
    expect((await events(`?user=${ana}`)).length - count).toBe(4)
    expect(await events(`?user=${ben?.id}`)).toHaveLength(4)
    const { body }: { body: UserList } = await service.call('admin', 'POST', '/users/search', { q: 'Ben' })
    expect(body.users).toMatchObject([{ id: ben?.id }])
  })

  test('is left alone if changed since the check', async () => {
    const ana = await service.create('admin', '/users', { name: 'Ana', email: 'ana@example.org' })
    const columns = [targetOf('.email'), targetOf('phone')]
    const job = await check({
      columns,
      rows: [
        ['ana@example.org', '1'],
        ['ben@example.org', '2'],
        ['eva@example.org', '3'],
      ],
    })
    await service.create('admin', `/users/${ana}/entities`, {
      type: 'person',
      properties: [text('phone', '9')],
    })
    await service.create('admin', '/users', { email: 'ben@example.org' })
    const changedRows = async () => {
      const { body } = await service.call('steward', 'GET', `/imports/${job}/rows`)
      const { rows }: { rows: ImportRow[] } = body
      return rows.map(({ outcome, changes, problems }) =>
        [outcome].concat(
          changes.map(({ key }) => key),
          problems.map(({ code }) => code),
        ),
      )
    }
    // Changes that the import will not make are not told.
    expect(await changedRows()).toEqual([
      ['changed', 'changed_since'],
      ['created', 'changed_since'],
      ['created', 'email', 'phone'],
    ])
    await act(job, 'apply')
    expect(await outcomesOf(job)).toEqual(['conflict changed_since', 'conflict changed_since', 'created'])
    expect(await changedRows()).toEqual([
      ['conflict', 'changed_since'],
      ['conflict', 'changed_since'],
      ['created', 'email', 'phone'],
    ])
    expect(await valuesOf(ana)).toEqual([['person', 'phone="9"']])
    // Effects are those of the import then, no longer of the check.
    const { body }: { body: Job } = await service.call('steward', 'GET', `/jobs/${job}`)
    const created = { created: 1, changed: 0, cleared: 0, olderConsents: 0 }
    expect(body.import?.effects).toEqual([
      { key: 'email', ...created },
      { entity: 'person', key: 'phone', ...created },
    ])
  })
})

describe('sealed values', () => {
  const iban = [targetOf('.email'), targetOf('iban', 'TEXT', { sensitive: true })]
  const file = (value: string) => ({
    columns: iban,
    existing: 'overwrite' as const,
    rows: [['ana@example.org', value]],
  })

  test('are never told by the outcome, and never stored in clear', async () => {
    const ana = await service.create('admin', '/users', {
      email: 'ana@example.org',
      properties: [text('iban', 'DE0012', true)],
    })
    for (const guess of ['DE0012', 'DE9999'])
      expect(await outcomesOf(await check(file(guess)))).toEqual(['changed'])
    await importFile(file('DE0013'))
    expect(await entitiesOf(ana)).toMatchObject([{ properties: [{ key: 'iban', sensitive: true }] }])
    const open = [{ ...targetOf('iban') }]
    await importFile({ ...file('DE0014'), columns: [targetOf('.email'), ...open] })
    expect(await valuesOf(ana)).toEqual([['person', 'iban="DE0014"']])
    for (const table of [
      'entities',
      'changesets',
      'events',
      'job_users',
      'jobs',
      'imports',
      'import_identifiers',
    ]) {
      const { rows } = await sql<{
        row: string
      }>`select row_to_json(t)::text as row from ${sql.table(table)} t`.execute(service.database.sql)
      expect(rows.filter(({ row }) => /DE00/.test(row))).toEqual([])
    }
  })

  test('need the right to write them', async () => {
    await service.create('admin', '/users', {
      email: 'ana@example.org',
      properties: [text('iban', 'DE0012', true)],
    })
    const scopes = ['users:read', 'users:write', 'entities:read', 'entities:write'] as const
    const job = await check({ ...file('DE0013'), scopes })
    expect(await outcomesOf(job)).toEqual(['refused insufficient_scope'])
  })

  test('are sealed if the key is defined as sensitive, or sealed everywhere', async () => {
    await service.create('admin', '/users', { properties: [text('iban', 'DE0012', true)] })
    await importFile({
      columns: [targetOf('.email'), targetOf('iban')],
      rows: [['ben@example.org', 'DE0015']],
    })
    const [, ben] = await users()
    expect(await entitiesOf(ben?.id ?? '')).toMatchObject([
      { properties: [{ key: 'iban', sensitive: true }] },
    ])
  })
})

test('a consent that is older than a later word of another status stays', async () => {
  const consent = (status: string, statusDate: string) => ({ status, statusDate })
  const ana = await service.create('admin', '/users', {
    email: 'ana@example.org',
    properties: [{ key: 'news', type: 'PREFERENCE', value: consent('DENIED', '2024-05-01T00:00:00.000Z') }],
  })
  const job = await importFile({
    columns: [targetOf('.email'), targetOf('news', 'PREFERENCE')],
    existing: 'overwrite',
    rows: [['ana@example.org', 'GRANTED 2020-01-01T00:00:00Z']],
  })
  expect(await outcomesOf(job)).toEqual(['unchanged'])
  expect(await entitiesOf(ana)).toMatchObject([{ properties: [{ value: { status: 'DENIED' } }] }])
})

describe('an undo', () => {
  const columns = ['.email', '.name', '.ref', 'phone', 'city', 'car.plate'].map((each) => targetOf(each))
  const rows = [
    ['ana@example.org', 'Ana A', 'A-2', '2', 'Rome', 'B-XY 1'],
    ['ben@example.org', 'Ben B', 'B-2', '3', 'Oslo', 'B-XY 2'],
    ['eva@example.org', 'Eva', '', '4', '', 'B-XY 3'],
    ['ida@example.org', 'Ida', '', '5', '', ''],
  ]
  const begin = async (role: Role = 'admin') => {
    const [ana, ben] = [
      await service.create('admin', '/users', {
        email: 'ana@example.org',
        name: 'Ana',
        ref: 'A-1',
        properties: [text('phone', '1'), text('city', 'Bonn', true)],
      }),
      await service.create('admin', '/users', {
        email: 'ben@example.org',
        properties: [text('city', 'Genf')],
      }),
    ]
    const state = async () => await Promise.all([users(), ...[ana, ben].map(entitiesOf)])
    const before = await state()
    const job = await importFile({ columns, existing: 'overwrite', rows, role })
    expect(await outcomesOf(job)).toEqual(['changed', 'changed', 'created', 'created'])
    return { ana, ben, job, before, state }
  }

  test('puts back every value, and deletes the users whom the import created', async () => {
    const { job, before, state } = await begin()
    const now = await act(job, 'undo', 'admin')
    expect(now.undone).toEqual({ undone: 4 })
    expect(await state()).toEqual(before)
    const { body }: { body: { erasures: object[] } } = await service.call(
      'admin',
      'GET',
      '/erasures?state=all',
    )
    expect(body.erasures).toMatchObject([
      { reference: `undo of import ${job}` },
      { reference: `undo of import ${job}` },
    ])
  })

  test('leaves what others have changed since', async () => {
    const { ana, ben, job } = await begin()
    const [person] = await entitiesOf(ana)
    await service.call('admin', 'PATCH', `/users/${ana}/entities/${person?.id}`, {
      properties: [text('phone', '9')],
    })
    await service.call('admin', 'PATCH', `/users/${ben}`, { name: 'Benjamin' })
    const [, , eva, ida] = await users()
    await service.create('admin', `/users/${eva?.id}/entities`, { type: 'cat' })
    await service.call('admin', 'DELETE', `/users/${ida?.id}`)
    const now = await act(job, 'undo', 'admin')
    expect(now.undone).toEqual({ conflict: 3, not_found: 1 })
    expect(await users()).toMatchObject([{ name: 'Ana', ref: 'A-1' }, { name: 'Benjamin' }, { name: 'Eva' }])
    expect(await valuesOf(ana)).toEqual([['person', 'phone="9"', 'city="Bonn"']])
    expect(await valuesOf(ben)).toEqual([['person', 'city="Genf"']])
  })

  test('puts back rows with as many statements as one, but for a row whose e-mail is another’s by now', async () => {
    const names = Array.from({ length: 6 }, (_, n) => `ana.${n}`)
    for (const name of names)
      await service.create('admin', '/users', {
        email: `${name}@example.org`,
        ref: name,
        properties: [text('phone', '1')],
      })
    const file = {
      columns: ['.ref', '.email', 'phone'].map((each) => targetOf(each)),
      existing: 'overwrite',
      role: 'admin',
      rows: names.map((name) => [name, `${name}@example.com`, '2']),
    } as const
    const job = await importFile(file)
    const query = vi.spyOn(Client.prototype, 'query')
    await act(job, 'undo', 'admin')
    const texts = query.mock.calls as unknown[][]
    query.mockRestore()
    const countOf = (pattern: RegExp) => texts.filter(([given]) => pattern.test(String(given))).length
    expect([countOf(/update users set/), countOf(/update entities set/)]).toEqual([1, 1])
    expect((await users()).map(({ email }) => email)).toEqual(names.map((name) => `${name}@example.org`))
    const again = await importFile(file)
    await service.create('admin', '/users', { email: 'ana.3@example.org' })
    expect((await act(again, 'undo', 'admin')).undone).toEqual({ refused: 1, undone: 5 })
    expect((await rowsOf(again))[3]).toMatchObject({ undone: 'refused', code: 'email_taken' })
  })

  test('needs the right to delete users', async () => {
    const { job, before, state } = await begin('steward')
    const scope = 'users:read users:write entities:read entities:write sensitive:write'
    const authorization = `Bearer ${await service.sign({ sub: 'steward', scope })}`
    const request = { method: 'POST', headers: { authorization } }
    expect((await service.fetch(`${service.baseUrl}/jobs/${job}/undo`, request)).status).toBe(204)
    expect((await waitFor(job, 'undone')).undone).toEqual({ refused: 2, undone: 2 })
    expect((await rowsOf(job)).map(({ code }) => code)).toEqual([
      null,
      null,
      ...Array(2).fill('insufficient_scope'),
    ])
    await act(job, 'undo')
    expect(await state()).toEqual(before)
  })
})

describe('rows of a file', () => {
  const file = {
    columns: [
      targetOf('.email'),
      targetOf('.name'),
      targetOf('phone'),
      targetOf('iban', 'TEXT', { sensitive: true }),
    ],
    existing: 'overwrite' as const,
    bad: 'cell' as const,
    rows: [
      ['ana@example.org', 'Ana A', '2', 'DE0099'],
      ['ben@example.org', 'Ben', '3', ''],
      ['no address', 'Eva', '4', ''],
      ['', '', '', ''],
    ],
  }
  const rows = async (job: string, query = '', role: Role = 'steward') => {
    const { status, body }: { status: number; body: { next: string; rows: ImportRow[] } } =
      await service.call(role, 'GET', `/imports/${job}/rows${query}`)
    expect(status).toBe(200)
    return body.rows
  }

  test('are told with what they change, before and after the import', async () => {
    const ana = await service.create('admin', '/users', {
      email: 'ana@example.org',
      name: 'Ana',
      properties: [text('phone', '1'), text('iban', 'DE0012', true)],
    })
    const job = await check(file)
    const ofAna = [
      { column: 1, key: 'name', type: 'TEXT', before: 'Ana', after: 'Ana A' },
      { column: 2, entity: 'person', key: 'phone', type: 'TEXT', before: '1', after: '2' },
      { column: 3, entity: 'person', key: 'iban', type: 'TEXT', masked: true },
    ]
    const problem = {
      column: 0,
      code: 'not_of_type',
      cell: 'no address',
      detail: 'Not an e-mail address.',
    }
    expect(await rows(job)).toEqual([
      {
        row: 2,
        outcome: 'changed',
        user: ana,
        name: 'Ana',
        by: 'email',
        cells: file.rows[0],
        changes: ofAna,
        problems: [],
      },
      {
        row: 3,
        outcome: 'created',
        cells: file.rows[1],
        changes: expect.arrayContaining([
          { column: 2, entity: 'person', key: 'phone', type: 'TEXT', after: '3' },
        ]),
        problems: [],
      },
      { row: 4, outcome: 'created', cells: file.rows[2], changes: expect.any(Array), problems: [problem] },
      {
        row: 5,
        outcome: 'refused',
        cells: file.rows[3],
        changes: [],
        problems: [expect.objectContaining({ code: 'nothing' })],
      },
    ])
    expect((await rows(job, '?outcome=created')).map(({ row }) => row)).toEqual([3, 4])
    expect((await rows(job, '?offset=2')).map(({ row }) => row)).toEqual([4, 5])
    const before = await service.call('steward', 'GET', `/jobs/${job}`)
    expect(before.body).toMatchObject({
      import: {
        rows: 4,
        effects: expect.arrayContaining([
          { key: 'name', created: 2, changed: 1, cleared: 0, olderConsents: 0 },
          { entity: 'person', key: 'phone', created: 2, changed: 1, cleared: 0, olderConsents: 0 },
          { entity: 'person', key: 'iban', created: 0, changed: 1, cleared: 0, olderConsents: 0 },
        ]),
        causes: [
          {
            column: 0,
            header: 'email',
            code: 'not_of_type',
            count: 1,
            cells: [{ cell: 'no address', count: 1 }],
          },
          { code: 'nothing', count: 1 },
        ],
      },
    })
    const { body: ofOther } = await service.call('admin', 'GET', `/jobs/${job}`)
    expect(JSON.stringify(ofOther)).not.toContain('no address')
    await act(job, 'apply')
    expect((await rows(job))[0]).toEqual({
      row: 2,
      outcome: 'changed',
      user: ana,
      name: 'Ana A',
      cells: file.rows[0],
      changes: ofAna,
      problems: [],
    })
    await act(job, 'undo')
    expect((await rows(job, '?undone=undone')).map(({ row, undone }) => [row, undone])).toEqual([
      [2, 'undone'],
      [3, 'undone'],
      [4, 'undone'],
    ])
  })

  test('that are left out come as a file to correct and bring back', async () => {
    const left = {
      ...file,
      bad: 'row' as const,
      rows: [
        ...file.rows,
        ['ben@example.org', 'Bea', "'0038", '=1+1'],
        ['ben@example.org', 'Bea', '="0039"', "'=1+1"],
      ],
    }
    const job = await check(left)
    await act(job, 'apply')
    const token = await service.token('steward')
    const answer = await service.fetch(`${service.baseUrl}/jobs/${job}/file`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv;charset=UTF-8'])
    expect((await answer.text()).split('\r\n')).toEqual([
      '"email","name","phone","iban","error"',
      '"no address","Eva","4","","email: Not an e-mail address."',
      '"","","","","The row is empty in all imported columns."',
      `"ben@example.org","Bea","'0038","'=1+1","Row 3 has other values for the same user."`,
      `"ben@example.org","Bea","'0039","'=1+1","Row 3 has other values for the same user."`,
      '',
    ])
    expect(await service.call('admin', 'GET', `/jobs/${job}/file`)).toMatchObject({ status: 404 })
  })

  test('leave out the date that the service gives a new user', async () => {
    const columns = [targetOf('.name'), targetOf('.email')]
    const job = await check({ columns, rows: [['Ana', 'ana@example.org']] })
    const keys = async () => {
      const { body } = await service.call('steward', 'GET', `/imports/${job}/rows`)
      return (body as { rows: ImportRow[] }).rows.map(({ changes }) => changes.map(({ key }) => key))
    }
    expect(await keys()).toEqual([['email', 'name']])
    await act(job, 'apply')
    expect(await keys()).toEqual([['email', 'name']])
  })

  test('are for the author of the import alone', async () => {
    const job = await check(file)
    for (const [method, what] of [
      ['GET', 'rows'],
      ['POST', 'check'],
    ] as const)
      expect(
        await service.call('admin', method, `/imports/${job}/${what}`, method === 'POST' ? {} : undefined),
      ).toMatchObject({
        status: 404,
        body: { code: 'job_not_found' },
      })
  })
})

test('a check is begun again by another mapping, and never after the import', async () => {
  const job = await check({ columns: people, rows: [['Ana', 'ana@example.org', '1', '']] })
  const again = () => service.call('steward', 'POST', `/imports/${job}/check`, {})
  expect(await again()).toMatchObject({ status: 204 })
  await waitFor(job)
  expect(await outcomesOf(job)).toEqual(['created'])
  await act(job, 'apply')
  expect(await again()).toMatchObject({ status: 409, body: { code: 'already_imported' } })
  await sql`update jobs set dry_run = true`.execute(service.database.sql)
  await sql`delete from imports`.execute(service.database.sql)
  expect(await again()).toMatchObject({ status: 410, body: { code: 'rows_gone' } })
})

test('a row that the database refuses is refused alone, and the others stand', async () => {
  const target = await service.create('admin', '/users', { name: 'Target' })
  const columns = [targetOf('.name'), targetOf('friend', 'RELATIONSHIP')]
  const rows = Array.from({ length: 40 }, (_, n) => [`Ana ${n}`, n === 17 ? crypto.randomUUID() : target])
  const refused = rows.map((_, n) => (n === 17 ? 'refused unknown_target' : 'created'))
  const job = await check({ columns, rows })
  expect(await outcomesOf(job)).toEqual(refused)
  // Checked while there was such a user.
  await sql`update job_users set outcome = 'created', code = null`.execute(service.database.sql)
  await act(job, 'apply')
  expect(await outcomesOf(job)).toEqual(refused)
  expect(await users()).toHaveLength(40)
  expect(await events('?type=USER_CREATED')).toHaveLength(40)
})

test('after an undo everything is stored as it was before the import, but for the log', async () => {
  for (let n = 0; n < 20; n++)
    await service.create('admin', '/users', {
      email: `ana.${n}@example.org`,
      name: `Åse ${n}`,
      ...(n % 2 === 0 && { ref: `A-${n}` }),
      properties: [
        text('phone', `+49 30 ${n}`),
        text('iban', `DE${n}`, true),
        { key: 'points', type: 'NUMBER', value: n },
        ...(n % 3 === 0
          ? [
              {
                key: 'news',
                type: 'PREFERENCE',
                value: { status: 'GRANTED', statusDate: '2024-05-01T00:00:00.000Z' },
              },
            ]
          : []),
      ],
    })
  const before = await readKept(service.database)
  const job = await importFile({
    columns: [
      targetOf('.email'),
      targetOf('.name'),
      targetOf('.ref'),
      targetOf('.since', 'DATETIME'),
      targetOf('phone'),
      targetOf('iban'),
      targetOf('points', 'DECIMAL'),
      targetOf('news', 'PREFERENCE'),
      targetOf('city'),
      targetOf('car.plate'),
    ],
    existing: 'overwrite',
    empty: 'clear',
    rows: Array.from({ length: 30 }, (_, n) => [
      `ana.${n}@example.org`,
      `Zoë ${n}`,
      n % 4 === 0 ? '' : `Z-${n}`,
      '2020-01-01T00:00:00Z',
      n % 5 === 0 ? '' : `${n}`,
      `FR${n}`,
      `${n}.50`,
      'DENIED 2025-01-01T00:00:00Z',
      'Oslo',
      n % 7 === 0 ? '' : `B-XY ${n}`,
    ]),
  })
  expect((await read(job)).outcomes).toEqual({ changed: 20, created: 10 })
  expect(findDifferences(before, await readKept(service.database))).not.toEqual([])
  expect((await act(job, 'undo')).undone).toEqual({ undone: 30 })
  expect(findDifferences(before, await readKept(service.database))).toEqual([])
})
