import { expect, test } from 'vitest'

import { describeFailure } from './reporter.ts'

const here = import.meta.filename
const calls = Array.from({ length: 400 }, (_, index) => `    - waiting, attempt ${index}`)

test('a failure is reported in ten lines: its message, its locator and the line of the journey', () => {
  const message = `TimeoutError: locator.click: Timeout 60000ms exceeded.\nCall log:\n${[
    "  - waiting for getByRole('button', { name: 'Save' })",
    ...calls,
  ].join('\n')}`
  const stack = `${message}\n    at open (/elsewhere/helper.ts:3:4)\n    at ${here}:1:20`
  expect(describeFailure({ message, stack }, here)).toEqual([
    'TimeoutError: locator.click: Timeout 60000ms exceeded.',
    "waiting for getByRole('button', { name: 'Save' })",
    "e2e/reporter.test.ts:1: import { expect, test } from 'vitest'",
  ])
})

test('a long message is cut, and colours are left out', () => {
  const message = `\u001b[31mError: not equal\u001b[39m\n${calls.join('\n')}\n${'x'.repeat(5000)}`
  const lines = describeFailure({ message }, here)
  expect(lines).toHaveLength(7)
  expect(lines[0]).toBe('Error: not equal')
  expect(lines.join('').length).toBeLessThan(2000)
})
