import { beforeEach, expect, test, vi } from 'vitest'

import { idleMs } from './activity.ts'
import { hasSession, SessionStore, mustProve } from './session-store.ts'
import { maxSessionMs, type RunningSession } from './tokens.ts'

const settings = {
  consoleUrl: 'https://a.test/sub/',
  session: 'tab',
  oidc: {
    authority: 'a',
    clientId: 'b',
    scope: 'openid',
    audience: undefined,
    roleClaim: 'role',
    roleMap: undefined,
  },
} as const
const provenAtMs = Date.now()
const store = new SessionStore(settings)
const sessionOf = (id: string): RunningSession => ({
  id,
  renewals: 0,
  client: store.client,
  tokens: { access: `of ${id}`, provenAtMs, claims: { sub: 'ana' } },
})

const contents = (storage: Storage) =>
  Object.fromEntries(Object.keys(storage).map((key) => [key, storage.getItem(key) ?? '']))

beforeEach(() => {
  vi.useRealTimers()
  sessionStorage.clear()
  localStorage.clear()
})

test('the tokens lie in the storage of the tab alone', () => {
  store.begin(sessionOf('1'))
  expect(store.read()).toEqual(sessionOf('1'))
  expect(JSON.stringify(contents(sessionStorage))).toContain('of 1')
  expect(JSON.stringify(contents(localStorage))).not.toMatch(/of 1|ana/)
  store.end('1')
  expect([contents(sessionStorage), contents(localStorage)]).toEqual([{}, {}])
})

test('a session in memory mode is not kept', () => {
  const inMemory = new SessionStore({ ...settings, session: 'memory' })
  inMemory.begin(sessionOf('1'))
  inMemory.keep(sessionOf('1'))
  inMemory.alive()
  const then = vi.fn<() => void>()
  inMemory.onceValid(sessionOf('1'), then)
  expect(then).not.toHaveBeenCalled()
  expect(inMemory.read()).toBeUndefined()
  expect([contents(sessionStorage), contents(localStorage)]).toEqual([{}, {}])
})

test('a copy is void after another session, and after 15 minutes without a sign of life, either way of the clock', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  for (const make of [
    () => store.begin(sessionOf('2')),
    () => vi.setSystemTime(Date.now() + idleMs),
    () => vi.setSystemTime(Date.now() - idleMs),
  ]) {
    store.begin(sessionOf('1'))
    const copy = contents(sessionStorage)
    make()
    for (const [key, value] of Object.entries(copy)) sessionStorage.setItem(key, value)
    expect(store.read()).toBeUndefined()
    expect(contents(sessionStorage)).toEqual({})
  }
})

test('a session that was left alone has ended for all tabs, and its person has to prove who it is', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  store.begin(sessionOf('1'))
  vi.setSystemTime(Date.now() + idleMs)
  expect(mustProve.get()).toBe(false)
  expect(store.isValid(sessionOf('1'))).toBe(false)
  expect(hasSession(settings.consoleUrl)).toBe(false)
  expect(mustProve.get()).toBe(true)
})

test('a storage that is full loses what it had, which has been followed by another set of tokens', () => {
  store.begin(sessionOf('1'))
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The storage is full.', 'QuotaExceededError')
  })
  store.keep({ ...sessionOf('1'), renewals: 1 })
  full.mockRestore()
  expect(store.read()).toBeUndefined()
})

test('a session that another tab has begun counts as soon as this tab sees what that one wrote for all', () => {
  store.begin(sessionOf('1'))
  const written = contents(localStorage)
  store.end('1')
  const then = vi.fn<() => void>()
  store.onceValid(sessionOf('1'), then)
  for (const [key, value] of Object.entries(written)) {
    expect(then).not.toHaveBeenCalled()
    localStorage.setItem(key, value)
    dispatchEvent(new StorageEvent('storage', { key }))
  }
  expect(then).toHaveBeenCalledOnce()
  // A tab that saw only part of the storage has not ended the session either.
  expect(store.isValid(sessionOf('1'))).toBe(true)
  dispatchEvent(new StorageEvent('storage'))
  expect(then).toHaveBeenCalledOnce()
})

test('the word of a session that never becomes valid is forgotten', async () => {
  vi.useFakeTimers()
  const then = vi.fn<() => void>()
  store.onceValid(sessionOf('1'), then)
  await vi.runAllTimersAsync()
  store.begin(sessionOf('1'))
  dispatchEvent(new StorageEvent('storage'))
  expect(then).not.toHaveBeenCalled()
})

test('a session lasts as long as its person gives signs of life, and no longer than 8 hours', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(provenAtMs)
  store.begin(sessionOf('1'))
  for (let pause = 1; pause < maxSessionMs / idleMs; pause++) {
    vi.setSystemTime(Date.now() + idleMs - 1)
    expect(store.read()).toBeDefined()
    store.alive()
  }
  vi.setSystemTime(provenAtMs + maxSessionMs)
  store.alive()
  expect(store.read()).toBeUndefined()
})

test('a session that was ended does not end the one that followed', () => {
  store.begin(sessionOf('1'))
  store.begin(sessionOf('2'))
  store.end('1')
  store.keep(sessionOf('2'))
  expect(store.read()).toEqual(sessionOf('2'))
})

test('a console with another provider, and one at another path, has no use for it', () => {
  store.begin(sessionOf('1'))
  expect(new SessionStore({ ...settings, consoleUrl: 'https://a.test/' }).read()).toBeUndefined()
  expect(store.read()).toBeDefined()
  const oidc = { ...settings.oidc, authority: 'other' }
  expect(new SessionStore({ ...settings, oidc }).read()).toBeUndefined()
})

test('a tab without a copy of the session knows that there is one, until it ends', () => {
  expect(hasSession(settings.consoleUrl)).toBe(false)
  store.begin(sessionOf('1'))
  sessionStorage.clear()
  expect(hasSession(settings.consoleUrl)).toBe(true)
  expect(hasSession('https://a.test/')).toBe(false)
  store.end('1')
  expect(hasSession(settings.consoleUrl)).toBe(false)
})

test('a malformed stored session is ignored', () => {
  store.begin(sessionOf('1'))
  const key = Object.keys(sessionStorage)[0] ?? ''
  for (const text of ['', '{', 'null', '{"id":"1"}', JSON.stringify({ ...sessionOf('1'), tokens: {} })]) {
    sessionStorage.setItem(key, text)
    expect(store.read()).toBeUndefined()
  }
})
