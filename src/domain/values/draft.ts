import { isDataType, readValue, type ValueIssue } from '#contract/index.ts'
import type { Notation } from '#contract/reading/notation.ts'
import { isBlank, noBeginning, type Part, type Parts, parts, splitText } from '#contract/reading/parts.ts'
import { type Meaning, type ReadingIssue, readParts } from '#contract/reading/reading.ts'
import { language, numberLocale, valueText } from '../../messages/index.ts'
import { dateOf, minuteOf } from '../../ui/time.ts'
import { writtenNumber } from './numbers.ts'
import { rawText } from './raw-text.ts'

/** Notation of what the person at the screen types. */
export const notation: Notation = { locale: numberLocale, language }

/**
 * Value while it is being edited: the text of its parts as typed, valid or not. Numbers are in the notation of the
 * reader's locale. If all parts are empty, there is no value (null); for types with empty text as a value, see `none`.
 */
export interface Draft extends Parts {
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
  return draft.unfit ? draft.text : toText(type, draft)
}

/**
 * Returns the value of a draft in its stored form, or its issues, by the path of the part (see `partOf`). Issues ask for
 * dates and numbers as the reader writes them.
 */
export function valueOf(type: string, draft: Draft): ReadDraft {
  if (draft.unfit) return isDataType(type) ? readValue(type, draft.unfit.value) : { value: draft.unfit.value }
  if (draft.none === true && draft.text === '' && isBlank(draft)) return { value: null }
  if (!isDataType(type)) return draft.json === true ? readJson(draft.text) : { value: draft.text }
  return describeMeaning(readParts(type, draft, notation), (issue) => {
    const exampleMs = Date.UTC(2024, 2, 1, 9, 30)
    if (issue.expected === 'date') return valueText.notADate({ example: dateOf(exampleMs, 'utc') })
    if (issue.expected === 'datetime') return valueText.notAMoment({ example: minuteOf(exampleMs, 'utc') })
    return describeNumberIssue(type, issue)
  })
}

function describeMeaning(reading: Meaning, describe: (issue: ReadingIssue) => string): ReadDraft {
  if (reading.ambiguous) return { issues: [{ path: [], detail: valueText.twoNumbers }] }
  if (!reading.problem) return { value: reading.value }
  return { issues: reading.problem.map((issue) => ({ path: issue.path, detail: describe(issue) })) }
}

function describeNumberIssue(type: string, { expected, detail }: ReadingIssue): string {
  if (expected === 'one number') return valueText.twoNumbers
  const isNumeric = type === 'NUMBER' || type === 'DECIMAL' || type === 'CURRENCY'
  return expected === 'number' && isNumeric ? valueText.notANumber[type]({ example: 12.5 }) : detail
}

function readJson(text: string): ReadDraft {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return { issues: [{ path: [], detail: valueText.notJson }] }
  }
}

/** Returns the draft with new text in one part, without an invalid stored value or drafts of other types. */
export function typeText(draft: Draft, part: Part, text: string): Draft {
  const { before: _, unfit: __, none: ___, ...rest } = draft
  return { ...rest, [part]: text }
}

/** Converts a stored value that does not fit into editable text in the inputs of its type. */
export function openDraft(type: string, draft: Draft): Draft {
  return draft.unfit ? splitText(type, draft.text) : draft
}

/** Changes the type of a draft. The typed text stays, and changing the type back restores the draft completely. */
export function retype(draft: Draft, from: string, to: string): Draft {
  if (from === to) return draft
  for (let { before } = draft; before; { before } = before.draft) if (before.type === to) return before.draft
  const next = draft.unfit
    ? draftOf(to, draft.unfit.value)
    : draft.text === '' && isBlank(draft)
      ? emptyDraft
      : splitText(to, toText(from, draft))
  return { ...next, before: { type: from, draft } }
}

function toText(type: string, draft: Draft): string {
  const own = partsByType[type]
  if (!own) return draft.text
  const written = own.map((part) => (draft[part] ?? '').trim())
  if (type === 'PREFERENCE' && written[0] !== '' && written[1] === '' && written[2] !== '')
    written[1] = noBeginning
  return written.filter((each) => each !== '').join(' ')
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
