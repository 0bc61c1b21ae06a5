import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

import breaks from './breaks.json' with { type: 'json' }

test('the text that a break replaces is in its file once', () => {
  const moved = breaks.filter(({ file, search }) => {
    const source = path.join(import.meta.dirname, '..', file)
    return !fs.existsSync(source) || fs.readFileSync(source, 'utf8').split(search).length !== 2
  })
  expect(breaks).toHaveLength(96)
  expect(moved).toEqual([])
})
