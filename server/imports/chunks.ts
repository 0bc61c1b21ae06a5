import { hkdfSync } from 'node:crypto'
import { sql } from 'kysely'

import { importChunkRows } from '#contract/import.ts'
import type { IndexKey } from '../sealing/data-keys.ts'
import type { Database } from '../sealing/database.ts'
import { openBytes, sealBytes } from '../sealing/encryption.ts'

/** Row of a file: its number in the file, and its cells. */
export type FileRow = readonly [row: number, cells: readonly string[]]

/** Seals and stores rows of a file: chunk `at` has those with the ordinals `at` × 500 + 1 to (`at` + 1) × 500. */
export async function storeChunk(
  { sql: handle, keys: { indexKey } }: Database,
  job: string,
  at: number,
  rows: readonly FileRow[],
): Promise<void> {
  const sealed = sealBytes(chunkKey(indexKey), placeOf(job, at), Buffer.from(JSON.stringify(rows)))
  await sql`
    insert into import_chunks (job_id, at, sealed)
    values (${job}::uuid, ${at}, ${sealed})`.execute(handle)
}

/** Returns the rows of a chunk; undefined if the file has none there, or its rows are not kept any more. */
export async function readChunk(
  { sql: handle, keys: { indexKey } }: Database,
  job: string,
  at: number,
): Promise<readonly FileRow[] | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`
    select sealed from import_chunks where job_id = ${job}::uuid and at = ${at}`.execute(handle)
  const sealed = rows[0]?.sealed
  if (!sealed) return undefined
  return JSON.parse(openBytes(chunkKey(indexKey), placeOf(job, at), sealed).toString()) as readonly FileRow[]
}

/** Returns the chunk that has a row of the file, by the row's ordinal. */
export const chunkOf = (ordinal: number) => Math.floor((ordinal - 1) / importChunkRows)

const placeOf = (job: string, at: number) => ({ user: job, key: String(at), type: 'import' })

function chunkKey(indexKey: IndexKey): Buffer {
  return Buffer.from(hkdfSync('sha256', indexKey(), '', 'data-store imports', 32))
}
