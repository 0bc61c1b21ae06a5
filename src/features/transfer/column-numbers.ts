import type { TableRow } from '../../domain/work/csv.ts'
import { stripFormulaGuard } from '../../domain/work/formula.ts'
import { readPropertyHeader } from './cells.ts'

/** The sign that parts the fraction. */
export type DecimalSign = '.' | ','

/** A column in which a number can be read in two ways. */
export interface DoubtfulNumbers {
  /** The first such number, without its currency. */
  readonly example: string
  /** Sign used by the column's unambiguous numbers; undefined if there are none, or if they disagree. */
  readonly decimal: DecimalSign | undefined
}

/** Whether numbers of a column are in doubt, and what the rest of it says; `undefined`: each of them has one meaning. */
export function doubtfulNumbers(
  header: string,
  rows: readonly TableRow[],
  column: number,
): DoubtfulNumbers | undefined {
  let example: string | undefined
  // Our own export always writes a decimal point.
  const found = new Set<DecimalSign>(readPropertyHeader(header) ? ['.'] : [])
  for (const { cells } of rows) {
    const digits = stripFormulaGuard(cells[column] ?? '').replace(/[^\d.,]/g, '')
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
 * Returns the decimal sign of a number. A sign that occurs once is one, as in "12.50"; with several signs it is the
 * last of "1,234.50", while in "1.234.567" the sign groups, so the other one is meant.
 */
function decimalSignOf(digits: string): DecimalSign | undefined {
  const last = digits.match(/[.,]/g)?.at(-1) as DecimalSign | undefined
  if (!last || digits.indexOf(last) === digits.lastIndexOf(last)) return last
  return last === '.' ? ',' : '.'
}
