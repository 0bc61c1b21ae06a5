import { sql } from 'kysely'

import { dayMs, formatCount } from '#contract/index.ts'
import { eventsInsert, numberEvents } from '../events/storage.ts'
import type { Database } from '../sealing/database.ts'
import type { Handle, Transaction } from '../store/sql.ts'
import { type Generated, inBulk, insertGenerated, newEvent, settle, zonelessText } from './bulk.ts'
import { samplePeople } from './people.ts'
import { seededIds, seededRandom } from './random.ts'
import { sampleSegments } from './sample-segments.ts'
import { insertSizes } from './segment-sizes.ts'

/** Small enough that each statement stays far below the store's statement time-out. */
const usersPerStatement = 500

/**
 * Fills an unused store with sample data. Inserts users, segments and events in one transaction, so an interruption
 * leaves all or nothing of them. Sizes of segments follow and may be missing after an interruption, as may anything
 * that the caller adds. `today` is the latest day of the data; a day always gives the same data. Returns whether it
 * filled the store.
 */
export async function makeSampleData(
  database: Database,
  users: number,
  say: (line: string) => void,
  today = new Date(),
): Promise<boolean> {
  if (await hasBeenUsed(database.sql)) return false
  const started = performance.now()
  say(`Making sample data: ${formatCount(users)} users …`)
  const midnight = Math.floor(today.getTime() / dayMs) * dayMs
  const counts = { entities: 0, segments: 0, events: 0 }
  await inBulk(database, async (transaction) => {
    for (const people of chunks(samplePeople(users, midnight), usersPerStatement)) {
      const inserted = await insertGenerated(transaction, database.keys, people)
      if (inserted !== people.length)
        throw new Error('Two users of the sample data have an e-mail or a ref in common.')
      counts.entities += people.reduce((sum, { entities }) => sum + entities.length, 0)
      counts.events += people.reduce((sum, { events }) => sum + events.length, 0)
    }
    counts.segments = await insertSegments(transaction, midnight)
    counts.events += counts.segments
  })
  await settle(database)
  await numberEvents(database.sql)
  await insertSizes(database, midnight)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const { entities, segments, events } = counts
  say(
    `Sample data is ready: ${formatCount(entities)} entities, ${segments} segments and ` +
      `${formatCount(events)} events, made in ${seconds} s.`,
  )
  return true
}

/**
 * Whether the store has ever been used. Events count too: they describe deleted users, and invented users must not
 * follow real ones.
 */
async function hasBeenUsed(database: Handle): Promise<boolean> {
  const { rows } = await sql<{ used: boolean }>`
    select exists (select 1 from users) or exists (select 1 from segments)
      or exists (select 1 from event_inbox) or exists (select 1 from events) as used`.execute(database)
  return rows[0]?.used ?? true
}

async function insertSegments(transaction: Transaction, midnight: number): Promise<number> {
  const makeId = seededIds(seededRandom(1))
  const createdOf = (index: number) => midnight - (700 - index * 40) * dayMs
  const rows = sampleSegments((index) => ({
    id: makeId(createdOf(index)),
    created: zonelessText(createdOf(index)),
  }))
  await sql`
    insert into segments (id, name, description, filter, tz, created, updated)
    select id, name, description, filter, tz, created, created
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as row (id uuid, name text, description text, filter jsonb, tz text, created timestamp)`.execute(
    transaction,
  )
  await eventsInsert(
    rows.map(({ id }, index) =>
      newEvent(makeId, createdOf(index), 'SEGMENT_CREATED', { segment: id, actor: 'admin' }),
    ),
  ).execute(transaction)
  return rows.length
}

function* chunks(people: Iterable<Generated>, size: number): Generator<Generated[]> {
  let chunk: Generated[] = []
  for (const person of people) {
    chunk.push(person)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
