import { describe, expect, test } from 'vitest'

import { findSeparator, readRows as readTableRows, shapeTable } from '#contract/reading/table.ts'
import { transferText } from '../../messages/index.ts'
import type { Target } from './mapping.ts'
import { evaluateRows, readRows, wantedOf } from './rows.ts'

const problemsText = transferText.problems
const columns: Target[] = [
  { to: 'field', field: 'name' },
  { to: 'field', field: 'email' },
  { to: 'field', field: 'ref' },
  { to: 'field', field: 'since' },
  { to: 'property', key: 'birthday', type: 'DATE', sensitive: false },
  { to: 'property', key: 'iban', type: 'TEXT', sensitive: true },
  { to: 'ignore' },
]
const headers = ['name', 'email', 'ref', 'since', 'birthday', 'iban', 'notes']
const read = (...cells: string[][]) =>
  readRows(
    cells.map((one, index) => ({
      row: index + 2,
      cells: [...one, ...Array.from({ length: 7 - one.length }, () => '')],
    })),
    headers,
    columns,
    new AbortController().signal,
  )

test('values are sent in the form of the service; empty cells and placeholders are not sent', async () => {
  const [row] = await read([
    ' Ana ',
    ' ANA@example.org ',
    'C-1',
    '2024-03-01 09:30',
    '1984-02-29',
    "'=x",
    'y',
  ])
  expect(row).toMatchObject({
    body: { name: 'Ana', email: 'ANA@example.org', ref: 'C-1', since: '2024-03-01T09:30:00.000' },
    properties: [
      { key: 'birthday', type: 'DATE', value: '1984-02-29' },
      { key: 'iban', type: 'TEXT', value: '=x', sensitive: true },
    ],
    problems: [],
  })
  const [blank] = await read(['Unknown user', 'Unknown email', 'C-2', '', '', ' '])
  expect(blank).toMatchObject({ body: { ref: 'C-2' }, properties: [] })
  expect(blank?.body).not.toHaveProperty('name')
})

test('each error is reported at its column', async () => {
  const [row] = await read(['Ana', 'no-mail', 'r'.repeat(501), 'yesterday', '1984-02-31'])
  expect(row?.problems.map(({ column }) => column)).toEqual([1, 2, 3, 4])
})

test('a row with more values than columns, and one with nothing in it, are errors', async () => {
  const [ragged] = await readRows(
    [{ row: 2, cells: Array.from({ length: 8 }, () => 'Ana') }],
    headers,
    columns,
    new AbortController().signal,
  )
  expect(ragged?.problems).toEqual([{ detail: problemsText.ragged({ cells: 8, width: 7 }) }])
  const [nothing] = await read(['', '', '', '', '', '', 'only what is ignored'])
  expect(nothing?.problems).toEqual([{ detail: problemsText.nothing }])
})

test('rows whose mailboxes differ by a letter beyond ASCII are different users', async () => {
  const emails = [
    'mike@example.org',
    'mıke@example.org',
    'mİke@example.org',
    'JÜRGEN@example.org',
    'jürgen@example.org',
  ]
  const rows = await read(...emails.map((email) => ['Ana', email]))
  expect(rows.flatMap(({ problems }) => problems)).toEqual([])
  const mike = { id: '1', name: 'Mike' }
  const existing = {
    consents: new Map(),
    ids: new Map(),
    emails: new Map([['mike@example.org', mike]]),
    refs: new Map(),
  }
  const verdicts = evaluateRows(rows, existing).map(({ verdict }) => verdict)
  expect(verdicts).toEqual(['match', 'create', 'create', 'create', 'create'])
})

test('the second row of the same user is an error, unless the first one is', async () => {
  const rows = await read(
    ['Ana', 'ana@example.org', 'A'],
    ['Again', 'ANA@EXAMPLE.ORG', ''],
    ['Ref', '', 'A'],
    ['Other case', '', 'a'],
    ['Broken', 'bob@example.org', '', 'yesterday'],
    ['Bob', 'bob@example.org', ''],
  )
  expect(rows.map(({ problems }) => problems.map(({ detail }) => detail))).toEqual([
    [],
    [problemsText.sameEmail({ row: 2 })],
    [problemsText.sameRef({ row: 2 })],
    [],
    [expect.stringContaining('2024-03-01')],
    [],
  ])
})

