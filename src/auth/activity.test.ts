import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { idleMs, warningMs, watchActivity } from './activity.ts'
import type { TabMessage, Tabs } from './tabs.ts'

/** Creates two tabs of one browser whose messages arrive without the delay of a channel. */
function twoTabs(): [Tabs, Tabs] {
  const listeners = [
    new Set<(message: TabMessage) => void>(),
    new Set<(message: TabMessage) => void>(),
  ] as const
  const tab = (own: 0 | 1): Tabs => ({
    send: (message) => listeners[own === 0 ? 1 : 0].forEach((listener) => listener(message)),
    listen: (listener) => {
      listeners[own].add(listener)
      return () => listeners[own].delete(listener)
    },
    next: () => new Promise(() => {}),
  })
  return [tab(0), tab(1)]
}

const stops: (() => void)[] = []

function watch(tabs: Tabs) {
  const seen: string[] = []
  const activity = watchActivity(tabs, {
    alive: () => {},
    warn: () => seen.push('warn'),
    resume: () => seen.push('resume'),
    lock: () => seen.push('lock'),
  })
  stops.push(() => activity.stop())
  return { seen, activity }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  vi.useRealTimers()
})

test('fifteen quiet minutes lock, with a warning a minute before', () => {
  const { seen } = watch(twoTabs()[0])
  vi.advanceTimersByTime(idleMs - warningMs - 1)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(1)
  expect(seen).toEqual(['warn'])
  vi.advanceTimersByTime(warningMs)
  expect(seen).toEqual(['warn', 'lock'])
})

test('typing keeps the session; once warned, only an answer does', () => {
  const { seen, activity } = watch(twoTabs()[0])
  vi.advanceTimersByTime(idleMs - warningMs - 1000)
  window.dispatchEvent(new KeyboardEvent('keydown'))
  vi.advanceTimersByTime(idleMs - warningMs - 1000)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(1000)
  window.dispatchEvent(new KeyboardEvent('keydown'))
  expect(seen).toEqual(['warn'])
  activity.sign()
  vi.advanceTimersByTime(warningMs)
  expect(seen).toEqual(['warn', 'resume'])
})

test('work in one tab keeps the other open', () => {
  const [one, other] = twoTabs()
  const { activity } = watch(one)
  const { seen } = watch(other)
  vi.advanceTimersByTime(idleMs - warningMs)
  activity.sign()
  vi.advanceTimersByTime(idleMs - warningMs - 1)
  expect(seen).toEqual(['warn', 'resume'])
})
