import { beforeEach, describe, expect, test } from 'vitest'

import type { ImportView } from '#contract/import.ts'
import type { Job } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'
import { messyColumns, messyFile } from '../testing/messy-file.ts'
import { idOf } from '../testing/service.ts'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

async function send(file: string, query = ''): Promise<string> {
  const answer = await service.call('steward', 'POST', `/imports${query}`, Buffer.from(file), {
    'content-type': 'text/csv',
  })
  expect(answer).toMatchObject({ status: 201 })
  return idOf(answer)
}
const view = async (job: string): Promise<ImportView> =>
  (await service.call('steward', 'GET', `/imports/${job}`)).body
const map = (job: string, columns: readonly object[], more: object = {}) =>
  service.call('steward', 'PUT', `/imports/${job}/mapping`, { columns, ...more })
const define = (key: string, definition: object) =>
  service.call('admin', 'PUT', `/definitions/person/${key}`, definition)
const ended = async (job: string): Promise<Job> => {
  await expect
    .poll(async () => ((await service.call('steward', 'GET', `/jobs/${job}`)).body as Job).state, {
      timeout: 30_000,
    })
    .toBe('finished')
  return (await service.call('steward', 'GET', `/jobs/${job}`)).body
}
const ignore = { to: 'ignore' }
const field = (name: string) => ({ to: 'field', field: name })

describe('a file', () => {
  test('tells how it was read, with three values of each column and its first rows', async () => {
    const job = await send(
      "Customers\n\nName;E-Mail;E-Mail\nRosa;a@x.example;1\nRosa;b@x.example;2\nTom;;'03\nEva;;4\n",
    )
    expect(await view(job)).toMatchObject({
      job,
      state: 'ready',
      found: {
        encoding: 'utf-8',
        separator: ';',
        header: 3,
        rows: 4,
        guarded: 1,
        doubled: ['E-Mail'],
        isOwn: false,
      },
      columns: [
        { header: 'Name', samples: ['Rosa', 'Tom', 'Eva'] },
        { header: 'E-Mail', samples: ['a@x.example', 'b@x.example'] },
        { header: 'E-Mail (2)', samples: ['1', '2', '03'] },
      ],
      firstRows: [
        { row: 1, cells: ['Customers'] },
        { row: 3, cells: ['Name', 'E-Mail', 'E-Mail'] },
        { row: 4 },
        { row: 5 },
        { row: 6 },
        { row: 7 },
      ],
    })
  })

  test('is shown to its author alone, and changed by nobody else', async () => {
    const job = await send('Name\nRosa\n')
    expect(await service.call('admin', 'GET', `/imports/${job}`)).toMatchObject({ status: 404 })
    const mapping = { columns: [field('name')] }
    expect(await service.call('admin', 'PUT', `/imports/${job}/mapping`, mapping)).toMatchObject({
      status: 404,
    })
    expect(await service.call('support', 'GET', `/imports/${job}`)).toMatchObject({ status: 403 })
  })
})

describe('the proposed targets', () => {
  const proposed = async (file: string) =>
    (await view(await send(file))).columns.map(({ proposed: target }) => target)

  test('come from headers, definitions and their labels, and are sealed where these say so', async () => {
    await define('iban', { type: 'TEXT', sensitive: true, label: { en: 'IBAN', de: 'Bankverbindung' } })
    await define('birthday', { type: 'DATE' })
    const seal = (sensitive: boolean, key: string, type: string) => ({
      to: 'property',
      entity: 'person',
      key,
      type,
      sensitive,
    })
    expect(
      await proposed(
        'Vorname;Nachname;Kundennummer;Bankverbindung;Geburtsdatum;Farbe\nA;B;1;DE1;1.2.1984;rot\n',
      ),
    ).toEqual([
      field('first'),
      field('last'),
      field('ref'),
      seal(true, 'iban', 'TEXT'),
      seal(false, 'birthday', 'DATE'),
      ignore,
    ])
  })

  test('come from the properties that exist, though these have not been counted yet', async () => {
    await service.create('admin', '/users', {
      properties: [
        { key: 'fuel', type: 'TEXT', value: 'gas' },
        { key: 'badge', type: 'TEXT', value: '7', sensitive: true },
      ],
    })
    const lock = await service.database.pool.connect()
    try {
      await lock.query('begin; lock table entities in access exclusive mode')
      expect(await proposed('Name;Fuel;Badge\nRosa;gas;9\n')).toMatchObject([
        field('name'),
        { to: 'property', key: 'fuel', type: 'TEXT', sensitive: false },
        { to: 'property', key: 'badge', type: 'TEXT', sensitive: true },
      ])
    } finally {
      await lock.query('rollback')
      lock.release()
    }
  })

  test('are certain for an export of ours, whatever the entity type', async () => {
    const id = '019574f9-fbd0-7763-bd04-01b78874083a'
    const job = await send(`id,name,created,car.plate (each),person.iban (sensitive)\n${id},Rosa,,B-1,DE1\n`)
    const { found, columns } = await view(job)
    expect(found.isOwn).toBe(true)
    expect(columns.map(({ proposed: target }) => target)).toEqual([
      field('id'),
      field('name'),
      ignore,
      { to: 'property', entity: 'car', key: 'plate', type: 'TEXT', sensitive: false },
      { to: 'property', entity: 'person', key: 'iban', type: 'TEXT', sensitive: true },
    ])
  })
})

