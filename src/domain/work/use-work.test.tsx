import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'

import { useWork } from './use-work.ts'

/** Creates work that counts to three, advancing one step each time the test allows it. */
function counting() {
  const begunFrom: (number | undefined)[] = []
  let step = Promise.withResolvers<undefined>()
  const next = () => {
    step.resolve(undefined)
    step = Promise.withResolvers()
  }
  const run = async (signal: AbortSignal, onProgress: (count: number) => void, from: number | undefined) => {
    begunFrom.push(from)
    for (let count = (from ?? 0) + 1; count <= 3; count += 1) {
      await step.promise
      signal.throwIfAborted()
      onProgress(count)
    }
    return 'counted'
  }
  return { run, next, begunFrom }
}

test('paused work continues from its last progress; forgotten work begins from the beginning', async () => {
  const { run, next, begunFrom } = counting()
  const { result } = renderHook(() => useWork<number, string>())
  act(() => result.current.begin(run))
  act(next)
  await waitFor(() => expect(result.current.work).toEqual({ phase: 'running', progress: 1 }))
  act(() => {
    result.current.pause()
    next()
  })
  await waitFor(() => expect(result.current.work).toEqual({ phase: 'paused', progress: 1 }))

  act(() => result.current.goOn())
  for (const _ of [2, 3]) await act(async () => next())
  await waitFor(() => expect(result.current.work).toEqual({ phase: 'done', progress: 3, result: 'counted' }))
  act(() => {
    result.current.reset()
    result.current.begin(run)
  })
  expect(begunFrom).toEqual([undefined, 1, undefined])
})

test('left, it is given up', async () => {
  const { run, next } = counting()
  let isAborted = false
  const { result, unmount } = renderHook(() => useWork<number, string>())
  act(() =>
    result.current.begin((signal, ...rest) => {
      signal.addEventListener('abort', () => (isAborted = true))
      return run(signal, ...rest)
    }),
  )
  unmount()
  expect(isAborted).toBe(true)
  next()
})
