import { sql } from 'kysely'

import type { Transaction } from '../store/sql.ts'

const limitMs = 120_000

/**
 * Lets each further statement of a transaction take two minutes. A statement about all rows of a job needs 7 s for a million, and
 * those of requests are canceled after 5.
 */
export async function allowAllRows(transaction: Transaction): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(limitMs)}, true)`.execute(transaction)
}
