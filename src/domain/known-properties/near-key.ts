import { fold, type KnownKey } from '#contract/index.ts'

/** Suggestion for the key of a row: another known key, or the same key with its usual type. */
export interface Advice {
  readonly known: KnownKey
  readonly about: 'key' | 'type'
}

/** A known key that the one of a row is probably a slip for, or whose type everybody else has another. */
export function adviceOn(
  { key, type }: { readonly key: string; readonly type: string },
  known: readonly KnownKey[],
): Advice | undefined {
  const same = known.filter((each) => each.key === key)
  if (same.some((each) => each.type === type)) return undefined
  const [first] = same
  if (first) return { known: first, about: 'type' }
  const near = known.find((each) => isNear(plainKey(key), plainKey(each.key)))
  return near && { known: near, about: 'key' }
}

/** Without what people leave to chance: case, accents, and how words are joined. */
const plainKey = (key: string) => fold(key).replaceAll(/[\s._-]/g, '')

/**
 * Tells whether two keys are equal or one slip apart: in at least five letters, one that is missing, added, different,
 * or swapped with its neighbour.
 */
function isNear(a: string, b: string): boolean {
  if (a === b) return a !== ''
  if (Math.min(a.length, b.length) < 4 || Math.max(a.length, b.length) < 5) return false
  let from = 0
  while (from < a.length && a[from] === b[from]) from += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - from && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [left, right] = [a.slice(from, a.length - end), b.slice(from, b.length - end)]
  const isSwapped = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0]
  return isSwapped || (left.length <= 1 && right.length <= 1)
}
