import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { type Separator, separators } from '../import.ts'
import { formula, stripGuard } from './guards.ts'
import {
  BrokenQuotes,
  byteOrderMark,
  findHeader,
  findSeparator,
  LongRow,
  readRows,
  RowReader,
  shapeTable,
  writeRows,
} from './table.ts'

const readRaw = (text: string, separator: Separator = findSeparator(text)) => [...readRows(text, separator)]
const cellsOf = (text: string, separator?: Separator) =>
  readRaw(text, separator).map(({ cells }) => cells.map(stripGuard))
const shape = (text: string) => {
  const rows = readRaw(text)
  return shapeTable(rows, findHeader(rows))
}
const shapedCells = (text: string) => {
  const { headers, rows } = shape(text)
  return [headers, ...rows.map(({ cells }) => cells.map(stripGuard))]
}

const awkward = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(...Array.from(`=+-@'"",;|\t\r\n 50.a＝－ö\uFEFF\u200b`)),
    maxLength: 8,
  }),
)

test('any texts are read back as they were, and no cell runs as a formula', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }).chain((width) =>
        fc.array(
          fc
            .array(awkward, { minLength: width, maxLength: width })
            .map((cells) => cells.toSpliced(0, 0, 'x')),
          { minLength: 1, maxLength: 8 },
        ),
      ),
      fc.constantFrom(...separators),
      (rows, separator) => {
        const header = rows[0]?.map((_, index) => `column ${index}`) ?? []
        const file = byteOrderMark + writeRows([header, ...rows], separator)
        for (const { cells } of readRaw(file, separator))
          for (const cell of cells) expect(formula.test(cell) && !cell.startsWith("'")).toBe(false)
        expect(cellsOf(file, separator)).toEqual([header, ...rows])
        const { headers, rows: below } = shapeTable(readRaw(file, separator), 0)
        expect(headers).toEqual(header)
        expect(below.map(({ cells }) => cells.map(stripGuard))).toEqual(rows)
      },
    ),
    { numRuns: 300 },
  )
})

describe('the separator', () => {
  test.each(separators)('%j is found out', (separator) => {
    const file = writeRows(
      [
        ['name', 'email', 'note'],
        ['Ana, the first', 'ana@example.org', 'a;b|c\td'],
        ['Bob', 'bob@example.org', '"quoted"'],
      ],
      separator,
    )
    expect(findSeparator(file)).toBe(separator)
  })

  test.each([
    ['amounts with a decimal comma', 'Name;Betrag\nAna;1,50\nBob;2,25\nCid;3,00', ';'],
    ['names with a comma in every row', 'Name, Vorname;E-Mail\nKlein, Rosa;r@example.org', ';'],
    ['a title above', 'Kundenliste, Stand 2026\n\nName;E-Mail;Ref\nAna;a@example.org;1', ';'],
    ['an address over two lines', 'Name|Anschrift\nAna|"Am Markt 1, Hof; links\nUlm"\nBob|Ulm', '|'],
    ['a quote that one sign makes unreadable', 'a;b\n1;"x, y"\n2;"z"', ';'],
    ['one column', 'E-Mail\na@example.org', ','],
  ])('is told from other signs: %s', (_, text, separator) => {
    expect(findSeparator(text)).toBe(separator)
  })

  test.each(['sep=;', 'SEP=;', '"sep=;"', '\uFEFFsep=;;;'])(
    'is as %j says, a line that is no row',
    (line) => {
      const text = `${line}\r\nName;Note\r\nAna;a,b,c\r\nBob;d,e,f\r\n`
      expect(findSeparator(text)).toBe(';')
      expect(readRaw(text)).toEqual([
        { row: 2, cells: ['Name', 'Note'] },
        { row: 3, cells: ['Ana', 'a,b,c'] },
        { row: 4, cells: ['Bob', 'd,e,f'] },
      ])
    },
  )
})

test('line ends of all systems, unquoted cells and blank rows: rows keep the number that a spreadsheet gives them', () => {
  for (const end of ['\n', '\r\n', '\r'])
    expect(readRaw(['name,ref', 'Ana,1', '', ' ,\u200b', 'Bob,2'].join(end))).toEqual([
      { row: 1, cells: ['name', 'ref'] },
      { row: 2, cells: ['Ana', '1'] },
      { row: 5, cells: ['Bob', '2'] },
    ])
})

describe('quotes', () => {
  test.each([
    ['never closed', 'name,ref\nAna,1\nBob,"2\nCid,3\n', 3, true],
    ['closed by the quote of a later cell', 'name,ref\nAna,"1\nBob,"2"\nCid,3\n', 2, false],
    ['closed in the middle of their cell', 'name,ref\n"Ana" Lopez,1\n"Bob",2\n', 2, false],
  ])('%s are reported with their row: the rows behind it would be others', (_, text, row, isOpen) => {
    expect(() => readRaw(text, ',')).toThrow(expect.objectContaining({ name: 'BrokenQuotes', row, isOpen }))
  })

  test('never closed in a long file are reported where they begin', () => {
    const before = Array.from({ length: 40_000 }, (_, index) => `Person ${index},"R-${index}"`).join('\n')
    const broken = (row: number) => expect.objectContaining({ row }) as Error
    expect(() => readRaw(`name,ref\n${before}\nBob,"2\n${before}\n`, ',')).toThrow(broken(40_002))
    const huge = 'x'.repeat(6_000_000)
    expect(() => readRaw(`name,ref\nAna,1\nBob,"2${huge}\n"${huge}`, ',')).toThrow(broken(3))
  })

  test('after blanks, and before some, enclose the cell', () => {
    expect(cellsOf('Name, E-mail,\tRef\n"Klein, Rosa", "r@example.org" ,\t"K ""41"""', ',')).toEqual([
      ['Name', ' E-mail', '\tRef'],
      ['Klein, Rosa', 'r@example.org', 'K "41"'],
    ])
  })

  test('within a text belong to it', () => {
    expect(cellsOf('a,b\n5" pipe, "inch" sizes\n6, "', ',')).toEqual([
      ['a', 'b'],
      ['5" pipe', ' "inch" sizes'],
      ['6', ' "'],
    ])
  })
})

