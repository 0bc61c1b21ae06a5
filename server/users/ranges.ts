import { afterAll } from './terms.ts'

/** Range of texts or ids, both ends included. */
export interface Range {
  readonly from: string
  readonly to: string
}

/** Ranges that do not overlap. */
export type Ranges = readonly [Range, ...Range[]]

/** Removes the ranges that lie within others. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const kept: Range[] = []
  for (const range of ranges.toSorted((a, b) =>
    a.from < b.from || (a.from === b.from && a.to > b.to) ? -1 : 1,
  )) {
    const last = kept.at(-1)
    if (!last || !range.from.startsWith(last.from) || range.to > last.to) kept.push(range)
  }
  return kept
}

export const exactRange = (text: string): Range => ({ from: text, to: text })
export const prefixRange = (text: string): Range => ({ from: text, to: text + afterAll })
/** Range of the word alone or followed by more words: no character of a term sorts below the space. */
export const wholeWord = (text: string): Range => ({ from: text, to: `${text} ${afterAll}` })

/** Returns the range of ids that begin with this text, with or without dashes; undefined if no id can. */
export function idsWith(text: string): Range | undefined {
  const digits = text.replaceAll('-', '')
  if (!/^[\da-f]{1,32}$/i.test(digits)) return undefined
  return { from: digits.padEnd(32, '0'), to: digits.padEnd(32, 'f') }
}
