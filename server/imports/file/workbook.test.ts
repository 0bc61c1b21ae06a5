import { randomBytes } from 'node:crypto'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import type { ImportView } from '#contract/import.ts'
import { testService } from '../../testing/hooks.ts'
import { idOf } from '../../testing/service.ts'
import { readChunk } from '../chunks.ts'
import { archiveLimits } from './archive.ts'
import { FileRows } from './file-rows.ts'

const service = testService()
beforeEach(() => service.reset())

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const send = (file: Buffer, query = '', type = workbookType) =>
  service.call('steward', 'POST', `/imports${query}`, file, { 'content-type': type })
const rowsOf = async (job: string) => (await readChunk(service.database, job, 0)) ?? []
const view = async (job: string) =>
  (await service.call('steward', 'GET', `/imports/${job}`)).body as ImportView
const kept = async () => {
  const { rows } = await sql<{ count: number }>`
    select ((select count(*) from imports) + (select count(*) from import_chunks) + (select count(*) from jobs))::int
      as count`.execute(service.database.sql)
  return rows[0]?.count
}

const schemas = 'http://schemas.openxmlformats.org'
const relationTypes = `${schemas}/officeDocument/2006/relationships`
const relations = (...all: readonly (readonly [type: string, target: string])[]) =>
  `<Relationships xmlns="${schemas}/package/2006/relationships">${all
    .map(
      ([type, target], at) =>
        `<Relationship Id="r${at}" Type="${relationTypes}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

interface TestSheet {
  readonly name: string
  readonly state?: string
  readonly rows: string
}

