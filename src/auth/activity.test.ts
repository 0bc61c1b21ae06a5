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
/** Time of the last act in the storage that the tabs share; undefined if they share none. */
let lastActMs: number | undefined

/** Lets the machine sleep: the clock advances, timers do not. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms)
const minuteMs = 60_000

function watch(tabs: Tabs) {
  const seen: string[] = []
  const activity = watchActivity(tabs, {
    alive: (ms) => (lastActMs = ms),
    lastActMs: () => lastActMs,
    warn: () => seen.push('warn'),
    resume: () => seen.push('resume'),
    lock: () => seen.at(-1) !== 'lock' && seen.push('lock') > 0,
    expire: () => false,
  })
  stops.push(() => activity.stop())
  return { seen, activity }
}

beforeEach(() => {
  vi.useFakeTimers()
  lastActMs = undefined
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

test.each([10, 13.9])('a sleep of %d minutes changes nothing', (minutes) => {
  const { seen } = watch(twoTabs()[0])
  sleep(minutes * minuteMs)
  window.dispatchEvent(new KeyboardEvent('keydown'))
  vi.advanceTimersByTime(idleMs - warningMs - 1)
  expect(seen).toEqual([])
})

test('a sleep of 14 minutes and a half ends in the warning, which is answered', () => {
  const { seen, activity } = watch(twoTabs()[0])
  sleep(14.5 * minuteMs)
  window.dispatchEvent(new Event('pointermove'))
  activity.sign()
  expect(seen).toEqual(['warn', 'resume'])
})

const firstEvents: [string, () => Event][] = [
  ['a key', () => new KeyboardEvent('keydown', { cancelable: true })],
  ['a press', () => new Event('pointerdown')],
  ['a click without a press', () => new MouseEvent('click', { cancelable: true })],
  ['a turn of the wheel', () => new Event('wheel')],
  ['a finger', () => new Event('touchmove')],
]
const looks = ['pointermove', 'focus', 'online', 'pageshow', 'resume', 'visibilitychange']

test.each([15, 16, 31, 120, 540])('after a sleep of %d minutes the first act locks', (minutes) => {
  for (const [name, make] of firstEvents) {
    const { seen, activity } = watch(twoTabs()[0])
    sleep(minutes * minuteMs)
    window.dispatchEvent(make())
    expect({ name, seen }).toEqual({ name, seen: ['lock'] })
    activity.stop()
  }
  for (const name of looks) {
    const { seen, activity } = watch(twoTabs()[0])
    sleep(minutes * minuteMs)
    window.dispatchEvent(new Event(name))
    expect({ name, seen }).toEqual({ name, seen: ['lock'] })
    activity.stop()
  }
})

test('a page that nobody touches after a sleep is locked within a second', () => {
  const { seen } = watch(twoTabs()[0])
  sleep(idleMs)
  vi.advanceTimersByTime(1000)
  expect(seen).toEqual(['lock'])
})

test('the key or press that locks does nothing else, and neither does the click at its end', () => {
  const { seen } = watch(twoTabs()[0])
  const heard: string[] = []
  const button = document.body.appendChild(document.createElement('button'))
  for (const name of ['pointerdown', 'keydown', 'click'])
    button.addEventListener(name, () => heard.push(name))
  sleep(idleMs)
  button.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  button.click()
  expect([seen, heard]).toEqual([['lock'], []])
  button.dispatchEvent(new Event('pointerdown', { bubbles: true }))
  button.click()
  expect(heard).toEqual(['pointerdown', 'click'])
  button.remove()
})

test('a key that locks is not typed', () => {
  watch(twoTabs()[0])
  sleep(idleMs)
  const key = new KeyboardEvent('keydown', { key: 'x', cancelable: true })
  window.dispatchEvent(key)
  expect(key.defaultPrevented).toBe(true)
})

test('“Stay signed in” does not revive a session that slept through the warning', () => {
  const { seen, activity } = watch(twoTabs()[0])
  vi.advanceTimersByTime(idleMs - warningMs)
  sleep(2 * minuteMs)
  activity.sign()
  expect(seen).toEqual(['warn', 'lock'])
})

test('an act in another tab from before the sleep, which is heard of after it, revives nothing', () => {
  const [one, other] = twoTabs()
  const { seen } = watch(one)
  const atMs = Date.now()
  sleep(idleMs)
  other.send({ type: 'active', atMs })
  expect(seen).toEqual(['lock'])
})

test('a tab that the browser froze takes over what was done in the others', () => {
  const { seen } = watch(twoTabs()[0])
  sleep(2 * idleMs)
  lastActMs = Date.now() - minuteMs
  vi.advanceTimersByTime(1000)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(idleMs)
  expect(seen).toEqual(['warn', 'lock'])
})

test('a tab of an older console, which does not say when something was done, revives nothing', () => {
  const [one, other] = twoTabs()
  const { seen } = watch(one)
  sleep(idleMs)
  other.send({ type: 'active' })
  expect(seen).toEqual(['lock'])
})

test.each([1, 20, 180])('a clock set back by %d minutes neither locks nor delays the lock', (minutes) => {
  const { seen } = watch(twoTabs()[0])
  vi.advanceTimersByTime(5 * minuteMs)
  sleep(-minutes * minuteMs)
  vi.advanceTimersByTime(1000)
  expect(seen).toEqual([])
  // Other tabs and the next load go by this time.
  expect(Date.now() - (lastActMs ?? 0)).toBeLessThan(6 * minuteMs)
  window.dispatchEvent(new KeyboardEvent('keydown'))
  expect(lastActMs).toBe(Date.now())
  vi.advanceTimersByTime(idleMs - 1)
  expect(seen).toEqual(['warn'])
  vi.advanceTimersByTime(1000)
  expect(seen).toEqual(['warn', 'lock'])
})
