import * as z from 'zod'

import { type ErrorCode, issueAt } from './code.ts'
import { formatCount } from './common.ts'
import { entityType, maxEntitiesPerUser, propertyKey } from './entity.ts'
import { allOperators, asksForPresence, operatorsOf, readOperand } from './operator.ts'
import type { Operator } from './operator.ts'
import { dataType } from './property-value.ts'
import type { DataType } from './property-value.ts'

/** Limits of one filter: nested groups around a test, tests, and values in all of its lists together. */
export const maxFilterDepth = 5
export const maxFilterLeaves = 50
export const maxFilterValues = 1000

/** User fields that a filter may test, each with the data type whose operators apply. */
export const userFields = {
  email: 'EMAIL',
  name: 'TEXT',
  ref: 'TEXT',
  since: 'DATETIME',
  created: 'DATETIME',
  account: 'BOOLEAN',
} as const satisfies Record<string, DataType>
export type UserField = keyof typeof userFields

interface Tested {
  readonly op: Operator
  readonly value?: unknown
}
export interface UserTest extends Tested {
  readonly user: UserField
}
/**
 * A test of one property. `orMissing`: the test also passes if the entity has no such property; without it, even `ne`
 * fails then. `sensitive`: also requires that the property is, or is not, marked as sensitive.
 */
export interface PropertyTest extends Tested {
  readonly key: string
  readonly type: DataType
  readonly orMissing?: boolean | undefined
  readonly sensitive?: boolean | undefined
  /**
   * Replaces `value` in responses if the property is sensitive and the caller may not see the value it is compared
   * with.
   */
  readonly masked?: boolean | undefined
}
/** Matches users who have at least `min` (default 1) entities of this type on which all tests pass. */
export interface EntityTest {
  readonly entity: string
  readonly where?: readonly PropertyTest[] | undefined
  readonly min?: number | undefined
}
export interface SegmentTest {
  readonly segment: string
}
export type Condition = UserTest | EntityTest | SegmentTest

/** `all: []` matches every user, `any: []` none; `not` matches every user that its filter does not match. */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | Condition

const operator = z.enum(allOperators, {
  error: ({ input }) =>
    input === undefined
      ? 'A test needs an operator, such as "op": "eq".'
      : `There is no such operator: use one of ${allOperators.join(', ')}.`,
})

/**
 * Validates a test with `readOperand`: replaces the value with its stored form, or adds the errors to the schema's
 * issues.
 */
function checkTest(
  test: { op: Operator; value?: unknown },
  issues: z.core.$ZodRawIssue[],
  type: DataType,
  zoneless = false,
): void {
  const { op } = test
  if (!operatorsOf(type).includes(op)) {
    const usable = operatorsOf(type).join(', ')
    issues.push(
      issueAt(['op'], 'unknown_operator', `"${op}" does not apply to ${type}: use one of ${usable}.`),
    )
    return
  }
  const read = readOperand(type, op, test.value, zoneless)
  for (const { path, detail } of read.issues ?? [])
    issues.push(issueAt(['value', ...path], 'invalid_value', detail))
  if (read.issues) return
  if (read.value === undefined) delete test.value
  else test.value = read.value
}

const maskedCode = 'masked_value'

const propertyTest = z
  .strictObject({
    key: propertyKey,
    type: dataType,
    op: operator,
    value: z.unknown().optional(),
    orMissing: z.boolean().optional(),
    sensitive: z.boolean().optional(),
    masked: z.literal(true, 'Leave "masked" out.').optional(),
  })
  .check(({ value: test, issues }) => {
    if (test.masked) {
      issues.push(
        issueAt(
          ['masked'],
          maskedCode,
          'This value is hidden from those who may not read sensitive values, so it cannot be written back. Give a value, and leave "masked" out.',
        ),
      )
      return
    }
    checkTest(test, issues, test.type)
    if (test.orMissing && asksForPresence(test.op))
      issues.push(
        issueAt(
          ['orMissing'],
          'misplaced',
          `"${test.op}" says itself what a missing value means: leave "orMissing" out.`,
        ),
      )
    if (test.sensitive !== undefined && (test.op === 'missing' || test.orMissing))
      issues.push(
        issueAt(
          ['sensitive'],
          'misplaced',
          'What is missing is not marked either way: leave "sensitive" out.',
        ),
      )
  })

const filterRule =
  'A filter is an object with one of "all", "any", "not", "segment", "user" (with "op") and "entity".'

/** Members allowed beside the one that determines the kind of filter. */
const companions: Record<string, readonly string[]> = {
  all: [],
  any: [],
  not: [],
  segment: [],
  user: ['op', 'value'],
  entity: ['where', 'min'],
}

/**
 * A single object schema with every member that a filter may have, plus a check of which belong together. For a
 * mistake deep inside, a union would only report "fits no variant"; this reports the place.
 */
