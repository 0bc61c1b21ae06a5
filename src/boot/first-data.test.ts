import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { parseSettings } from '../api/settings.ts'
import { KeptSession } from '../auth/kept-session.ts'
import type { RunningSession } from '../auth/tokens.ts'
import { askAtOnce, firstAnswers } from './first-data.ts'

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
  askAtOnce()
  const answers = firstAnswers(session, settings, {})
  expect(asked).toEqual([list, `${sent.apiUrl}/segments`])
  const answer = await answers.fetch(list, { method: 'GET' })
  expect(await answer.json()).toEqual({ askedWith: 'Bearer of 1' })
  expect(asked).toHaveLength(2)
  expect(globalThis.askedFirst).toBeUndefined()
  firstAnswers(session, settings, {})
  expect(asked).toHaveLength(4)
})

test('what was asked for with a session that has ended goes to nobody', async () => {
  for (const [arrival, askedWith] of [
    [sessionOf('2'), 'Bearer of 2'],
    ['signed-out', 'own'],
    ['window-wanted', 'own'],
  ] as const) {
    kept.begin(sessionOf('1'))
    askAtOnce()
    const answers = firstAnswers(arrival, settings, {})
    expect(globalThis.askedFirst).toBeUndefined()
    const answer = await answers.fetch(list, { method: 'GET', headers: { Authorization: 'own' } })
    expect(await answer.json()).toEqual({ askedWith })
  }
})
