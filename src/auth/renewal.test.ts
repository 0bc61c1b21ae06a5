import { locks } from 'node:worker_threads'

import { beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { parseSettings } from '../api/settings.ts'
import { renewInTurn } from './renewal.ts'
import { openSharedSession } from './shared-session.ts'
import { openSignIn } from './sign-in.ts'
import { RenewalRefused, type RunningSession } from './tokens.ts'

const issuer = 'https://issuer.test'
const settings = parseSettings(
  { apiUrl: 'https://service.test/api', oidc: { authority: issuer, clientId: 'console' } },
  'http://console.test/',
)
/** One of the tabs of a browser; all of them have the storages of this page. */
const tab = () =>
  openSignIn(settings, openSharedSession(settings), { issuer, token_endpoint: `${issuer}/token` })
const before: RunningSession = {
  id: '1',
  renewals: 0,
  client: tab().kept.client,
  tokens: { access: 'old', refresh: 'used up', provenAtMs: Date.now(), claims: { sub: 'ana' } },
}

/** How often the provider was asked, and what it says. */
let asked: number
let answer: () => Response

beforeAll(() => {
  // What jsdom lacks.
  Object.defineProperty(navigator, 'locks', { value: locks })
})
beforeEach(() => {
  asked = 0
  vi.stubGlobal('fetch', async () => {
    asked += 1
    return answer()
  })
  tab().kept.begin(before)
  return () => vi.unstubAllGlobals()
})

async function renewIn(signIn: ReturnType<typeof tab>): Promise<unknown> {
  let running: RunningSession | undefined = before
  const holder = {
    running: () => running,
    accept: async (next: RunningSession) => {
      running = next
    },
  }
  return renewInTurn(signIn, before, holder).then(
    () => running,
    (error: unknown) => error,
  )
}

test('a refresh token that was refused is tried by no other tab', async () => {
  answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
  const tabs = [tab(), tab(), tab()]
  const ends = await Promise.all(tabs.map(renewIn))
  expect(ends.map((end) => end instanceof RenewalRefused)).toEqual([true, true, true])
  expect(asked).toBe(1)
  expect(tab().kept.read()).toBeUndefined()
})

test('where the provider cannot be reached the session goes on, and the next tab asks again', async () => {
  answer = () => {
    throw new TypeError('Failed to fetch')
  }
  const ends = await Promise.all([tab(), tab()].map(renewIn))
  expect(ends.map(String)).toEqual(['TypeError: Failed to fetch', 'TypeError: Failed to fetch'])
  expect(asked).toBe(2)
  expect(tab().kept.read()).toEqual(before)
})

test('a session that was ended while its tab waited for its turn is not renewed', async () => {
  answer = () => Response.json({ access_token: 'new', token_type: 'Bearer' })
  expect(await renewIn(tab())).toMatchObject({ renewals: 1, tokens: { access: 'new', refresh: 'used up' } })
  tab().kept.end(before.id)
  expect(await renewIn(tab())).toBeInstanceOf(RenewalRefused)
  expect(asked).toBe(1)
})
