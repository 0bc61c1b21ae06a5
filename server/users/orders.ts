import { type RawBuilder, sql } from 'kysely'

import type { UserOrder } from '#contract/index.ts'
import { zoneless } from '../store/sql.ts'

/** Position of a user in an order. */
export interface OrderPosition {
  /** Null if the id alone is the order. */
  readonly key: string | null
  readonly id: string
}

/** Fields of an order whose bounds limit an index scan. */
export type BoundedField = 'email' | 'since'

interface RowsOptions {
  /** Subquery of ids; only users among them are returned. */
  readonly among?: RawBuilder<unknown>
  /** Bounds on a field. All matching users meet them. */
  readonly fields?: Partial<Record<BoundedField, RawBuilder<boolean>>> | undefined
  readonly limit: number
}

/** An order of users, or a part of one, that an index provides. */
export interface OrderedPart {
  /**
   * Query for rows of `key`, `place` and `id` after a position, or from the beginning, in order and up to the limit.
   */
  readonly rows: (after: OrderPosition | undefined, options: RowsOptions) => RawBuilder<unknown>
  /** Order of these rows, in the form in which the planner recognizes it and does not sort again. */
  readonly order: RawBuilder<unknown>
}

interface Columns {
  readonly from: RawBuilder<unknown>
  readonly where: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
  /** Sort key; undefined if the id alone is the order. */
  readonly key?: RawBuilder<unknown>
  /** Sort key as text; `read` converts it back. */
  readonly shown?: RawBuilder<unknown>
  readonly read?: (key: string) => RawBuilder<unknown>
  readonly field?: BoundedField
}

const id = sql`u.id`
const users = sql`users u`

/**
 * Orders, each as its parts. Users with a value come first, then users without one, by id; the latter come last in
 * both directions.
 */
const orders: Readonly<Record<UserOrder, readonly Columns[]>> = {
  // Ids are assigned in the order of creation.
  created: [{ from: users, where: sql`true`, id }],
  since: [
    {
      from: users,
      where: sql`true`,
      id,
      key: sql`u.since`,
      shown: zoneless(sql`u.since`),
      read: (key) => sql`${key}::timestamp`,
      field: 'since',
    },
  ],
  email: [
    { from: users, where: sql`u.email_key is not null`, id, key: sql`u.email_key`, field: 'email' },
    { from: users, where: sql`u.email_key is null`, id, field: 'email' },
  ],
  // Sorts by the term that stands for the whole name in the search index, without case and accents. Each name has one.
  name: [
    { from: sql`user_terms t`, where: sql`t.name`, id: sql`t.user_id`, key: sql`t.term` },
    { from: users, where: sql`u.name_key is null`, id },
  ],
}

/** Returns the parts of an order, in sequence. */
export function partsOfOrder(sort: UserOrder | `-${UserOrder}`): readonly OrderedPart[] {
  const isDescending = sort.startsWith('-')
  const columns = orders[(isDescending ? sort.slice(1) : sort) as UserOrder]
  const direction = isDescending ? sql`desc` : sql`asc`
  return columns.map((part) => ({
    rows: (after, options) => orderedRows(part, isDescending, after, options),
    order: sql`place ${direction}, id ${direction}`,
  }))
}

function orderedRows(
  { from, where, id: own, key, shown, field, read = (text) => sql`${text}` }: Columns,
  isDescending: boolean,
  after: OrderPosition | undefined,
  { among, fields, limit }: RowsOptions,
): RawBuilder<unknown> {
  const [beyond, direction] = isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const isAfter =
    after === undefined
      ? sql`true`
      : key && after.key !== null
        ? sql`(${key}, ${own}) ${beyond} (${read(after.key)}, ${after.id}::uuid)`
        : sql`${own} ${beyond} ${after.id}::uuid`
  const isAmong = among ? sql`${own} in (${among})` : sql`true`
  const isBound = (field && fields?.[field]) ?? sql`true`
  const order = key ? sql`${key} ${direction}, ${own} ${direction}` : sql`${own} ${direction}`
  return sql`select ${shown ?? key ?? sql`null::text`} as key, ${key ?? own} as place, ${own} as id from ${from}
    where ${where} and ${isAfter} and ${isBound} and ${isAmong} order by ${order} limit ${limit}`
}
