import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { features } from '#contract/feature.ts'
import { parseSettings } from '../api/settings.ts'
import { SessionStore } from '../auth/session-store.ts'
import { openTabs } from '../auth/tabs.ts'
import type { RunningSession } from '../auth/tokens.ts'
import { begin } from './begin.ts'

const consoleUrl = new URL('.', document.baseURI).href
const sent = {
  apiUrl: 'https://service.test/api',
  oidc: { authority: 'https://issuer.test', clientId: 'console' },
}
const list = `${sent.apiUrl}/users`
const settings = parseSettings(sent, consoleUrl)
const kept = new SessionStore(settings)
const sessionOf = (id: string): RunningSession => ({
  id,
  renewals: 0,
  client: kept.client,
  tokens: { access: `of ${id}`, provenAtMs: Date.now(), claims: { sub: 'ana' } },
})
/** URLs fetched so far. */
let asked: string[]

beforeEach(() => {
  asked = []
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('fetch', async (url: string | URL, init?: RequestInit) => {
    asked.push(String(url))
    if (String(url).endsWith('config.json')) return Response.json(sent)
    if (String(url).endsWith('/capabilities')) return Response.json({ features })
    return Response.json({ askedWith: new Headers(init?.headers).get('Authorization') })
  })
  const block = document.createElement('script')
  block.type = 'application/json'
  block.id = 'prefetched'
  block.textContent = JSON.stringify({ settings: sent, features: {} })
  document.head.append(block)
  history.replaceState(null, '', '/users')
})
afterEach(() => {
  vi.unstubAllGlobals()
  document.querySelector('#prefetched')?.remove()
  sessionStorage.clear()
  localStorage.clear()
})

test('the first requests are sent as soon as the session is found, and their answers serve once', async () => {
  const session = sessionOf('1')
  kept.begin(session)
  const { arrival, answers } = await begin(consoleUrl)
  expect(arrival).toEqual(session)
  expect(asked).toEqual([list, `${sent.apiUrl}/segments`])
  const answer = await answers.fetch(list, { method: 'GET' })
  expect(await answer.json()).toEqual({ askedWith: 'Bearer of 1' })
  expect(asked).toHaveLength(2)
})

test('a tab without a session has that of another one', async () => {
  const session = sessionOf('1')
  const held = [{ name: 'data-store.session:/:1:0' }]
  vi.stubGlobal('navigator', { locks: { query: async () => ({ held }) } })
  const other = openTabs(consoleUrl)
  other.listen(({ type }) => type === 'session-wanted' && other.send({ type: 'session', session }))
  kept.begin(session)
  sessionStorage.clear()
  expect((await begin(consoleUrl)).arrival).toEqual(session)
  expect(asked).toEqual([list, `${sent.apiUrl}/segments`])
})

test("the console's own address becomes that of the first area, whose page is asked for", async () => {
  history.replaceState(null, '', '/')
  kept.begin(sessionOf('1'))
  await begin(consoleUrl)
  expect(location.pathname).toBe('/users')
  expect(asked).toEqual([list, `${sent.apiUrl}/segments`])
})

test('a page that brings neither settings nor features asks for both', async () => {
  document.querySelector('#prefetched')?.remove()
  kept.begin(sessionOf('1'))
  history.replaceState(null, '', '/webhooks')
  const { features: found, settings: read } = await begin(consoleUrl)
  expect(read).toEqual(settings)
  expect(found).toEqual(features)
  expect(asked).toEqual([
    `${consoleUrl}config.json`,
    `${sent.apiUrl}/capabilities`,
    `${sent.apiUrl}/subscriptions`,
  ])
})
