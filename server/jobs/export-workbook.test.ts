import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fromBufferPromise } from 'yauzl'

import type { ImportView } from '#contract/import.ts'
import type { Job } from '#contract/index.ts'
import { FileRows } from '../imports/file/file-rows.ts'
import { testService } from '../testing/hooks.ts'
import { idOf } from '../testing/service.ts'
import { sheetLimits } from './workbook/workbook.ts'

const service = testService({ jobs: true })
beforeEach(() => service.reset())

const everybody = { all: [] }
const ended = (job: string) =>
  vi.waitFor(
    async () => {
      const now = (await service.call('steward', 'GET', `/jobs/${job}`)).body as Job
      expect(now.state).toBe('finished')
      return now
    },
    { timeout: 60_000, interval: 20 },
  )

/** Exports and returns the job and its file. */
async function exported(body: object): Promise<{ job: Job; file: Buffer; type: string | null }> {
  const id = await service.create('steward', '/exports', { format: 'xlsx', filter: everybody, ...body })
  const job = await ended(id)
  const answer = await service.fetch(`${service.baseUrl}/jobs/${id}/file`, {
    headers: { authorization: `Bearer ${await service.token('steward')}` },
  })
  const file = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-length')).toBe(String(file.length))
  return { job, file, type: answer.headers.get('content-type') }
}

/** Unpacks a workbook, and checks what its directory says of each file. */
async function unpack(file: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(file)
  const files: Record<string, string> = {}
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
    const bytes = Buffer.concat(pieces)
    expect(crc32(bytes)).toBe(entry.crc32)
    files[entry.fileName] = bytes.toString()
  }
  return files
}

async function rowsOf(file: Buffer, sheet?: string): Promise<(readonly string[])[]> {
  const rows: (readonly string[])[] = []
  async function* whole() {
    yield file
  }
  for await (const batch of new FileRows({ sheet }).read(whole()))
    rows.push(...batch.map(({ cells }) => cells))
  return rows
}

const values: readonly (readonly [type: string, value: unknown, shown: string])[] = [
  ['TEXT', '=1+1', '=1+1'],
  ['TEXT', "'=1+1", "''=1+1"],
  ['TEXT', '="0038"', `'="0038"`],
  ['TEXT', '0038', '0038'],
  ['TEXT', ' a\r\nb\tc <&> _x000D_ &amp; d', ' a\r\nb\tc <&> _x000D_ &amp; d'],
  ['NUMBER', -12.5, '-12.5'],
  ['NUMBER', 9_007_199_254_740_991, '9007199254740991'],
  ['DECIMAL', '12.340', '12.340'],
  ['DECIMAL', '0.12345678901234567890', '0.12345678901234567890'],
  ['DECIMAL', '-0.00', '-0.00'],
  ['BOOLEAN', true, 'true'],
  ['BOOLEAN', false, 'false'],
  ['DATE', '1984-02-29', '1984-02-29'],
  ['DATE', '1899-12-31', '1899-12-31'],
  ['DATETIME', '2024-03-01T09:30:00Z', '2024-03-01T09:30:00Z'],
  ['DATETIME', '2024-03-01T09:30:00.123Z', '2024-03-01T09:30:00.123Z'],
  ['TIME', '09:30', '09:30'],
  ['CURRENCY', { currency: 'EUR', value: '12.50' }, '12.50 EUR'],
  [
    'PREFERENCE',
    { status: 'GRANTED', statusDate: '2024-03-01T00:00:00Z' },
    'GRANTED 2024-03-01T00:00:00.000Z',
  ],
  ['EMAIL', '+ana@example.org', '+ana@example.org'],
  ['URL', 'https://example.org/a?b=1&c', 'https://example.org/a?b=1&c'],
]
const keys = values.map((_, at) => `v${String(at).padStart(2, '0')}`)
const columns = ['id', 'name', 'email', 'ref', 'since', 'account', ...keys.map((key) => `car.${key}`)]

async function createOwner(): Promise<string> {
  const user = await service.create('admin', '/users', {
    name: '=HYPERLINK("http://x")',
    email: '+ana@example.org',
    ref: '0038',
    since: '2020-02-29T00:00:00.000',
  })
  const properties = values.map(([type, value], at) => ({ key: keys[at], type, value }))
  await service.create('admin', `/users/${user}/entities`, { type: 'car', properties })
  return user
}

