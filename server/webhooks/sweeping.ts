import { sql } from 'kysely'

import type { Handle } from '../store/sql.ts'
import { lockEvents, settle } from './states.ts'

/**
 * Takes away the subscriptions that were deleted. Their deliveries and tries go first, some at a time: in millions, as they
 * may be, they would take longer than a statement may. Stopped at any time, it goes on where it was.
 */
export async function sweepDeleted(database: Handle): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from subscriptions where deleted is not null`.execute(
    database,
  )
  for (const { id } of rows) while (await sweepSome(database, id));
}

const atOnce = 1000

/** False: nothing is left of it. */
async function sweepSome(database: Handle, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from delivery_attempts where ctid = any(array(
      select ctid from delivery_attempts where subscription_id = ${id}::uuid limit ${atOnce}))`.execute(
    database,
  )
  return (
    Number(numAffectedRows ?? 0) > 0 || (await sweepDeliveries(database, id)) || (await drop(database, id))
  )
}

/** What waited for it alone is not asked for any more, and what all others have is delivered. */
async function sweepDeliveries(database: Handle, id: string): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ seq: number }>`
      select seq from deliveries where subscription_id = ${id}::uuid order by seq limit ${atOnce}`.execute(
      transaction,
    )
    const positions = rows.map(({ seq }) => seq)
    await lockEvents(transaction, positions)
    await sql`
      delete from deliveries where subscription_id = ${id}::uuid and seq = any(${positions}::bigint[])`.execute(
      transaction,
    )
    await settle(transaction, positions)
    return positions.length > 0
  })
}

/** Answers whether somebody has put up something for it meanwhile, who had not seen that it was deleted. */
async function drop(database: Handle, id: string): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    await sql`select from subscriptions where id = ${id}::uuid for update`.execute(transaction)
    const { rows } = await sql`
      select from deliveries where subscription_id = ${id}::uuid limit 1`.execute(transaction)
    if (rows.length === 0) await sql`delete from subscriptions where id = ${id}::uuid`.execute(transaction)
    return rows.length > 0
  })
}
