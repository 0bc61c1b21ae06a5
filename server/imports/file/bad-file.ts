import { formatCount } from '#contract/index.ts'
import { textProblemOf } from '#contract/reading/encoding.ts'
import { BrokenQuotes, LongRow } from '#contract/reading/table.ts'
import { Refusal } from '../../http/errors/problem.ts'

const sentences = {
  empty: 'The file is empty.',
  rows: 'The file has names of columns, and no row below them.',
  table:
    'The file is no table: it has one column, and begins as JSON, a web page, XML, PDF or a contact card does.',
  binary: 'The file is no text. Send a table as CSV, or as a workbook (.xlsx).',
  encoding:
    'The file has letters of several encodings, or is not in the one that was chosen. Choose another one.',
  unknown:
    'The letters of the file are in an encoding that cannot be found. Save it in UTF-8, such as “CSV UTF-8”, or as a workbook (.xlsx).',
  workbook:
    'The file is a workbook of the older kind (.xls), or one with a password. Save it as .xlsx without a password, or as CSV.',
  archive: 'The file is an archive without a workbook (.xlsx). Save the table as .xlsx, or as CSV.',
  broken: 'The workbook is damaged. Open it in a spreadsheet and save it again, or save it as CSV.',
  encrypted: 'The workbook has a password. Save it without one, or as CSV.',
  no_sheets: 'The workbook has no sheet with cells.',
  unpacked: 'The workbook is larger than workbooks can be once it is unpacked. Save it as CSV.',
} as const

/** Returns the refusal of a file that cannot be imported as it is. No part of the file is kept. */
export function badFile(cause: string, sentence: string, row?: number): Refusal {
  return new Refusal('unreadable_file', `${sentence} Nothing of it is kept.`, {
    members: { cause, ...(row !== undefined && { row }) },
  })
}

export const badFileOf = (cause: keyof typeof sentences) => badFile(cause, sentences[cause])

export const tooManyOf = (cause: string, what: string, most: number, row?: number) =>
  badFile(cause, `The file has more than ${formatCount(most)} ${what}.`, row)

/** Returns the refusal for a text that is no table, if an error says so. */
export function refusalOfText(error: unknown): Refusal | undefined {
  const problem = textProblemOf(error)
  if (problem !== undefined) return badFileOf(problem)
  if (error instanceof LongRow)
    return badFile('long_row', `Row ${formatCount(error.row)} is longer than a row can be.`, error.row)
  if (!(error instanceof BrokenQuotes)) return undefined
  const row = formatCount(error.row)
  return badFile(
    'quotes',
    error.isOpen
      ? `The cell that begins with a quote in row ${row} never ends. Close the quote, or write it twice.`
      : `In row ${row} a text follows the quote that ends a cell. Write a quote within a cell twice.`,
    error.row,
  )
}
