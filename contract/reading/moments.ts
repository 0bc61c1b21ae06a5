import { readValue } from '../property-value.ts'
import { trimEnds } from '../visible.ts'

/** Returns whether a text is a date and time to the second, without a time zone. */
export const isMoment = (text: string) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?$/.test(text)

/** Parses unambiguous text into `2024-03-01T09:30:00`; a date means its first moment. Other text stays unchanged. */
export function parseMoment(typed: string, language: string): string {
  const text = trimEnds(typed.replace(/\s+/g, ' '))
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?)?$/.exec(text)
  const found = iso
    ? [`${iso[1]}T${iso[2] ?? '00:00'}${iso[3] ?? ':00'}`]
    : [...instantsIn(text, language), ...datesIn(text, language).map((date) => `${date}T00:00`)]
        .filter((instant) => !readValue('DATETIME', asInstant(instant)).issues)
        .map((instant) => instant.replace(/Z$/, '').replace(/T(\d{2}:\d{2})$/, 'T$1:00'))
  const [only, ...others] = new Set(found)
  const isOne = only !== undefined && others.length === 0
  return isOne && isMoment(only) && !readValue('DATETIME', `${only}Z`).issues ? only : typed
}

/** Returns the instant in the contract's form. A text without a zone is UTC, and seconds are optional. */
export function asInstant(text: string): string {
  const [, day, minutes, seconds = ':00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(text) ?? []
  if (day === undefined) return text
  return `${day}T${minutes}${seconds}${zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`
}

/** Parses dates. "1.3.2024" always means 1 March; "3/1/2024" is ambiguous. Years have four digits. */
export function datesIn(text: string, language: string): readonly string[] {
  const bare = text.replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? /i, '')
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(bare)
  const byYear = compact ?? /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(bare)
  if (byYear) return valid(byYear[1], byYear.at(-2), byYear.at(-1))
  const dotted = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/.exec(bare)
  if (dotted) return valid(dotted[3], dotted[2], dotted[1])
  const either = /^(\d{1,2})([-/ ])(\d{1,2})\2(\d{4})$/.exec(bare)
  if (either) {
    const [, first, , second, last] = either
    return [...new Set([...valid(last, second, first), ...valid(last, first, second)])]
  }
  const named =
    /^(?<day>\d{1,2})(?:st|nd|rd|th|\.)?[ -](?:of )?(?<month>\p{L}{3,})\.?,?[ -](?<year>\d{4})$/u.exec(
      bare,
    ) ?? /^(?<month>\p{L}{3,})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/u.exec(bare)
  const { groups } = named ?? {}
  const month = plainMonth(groups?.month ?? '?')
  const number = monthNames(language).findIndex((names) => names.some((name) => name.startsWith(month))) + 1
  return number === 0 ? [] : valid(groups?.year, String(number), groups?.day)
}

/** Names of months by language, without accents: alone, and as they are written behind a day. */
const months = new Map<string, readonly (readonly string[])[]>()

function monthNames(language: string): readonly (readonly string[])[] {
  const known = months.get(language)
  if (known) return known
  const alone = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  const dated = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' })
  const names = Array.from({ length: 12 }, (_, index) => {
    const month = Date.UTC(2024, index)
    const inDate = dated.formatToParts(month).find(({ type }) => type === 'month')?.value ?? ''
    return [alone.format(month), inDate].map(plainMonth)
  })
  months.set(language, names)
  return names
}

const plainMonth = (name: string) =>
  name
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')

function valid(year = '', month = '', day = ''): readonly string[] {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return readValue('DATE', date).issues ? [] : [date]
}

/** Parses times: "9:30", "9.30", "21h30", "21h", "0930", "9:30 pm". Fractions of a second become full milliseconds. */
export function timesIn(text: string): readonly string[] {
  const [, compactHour, compactMinute] = /^(\d{2})(\d{2})$/.exec(text) ?? []
  if (compactMinute !== undefined) return [`${compactHour}:${compactMinute}`]
  const parts =
    /^(?<hour>\d{1,2})(?:[:.h](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,](?<part>\d{1,3}))?)?| ?(?<mark>h))? ?(?<half>[ap]\.?m\.?)?$/i
  const { hour = '', minute, second, part, mark, half } = parts.exec(text)?.groups ?? {}
  if (hour === '' || (minute ?? mark ?? half) === undefined) return []
  if (half !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return []
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0)
  const seconds =
    second === undefined ? '' : `:${second}${part === undefined ? '' : `.${part.padEnd(3, '0')}`}`
  return [`${String(hours).padStart(2, '0')}:${minute ?? '00'}${seconds}`]
}

/** Parses a date and a time in any notation, with a zone or else in UTC; also Unix time. */
export function instantsIn(text: string, language: string): readonly string[] {
  if (/^\d{10}$/.test(text)) return [new Date(Number(text) * 1000).toISOString()]
  if (/^\d{13}$/.test(text)) return [new Date(Number(text)).toISOString()]
  const [zoned = ''] = / ?(?:Z|UTC|GMT|(?<=:\d{2}(?:\.\d+)? ?)[+-]\d{2}(?::?\d{2})?)$/i.exec(text) ?? []
  const bare = zoned === '' ? text : text.slice(0, -zoned.length)
  const [, hours, minutes = '00'] = /([+-]\d{2}):?(\d{2})?$/.exec(zoned) ?? []
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`
  return [...bare.matchAll(/,? |T/g)].flatMap(({ index, 0: gap }) => {
    const clock = bare.slice(index + gap.length)
    const time = readValue('TIME', clock).issues ? timesIn(clock) : [clock]
    return datesIn(bare.slice(0, index), language).flatMap((date) =>
      time.map((each) => `${date}T${each}${zone}`),
    )
  })
}
