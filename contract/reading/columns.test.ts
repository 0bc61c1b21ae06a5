import { describe, expect, test } from 'vitest'

import { type ColumnChoices, type DefinedChoice, readColumn } from './columns.ts'
import { summariseColumn } from './summary.ts'

const column = (type: string, cells: readonly string[], choices?: ColumnChoices, header = 'Column') =>
  readColumn(type, summariseColumn({ header, isOurs: false }, cells), choices)
const values = (type: string, cells: readonly string[], choices?: ColumnChoices, header?: string) => {
  const { read } = column(type, cells, choices, header)
  return cells.map((cell) => {
    const reading = read(cell)
    return reading.bad ?? (reading.empty ? null : reading.value)
  })
}
describe('a property that is defined to have choices', () => {
  const choices: readonly DefinedChoice[] = [
    { value: 'de', label: { en: 'German', fr: 'Allemand' } },
    { value: 'fr', label: { en: 'French' } },
    { value: '0038' },
  ]
  const read = (
    cells: readonly string[],
    { type = 'TEXT', isOurs = false, words = {}, defined = choices } = {},
  ) => {
    const reading = readColumn(
      type,
      summariseColumn({ header: 'Language', isOurs }, cells),
      {},
      words,
      defined,
    )
    return cells.map((cell) => {
      const { bad, empty, value } = { value: undefined, ...reading.read(cell) }
      return bad ?? (empty ? null : value)
    })
  }

  test('takes a cell that is one of them by its value or a label, in whatever case', () => {
    expect(read(['de', 'GERMAN', ' allemand ', 'FR', "'0038"])).toEqual(['de', 'de', 'de', 'fr', '0038'])
  })

  test('says a cell that is none of them, until a word says what it stands for', () => {
    const cells = ['de', 'Klingon', '', '-']
    expect(read(cells)).toEqual(['de', 'choice', null, null])
    expect(read(cells, { words: { Klingon: 'fr' } })).toEqual(['de', 'fr', null, null])
    expect(read(cells, { words: { Klingon: 'Klingon' } })).toEqual(['de', 'Klingon', null, null])
  })

  test('takes numbers however they are written', () => {
    const defined = [{ value: 1, label: { en: 'Low' } }, { value: 2000 }]
    expect(read(['1', '1.0', 'low', '2,000', '3', 'x'], { type: 'NUMBER', defined })).toEqual([
      1,
      1,
      1,
      2000,
      'choice',
      'NUMBER',
    ])
  })

  test('limits neither an export of ours nor a column of another type', () => {
    expect(read(['de', 'Klingon'], { isOurs: true })).toEqual(['de', 'Klingon'])
    expect(read(['de@example.org'], { type: 'EMAIL' })).toEqual(['de@example.org'])
  })
})

const asked = (type: string, cells: readonly string[], header?: string) =>
  column(type, cells, undefined, header).questions.map(({ of, cell, options }) =>
    [of, cell].concat(options.map(({ value }) => value as string)),
  )
const money = (currency: string, value: string) => ({ currency, value })