test('an existing user is matched by e-mail regardless of case, or by exact ref; two matches are an error', async () => {
  const rows = await read(
    ['', 'Straße@example.org', ''],
    ['', '', 'R-1'],
    ['', '', 'r-1'],
    ['', 'ana@example.org', 'R-2'],
    ['', 'ana2@example.org', 'R-3'],
    ['', '', 'R-4'],
    ['Nobody', '', ''],
    ['', 'no-mail', 'R-9'],
  )
  const wanted = wantedOf(rows)
  expect(wanted.refs.has('R-9')).toBe(false)
  const createFound = (id: string) => ({ id, name: undefined })
  const existing = {
    consents: new Map(),
    ids: new Map(),
    emails: new Map([
      ['ana@example.org', createFound('1')],
      ['ana2@example.org', createFound('2')],
    ]),
    refs: new Map([
      ['R-1', createFound('3')],
      ['R-2', createFound('2')],
      ['R-4', createFound('2')],
    ]),
  }
  const verdicts = (existing_?: typeof existing) =>
    evaluateRows(rows, existing_).map(({ verdict, match }) => [verdict, match?.by])
  expect(verdicts(existing)).toEqual([
    ['create', undefined],
    ['match', 'ref'],
    ['create', undefined],
    ['error', undefined],
    ['match', 'email'],
    // Matches the same user as the row before, by ref instead of e-mail.
    ['error', undefined],
    ['create', undefined],
    ['error', undefined],
  ])
  // Without a lookup, only a row without e-mail and ref is known to create a user.
  expect(verdicts().map(([verdict]) => verdict)).toEqual([
    'unchecked',
    'unchecked',
    'unchecked',
    'unchecked',
    'unchecked',
    'unchecked',
    'create',
    'error',
  ])
})

test('first and last name are one name, in the order in which people say them', async () => {
  const targets: Target[] = [
    { to: 'field', field: 'last' },
    { to: 'field', field: 'first' },
    { to: 'field', field: 'ref' },
  ]
  const rows = [
    { row: 2, cells: ['Klein', ' Rosa ', 'K-35a'] },
    { row: 3, cells: ['Berg', '', 'K-35b'] },
    { row: 4, cells: ['', '', 'K-35c'] },
  ]
  const read = await readRows(rows, ['Nachname', 'Vorname', 'Ref'], targets, new AbortController().signal)
  expect(read.map(({ body }) => body)).toEqual([
    { name: 'Rosa Klein', ref: 'K-35a' },
    { name: 'Berg', ref: 'K-35b' },
    { ref: 'K-35c' },
  ])
})

describe('an id', () => {
  const [one, other] = ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8058']
  const targets: Target[] = [
    { to: 'field', field: 'id' },
    { to: 'field', field: 'email' },
  ]
  const readIds = (...cells: string[][]) =>
    readRows(
      cells.map((each, index) => ({ row: index + 2, cells: each })),
      ['id', 'email'],
      targets,
      new AbortController().signal,
    )
  const ana = { id: one, name: 'Ana' }
  const existing = {
    consents: new Map(),
    ids: new Map([[one, ana]]),
    emails: new Map([
      ['ana@example.org', ana],
      ['bob@example.org', { id: other, name: 'Bob' }],
    ]),
    refs: new Map(),
  }

  test('finds the user, whose e-mail the row may change', async () => {
    const rows = await readIds([one.toUpperCase(), 'anna@example.org'], [other, 'new@example.org'])
    expect(wantedOf(rows).ids).toEqual(new Set([one, other]))
    const [first, second] = evaluateRows(rows, existing)
    expect(first).toMatchObject({
      verdict: 'match',
      match: { ...ana, by: 'id' },
      body: { email: 'anna@example.org' },
    })
    // A user who was deleted, or of another service, is looked for by e-mail and ref.
    expect(second).toMatchObject({ verdict: 'create' })
  })

  test('beside the e-mail of somebody else is an error, and so are one twice and one that is none', async () => {
    const rows = await readIds([one, 'bob@example.org'], [one, 'c@example.org'], ['17', ''])
    expect(evaluateRows(rows, existing).map(({ problems }) => problems.map(({ detail }) => detail))).toEqual([
      [problemsText.twoMatches],
      [problemsText.sameId({ row: 2 })],
      [problemsText.badId({ cell: '17' })],
    ])
  })
})

