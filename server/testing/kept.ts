// Everything that a store keeps, for tests that compare it before and after.
import { sql } from 'kysely'

import type { Database } from '../sealing/database.ts'
import { openEntities } from './service.ts'

/** Tables that differ though everything has been put back. */
const leftOut = new Set(
  [
    // The past stays known: the log, the changes with their reasons, who met sensitive values, who was deleted.
    'events event_inbox event_blocks event_counts changesets reasons',
    'audit audit_keys audit_met audit_hours audit_days audit_people erasures erasure_marks',
    // Receivers of events, with the health of each.
    'subscriptions subscription_days deliveries delivery_attempts',
    // Jobs with their reports and files.
    'jobs job_users imports import_chunks import_identifiers job_files file_chunks',
    // Keys that properties have or once had.
    'property_keys',
    // The history of a user who has no sealed value any more is sealed under the user's key.
    'user_keys',
    // Users of a segment on the day when they were last counted.
    'segment_sizes',
    // A counter has a row for several connections, and counts with whichever was used.
    'user_counts',
  ].flatMap((names) => names.split(' ')),
)

export type Kept = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the rows of all tables but those of the log and of jobs; sealed values opened, since their texts differ each time. */
export async function readKept(database: Database): Promise<Kept> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by 1`.execute(database.sql)
  const kept = new Map<string, ReadonlySet<string>>()
  for (const { name } of tables) {
    if (leftOut.has(name)) continue
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      database.sql,
    )
    if (name === 'entities') for (const row of rows) delete row['sealed']
    kept.set(name, new Set(rows.map((row) => JSON.stringify(row))))
  }
  const entities = await openEntities(database)
  kept.set('values', new Set(entities.map((entity) => JSON.stringify(entity))))
  const { rows: counted } = await sql`select sum(users)::int as users from user_counts`.execute(database.sql)
  kept.set('count', new Set(counted.map((row) => JSON.stringify(row))))
  return kept
}

/** Returns rows that only one of them has, a few of each table. */
export function findDifferences(before: Kept, after: Kept): string[] {
  const shown = 3
  const differences: string[] = []
  for (const [name, then] of before) {
    const now = after.get(name) ?? new Set<string>()
    for (const row of [...then.difference(now)].slice(0, shown)) differences.push(`${name} without ${row}`)
    for (const row of [...now.difference(then)].slice(0, shown)) differences.push(`${name} with ${row}`)
  }
  return differences
}
