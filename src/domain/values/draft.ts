import {
  type DataType,
  findHidden,
  isDataType,
  JsonNumber,
  readNewValue,
  readValue,
  trimEnds,
  type ValueIssue,
} from '#contract/index.ts'

import { valueText } from '../../messages/index.ts'
import { dateOf, minuteOf } from '../../ui/time.ts'
import { numbersIn, writtenNumber } from './numbers.ts'

/** Inputs of a value: most types have only `text`; types with several parts have the others as well. */
export type Part = 'text' | 'currency' | 'entity' | 'statusDate' | 'expires'

/**
 * Value while it is being edited: the text as typed, valid or not. `text` holds the value of a single-part type, the
 * amount of CURRENCY, the user of RELATIONSHIP and the status of PREFERENCE. Numbers are in the notation of the
 * reader's locale. If all parts are empty, there is no value (null); for types with empty text as a value, see `none`.
 */
export interface Draft extends Readonly<Partial<Record<Part, string>>> {
  readonly text: string
  /** Whether there is no value, for types that have empty text as a value (TEXT, unknown types). */
  readonly none?: boolean
  /** Whether `text` is JSON rather than the value itself, for unknown types. */
  readonly json?: boolean
  /** Stored value that does not fit its type: shown as it is until somebody chooses to edit it. */
  readonly unfit?: { readonly value: unknown }
  /** Draft under the previous type, so that changing the type back restores it whole. */
  readonly before?: { readonly type: string; readonly draft: Draft }
}

export type ReadDraft =
  | { readonly value: unknown; readonly issues?: never }
  | { readonly issues: readonly ValueIssue[] }

export const emptyDraft: Draft = { text: '', none: true }

const parts = ['text', 'currency', 'entity', 'statusDate', 'expires'] as const satisfies Part[]

/** Parts of each type, in the order in which they are written as one text. */
const partsByType: Partial<Record<string, readonly Part[]>> = {
  CURRENCY: ['text', 'currency'],
  RELATIONSHIP: ['text', 'entity'],
  PREFERENCE: ['text', 'statusDate', 'expires'],
}

export function draftOf(type: string, value: unknown): Draft {
  return draftWith(type, value, writtenNumber)
}

function draftWith(type: string, value: unknown, write: (stored: string) => string): Draft {
  if (value === null || value === undefined) return emptyDraft
  if (!isDataType(type))
    return typeof value === 'string' ? { text: value } : { text: rawText(value), json: true }
  if (readValue(type, value).issues) return { text: rawText(value), unfit: { value } }
  if (type === 'CURRENCY') {
    const { currency, value: amount } = value as { currency: string; value: string }
    return { text: write(amount), currency }
  }
  if (type === 'RELATIONSHIP') {
    const { user, entity } = value as { user: string; entity?: string }
    return { text: user, ...(entity !== undefined && { entity }) }
  }
  if (type === 'PREFERENCE') {
    const { status, statusDate, expires } = value as Record<string, string | undefined>
    return {
      text: status ?? '',
      ...(statusDate !== undefined && { statusDate }),
      ...(expires !== undefined && { expires }),
    }
  }
  const text = rawText(value)
  return { text: type === 'NUMBER' || type === 'DECIMAL' ? write(text) : text }
}

/** Formats a value for a file: `12.50 EUR`, `GRANTED 2024-03-01T00:00:00.000Z`; empty for null. */
export function storedText(type: string, value: unknown): string {
  const draft = draftWith(type, value, (stored) => stored)
  return draft.unfit ? draft.text : asText(type, draft)
}

/**
 * Returns the value of a draft in its stored form, or its issues, by the path of the part (see `partOf`). `numbers`
 * parses the numbers of a file, and issues then ask for dates in the contract's format. By default, the draft comes
 * from inputs, which take dates as the reader writes them.
 */
export function valueOf(type: string, draft: Draft, numbers?: Numbers): ReadDraft {
  if (draft.unfit) return isDataType(type) ? readValue(type, draft.unfit.value) : { value: draft.unfit.value }
  if (draft.none === true && draft.text === '' && isBlank(draft)) return { value: null }
  if (!isDataType(type)) return draft.json === true ? readJson(draft.text) : { value: draft.text }
  if (type === 'TEXT') return readValue(type, draft.text)
  if (isBlank(draft)) return { value: null }
  const read = readTyped(type, draft, numbers ?? numbersIn)
  return read.issues && !numbers ? { issues: read.issues.map((issue) => inOwnWay(type, draft, issue)) } : read
}

type Numbers = (text: string) => readonly string[]

/** Rewords an issue with a date or a moment to ask for the reader's own format. */
function inOwnWay(type: string, draft: Draft, issue: ValueIssue): ValueIssue {
  const part = partOf(issue)
  const text = trimEnds(draft[part] ?? '')
  const isMoment = type === 'DATETIME' || (type === 'PREFERENCE' && part !== 'text')
  if ((!isMoment && type !== 'DATE') || text === '' || findHidden(text) !== undefined) return issue
  const exampleMs = Date.UTC(2024, 2, 1, 9, 30)
  if (type === 'DATE') return { ...issue, detail: valueText.notADate({ example: dateOf(exampleMs, 'utc') }) }
  if (!readValue('DATETIME', asInstant(text)).issues) return issue
  return { ...issue, detail: valueText.notAMoment({ example: minuteOf(exampleMs, 'utc') }) }
}

export function isBlank(draft: Draft): boolean {
  return parts.every((part) => trimEnds(draft[part] ?? '') === '')
}

