import { sql } from 'kysely'

import { historyDays, segmentsPerPage, dayMs } from '#contract/index.ts'
import type { Database } from '../sealing/database.ts'
import { conditionOf } from '../segments/conditions.ts'
import { countUsers } from '../segments/counts.ts'
import { loadFilters, openUsable } from '../segments/facts.ts'
import { everSensitiveOf, segmentsAfter } from '../segments/storage.ts'
import { allUsers } from '../users/storage.ts'
import { type Random, seededRandom } from './random.ts'

interface SampleSize {
  readonly day: string
  readonly total: number
  readonly users: number
}

/** Inserts daily sizes for each segment, leading to its current size. */
export async function insertSizes(database: Database, midnight: number): Promise<void> {
  const { sql: handle, keys } = database
  const rows = openUsable(keys.indexKey, await segmentsAfter(handle, undefined, segmentsPerPage))
  const { total: users } = await allUsers(handle)
  const random = seededRandom(2)
  const sizes = []
  for (const [row, facts] of await loadFilters(handle, keys.indexKey, rows)) {
    const total = await countUsers(database, conditionOf(facts, database).where(), {})
    const sensitive = (await everSensitiveOf(handle, facts.keys)).length > 0
    for (const size of wayTo(random, midnight, total ?? 0, users))
      sizes.push({ segment_id: row.id, sensitive, ...size })
  }
  await sql`
    insert into segment_sizes (segment_id, day, total, users, sensitive)
    select segment_id, day, total, users, sensitive
    from json_to_recordset(${JSON.stringify(sizes)}::json)
      as row (segment_id uuid, day date, total integer, users integer, sensitive boolean)`.execute(handle)
}

function wayTo(random: Random, midnight: number, total: number, users: number): SampleSize[] {
  const growth = random() * 0.7 - 0.2
  const wave = 2 + random() * 6
  const sizes: SampleSize[] = []
  for (let ago = historyDays - 1; ago >= 0; ago--) {
    // Leaves out some days, because a size exists only for days on which somebody looked.
    if (ago > 0 && random() < 0.1) continue
    const part = ago / historyDays
    const there = Math.round(users * (1 - part * 0.08))
    const size = total * (1 - growth * part + 0.05 * Math.sin(part * wave * Math.PI) * Math.min(1, part * 8))
    sizes.push({
      day: new Date(midnight - ago * dayMs).toISOString().slice(0, 10),
      total: Math.min(there, Math.max(0, Math.round(size))),
      users: there,
    })
  }
  return sizes
}
