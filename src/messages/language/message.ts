import type { GetICUArgs } from '@schummar/icu-type-parser'
import { IntlMessageFormat } from 'intl-messageformat'
import { createElement, Fragment, isValidElement, type ReactNode } from 'react'

import { dateLocale, language, numberLocale } from './format.ts'
import { isPseudo, lengthen, lengthenedMessage, withoutEndSpaces } from './pseudo.ts'

/** Named parts of an ICU message: `{ name: string; count: number }` for "{name} has {count, plural, …}". */
type Parts<Text extends string, Value> = Readonly<
  GetICUArgs<Text, { ICUArgument: Value; ICUNumberArgument: number; ICUDateArgument: Date }>
>

/** Message with named parts. Invalid ICU syntax throws on first use; `message.test.tsx` checks every message. */
export interface Sentence<Text extends string> {
  (parts: Parts<Text, string>): string
  /** Formats the message with React elements, such as links, as parts. */
  readonly withElements: (parts: Parts<Text, ReactNode>) => ReactNode
  /** Formats a text that is stored, compared or written to a file: without the characters that isolate parts. */
  readonly asValue: (parts: Parts<Text, string>) => string
}

/** Catalogue as pages use it: a text without parts is a string; a message with parts is a function of them. */
export type Messages<Catalogue> = {
  readonly [Key in keyof Catalogue]: Catalogue[Key] extends string
    ? keyof Parts<Catalogue[Key], string> extends never
      ? string
      : Sentence<Catalogue[Key]>
    : Messages<Catalogue[Key]>
}

const formats = { number: { share: { style: 'percent', maximumSignificantDigits: 2 } } } as const

/**
 * Formatters of the parts. Plurals follow the catalogue's language; for numbers and dates see format.ts. Cached,
 * because a list formats hundreds of values.
 */
const formatters = {
  getNumberFormat: cached((options) => new Intl.NumberFormat(numberLocale, options)),
  getDateTimeFormat: cached((options) => new Intl.DateTimeFormat(dateLocale, options)),
  getPluralRules: cached((options) => new Intl.PluralRules(language, options)),
}

function cached<Format>(create: (options: object | undefined) => Format) {
  const created = new Map<string | undefined, Format>()
  return (_: unknown, options?: object) => {
    const key = JSON.stringify(options)
    const format = created.get(key) ?? create(options)
    created.set(key, format)
    return format
  }
}

/** Letters written from right to left, and characters that change the direction of those beside them. */
const turning =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{1efff}]/u

/**
 * Keeps a part from turning the words, digits and signs beside it. Other parts stay as they are, since the sentence
 * runs from left to right as they do.
 */
function isolate(part: unknown): unknown {
  if (isValidElement(part)) return createElement('bdi', null, part)
  if (typeof part !== 'string' || !turning.test(part)) return part
  // Isolates within a part are those of a message within it, and closed. If one is not, it came with a value.
  const isClosed = part.split(/[\u2066-\u2068]/).length === part.split('\u2069').length
  return `\u2068${isClosed ? part : part.replaceAll(/[\u2066-\u2069]/g, '')}\u2069`
}

function sentence(text: string) {
  let parsed: IntlMessageFormat | undefined
  const format = (parts: object) => {
    parsed ??= parse(text)
    return parsed.format((isPseudo ? withoutEndSpaces(parts) : parts) as Record<string, string>)
  }
  const isolated = (parts: object) =>
    format(Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, isolate(part)])))
  return Object.assign((parts: object) => String(isolated(parts)), {
    withElements: (parts: object) => {
      const formatted: unknown = isolated(parts)
      return createElement(Fragment, null, ...(Array.isArray(formatted) ? formatted : [formatted]))
    },
    asValue: (parts: object) => String(format(parts)),
  })
}

function parse(text: string): IntlMessageFormat {
  // Catalogues contain no markup, so "<" is a plain character.
  const parsed = new IntlMessageFormat(text, language, formats, { formatters, ignoreTag: true })
  return isPseudo
    ? new IntlMessageFormat(lengthenedMessage(parsed.getAst()), language, formats, { formatters })
    : parsed
}

/**
 * Compiles the texts of a catalogue. A text with `{parts}` is an ICU message: `defineMessages({ found: '{count,
 * plural, one {# user} other {# users}}' }).found({ count: 3 })` is "3 users". The compiler requires the parts by
 * name.
 */
export function defineMessages<const Catalogue extends object>(catalogue: Catalogue): Messages<Catalogue> {
  const prepared = Object.entries(catalogue).map(([key, entry]: [string, unknown]) => {
    if (typeof entry === 'object' && entry !== null) return [key, defineMessages(entry)]
    if (typeof entry === 'string' && entry.includes('{')) return [key, sentence(entry)]
    return [key, isPseudo && typeof entry === 'string' ? lengthen(entry) : entry]
  })
  return Object.fromEntries(prepared) as Messages<Catalogue>
}
