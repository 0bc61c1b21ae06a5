import type { ClipboardEvent } from 'react'

import { type DataType, isCurrency, isDataType, readValue, trimEnds } from '#contract/index.ts'

import { language } from '../../messages/index.ts'
import { isMoment } from '../../ui/moments.tsx'
import { currenciesNamed } from './currencies.ts'
import { type Draft, draftOf, isBlank, type Part, partOf, sameDraft, typed, valueOf } from './draft.ts'
import { numbersIn, writtenNumber } from './numbers.ts'

/**
 * Returns the possible meanings of a text in another notation: none, one or several. Only a single one is applied
 * without asking. "3/1/2024" always has several, and so has "7.500" in German.
 */
export function readings(type: string, draft: Draft, part: Part = 'text'): readonly Draft[] {
  if (!isDataType(type)) return []
  const text = trimEnds((draft[part] ?? '').replace(/\s+/g, ' '))
  if (text === '') return []
  const found =
    part === 'text'
      ? (spellings[type]?.(text, draft) ?? [])
      : part === 'currency'
        ? codes(text)
        : isInstant(type, part)
          ? instants(text)
          : []
  const seen = new Set<string>()
  return found.flatMap((each): Draft[] => {
    const read: Draft = typeof each === 'string' ? typed(draft, part, each) : { ...draft, ...each }
    const known = `${read.text} ${read.currency ?? ''}`
    if (part === 'text' && seen.has(known)) return []
    seen.add(known)
    return fits(type, read, part) ? [read] : []
  })
}

/**
 * Returns the draft after a paste into one of the inputs; `undefined` leaves the paste to the browser. Line breaks,
 * which a single-line input would drop, become spaces.
 */
export function pasted(
  type: string,
  draft: Draft,
  { target, clipboardData }: Pick<ClipboardEvent<HTMLElement>, 'target' | 'clipboardData'>,
): Draft | undefined {
  if (!isDataType(type) || type === 'TEXT' || !(target instanceof HTMLInputElement)) return undefined
  const part = partOf({ path: [target.name] })
  const { value, selectionStart: from, selectionEnd: to } = target
  const clipboard = clipboardData.getData('text')
  const address = type === 'RELATIONSHIP' && targetAt(clipboard)
  if (address) return address
  const [start, end] = [from ?? value.length, to ?? value.length]
  const text = clipboard.trim().replace(/\s+/g, ' ')
  const isWhole = start === 0 && end === value.length
  const isBroken = /[\r\n\t]/.test(clipboard.trim())
  if (!isWhole)
    return isBroken ? typed(draft, part, value.slice(0, start) + text + value.slice(end)) : undefined
  const next = typed(draft, part, text)
  if (fits(type, next, part)) return isBroken ? next : undefined
  const [only, ...others] = readings(type, next, part)
  return only && others.length === 0 ? only : isBroken ? next : undefined
}

/** Returns the draft after an input loses focus: its text in stored form if it has a single meaning, or undefined. */
export function settled(type: string, draft: Draft, part: Part): Draft | undefined {
  if (!isDataType(type) || type === 'TEXT' || (draft[part] ?? '').trim() === '') return undefined
  // A valid amount may still lack its currency, without which it has no stored form.
  const isWhole = fits(type, draft, part) && !(type === 'CURRENCY' && part === 'text')
  const [only, ...others] = isWhole ? [draft] : readings(type, draft, part)
  if (!only || others.length > 0) return undefined
  // Another part of the value may still be missing, so the text may have no stored form yet.
  const read = valueOf(type, only)
  const stored = read.issues ? only : draftOf(type, read.value)
  return sameDraft(stored, draft) ? undefined : stored
}

export type MomentKind = 'DATE' | 'DATETIME'

/** Returns the stored form of a typed text if it is unambiguous; any other text is returned unchanged. */
export function readMoment(kind: MomentKind, text: string): string {
  return settled(kind, { text }, 'text')?.text ?? text
}