describe('the header', () => {
  test.each([
    ['31: a line that names the separator', 'sep=;\r\nName;E-mail;Ref\r\nRosa Klein;r@example.org;K-31\r\n'],
    ['32: separators at the end', 'Name,E-mail,Ref\r\nRosa Klein,r@example.org,K-31,\r\n'],
    ['32: more of them', 'Name,E-mail,Ref\r\nRosa Klein,r@example.org,K-31,,,\r\n'],
    ['32: an empty column', 'Name,E-mail,Ref,\r\nRosa Klein,r@example.org,K-31,\r\n'],
    [
      '34: lines above it',
      'Customer list,,\r\nas of 2026-01-01,,\r\n,,\r\nName,E-mail,Ref\r\nRosa Klein,r@example.org,K-31\r\n',
    ],
    ['34: lines above it that are shorter', 'Kunden\r\n\r\nName,E-mail,Ref\r\nRosa Klein,r@example.org,K-31'],
    [
      '34: a line above it that is nearly as wide',
      'Customers,as of 2026-01-01,\r\nName,E-mail,Ref\r\nRosa Klein,r@example.org,K-31\r\n',
    ],
    ['37: invisible signs', '\u200bName,E-mail\u200b,\u200eRef\r\nRosa Klein,r@example.org,K-31\r\n'],
    ['41: blanks before quotes', 'Name, E-mail, Ref\r\n"Rosa Klein", "r@example.org", "K-31"\r\n'],
  ])('is found, and the row below: %s', (_, text) => {
    expect(shapedCells(text)).toEqual([
      ['Name', 'E-mail', 'Ref'],
      ['Rosa Klein', 'r@example.org', 'K-31'],
    ])
  })

  test('is missing where the first row has a person', () => {
    expect(shapedCells('Ana\tana@example.org\t1\nBob\tbob@example.org\t2')).toEqual([
      ['', '', ''],
      ['Ana', 'ana@example.org', '1'],
      ['Bob', 'bob@example.org', '2'],
    ])
  })

  test('with a name twice is made unambiguous, and says so', () => {
    const { headers, doubled } = shape('Name,Mail,Mail,,\nAna,a@example.org,b@example.org,,x')
    expect(headers).toEqual(['Name', 'Mail', 'Mail (2)', '', ''])
    expect(doubled).toEqual(['Mail'])
  })

  test('over two lines is one name', () => {
    expect(shape('"Kunden-\nnummer",Name\n1,Ana').headers).toEqual(['Kunden- nummer', 'Name'])
  })
})

test('a short row ends in empty cells, and one with too many values keeps them', () => {
  expect(shapedCells('Name,Mail,Ref\nAna\nBob,b@example.org,1,2\n')).toEqual([
    ['Name', 'Mail', 'Ref'],
    ['Ana', '', ''],
    ['Bob', 'b@example.org', '1', '2'],
  ])
})

test('a number with its zeros, and texts that are guarded, stay as written', () => {
  const rows = shapedCells(`Name,Ref,phone\nRosa,'0003800,0049 170\nTom,"=""0003801""",000046\n`)
  expect(rows.slice(1)).toEqual([
    ['Rosa', '0003800', '0049 170'],
    ['Tom', '0003801', '000046'],
  ])
})

describe('a table that comes in pieces', () => {
  const readPieces = (text: string, size: number, separator: Separator = ',') => {
    const reader = new RowReader(separator)
    const rows: unknown[] = []
    for (let at = 0; at < text.length; at += size) rows.push(...reader.push(text.slice(at, at + size)))
    return [...rows, ...reader.end()]
  }
  const outcome = (read: () => unknown) => {
    try {
      return read()
    } catch (error) {
      return String(error)
    }
  }

  test('has the rows of the whole, or its fault, wherever it is cut', () => {
    const unit = fc.constantFrom(...Array.from(',;"\r\n a\u200bö'), '""', '\r\n', 'x'.repeat(600))
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 40 }),
        fc.integer({ min: 1, max: 700 }),
        fc.boolean(),
        (text, size, isNamed) => {
          const written = isNamed ? `sep=,\r\n${text}` : text
          expect(outcome(() => readPieces(written, size))).toEqual(outcome(() => [...readRows(written, ',')]))
        },
      ),
    )
  })

  test('is refused once a row does not end, or its quotes do not', () => {
    expect(() => readPieces('x,'.repeat(9_000_000), 65_536)).toThrow(LongRow)
    expect(() => readPieces(`a\n"${'x'.repeat(5_000_000)}`, 65_536)).toThrow(BrokenQuotes)
  })

  test('takes time by its length, not by the length of its rows', () => {
    const reader = new RowReader(',')
    const cell = 'x'.repeat(65_536)
    const began = performance.now()
    for (let piece = 0; piece < 200; piece++) expect([...reader.push(cell)]).toEqual([])
    expect([...reader.end()]).toHaveLength(1)
    expect(performance.now() - began).toBeLessThan(3000)
  })
})

test('the separator is found in the beginning of a long file, wherever it is cut', () => {
  const file = `Name;Notes\r\n${'"Klein; Rosa";"one, two, three, ""four"""\r\n'.repeat(60)}`
  for (let end = 2000; end < 2080; end++) expect(findSeparator(file.slice(0, end), false)).toBe(';')
})
