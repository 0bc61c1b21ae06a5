import { createHmac, type KeyObject } from 'node:crypto'

import { type DataType, type PropertyValue, textKey } from '#contract/index.ts'
import { keyObject } from './encryption.ts'

/**
 * Bytes of a term that are kept, of 32. Among 2^48 values two would collide by chance; and terms are stored in an
 * index.
 */
const termBytes = 12

/**
 * Terms that are stored in clear for a sealed value, so that a filter can find it by equality: keyed digests, which
 * nobody can make or invert without the index key. Equal values of one property have equal terms, whichever user they
 * belong to. null has none. The last term is for the whole value; the terms before it are for parts that can be asked
 * for alone.
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
 * Terms to look up for a whole value. A text with the capital `İ` has a second term, under which releases before 0.3.0
 * stored it.
 */
export function blindSearchTerms(
  indexKey: Buffer,
  key: string,
  type: DataType,
  value: unknown,
): readonly string[] {
  const isText = type === 'TEXT' || type === 'EMAIL' || type === 'URL'
  const whole = blindTerms(indexKey, key, type, value).slice(-1)
  const before = isText ? foldBefore(String(value)) : undefined
  return before === undefined ? whole : [...whole, termOf(keyObject(indexKey), key, type, before)]
}

/** Text as folded before 0.3.0; `undefined`: folding gives the same result today. */
function foldBefore(text: string): string | undefined {
  const folded = text.normalize('NFC').replaceAll('ẞ', 'SS').toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  return folded.includes('i\u0307') ? folded : undefined
}

/** Texts that are the same for values that a filter takes as equal. */
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
      // The day in UTC first.
      return [text.slice(0, 10), text]
    case 'RELATIONSHIP': {
      const { user, entity } = value as PropertyValue['RELATIONSHIP']
      return entity === undefined ? [user] : [user, `${user}/${entity}`]
    }
    case 'PREFERENCE': {
      const { status, statusDate = '' } = value as PropertyValue['PREFERENCE']
      // One that is still to come has no status that a filter asks for.
      return [statusDate > new Date().toISOString() ? `${status} ${statusDate}` : status]
    }
  }
}

/** `12.340` and `12.34`, `-0.0` and `0` are the same number. */
function plainDecimal(text: string): string {
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  return plain === '-0' ? '0' : plain
}
