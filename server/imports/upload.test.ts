import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import type { ImportView } from '#contract/import.ts'
import type { Job } from '#contract/index.ts'
import { limits } from '../http/connections.ts'
import { uploadLimits } from '../http/upload.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'
import { readChunk } from './chunks.ts'
import { dropOne } from './tidying.ts'

/** Time that a request may take here: a second instead of fifteen, so that no test waits for that. */
const requestMs = 1000
const usual = { ...limits }
beforeAll(() => void Object.assign(limits, { headersMs: requestMs, requestMs }))
afterAll(() => void Object.assign(limits, usual))

const service = testService()
beforeEach(() => service.reset())

const send = (file: string | Buffer, query = '', type = 'text/csv') =>
  service.call('steward', 'POST', `/imports${query}`, Buffer.from(file), { 'content-type': type })
const rowsOf = async (job: string) => (await readChunk(service.database, job, 0)) ?? []
const view = async (job: string) =>
  (await service.call('steward', 'GET', `/imports/${job}`)).body as ImportView
const left = async () => {
  const { rows } = await sql<{ table: string; rows: number }>`
    select 'imports' as table, count(*)::int as rows from imports
    union all select 'import_chunks', count(*)::int from import_chunks
    union all select 'jobs', count(*)::int from jobs order by 1`.execute(service.database.sql)
  return Object.fromEntries(rows.map(({ table, rows }) => [table, rows]))
}
const nothing = { imports: 0, import_chunks: 0, jobs: 0 }

const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const windows = (text: string) => Buffer.from(text, 'latin1')

describe('a file', () => {
  test.each<[string, string | Buffer, readonly (readonly string[])[]]>([
    [
      'with semicolons and a row that names them',
      'sep=;\r\nName;E-mail;Ref\r\nRosa Klein;rosa@example.org;K-1\r\n',
      [['Rosa Klein', 'rosa@example.org', 'K-1']],
    ],
    [
      'with separators at the ends of rows',
      'Name,E-mail,Ref,,\nRosa Klein,rosa@example.org,K-1,,\nTom,,K-2\n',
      [
        ['Rosa Klein', 'rosa@example.org', 'K-1'],
        ['Tom', '', 'K-2'],
      ],
    ],
    [
      'with lines above the header',
      'Customers of May\n\nprinted 1 June\nName,E-mail\nRosa,rosa@example.org\n',
      [['Rosa', 'rosa@example.org']],
    ],
    ['in UTF-16 without a mark', utf16('Name;Ref\r\nJürgen Klein;K-40\r\n'), [['Jürgen Klein', 'K-40']]],
    ['in Windows-1252', windows('Name;Ref\r\nJürgen Klein;K-40\r\n'), [['Jürgen Klein', 'K-40']]],
    [
      'with quotes after blanks, separators and line ends within them',
      'Name, "E-mail", Ref\n"Klein, Rosa", "rosa@example.org", "K\n41"\n',
      [['Klein, Rosa', 'rosa@example.org', 'K\n41']],
    ],
    ['with guards and leading zeros', "Name,Ref\nRosa,'000046\n", [['Rosa', "'000046"]]],
  ])('%s is received as a table', async (_, file, rows) => {
    const answer = await send(file)
    expect(answer).toMatchObject({ status: 201 })
    const job = idOf(answer)
    expect(answer.headers.get('location')).toBe(`${service.baseUrl}/imports/${job}`)
    expect((await rowsOf(job)).map(([, cells]) => cells)).toEqual(rows)
    const { body }: { body: Job } = await service.call('steward', 'GET', `/jobs/${job}`)
    expect(body).toMatchObject({ kind: 'import', state: 'ready', dryRun: true, total: rows.length, done: 0 })
  })

  test('is kept sealed, 500 rows together, with their numbers in the file', async () => {
    const rows = Array.from({ length: 1203 }, (_, index) => `Secret ${index},r${index}`)
    const job = idOf(await send(`Name,Ref\n${rows.join('\n')}\n`))
    expect(await left()).toEqual({ imports: 1, import_chunks: 3, jobs: 1 })
    const last = await readChunk(service.database, job, 2)
    expect([last?.length, last?.at(-1)]).toEqual([203, [1204, ['Secret 1202', 'r1202']]])
    const stored = await sql<{ text: string }>`
      select t::text as text from (select * from jobs) t union all select encode(sealed, 'escape') from import_chunks`.execute(
      service.database.sql,
    )
    expect(stored.rows.some(({ text }) => text.includes('Secret'))).toBe(false)
  })

  test('is read as it is asked for', async () => {
    const file = 'a;b,c\nName,Ref;x\nRosa,K-1;y\n'
    const job = idOf(await send(file, '?separator=%3B&header=2'))
    expect(await rowsOf(job)).toEqual([[3, ['Rosa,K-1', 'y']]])
    const bare = idOf(await send(file, '?separator=,&header=none'))
    expect(await rowsOf(bare)).toHaveLength(3)
    expect(await send(file, '?header=first')).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', errors: [{ detail: 'Give the number of a row, or none.' }] },
    })
    expect(await send(file, '?header=900')).toMatchObject({ body: { cause: 'header', row: 900 } })
  })
})

