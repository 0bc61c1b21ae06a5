import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { recall, remember } from './memory.ts'
import { createQueryClient } from './query-client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a value is remembered for its time, which begins again when it is remembered again', () => {
  const client = createQueryClient()
  remember(client, ['list', '1'], 'Ana', 1000)
  vi.advanceTimersByTime(900)
  expect(recall(client, 'list', '2')).toBeUndefined()
  remember(client, ['list', '1'], 'Bea', 1000)
  vi.advanceTimersByTime(900)
  expect(recall(client, 'list', '1')).toBe('Bea')
  vi.advanceTimersByTime(200)
  expect(recall(client, 'list', '1')).toBeUndefined()
})

test('a sign-out forgets what was remembered without end', () => {
  const client = createQueryClient()
  remember(client, ['selection'], new Set(['1']), Infinity)
  expect(recall(client, 'selection')).toEqual(new Set(['1']))
  client.clear()
  expect(recall(client, 'selection')).toBeUndefined()
})