/** Files of a workbook, with a sheet for each text or object. */
function filesOf(
  sheets: readonly (string | TestSheet)[],
  { strings = '', styles = '', settings = '' } = {},
): Record<string, string> {
  const all = sheets.map((sheet, at) =>
    typeof sheet === 'string' ? { name: `Sheet${at + 1}`, rows: sheet } : sheet,
  )
  const names = all.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"${state === undefined ? '' : ` state="${state}"`}/>`,
  )
  return {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<workbook xmlns="${schemas}/spreadsheetml/2006/main" xmlns:r="${relationTypes}">${settings}<sheets>${names.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      ...all.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const),
      ['styles', '/xl/styles.xml'],
      ['sharedStrings', 'SharedStrings.xml'],
    ),
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    ...Object.fromEntries(
      all.map(({ rows }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet><cols><col min="1"/></cols><sheetData>${rows}</sheetData><mergeCells/></worksheet>`,
      ]),
    ),
  }
}

const pack = (files: Record<string, string>, level: 0 | 6 = 6) =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])), {
      level,
    }),
  )
const workbook = (...given: Parameters<typeof filesOf>) => pack(filesOf(...given))

const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
const row = (...cells: readonly string[]) => `<row>${cells.map(inline).join('')}</row>`
const people = row('Name', 'Ref') + row('Rosa', 'K-1')

/** Formats of cells: each a number of a built-in format, or the code of another one. */
function stylesOf(formats: readonly (number | string)[]): string {
  const codes = formats.map((format, at) =>
    typeof format === 'string' ? `<numFmt numFmtId="${164 + at}" formatCode="${format}"/>` : '',
  )
  const used = formats.map(
    (format, at) => `<xf numFmtId="${typeof format === 'string' ? 164 + at : format}"/>`,
  )
  return `<numFmts>${codes.join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${used.join('')}</cellXfs>`
}

/** Imports one column of numbers, each with a format, and returns what they are read as. */
async function shown(cells: readonly (readonly [number: string, format: number | string])[], settings = '') {
  const rows = cells.map(([number], at) => `<row><c s="${at}"><v>${number}</v></c></row>`)
  const styles = stylesOf(cells.map(([, format]) => format))
  const job = idOf(await send(workbook([rows.join('')], { styles, settings }), '?header=none'))
  return (await rowsOf(job)).map(([, [cell]]) => cell)
}

describe('a workbook is read as it is shown:', () => {
  test('texts, truth, errors, and the results of formulas', async () => {
    const strings = `<si><t>Rosa &amp; Tom</t></si><si><r><t xml:space="preserve">K-</t></r><r><rPr><b/></rPr><t>1</t></r><rPh sb="0" eb="1"><t>kana</t></rPh></si><si><t>two_x000D_&#10;lines _x005F_x000D_</t></si>`
    const cells = [
      '<c r="A3" t="s"><v>0</v></c>',
      '<c r="B3" t="s"><v>1</v></c>',
      '<c r="C3" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>',
      '<c r="D3" t="b"><v>1</v></c><c r="E3" t="b"><v>0</v></c>',
      '<c r="F3" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c r="G3" t="str"><f>A1&amp;"x"</f><v>made</v></c>',
      '<c r="H3"><f>1+1</f><v>2</v></c>',
      '<c r="I3"><f>NOW()</f></c>',
      '<c r="J3" t="s"><v>2</v></c>',
    ]
    const header = row(...'abcdefghij'.split(''))
    const job = idOf(await send(workbook([`${header}<row r="3">${cells.join('')}</row>`], { strings })))
    expect(await rowsOf(job)).toEqual([
      [
        3,
        ['Rosa & Tom', 'K-1', 'inline', 'true', 'false', '#DIV/0!', 'made', '2', '', 'two\r\nlines _x000D_'],
      ],
    ])
  })

  test('numbers without the noise of their binary form', async () => {
    expect(
      await shown([
        ['0.30000000000000004', 0],
        ['-1234.5', '#,##0.00\\ [$€-407]'],
        ['1E-7', 0],
        ['4915112345678', 0],
        ['1067', '00000'],
        ['0.15', 10],
        ['45352', 'Standard'],
        ['45352', '0 &quot;days&quot;'],
        ['12', '@'],
        ['-12.5', 2],
        ['12', '0.000'],
        ['0.125', '0.00'],
      ]),
    ).toEqual([
      '0.3',
      '-1234.5',
      '0.0000001',
      '4915112345678',
      '01067',
      '0.15',
      '45352',
      '45352',
      '12',
      '-12.50',
      '12.000',
      '0.125',
    ])
  })

  test('dates and times by the format of the cell', async () => {
    expect(
      await shown([
        ['45352', 14],
        ['45352.9', 'dd/mm/yyyy;@'],
        ['45352.3958333333', 22],
        ['45352.3958333333', '[$-407]d\\. mmmm yyyy\\ h:mm'],
        ['0.3958333333', 18],
        ['0.39583912', 'hh:mm:ss.000'],
        ['1.5', 46],
        ['1.5', 'h:mm'],
        ['0.0104166667', 45],
        ['1', 14],
        ['59', 14],
        ['60', 14],
        ['61', 14],
        ['-1', 14],
        ['1E+300', 14],
        ['45352.3958333333', 'yyyy\\-mm\\-dd\\ hh:mm:ss\\Z'],
      ]),
    ).toEqual([
      '2024-03-01',
      '2024-03-01',
      '2024-03-01T09:30:00',
      '2024-03-01T09:30:00',
      '09:30:00',
      '09:30:00.500',
      '36:00:00',
      '12:00:00',
      '00:15:00',
      '1900-01-01',
      '1900-02-28',
      '60',
      '1900-03-01',
      '-1',
      `1${'0'.repeat(300)}`,
      '2024-03-01T09:30:00Z',
    ])
  })

  test('days counted from 1904', async () => {
    const cells = [
      ['43890', 14],
      ['0', 14],
      ['43890.5', 22],
    ] as const
    for (const value of ['1', 'true'])
      expect(await shown(cells, `<workbookPr date1904="${value}"/>`)).toEqual([
        '2024-03-01',
        '1904-01-01',
        '2024-03-01T12:00:00',
      ])
    expect((await shown(cells, '<workbookPr date1904="0"/>'))[0]).toBe('2020-02-29')
  })

  test('blank rows count, and short rows and merged cells leave gaps', async () => {
    const rows = [
      row('Name', 'Ref', 'City'),
      '<row r="2"/><row r="4"><c r="B4" t="inlineStr"><is><t> </t></is></c></row>',
      `<row r="6"><c r="C6" t="inlineStr"><is><t>Bern</t></is></c></row>`,
      `<row r="7">${inline('Rosa')}<c r="B7" s="3"/><c r="D7" s="3"/></row>`,
    ]
    const job = idOf(await send(workbook([rows.join('')])))
    expect(await rowsOf(job)).toEqual([
      [6, ['', '', 'Bern']],
      [7, ['Rosa', '', '']],
    ])
  })

  test('with prefixes, in the strict edition of the format', async () => {
    const files = filesOf([people])
    const strict = Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        text
          .replaceAll(relationTypes, 'http://purl.oclc.org/ooxml/officeDocument/relationships')
          .replaceAll(/<(\/?)(?=[a-z])/g, '<$1x:')
          .replaceAll('r:id', 'rel:id'),
      ]),
    )
    expect(await rowsOf(idOf(await send(pack(strict))))).toEqual([[2, ['Rosa', 'K-1']]])
  })

  test('its dates and words are values of the types that a column is given', async () => {
    const rows = [
      row('Name', 'Born', 'Seen', 'Paid', 'Member'),
      `<row>${inline('Rosa')}<c s="1"><v>31047</v></c><c s="2"><v>45352.3958333333</v></c><c><v>0.30000000000000004</v></c><c t="b"><v>1</v></c></row>`,
    ]
    const job = idOf(await send(workbook([rows.join('')], { styles: stylesOf([0, 14, 22]) })))
    const columns = [
      { to: 'field', field: 'name' },
      ...['DATE', 'DATETIME', 'DECIMAL', 'BOOLEAN'].map((type) => ({
        to: 'property',
        key: type.toLowerCase(),
        type,
      })),
    ]
    const { body } = await service.call('steward', 'PUT', `/imports/${job}/mapping`, { columns })
    expect((body as ImportView).readings).toMatchObject(
      columns.map(() => ({ read: 1, bad: 0, questions: [] })),
    )
  })
})

