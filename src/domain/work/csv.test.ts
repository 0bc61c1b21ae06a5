import fc from 'fast-check'
import { expect, test } from 'vitest'

import { byteOrderMark, csvRows, readCsv, separators } from './csv.ts'
import { formula, stripFormulaGuard } from './formula.ts'

const read = async (text: string, separator?: (typeof separators)[number]) =>
  (await readCsv(text, { separator })).rows.map(({ cells }) => cells.map(stripFormulaGuard))

/** Returns a cell as written to the file, without its quotes. */
const write = (cell: string) =>
  csvRows([[cell]], ',')
    .slice(1, -3)
    .replaceAll('""', '"')

test.each([
  '=1+1',
  '+49 30 1234',
  '-cmd',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '＝1+1',
  '＋1',
  '－1',
  '＠A1',
  '\u200b=1',
  '-5-cmd',
  '-1,5',
  '--5',
  "'=1",
  "''=1",
])('%j would run as a formula: an apostrophe precedes it', (text) => {
  expect(write(text)).toBe(`'${text}`)
  expect(stripFormulaGuard(`'${text}`)).toBe(text)
})

test.each(['-5', '-5.25', "'-5", 'a=b', "O'Neill", "'quoted'", '', '5', '1-2', 'a@b.org', "'"])(
  '%j runs nothing and stays as it is',
  (text) => {
    expect(write(text)).toBe(text)
    expect(stripFormulaGuard(text)).toBe(text)
  },
)

const awkward = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(...Array.from(`=+-@'"",;|\t\r\n 5.a＝－ö\uFEFF\u200b`)),
    maxLength: 8,
  }),
)

test('any texts are read back as they were, and no cell runs as a formula', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }).chain((width) =>
        fc.array(
          fc
            .array(awkward, { minLength: width, maxLength: width })
            .map((cells) => cells.toSpliced(0, 0, 'x')),
          { minLength: 1, maxLength: 8 },
        ),
      ),
      fc.constantFrom(...separators),
      async (rows, separator) => {
        const file =
          byteOrderMark + csvRows([rows[0]?.map((_, index) => `column ${index}`) ?? [], ...rows], separator)
        const raw = (await readCsv(file, { separator })).rows
        for (const { cells } of raw)
          for (const cell of cells) expect(formula.test(cell) && !cell.startsWith("'")).toBe(false)
        expect((await read(file, separator)).slice(1)).toEqual(rows)
      },
    ),
    { numRuns: 200 },
  )
})

test.each(separators)('the separator %j is found out', async (separator) => {
  const file = csvRows(
    [
      ['name', 'email', 'note'],
      ['Ana, the first', 'ana@example.org', 'a;b|c\td'],
      ['Bob', 'bob@example.org', '"quoted"'],
    ],
    separator,
  )
  expect((await readCsv(file)).separator).toBe(separator)
})

test('line ends of all systems, unquoted cells and blank rows: rows keep the number that a spreadsheet gives them', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const { rows } = await readCsv(['name,ref', 'Ana,1', '', ' ,', 'Bob,2'].join(end))
    expect(rows).toEqual([
      { row: 1, cells: ['name', 'ref'] },
      { row: 2, cells: ['Ana', '1'] },
      { row: 5, cells: ['Bob', '2'] },
    ])
  }
})

test.each([
  ['never closed', 'name,ref\nAna,1\nBob,"2\nCid,3\n', 3, true],
  ['closed by the quote of a later cell', 'name,ref\nAna,"1\nBob,"2"\nCid,3\n', 2, false],
  ['closed in the middle of its cell', 'name,ref\n"Ana" Lopez,1\n"Bob",2\n', 2, false],
])(
  'a quote that is %s is reported with its row: the rows behind it would be others',
  async (_, text, row, isOpen) => {
    await expect(readCsv(text)).rejects.toMatchObject({ name: 'BrokenQuotes', row, isOpen })
  },
)

test('an unclosed quote is reported far into a long file, and does not lose the file', async () => {
  const before = Array.from({ length: 40_000 }, (_, index) => `Person ${index},"R-${index}"`).join('\n')
  await expect(readCsv(`name,ref\n${before}\nBob,"2\n${before}\n`)).rejects.toMatchObject({ row: 40_002 })
  const huge = 'x'.repeat(6_000_000)
  await expect(readCsv(`name,ref\nAna,1\nBob,"2${huge}\n"${huge}`)).rejects.toMatchObject({ row: 3 })
})

test('a long table is read whole, wherever its chunks end, and leaves the page time in between', async () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => [
    `Person "${index}"`,
    `line\r\nbreak ${index}`,
    `ö=${index}`,
  ])
  let turns = 0
  const timer = setInterval(() => (turns += 1))
  expect(await read(csvRows([['a', 'b', 'c'], ...texts], ','))).toEqual([['a', 'b', 'c'], ...texts])
  clearInterval(timer)
  expect(turns).toBeGreaterThan(2)
})

test('reading stops when it is given up', async () => {
  const leave = new AbortController()
  const reading = readCsv('a,b\n'.repeat(200_000), { signal: leave.signal })
  leave.abort()
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
})
