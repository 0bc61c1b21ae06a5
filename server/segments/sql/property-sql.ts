import { type RawBuilder, sql } from 'kysely'

import type { PropertyTest } from '#contract/index.ts'

/** A property by its key and type. */
type Property = Pick<PropertyTest, 'key' | 'type'>

/** SQL expressions of the place whose properties are tested. */
export interface PropertyPlace {
  readonly type: RawBuilder<string>
  readonly properties: RawBuilder<unknown>
  /** Turns text from a filter into SQL. */
  readonly given: (text: string) => RawBuilder<string>
}

/** Properties of an entity `e`. */
export const ofEntity: PropertyPlace = {
  type: sql`e.type`,
  properties: sql`e.properties`,
  given: (text) => sql`${text}`,
}
/** In the definition of an index, which takes no parameters. */
export const ofIndex: PropertyPlace = {
  type: sql`type`,
  properties: sql`properties`,
  given: (text) => sql.lit(text),
}

/** The entity has the key with its type, and with what is given of the property: answered by the GIN index. */
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

/** Never null: there is a value, of whatever type, that is not sealed. */
export const isOpen = (property: Property) =>
  sql<boolean>`coalesce(jsonb_typeof(${valueSql(property)}) <> 'null', false)`

export const valueSql = ({ key }: Property, { properties, given }: PropertyPlace = ofEntity) =>
  sql`(${properties} -> ${given(key)}::text -> 'value')`
export const valueTextSql = ({ key }: Property, { properties, given }: PropertyPlace = ofEntity) =>
  sql<string>`(${properties} -> ${given(key)}::text ->> 'value')`

/** Casts stand behind `case`: there the order of evaluation is sure, and what is no number stays null. */
export function jsonNumber(property: Property, place?: PropertyPlace): RawBuilder<unknown> {
  const value = valueSql(property, place)
  return sql`(case when jsonb_typeof(${value}) = 'number' then ${value}::numeric end)`
}

export const decimal = (text: RawBuilder<string>, also = sql<boolean>`true`) =>
  sql`(case when ${also} and ${text} ~ '^-?[0-9]+(?:[.][0-9]+)?$' and length(${text}) < 100 then ${text}::numeric end)`

/** An amount of money; with a currency, null in any other: then what is known of its values is of that one. */
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
