import { sql } from 'kysely'

import { eventsPerBlock, isSent } from '../events/storage.ts'
import { type Handle, type Transaction, transactionTime } from '../store/sql.ts'
import { lockEvents, settle } from './states.ts'

/** Returns the enabled subscriptions that an event is for: those with its type; for a test, the one being tested. */
export async function recipientsOf(
  database: Handle,
  { type, subscription }: { type: string; subscription: string | null },
): Promise<string[]> {
  const isFor =
    type === 'WEBHOOK_TEST'
      ? sql`id::text = ${subscription}`
      : sql`${isSent(sql`${type}::text`)} and (types is null or ${type} = any(types))`
  const { rows } = await sql<{ id: string }>`select id from subscriptions where enabled and ${isFor}`.execute(
    database,
  )
  return rows.map(({ id }) => id)
}

/**
 * Makes an event due now for these subscriptions, whether or not they have received it, and starts counting its attempts again.
 * Returns the number of deliveries.
 */
export async function deliverAgain(
  database: Handle,
  seq: number,
  subscriptions: readonly string[],
): Promise<number> {
  return await database.transaction().execute(async (transaction) => {
    const there = await lockReceivers(transaction, subscriptions)
    await lockEvents(transaction, [seq])
    await sql`
      insert into deliveries (subscription_id, seq, next)
      select id, ${seq}::bigint, ${transactionTime} from unnest(${there}::uuid[]) receivers (id)
      on conflict on constraint deliveries_pkey do update
        set state = 'waiting', next = excluded.next, attempts = 0`.execute(transaction)
    await settle(transaction, [seq])
    return there.length
  })
}

/** Returns those subscriptions that exist. Their rows cannot be removed until the transaction ends. */
async function lockReceivers(transaction: Transaction, subscriptions: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from subscriptions where id = any(${subscriptions}::uuid[]) and deleted is null
    order by id for key share`.execute(transaction)
  return rows.map(({ id }) => id)
}

/** A time span from its first moment to the moment after its end. UTC without a zone. */
interface RedeliverySpan {
  readonly since: string
  readonly until: string
}

interface Recovery {
  readonly since: string
  /** Undefined means no end, not now: the service's clock is not the one that dates events. */
  readonly until?: string | undefined
  readonly dryRun: boolean
}

/** Returns the blocks of positions, see migrations/, that may contain events of a span. */
async function blocksWithin(database: Handle, { since, until }: RedeliverySpan): Promise<number[]> {
  const { rows } = await sql<{ block: number }>`
    select block from event_blocks
    where last_time >= ${since}::timestamp and first_time < ${until}::timestamp order by block`.execute(
    database,
  )
  return rows.map(({ block }) => block)
}

/**
 * Query for the events at these positions within a span that are for a subscription and have not reached it. Tests are
 * not sent again.
 */
const missedEvents = (
  subscription: string,
  { since, until }: RedeliverySpan,
  first: number,
  past: number,
) => sql`
  select s.id as subscription_id, e.seq
  from subscriptions s join events e on e.type <> 'WEBHOOK_TEST' and ${isSent(sql`e.type`)} and (s.types is null or e.type = any(s.types))
  where s.id = ${subscription}::uuid and s.deleted is null and e.seq >= ${first}::bigint and e.seq < ${past}::bigint
    and e.eventtime >= ${since}::timestamp and e.eventtime < ${until}::timestamp
    and not exists (
      select 1 from deliveries d where d.subscription_id = s.id and d.seq = e.seq and d.state = 'delivered')
    -- Skips events that had arrived before their deliveries were pruned, see pruning.ts.
    and not coalesce(e.delivered and e.deliveredtime < s.pruned and s.created <= e.eventtime and not exists (
      select 1 from deliveries d where d.subscription_id = s.id and d.seq = e.seq), false)`

async function countMissed(database: Handle, ...of: Parameters<typeof missedEvents>): Promise<number> {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from (${missedEvents(...of)}) missed`.execute(database)
  return rows[0]?.count ?? 0
}

/** Makes missed events due now, including those that wait for another attempt. Returns their number. */
async function deliverMissed(database: Handle, ...of: Parameters<typeof missedEvents>): Promise<number> {
  return await database.transaction().execute(async (transaction) => {
    const [subscription] = await lockReceivers(transaction, [of[0]])
    const { rows } = await sql<{ seq: number }>`${missedEvents(...of)} order by e.seq`.execute(transaction)
    const positions = rows.map(({ seq }) => seq)
    await lockEvents(transaction, positions)
    const { rows: putUp } = await sql<{ seq: number }>`
      insert into deliveries (subscription_id, seq, next)
      select ${subscription}::uuid, seq, ${transactionTime} from unnest(${positions}::bigint[]) missed (seq)
      on conflict on constraint deliveries_pkey do update
        set state = 'waiting', next = excluded.next, attempts = 0
        where deliveries.state <> 'delivered'
      returning seq`.execute(transaction)
    await settle(
      transaction,
      putUp.map(({ seq }) => seq),
    )
    return putUp.length
  })
}

/**
 * Queues the events that a subscription missed between two instants, or only counts them. Works on a few blocks at a
 * time, so that others do not wait and the queued events stay if it is interrupted.
 */
export async function recover(
  database: Handle,
  subscription: string,
  { since, until, dryRun }: Recovery,
): Promise<number> {
  const span = { since: zonelessOf(since), until: until === undefined ? 'infinity' : zonelessOf(until) }
  const each = dryRun ? countMissed : deliverMissed
  let events = 0
  for (const [first, past] of runsOf(await blocksWithin(database, span))) {
    const step = dryRun ? past - first : putUpAtOnce
    for (let from = first; from < past; from += step)
      events += await each(database, subscription, span, from, Math.min(past, from + step))
  }
  return events
}

/**
 * Number of deliveries queued at once. Each row is written with all of its indexes: 512 take some 100 ms on a busy
 * machine.
 */
const putUpAtOnce = 512
const blocksAtOnce = 2

/** Groups up to `blocksAtOnce` consecutive blocks into each range of positions; ends are exclusive. */
function* runsOf(blocks: readonly number[]): Generator<readonly [number, number]> {
  for (let at = 0; at < blocks.length;) {
    const first = blocks[at] ?? 0
    let length = 1
    while (length < blocksAtOnce && blocks[at + length] === first + length) length++
    yield [first * eventsPerBlock, (first + length) * eventsPerBlock]
    at += length
  }
}

const [earliest, latest] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]

/**
 * Converts to UTC without a zone. Limited to the years 1 to 9999, because `toISOString` writes other years in a form
 * that PostgreSQL does not read.
 */
const zonelessOf = (instant: string) =>
  new Date(Math.min(latest, Math.max(earliest, Date.parse(instant)))).toISOString().slice(0, -1)