describe('lines of JSON', () => {
  test('are rows, whose columns are their members by name, those of later lines too', async () => {
    const first = { name: 'Rosa', ref: 1, member: true, note: "'=1", mail: null }
    const others = Array.from({ length: 300 }, (_, at) => JSON.stringify({ ref: `K-${at}`, name: 'Tom' }))
    const last = '{"name":"Eva","size":12345678901234567890.10}'
    const file = `${JSON.stringify(first)}\r\n\n${others.join('\n')}\n${last}`
    const job = idOf(await send(file, '', 'application/x-ndjson'))
    const rows = await rowsOf(job)
    expect(rows).toHaveLength(302)
    expect(rows[0]).toEqual([1, ['Rosa', '1', 'true', "''=1", '']])
    expect(rows[1]).toEqual([3, ['Tom', 'K-0', '', '', '']])
    expect(rows.at(-1)).toEqual([303, ['Eva', '', '', '', '', '12345678901234567890.10']])
    const { found, columns } = await view(job)
    expect(found).toMatchObject({ lines: true, rows: 302, encoding: 'utf-8' })
    expect(found).not.toHaveProperty('header')
    expect(columns.map(({ header }) => header)).toEqual(['name', 'ref', 'member', 'note', 'mail', 'size'])
    const targets = columns.map(({ proposed }) => proposed)
    expect(
      (await service.call('steward', 'PUT', `/imports/${job}/mapping`, { columns: targets })).status,
    ).toBe(200)
  })

  test.each<[string, string, string, string]>([
    ['a line that is none', '{"a":1}\n{"a":', 'line', 'Line 2 is no object of JSON'],
    ['a line that is a list', '{"a":1}\n[1]\n', 'line', 'Line 2 is no object'],
    ['an object within', '{"a":1}\n{"a":{"b":2}}\n', 'nested', 'In line 2 “a” is a list or an object.'],
    ['a line without an end', `{"a":1}\n{"a":"${'x'.repeat(17_000_000)}`, 'long_row', 'Row 2 is longer'],
    ['empty objects', '{}\n{}\n', 'empty', 'The file is empty.'],
    [
      'more than 1,000 members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`k${at}`, 1]))),
      'columns',
      'more than 1,000 columns',
    ],
  ])('%s is refused in a sentence, and nothing is kept', async (_, file, cause, sentence) => {
    const answer = await send(file, '', 'application/x-ndjson')
    expect(answer).toMatchObject({ status: 422, body: { code: 'unreadable_file', cause } })
    expect((answer.body as { detail: string }).detail).toContain(sentence)
    expect(await left()).toEqual(nothing)
  })
})