const filterNode = z
  .strictObject(
    {
      get all() {
        return z.array(filterNode).optional()
      },
      get any() {
        return z.array(filterNode).optional()
      },
      get not() {
        return filterNode.optional()
      },
      // Lower case, as the service returns ids, so that references can be found by their text.
      segment: z.string().min(1, 'Give the id of a segment.').toLowerCase().optional(),
      user: z
        .enum(Object.keys(userFields) as UserField[], `Give one of ${Object.keys(userFields).join(', ')}.`)
        .optional(),
      entity: entityType.optional(),
      op: operator.optional(),
      value: z.unknown().optional(),
      where: z.array(propertyTest).optional(),
      min: z
        .int('Give a whole number.')
        .min(1, 'At least 1.')
        .max(maxEntitiesPerUser, `At most ${maxEntitiesPerUser}: a user has no more entities.`)
        .optional(),
    },
    { error: (issue) => (issue.code === 'invalid_type' ? filterRule : undefined) },
  )
  .check(({ value: node, issues }) => {
    const members = Object.entries(node).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    const [kind, ...others] = members.filter((name) => Object.hasOwn(companions, name))
    if (kind === undefined) {
      issues.push(issueAt([], 'not_a_filter', filterRule))
      return
    }
    for (const name of members)
      if (name !== kind && !companions[kind]?.includes(name))
        issues.push(issueAt([name], 'misplaced', `"${name}" does not stand beside "${kind}" in one filter.`))
    if (others.length > 0 || node.user === undefined) return
    if (node.op === undefined)
      issues.push(issueAt(['op'], 'required', 'A test of a user field needs an operator.'))
    else checkTest(node as { op: Operator }, issues, userFields[node.user], true)
  })
  .meta({
    id: 'Filter',
    description:
      'One of {"all":[Filter…]}, {"any":[Filter…]}, {"not":Filter}, {"segment":"<id>"}, {"user":…,"op":…,"value":…} and {"entity":"<type>","where":[…],"min":1}.',
  }) as unknown as z.ZodType<Filter, Filter> // The check above admits exactly the members of one variant.

/**
 * Schema of a filter, with its limits. The limits are checked first, because validating a filter beyond them takes
 * long.
 */
export const filter = z.preprocess((given, context) => {
  const { depth, leaves, values } = measure(given)
  const refuse = (code: ErrorCode, message: string) =>
    context.addIssue({ code: 'custom', params: { code }, message })
  if (depth > maxFilterDepth) refuse('too_deep', `Groups nest at most ${maxFilterDepth} deep.`)
  if (leaves > maxFilterLeaves) refuse('too_large', `A filter holds at most ${maxFilterLeaves} tests.`)
  if (values > maxFilterValues)
    refuse('too_large', `The lists of a filter hold at most ${formatCount(maxFilterValues)} values together.`)
  return given
}, filterNode) as unknown as z.ZodType<Filter, Filter> // Its types are those of the node.

/**
 * Whether the name is a time zone. Only names are accepted: Intl also takes offsets such as `+02:00`, but those are
 * not zones, and PostgreSQL reads their sign the other way round.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Time zone in which the days of a filter or of a count begin. */
export const timeZone = z
  .string()
  .refine(isTimeZone, 'Give a zone of the IANA time zone database, for example Europe/Berlin.')

/** Reads a filter from a response, in which values may be masked; `undefined` if it is not a valid filter. */
export function readAnsweredFilter(value: unknown): Filter | undefined {
  const read = filter.safeParse(value)
  if (read.success) return read.data
  const isOnlyMasked = read.error.issues.every(
    (issue) => issue.code === 'custom' && issue.params?.['code'] === maskedCode,
  )
  return isOnlyMasked ? (value as Filter) : undefined
}

interface FilterSize {
  readonly depth: number
  readonly leaves: number
  readonly values: number
}

const nothing: FilterSize = { depth: 0, leaves: 0, values: 0 }

/**
 * Measures a possible filter: how deep its groups nest, how many tests it has (an empty group and an entity without
 * tests count as one), and how many values its lists hold. The measuring stops one group beyond the depth limit, and
 * in each group one member beyond the limit of tests.
 */
function measure(node: unknown, around = 0): FilterSize {
  if (typeof node !== 'object' || node === null) return nothing
  const { all, any, not, where } = node as Record<string, unknown>
  const inner = [...toList(all), ...toList(any), ...(not === undefined ? [] : [not])]
  const isGroup = all !== undefined || any !== undefined || not !== undefined
  const tests = toList(where)
  const values = [node, ...tests].reduce<number>((sum, test) => sum + valuesOf(test), 0)
  if (!isGroup) return { depth: 0, leaves: Math.max(1, tests.length), values }
  if (around >= maxFilterDepth) return { depth: 1, leaves: 1, values }
  const parts = inner.slice(0, maxFilterLeaves + 1).map((part) => measure(part, around + 1))
  return {
    depth: 1 + Math.max(0, ...parts.map(({ depth }) => depth)),
    leaves: Math.max(
      1,
      parts.reduce((sum, { leaves }) => sum + leaves, 0),
    ),
    values: parts.reduce((sum, part) => sum + part.values, values),
  }
}

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function valuesOf(test: unknown): number {
  return typeof test === 'object' && test !== null && 'value' in test ? toList(test.value).length : 0
}
