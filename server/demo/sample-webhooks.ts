import { sql } from 'kysely'

import { type EventType, sampleDescription } from '#contract/index.ts'
import type { Database } from '../sealing/database.ts'
import { createSecret } from '../sealing/webhook-secrets.ts'
import type { Transaction } from '../store/sql.ts'
import { rangeOf } from '../webhooks/health.ts'
import { settle } from '../webhooks/states.ts'
import { insertSubscription } from '../webhooks/storage.ts'
import { zonelessText } from './bulk.ts'
import { seededIds, seededRandom } from './random.ts'

const ageMs = 360 * 86_400_000

/** Delay of each delivery attempt after the event, up to the last one before the service gives up. */
const attempts = ['0 s', '5 s', '5 min', '35 min', '155 min', '8 h', '18 h', '32 h', '52 h', '76 h']

const triesMs = 4 * 86_400_000

/**
 * Inserts one webhook whose past deliveries succeeded, and one that was disabled because its receiver never answered.
 * Both point to localhost, where nothing listens, so nothing is sent to anybody. The first is therefore disabled too, a
 * few days after somebody checks a value.
 */
export async function insertSampleWebhooks(database: Database, today: Date): Promise<void> {
  const makeId = seededIds(seededRandom(3))
  const created = today.getTime() - ageMs
  const subscribe = async (
    transaction: Transaction,
    settings: { url: string; types: EventType[]; description: string; enabled: boolean },
  ) => {
    const id = makeId(created)
    const { sealed: secret } = createSecret(database.keys.keyring, id)
    await insertSubscription(transaction, { id, secret, ...settings })
    return id
  }
  await database.sql.transaction().execute(async (transaction) => {
    const works = await subscribe(transaction, {
      url: 'https://localhost:9443/checks',
      types: ['SENSITIVE_DATA_CHECKED'],
      description: `${sampleDescription}fraud desk: who compares sensitive values`,
      enabled: true,
    })
    await deliverAll(transaction, works, created)
    const fails = await subscribe(transaction, {
      url: 'https://localhost:9444/users',
      types: ['USER_CREATED'],
      description: `${sampleDescription}campaigns: new users`,
      enabled: false,
    })
    await failLast(transaction, fails, created, today)
    await countTries(transaction)
  })
}

/** Marks each of the webhook's events as delivered at the first attempt. */
async function deliverAll(transaction: Transaction, id: string, created: number): Promise<void> {
  const sent = sql`from events
    where type collate "C" = 'SENSITIVE_DATA_CHECKED' and eventtime > ${zonelessText(created)}::timestamp`
  const { rows } = await sql<{ seq: number }>`
    insert into deliveries (subscription_id, seq, state, attempts, done)
    select ${id}::uuid, seq, 'delivered', 1, eventtime ${sent}
    returning seq`.execute(transaction)
  await settle(
    transaction,
    rows.map(({ seq }) => seq),
  )
  await sql`
    insert into delivery_attempts (subscription_id, seq, number, time, ms, status)
    select ${id}::uuid, seq, 1, eventtime + interval '0.3 s', 38 + seq % 90, 204 ${sent}`.execute(transaction)
  await sql`
    update events set deliveredtime = eventtime + interval '0.5 s'
    where seq in (select seq ${sent})`.execute(transaction)
  await sql`
    update subscriptions set created = ${zonelessText(created)}::timestamp, updated = ${zonelessText(created)}::timestamp,
      last_success = (select max(time) from delivery_attempts where subscription_id = ${id}::uuid)
    where id = ${id}::uuid`.execute(transaction)
}

/**
 * Makes the webhook fail: its latest event that is old enough was attempted until the service gave up, which disabled
 * the webhook.
 */
async function failLast(transaction: Transaction, id: string, created: number, today: Date): Promise<void> {
  const { rows } = await sql<{ seq: number }>`
    with last as (
      select seq, eventtime from events
      where type collate "C" = 'USER_CREATED' and eventtime < ${zonelessText(today.getTime() - triesMs)}::timestamp
      order by -seq limit 1
    ), delivery as (
      insert into deliveries (subscription_id, seq, state, attempts, done)
      select ${id}::uuid, seq, 'failed', ${attempts.length}::int, eventtime from last
    ), tried as (
      insert into delivery_attempts (subscription_id, seq, number, time, ms, error)
      select ${id}::uuid, seq, number, eventtime + wait::interval, case when number % 4 = 0 then 15000 else 6 + number * 7 % 11 end,
        case when number % 4 = 0 then 'timeout' else 'connection' end
      from last, unnest(${attempts}::text[]) with ordinality as waits (wait, number)
      returning time
    )
    update subscriptions set created = ${zonelessText(created)}::timestamp, updated = ${zonelessText(created)}::timestamp,
      failures = ${attempts.length}::int, last_failure = (select max(time) from tried), disabled_reason = 'exhausted',
      disabled = (select max(time) from tried)
    where id = ${id}::uuid returning (select seq from last)`.execute(transaction)
  await settle(
    transaction,
    rows.map(({ seq }) => seq),
  )
}

/** Counts the delivery attempts per day, as the service does on each attempt. */
async function countTries(transaction: Transaction): Promise<void> {
  await sql`
    insert into subscription_days (subscription_id, day, bucket, succeeded, failed)
    select subscription_id, time::date, ${rangeOf(sql`status`, sql`ms`)}, count(*) filter (where error is null),
      count(*) filter (where error is not null)
    from delivery_attempts where time > now() at time zone 'UTC' - interval '30 days' group by 1, 2, 3`.execute(
    transaction,
  )
}
