import { beforeEach, expect, test, vi } from 'vitest'

import { Worker } from './worker.ts'

const hourMs = 3_600_000
let logged: string[] = []
beforeEach(() => {
  logged = []
  vi.useFakeTimers({ toFake: ['performance'] })
  return () => vi.useRealTimers()
})

/** Runs the listed steps one after the other, then waits until it is stopped. */
function work(steps: readonly (() => number)[]) {
  const done = Promise.withResolvers<void>()
  let next = 0
  const worker = new Worker({
    recoverMs: 0,
    tell: (error) => logged.push((error as Error).message),
    step: (signal) => {
      const step = steps[next++]
      if (step) return Promise.resolve().then(step)
      done.resolve()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(0)))
    },
  })
  return { worker, done: done.promise }
}

const fails =
  (message: string, code?: string, passedMs = 0) =>
  () => {
    vi.advanceTimersByTime(passedMs)
    throw Object.assign(new Error(message), { code })
  }

test('a lasting fault is reported once an hour, another one at once, and the same one again after a success', async () => {
  const { worker, done } = work([
    fails('first'),
    fails('second'),
    fails('another', '57014'),
    fails('the same', '57014', hourMs - 1),
    fails('an hour later', '57014', 1),
    () => 0,
    fails('after all was well', '57014'),
  ])
  await done
  await worker.stop()
  expect(logged).toEqual(['first', 'another', 'an hour later', 'after all was well'])
})

test('a worker that is stopped waits for its step, begins no other, and tells nothing of what it gave up', async () => {
  const begun = Promise.withResolvers<void>()
  let steps = 0
  const worker = new Worker({
    recoverMs: 0,
    tell: (error) => logged.push((error as Error).message),
    step: (signal) => {
      steps++
      begun.resolve()
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => setImmediate(() => reject(new Error('given up')))),
      )
    },
  })
  await begun.promise
  await worker.stop()
  expect({ steps, logged }).toEqual({ steps: 1, logged: [] })
})

test('a worker that waits for its next step stops at once', async () => {
  const done = Promise.withResolvers<void>()
  const worker = new Worker({
    recoverMs: 0,
    tell: () => undefined,
    step: async () => {
      done.resolve()
      return hourMs
    },
  })
  await done.promise
  await worker.stop()
})
