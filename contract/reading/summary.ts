import { trimEnds } from '../visible.ts'
import { stripGuard } from './guards.ts'

// Summaries of columns: as much as their reading needs, in bounded memory, however many cells there are.

/** Different cells that are kept as they are, and characters that they have together. */
const keptCells = 10_000
const keptCharacters = 2_000_000
/** Different shapes of the other cells that are kept, each with its first cell. */
const keptShapes = 500
/** Longest cell that is kept; longer ones only count. */
const longestKept = 1000

const slashed = /^(\d{1,2})([-/ ])(\d{1,2})\2(?:\d{4}|\d{2})(?!\d)/
const threeDigits = /^[1-9]\d{0,2}[.,]\d{3}$/

/** Returns a cell as it is read: without its guard and invisible ends. */
export const cellText = (cell: string) => trimEnds(stripGuard(cell))

export interface ColumnOrigin {
  readonly header: string
  /** Whether we wrote the column, so that every cell is written as its value. */
  readonly isOurs: boolean
}

export class ColumnSummary {
  readonly header: string
  readonly isOurs: boolean
  /** Different cells and how often each occurs; of a long column, one cell stands for those that look like it. */
  readonly counts = new Map<string, number>()
  /** Whether the first or the second part of a date such as 3/1/2024 exceeds 12 in any cell. */
  #isDayFirst = false
  #isDaySecond = false
  readonly #signs = new Set<'.' | ','>()
  #characters = 0
  readonly #shapes = new Map<string, string>()

  constructor({ header, isOurs }: ColumnOrigin) {
    this.header = header
    this.isOurs = isOurs
  }

  /** Part that comes first in dates such as 3/1/2024; undefined if the cells do not tell. */
  get order(): 'day' | 'month' | undefined {
    if (this.#isDayFirst === this.#isDaySecond) return undefined
    return this.#isDayFirst ? 'day' : 'month'
  }

  /** Decimal sign of the numbers; undefined if the cells do not tell. */
  get decimal(): '.' | ',' | undefined {
    const [sign] = this.#signs
    return this.#signs.size === 1 ? sign : undefined
  }

  add(cell: string): this {
    const text = cellText(cell)
    if (text === '') return this
    const count = this.counts.get(text)
    if (count !== undefined) this.counts.set(text, count + 1)
    else {
      this.#learn(text)
      this.#keep(text)
    }
    return this
  }

  #learn(text: string): void {
    const found = slashed.exec(text)
    if (Number(found?.[1]) > 12) this.#isDayFirst = true
    if (Number(found?.[3]) > 12) this.#isDaySecond = true
    if (this.#signs.size === 2 || text.length > longestKept) return
    const digits = text.replace(/[^\d.,]/g, '')
    const sign = threeDigits.test(digits) ? undefined : decimalSignOf(digits)
    if (sign !== undefined) this.#signs.add(sign)
  }

  #keep(text: string): void {
    if (text.length <= longestKept && this.counts.size < keptCells && this.#characters < keptCharacters) {
      this.#characters += text.length
      this.counts.set(text, 1)
      return
    }
    const shape = text.slice(0, longestKept).replace(/\d/g, '0').slice(0, 100)
    const same = this.#shapes.get(shape)
    if (same !== undefined) this.counts.set(same, (this.counts.get(same) ?? 0) + 1)
    else if (this.#shapes.size < keptShapes) {
      const kept = text.slice(0, longestKept)
      this.#shapes.set(shape, kept)
      this.counts.set(kept, (this.counts.get(kept) ?? 0) + 1)
    }
  }
}

export function summariseColumn(origin: ColumnOrigin, cells: Iterable<string> = []): ColumnSummary {
  const summary = new ColumnSummary(origin)
  for (const cell of cells) summary.add(cell)
  return summary
}

/**
 * Returns the decimal sign of a number. A sign that occurs once is the decimal sign, as in "12.50". With several signs
 * it is the last one, as in "1,234.50"; but in "1.234.567" the repeated sign groups digits, so the decimal sign is the
 * other one.
 */
function decimalSignOf(digits: string): '.' | ',' | undefined {
  const last = digits.match(/[.,]/g)?.at(-1) as '.' | ',' | undefined
  if (!last || digits.indexOf(last) === digits.lastIndexOf(last)) return last
  return last === '.' ? ',' : '.'
}
