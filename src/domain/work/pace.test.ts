import { expect, test } from 'vitest'

import { addSample, paceOf } from './pace.ts'

const sampleAll = (...progress: readonly (readonly [seconds: number, done: number])[]) =>
  progress.reduce<ReturnType<typeof addSample>>(
    (samples, [seconds, done]) => addSample(samples, { atMs: seconds * 1000, done }),
    [],
  )

test('a pace is known after three seconds of progress', () => {
  expect(paceOf(sampleAll([0, 0], [2, 200]), 1000)).toBeUndefined()
  expect(paceOf(sampleAll([0, 0], [2, 200], [4, 400]), 1000)).toEqual({ perSecond: 100, leftSeconds: 6 })
})

test('a pace follows the last fifteen seconds', () => {
  const samples = sampleAll([0, 0], [5, 5000], [10, 5010], [20, 5030], [25, 5040])
  expect(paceOf(samples, 5100)).toEqual({ perSecond: 2, leftSeconds: 30 })
})

test('work that stands still has no pace, and another step begins anew', () => {
  expect(paceOf(sampleAll([0, 7], [10, 7]), 10)).toBeUndefined()
  expect(sampleAll([0, 900], [1, 1000], [2, 3])).toEqual([{ atMs: 2000, done: 3 }])
})

test('an answer that is seen twice counts once', () => {
  expect(sampleAll([0, 1], [1, 2], [1, 2])).toHaveLength(2)
})
