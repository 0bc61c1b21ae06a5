import { emailKey, fold } from '#contract/index.ts'

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
    (type === 'TEXT' && (isSameCode(there, here) || isSamePhone(there, here)))
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
const longestPhone = 15

/**
 * Whether two codes, such as plates, IBANs or card numbers, are equal. A grouped code equals the ungrouped one, but
 * not one with other groups: the plate `B-AB 12` is not `BA-B 12`.
 */
function isSameCode(there: string, here: string): boolean {
  const groups = (text: string) => foldValue(text).split(/(?<=[\p{L}\p{Nd}])[\s\p{Pd}](?=[\p{L}\p{Nd}])/u)
  const [one, other] = [groups(there), groups(here)]
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

/** Country calling code; its first digits determine its length (ITU-T E.164). */
const countryCode = /^(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

interface Phone {
  /** International prefix `+` or `00`; undefined for a national number. */
  readonly prefix: '+' | '00' | undefined
  readonly digits: string
}

/** Decimals, IP addresses and dates: the separators between their digits are significant. */
const otherForms = /^\d+\.\d+$|^\d{1,3}(?:\.\d{1,3}){3}$|^\d{1,4}([./-])\d{1,2}\1\d{1,4}$/

/** Parses a text in the form of a phone number: digits, in groups of any kind. */
function phoneOf(text: string): Phone | undefined {
  const written = text.normalize('NFKC').trim()
  if (!/^\+?[\d(][\d\s./()\p{Pd}]*\d$/u.test(written) || otherForms.test(written)) return undefined
  const isMarked = written.startsWith('+')
  const all = (isMarked ? written.replace('(0)', '') : written).replace(/\D/g, '')
  const prefix = isMarked ? '+' : /^00[1-9]/.test(all) ? '00' : undefined
  const digits = prefix === '00' ? all.slice(2) : all
  return digits.length >= shortest && digits.length <= longestPhone ? { prefix, digits } : undefined
}

/**
 * Whether two phone numbers have equal digits. A number with `+` also equals its national form, with or without the
 * leading `0`.
 */
function isSamePhone(there: string, here: string): boolean {
  const [one, other] = [phoneOf(there), phoneOf(here)]
  if (!one || !other) return false
  if (one.prefix !== undefined && other.prefix !== undefined) return one.digits === other.digits
  const [marked, national] = one.prefix === undefined ? [other, one] : [one, other]
  if (marked.prefix === undefined) return one.digits === other.digits
  if (marked.prefix === '00') return false
  const within = marked.digits.replace(countryCode, '')
  return [marked.digits, within, `0${within}`].includes(national.digits)
}
