import { type Kysely, type RawBuilder, sql, type Transaction as TransactionOf } from 'kysely'

/** Executor of a statement: the store, one connection of it, or a transaction. */
export type Handle = Kysely<unknown>

/** For statements that need the others of their transaction to be done or undone with them. */
export type Transaction = TransactionOf<unknown>

/**
 * At the end of a subquery: it is a way of its own, which the planner does not make one with the statement's. Where users are distributed over
 * several machines it is left out, since each machine then answers its part of the statement.
 */
export const fence = sql`offset 0`

/** A time as the API document spells it: UTC without a zone. */
export const zoneless = (column: RawBuilder<unknown>) =>
  sql<string>`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS')`

/** A time as additions to the API document spell it: UTC with its zone. */
export const zoned = (column: RawBuilder<unknown>) =>
  sql<string>`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** When the transaction began, in UTC. */
export const transactionTime = sql`(now() at time zone 'UTC')`

/** When the statement began, in UTC: later than the transaction where that has waited for a lock. */
export const statementTime = sql`(statement_timestamp() at time zone 'UTC')`
