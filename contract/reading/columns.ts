import { dayMs, fold } from '../common.ts'
import { type DataType, isDataType, readNewValue, readValue } from '../property-value.ts'
import { consentIn, isPlaceholder, noDate, truths } from './cell-words.ts'
import { stripGuard } from './guards.ts'
import { isSameProperty } from './headers.ts'
import { asInstant, datesIn, instantsIn } from './moments.ts'
import type { Notation } from './notation.ts'
import { splitText } from './parts.ts'
import { meaningsOf, readParts, readText } from './reading.ts'
import { cellText, type ColumnSummary } from './summary.ts'
import { crownCodes, hasCrowns, tidyAddress, tidyAmount, tidyDate, tidyNumber, tidyTime } from './tidy.ts'

// Cells of a file are read by their column, never alone: what the column as a whole makes certain is read, what it
// leaves with two meanings is asked once, and what has none is said.

/** How the ambiguous cells of a column are read; what is undefined is neither certain nor answered. */
export interface ColumnChoices {
  /** Which part of 3/1/2024 comes first. */
  readonly order?: 'day' | 'month' | undefined
  /** Whether whole numbers are the days of a spreadsheet. */
  readonly serials?: boolean | undefined
  /** Years of two digits: not after today, or from 1970 to 2069. */
  readonly century?: 'past' | 'near' | undefined
  readonly decimal?: '.' | ',' | undefined
  /** Currency of a sign that several currencies have. */
  readonly currency?: string | undefined
  /** Scheme of an address without one. */
  readonly scheme?: 'https' | 'http' | undefined
  /** Word that means true, of a column that has two unknown words. */
  readonly yes?: string | undefined
  /** Whether words such as yes and subscribed are taken for a consent. */
  readonly consent?: boolean | undefined
}
type Dimension = keyof ColumnChoices

/** Reason why a cell has no meaning; a data type if it is no value of that type, `choice` if the property has others. */
export type BadCause = DataType | 'ambiguous' | 'percent' | 'destroyed' | 'choice'
export type CellReading =
  | { readonly value: unknown; readonly empty?: never; readonly bad?: never }
  | { readonly empty: true; readonly bad?: never }
  | { readonly bad: BadCause; readonly empty?: never }

export interface ColumnQuestion {
  readonly of: Dimension
  /** First cell that has several meanings. */
  readonly cell: string
  /** Answers with what they make of the cell: undefined if it is then no value. */
  readonly options: readonly {
    readonly choice: NonNullable<ColumnChoices[Dimension]>
    readonly value: unknown
  }[]
}

export interface ColumnReading {
  readonly read: (cell: string) => CellReading
  readonly questions: readonly ColumnQuestion[]
  /** Choices that were made or that the column makes certain. */
  readonly choices: ColumnChoices
  /** Different cells that cannot be read, and how often each occurs. */
  readonly bad: ReadonlyMap<string, number>
  /** Signs for a missing value, such as #N/A, and how often each occurs. */
  readonly empties: ReadonlyMap<string, number>
  /** First cell that is written in another way than its value. */
  readonly example: { readonly cell: string; readonly value: unknown } | undefined
}

/** Values that a person gave for cells, by the text of the cell; null for no value. */
export type CellWords = Readonly<Record<string, unknown>>

/** Value that a property is defined to have, and its labels by language. */
export interface DefinedChoice {
  readonly value: string | number
  readonly label?: Readonly<Record<string, string | undefined>> | undefined
}

/** Different cells whose readings are remembered. */
const remembered = 20_000

