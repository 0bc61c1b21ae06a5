import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'

import { testService } from '../testing/hooks.ts'
import { chunkOf, readChunk, storeChunk } from './chunks.ts'

const service = testService()

const begin = async () => {
  const id = uuidv7()
  await sql`insert into imports (id, begun) values (${id}::uuid, now())`.execute(service.database.sql)
  return id
}

test('rows of a file are sealed, and open for their file and their place alone', async () => {
  const { database } = service
  const [file, other] = [await begin(), await begin()]
  await storeChunk(database, file, 0, [[2, ['Ana Secret', '00491']]])
  await storeChunk(database, file, 1, [[502, ['Ben', '']]])
  expect(await readChunk(database, file, 0)).toEqual([[2, ['Ana Secret', '00491']]])
  expect(await readChunk(database, file, 1)).toEqual([[502, ['Ben', '']]])
  expect(await readChunk(database, file, 2)).toBeUndefined()
  const { rows } = await sql<{ sealed: Buffer }>`select sealed from import_chunks`.execute(database.sql)
  expect(rows.some(({ sealed }) => sealed.includes('Ana'))).toBe(false)
  await sql`update import_chunks set job_id = ${other}::uuid where at = 0`.execute(database.sql)
  await expect(readChunk(database, other, 0)).rejects.toThrow()
})

test('a row is found in its chunk by its ordinal', () => {
  expect([1, 500, 501, 1000, 1001].map(chunkOf)).toEqual([0, 0, 1, 1, 2])
})
