import { asksForPresence, type Operator, type PropertyTest, sealedOperatorsOf } from '#contract/index.ts'
import { blindSearchTerms } from '../../sealing/blind-index.ts'
import type { IndexKey } from '../../sealing/data-keys.ts'
import { sealedLength } from '../../sealing/encryption.ts'
import { boundText, type Clock, type MomentType, spanOf } from './moments.ts'

/**
 * Returns the whole values that a test compares with, by which sealed properties can be found. Returns `undefined` if
 * the test has to see the sealed value. Not used for "exists" and "missing".
 */
export function searchedValues(
  { type, op, value }: PropertyTest,
  clock: Clock,
): readonly unknown[] | undefined {
  const values = operandsOf(type as MomentType, op, value, clock)
  // The blind index contains only the status of a preference.
  const whole = (each: unknown) =>
    each !== undefined && (type !== 'PREFERENCE' || Object.keys(each as object).join() === 'status')
  return values?.every(whole) ? values : undefined
}

export interface SealedContext {
  /** Key of the blind index, by which sealed values are found. */
  readonly indexKey: IndexKey
  /** Cache of terms by test: a filter may have a thousand values, whose terms take ten milliseconds. */
  readonly terms?: Map<PropertyTest, readonly string[] | undefined>
}

/** Returns the blind index terms of the whole values that a test compares with; `undefined` as in `searchedValues`. */
export function searchedTerms(
  test: PropertyTest,
  context: Clock & SealedContext,
): readonly string[] | undefined {
  const { key, type } = test
  if (context.terms?.has(test)) return context.terms.get(test)
  const terms = searchedValues(test, context)?.flatMap((value) =>
    blindSearchTerms(context.indexKey(), key, type, value),
  )
  context.terms?.set(test, terms)
  return terms
}

function operandsOf(type: MomentType, op: Operator, value: unknown, clock: Clock) {
  if (op === 'eq' || op === 'ne') return [value]
  if (op === 'in' || op === 'not_in') return value as readonly unknown[]
  if (op === 'granted') return [{ status: 'GRANTED' }]
  return op === 'on' ? [moment(type, value, clock)] : undefined
}

/** Returns a moment or day as it is indexed; `undefined` for a day that is not a UTC day. */
function moment(type: MomentType, value: unknown, clock: Clock): string | undefined {
  const { from, until } = spanOf(type, 'on', value, clock)
  const text = boundText(type, from)
  if (type !== 'DATETIME' || until - from === 1) return text
  return clock.tz === 'UTC' ? text.slice(0, 10) : undefined
}

/**
 * Maximum length of a sealed preference without an expiry date. A longer one has such a date, which the index does not
 * contain, so no test finds it by its status.
 */
export const longestWithoutEnd = sealedLength({ status: 'GRANTED', statusDate: new Date(0).toISOString() })

/** Returns why a test cannot find sealed values, as the faulty member and how to correct it; `undefined` if it can. */
export function sealedObjection(
  test: PropertyTest,
  clock: Clock,
): { readonly member: 'op' | 'value'; readonly detail: string } | undefined {
  const { type, op } = test
  if (asksForPresence(op)) return undefined
  const usable = sealedOperatorsOf(type)
  if (!usable.includes(op)) {
    return {
      member: 'op',
      detail: `This property is sensitive: its values are encrypted and found by equality only. Use one of ${usable.join(', ')}.`,
    }
  }
  if (searchedValues(test, clock)) return undefined
  return {
    member: 'value',
    detail:
      type === 'PREFERENCE'
        ? 'This property is sensitive: its values are encrypted and found by their status only. Give {"status":"GRANTED"}.'
        : 'This property is sensitive: its values are encrypted and found by an instant or by a day in UTC. Give a datetime with its zone, or leave "tz" out.',
  }
}
