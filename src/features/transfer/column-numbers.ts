import type { TableRow } from '../../domain/work/csv.ts'
import { unguarded } from '../../domain/work/formula.ts'
import { readPropertyHeader } from './cells.ts'

/** The sign that parts the fraction. */
export type DecimalSign = '.' | ','

/** A column in which a number can be read in two ways. */
export interface DoubtfulNumbers {
  /** The first such number, without its currency. */
  readonly example: string
  /** As the other numbers of the column have it; absent: they have none, or both. */
  readonly decimal: DecimalSign | undefined
}

/** Whether numbers of a column are in doubt, and what the rest of it says; `undefined`: each of them has one meaning. */
export function doubtfulNumbers(
  header: string,
  rows: readonly TableRow[],
  column: number,
): DoubtfulNumbers | undefined {
  let example: string | undefined
  // Our own export has the point, whoever made it.
  const found = new Set<DecimalSign>(readPropertyHeader(header) ? ['.'] : [])
  for (const { cells } of rows) {
    const digits = unguarded(cells[column] ?? '').replace(/[^\d.,]/g, '')
    if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) example ??= digits
    else {
      const sign = decimalSignOf(digits)
      if (sign) found.add(sign)
    }
  }
  const [decimal, ...others] = found
  return example === undefined ? undefined : { example, decimal: others.length > 0 ? undefined : decimal }
}

/** In "12.50" and "1,234.50" the last sign; in "1.234.567", where that groups, the other one. */
function decimalSignOf(digits: string): DecimalSign | undefined {
  const last = digits.match(/[.,]/g)?.at(-1) as DecimalSign | undefined
  if (!last || digits.indexOf(last) === digits.lastIndexOf(last)) return last
  return last === '.' ? ',' : '.'
}
