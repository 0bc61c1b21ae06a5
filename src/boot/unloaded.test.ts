import { beforeEach, expect, test } from 'vitest'

import { tellUnloaded } from './unloaded.ts'

const unloaded = () => document.querySelector<HTMLElement>('#unloaded')

beforeEach(() => {
  document.body.innerHTML = ''
})

test('a file that fails before the sentence has been read is told once it has been', () => {
  tellUnloaded()
  document.body.innerHTML = '<p id="unloaded" hidden>Could not be loaded.</p>'
  expect(unloaded()?.hidden).toBe(true)
  document.dispatchEvent(new Event('DOMContentLoaded'))
  expect(unloaded()?.hidden).toBe(false)
})