function readTyped(type: Exclude<DataType, 'TEXT'>, draft: Draft, numbers: Numbers): ReadDraft {
  const text = trimEnds(draft.text)
  const optional = (part: Part, read = (written: string) => written) => {
    const written = trimEnds(draft[part] ?? '')
    return written === '' ? {} : { [part]: read(written) }
  }
  switch (type) {
    case 'BOOLEAN': {
      const word = text.toLowerCase()
      return word === 'true' || word === 'false' ? { value: word === 'true' } : readValue(type, text)
    }
    case 'NUMBER':
    case 'DECIMAL':
    case 'CURRENCY':
      return readNumber(type, text, draft.currency, numbers)
    case 'DATETIME':
      return readValue(type, asInstant(text))
    case 'RELATIONSHIP':
      return readValue(type, { user: text, ...optional('entity') })
    case 'PREFERENCE':
      return readNewValue(type, {
        status: text.toUpperCase(),
        ...optional('statusDate', asInstant),
        ...optional('expires', asInstant),
      })
    case 'DATE':
    case 'TIME':
    case 'EMAIL':
    case 'URL':
      return readValue(type, text)
  }
}

/** Parses a number. Rejects a text that may mean two numbers. */
function readNumber(
  type: 'NUMBER' | 'DECIMAL' | 'CURRENCY',
  text: string,
  code: string | undefined,
  numbers: Numbers,
): ReadDraft {
  const [number = text, ...others] = numbers(text)
  // Exponents are written identically in all notations.
  const isNumber =
    type === 'NUMBER'
      ? /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(number)
      : !readValue('DECIMAL', number).issues
  const detail =
    others.length > 0
      ? valueText.twoNumbers
      : isNumber
        ? undefined
        : (findHidden(text) ?? valueText.notANumber[type]({ example: 12.5 }))
  const issues = detail === undefined ? [] : [{ path: [], detail }]
  if (type === 'CURRENCY') {
    const amount = {
      currency: trimEnds(code ?? '').toUpperCase(),
      value: detail === undefined ? number : '0',
    }
    const read = readValue(type, amount)
    return issues.length > 0 ? { issues: [...issues, ...(read.issues ?? [])] } : read
  }
  if (issues.length > 0) return { issues }
  return readValue(type, type === 'NUMBER' ? new JsonNumber(number) : number)
}

/** Parses a datetime. The inputs are labelled UTC, so a text without a zone is UTC. Seconds are optional. */
function asInstant(text: string): string {
  const [, day, minutes, seconds = ':00', zone = 'Z'] =
    /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(text) ?? []
  if (day === undefined) return text
  return `${day}T${minutes}${seconds}${zone.toUpperCase().replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`
}

function readJson(text: string): ReadDraft {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { issues: [{ path: [], detail: valueText.notJson }] }
  }
}

/** Returns the draft with new text in one part, without an invalid stored value or drafts of other types. */
export function typed(draft: Draft, part: Part, text: string): Draft {
  const { before: _, unfit: __, none: ___, ...rest } = draft
  return { ...rest, [part]: text }
}

/** Converts a stored value that does not fit into editable text in the inputs of its type. */
export function opened(type: string, draft: Draft): Draft {
  return draft.unfit ? readWritten(type, draft.text) : draft
}

/** Changes the type of a draft. The typed text stays, and changing the type back restores the draft completely. */
export function retype(draft: Draft, from: string, to: string): Draft {
  if (from === to) return draft
  for (let { before } = draft; before; { before } = before.draft) if (before.type === to) return before.draft
  const next = draft.unfit
    ? draftOf(to, draft.unfit.value)
    : draft.text === '' && isBlank(draft)
      ? emptyDraft
      : readWritten(to, asText(from, draft))
  return { ...next, before: { type: from, draft } }
}

function asText(type: string, draft: Draft): string {
  const own = partsByType[type]
  if (!own) return draft.text
  const written = own.map((part) => (draft[part] ?? '').trim())
  if (type === 'PREFERENCE' && written[0] !== '' && written[1] === '' && written[2] !== '')
    written[1] = noBeginning
  return written.filter((each) => each !== '').join(' ')
}

/** Stands in a text for the beginning of a preference that has only an end. */
const noBeginning = '-'

/** Suffix in a file for a preference that has ended. Redundant, since the date before it says so, too. */
export const endedMark = '(expired)'

/**
 * Splits a text from `asText` into the inputs of a type. A single date of a preference is taken for its beginning. Text
 * that cannot be split goes into the first input.
 */
function readWritten(type: string, text: string): Draft {
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

/** Returns the input that an issue belongs to. Amount, user and status are the main text of their types. */
export function partOf({ path }: Pick<ValueIssue, 'path'>): Part {
  const [name] = path
  return parts.find((part) => part === name) ?? 'text'
}

export function sameDraft(a: Draft, b: Draft): boolean {
  return (
    parts.every((part) => (a[part] ?? '') === (b[part] ?? '')) &&
    (a.none ?? false) === (b.none ?? false) &&
    (a.json ?? false) === (b.json ?? false) &&
    a.unfit?.value === b.unfit?.value
  )
}

/** Returns a value as exact text: a text unchanged, a number in its own notation, anything else as JSON. */
export function rawText(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.source : (JSON.stringify(value) ?? '')
}

/** Returns the URL if it is safe to follow: http(s) only, not `javascript:` or `data:`. */
export function safeUrl(text: string): string | undefined {
  const url = URL.parse(text.trim())
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}
