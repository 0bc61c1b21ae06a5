import { type RawBuilder, sql } from 'kysely'

import {
  type DataType,
  type Filter,
  type Operator,
  type PropertyTest,
  textKey,
  textKeyParts,
  userFields,
  type UserTest,
} from '#contract/index.ts'
import { fence } from '../../store/sql.ts'
import type { Clock } from '../operands/moments.ts'
import {
  longestWithoutEnd,
  type SealedContext,
  searchedTerms,
  searchedValues,
} from '../operands/sealed-test.ts'
import { columnMoment, textMoment } from './moment-sql.ts'
import { preferenceTest } from './preference-sql.ts'
import { amountIn, decimal, holds, holdsAny, isOpen, jsonNumber, valueTextSql } from './property-sql.ts'
import { orderOf, type Ranged, rangeOf } from './range-order.ts'

/** A stored filter, with the time zone in which its days begin (null for UTC). */
export interface StoredFilter {
  readonly filter: Filter
  readonly tz: string | null
}

export interface FilterContext extends Clock, SealedContext {
  /** All segments that the filter refers to, directly or through others, by id. */
  readonly segments: ReadonlyMap<string, StoredFilter>
  /**
   * Whether users are checked one by one: reads each user's entities instead of finding all users with a matching
   * entity.
   */
  readonly oneByOne?: boolean
  /** Whether an index exists for the range that a test asks for; if undefined, there is none. */
  readonly hasIndex?: (ranged: Ranged) => boolean
}

type SqlCondition = RawBuilder<boolean>

const always = sql<boolean>`true`
const never = sql<boolean>`false`

/**
 * Converts a filter to a condition on `users u`; everything from the filter is a parameter. A malformed value never
 * causes an error; a test that it does not pass may be null. `not` treats null as false, so it matches every user whom
 * its filter does not match, including users without such an entity.
 */
export function filterSql(filter: Filter, context: FilterContext): SqlCondition {
  return condition(filter, context, [])
}

function condition(filter: Filter, context: FilterContext, path: readonly string[]): SqlCondition {
  if ('all' in filter) return allOf(filter.all.map((part) => condition(part, context, path)))
  if ('any' in filter) return anyOf(filter.any.map((part) => condition(part, context, path)))
  if ('not' in filter) {
    const inner = condition(filter.not, context, path)
    // The planner turns `not exists` into an anti-join. Unlike other conditions this one is never null.
    const isExists = 'entity' in filter.not && (filter.not.min ?? 1) === 1
    return isExists ? sql`(not ${inner})` : sql`(${inner} is not true)`
  }
  if ('segment' in filter) {
    const used = context.segments.get(filter.segment)
    // A missing segment or a cycle cannot be stored through the API; if the data was changed by other means, such a
    // segment has no members.
    if (!used || path.includes(filter.segment)) return never
    return condition(used.filter, { ...context, tz: used.tz ?? 'UTC' }, [...path, filter.segment])
  }
  if ('user' in filter) return userTest(filter, context)
  const { entity, where = [], min = 1 } = filter
  const tests = entityTests(entity, where, context)
  const own = sql`from entities e where e.user_id = u.id and ${tests}`
  // `offset 0` keeps the planner from turning the check of one user into a search for all. Without it, the planner can
  // choose either, even below "not" and "or", where it could not turn "in" into a join.
  if (min === 1) return context.oneByOne ? sql`exists (select ${own} ${fence})` : sql`exists (select ${own})`
  if (context.oneByOne) return sql`((select count(*) ${own}) >= ${min})`
  // A user with `min` entities has one whose `nth_of_type` is at least `min`. A separate index contains only the few
  // above 1; the index on the type would return many.
  const several = sql`select s.user_id from entities s
    where s.type = ${entity} and s.nth_of_type > 1 and s.nth_of_type >= ${min}`
  return sql`(u.id in (
    select e.user_id from entities e where ${tests} and e.user_id in (${several})
    group by e.user_id having count(*) >= ${min}))`
}