describe('a bad file is refused in a sentence, and nothing of it is kept:', () => {
  const wide = `${'Name,'.repeat(1000)}Ref\n`
  test.each<[string, string | Buffer, string, string]>([
    ['an empty one', '', 'empty', 'The file is empty.'],
    ['blank rows', '\n , \n\n', 'empty', 'The file is empty.'],
    ['a header alone', 'Name,Ref\n', 'rows', 'The file has names of columns, and no row below them.'],
    ['random bytes', randomBytes(300_000), 'binary', 'The file is no text.'],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'binary', 'The file is no text.'],
    ['JSON', '{\n  "name": "Rosa"\n}\n', 'table', 'The file is no table'],
    ['a web page', '<html>\n<body>\n</body>\n</html>', 'table', 'The file is no table'],
    [
      'an older workbook',
      Buffer.from('d0cf11e0a1b11ae100', 'hex'),
      'workbook',
      'one with a password. Save it as .xlsx',
    ],
    ['a quote that never ends', 'Name,Ref\n"Rosa,K-1\n', 'quotes', 'in row 2 never ends'],
    ['a text after a quote', 'Name,Ref\nTom,1\n"Rosa"x,K-1\n', 'quotes', 'In row 3 a text follows the quote'],
    ['more than 1,000 columns', wide, 'columns', 'The file has more than 1,000 columns.'],
    [
      'a million columns',
      `${'a,'.repeat(1_000_000)}\n1\n`,
      'columns',
      'The file has more than 1,000 columns.',
    ],
    ['a row without an end', `Name,Ref\n${'x'.repeat(17_000_000)}`, 'long_row', 'Row 2 is longer'],
    [
      'rows that are too large together',
      `Name,Ref\n${`Rosa,${'x'.repeat(65_000)}\n`.repeat(300)}`,
      'large_rows',
      'are larger than rows can be',
    ],
  ])('%s', async (_, file, cause, sentence) => {
    const answer = await send(file)
    expect(answer).toMatchObject({ status: 422, body: { code: 'unreadable_file', cause } })
    expect((answer.body as { detail: string }).detail).toContain(sentence)
    expect(await left()).toEqual(nothing)
  })

  test('letters of another encoding than the chosen one', async () => {
    const answer = await send(windows('Name\nJürgen\n'), '?encoding=utf-8')
    expect(answer).toMatchObject({ status: 422, body: { cause: 'encoding' } })
  })

  test('another type', async () => {
    const answer = await send('{}', '', 'application/json')
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
    expect((answer.body as { detail: string }).detail).toContain('Send the file as Content-Type: text/csv')
  })

  test.each(['', 'csv', 'text', '/'])('no media type: %j', async (type) => {
    const answer = await send(windows('Name\n'), '', type)
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
    expect((answer.body as { detail: string }).detail).toContain('Send the file as Content-Type: text/csv,')
  })

  test('cells of 65 KB, and a name that two columns have, are no fault of the file', async () => {
    const job = idOf(await send(`Name,Notes,Notes\nRosa,${'x'.repeat(65_000)},y\n`))
    expect((await rowsOf(job)).map(([, cells]) => cells.map(({ length }) => length))).toEqual([
      [4, 65_000, 1],
    ])
    const { found, columns } = await view(job)
    expect(found.doubled).toEqual(['Notes'])
    expect(columns.map(({ header }) => header)).toEqual(['Name', 'Notes', 'Notes (2)'])
  })
})

describe('rights', () => {
  test('a caller who may not import sends no file', async () => {
    const file = Buffer.from('Name\nRosa\n')
    for (const role of ['support', 'integrator'] as const)
      expect(
        await service.call(role, 'POST', '/imports', file, { 'content-type': 'text/csv' }),
      ).toMatchObject({
        status: 403,
      })
    const nobody = undefined
    expect(
      await service.call(nobody, 'POST', '/imports', file, { 'content-type': 'text/csv' }),
    ).toMatchObject({
      status: 401,
    })
    expect(
      await service.call('admin', 'POST', '/imports', file, { 'content-type': 'text/csv' }),
    ).toMatchObject({
      status: 201,
    })
  })
})

