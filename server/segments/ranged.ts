import { createHash } from 'node:crypto'

import { type RawBuilder, sql } from 'kysely'

import type { Filter, Operator, PropertyTest } from '#contract/index.ts'
import type { Handle } from '../store/sql.ts'
import { momentOrder } from './moment-sql.ts'
import { amountIn, decimal, holds, jsonNumber, ofIndex, storedText } from './property-sql.ts'
import { propertyTests } from './references.ts'

/** Values that filters ask ranges of: of one key with one type, amounts of money in one currency. */
export interface Ranged {
  readonly entity: string
  readonly key: string
  readonly type: keyof typeof ranges
  readonly currency?: string
}

const ofNumbers: readonly Operator[] = ['lt', 'lte', 'gt', 'gte', 'between']
// Equal numbers may be written in several ways, so that no other index finds them.
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

const isRanged = (type: PropertyTest['type']): type is Ranged['type'] => type in ranges

/** What a filter itself asks ranges of. */
export function rangedBy(filter: Filter): readonly Ranged[] {
  return propertyTests(filter).flatMap(({ entity, test: { key, type, op, value, orMissing } }): Ranged[] => {
    if (orMissing || !isRanged(type) || !ranges[type].includes(op)) return []
    if (type !== 'CURRENCY') return [{ entity, key, type }]
    const [{ currency } = {}] = [value].flat() as { currency?: string }[]
    return currency === undefined ? [] : [{ entity, key, type, currency }]
  })
}

/** How values are put in order, as `filterSql` compares them. */
function orderOf({ key, type, currency }: Ranged): RawBuilder<unknown> {
  const property = { key, type }
  switch (type) {
    case 'NUMBER':
      return jsonNumber(property, ofIndex)
    case 'DECIMAL':
      return decimal(storedText(property, ofIndex))
    case 'CURRENCY':
      return amountIn(property, currency, ofIndex)
    case 'DATE':
    case 'DATETIME':
    case 'TIME':
      return momentOrder(type, storedText(property, ofIndex))
  }
}

/** Names of indexes of ranges begin so, and nothing else's. */
export const rangeIndexPrefix = 'range_'

/**
 * The index that finds a range, and what the planner has to know to use it: of a part of a table it looks at nothing that an
 * index has learnt, and takes each range for a third of all.
 */
export function definitionOf(handle: Handle, ranged: Ranged) {
  const { entity, key, type, currency } = ranged
  const order = orderOf(ranged)
  const has = holds({ key, type }, currency === undefined ? {} : { value: { currency } }, ofIndex)
  const where = sql`type = ${sql.lit(entity)} and ${has}`
  const text = (statement: RawBuilder<unknown>) => statement.compile(handle).sql
  // By what it is: a version that compares in another way has another one.
  const hash = createHash('sha256').update(text(sql`${order} ${where}`))
  const name = `${rangeIndexPrefix}${hash.digest('hex').slice(0, 24)}`
  return {
    name,
    statistics: text(sql`create statistics if not exists ${sql.ref(name)} on (${order}) from entities`),
    index: (concurrently: boolean) =>
      text(
        sql`create index ${sql.raw(concurrently ? 'concurrently' : '')} if not exists ${sql.ref(name)} on entities ((${order})) where ${where}`,
      ),
  }
}
