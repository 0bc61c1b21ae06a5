import { beforeEach, expect, test, vi } from 'vitest'

import { readConsole } from './read-console.ts'

const unloaded = () => document.querySelector<HTMLElement>('#unloaded')

beforeEach(() => {
  // No such file: as one whose reading was broken off.
  document.body.innerHTML =
    '<p id="unloaded" hidden>Could not be loaded.</p><script data-console="./no-such-file.js"></script>'
  vi.stubGlobal('reportError', vi.fn<typeof reportError>())
  return () => vi.unstubAllGlobals()
})

test('code that cannot be read is told on the page and reported', async () => {
  await readConsole()
  expect(unloaded()?.hidden).toBe(false)
  expect(reportError).toHaveBeenCalledOnce()
})

test('a page that is left while its code is read tells and reports nothing', async () => {
  const read = readConsole()
  dispatchEvent(new Event('beforeunload'))
  await read
  expect(unloaded()?.hidden).toBe(true)
  expect(reportError).not.toHaveBeenCalled()
})
