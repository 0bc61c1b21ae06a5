import { expect, test } from 'vitest'

import { writeRows } from '#contract/reading/table.ts'
import { readImportFile } from './import-file.ts'

const signal = new AbortController().signal
const paste = (text: string) => ({ kind: 'paste' as const, text })

test('a long table is read whole, and leaves the page time in between', async () => {
  const texts = Array.from({ length: 20_000 }, (_, index) => [
    `Person "${index}"`,
    `line\r\nbreak ${index}`,
    `ö ${index}`,
  ])
  let turns = 0
  const timer = setInterval(() => (turns += 1))
  const reading = await readImportFile(paste(writeRows([['a', 'b', 'c'], ...texts], ',')), {}, signal)
  clearInterval(timer)
  expect('file' in reading && reading.file.rows.map(({ cells }) => cells)).toEqual(texts)
  expect(turns).toBeGreaterThan(2)
})

test('reading stops when it is given up', async () => {
  const leave = new AbortController()
  const reading = readImportFile(paste('a,b\n'.repeat(200_000)), {}, leave.signal)
  leave.abort()
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
})