describe('a mapping', () => {
  test('says how each column is read, and asks once about what has two meanings', async () => {
    const job = await send('Name,Born,Sum,Vip\nRosa,3/1/2024,"1,5",ja\nTom,4/2/2024,2,vielleicht\nEva,,x,\n')
    const property = (key: string, type: string, more: object = {}) => ({
      to: 'property',
      key,
      type,
      ...more,
    })
    const { status, body } = await map(job, [
      field('name'),
      property('born', 'DATE'),
      property('sum', 'DECIMAL'),
      property('vip', 'BOOLEAN', { words: { vielleicht: null } }),
    ])
    expect(status).toBe(200)
    const { readings = [] } = body as ImportView
    expect(readings.map((each) => each && [each.read, each.empty, each.bad])).toEqual([
      [3, 0, 0],
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ])
    expect(readings[1]).toMatchObject({
      badCells: [
        { cell: '3/1/2024', count: 1, cause: 'ambiguous' },
        { cell: '4/2/2024', count: 1, cause: 'ambiguous' },
      ],
      questions: [
        {
          of: 'order',
          cell: '3/1/2024',
          options: [
            { choice: 'day', value: '2024-01-03' },
            { choice: 'month', value: '2024-03-01' },
          ],
        },
      ],
    })
    expect(readings[2]).toMatchObject({ example: { cell: '1,5', value: '1.5' }, badCells: [{ cell: 'x' }] })
    expect(await view(job)).toEqual(body)
    const answered = await map(job, [
      ignore,
      property('born', 'DATE', { choices: { order: 'day' } }),
      ignore,
      ignore,
    ])
    expect((answered.body as ImportView).readings).toMatchObject([null, { read: 2, bad: 0 }, null, null])
  })

  test.each<[string, object[], string, string]>([
    ['for another number of columns', [ignore], '/columns', 'Give one target for each of the 3 columns'],
    ['without any target', [ignore, ignore, ignore], '/columns', 'Give at least one column'],
    [
      'with a field twice',
      [field('name'), field('name'), ignore],
      '/columns/1/field',
      'Another column is imported as this already.',
    ],
    [
      'with a part beside the whole name',
      [field('name'), field('last'), ignore],
      '/columns/1/field',
      'the whole name',
    ],
    [
      'with a property twice',
      [
        { to: 'property', key: 'a', type: 'TEXT' },
        { to: 'property', key: 'a', type: 'DATE', entity: 'person' },
        { to: 'property', key: 'a', type: 'TEXT', entity: 'car' },
      ],
      '/columns/1/key',
      'Another column is imported as this already.',
    ],
    [
      'with a value that is none of the type',
      [{ to: 'property', key: 'a', type: 'DATE', words: { soon: 'later' } }, ignore, ignore],
      '/columns/0/words/soon',
      'date',
    ],
    ['to nowhere', [{ to: 'x' }, ignore, ignore], '/columns/0/to', 'Give to: ignore, field or property.'],
  ])('%s is refused in a sentence, at its place', async (_, columns, place, detail) => {
    const job = await send('Name,Last,Ref\nRosa,Klein,1\n')
    const { status, body } = await map(job, columns)
    const { errors } = body as { errors: { pointer: string; detail: string }[] }
    expect([status, errors[0]?.pointer]).toEqual([422, place])
    expect(errors[0]?.detail).toContain(detail)
    expect((await view(job)).mapping).toBeUndefined()
  })

  test.each(['fill', 'skip'])(
    'that clears by empty cells is refused in a sentence where values are not overwritten: %s',
    async (existing) => {
      const job = await send('Name,Last,Ref\nRosa,Klein,1\n')
      const columns = [field('name'), ignore, ignore]
      expect(await map(job, columns, { existing, empty: 'clear' })).toMatchObject({
        status: 422,
        body: {
          errors: [
            { pointer: '/empty', code: 'invalid', detail: expect.stringMatching(/^Empty cells clear/) },
          ],
        },
      })
      expect(await map(job, columns, { existing: 'overwrite', empty: 'clear' })).toMatchObject({
        status: 200,
      })
    },
  )

  test('that leaves values in clear where nearly all others are sealed is warned of by the job', async () => {
    const person = (key: string, sensitive: boolean) =>
      service.create('steward', '/users', { properties: [{ key, type: 'TEXT', value: 'x', sensitive }] })
    for (let n = 0; n < 12; n += 1) await person('often', true)
    for (const [key, sensitive] of [
      ['often', false],
      ['always', true],
      ['never', false],
    ] as const)
      await person(key, sensitive)
    const job = await send('A,B,C\n1,2,3\n')
    const columns = ['often', 'always', 'never'].map((key) => ({ to: 'property', key, type: 'TEXT' }))
    await map(job, columns)
    // A property that is sealed for all others is sealed by the import.
    expect(await service.call('steward', 'GET', `/jobs/${job}`)).toMatchObject({
      body: { warnings: [{ code: 'known_sensitive', entity: 'person', key: 'often' }] },
    })
    await map(job, columns.with(0, { ...columns[0], sensitive: true } as never))
    const { body } = await service.call('steward', 'GET', `/jobs/${job}`)
    expect(body).not.toHaveProperty('warnings')
  })

  test('that seals is refused to somebody who may not', async () => {
    const scope = 'users:read users:write entities:read entities:write'
    const headers = { authorization: `Bearer ${await service.sign({ sub: 'narrow', scope })}` }
    const file = Buffer.from('Name,Iban\nRosa,DE1\n')
    const nobody = undefined
    const job = idOf(
      await service.call(nobody, 'POST', '/imports', file, { ...headers, 'content-type': 'text/csv' }),
    )
    const columns = [field('name'), { to: 'property', key: 'iban', type: 'TEXT', sensitive: true }]
    expect(await service.call(nobody, 'PUT', `/imports/${job}/mapping`, { columns }, headers)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/columns/1/sensitive', code: 'sensitive_property' }] },
    })
  })

  test('after a check forgets what that found; after the import there is none', async () => {
    const job = await send('Name,Ref\nRosa,1\nTom,2\n')
    await map(job, [field('name'), field('ref')])
    await service.call('steward', 'POST', `/imports/${job}/check`, {})
    expect(await ended(job)).toMatchObject({ outcomes: { created: 2 } })
    expect(await map(job, [ignore, field('ref')])).toMatchObject({ status: 200, body: { state: 'ready' } })
    expect((await service.call('steward', 'GET', `/jobs/${job}`)).body).toMatchObject({
      state: 'ready',
      total: 2,
      done: 0,
    })
    expect(await service.call('steward', 'POST', `/jobs/${job}/apply`)).toMatchObject({ status: 409 })
    await service.call('steward', 'POST', `/imports/${job}/check`, {})
    await ended(job)
    await service.call('steward', 'POST', `/jobs/${job}/apply`)
    await ended(job)
    expect(await map(job, [field('name'), ignore])).toMatchObject({
      status: 409,
      body: { code: 'already_imported' },
    })
  })
})