describe('a file that is on its way', () => {
  const before = { ...uploadLimits }
  const open: ClientRequest[] = []
  afterEach(() => {
    Object.assign(uploadLimits, before)
    for (const each of open.splice(0)) each.destroy()
  })

  let port = 0
  beforeAll(async () => {
    ;({ port } = await service.listen())
  })

  async function begin(headers: Record<string, string | number> = {}) {
    const sending = httpRequest({
      port,
      path: '/api/imports',
      method: 'POST',
      headers: {
        authorization: `Bearer ${await service.token('steward')}`,
        'content-type': 'text/csv',
        ...headers,
      },
    })
    open.push(sending)
    const answered = once(sending, 'response').then(async ([response]) => {
      let text = ''
      for await (const piece of response as AsyncIterable<Buffer>) text += piece.toString()
      return { status: (response as { statusCode: number }).statusCode, text }
    })
    answered.catch(() => undefined)
    return { sending, answered }
  }
  const received = () => vi.waitFor(async () => expect((await left()).import_chunks).toBeGreaterThan(0))
  const rows = (count: number) => `Name,Ref\n${'Rosa Klein,K-1\n'.repeat(count)}`

  test('leaves nothing if it is broken off', async () => {
    const { sending } = await begin()
    sending.write(rows(30_000))
    await received()
    expect((await left()).jobs).toBe(0)
    sending.destroy()
    await vi.waitFor(async () => expect(await left()).toEqual(nothing))
  })

  test('is refused if it arrives too slowly, and leaves nothing', async () => {
    uploadLimits.silenceMs = 300
    const { sending, answered } = await begin()
    sending.write(rows(30_000))
    await received()
    expect(await answered).toMatchObject({ status: 408 })
    expect((await answered).text).toContain('The file arrives too slowly.')
    expect(await left()).toEqual(nothing)
  })

  test('may take longer than another request', async () => {
    const { sending, answered } = await begin()
    sending.write(rows(30_000))
    await received()
    const began = performance.now()
    while (performance.now() - began < 3 * requestMs) {
      sending.write('Rosa Klein,K-1\n')
      await new Promise((resolve) => setTimeout(resolve, requestMs / 4))
    }
    sending.end()
    expect(await answered).toMatchObject({ status: 201 })
  })

  test('is refused once it says or turns out to be too large', async () => {
    const { sending, answered } = await begin({ 'content-length': 1024 ** 3 + 1 })
    sending.write('Name')
    expect(await answered).toMatchObject({ status: 413 })
    expect((await answered).text).toContain('The file is larger than 1,073,741,824 bytes.')
    expect(await left()).toEqual(nothing)
  })

  test('waits for others of the caller', async () => {
    const sent = [await begin(), await begin()]
    for (const { sending } of sent) sending.write(rows(30_000))
    await vi.waitFor(async () => expect((await left()).imports).toBe(2))
    expect(await send('Name\nRosa\n')).toMatchObject({ status: 429, body: { code: 'too_many_at_once' } })
    for (const { sending } of sent) sending.end()
    for (const { answered } of sent) expect(await answered).toMatchObject({ status: 201 })
    expect(await send('Name\nRosa\n')).toMatchObject({ status: 201 })
  })
})

describe('files whose time is over', () => {
  const age = (hours: number) =>
    sql`update jobs set turn = turn - ${hours}::int * interval '1 hour'`.execute(service.database.sql)
  const tidy = async () => {
    while (await dropOne(service.database));
  }

  test('go with their job if they changed nobody', async () => {
    const job = idOf(await send('Name\nRosa\n'))
    await age(23)
    await tidy()
    expect(await left()).toEqual({ imports: 1, import_chunks: 1, jobs: 1 })
    await age(2)
    await tidy()
    expect(await left()).toEqual(nothing)
    expect(await service.call('steward', 'GET', `/jobs/${job}`)).toMatchObject({ status: 404 })
  })

  test('go alone if their job changed somebody, whose report stays', async () => {
    const job = idOf(await send('Name\nRosa\n'))
    await sql`update jobs set dry_run = false, state = 'finished'`.execute(service.database.sql)
    await age(25)
    await tidy()
    expect(await left()).toEqual({ imports: 0, import_chunks: 0, jobs: 1 })
    expect(await service.call('steward', 'GET', `/jobs/${job}`)).toMatchObject({ status: 200 })
  })

  test('stay while the job runs', async () => {
    await send('Name\nRosa\n')
    await sql`update jobs set state = 'running'`.execute(service.database.sql)
    await age(25)
    await tidy()
    expect(await left()).toEqual({ imports: 1, import_chunks: 1, jobs: 1 })
  })

  test('go within the hour if a process was killed while it received them', async () => {
    await sql`insert into imports (id, begun) values (gen_random_uuid(), now() at time zone 'UTC' - interval '39 min')`.execute(
      service.database.sql,
    )
    await tidy()
    expect((await left()).imports).toBe(1)
    await sql`update imports set begun = begun - interval '2 min'`.execute(service.database.sql)
    await tidy()
    expect((await left()).imports).toBe(0)
  })
})