test('other work has its turn between the pieces of a workbook', async () => {
  const file = pack(filesOf([people.repeat(20_000)]), 0)
  async function* pieces() {
    yield await Promise.resolve(file)
  }
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  let rows = 0
  for await (const batch of new FileRows({}).read(pieces())) rows += batch.length
  clearImmediate(next)
  expect(rows).toBe(40_000)
  expect(turns).toBeGreaterThan(file.length / (128 * 1024))
})

describe('the sheets of a workbook', () => {
  const sheets = [
    { name: 'Notes', state: 'hidden', rows: row('Name') + row('hidden') },
    { name: 'Customers &amp; leads', rows: people },
    { name: 'Others', rows: row('Name') + row('Tom') },
  ]

  test('are named, and the first visible one is read unless another is asked for', async () => {
    const first = idOf(await send(workbook(sheets)))
    expect(await rowsOf(first)).toEqual([[2, ['Rosa', 'K-1']]])
    const { found } = await view(first)
    expect(found).toMatchObject({
      sheet: 'Customers & leads',
      sheets: ['Customers & leads', 'Others'],
      header: 1,
      rows: 1,
    })
    expect(found).not.toHaveProperty('encoding')
    const named = idOf(await send(workbook(sheets), '?sheet=Others'))
    expect(await rowsOf(named)).toEqual([[2, ['Tom']]])
    expect((await view(named)).found.sheet).toBe('Others')
    const hidden = idOf(await send(workbook(sheets), '?sheet=Notes&header=none'))
    expect(await rowsOf(hidden)).toHaveLength(2)
  })

  test('are passed over where they have no rows, unless all are empty or one is asked for', async () => {
    const file = workbook([
      { name: 'Cover', rows: '' },
      { name: 'Notes', state: 'hidden', rows: people },
      ...sheets,
    ])
    const job = idOf(await send(file))
    expect(await rowsOf(job)).toEqual([[2, ['Rosa', 'K-1']]])
    expect((await view(job)).found).toMatchObject({ sheet: 'Customers & leads' })
    const empty = { status: 422, body: { cause: 'empty' } }
    expect(await send(file, '?sheet=Cover')).toMatchObject(empty)
    expect(await send(workbook(['', '']))).toMatchObject(empty)
  })

  test('are told if the one that is asked for is none of them', async () => {
    const answer = await send(workbook(sheets), '?sheet=Tom')
    expect(answer).toMatchObject({ status: 422, body: { code: 'unreadable_file', cause: 'sheet' } })
    expect((answer.body as { detail: string }).detail).toContain(
      'no sheet “Tom”. Its sheets are “Notes”, “Customers & leads”, “Others”.',
    )
    expect(await kept()).toBe(0)
  })

  test('are found whatever type the file is sent as, and a text is one whatever its type says', async () => {
    for (const type of ['application/octet-stream', 'application/vnd.ms-excel', 'text/csv'])
      expect(await rowsOf(idOf(await send(workbook([people]), '', type)))).toEqual([[2, ['Rosa', 'K-1']]])
    const text = idOf(await send(Buffer.from('Name,Ref\nRosa,K-1\n')))
    expect(await rowsOf(text)).toEqual([[2, ['Rosa', 'K-1']]])
    expect((await view(text)).found).not.toHaveProperty('sheets')
  })
})

