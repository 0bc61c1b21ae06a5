import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { parseSettings } from '../api/settings.ts'
import { KeptSession } from '../auth/kept-session.ts'
import { openTabs } from '../auth/tabs.ts'
import type { RunningSession } from '../auth/tokens.ts'
import { beginAtOnce, takeFirst } from './first-data.ts'

const sent = {
  apiUrl: 'https://service.test/api',
  oidc: { authority: 'https://issuer.test', clientId: 'console' },
}
const list = `${sent.apiUrl}/users`
const settings = parseSettings(sent, new URL('.', document.baseURI).href)
const kept = new KeptSession(settings)
const sessionOf = (id: string): RunningSession => ({
  id,
  renewals: 0,
  client: kept.client,
  tokens: { access: `of ${id}`, provenAtMs: Date.now(), claims: { sub: 'ana' } },
})
/** The addresses. */
let asked: string[]

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    asked.push(url)
    return Response.json({ askedWith: new Headers(init?.headers).get('Authorization') })
  })
  const block = document.createElement('script')
  block.type = 'application/json'
  block.id = 'ahead'
  block.textContent = JSON.stringify({ settings: sent, features: {} })
  document.head.append(block)
  history.replaceState(null, '', '/users')
})
afterEach(() => {
  vi.unstubAllGlobals()
  document.querySelector('#ahead')?.remove()
})

test('what was asked for at once is handed on once, and cannot be reached any more', async () => {
  const session = sessionOf('1')
  kept.begin(session)
  beginAtOnce()
  expect(asked).toEqual([list, `${sent.apiUrl}/segments`])
  const first = takeFirst()
  expect(await first?.session).toEqual(session)
  const answer = await first?.answers.fetch(list, { method: 'GET' })
  expect(await answer?.json()).toEqual({ askedWith: 'Bearer of 1' })
  expect(asked).toHaveLength(2)
  expect(globalThis.first).toBeUndefined()
  expect(takeFirst()).toBeUndefined()
})

test('a tab without a session has that of another one, unless it has ended', async () => {
  const session = sessionOf('1')
  const held = [{ name: 'data-store.session:/:1:0' }]
  vi.stubGlobal('navigator', { locks: { query: async () => ({ held }) } })
  const other = openTabs(settings.consoleUrl)
  other.listen(({ type }) => type === 'session-wanted' && other.send({ type: 'session', session }))
  kept.begin(session)
  sessionStorage.clear()
  beginAtOnce()
  expect(await takeFirst()?.session).toEqual(session)
  expect(asked).toEqual([list, `${sent.apiUrl}/segments`])
  kept.end('1')
  held.pop()
  beginAtOnce()
  expect(await takeFirst()?.session).toBeUndefined()
  expect(asked).toHaveLength(2)
})

test('a page that comes back from the sign-in has its session from there', () => {
  kept.begin(sessionOf('1'))
  history.replaceState(null, '', '/signed-in?code=1')
  beginAtOnce()
  expect(takeFirst()).toBeUndefined()
  expect(asked).toEqual([])
})
