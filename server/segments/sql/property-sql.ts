import { type RawBuilder, sql } from 'kysely'

import type { PropertyTest } from '#contract/index.ts'

/** A property by its key and type. */
type Property = Pick<PropertyTest, 'key' | 'type'>

/** SQL expressions for the row whose properties are tested. */
export interface PropertyPlace {
  readonly type: RawBuilder<string>
  readonly properties: RawBuilder<unknown>
  /** Converts text from a filter to SQL. */
  readonly given: (text: string) => RawBuilder<string>
}

/** Properties of an entity `e`. */
export const ofEntity: PropertyPlace = {
  type: sql`e.type`,
  properties: sql`e.properties`,
  given: (text) => sql`${text}`,
}
/** Properties in an index definition, which takes no parameters. */
export const ofIndex: PropertyPlace = {
  type: sql`type`,
  properties: sql`properties`,
  given: (text) => sql.lit(text),
}

/** Whether the entity has the key with its type and the given parts of the property; uses the GIN index. */
export function holds(
  { key, type }: Property,
  property: Readonly<Record<string, unknown>> = {},
  { properties, given }: PropertyPlace = ofEntity,
): RawBuilder<boolean> {
  return sql`(${properties} @> ${given(JSON.stringify({ [key]: { type, ...property } }))}::jsonb)`
}

/** Like `holds`, with any one of several values. */
export function holdsAny(
  { key, type }: Property,
  member: 'value' | 'fold' | 'blind',
  values: readonly unknown[],
): RawBuilder<boolean> {
  const alternatives = values.map((value) => JSON.stringify({ [key]: { type, [member]: value } }))
  return sql`(e.properties @> any(${alternatives}::text[]::jsonb[]))`
}

/** Whether there is an unsealed value, of whatever type. Never null. */
export const isOpen = (property: Property) =>
  sql<boolean>`coalesce(jsonb_typeof(${valueSql(property)}) <> 'null', false)`

export const valueSql = ({ key }: Property, { properties, given }: PropertyPlace = ofEntity) =>
  sql`(${properties} -> ${given(key)}::text -> 'value')`
export const valueTextSql = ({ key }: Property, { properties, given }: PropertyPlace = ofEntity) =>
  sql<string>`(${properties} -> ${given(key)}::text ->> 'value')`

/** Returns a JSON number as numeric; null if it is not one. `case` guarantees that the check precedes the cast. */
export function jsonNumber(property: Property, place?: PropertyPlace): RawBuilder<unknown> {
  const value = valueSql(property, place)
  return sql`(case when jsonb_typeof(${value}) = 'number' then ${value}::numeric end)`
}

export const decimal = (text: RawBuilder<string>, also = sql<boolean>`true`) =>
  sql`(case when ${also} and ${text} ~ '^-?[0-9]+(?:[.][0-9]+)?$' and length(${text}) < 100 then ${text}::numeric end)`

/**
 * Returns an amount of money. With a currency, amounts in others are null, so that the planner's statistics cover just
 * that currency.
 */
export function amountIn(
  property: Property,
  currency?: string,
  place: PropertyPlace = ofEntity,
): RawBuilder<unknown> {
  const value = valueSql(property, place)
  const isIn =
    currency === undefined ? undefined : sql<boolean>`${value} ->> 'currency' = ${place.given(currency)}`
  return decimal(sql`(${value} ->> 'value')`, isIn)
}