describe('an export as a workbook', () => {
  test('has texts as texts, never as formulas, and numbers, dates and truths as such', async () => {
    const user = await createOwner()
    const { job, file, type } = await exported({ columns, entities: 'first' })
    expect(type).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet')
    expect(job.export).toMatchObject({ format: 'xlsx', rows: 1 })
    expect(job.file).toMatchObject({
      name: expect.stringMatching(/^users-[\d-]+\.xlsx$/) as string,
      bytes: file.length,
    })
    const [titles, row] = await rowsOf(file)
    expect(titles?.slice(0, 7)).toEqual(['id', 'name', 'email', 'ref', 'since', 'account', 'car.v00 (first)'])
    expect(row).toEqual([
      user,
      '=HYPERLINK("http://x")',
      '+ana@example.org',
      '0038',
      '2020-02-29T00:00:00Z',
      'false',
      ...values.map(([, , shown]) => shown),
    ])
    const { 'xl/worksheets/sheet1.xml': sheet = '' } = await unpack(file)
    expect(sheet).not.toContain('<f')
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    const kinds = [...sheet.matchAll(/<c r="[A-Z]+2"(?: s="\d+")?(?: t="(\w+)")?/g)]
    const letters: Readonly<Record<string, string>> = { inlineStr: 't', b: 'b' }
    // Texts, numbers and truths, in the order of the columns.
    expect(kinds.map(([, kind = '']) => letters[kind] ?? 'n').join('')).toBe('ttttnbtttttntnttbbntnnttttt')
  })

  test('is imported again without a mapping, and changes nothing', async () => {
    await createOwner()
    await service.create('admin', '/users', { name: 'Eva' })
    const { file } = await exported({ columns, entities: 'first' })
    const job = idOf(
      await service.call('steward', 'POST', '/imports', file, { 'content-type': 'application/octet-stream' }),
    )
    const { body }: { body: ImportView } = await service.call('steward', 'GET', `/imports/${job}`)
    expect(body.found).toMatchObject({ isOwn: true, rows: 2, sheet: 'Users' })
    const mapping = { columns: body.columns.map(({ proposed }) => proposed), existing: 'overwrite' }
    expect((await service.call('steward', 'PUT', `/imports/${job}/mapping`, mapping)).status).toBe(200)
    expect((await service.call('steward', 'POST', `/imports/${job}/check`, {})).status).toBe(204)
    expect((await ended(job)).outcomes).toEqual({ unchanged: 2 })
  })

  test('is imported again as lines of JSON, too', async () => {
    await createOwner()
    await service.create('admin', '/users', { name: 'Eva' })
    const { file } = await exported({ format: 'ndjson', entities: 'each' })
    const job = idOf(
      await service.call('steward', 'POST', '/imports', file, { 'content-type': 'application/x-ndjson' }),
    )
    const { body }: { body: ImportView } = await service.call('steward', 'GET', `/imports/${job}`)
    expect(body.found).toMatchObject({ isOwn: true, lines: true, rows: 2 })
    const mapping = { columns: body.columns.map(({ proposed }) => proposed), existing: 'overwrite' }
    expect((await service.call('steward', 'PUT', `/imports/${job}/mapping`, mapping)).status).toBe(200)
    expect((await service.call('steward', 'POST', `/imports/${job}/check`, {})).status).toBe(204)
    expect((await ended(job)).outcomes).toEqual({ unchanged: 2 })
  })

  test('is written in parts, each user once', async () => {
    await createMany(2500)
    const { job, file } = await exported({ columns: ['name'], titles: ['<Name> & more'] })
    expect(job).toMatchObject({ total: 2500, done: 2500, export: { rows: 2500 } })
    const { rows } = await sql`select 1 from file_chunks`.execute(service.database.sql)
    expect(rows).toHaveLength(3)
    await unpack(file)
    expect(await rowsOf(file)).toEqual([['<Name> & more'], ...names(1, 2500)])
  })

  test('says how many texts a cell has no room for', async () => {
    const user = await service.create('admin', '/users', { name: 'Ana' })
    const properties = [{ key: 'note', type: 'TEXT', value: 'x'.repeat(32_768) }]
    await service.create('admin', `/users/${user}/entities`, { type: 'car', properties })
    const { job, file } = await exported({ columns: ['car.note'], entities: 'first' })
    expect(job.export).toMatchObject({ shortened: 1 })
    expect((await rowsOf(file))[1]).toEqual([`${'x'.repeat(32_766)}…`])
  })

  test('has titles alone if nobody is in it', async () => {
    const { file } = await exported({ columns: ['name', 'email'] })
    expect(await rowsOf(file)).toEqual([['name', 'email']])
  })
})

describe('a workbook with more rows than a sheet has', () => {
  const usual = { ...sheetLimits }
  afterEach(() => void Object.assign(sheetLimits, usual))

  test('goes on in the next sheet, which has the titles too', async () => {
    sheetLimits.rows = 1201
    await createMany(2500)
    const { file } = await exported({ columns: ['name'] })
    await unpack(file)
    expect(await rowsOf(file, 'Users')).toEqual([['name'], ...names(1, 1200)])
    expect(await rowsOf(file, 'Users 2')).toEqual([['name'], ...names(1201, 2400)])
    expect(await rowsOf(file, 'Users 3')).toEqual([['name'], ...names(2401, 2500)])
  })
})

const names = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => [`u${from + at}`])

async function createMany(count: number): Promise<void> {
  await sql`
    insert into users (id, name, since, created)
    select ('01900000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'u' || n, now(), now()
    from generate_series(1, ${count}::int) n`.execute(service.database.sql)
}