/** Reads a column as values of a type, under the choices of a person. */
export function readColumn(
  type: string,
  summary: ColumnSummary,
  made: ColumnChoices = {},
  words: CellWords = {},
  defined: readonly DefinedChoice[] = [],
): ColumnReading {
  const { header, isOurs, counts } = summary
  const isNoDate = (text: string) => !isOurs && type.startsWith('DATE') && noDate.test(text)
  const filled = [...counts.keys()].filter((text) => !isPlaceholder(text) && !isNoDate(text))
  const areEmpty = !isOurs && filled.length > 0
  const open = filled.filter((text) => !Object.hasOwn(words, text))
  const context = { type, header, isOurs, filled: open, variants: variantsOf(open) }
  const choices = { ...factsOf(context, summary), ...made }
  const { chosen, limit } = choicesFor(type, isOurs ? [] : defined)
  const known = new Map<string, CellReading>()
  const readTrimmed = (text: string): CellReading => {
    const before = known.get(text)
    if (before) return before
    const reading: CellReading = Object.hasOwn(words, text)
      ? readWord(type, words[text])
      : text === '' || isNoDate(text) || (areEmpty && isPlaceholder(text))
        ? { empty: true }
        : (chosen.get(fold(text)) ?? limit(readOne(text, context, choices)))
    if (known.size < remembered) known.set(text, reading)
    return reading
  }
  const entries = [...counts].map(([text, count]) => ({ text, count, reading: readTrimmed(text) }))
  const restyled = entries.find(
    ({ text, reading }) => 'value' in reading && !isAsWritten(text, reading.value),
  )
  return {
    read: (cell) => {
      const trimmed = cellText(cell)
      const reading = readTrimmed(trimmed)
      // A text keeps the blanks and line ends that it has.
      return type === 'TEXT' &&
        chosen.size === 0 &&
        trimmed !== '' &&
        'value' in reading &&
        !Object.hasOwn(words, trimmed)
        ? { value: stripGuard(cell) }
        : reading
    },
    questions: questionsOf(context, choices, made),
    choices,
    bad: new Map(entries.flatMap(({ text, count, reading }) => (reading.bad ? [[text, count]] : []))),
    empties: new Map(entries.flatMap(({ text, count, reading }) => (reading.empty ? [[text, count]] : []))),
    example: restyled && { cell: restyled.text, value: (restyled.reading as { value: unknown }).value },
  }
}

/**
 * Returns the readings of cells that name a choice by its value or a label, and what limits the readings of all others to
 * the choices. A column that is imported as values of another type has none, and an export of ours keeps what is stored.
 */
function choicesFor(type: string, defined: readonly DefinedChoice[]) {
  const kind = type === 'NUMBER' ? 'number' : type === 'TEXT' ? 'string' : undefined
  const choices = defined.filter(({ value }) => typeof value === kind)
  const values = new Set<unknown>(choices.map(({ value }) => value))
  // A value comes before a label that reads like it.
  const names = [
    ...choices.flatMap(({ value, label = {} }) =>
      Object.values(label).flatMap((name) => (name === undefined ? [] : [[fold(name), { value }] as const])),
    ),
    ...choices.map(({ value }) => [fold(String(value)), { value }] as const),
  ]
  const chosen = new Map<string, CellReading>(names)
  return {
    chosen,
    limit: (reading: CellReading): CellReading => {
      if (!('value' in reading) || choices.length === 0 || values.has(reading.value)) return reading
      // The cell is guarded against a spreadsheet.
      return chosen.get(fold(String(reading.value))) ?? { bad: 'choice' }
    },
  }
}

/** Reads the value that a person gave for a cell. */
function readWord(type: string, word: unknown): CellReading {
  if (word === null) return { empty: true }
  if (!isDataType(type)) return { value: word }
  const read = readNewValue(type, word)
  return read.issues ? { bad: type } : { value: read.value }
}

interface Context {
  readonly type: string
  readonly header: string
  readonly isOurs: boolean
  /** Different cells that have a value, and that no word is given for. */
  readonly filled: readonly string[]
  /** Answers that there are to what a column leaves open. */
  readonly variants: Partial<Record<Dimension, readonly NonNullable<ColumnChoices[Dimension]>[]>>
}

const isAsWritten = (text: string, value: unknown) => value === text || JSON.stringify(value) === text

const serial = /^[1-9]\d{0,4}(?:[.,]\d+)?$/
const latestSerial = 73_050

/** Returns the choices that the cells of a column make certain. */
function factsOf({ type, header, isOurs, filled }: Context, summary: ColumnSummary): ColumnChoices {
  const decimal = isOurs ? '.' : summary.decimal
  return {
    ...(summary.order !== undefined && { order: summary.order }),
    ...(isSameProperty(header, 'birthday') && { century: 'past' }),
    ...(decimal !== undefined && { decimal }),
    ...(type === 'CURRENCY' && { currency: currencyOf(header, filled) }),
  }
}

/** Returns the currency that the header names, or the only one that the cells name. */
function currencyOf(header: string, filled: readonly string[]): string | undefined {
  const named = (text: string) =>
    [...tidyAmount(text).matchAll(/(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])|[€£]/g)].map(([code]) =>
      code === '€' ? 'EUR' : code === '£' ? 'GBP' : code,
    )
  const inHeader = named(header).find((code) => !readValue('CURRENCY', { currency: code, value: '1' }).issues)
  if (inHeader !== undefined) return inHeader
  const [only, ...others] = new Set(filled.flatMap(named))
  return others.length === 0 ? only : undefined
}

