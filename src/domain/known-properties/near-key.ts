import { fold, type KnownKey } from '#contract/index.ts'

/** Suggestion for the key of a row: another known key, or the same key with its usual type. */
export interface Advice {
  readonly known: KnownKey
  readonly about: 'key' | 'type'
}

/**
 * Suggests a known key that the row's key is probably a typo of; or the same key with its usual type, if the row's
 * type differs.
 */
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

/** Normalizes a key by removing incidental differences: case and word separators. */
const plainKey = (key: string) => fold(key).replaceAll(/[\s._-]/g, '')

/**
 * Whether two keys are equal or one typo apart: in at least five letters, one is missing, added, different, or swapped
 * with its neighbour.
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
