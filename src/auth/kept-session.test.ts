import { beforeEach, describe, expect, test, vi } from 'vitest'

import { parseSettings } from '../api/settings.ts'
import { KeptSession, mustProve } from './kept-session.ts'
import type { RunningSession } from './tokens.ts'

const hourMs = 3_600_000

function settings(more: object = {}) {
  const oidc = { authority: 'https://issuer.example.org', clientId: 'console' }
  return parseSettings({ apiUrl: 'api', oidc, ...more }, 'http://console.test/tools/')
}

function sessionOf({ client }: KeptSession, more: Partial<RunningSession> = {}): RunningSession {
  const tokens = { access: 'secret', provenAtMs: Date.now(), claims: { sub: 'ana' } }
  return { id: crypto.randomUUID(), renewals: 0, client, tokens, ...more }
}

/** A tab that has just signed in, and what its next load would find. */
function signedIn() {
  const kept = new KeptSession(settings())
  const session = sessionOf(kept)
  kept.begin(session)
  return { kept, session, next: () => new KeptSession(settings()).read() }
}

/** As a browser does it for a tab that was closed and comes back. */
function storedInTab() {
  const entries = Object.keys(sessionStorage).map((key) => [key, sessionStorage.getItem(key) ?? ''] as const)
  return { restore: () => entries.forEach(([key, value]) => sessionStorage.setItem(key, value)) }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2026-03-01T09:00:00Z')
  sessionStorage.clear()
  localStorage.clear()
  return () => vi.useRealTimers()
})

describe('what a tab kept', () => {
  test('is there at its next load, and in no storage of all tabs', () => {
    const { session, next } = signedIn()
    expect(next()).toEqual(session)
    expect(JSON.stringify(localStorage)).not.toMatch(/secret|ana/)
  })

  test('is void once the session was ended, also where it comes back from a closed tab', () => {
    const { kept, session, next } = signedIn()
    const copy = storedInTab()
    kept.end(session.id)
    expect(sessionStorage).toHaveLength(0)
    copy.restore()
    expect(next()).toBeUndefined()
    expect(sessionStorage).toHaveLength(0)
  })

  test('is void once another session has followed, and does not end that', () => {
    const { kept, session, next } = signedIn()
    const copy = storedInTab()
    const following = sessionOf(kept)
    kept.begin(following)
    kept.end(session.id)
    copy.restore()
    expect(next()).toBeUndefined()
    kept.keep(following)
    expect(next()).toEqual(following)
  })

  test.each([
    ['15 minutes later', 15],
    ['by a clock that was turned back', -15],
  ])('asks for more proof where nobody gave a sign of life, %s', (_, minutes) => {
    const { next } = signedIn()
    vi.setSystemTime(Date.now() + minutes * 60_000)
    expect(next()).toBeUndefined()
    expect(mustProve.get()).toBe(true)
    expect(sessionStorage).toHaveLength(0)
  })

  test('lasts as long as its person gives signs of life, and no longer than 8 hours', () => {
    const { kept, session, next } = signedIn()
    for (let quarter = 1; quarter < 4 * 8; quarter++) {
      vi.setSystemTime(Date.now() + hourMs / 4 - 1)
      expect(next()).toBeDefined()
      kept.alive()
    }
    vi.setSystemTime(session.tokens.provenAtMs + 8 * hourMs)
    kept.alive()
    expect(next()).toBeUndefined()
  })

  test('is of no use to a console with another provider', () => {
    signedIn()
    const oidc = { authority: 'https://other.example.org', clientId: 'console' }
    expect(new KeptSession(settings({ oidc })).read()).toBeUndefined()
  })

  test('is nothing with session "memory"', () => {
    const kept = new KeptSession(settings({ session: 'memory' }))
    kept.begin(sessionOf(kept))
    expect(kept.read()).toBeUndefined()
    expect(sessionStorage).toHaveLength(0)
    expect(localStorage).toHaveLength(0)
  })

  test('is nothing where it is no session', () => {
    const { session, next } = signedIn()
    const key = sessionStorage.key(0) ?? ''
    for (const text of ['', '{', 'null', '{"id":1}', JSON.stringify({ ...session, tokens: {} })]) {
      sessionStorage.setItem(key, text)
      expect(next()).toBeUndefined()
    }
  })
})
