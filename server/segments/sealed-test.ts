import type { Operator, PropertyTest } from '#contract/index.ts'
import { boundText, type Clock, type MomentType, spanOf } from './moments.ts'

/**
 * The values that a test compares with as a whole: what a sealed property can be found by. `undefined`: the test needs
 * to see the value. "exists" and "missing" do not come here.
 */
export function soughtValues(
  { type, op, value }: PropertyTest,
  clock: Clock,
): readonly unknown[] | undefined {
  const values = operandsOf(type as MomentType, op, value, clock)
  // Of a preference its status alone is in the index.
  const whole = (each: unknown) =>
    each !== undefined && (type !== 'PREFERENCE' || Object.keys(each as object).join() === 'status')
  return values?.every(whole) ? values : undefined
}

function operandsOf(type: MomentType, op: Operator, value: unknown, clock: Clock) {
  if (op === 'eq' || op === 'ne') return [value]
  if (op === 'in' || op === 'not_in') return value as readonly unknown[]
  return op === 'on' ? [moment(type, value, clock)] : undefined
}

/** A moment or a day as it is indexed; `undefined`: a day that is not one of UTC. */
function moment(type: MomentType, value: unknown, clock: Clock): string | undefined {
  const { from, until } = spanOf(type, 'on', value, clock)
  const text = boundText(type, from)
  if (type !== 'DATETIME' || until - from === 1) return text
  return clock.tz === 'UTC' ? text.slice(0, 10) : undefined
}
