import { trimEnds } from '#contract/index.ts'
import { numberLocale } from '../../messages/index.ts'

/** How a number is written where a text comes from. */
export interface NumberSigns {
  readonly decimal: string
  /** Thousands and, before them, pairs: "12,34,567". */
  readonly isGroupedInPairs?: boolean
}

/** Typed by the reader; brought along from elsewhere; or in a file of which somebody said how its numbers are written. */
type Origin = 'typed' | 'elsewhere' | 'declared'

/**
 * The numbers that a text may stand for, exactly and as the service writes them: none, one, or two with the likelier first.
 * "7.500" is 7500 to a German, and 7.500 to whoever is used to other signs or copied it. The decimal sign of the reader's own
 * locale leaves no doubt.
 */
export function numbersIn(
  text: string,
  signs: NumberSigns = signsOf(numberLocale),
  origin: Origin = 'typed',
): readonly string[] {
  const [, sign = '', body = ''] = /^([+-]?) ?(.*)$/.exec(trimEnds(inLatin(text))) ?? []
  const grouped = withoutGroups(body, signs)
  const plain = withFraction(body, signs)
  const isOwnSign = body.at(-4) === signs.decimal
  const isSure = origin === 'declared' || (origin === 'typed' && isOwnSign)
  return (isOwnSign ? [plain, grouped] : [grouped, plain])
    .filter((digits) => digits !== undefined)
    .slice(0, isSure ? 1 : 2)
    .map((digits) => (sign === '-' ? `-${digits}` : digits))
}

/** "1.234.567", "1 234", "12,34,567" where thousands are counted so; `undefined`: it is none of these. */
function withoutGroups(text: string, { isGroupedInPairs }: NumberSigns): string | undefined {
  const isGrouped =
    /^[1-9]\d{0,2}([.,' ٬])\d{3}(?:\1\d{3})*$/.test(text) ||
    (isGroupedInPairs === true && /^[1-9]\d?(?:,\d\d)+,\d{3}$/.test(text))
  return isGrouped ? text.replace(/\D/g, '') : undefined
}

/** "1234", "12,5", ".5", "1.234,50": the last sign begins the fraction, and stands nowhere else. */
function withFraction(text: string, signs: NumberSigns): string | undefined {
  const [, before = '', mark = '', fraction = ''] = /^(.*?)(?:([.,٫])(\d*))?$/.exec(text) ?? []
  const isPlain = /^\d+$/.test(before) || (before === '' && fraction !== '')
  const whole = isPlain ? before : before.includes(mark) ? undefined : withoutGroups(before, signs)
  if (whole === undefined) return undefined
  return fraction === '' ? whole : `${whole === '' ? '0' : whole}.${fraction}`
}

/** A number of the service as the reader's locale writes it, with all its digits and without groups: `numbersIn` reads it back. */
export function writtenNumber(stored: string, { decimal }: NumberSigns = signsOf(numberLocale)): string {
  return /^-?\d+\.\d+$/.test(stored) ? stored.replace('.', decimal) : stored
}

/**
 * Formats a stored number for reading, with grouped digits: "12,345.50". It is exact at any length. Numbers of four
 * digits stay ungrouped, since many of them are years or parts of a name.
 */
export function groupedNumber(stored: string, { decimal }: NumberSigns = signsOf(numberLocale)): string {
  const [, sign, whole = '', fraction] = /^(-?)(\d{5,})(?:\.(\d+))?$/.exec(stored) ?? []
  // Zeros in front belong to a number that is a name.
  if (sign === undefined || whole.startsWith('0')) return writtenNumber(stored, { decimal })
  return `${sign}${groups.format(BigInt(whole))}${fraction === undefined ? '' : decimal + fraction}`
}

const groups = new Intl.NumberFormat(numberLocale, { useGrouping: 'always' })

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
  // Marks of the direction of writing, which Intl and Arabic keyboards put around a minus.
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''],
  [/\s/g, ' '],
  [/[\u2010-\u2013\u2212\ufe63]/g, '-'],
  [/[\u02bc\u2018\u2019\u2032]/g, "'"],
  [/\u060c/g, ','],
]

/** Digits of any writing system, full-width signs, spaces and minus signs, each as the sign that they are another form of. */
function inLatin(text: string): string {
  const narrow = text.replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
  const latin = narrow.replace(/\p{Nd}/gu, (digit) => String(valueOfDigit(digit.codePointAt(0) ?? 0)))
  return otherSigns.reduce((written, [sign, plain]) => written.replace(sign, plain), latin)
}

/** Unicode has the ten digits of a writing system in a row, some of these rows one behind the other. */
function valueOfDigit(code: number): number {
  let before = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before++
  return before % 10
}
