import { isDataType, readValue, type ValueIssue } from '#contract/index.ts'
import type { Notation } from '#contract/reading/notation.ts'
import { isBlank, type Part, parts, splitText } from '#contract/reading/parts.ts'
import { type Meaning, type ReadingIssue, readParts } from '#contract/reading/reading.ts'
import { joinParts, noValue, writeParts, type WrittenValue } from '#contract/reading/written.ts'
import { language, numberLocale, valueText } from '../../messages/index.ts'
import { dateOf, minuteOf } from '../../ui/time.ts'
import { writtenNumber } from './numbers.ts'

/** Notation of what the person at the screen types. */
export const notation: Notation = { locale: numberLocale, language }

/**
 * Value while it is being edited: the text of its parts as typed, valid or not. Numbers are in the notation of the
 * reader's locale. If all parts are empty, there is no value (null); for types with empty text as a value, see `none`.
 */
export interface Draft extends WrittenValue {
  /** Draft under the previous type, so that changing the type back restores it whole. */
  readonly before?: { readonly type: string; readonly draft: Draft }
}

export type ReadDraft =
  | { readonly value: unknown; readonly issues?: never }
  | { readonly issues: readonly ValueIssue[] }

export const emptyDraft: Draft = noValue

export function draftOf(type: string, value: unknown): Draft {
  return writeParts(type, value, writtenNumber)
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
    if (issue.path[0] === 'status') return valueText.notAStatus
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
      : splitText(to, joinParts(from, draft))
  return { ...next, before: { type: from, draft } }
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
