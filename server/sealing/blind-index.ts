import { createHmac, type KeyObject } from 'node:crypto'

import { type DataType, fold, type PropertyValue, textKey } from '#contract/index.ts'
import { keyObject } from './encryption.ts'

/**
 * Bytes of a term that are stored, of 32. Terms are in an index, so they are short; a chance collision takes about
 * 2^48 values.
 */
const termBytes = 12

/**
 * Returns the terms that are stored in clear for a sealed value, so that a filter can find it by equality: keyed
 * digests, which cannot be made or inverted without the index key. Equal values of one property have equal terms,
 * whichever user they belong to. null has no terms. The last term is for the whole value, the earlier ones for parts
 * that can be searched alone.
 */
export function blindTerms(indexKey: Buffer, key: string, type: DataType, value: unknown): readonly string[] {
  if (value === null) return []
  const secret = keyObject(indexKey)
  return formsOf(type, value).map((form) => termOf(secret, key, type, form))
}

function termOf(secret: KeyObject, key: string, type: DataType, form: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([key, type, form]))
    .digest()
    .subarray(0, termBytes)
    .toString('base64url')
}

/**
 * Returns the terms to search for a whole value. A text with the capital `İ` or with another blank than a space has a
 * second term, under which releases before 0.3.0 stored it. They took no e-mail with such a letter.
 */
export function blindSearchTerms(
  indexKey: Buffer,
  key: string,
  type: DataType,
  value: unknown,
): readonly string[] {
  const isText = type === 'TEXT' || type === 'URL'
  const whole = blindTerms(indexKey, key, type, value).slice(-1)
  const before = isText ? foldBefore(String(value)) : undefined
  return before === undefined ? whole : [...whole, termOf(keyObject(indexKey), key, type, before)]
}

/** Folds text as releases before 0.3.0 did; returns `undefined` if the result is the same today. */
function foldBefore(text: string): string | undefined {
  const folded = text.normalize('NFC').replaceAll('ẞ', 'SS').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return folded === fold(text) ? undefined : folded
}

/** Returns normalized texts of a value: values that a filter treats as equal have the same texts. */
function formsOf(type: DataType, value: unknown): readonly string[] {
  const text = String(value)
  switch (type) {
    case 'TEXT':
    case 'EMAIL':
    case 'URL':
      return [textKey(type, text)]
    case 'BOOLEAN':
    case 'NUMBER':
    case 'DATE':
      return [text]
    case 'DECIMAL':
      return [plainDecimal(text)]
    case 'CURRENCY': {
      const amount = value as PropertyValue['CURRENCY']
      return [`${amount.currency} ${plainDecimal(amount.value)}`]
    }
    case 'TIME':
      return [text + ':00.000'.slice(text.length - 5)]
    case 'DATETIME':
      // The UTC day is searchable alone.
      return [text.slice(0, 10), text]
    case 'RELATIONSHIP': {
      const { user, entity } = value as PropertyValue['RELATIONSHIP']
      return entity === undefined ? [user] : [user, `${user}/${entity}`]
    }
    case 'PREFERENCE': {
      const { status, statusDate = '' } = value as PropertyValue['PREFERENCE']
      // A status that begins in the future is not yet the one that a filter searches for.
      return [statusDate > new Date().toISOString() ? `${status} ${statusDate}` : status]
    }
  }
}

/** Normalizes a decimal: `12.340` and `12.34` are the same number, as are `-0.0` and `0`. */
function plainDecimal(text: string): string {
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return plain === '-0' ? '0' : plain
}