const dimensionsOf: Partial<Record<string, readonly Dimension[]>> = {
  DATE: ['order', 'century', 'serials'],
  DATETIME: ['order', 'century', 'serials'],
  NUMBER: ['decimal'],
  DECIMAL: ['decimal'],
  CURRENCY: ['decimal', 'currency'],
  URL: ['scheme'],
  BOOLEAN: ['yes'],
  PREFERENCE: ['consent'],
}

function variantsOf(filled: readonly string[]): Context['variants'] {
  const unknown = new Set<string>()
  for (const text of filled) if (unknown.size < 3) unknown.add(fold(text))
  const words = [...unknown]
  return {
    order: ['day', 'month'],
    serials: [true, false],
    century: ['past', 'near'],
    decimal: ['.', ','],
    scheme: ['https', 'http'],
    consent: [true, false],
    currency: filled.some((text) => /[¥￥]/.test(text))
      ? ['JPY', 'CNY']
      : filled.some(hasCrowns)
        ? crownCodes
        : filled.some((text) => text.includes('$'))
          ? ['USD', 'CAD', 'AUD']
          : [],
    yes: words.length === 2 && words.every((word) => !truths.has(word)) ? words : [],
  }
}

/** Returns what is open: dimensions in which a cell has another meaning for each answer, or those that were answered. */
function questionsOf(
  context: Context,
  choices: ColumnChoices,
  made: ColumnChoices,
): readonly ColumnQuestion[] {
  if (context.isOurs) return []
  return (dimensionsOf[context.type] ?? []).flatMap((of) => {
    if (choices[of] !== undefined && made[of] === undefined) return []
    const answers = context.variants[of] ?? []
    for (const cell of context.filled) {
      const options = answers.map((choice) => ({
        choice,
        value: valueOf(cell, context, { ...choices, [of]: choice }),
      }))
      if (new Set(options.map(({ value }) => JSON.stringify(value))).size > 1) return [{ of, cell, options }]
    }
    return []
  })
}

/** Reads one cell: with the choices, or if any answer to what is open leads to one and the same value. */
function readOne(text: string, context: Context, choices: ColumnChoices): CellReading {
  const { type } = context
  if (!isDataType(type)) return { value: text }
  if (type === 'TEXT' && /^\d(?:[.,]\d+)?E\+\d+$/i.test(text) && !context.isOurs) return { bad: 'destroyed' }
  const open = context.isOurs ? [] : (dimensionsOf[type] ?? []).filter((each) => choices[each] === undefined)
  const readings = open.reduce<readonly ColumnChoices[]>(
    (known, each) => {
      const answers = context.variants[each] ?? []
      return answers.length === 0
        ? known
        : known.flatMap((one) => answers.map((choice) => Object.assign({}, one, { [each]: choice })))
    },
    [choices],
  )
  const values = readings.map((reading) => valueOf(text, context, reading))
  const [value] = values
  if (new Set(values.map((each) => JSON.stringify(each))).size > 1) return { bad: 'ambiguous' }
  if (value !== undefined) return { value }
  return { bad: text.endsWith('%') ? 'percent' : type }
}

/** Returns the value of a cell under choices that leave nothing open; undefined if it has none. */
function valueOf(text: string, { type, isOurs, variants }: Context, choices: ColumnChoices): unknown {
  if (!isDataType(type)) return text
  const notation: Notation = { locale: 'en', language: 'en', isCopied: true, decimal: choices.decimal }
  const exact = readParts(type, splitText(type, text), notation)
  if (isOurs) return exact.value
  switch (type) {
    case 'DATE':
      return exact.value ?? dateIn(text, choices)
    case 'DATETIME':
      return exact.value ?? momentIn(text, choices)
    case 'NUMBER':
    case 'DECIMAL':
      return readText(type, { text: tidyNumber(text) }, notation).value
    case 'CURRENCY': {
      const amounts = meaningsOf(type, { text: tidyAmount(text) }, notation) as { currency: string }[]
      const bare = meaningsOf(type, { text: tidyAmount(text), currency: choices.currency ?? '' }, notation)
      if (hasCrowns(text) && !crownCodes.includes(choices.currency ?? '')) return undefined
      const named = amounts.find(({ currency }) => currency === choices.currency) ?? amounts[0]
      return amounts.length > 0 ? named : bare[0]
    }
    case 'BOOLEAN':
      return truthOf(text, variants.yes ?? [], choices)
    case 'PREFERENCE':
      return exact.value ?? (choices.consent === true ? consentIn(text) : undefined)
    case 'URL':
      return (
        exact.value ??
        meaningsOf(type, { text }, notation).find(
          (url, _, all) => all.length === 1 || String(url).startsWith(`${choices.scheme}:`),
        )
      )
    case 'TIME':
      return readText(type, { text: tidyTime(text) }, notation).value
    case 'EMAIL':
      return readText(type, { text: tidyAddress(text) }, notation).value
    case 'TEXT':
    case 'RELATIONSHIP':
      return readText(type, splitText(type, text), notation).value
  }
}