describe('certain by the column', () => {
  test.each<[string, string[], unknown[]]>([
    ['DATE', ['1984-12-31', '31.12.1984', '31. Dezember 1984', "'31.12.1984"], Array(4).fill('1984-12-31')],
    [
      'DATE',
      ['1er mars 2024', '1 de marzo de 2024', '1º marzo 2024', '1. Mrz 2024'],
      Array(4).fill('2024-03-01'),
    ],
    [
      'DATE',
      [
        '5-Mar-84',
        '05-mars-84',
        '5. Mär. 84',
        '5 marca 1984',
        '5 марта 1984 г.',
        '5 maart 1984',
        '5 Mart 1984',
      ],
      Array(7).fill('1984-03-05'),
    ],
    [
      'DATE',
      [
        '1984-03-05 00:00:00',
        '05.03.1984 0:00',
        '1984-03-05T00:00:00.000Z',
        'lundi 5 mars 1984',
        'Mar 5, 1984',
      ],
      Array(5).fill('1984-03-05'),
    ],
    [
      'DATE',
      ['1984年3月5日', '1984. 3. 5.', '１９８４-０３-０５', '5. Jänner 1984', '5 aout 1984'],
      ['1984-03-05', '1984-03-05', '1984-03-05', '1984-01-05', '1984-08-05'],
    ],
    ['DATE', ['1984-03-05 10:30', 'vor 5.3.1984'], ['DATE', 'DATE']],
    ['DATE', ['03/01/2024', '31/01/2024'], ['2024-01-03', '2024-01-31']],
    ['DATE', ['03/01/2024', '01/31/2024'], ['2024-03-01', '2024-01-31']],
    ['DATE', ['31.02.1984', 'soon', '31.12.1984'], ['DATE', 'DATE', '1984-12-31']],
    ['DATETIME', ['31.12.1984 9:30', '31.12.1984'], ['1984-12-31T09:30:00.000Z', '1984-12-31T00:00:00.000Z']],
    ['DATETIME', ['12/31/1984 9:30 pm'], ['1984-12-31T21:30:00.000Z']],
    [
      'DATETIME',
      ['31.12.1984, 9:30 Uhr', '31/12/1984 à 9h30', '31-DEC-84 09.30.00.000000 AM', '19841231T093000Z'],
      Array(4).fill('1984-12-31T09:30:00.000Z'),
    ],
    ['NUMBER', ['1,23,456.5', '4,9E+3', '5,–', '12.-'], [123456.5, 4900, 5, 12]],
    ['DECIMAL', ['7.500', '12,5', '(3,25)', '4,5-'], ['7500', '12.5', '-3.25', '-4.5']],
    ['DECIMAL', ['1 234,50', "1'234.50"], ['1234.50', '1234.50']],
    ['NUMBER', ['12 %', '3,5'], ['percent', 3.5]],
    [
      'CURRENCY',
      ['€12.50', '12,50 €', '1.234,50 EUR', '12 Euro', '7,00'],
      [
        money('EUR', '12.50'),
        money('EUR', '12.50'),
        money('EUR', '1234.50'),
        money('EUR', '12'),
        money('EUR', '7.00'),
      ],
    ],
    [
      'CURRENCY',
      ['R$ 1,50', '₹1,23,456.78', '12 ₽', '12,- €', '€(12.50)', '12.50-€', '1.234,5 Ft', '１２円', '5 TL'],
      [
        money('BRL', '1.50'),
        money('INR', '123456.78'),
        money('RUB', '12'),
        money('EUR', '12'),
        money('EUR', '-12.50'),
        money('EUR', '-12.50'),
        money('HUF', '1234.5'),
        money('JPY', '12'),
        money('TRY', '5'),
      ],
    ],
    ['BOOLEAN', ['ja', 'Nein', 'JA'], [true, false, true]],
    [
      'BOOLEAN',
      ['tak', 'nie', 'да', 'НЕТ', 'sim', 'não', 'はい', '☐', '✔'],
      [true, false, true, false, true, false, true, false, true],
    ],
    ['BOOLEAN', ['x', '', 'oui', 'non', 'sì', '1', '0'], [true, null, true, false, true, true, false]],
    ['BOOLEAN', ['ja', 'vielleicht'], [true, 'BOOLEAN']],
    ['TIME', ['9:30', '0730'], ['09:30', '07:30']],
    ['TIME', ['9:30 Uhr', '9 Uhr', '９:３０'], ['09:30', '09:00', '09:30']],
    [
      'EMAIL',
      [
        "'ana@example.org'",
        'ana@example.org (Ana)',
        'ana@example.org#mailto:ana@example.org#',
        'ana@example.org ::: bo@example.org',
      ],
      Array(4).fill('ana@example.org'),
    ],
    ['EMAIL', ['Ana <ana@example.org>', 'no-mail'], ['ana@example.org', 'EMAIL']],
    ['TEXT', ['0049 170', "'0038", '="0038"', '4.9E+12'], ['0049 170', '0038', '0038', 'destroyed']],
    ['TEXT', ['#N/A', 'Ana', 'null', '-', 'Null'], [null, 'Ana', null, null, 'Null']],
    [
      'TEXT',
      ['Ana', '#NOM?', '#ЗНАЧ!', '#BRAK', 'Err:502', '####', String.raw`\N`, '#1', '#A'],
      ['Ana', ...Array(6).fill(null), '#1', '#A'],
    ],
    ['TEXT', ['-', '-'], ['-', '-']],
  ])('%s %j', (type, cells, expected) => {
    expect(values(type, cells)).toEqual(expected)
    expect(asked(type, cells)).toEqual([])
  })

  test('a year of two digits is past for a birthday', () => {
    expect(values('DATE', ['31.12.84', '1.3.04'], {}, 'Geburtsdatum')).toEqual(['1984-12-31', '2004-03-01'])
  })

  test('an amount without a currency has that of the header', () => {
    expect(values('CURRENCY', ['7,50'], {}, 'Umsatz (CHF)')).toEqual([money('CHF', '7.50')])
    expect(values('CURRENCY', ['7,50'])).toEqual(['CURRENCY'])
  })
})