describe('numbers of a column', () => {
  const readColumn = async (cells: readonly string[], target: Partial<Target> = {}, header = 'Weight') => {
    const rows = cells.map((cell, index) => ({ row: index + 2, cells: [`r${index}`, cell] }))
    const weight = { to: 'property', key: 'weight', type: 'DECIMAL', sensitive: false, ...target } as Target
    const targets: Target[] = [{ to: 'field', field: 'ref' }, weight]
    const read = await readRows(rows, ['Ref', header], targets, new AbortController().signal)
    return read.map(({ properties, problems }) => properties[0]?.value ?? problems[0]?.detail)
  }

  test.each<[string[], ...unknown[]]>([
    [['7.500', '12,5'], '7500', '12.5'],
    [['7.500', '12.5'], '7.500', '12.5'],
    [['7,500', '1,234.5'], '7500', '1234.5'],
    [['7,500', '1.234,5'], '7.500', '1234.5'],
    [['7.500', '1.234.567'], '7500', '1234567'],
    [['7,500', '0.5'], '7500', '0.5'],
    [['7.500', '1234.5678'], '7.500', '1234.5678'],
    [['12.5', '12,5', '3'], '12.5', '12.5', '3'],
  ])('%j are read as the column as a whole has them', async (cells, ...values) => {
    expect(await readColumn(cells)).toEqual(values)
  })

  test('in doubt, and where the column has both signs, are left out unless somebody says how they are written', async () => {
    const asked = expect.stringMatching(/two ways/) as unknown
    expect(await readColumn(['7,500', '900'])).toEqual([asked, '900'])
    expect(await readColumn(['7,500', '1,5', '1.5'])).toEqual([asked, '1.5', '1.5'])
    // The reader's own number format does not decide, because the file may come from elsewhere.
    expect(await readColumn(['7.500', '900'])).toEqual([asked, '900'])
    expect(await readColumn(['-7.500'], { type: 'NUMBER' })).toEqual([asked])
    expect(await readColumn(['7.500 EUR', '9 EUR'], { type: 'CURRENCY' })).toEqual([
      asked,
      { currency: 'EUR', value: '9' },
    ])
    expect(await readColumn(['7.500', '7,500', '1,5', '1.5'])).toEqual([asked, asked, '1.5', '1.5'])
    expect(await readColumn(['7,500', '7.500'], { choices: { decimal: ',' } })).toEqual(['7.500', '7500'])
    expect(await readColumn(['7,500', '7.500'], { choices: { decimal: '.' } })).toEqual(['7500', '7.500'])
  })

  test('with currencies are read so too, and those of our own export as it wrote them', async () => {
    const amount = (value: string) => ({ currency: 'EUR', value })
    expect(await readColumn(['7.500 EUR', 'EUR 1.234,50'], { type: 'CURRENCY' })).toEqual([
      amount('7500'),
      amount('1234.50'),
    ])
    expect(await readColumn(['7.500'], {}, 'person.weight')).toEqual(['7.500'])
  })
})

test('invisible characters are trimmed from the ends of a cell, and reported within it', async () => {
  const [clean, hidden, blank] = await read(
    ['\u200bAna ', '\ufeffana@example.org\u00a0', 'K-1\u200b'],
    ['Bob', 'b\u200bob@example.org', 'K-\u200b2'],
    ['Cleo', '\u200b', '\u00a0'],
  )
  expect(clean).toMatchObject({
    problems: [],
    body: { name: 'Ana', email: 'ana@example.org', ref: 'K-1' },
  })
  expect(hidden?.problems.map(({ detail }) => detail)).toEqual([
    'There is an invisible character (U+200B) before the “o”: remove it.',
    'There is an invisible character (U+200B) before the “2”: remove it.',
  ])
  expect(blank).toMatchObject({ problems: [], body: { name: 'Cleo' } })
})

