import { sql } from 'kysely'

import { asRefusal, missingKeyCode } from '../http/errors/problem.ts'
import type { Transaction } from '../store/sql.ts'

interface Storing<Row, Outcome> {
  /** Stores rows together, all or none of them. */
  readonly store: (rows: readonly Row[]) => Promise<ReadonlyMap<Row, Outcome>>
  /** Returns the outcome of the row to blame. */
  readonly refuse: (row: Row, error: unknown) => Outcome
  /** Whether an error ends the transaction, because no row is to blame. */
  readonly isFatal: (error: unknown) => boolean
}

/**
 * Stores rows together. If that is refused, by the rules or by the database, goes back and stores either half by itself,
 * so that only those to blame are refused.
 */
export async function storeOrSplit<Row, Outcome>(
  transaction: Transaction,
  rows: readonly Row[],
  storing: Storing<Row, Outcome>,
  depth = 0,
): Promise<ReadonlyMap<Row, Outcome>> {
  const [first] = rows
  if (!first) return new Map()
  const savepoint = sql.ref(`before_rows_${depth}`)
  await sql`savepoint ${savepoint}`.execute(transaction)
  try {
    const stored = await storing.store(rows)
    await sql`release savepoint ${savepoint}`.execute(transaction)
    return stored
  } catch (error) {
    if (storing.isFatal(error)) throw error
    await sql`rollback to savepoint ${savepoint}`.execute(transaction)
    if (rows.length === 1) return new Map([[first, storing.refuse(first, error)]])
    const middle = Math.ceil(rows.length / 2)
    const stored = new Map<Row, Outcome>()
    for (const half of [rows.slice(0, middle), rows.slice(middle)])
      for (const [row, outcome] of await storeOrSplit(transaction, half, storing, depth + 1))
        stored.set(row, outcome)
    return stored
  }
}

/** Whether an error is the trouble of the store: another attempt may do what this one could not. */
export const isOfStore = (error: unknown) =>
  (error as { code?: unknown }).code !== missingKeyCode && (asRefusal(error)?.status ?? 0) >= 500

/** Whether an error concerns the rows and not the store: a statement that took too long, or a rollback such as after a deadlock. */
export const isOfRows = (error: unknown) => /^(57014|40)/.test(String((error as { code?: unknown }).code))
