import { type Kysely, type RawBuilder, sql, type Transaction as TransactionOf } from 'kysely'

/** Executes statements: the store, one of its connections, or a transaction. */
export type Handle = Kysely<unknown>

/** Handle for statements that must be committed or rolled back together. */
export type Transaction = TransactionOf<unknown>

/**
 * Goes at the end of a subquery, to keep the planner from merging it into the outer statement. Omitted if users are
 * distributed over several machines, because each machine then runs its part of the statement.
 */
export const fence = sql`offset 0`

/** Formats a time as the API document does: UTC without a zone. */
export const zoneless = (column: RawBuilder<unknown>) =>
  sql<string>`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS')`

/** Formats a time as additions to the API document do: UTC with a zone. */
export const zoned = (column: RawBuilder<unknown>) =>
  sql<string>`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/**
 * Returns the condition that a column is one of these ids. Of a single one the planner knows that it is single, even when
 * it plans for any values.
 */
export const isOneOf = (ids: readonly string[]) =>
  ids.length === 1 ? sql<boolean>`= ${ids[0]}::uuid` : sql<boolean>`= any(${ids}::uuid[])`

/** Which users, by the column that has their ids, the rows of a statement with many are written for. */
export type OnlyUsers = (user: RawBuilder<unknown>) => RawBuilder<boolean>

export const everyUser: OnlyUsers = () => sql`true`

/** Start time of the transaction, in UTC. */
export const transactionTime = sql`(now() at time zone 'UTC')`

/** Start time of the statement, in UTC; later than the transaction's if the transaction has waited for a lock. */
export const statementTime = sql`(statement_timestamp() at time zone 'UTC')`
