import { createMemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { timeToDraw, watchFirstPage } from './first-page.ts'

const { dataset } = document.documentElement

beforeEach(() => {
  vi.useFakeTimers()
  document.body.innerHTML = '<div data-frame></div>'
})
afterEach(() => {
  vi.useRealTimers()
  document.body.innerHTML = ''
})

/** Whether it is time to draw a page, as far as that is known. */
async function timeOf(ready: Promise<void>) {
  const drawn = vi.fn<() => void>()
  void timeToDraw(ready).then(drawn)
  await vi.advanceTimersByTimeAsync(0)
  return drawn
}

test('a page that brought no frame is drawn at once', async () => {
  document.body.innerHTML = ''
  expect(await timeOf(new Promise(() => {}))).toHaveBeenCalled()
})

test('over a frame the first page is drawn once it is ready', async () => {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  const drawn = await timeOf(ready)
  expect(drawn).not.toHaveBeenCalled()
  resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(drawn).toHaveBeenCalled()
})

test('a page that takes long is drawn before it is ready', async () => {
  const drawn = await timeOf(new Promise(() => {}))
  expect(drawn).not.toHaveBeenCalled()
  await vi.advanceTimersToNextTimerAsync()
  expect(drawn).toHaveBeenCalled()
})

test('the frame of the page stays until the first page is painted', async () => {
  Object.assign(dataset, { skeleton: 'users', arriving: '' })
  const { promise: data, resolve } = Promise.withResolvers<null>()
  const router = createMemoryRouter([{ path: '/', loader: () => data, element: null }])
  const ready = vi.fn<() => void>()
  void watchFirstPage(router).then(ready)
  await vi.runAllTimersAsync()
  // What the router tells before is of another page that is still on its way.
  void router.navigate('/')
  await vi.runAllTimersAsync()
  expect(ready).not.toHaveBeenCalled()
  expect(dataset).toMatchObject({ skeleton: 'users', arriving: '' })
  resolve(null)
  await vi.advanceTimersByTimeAsync(0)
  expect(ready).toHaveBeenCalled()
  // The page is painted before it is idle.
  expect(dataset).toHaveProperty('skeleton', 'users')
  await vi.runAllTimersAsync()
  expect(Object.keys(dataset)).not.toEqual(expect.arrayContaining(['skeleton']))
  expect(Object.keys(dataset)).not.toEqual(expect.arrayContaining(['arriving']))
  router.dispose()
})
