import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'

import { filesWithTestDatabase } from './database-tests.ts'

const root = path.join(import.meta.dirname, '../..')
/** `testTimeout` of vitest.config.ts. */
const suiteMs = 240_000

test('no test waits for less than half a minute: the machine may have other work', () => {
  const files = globSync(['{server,src,contract}/**/*.test.{ts,tsx}', 'e2e/*.ts', '*.config.ts'], {
    cwd: root,
  })
  expect(files.length).toBeGreaterThan(100)
  const short = files.flatMap((file) =>
    [
      ...readFileSync(path.join(root, file), 'utf8').matchAll(
        /\b\w*[tT]imeout: ([\d_]+)|^\s*\}, ([\d_]+)\)$/gm,
      ),
    ]
      .filter(([, option, last]) => Number((option ?? last ?? '').replaceAll('_', '')) < 30_000)
      .map(([found]) => `${file}: ${found.trim()}`),
  )
  expect(short).toEqual([])
})

test('no test has less time than the suite gives each', () => {
  const files = globSync('{server,src,contract}/**/*.test.{ts,tsx}', { cwd: root })
  const short = files.flatMap((file) =>
    [
      ...readFileSync(path.join(root, file), 'utf8').matchAll(
        /^ *\}, ([\d_]+)\)$|\btest(?:\.\w+)*\([^\n]*\{ timeout: ([\d_]+) \}/gm,
      ),
    ]
      .filter(([, last, option]) => Number((last ?? option ?? '').replaceAll('_', '')) <= suiteMs)
      .map(([found]) => `${file}: ${found.trim()}`),
  )
  expect(short).toEqual([])
})

test('waiting in a test may take longer than the second that Vitest allows', async () => {
  const startMs = performance.now()
  await vi.waitFor(() => expect(performance.now() - startMs).toBeGreaterThan(1200))
})

test('on another PostgreSQL only those run again that reach the database, by a helper too', () => {
  const files = filesWithTestDatabase()
  for (const file of ['users/search', 'webhooks/delivery/subscription-slots', 'replacing', 'store/database'])
    expect(files).toContain(`server/${file}.test.ts`)
  for (const file of [
    'webhooks/delivery/schedule',
    'webhooks/delivery/kill',
    'store/engine/durability',
    'identity/identity',
  ])
    expect(files).not.toContain(`server/${file}.test.ts`)
})
