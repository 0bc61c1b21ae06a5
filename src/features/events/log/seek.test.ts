import fc from 'fast-check'
import { expect, test } from 'vitest'

import { findTime } from './seek.ts'

/** Returns a log with these event times that records the requests. */
function log(times: readonly number[]) {
  const requests: number[] = []
  const read = (offset: number) => {
    requests.push(offset)
    return Promise.resolve(times.slice(offset, offset + 100))
  }
  return { read, requests }
}

const sorted = fc.array(fc.nat(40), { maxLength: 3000 }).map((steps) => {
  let ms = 0
  return steps.map((step) => (ms += step))
})

test('in order, the position is that of the first event which is not before the moment', async () => {
  await fc.assert(
    fc.asyncProperty(sorted, fc.double({ min: -0.1, max: 1.1, noNaN: true }), async (times, part) => {
      const timeMs = (times.at(-1) ?? 0) * part
      const { read } = log(times)
      const expected = times.filter((ms) => ms < timeMs).length
      expect(await findTime(read, timeMs, times.length)).toBe(expected)
    }),
    { numRuns: 200 },
  )
})

test('5,000,000 events take no more than 40 requests', async () => {
  const requests: number[] = []
  const count = 5_000_000
  const read = (offset: number) => {
    requests.push(offset)
    return Promise.resolve(Array.from({ length: Math.min(100, count - offset) }, (_, n) => offset + n))
  }
  for (const timeMs of [0, 1, 4_900_000, 2_500_001, 4_999_999, 6_000_000]) {
    requests.length = 0
    expect(await findTime(read, timeMs, count)).toBe(Math.min(timeMs, count))
    expect(requests.length).toBeLessThanOrEqual(40)
  }
})

test('neighbours that were committed in another order move the place by no more than their disorder', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(500), { minLength: 1000, maxLength: 1000 }),
      fc.nat(10_000),
      async (jitter, timeMs) => {
        const times = jitter.map((late, index) => index * 10 + late)
        const found = await findTime(log(times).read, timeMs, times.length)
        // Tolerance: 50 rows of disorder, half a page between a median and the moment, and half a page at which the
        // search ends.
        expect(Math.abs(found - Math.min(1000, timeMs / 10))).toBeLessThanOrEqual(150)
      },
    ),
    { numRuns: 200 },
  )
})

test('old events that were loaded late do not lead astray', async () => {
  const before = Array.from({ length: 3000 }, (_, index) => 1_000_000 + index * 100)
  const late = Array.from({ length: 500 }, (_, index) => index)
  const after = Array.from({ length: 2500 }, (_, index) => 1_300_000 + index * 100)
  const times = [...before, ...late, ...after]
  const { read } = log(times)
  for (let timeMs = 1_000_000; timeMs < 1_550_000; timeMs += 1700) {
    const expected = times.findIndex((ms) => ms >= timeMs)
    const found = await findTime(read, timeMs, times.length)
    // Either end of the late block is correct, since all of it is older than the moment.
    expect(Math.abs(found - expected)).toBeLessThanOrEqual(
      timeMs > 1_290_000 && timeMs <= 1_300_000 ? 600 : 0,
    )
  }
})
