import { asksForPresence, type Operator, type PropertyTest, sealedOperatorsOf } from '#contract/index.ts'
import { blindSearchTerms } from '../sealing/blind-index.ts'
import { sealedLength } from '../sealing/encryption.ts'
import { boundText, type Clock, type MomentType, spanOf } from './moments.ts'
import type { IndexKey } from '../sealing/data-keys.ts'

/**
 * The values that a test compares with as a whole: what a sealed property can be found by. `undefined`: the test needs
 * to see the value. "exists" and "missing" do not come here.
 */
export function searchedValues(
  { type, op, value }: PropertyTest,
  clock: Clock,
): readonly unknown[] | undefined {
  const values = operandsOf(type as MomentType, op, value, clock)
  // The blind index has only the status of a preference.
  const whole = (each: unknown) =>
    each !== undefined && (type !== 'PREFERENCE' || Object.keys(each as object).join() === 'status')
  return values?.every(whole) ? values : undefined
}

export interface SealedContext {
  /** The key of the blind index, by which sealed values are found. */
  readonly indexKey: IndexKey
  /** The terms of tests that were met before: a filter may hold a thousand values, which takes ten milliseconds. */
  readonly terms?: Map<PropertyTest, readonly string[] | undefined>
}

/** The terms in the blind index of what a test seeks as a whole. `undefined`: as `searchedValues`. */
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

/** A moment or a day as it is indexed; `undefined`: a day that is not one of UTC. */
function moment(type: MomentType, value: unknown, clock: Clock): string | undefined {
  const { from, until } = spanOf(type, 'on', value, clock)
  const text = boundText(type, from)
  if (type !== 'DATETIME' || until - from === 1) return text
  return clock.tz === 'UTC' ? text.slice(0, 10) : undefined
}

/**
 * Length of a sealed preference without an expiry date. A longer one has a date, which the index does not show, so no
 * test finds it by its status.
 */
export const longestWithoutEnd = sealedLength({ status: 'GRANTED', statusDate: new Date(0).toISOString() })

/** Why a test finds no sealed value: where in it, and what to write instead. `undefined`: it does. */
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
