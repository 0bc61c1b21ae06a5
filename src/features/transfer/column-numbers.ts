import { stripGuard } from '#contract/reading/guards.ts'
import type { TableRow } from '#contract/reading/table.ts'
import { readPropertyHeader } from './cells.ts'

export type DecimalSign = '.' | ','

/**
 * Returns the first ambiguous number of a column, without its currency, and the decimal sign of its other numbers if they
 * agree; undefined if no number is ambiguous.
 */
export function doubtfulNumbers(header: string, rows: readonly TableRow[], column: number) {
  let example: string | undefined
  // Our own export always writes a decimal point.
  const found = new Set<DecimalSign>(readPropertyHeader(header) ? ['.'] : [])
  for (const { cells } of rows) {
    const digits = stripGuard(cells[column] ?? '').replace(/[^\d.,]/g, '')
    if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) example ??= digits
    else {
      const sign = decimalSignOf(digits)
      if (sign) found.add(sign)
    }
  }
  const [decimal, ...others] = found
  return example === undefined ? undefined : { example, decimal: others.length > 0 ? undefined : decimal }
}

/**
 * Returns the decimal sign of a number. A sign that occurs once is the decimal sign, as in "12.50". With several signs
 * it is the last one, as in "1,234.50"; but in "1.234.567" the repeated sign groups digits, so the decimal sign is the
 * other one.
 */
function decimalSignOf(digits: string): DecimalSign | undefined {
  const last = digits.match(/[.,]/g)?.at(-1) as DecimalSign | undefined
  if (!last || digits.indexOf(last) === digits.lastIndexOf(last)) return last
  return last === '.' ? ',' : '.'
}
