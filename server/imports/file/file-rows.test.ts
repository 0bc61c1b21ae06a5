import { expect, test } from 'vitest'

import { Refusal } from '../../http/errors/problem.ts'
import { FileRows } from './file-rows.ts'

test.each<[string, readonly Buffer[], boolean]>([
  ['a text', [Buffer.alloc(100_000)], false],
  [
    'a workbook whose start comes in pieces',
    ['P', 'K', '\u0003', '\u0004'].map((sign) => Buffer.from(sign)),
    true,
  ],
])('%s that is refused is let go of', async (_, start, isWorkbook) => {
  let isLetGo = false
  async function* pieces() {
    try {
      yield* start
      for (;;) yield Buffer.alloc(1024 * 1024)
    } finally {
      isLetGo = true
    }
  }
  const rows = new FileRows({})
  const reading = (async () => {
    for await (const batch of rows.read(pieces())) expect(batch).toEqual([])
  })()
  await expect(reading).rejects.toThrow(Refusal)
  expect(isLetGo).toBe(true)
  expect('sheet' in rows.found).toBe(isWorkbook)
})
