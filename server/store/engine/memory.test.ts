import fs from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'

import { openDatabase } from '../../sealing/database.ts'
import { emptyStores } from '../../testing/embedded.ts'
import { testKeys } from '../../testing/service.ts'

const stores = emptyStores()

/** Returns how many megabytes a process holds that no file backs. */
function heldBy(pid: number): number {
  const said = /^Anonymous: +(\d+) kB$/m.exec(fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  return Number(said?.[1]) / 1024
}

const words = '(select md5(at::text) as word from generate_series(1, 250000) as at) as words'
const operands = Array.from({ length: 60_000 }, (_, at) => `'w${at}'`).join()

it.runIf(process.platform === 'linux').each([
  ['sorted', `select count(*) from (select * from ${words} order by word offset 1) as sorted`],
  ['counted', `select count(distinct word) from ${words}`],
  ['read as a long statement', `select 1 where 'a' in (${operands})`],
])('a connection gives back the memory for what it has %s', async (_how, statement) => {
  const database = await openDatabase({ dataDir: stores.copy() }, testKeys)
  onTestFinished(() => database.close())
  const client = await database.pool.connect()
  onTestFinished(() => client.release())
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  for (let times = 0; times < 4; times++) await client.query(statement)
  expect(heldBy(rows[0]?.pid ?? 0)).toBeLessThan(8)
})
