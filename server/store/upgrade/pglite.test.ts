import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'

import { fastestFolder } from '../../testing/folder.ts'
import { installPGlite, PGlite } from './pglite.ts'

let root: string
let engine: string
/** A database whose process was killed. */
let killed: string
beforeAll(async () => {
  root = fs.mkdtempSync(path.join(fastestFolder(), 'data-store-pglite-'))
  engine = await installPGlite(path.join(root, 'engine'))
  killed = path.join(root, 'killed')
  const database = await PGlite.open(engine, killed)
  await database.rows(`create table names (name text); insert into names values ('Ana'), (e'Bo\\tris')`)
  await database.close()
})
afterAll(() => fs.rmSync(root, { recursive: true, force: true, maxRetries: 10 }))

async function open(folder = killed): Promise<PGlite> {
  const database = await PGlite.open(engine, folder)
  onTestFinished(() => database.close())
  return database
}

test('a database whose process was killed has what was committed', async () => {
  const database = await open()
  const query = 'select name from names order by name'
  expect(await database.rows(query)).toEqual([{ name: 'Ana' }, { name: 'Bo\tris' }])
  expect(Buffer.from(await database.copy(query)).toString()).toBe('Ana\nBo\\tris\n')
})

test('an error quotes nothing that is in the database, and the next question is answered', async () => {
  const database = await open()
  await expect(database.rows('select name::uuid from names')).rejects.toThrow(
    /^The old store could not be read \(22P02\)\. [^:]*$/,
  )
  expect(await database.rows('select 1 as one')).toEqual([{ one: 1 }])
  await database.close()
  await expect(database.rows('select 1')).rejects.toThrow('its engine ended')
})

test('a folder that the engine cannot open is told from one that it can', async () => {
  const damaged = path.join(root, 'damaged')
  fs.cpSync(killed, damaged, { recursive: true })
  fs.writeFileSync(path.join(damaged, 'global', 'pg_control'), Buffer.alloc(8192))
  await expect(open(damaged)).rejects.toThrow('The old store could not be read (')
})
