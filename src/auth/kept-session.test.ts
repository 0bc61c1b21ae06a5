import { beforeEach, expect, test, vi } from 'vitest'

import { idleMs } from './activity.ts'
import { KeptSession } from './kept-session.ts'
import type { RunningSession } from './tokens.ts'

const settings = {
  consoleUrl: 'https://a.test/sub/',
  session: 'tab',
  oidc: { authority: 'a', clientId: 'b', scope: 'openid', audience: undefined, roleClaim: 'role' },
} as const
const provenAtMs = Date.now()
const kept = new KeptSession(settings)
const sessionOf = (id: string): RunningSession => ({
  id,
  renewals: 0,
  client: kept.client,
  tokens: { access: `of ${id}`, provenAtMs, claims: { sub: 'ana' } },
})

beforeEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
  localStorage.clear()
})

test('the tokens lie in the storage of the tab alone', () => {
  kept.begin(sessionOf('1'))
  expect(kept.read()).toEqual(sessionOf('1'))
  expect(JSON.stringify({ ...sessionStorage })).toContain('of 1')
  expect(JSON.stringify({ ...localStorage })).not.toMatch(/of 1|ana/)
  kept.end('1')
  expect([{ ...sessionStorage }, { ...localStorage }]).toEqual([{}, {}])
})

test('in memory mode nothing is kept', () => {
  const inMemory = new KeptSession({ ...settings, session: 'memory' })
  inMemory.begin(sessionOf('1'))
  expect(inMemory.read()).toBeUndefined()
  expect([{ ...sessionStorage }, { ...localStorage }]).toEqual([{}, {}])
})

test('a copy is void after another session, and after 15 minutes without a sign of life, either way of the clock', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const make of [
    () => kept.begin(sessionOf('2')),
    () => vi.setSystemTime(Date.now() + idleMs),
    () => vi.setSystemTime(Date.now() - idleMs),
  ]) {
    kept.begin(sessionOf('1'))
    const copy = { ...sessionStorage }
    make()
    for (const [key, value] of Object.entries(copy)) sessionStorage.setItem(key, String(value))
    expect(kept.read()).toBeUndefined()
    expect({ ...sessionStorage }).toEqual({})
  }
})

test('a session that another tab has begun counts as soon as this tab sees what that one wrote for all', () => {
  kept.begin(sessionOf('1'))
  const written = { ...localStorage }
  kept.end('1')
  const then = vi.fn<() => void>()
  kept.onceValid(sessionOf('1'), then)
  for (const [key, value] of Object.entries(written)) {
    expect(then).not.toHaveBeenCalled()
    localStorage.setItem(key, String(value))
    dispatchEvent(new StorageEvent('storage', { key }))
  }
  expect(then).toHaveBeenCalledOnce()
  // Nor was it ended by one who saw a part of that.
  expect(kept.isValid(sessionOf('1'))).toBe(true)
  dispatchEvent(new StorageEvent('storage'))
  expect(then).toHaveBeenCalledOnce()
})
