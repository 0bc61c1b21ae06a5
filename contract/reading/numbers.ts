import { trimEnds } from '../visible.ts'
import type { Notation } from './notation.ts'

export interface NumberSigns {
  readonly decimal: string
  /** Whether digits are grouped in thousands and, before them, in pairs: "12,34,567". */
  readonly isGroupedInPairs?: boolean
}

/**
 * Returns the numbers that a text may mean, exactly and in the service's notation: none, one, or two with the likelier
 * first. "7.500" is 7500 to a German, but 7.500 to somebody used to another notation or copying from elsewhere. In
 * typed text, the decimal sign of the reader's own locale is unambiguous.
 */
export function numbersIn(text: string, { locale, decimal, isCopied }: Notation): readonly string[] {
  const signs = decimal === undefined ? signsOf(locale) : { decimal }
  const [, sign = '', body = ''] = /^([+-]?) ?(.*)$/.exec(trimEnds(inLatin(text))) ?? []
  const grouped = withoutGroups(body, signs)
  const plain = withFraction(body, signs)
  const isOwnSign = body.at(-4) === signs.decimal
  const isSure = decimal !== undefined || (isCopied !== true && isOwnSign)
  return (isOwnSign ? [plain, grouped] : [grouped, plain])
    .filter((digits) => digits !== undefined)
    .slice(0, isSure ? 1 : 2)
    .map((digits) => (sign === '-' ? `-${digits}` : digits))
}

/** Removes digit groups: "1.234.567", "1 234", or in some locales "12,34,567"; undefined for any other text. */
function withoutGroups(text: string, { isGroupedInPairs }: NumberSigns): string | undefined {
  const isGrouped =
    /^[1-9]\d{0,2}([.,' ٬])\d{3}(?:\1\d{3})*$/.test(text) ||
    (isGroupedInPairs === true && /^[1-9]\d?(?:,\d\d)+,\d{3}$/.test(text))
  return isGrouped ? text.replace(/\D/g, '') : undefined
}

/** Parses "1234", "12,5", ".5" or "1.234,50": the last sign starts the fraction and must occur only once. */
function withFraction(text: string, signs: NumberSigns): string | undefined {
  const [, before = '', mark = '', fraction = ''] = /^(.*?)(?:([.,٫])(\d*))?$/.exec(text) ?? []
  const isPlain = /^\d+$/.test(before) || (before === '' && fraction !== '')
  const whole = isPlain ? before : before.includes(mark) ? undefined : withoutGroups(before, signs)
  if (whole === undefined) return undefined
  return fraction === '' ? whole : `${whole === '' ? '0' : whole}.${fraction}`
}

const signsByLocale = new Map<string, NumberSigns>()

export function signsOf(locale: string): NumberSigns {
  const signs = signsByLocale.get(locale) ?? readSigns(locale)
  signsByLocale.set(locale, signs)
  return signs
}

function readSigns(locale: string): NumberSigns {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn' }).formatToParts(1234567.5)
  return {
    decimal: parts.find(({ type }) => type === 'decimal')?.value ?? '.',
    isGroupedInPairs: parts.some(({ type, value }) => type === 'integer' && value.length === 2),
  }
}

const otherSigns: readonly (readonly [sign: RegExp, latin: string])[] = [
  // Bidirectional marks, which Intl and Arabic keyboards put around a minus, are removed.
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''],
  [/\s/g, ' '],
  [/[\u2010-\u2013\u2212\ufe63]/g, '-'],
  [/[\u02bc\u2018\u2019\u2032]/g, "'"],
  [/\u060c/g, ','],
]

/** Normalizes digits of any writing system, full-width characters, spaces and minus signs to their ASCII forms. */
export function inLatin(text: string): string {
  const narrow = text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
  const latin = narrow.replace(/\p{Nd}/gu, (digit) => String(valueOfDigit(digit.codePointAt(0) ?? 0)))
  return otherSigns.reduce((written, [sign, plain]) => written.replace(sign, plain), latin)
}

/** Returns the value of a digit. Unicode lists the ten digits of a script in a row; some rows are adjacent. */
function valueOfDigit(code: number): number {
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return before % 10
}