const languages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'tr', 'ru']
/** Digits mean the same in all languages. */
const languagesOf = (text: string) => (/\p{L}/u.test(text) ? languages : languages.slice(0, 1))

function dateIn(written: string, { order, century, serials }: ColumnChoices): string | undefined {
  if (serial.test(written) && Number.parseInt(written, 10) <= latestSerial)
    return serials === true ? fromSerial(written).slice(0, 10) : undefined
  const text = tidyDate(written)
    .replace(
      /^(\d{1,2})([-/. ]|\. )(\d{1,2})\2(\d{2})$/,
      (_, first: string, gap: string, second: string, year: string) =>
        [first, second, fullYear(Number(year), century)].join(gap.trim() === '' ? ' ' : gap.trim()),
    )
    .replace(
      /^(\d{1,2}\.?[ -]\p{L}{3,}\.?[ -])(\d{2})$/u,
      (_, day: string, year: string) => `${day}${fullYear(Number(year), century)}`,
    )
  const both = /^(\d{1,2})[-/ ](\d{1,2})[-/ ](\d{4})$/.exec(text)
  if (both) {
    const [, first = '', second = '', year = ''] = both
    const [day, month] = order === 'month' ? [second, first] : [first, second]
    return valid(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
  }
  const found = new Set(languagesOf(text).flatMap((language) => datesIn(text, language)))
  return found.size === 1 ? [...found][0] : undefined
}

const valid = (date: string) => (readValue('DATE', date).issues ? undefined : date)

function fullYear(short: number, century: ColumnChoices['century']): number {
  if (century === 'near') return short < 70 ? 2000 + short : 1900 + short
  return 2000 + short > new Date().getUTCFullYear() ? 1900 + short : 2000 + short
}

/** Returns the moment of a spreadsheet's number: days since 30 December 1899. */
function fromSerial(text: string): string {
  const days = Number(text.replace(',', '.'))
  return new Date(Date.UTC(1899, 11, 30) + Math.round((days * dayMs) / 1000) * 1000).toISOString()
}

/** Reads a date with or without a time; without one it is the first moment of the day, and without a zone UTC. */
function momentIn(written: string, choices: ColumnChoices): string | undefined {
  const text = tidyTime(written)
  const date = dateIn(text, choices)
  if (date !== undefined && serial.test(text)) return fromSerial(text)
  if (date !== undefined) return `${date}T00:00:00.000Z`
  const [, day = '', , rest = ''] =
    /^(\d{1,2}([-/.])(?:\d{1,2}|\p{L}{3,})\2\d{2,4})(?=[ ,T])(.*)$/u.exec(text) ?? []
  const begun = day === '' ? undefined : dateIn(day, choices)
  const whole = begun === undefined ? text : `${begun}${rest.slice(rest.search(/[ ,T]/))}`
  const moments = new Set(
    languagesOf(whole).flatMap((language) =>
      instantsIn(whole, language).flatMap((moment) => {
        const read = readValue('DATETIME', asInstant(moment))
        return read.issues ? [] : [String(read.value)]
      }),
    ),
  )
  return moments.size === 1 ? [...moments][0] : undefined
}

function truthOf(
  text: string,
  unknown: readonly unknown[],
  { yes: chosen }: ColumnChoices,
): boolean | undefined {
  const word = fold(text)
  const isKnown = truths.has(word)
  if (isKnown || chosen === undefined) return truths.get(word)
  return unknown.includes(word) ? word === chosen : undefined
}