describe('asked, with both results', () => {
  test.each<[string, string[], unknown[], ColumnChoices, unknown[]]>([
    [
      'DATE',
      ['3/1/2024', '4/4/2024'],
      ['order', '3/1/2024', '2024-01-03', '2024-03-01'],
      { order: 'month' },
      ['2024-03-01', '2024-04-04'],
    ],
    [
      'DATE',
      ['31047', '1984-12-31'],
      ['serials', '31047', '1984-12-31', undefined],
      { serials: true },
      Array(2).fill('1984-12-31'),
    ],
    [
      'DATE',
      ['1.1.30'],
      ['century', '1.1.30', '1930-01-01', '2030-01-01'],
      { century: 'near' },
      ['2030-01-01'],
    ],
    ['DECIMAL', ['7.500', '900'], ['decimal', '7.500', '7.500', '7500'], { decimal: ',' }, ['7500', '900']],
    [
      'CURRENCY',
      ['$5'],
      ['currency', '$5', money('USD', '5'), money('CAD', '5'), money('AUD', '5')],
      { currency: 'CAD' },
      [money('CAD', '5')],
    ],
    [
      'CURRENCY',
      ['12 kr', 'kr. 5,50'],
      ['currency', '12 kr', ...['SEK', 'NOK', 'DKK', 'ISK'].map((code) => money(code, '12'))],
      { currency: 'NOK' },
      [money('NOK', '12'), money('NOK', '5.50')],
    ],
    [
      'PREFERENCE',
      ['Opted In', 'opted out', 'in'],
      ['consent', 'Opted In', { status: 'GRANTED' }, undefined],
      { consent: true },
      [{ status: 'GRANTED' }, { status: 'DENIED' }, 'PREFERENCE'],
    ],
    ['BOOLEAN', ['aktiv', 'Inaktiv'], ['yes', 'aktiv', true, false], { yes: 'aktiv' }, [true, false]],
    [
      'PREFERENCE',
      ['ja', 'unsubscribed'],
      ['consent', 'ja', { status: 'GRANTED' }, undefined],
      { consent: true },
      [{ status: 'GRANTED' }, { status: 'REVOKED' }],
    ],
    [
      'URL',
      ['example.org'],
      ['scheme', 'example.org', 'https://example.org', 'http://example.org'],
      { scheme: 'https' },
      ['https://example.org'],
    ],
  ])('%s %j', (type, cells, question, choices, answered) => {
    expect(asked(type, cells)).toEqual([question])
    expect(values(type, cells)[0]).toBe('ambiguous')
    expect(values(type, cells, choices)).toEqual(answered)
    // An answer can be changed.
    expect(column(type, cells, choices).questions).toHaveLength(1)
  })
})