function entityTests(entity: string, where: readonly PropertyTest[], context: FilterContext): SqlCondition {
  let isTypeTold = false
  const tests = where.map((test) => {
    const ranged = context.oneByOne ? undefined : rangeOf(entity, test)
    const order = ranged && context.hasIndex?.(ranged) ? orderOf(ranged) : undefined
    // The index expression is null for entities of other types, so comparing it tests the type as well, unless sealed
    // values can also pass the test.
    if (order && !searchedValues(test, context)) isTypeTold = true
    return propertyTest(test, context, order)
  })
  return allOf(isTypeTold ? tests : [sql`e.type = ${entity}`, ...tests])
}

function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return conditions.length === 0 ? always : sql`(${sql.join(conditions, sql` and `)})`
}

function anyOf(conditions: readonly SqlCondition[]): SqlCondition {
  return conditions.length === 0 ? never : sql`(${sql.join(conditions, sql` or `)})`
}

function userTest({ user, op, value }: UserTest, clock: Clock): SqlCondition {
  const column = sql.ref<string>(
    `u.${user === 'email' || user === 'name' || user === 'ref' ? `${user}_key` : user}`,
  )
  if (op === 'exists') return sql`(${column} is not null)`
  if (op === 'missing') return sql`(${column} is null)`
  if (user === 'account') return sql`(${column} = ${value}::boolean)`
  if (user === 'since' || user === 'created') return columnMoment(column, op, value, clock)
  const type = userFields[user]
  if (op === 'eq') return sql`(${column} = ${textKey(type, value as string)})`
  if (op === 'in') return sql`(${column} = any(${textKeysOf(type, value)}::text[]))`
  return textTest(type, column, op, value)
}

function propertyTest(test: PropertyTest, context: FilterContext, order?: RawBuilder<string>): SqlCondition {
  const compared = compareTest(test, context, order)
  if (test.sensitive === undefined) return compared
  const marked = holds(test, { sensitive: true })
  return test.sensitive
    ? sql`(${marked} and ${compared})`
    : sql`(${holds(test)} and not ${marked} and ${compared})`
}

/** Builds the comparison of a test; `order` is the index expression for the compared value. */
function compareTest(test: PropertyTest, context: FilterContext, order?: RawBuilder<string>): SqlCondition {
  const { op, orMissing } = test
  if (op === 'exists') return presentTest(test)
  if (op === 'missing') return sql`(not ${presentTest(test)})`
  const holds = anyOf([valueTest(test, context, order), ...sealedTest(test, context)])
  return orMissing ? sql`(${holds} or not ${presentTest(test)})` : holds
}

/** Builds the test on sealed values, which can only be compared for equality; no other test matches them. */
function sealedTest(test: PropertyTest, context: FilterContext): SqlCondition[] {
  const { type, op } = test
  const terms = searchedTerms(test, context)
  if (!terms) return []
  const found = holdsAny(
    test,
    'blind',
    terms.map((term) => [term]),
  )
  if (type === 'PREFERENCE') return [sql`(${found} and ${saysNoEnd(test)})`]
  return [
    op === 'ne' || op === 'not_in' ? sql`(${holds(test)} and ${isSealed(test)} and not ${found})` : found,
  ]
}

function valueTest(test: PropertyTest, context: FilterContext, order?: RawBuilder<string>): SqlCondition {
  const { type, op, value } = test
  if (order) return orderTest(test, order, context)
  switch (type) {
    case 'TEXT':
    case 'EMAIL':
    case 'URL':
      if (op === 'eq') return holds(test, { fold: textKey(type, value as string) })
      if (op === 'in') return holdsAny(test, 'fold', textKeysOf(type, value))
      return sql`(${holds(test)} and ${textTest(type, sql`(e.properties -> ${test.key}::text ->> 'fold')`, op, value)})`
    case 'NUMBER':
      if (op === 'eq') return holds(test, { value })
      if (op === 'in') return holdsAny(test, 'value', value as unknown[])
      return sql`(${holds(test)} and ${numberTest(jsonNumber(test), op, value)})`
    case 'DECIMAL':
      return sql`(${holds(test)} and ${numberTest(decimal(valueTextSql(test)), op, value)})`
    case 'CURRENCY':
      return amountTest(test)
    case 'DATE':
    case 'DATETIME':
    case 'TIME':
      return sql`(${holds(test)} and ${textMoment(valueTextSql(test), type, op, value, context)})`
    case 'PREFERENCE':
      return preferenceTest(test, context)
    case 'BOOLEAN':
    case 'RELATIONSHIP':
      // For objects, all members named in the filter must be equal.
      return op === 'in' ? holdsAny(test, 'value', value as unknown[]) : holds(test, { value })
  }
}

