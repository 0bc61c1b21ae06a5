import {
  type DataType,
  type Filter,
  type Judged,
  type Operator,
  type PropertyTest,
  type UserField,
  userFields,
  type UserTest,
} from '#contract/index.ts'
import type { Clock } from '../operands/moments.ts'
import { longestWithoutEnd, type SealedContext, searchedTerms } from '../operands/sealed-test.ts'
import type { StoredFilter } from '../sql/filter-sql.ts'
import { momentPasses } from './moments.ts'
import { preferencePasses } from './preferences.ts'
import { amountPasses, exact, holds, numberPasses, textPasses } from './values.ts'

// Second evaluation of filters, in plain TypeScript and on one user. It explains why somebody is in a segment, and a
// test compares it with the SQL that finds all members. Except for text keys and sealed values, the two deliberately
// share no comparison: days are compared as local calendar days here, and as spans of instants there.

type Properties = Readonly<
  Record<
    string,
    {
      readonly type: string
      readonly sensitive?: boolean
      readonly value?: unknown
      /** Blind index terms of a sealed value; see blind-index.ts. */
      readonly blind?: readonly string[]
    }
  >
>

/** One user with all data that a filter can test. */
export interface Subject {
  /** Fields as stored; `since` and `created` are UTC without a zone. */
  readonly user: Readonly<Record<UserField, string | boolean | null>>
  readonly entities: readonly {
    readonly id: string
    readonly type: string
    readonly properties: Properties
    /** Sealed values by key. */
    readonly sealed: Readonly<Record<string, unknown>>
  }[]
}

export interface EvaluationContext extends Clock, SealedContext {
  /** All segments that the filter refers to, directly or through others, by id. */
  readonly segments: ReadonlyMap<string, StoredFilter>
}

/** Length to which shown texts are cut: a segment may test one property of a thousand entities fifty times. */
const longestShown = 1000

function showActual(actual: unknown): unknown {
  return typeof actual === 'string' && actual.length > longestShown
    ? `${actual.slice(0, longestShown).toWellFormed()}…`
    : actual
}

export function evaluate(filter: Filter, subject: Subject, context: EvaluationContext): Judged {
  return evaluatePart(filter, subject, context, [])
}

function evaluatePart(
  filter: Filter,
  subject: Subject,
  context: EvaluationContext,
  path: readonly string[],
): Judged {
  const inner = (part: Filter) => evaluatePart(part, subject, context, path)
  if ('all' in filter) {
    const all = filter.all.map(inner)
    return { all, pass: all.every(({ pass }) => pass) }
  }
  if ('any' in filter) {
    const any = filter.any.map(inner)
    return { any, pass: any.some(({ pass }) => pass) }
  }
  if ('not' in filter) {
    const not = inner(filter.not)
    return { not, pass: !not.pass }
  }
  if ('segment' in filter) {
    const { segment } = filter
    const used = context.segments.get(segment)
    // A missing segment or a cycle cannot be stored through the API; if the data was changed by other means, such a
    // segment has no members.
    if (!used || path.includes(segment)) return { segment, pass: false }
    const is = evaluatePart(used.filter, subject, { ...context, tz: used.tz ?? 'UTC' }, [...path, segment])
    return { segment, is, pass: is.pass }
  }
  if ('user' in filter) {
    const actual = subject.user[filter.user]
    return {
      ...filter,
      ...(actual !== null && { actual: showActual(actual) }),
      pass: userPasses(filter, actual, context),
    }
  }
  const { entity, where = [], min = 1 } = filter
  const entities = subject.entities.filter(({ type }) => type === entity)
  const judgedOnes = entities.map(({ id, ...held }) => {
    const tests = where.map((test) => evaluateTest(test, held, context))
    return { id, where: tests, pass: tests.every(({ pass }) => pass) }
  })
  return { ...filter, entities: judgedOnes, pass: judgedOnes.filter(({ pass }) => pass).length >= min }
}

type Held = Pick<Subject['entities'][number], 'properties' | 'sealed'>

function evaluateTest(test: PropertyTest, { properties, sealed }: Held, context: EvaluationContext) {
  const property = Object.hasOwn(properties, test.key) ? properties[test.key] : undefined
  const fits = property?.type === test.type ? property : undefined
  const actual = fits?.value ?? undefined
  const isMarked =
    test.sensitive === undefined || (fits !== undefined && (fits.sensitive === true) === test.sensitive)
  const compared = fits?.blind?.length
    ? sealedPasses(test, fits.blind, sealed[test.key], context)
    : propertyPasses(test, actual, context)
  const pass = isMarked && compared
  if (property?.sensitive === true) return { ...test, masked: true, pass }
  return { ...test, ...(actual !== undefined && { actual: showActual(actual) }), pass }
}

function userPasses({ user, op, value }: UserTest, actual: string | boolean | null, clock: Clock): boolean {
  if (op === 'exists') return actual !== null
  if (op === 'missing') return actual === null
  if (actual === null) return false
  if (user === 'account') return actual === value
  if (user === 'since' || user === 'created') return momentPasses('DATETIME', `${actual}Z`, op, value, clock)
  return textPasses(userFields[user], String(actual), op, value)
}

function propertyPasses(test: PropertyTest, actual: unknown, clock: Clock): boolean {
  const { type, op, value, orMissing = false } = test
  if (op === 'exists') return actual !== undefined
  if (op === 'missing') return actual === undefined
  return actual === undefined ? orMissing : valuePasses(type, actual, op, value, clock)
}

/**
 * Evaluates a test on a sealed value, which can only be compared for equality; apart from presence, any other test
 * fails.
 */
function sealedPasses(
  test: PropertyTest,
  blind: readonly string[],
  sealed: unknown,
  context: EvaluationContext,
): boolean {
  const { type, op } = test
  if (op === 'exists' || op === 'missing') return op === 'exists'
  const saysNoEnd = typeof sealed === 'string' && sealed.length <= longestWithoutEnd
  if (type === 'PREFERENCE' && !saysNoEnd) return false
  const found = searchedTerms(test, context)?.some((term) => blind.includes(term))
  return op === 'ne' || op === 'not_in' ? found === false : found === true
}

function valuePasses(type: DataType, actual: unknown, op: Operator, value: unknown, clock: Clock): boolean {
  switch (type) {
    case 'TEXT':
    case 'EMAIL':
    case 'URL':
      return typeof actual === 'string' && textPasses(type, actual, op, value)
    case 'NUMBER':
      return typeof actual === 'number' && numberPasses(exact(actual), op, value)
    case 'DECIMAL':
      // A decimal that was stored as a number, by other means than the API, counts by its numeric value.
      return numberPasses(exact(actual), op, value)
    case 'CURRENCY':
      return amountPasses(actual, op, value)
    case 'DATE':
    case 'DATETIME':
    case 'TIME':
      return typeof actual === 'string' && momentPasses(type, actual, op, value, clock)
    case 'BOOLEAN':
      return actual === value
    case 'PREFERENCE':
      return preferencePasses(actual, op, value, clock)
    case 'RELATIONSHIP':
      return op === 'in' ? (value as unknown[]).some((each) => holds(actual, each)) : holds(actual, value)
  }
}