test('different cells that cannot be read are counted, and so are signs for no value', () => {
  const { bad, empties, example } = column('DATE', [
    '31.02.1984',
    '#N/A',
    '31.12.1984',
    'soon',
    '31.02.1984',
    '#N/A',
  ])
  expect([...bad]).toEqual([
    ['31.02.1984', 2],
    ['soon', 1],
  ])
  expect([...empties]).toEqual([['#N/A', 2]])
  expect(example).toEqual({ cell: '31.12.1984', value: '1984-12-31' })
})

test('a column that we wrote is read as it is written', () => {
  const ours = (type: string, cell: string) =>
    readColumn(type, summariseColumn({ header: 'x', isOurs: true }, [cell, 'x'])).read(cell)
  expect(ours('DECIMAL', '7.500')).toEqual({ value: '7.500' })
  expect(ours('TEXT', "'-")).toEqual({ value: '-' })
  expect(ours('TEXT', '4.9E+12')).toEqual({ value: '4.9E+12' })
})

describe('values given for cells', () => {
  const read = (type: string, cells: readonly string[], words: Record<string, unknown>) => {
    const reading = readColumn(type, summariseColumn({ header: 'x', isOurs: false }, cells), {}, words)
    return [cells.map((cell) => reading.read(cell)), reading.questions.length, [...reading.bad]]
  }

  test('are read for them, and null is no value', () => {
    expect(read('BOOLEAN', ['ja', ' Vielleicht', 'nie'], { Vielleicht: null, nie: false })).toEqual([
      [{ value: true }, { empty: true }, { value: false }],
      0,
      [],
    ])
    expect(read('TEXT', ['VW', 'vw'], { VW: 'Volkswagen' })).toEqual([
      [{ value: 'Volkswagen' }, { value: 'vw' }],
      0,
      [],
    ])
  })

  test('are refused where they are no values of the type, and nothing is asked of their cells', () => {
    expect(read('DATE', ['3/1/2024'], { '3/1/2024': 'soon' })).toEqual([
      [{ bad: 'DATE' }],
      0,
      [['3/1/2024', 1]],
    ])
    expect(read('DATE', ['3/1/2024'], { '3/1/2024': '2024-01-03' })).toEqual([
      [{ value: '2024-01-03' }],
      0,
      [],
    ])
  })
})

describe('a column of a million cells', () => {
  const size = 1_000_000
  const day = (index: number) => `${(index % 28) + 1}/${(index % 12) + 1}/${1974 + (index % 53)}`
  function* cells(last: string) {
    for (let index = 1; index < size; index++) yield day(index * 7919)
    yield last
  }

  test('is told by its last cell, and keeps little of the others', () => {
    const summary = summariseColumn({ header: 'Start', isOurs: false }, cells('31/12/2024'))
    expect(summary.order).toBe('day')
    expect(summary.counts.size).toBeLessThan(11_000)
    expect([...summary.counts.values()].reduce((sum, count) => sum + count, 0)).toBe(size)
    const reading = readColumn('DATE', summary)
    expect(reading.questions).toEqual([])
    let read = 0
    for (const cell of cells('31/12/2024')) if (reading.read(cell).bad === undefined) read += 1
    expect(read).toBe(size)
  })

  test('has the cells that cannot be read, counted by their look', () => {
    function* numbers() {
      for (let index = 1; index <= size; index++) yield index % 5 === 0 ? `about ${index}` : `${index},5`
    }
    const { bad } = readColumn('DECIMAL', summariseColumn({ header: 'x', isOurs: false }, numbers()))
    expect([...bad.values()].reduce((sum, count) => sum + count, 0)).toBe(size / 5)
  })

  test('keeps little of long cells', () => {
    function* long() {
      for (let index = 0; index < 3000; index++) yield `${index} ${'x'.repeat(65_000)}`
    }
    const { counts } = summariseColumn({ header: 'x', isOurs: false }, long())
    expect([...counts.keys()].join('').length).toBeLessThan(3_000_000)
  })
})