describe('a workbook that cannot be read is refused in a sentence, and nothing of it is kept:', () => {
  const before = { ...archiveLimits }
  afterEach(() => {
    Object.assign(archiveLimits, before)
  })

  const good = () => workbook([people])
  const without = (name: string) => {
    const { [name]: _, ...files } = filesOf([people])
    return pack(files)
  }
  /** Sets two bytes of each entry in the directory of an archive, from an offset in the entry. */
  function withDirectory(file: Buffer, offset: number, bytes: readonly number[]): Buffer {
    const changed = Buffer.from(file)
    for (
      let at = changed.indexOf('PK\u0001\u0002');
      at !== -1;
      at = changed.indexOf('PK\u0001\u0002', at + 4)
    )
      changed.set(bytes, at + offset)
    return changed
  }
  const cell = (text: string) => `<row><c ${text}</c></row>`

  test.each<[string, () => Buffer, string, string]>([
    [
      'cells without end in a small archive',
      () => workbook([`<row>${'<c/>'.repeat(4_300_000)}</row>`]),
      'unpacked',
      'larger than workbooks can be',
    ],
    ['a damaged end', () => good().subarray(0, -40), 'broken', 'The workbook is damaged.'],
    ['a damaged middle', () => good().fill(0x5a, 40, 700), 'broken', 'The workbook is damaged.'],
    [
      'random bytes after its first four',
      () => Buffer.concat([Buffer.from('PK\u0003\u0004'), randomBytes(5000)]),
      'broken',
      'damaged',
    ],
    ['sizes that are not true', () => withDirectory(good(), 24, [9, 0, 0, 0]), 'broken', 'damaged'],
    [
      'a password of the archive',
      () => withDirectory(good(), 8, [1, 0]),
      'encrypted',
      'The workbook has a password.',
    ],
    [
      'an archive of something else',
      () => pack({ 'photo.jpg': 'x' }),
      'archive',
      'an archive without a workbook',
    ],
    [
      'a text of another program',
      () => pack({ ...filesOf([people]), 'xl/workbook.xml': '<document/>' }),
      'archive',
      'an archive without a workbook',
    ],
    ['no sheets', () => workbook([]), 'no_sheets', 'has no sheet'],
    ['a sheet that is not there', () => without('xl/worksheets/sheet1.xml'), 'no_sheets', 'has no sheet'],
    ['a text that is not there', () => workbook([cell('t="s"><v>7</v>')]), 'broken', 'damaged'],
    ['no text at all', () => workbook(['<row/>']), 'empty', 'The file is empty.'],
    [
      'XML that does not end',
      () => pack({ ...filesOf([people]), 'xl/worksheets/sheet1.xml': '<worksheet><sheetData>' }),
      'broken',
      'damaged',
    ],
    [
      'an entity of its own',
      () =>
        pack({
          ...filesOf([people]),
          'xl/sharedStrings.xml': '<!DOCTYPE sst [<!ENTITY a "aaaa">]><sst><si><t>&a;</t></si></sst>',
        }),
      'broken',
      'damaged',
    ],
    [
      'elements in elements',
      () => workbook([`${'<x>'.repeat(1000)}${'</x>'.repeat(1000)}`]),
      'broken',
      'damaged',
    ],
    [
      'a text of 5 MiB',
      () => workbook([cell(`t="str"><v>${'x'.repeat(5 * 1024 ** 2)}</v>`)]),
      'broken',
      'damaged',
    ],
    ['a column that no spreadsheet has', () => workbook([cell('r="ZZZZ1"><v>7</v>')]), 'broken', 'damaged'],
    [
      'more than 1,000 columns',
      () => workbook([cell('r="ALM1"><v>7</v>')]),
      'columns',
      'more than 1,000 columns',
    ],
    ['rows in another order', () => workbook(['<row r="5"/><row r="4"/>']), 'broken', 'damaged'],
    [
      'more than 1,000 files',
      () =>
        pack({
          ...filesOf([people]),
          ...Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`m/${at}`, ''])),
        }),
      'unpacked',
      'larger than',
    ],
    [
      '33 MiB',
      () => Buffer.concat([good(), Buffer.alloc(33 * 1024 ** 2)]),
      'large_workbook',
      'larger than 33,554,432 bytes',
    ],
    [
      'a long row',
      () =>
        workbook([`<row>${'<c t="s"><v>0</v></c>'.repeat(6)}</row>`], {
          strings: `<si><t>${'x'.repeat(3 * 1024 ** 2)}</t></si>`,
        }),
      'long_row',
      'Row 1 is longer',
    ],
  ])('%s', async (_, file, cause, sentence) => {
    const answer = await send(file())
    expect(answer).toMatchObject({ status: 422, body: { code: 'unreadable_file', cause } })
    expect((answer.body as { detail: string }).detail).toContain(sentence)
    expect(await kept()).toBe(0)
  })

  test('more in all of its files than an archive may have', async () => {
    archiveLimits.bytes = 100_000
    const strings = `<si><t>${'x'.repeat(60_000)}</t></si>`
    expect(await send(workbook([people], { strings }))).toMatchObject({ status: 201 })
    const rows = people + row(randomBytes(30_000).toString('hex'))
    expect(await send(workbook([rows], { strings }))).toMatchObject({
      status: 422,
      body: { cause: 'unpacked' },
    })
    expect(await send(workbook([rows]))).toMatchObject({ status: 201 })
  })
})