/** Parses unambiguous text into `2024-03-01T09:30:00`; a date means its first moment. Other text stays unchanged. */
export function parseMoment(typed: string): string {
  const text = typed.replace(/\s+/g, ' ').trim()
  const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?)?$/.exec(text)
  const [only, ...others] = iso
    ? [`${iso[1]}T${iso[2] ?? '00:00'}${iso[3] ?? ':00'}`]
    : [
        ...readings('DATETIME', { text }).map((read) => read.text),
        ...readings('DATE', { text }).map((read) => `${read.text}T00:00:00Z`),
      ].map((read) => read.replace(/Z$/, '').replace(/T(\d{2}:\d{2})$/, 'T$1:00'))
  const isOne = only !== undefined && others.every((other) => other === only)
  return isOne && isMoment(only) && !readValue('DATETIME', `${only}Z`).issues ? only : typed
}

/** Whether a part is valid, ignoring parts that are still empty. */
function fits(type: string, draft: Draft, part: Part): boolean {
  if (type === 'CURRENCY') {
    const code = draft.currency?.trim() ?? ''
    const one =
      part === 'currency' ? { text: '0', currency: code } : { text: draft.text, currency: code || 'EUR' }
    return !valueOf(type, one).issues
  }
  if (type === 'PREFERENCE' && part !== 'text')
    return !valueOf('DATETIME', { text: draft[part] ?? '' }).issues
  return !isBlank(draft) && !valueOf(type, draft).issues
}

const isInstant = (type: string, part: Part) =>
  type === 'PREFERENCE' && (part === 'statusDate' || part === 'expires')

type Spelling = (text: string, draft: Draft) => readonly (string | Draft)[]

