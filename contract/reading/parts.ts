import { trimEnds } from '../visible.ts'

/** Inputs of a value: most types have only `text`; types with several parts have the others as well. */
export type Part = 'text' | 'currency' | 'entity' | 'statusDate' | 'expires'

export const parts = ['text', 'currency', 'entity', 'statusDate', 'expires'] as const satisfies Part[]

/**
 * Parts of a value as text. `text` holds the value of a single-part type, the amount of CURRENCY, the user of
 * RELATIONSHIP and the status of PREFERENCE.
 */
export interface Parts extends Readonly<Partial<Record<Part, string>>> {
  readonly text: string
}

export function isBlank(written: Parts): boolean {
  return parts.every((part) => trimEnds(written[part] ?? '') === '')
}

/** Stands in a text for the beginning of a preference that has only an end. */
export const noBeginning = '-'

/** Suffix in a file for a preference that has ended. Redundant, since the date before it says so, too. */
export const endedMark = '(expired)'

/**
 * Splits a text into the parts of a type. A single date of a preference is taken for its beginning. Text that cannot be
 * split is the first part.
 */
export function splitText(type: string, text: string): Parts {
  const all = trimEnds(text).split(/\s+/)
  const words = type === 'PREFERENCE' && all.length === 4 && all[3] === endedMark ? all.slice(0, 3) : all
  const [first = '', second = '', third = ''] = words
  if (type === 'CURRENCY' && words.length === 2) {
    if (/^[a-z]{3}$/i.test(second)) return { text: first, currency: second }
    if (/^[a-z]{3}$/i.test(first)) return { text: second, currency: first }
  }
  if (type === 'RELATIONSHIP' && words.length === 2) return { text: first, entity: second }
  if (type === 'PREFERENCE' && words.length <= 3 && second !== '')
    return {
      text: first,
      ...(second !== noBeginning && { statusDate: second }),
      ...(third !== '' && { expires: third }),
    }
  return { text }
}
