import { dayMs } from '#contract/index.ts'

/** How a spreadsheet shows the number of a cell. */
export interface NumberFormat {
  readonly hasDay: boolean
  readonly hasTime: boolean
  /** Whether hours go on after 24, as of a span of time. */
  readonly isElapsed: boolean
  readonly hasMilliseconds: boolean
  /** Whether a Z follows, which says that the time is UTC. */
  readonly isUtc: boolean
  /** Digits that a whole number has at least, as in a postcode. */
  readonly digits: number
  /** Decimals that a number has at least, as in an amount. */
  readonly decimals: number
}

/** Formats that a workbook names by number alone, as far as more than the number follows from them. */
const builtIn: Readonly<Record<number, string>> = {
  2: '0.00',
  14: 'm/d/yyyy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yyyy h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
}

/** Longest format, in characters, that a spreadsheet accepts. */
const longestCode = 255

/** Reads a format by its number and, if the workbook has one of that number, its code. */
export function readNumberFormat(id: number, custom: string | undefined): NumberFormat {
  const whole = (custom ?? builtIn[id] ?? '').slice(0, longestCode)
  const [code = ''] = whole
    // Texts, single signs, blanks, colours, conditions and languages; [h], [mm] and [ss] are spans of time.
    .replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '')
    .split(';', 1)
  const signs = code.toLowerCase().replaceAll(/am\/pm|a\/p/g, '')
  // A format such as Standard has other letters as well.
  const isMoment = /[ymdhs]/.test(signs) && !/[^\W\d_ymdhsabeg]/.test(signs)
  const hasTime = isMoment && /[hs]|\[m/.test(signs)
  return {
    hasDay: isMoment && (/[yd]|mmm/.test(signs) || !hasTime),
    hasTime,
    isElapsed: isMoment && signs.includes('['),
    hasMilliseconds: /s[.,]0/.test(signs),
    isUtc: /(?:\\Z|"Z")$/.test(whole),
    digits: /^0+$/.test(code) ? code.length : 1,
    decimals: /^0+\.(0+)$/.exec(code)?.[1]?.length ?? 0,
  }
}

/** Significant digits that a spreadsheet shows. */
const precision = 15
const written = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: precision })

/** Returns a number as a spreadsheet shows it, without the noise of its binary form; a date or time as in ISO 8601. */
export function showNumber(text: string, format: NumberFormat | undefined, is1904: boolean): string {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return text
  const moment = format && (format.hasDay || format.hasTime) ? showMoment(number, format, is1904) : undefined
  if (moment !== undefined) return moment
  const shown = Number.isSafeInteger(number) ? String(number) : written.format(number)
  const [whole = '', decimals = ''] = shown.split('.')
  if (decimals.length < (format?.decimals ?? 0))
    return `${whole}.${decimals.padEnd(format?.decimals ?? 0, '0')}`
  return /^\d+$/.test(shown) ? shown.padStart(format?.digits ?? 1, '0') : shown
}

/** Day after the one that a spreadsheet takes for 29 February 1900, which there was not. */
const firstOfMarch1900 = 61

/** Returns the date, the time or both of a number of days; undefined if there is no such day. */
function showMoment(number: number, format: NumberFormat, is1904: boolean): string | undefined {
  const { hasDay, hasTime, isElapsed, hasMilliseconds, isUtc } = format
  const precisionMs = hasMilliseconds ? 1 : 1000
  const ms =
    hasDay && !hasTime ? Math.floor(number) * dayMs : Math.round((number * dayMs) / precisionMs) * precisionMs
  if (ms < 0) return undefined
  if (!hasDay) return showTime(isElapsed ? ms : ms % dayMs)
  const day = Math.floor(ms / dayMs)
  if (!is1904 && (day < 1 || day === firstOfMarch1900 - 1)) return undefined
  const begin = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, day < firstOfMarch1900 ? 31 : 30)
  const date = new Date(begin + day * dayMs)
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return undefined
  const shown = date.toISOString().slice(0, 10)
  return hasTime ? `${shown}T${showTime(ms % dayMs)}${isUtc ? 'Z' : ''}` : shown
}

function showTime(ms: number): string {
  const hours = String(Math.floor(ms / 3_600_000)).padStart(2, '0')
  const rest = new Date(ms % 3_600_000).toISOString().slice(14, 23)
  return `${hours}:${rest.replace(/\.000$/, '')}`
}