/** Like `valueTest`, but tests ranges on the expression of an index. */
function orderTest(test: PropertyTest, order: RawBuilder<string>, context: FilterContext): SqlCondition {
  const { type, op, value } = test
  if (type === 'DATE' || type === 'DATETIME' || type === 'TIME')
    return textMoment(valueTextSql(test), type, op, value, context, order)
  if (type !== 'CURRENCY') return numberTest(order, op, value)
  const amounts = ([value].flat() as { value: string }[]).map((each) => each.value)
  return numberTest(order, op, op === 'between' ? amounts : amounts[0])
}

/** Whether the entity has a value of this type that is not null. Never null itself, so it can be negated. */
function presentTest(test: PropertyTest): SqlCondition {
  return sql`(${holds(test)} and (${isOpen(test)} or ${isSealed(test)}))`
}

/** Whether there is a sealed value, of whatever type. Never null. */
const isSealed = ({ key }: PropertyTest) =>
  sql<boolean>`((e.properties -> ${key}::text -> 'blind' -> 0) is not null)`

const saysNoEnd = ({ key }: PropertyTest) =>
  sql<boolean>`(length(e.sealed ->> ${key}::text) <= ${longestWithoutEnd}::int)`

const textKeysOf = (type: DataType, values: unknown) =>
  (values as string[]).map((value) => textKey(type, value))

const patterns: Partial<Record<Operator, readonly [before: string, after: string]>> = {
  contains: ['%', '%'],
  not_contains: ['%', '%'],
  starts_with: ['', '%'],
  ends_with: ['%', ''],
}

function textTest(type: DataType, subject: RawBuilder<string>, op: Operator, value: unknown): SqlCondition {
  if (op === 'ne') return sql`(${subject} <> ${textKey(type, value as string)})`
  if (op === 'not_in') return sql`(${subject} <> all(${textKeysOf(type, value)}::text[]))`
  const [before, after] = patterns[op] ?? inapplicable(op)
  const pieces = textKeyParts(type, value as string).flatMap(({ text, inDomain }) => {
    // No address begins within its domain.
    if (inDomain && before === '') return []
    const piece = text.replaceAll(/[\\%_]/g, '\\$&')
    return [sql<boolean>`${subject} like ${(inDomain ? '%@%' : before) + piece + after}`]
  })
  return op === 'not_contains' ? sql`(not ${anyOf(pieces)})` : anyOf(pieces)
}

function numberTest(subject: RawBuilder<unknown>, op: Operator, value: unknown): SqlCondition {
  const comparison = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' }[op as string]
  if (comparison) return sql`(${subject} ${sql.raw(comparison)} ${String(value)}::numeric)`
  if (op === 'between') {
    const [from, to] = (value as unknown[]).map(String)
    return sql`(${subject} between ${from}::numeric and ${to}::numeric)`
  }
  if (op === 'in') return sql`(${subject} = any(${(value as unknown[]).map(String)}::numeric[]))`
  return inapplicable(op)
}

/**
 * Builds the test on an amount. Amounts are compared within one currency; an amount in another one is not equal, and
 * neither less nor more.
 */
function amountTest(test: PropertyTest): SqlCondition {
  const { op } = test
  const given = [test.value].flat() as { currency: string; value: string }[]
  const compare = (currency: string | undefined, comparison: Operator, value: unknown): SqlCondition =>
    sql`(${holds(test, { value: { currency } })} and ${numberTest(amountIn(test, currency), comparison, value)})`
  if (op === 'in') return anyOf(given.map(({ currency, value }) => compare(currency, 'eq', value)))
  const [{ currency, value } = { currency: undefined, value: undefined }] = given
  if (op === 'ne')
    return sql`(${holds(test)} and ${amountIn(test)} is not null and ${compare(currency, 'eq', value)} is not true)`
  return compare(currency, op, op === 'between' ? given.map((each) => each.value) : value)
}

function inapplicable(op: Operator): never {
  throw new Error(`A stored filter holds "${op}" where it does not apply.`)
}
