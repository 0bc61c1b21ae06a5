import { sql } from 'kysely'

import type { Handle } from '../store/sql.ts'
import { lockEvents, settle } from './states.ts'

/**
 * Number of rows deleted in one step. A thousand attempts take 5 ms; a delivery whose event was still waiting takes 0.1
 * to 0.4 ms, since the event is updated in all of its indexes.
 */
const triesAtOnce = 1000
const deliveriesAtOnce = 250

/**
 * Removes some of the rows of deleted subscriptions: first their attempts and deliveries, possibly millions, then the
 * subscriptions. Can be stopped at any time; the next call continues. Returns false if nothing is left.
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
 * Deletes some deliveries of a subscription. Events that waited only for it stop waiting; events that all other
 * webhooks have received count as delivered. Returns false if there were none.
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

/**
 * Deletes a subscription, unless a transaction that had not seen its deletion has since queued a delivery for it.
 */
async function drop(database: Handle, id: string): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select 1 from subscriptions where id = ${id}::uuid for update`.execute(transaction)
    await sql`
      delete from subscriptions where id = ${id}::uuid
        and not exists (select 1 from deliveries where subscription_id = ${id}::uuid)`.execute(transaction)
  })
}
