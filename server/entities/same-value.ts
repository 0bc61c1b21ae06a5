import { emailKey, fold } from '#contract/index.ts'
import { inLatinLetters, inWesternDigits } from './spelling/letters.ts'
import { hasPhone } from './spelling/phones.ts'

/**
 * Whether a stated value is the stored one. A match lets a caller pass for the person, so only differences in notation
 * are tolerated, never a letter or a digit (docs/decisions/0026-checking-a-value.md).
 */
export function isSame(type: string, stored: unknown, given: string): boolean {
  if (typeof stored !== 'string' && typeof stored !== 'number') return false
  const [there, here] = [String(stored), given.trim()]
  if (type === 'DATE') return there === here
  if (type === 'NUMBER' || type === 'DECIMAL')
    return isNumber(here) && plainNumber(there) === plainNumber(here)
  if (type === 'EMAIL') return emailKey(there) === emailKey(here)
  return (
    foldValue(there) === foldValue(here) ||
    (type === 'TEXT' && (isSameCode(there, here) || hasPhone(there, here)))
  )
}

const isNumber = (text: string) => /^-?\d+(\.\d+)?$/.test(text)
/** Normalises a number, so that `012.340` and `12.34` are equal. */
function plainNumber(number: string): string {
  const [whole = '', part = ''] = number.replace('-', '').split('.')
  const digits = `${whole.replace(/^0+(?=\d)/, '')}.${part.replace(/0+$/, '')}`
  return number.startsWith('-') && digits !== '0.' ? `-${digits}` : digits
}

/** Ignores case and width, and collapses whitespace. */
const foldValue = (text: string) => fold(text.normalize('NFKC')).trim().replace(/\s+/g, ' ')

const shortest = 7

/** Splits a code into its groups, in Latin letters if all of its letters look like some. */
function groupsOf(text: string): string[] {
  const code = foldValue(inWesternDigits(text)).replace(/\p{Pd}/gu, '-')
  return (inLatinLetters(code) ?? code).split(/(?<=[\p{L}\p{Nd}])[\s-](?=[\p{L}\p{Nd}])/u)
}

/**
 * Whether two codes, such as plates, IBANs or card numbers, are equal. A grouped code equals the ungrouped one, but
 * not one with other groups: the plate `B-AB 12` is not `BA-B 12`.
 */
function isSameCode(there: string, here: string): boolean {
  const [one, other] = [groupsOf(there), groupsOf(here)]
  const solid = one.join('')
  return (
    isCode(solid) &&
    solid === other.join('') &&
    (one.length === 1 || other.length === 1 || one.join() === other.join())
  )
}

const isCode = (solid: string) =>
  /^[\p{L}\p{Nd}]+$/u.test(solid) &&
  /\p{Nd}/u.test(solid) &&
  (/\p{L}/u.test(solid) || solid.length >= shortest)
