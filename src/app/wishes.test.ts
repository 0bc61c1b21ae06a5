import { beforeEach, expect, test, vi } from 'vitest'

import { createWishes } from './wishes.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

/** Notes what is fulfilled; each takes `ms`. */
function wishing(ms: number) {
  const fulfilled: string[] = []
  const wishes = createWishes()
  const fulfil = async (key: string) => {
    fulfilled.push(key)
    await new Promise((resolve) => setTimeout(resolve, ms))
    throw new Error('Whatever becomes of it.')
  }
  return {
    fulfilled,
    hold: (key?: string) => wishes.hold(key === undefined ? key : { key, fulfil: () => fulfil(key) }),
  }
}

test('what is only passed is no wish', async () => {
  const { fulfilled, hold } = wishing(0)
  for (const row of ['1', '2', '3', '4']) {
    hold(row)
    await vi.advanceTimersByTimeAsync(50)
  }
  hold(undefined)
  await vi.advanceTimersByTimeAsync(1000)
  expect(fulfilled).toEqual([])
})

test('what is held is fulfilled once, however often it is told', async () => {
  const { fulfilled, hold } = wishing(0)
  for (let times = 0; times < 40; times += 1) {
    hold('1')
    await vi.advanceTimersByTimeAsync(50)
  }
  expect(fulfilled).toEqual(['1'])
})

test('one at a time, a few a second; of those that come meanwhile only what is still held', async () => {
  const slow = wishing(3000)
  for (const row of ['1', '2', '3']) {
    slow.hold(row)
    await vi.advanceTimersByTimeAsync(500)
  }
  expect(slow.fulfilled).toEqual(['1'])
  await vi.advanceTimersByTimeAsync(3000)
  expect(slow.fulfilled).toEqual(['1', '3'])

  const fast = wishing(0)
  for (let row = 0; row < 10; row += 1) {
    fast.hold(String(row))
    await vi.advanceTimersByTimeAsync(100)
  }
  expect(fast.fulfilled.length).toBeLessThanOrEqual(4)
})
