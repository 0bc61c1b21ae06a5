import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

import type { Operator, PropertyTest } from '#contract/index.ts'
import type { Database } from '../../sealing/database.ts'
import type { Handle } from '../../store/sql.ts'
import { momentOrder } from './moment-sql.ts'
import {
  amountIn,
  decimal,
  holds,
  jsonNumber,
  ofEntity,
  ofIndex,
  type PropertyPlace,
  valueTextSql,
} from './property-sql.ts'

/** Values that filters test for ranges: those of one key and type, and in one currency if they are amounts. */
export interface Ranged {
  readonly entity: string
  readonly key: string
  readonly type: keyof typeof ranges
  readonly currency?: string | undefined
}

const ofNumbers: readonly Operator[] = ['lt', 'lte', 'gt', 'gte', 'between']
// Equal numbers may be written differently, so no other index finds them by equality.
const ofAmounts: readonly Operator[] = [...ofNumbers, 'eq']
const ofMoments: readonly Operator[] = [
  'on',
  'before',
  'after',
  'between',
  'within_last',
  'within_next',
  'older_than',
]
const ranges = {
  NUMBER: ofNumbers,
  DECIMAL: ofAmounts,
  CURRENCY: ofAmounts,
  DATE: ofMoments,
  DATETIME: ofMoments,
  TIME: ofMoments,
} satisfies Partial<Record<PropertyTest['type'], readonly Operator[]>>

/** Whether values of the type have an order that an index can keep. */
export const isRanged = (type: PropertyTest['type']): type is Ranged['type'] => type in ranges

/** Returns the range that a test on entities of a type asks for; `undefined` if it asks for none. */
export function rangeOf(
  entity: string,
  { key, type, op, value, orMissing }: PropertyTest,
): Ranged | undefined {
  if (orMissing || !isRanged(type) || !ranges[type].includes(op)) return undefined
  if (type !== 'CURRENCY') return { entity, key, type }
  const [{ currency } = {}] = [value].flat() as { currency?: string }[]
  return currency === undefined ? undefined : { entity, key, type, currency }
}

/**
 * Returns the expression that an index orders by: the value as `filterSql` compares it, null for an entity of another
 * type or a property that does not match. It is a single expression because the planner treats parts of a condition as
 * independent, and does not combine two indexes whose conditions share a part.
 */
export function orderOf(
  { entity, key, type, currency }: Ranged,
  place: PropertyPlace = ofEntity,
): RawBuilder<string> {
  const property = { key, type }
  const has = holds(property, currency === undefined ? {} : { value: { currency } }, place)
  const value = valueOf({ key, type, currency }, place)
  return sql`(case when ${place.type} = ${place.given(entity)} and ${has} then ${value} end)`
}

function valueOf({ key, type, currency }: Omit<Ranged, 'entity'>, place: PropertyPlace): RawBuilder<unknown> {
  const property = { key, type }
  switch (type) {
    case 'NUMBER':
      return jsonNumber(property, place)
    case 'DECIMAL':
      return decimal(valueTextSql(property, place))
    case 'CURRENCY':
      return amountIn(property, currency, place)
    case 'DATE':
    case 'DATETIME':
    case 'TIME':
      return momentOrder(type, valueTextSql(property, place))
  }
}

/** Prefix of the names of range indexes, and of no others. */
export const rangeIndexPrefix = 'range_'

/**
 * Returns the definition of the index for a range, and of the statistics that the planner needs to use it: it ignores
 * the statistics of a partial index, and would assume that each range matches a third of all rows.
 */
export function definitionOf(handle: Handle, ranged: Ranged) {
  const order = orderOf(ranged, ofIndex)
  const text = (statement: RawBuilder<unknown>) => statement.compile(handle).sql
  // The name is a digest of the expression, so a version that compares differently has another index.
  const hash = createHash('sha256').update(text(order))
  const name = `${rangeIndexPrefix}${hash.digest('hex').slice(0, 24)}`
  return {
    name,
    statistics: text(sql`create statistics if not exists ${sql.ref(name)} on (${order}) from entities`),
    index: text(
      sql`create index concurrently if not exists ${sql.ref(name)} on entities ((${order})) where ${order} is not null`,
    ),
  }
}

/** Names of the usable indexes as of the last look, by the keys of their store. */
const knownIndexes = new WeakMap<Database['keys'], ReadonlySet<string>>()

export const noteIndexes = (keys: Database['keys'], names: readonly string[]) =>
  knownIndexes.set(keys, new Set(names))

/**
 * Whether an index for a range is known to exist; without one, the test is written in a form that other indexes
 * support.
 */
export function hasIndex({ sql: handle, keys }: Pick<Database, 'sql' | 'keys'>, ranged: Ranged): boolean {
  const names = knownIndexes.get(keys)
  return names !== undefined && names.size > 0 && names.has(definitionOf(handle, ranged).name)
}