const spellings: Partial<Record<DataType, Spelling>> = {
  BOOLEAN: (text) =>
    /^(?:yes|y|on|1)$/i.test(text) ? ['true'] : /^(?:no|n|off|0)$/i.test(text) ? ['false'] : [],
  // Trailing zeros of a fraction are not stored in a NUMBER.
  NUMBER: (text) => numbers(text, (number) => (number.includes('.') ? number.replace(/\.?0+$/, '') : number)),
  DECIMAL: (text) => numbers(text),
  CURRENCY: amounts,
  DATE: dates,
  TIME: times,
  DATETIME: instants,
  EMAIL: (text) => {
    const [, inner] = /<([^<>]+)>$/.exec(text) ?? /^mailto:([^?]+)/i.exec(text) ?? []
    return [(inner ?? text).trim().replace(/[.,;]+$/, '')]
  },
  URL: (text) => {
    const [, bare = text] = /^<(.+)>$/.exec(text) ?? []
    // A missing scheme is ambiguous, so both are offered.
    return /^[\w-]+(?:\.[\w-]+)+(?:[/:?#]|$)/.test(bare) ? [`https://${bare}`, `http://${bare}`] : [bare]
  },
  RELATIONSHIP: (text) => {
    const target = targetAt(text)
    if (target) return [target]
    const ids = [...text.matchAll(/[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}/gi)].map(
      ([id]) => id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    )
    const [user, entity, ...others] = ids
    if (user === undefined || others.length > 0) return []
    return [{ text: user, ...(entity !== undefined && { entity }) }]
  },
}

/** Extracts the ids from a URL of this console or the API, for a field that expects an id. */
function targetAt(text: string): Draft | undefined {
  const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
  const found = new RegExp(`users?/(${uuid})(?:/entities/(${uuid}))?`, 'i').exec(text)
  if (found?.[1] === undefined) return undefined
  return { text: found[1], ...(found[2] !== undefined && { entity: found[2] }) }
}

/** Returns the numbers that a text may mean in the reader's notation, the likelier one first. */
function numbers(text: string, shorten = (number: string) => number): readonly string[] {
  return numbersIn(text).map((number) => writtenNumber(shorten(number)))
}

/** Signs that stand for one or a few currencies. */
const signs: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  '£': ['GBP'],
  '₹': ['INR'],
  '¥': ['JPY', 'CNY'],
  $: ['USD', 'CAD', 'AUD'],
}

function codes(text: string): readonly string[] {
  return signs[text] ?? currenciesNamed(text)
}

/**
 * Parses an amount with its currency before or after it. That currency is used if the draft has none or the same one;
 * otherwise, both are offered. An amount with a currency is likely copied, as from a bill, and may use another number
 * notation.
 */
function amounts(text: string, { currency = '' }: Draft): readonly (string | Draft)[] {
  const [, minus = '', before] = /^([-−–]?) ?([a-z]{3}|[€£₹¥$])(?![a-z])/i.exec(text) ?? []
  const after = /(?<![a-z])([a-z]{3}|[€£₹¥$])$/i.exec(text)?.[1]
  const sign = before ?? after
  if (sign === undefined) return numbers(text)
  if (before !== undefined && after !== undefined) return []
  const rest =
    before === undefined
      ? text.slice(0, -sign.length)
      : minus + text.slice(text.indexOf(before) + sign.length)
  const given = currency.trim().toUpperCase()
  const named = (signs[sign] ?? [sign.toUpperCase()]).filter(isCurrency)
  const codes = named.includes(given)
    ? [given]
    : named.length > 0 && isCurrency(given)
      ? [...named.slice(0, 1), given]
      : named
  return codes.flatMap((code) =>
    numbersIn(rest, undefined, 'elsewhere').map((number) => ({
      text: writtenNumber(number),
      currency: code,
    })),
  )
}

/** Parses dates. "1.3.2024" always means 1 March; "3/1/2024" is ambiguous. Years have four digits. */
function dates(text: string): readonly string[] {
  const bare = text.replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? /i, '')
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(bare)
  const byYear = compact ?? /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(bare)
  if (byYear) return valid(byYear[1], byYear.at(-2), byYear.at(-1))
  const [, day, month, year] = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})$/.exec(bare) ?? []
  if (year !== undefined) return valid(year, month, day)
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
  const number = monthNames().findIndex((name) => name.startsWith((groups?.month ?? '?').toLowerCase())) + 1
  return number === 0 ? [] : valid(groups?.year, String(number), groups?.day)
}

function monthNames(): readonly string[] {
  const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => name.format(Date.UTC(2024, month)).toLowerCase())
}

function valid(year = '', month = '', day = ''): readonly string[] {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return readValue('DATE', date).issues ? [] : [date]
}

/** Parses times: "9:30", "9.30", "21h30", "21h", "0930", "9:30 pm". Fractions of a second become full milliseconds. */
function times(text: string): readonly string[] {
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

/** Parses a date and a time in any notation, with a zone or, as the input's label says, in UTC; also Unix time. */
function instants(text: string): readonly string[] {
  if (/^\d{10}$/.test(text)) return [new Date(Number(text) * 1000).toISOString()]
  if (/^\d{13}$/.test(text)) return [new Date(Number(text)).toISOString()]
  const [zoned = ''] = / ?(?:Z|UTC|GMT|(?<=:\d{2}(?:\.\d+)? ?)[+-]\d{2}(?::?\d{2})?)$/i.exec(text) ?? []
  const bare = zoned === '' ? text : text.slice(0, -zoned.length)
  const [, hours, minutes = '00'] = /([+-]\d{2}):?(\d{2})?$/.exec(zoned) ?? []
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`
  return [...bare.matchAll(/,? |T/g)].flatMap(({ index, 0: gap }) => {
    const clock = bare.slice(index + gap.length)
    const time = readValue('TIME', clock).issues ? times(clock) : [clock]
    return dates(bare.slice(0, index)).flatMap((date) => time.map((each) => `${date}T${each}${zone}`))
  })
}