describe('a spreadsheet of strangers', () => {
  const targets: Target[] = [
    { to: 'field', field: 'first' },
    { to: 'field', field: 'last' },
    { to: 'field', field: 'email' },
    { to: 'property', key: 'birthday', type: 'DATE', sensitive: false },
    { to: 'property', key: 'entry', type: 'DATE', sensitive: false, choices: { serials: true } },
    { to: 'property', key: 'spent', type: 'DECIMAL', sensitive: false },
    { to: 'property', key: 'newsletter', type: 'BOOLEAN', sensitive: false },
    { to: 'property', key: 'paid', type: 'CURRENCY', sensitive: false },
    { to: 'property', key: 'phone', type: 'TEXT', sensitive: true },
  ]
  const names = [
    'Vorname',
    'Nachname',
    'E-Mail',
    'Geburtsdatum',
    'Eintritt',
    'Umsatz',
    'Newsletter',
    'Bezahlt',
    'Telefon',
  ]
  const line = (index: number) => {
    // Twelve rows are the same users as others, six of them in other capitals.
    const person = index >= 488 ? index - 488 : index
    const email = `p${person}@example.org`
    return [
      `Rosa ${person}`,
      'Klein; geb. "Groß"\nZeile',
      index >= 100 && index < 104 ? `p${index}.example.org` : index >= 494 ? email.toUpperCase() : email,
      index >= 200 && index < 205 ? '31.02.1984' : `${(index % 28) + 1}.12.1984`,
      String(31_047 + index),
      index >= 300 && index < 303 ? '#N/A' : `1.${String(index).padStart(3, '0')},50`,
      index % 2 === 0 ? 'ja' : 'nein',
      index % 2 === 0 ? '€12,50' : '1.234,50 €',
      index % 2 === 0 ? `'0170 ${index}` : `="0049 ${index}"`,
    ]
  }
  const readLines = async (count: number, areBadCellsLeft = false) => {
    const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`
    const lines = Array.from(
      { length: count },
      (_, index) => line(index).map(quote).join(';') + (index < 9 ? ';;;' : ''),
    )
    const text = `\uFEFF${[names.join(';'), ...lines].join('\r\n')}\r\n`
    const table = shapeTable([...readTableRows(text, findSeparator(text))], 0)
    return await readRows(table.rows, table.headers, targets, new AbortController().signal, areBadCellsLeft)
  }
  const problems = (rows: readonly { problems: readonly { detail: string }[] }[]) =>
    rows.flatMap((row) => row.problems.map(({ detail }) => detail))

  test('with 29 rows imports whole', async () => {
    const rows = await readLines(29)
    expect(problems(rows)).toEqual([])
    expect(rows[1]).toMatchObject({
      body: { name: 'Rosa 1 Klein; geb. "Groß"\nZeile', email: 'p1@example.org' },
      properties: [
        { key: 'birthday', value: '1984-12-02' },
        { key: 'entry', value: '1985-01-01' },
        { key: 'spent', value: '1001.50' },
        { key: 'newsletter', value: false },
        { key: 'paid', value: { currency: 'EUR', value: '1234.50' } },
        { key: 'phone', value: '0049 1', sensitive: true },
      ],
    })
  })

  test('with 500 rows has 488 users, and says why nine cells cannot be read', async () => {
    const bad = [
      ...Array.from({ length: 4 }, (_, index) => `“p${100 + index}.example.org” isn’t an e-mail address.`),
      ...Array.from({ length: 5 }, () => '“31.02.1984” isn’t a date.'),
    ]
    const strict = problems(await readLines(500))
    expect(strict.filter((detail) => !/same e-mail/.test(detail))).toEqual(bad)
    const lenient = await readLines(500, true)
    expect(lenient.filter((row) => row.problems.length === 0)).toHaveLength(488)
    expect(problems(lenient)).toHaveLength(12)
  })
})
