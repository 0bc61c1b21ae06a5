import { sql } from 'kysely'

import type { Handle } from '../store/sql.ts'
import { lockEvents, settle } from './states.ts'

/**
 * Rows deleted in one step. A thousand attempts take 5 ms; a delivery whose event still waited takes 0.1 to 0.4 ms, since
 * the event is updated in all of its indexes.
 */
const triesAtOnce = 1000
const deliveriesAtOnce = 250

/**
 * Takes away some of what is left of the subscriptions that were deleted: first their tries and deliveries, which may be
 * millions, then themselves. Stopped at any time, it goes on where it was. False: nothing is left.
 */
export async function sweepDeleted(database: Handle): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from subscriptions where deleted is not null order by id limit 1`.execute(database)
  const [deleted] = rows
  if (!deleted) return false
  const { numAffectedRows = 0n } = await sql`
    delete from delivery_attempts where ctid = any(array(
      select ctid from delivery_attempts where subscription_id = ${deleted.id}::uuid limit ${triesAtOnce}))`.execute(
    database,
  )
  if (numAffectedRows === 0n && !(await sweepDeliveries(database, deleted.id)))
    await drop(database, deleted.id)
  return true
}

/**
 * Deletes some deliveries of a subscription. Events that only it waited for stop waiting, and those that all other
 * webhooks have count as delivered. False: there were none.
 */
async function sweepDeliveries(database: Handle, id: string): Promise<boolean> {
  return await database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ seq: number }>`
      select seq from deliveries where subscription_id = ${id}::uuid order by seq limit ${deliveriesAtOnce}`.execute(
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

/** Not if somebody has put up something for it meanwhile, who had not seen that it was deleted. */
async function drop(database: Handle, id: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select 1 from subscriptions where id = ${id}::uuid for update`.execute(transaction)
    await sql`
      delete from subscriptions where id = ${id}::uuid
        and not exists (select 1 from deliveries where subscription_id = ${id}::uuid)`.execute(transaction)
  })
}
