import { JsonNumber } from '../common.ts'
import { isDataType, readValue } from '../property-value.ts'
import { noBeginning, type Part, type Parts } from './parts.ts'

/** A stored value as the text of its parts. */
export interface WrittenValue extends Parts {
  /** Whether there is no value, for types that have empty text as a value (TEXT, unknown types). */
  readonly none?: boolean
  /** Whether `text` is JSON rather than the value itself, for unknown types. */
  readonly json?: boolean
  /** Stored value that does not fit its type: shown as it is until somebody chooses to edit it. */
  readonly unfit?: { readonly value: unknown }
}

export const noValue: WrittenValue = { text: '', none: true }

/** Parts of each type, in the order in which they are written as one text. */
const partsByType: Partial<Record<string, readonly Part[]>> = {
  CURRENCY: ['text', 'currency'],
  RELATIONSHIP: ['text', 'entity'],
  PREFERENCE: ['text', 'statusDate', 'expires'],
}

/** Writes a stored value as the text of its parts; `writeNumber` writes a number from its exact notation. */
export function writeParts(
  type: string,
  value: unknown,
  writeNumber: (stored: string) => string,
): WrittenValue {
  if (value === null || value === undefined) return noValue
  if (!isDataType(type))
    return typeof value === 'string' ? { text: value } : { text: rawText(value), json: true }
  if (readValue(type, value).issues) return { text: rawText(value), unfit: { value } }
  if (type === 'CURRENCY') {
    const { currency, value: amount } = value as { currency: string; value: string }
    return { text: writeNumber(amount), currency }
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
  return { text: type === 'NUMBER' || type === 'DECIMAL' ? writeNumber(text) : text }
}

/** Joins the parts of a value to one text, which `splitText` splits again. */
export function joinParts(type: string, written: Parts): string {
  const own = partsByType[type]
  if (!own) return written.text
  const texts = own.map((part) => (written[part] ?? '').trim())
  if (type === 'PREFERENCE' && texts[0] !== '' && texts[1] === '' && texts[2] !== '') texts[1] = noBeginning
  return texts.filter((each) => each !== '').join(' ')
}

/** Formats a value for a file: `12.50 EUR`, `GRANTED 2024-03-01T00:00:00.000Z`; empty for null. */
export function storedText(type: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  // A value of one part is the same text whether it fits its type or not.
  if (!partsByType[type]) return rawText(value)
  const written = writeParts(type, value, (stored) => stored)
  return written.unfit ? written.text : joinParts(type, written)
}

/** Returns a value as exact text: a text unchanged, a number in its own notation, anything else as JSON. */
export function rawText(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof JsonNumber ? value.source : (JSON.stringify(value) ?? '')
}
