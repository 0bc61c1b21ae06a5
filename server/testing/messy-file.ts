/**
 * Returns a spreadsheet as strangers send them: with a mark, semicolons, quotes with separators and line ends within, the
 * name in two columns, German dates, Excel serials, decimal commas, amounts, phones with guards. Of 500 rows, twelve
 * are the same users as others (six of them in other capitals), nine end in empty columns, five have a wrong
 * date, four a wrong e-mail and three #N/A.
 */
export function messyFile(count = 500): string {
  const rows = Array.from(
    { length: count },
    (_, index) => messyRow(index).map(quote).join(';') + (index < 9 ? ';;;' : ''),
  )
  return `\uFEFF${[messyHeaders.join(';'), ...rows].join('\r\n')}\r\n`
}

const messyHeaders = [
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

/** Mapping of the file, of the properties that its test store defines. */
export const messyColumns = [
  { to: 'field', field: 'first' },
  { to: 'field', field: 'last' },
  { to: 'field', field: 'email' },
  { to: 'property', key: 'birthday', type: 'DATE' },
  { to: 'property', key: 'entry', type: 'DATE', choices: { serials: true } },
  { to: 'property', key: 'spent', type: 'DECIMAL' },
  { to: 'property', key: 'newsletter', type: 'BOOLEAN' },
  { to: 'property', key: 'paid', type: 'CURRENCY' },
  { to: 'property', key: 'phone', type: 'TEXT', sensitive: true },
] as const

const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`

function messyRow(index: number): string[] {
  const person = index >= 488 ? index - 488 : index
  const email = `p${person}@example.org`
  return [
    `Rosa ${person}`,
    'Klein; geb. "Groß"\nZeile',
    index >= 100 && index < 104 ? `p${index}.example.org` : index >= 494 ? email.toUpperCase() : email,
    index >= 200 && index < 205 ? '31.02.1984' : `${(person % 28) + 1}.12.1984`,
    String(31_047 + person),
    index >= 300 && index < 303 ? '#N/A' : `1.${String(person).padStart(3, '0')},50`,
    person % 2 === 0 ? 'ja' : 'nein',
    person % 2 === 0 ? '€12,50' : '1.234,50 €',
    person % 2 === 0 ? `'0170 ${person}` : `="0049 ${person}"`,
  ]
}