test('a messy file of 500 rows becomes 488 users, and nine cells are said', async () => {
  await define('phone', { type: 'TEXT', sensitive: true })
  await define('birthday', { type: 'DATE' })
  const job = await send(messyFile())
  const { found, columns } = await view(job)
  expect(found).toMatchObject({ rows: 500, separator: ';', encoding: 'utf-8', header: 1, guarded: 500 })
  expect(columns.map(({ proposed }) => proposed.to)).toEqual([
    'field',
    'field',
    'field',
    'property',
    'ignore',
    'ignore',
    'ignore',
    'ignore',
    'property',
  ])
  const mapped = await map(job, messyColumns, { bad: 'cell' })
  const readings = (mapped.body as ImportView).readings ?? []
  expect(readings.map((each) => each?.bad)).toEqual([0, 0, 4, 5, 0, 0, 0, 0, 0])
  await service.call('steward', 'POST', `/imports/${job}/check`, {})
  const checked = await ended(job)
  expect(checked.outcomes?.created).toBe(488)
  await service.call('steward', 'POST', `/jobs/${job}/apply`)
  await ended(job)
  const { rows } = await service.database.pool.query<{ text: string }>(
    'select e::text as text from entities e union all select c::text from changesets c',
  )
  expect(rows.some(({ text }) => text.includes('0049 1'))).toBe(false)
  const { rows: users } = await service.database.pool.query<{ count: number }>(
    'select count(*)::int from users',
  )
  expect(users).toEqual([{ count: 488 }])
})
