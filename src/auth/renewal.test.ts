import { locks } from 'node:worker_threads'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { parseSettings } from '../api/settings.ts'
import { renewInTurn } from './oidc-session.ts'
import { openSessionChannel } from './session-channel.ts'
import { openSignIn } from './sign-in.ts'
import { RenewalRefused, type RunningSession } from './tokens.ts'

const issuer = 'https://issuer.test'
const settings = parseSettings(
  { apiUrl: 'https://service.test/api', oidc: { authority: issuer, clientId: 'console' } },
  'http://console.test/',
)
/** Creates a tab of the browser; all tabs share the storages of this page. */
const tab = () =>
  openSignIn(settings, openSessionChannel(settings), { issuer, token_endpoint: `${issuer}/token` })
const before: RunningSession = {
  id: '1',
  renewals: 0,
  client: tab().store.client,
  tokens: { access: 'old', refresh: 'used up', provenAtMs: Date.now(), claims: { sub: 'ana' } },
}

/** Number of requests to the provider. */
let asked: number
let answer: () => Response

beforeAll(() => {
  // jsdom has no Web Locks.
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  return () => Reflect.deleteProperty(navigator, 'locks')
})
beforeEach(() => {
  asked = 0
  vi.stubGlobal('fetch', async () => {
    asked += 1
    return answer()
  })
  tab().store.begin(before)
  return async () => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    dispatchEvent(new Event('pagehide'))
    await vi.waitUntil(async () => !(await tab().lock.isRefused(before)))
  }
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
  expect(tab().store.read()).toBeUndefined()
})

test('nor by one that has not yet heard of it from the storage', async () => {
  answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 })
  await renewIn(tab())
  tab().store.begin(before)
  expect(await renewIn(tab())).toBeInstanceOf(RenewalRefused)
  expect(asked).toBe(1)
})

const html = (status: number) =>
  new Response('<title>Error</title>', { status, headers: { 'content-type': 'text/html' } })
const idToken = (claims: object) => `e30.${btoa(JSON.stringify(claims))}.`
const claims = { iss: issuer, sub: 'ana', aud: 'console', name: 'Ana' }
const answerRenewal = (more: object) => Response.json({ access_token: 'new', token_type: 'Bearer', ...more })

test.each<[string, () => Response]>([
  ['400 without a body', () => new Response(null, { status: 400 })],
  ['401 without a body', () => new Response(null, { status: 401 })],
  ['400 with HTML', () => html(400)],
  ['403 with JSON that is no error of OAuth', () => Response.json({ message: 'no' }, { status: 403 })],
  ['200 with HTML', () => html(200)],
  ['200 without a token', () => Response.json({})],
  ['an ID token of somebody else', () => answerRenewal({ id_token: idToken({ ...claims, sub: 'ben' }) })],
  [
    'an ID token of another issuer',
    () => answerRenewal({ id_token: idToken({ ...claims, iss: 'https://x.test' }) }),
  ],
  [
    'an ID token for another client',
    () => answerRenewal({ id_token: idToken({ ...claims, aud: ['other'] }) }),
  ],
  ['an ID token that is none', () => answerRenewal({ id_token: 'x' })],
])('an answer that no repetition mends ends the session: %s', async (_what, refusal) => {
  answer = refusal
  expect(await renewIn(tab())).toBeInstanceOf(RenewalRefused)
  expect(tab().store.read()).toBeUndefined()
})

test.each<[string, () => Response]>([
  [
    'no network',
    () => {
      throw new TypeError('Failed to fetch')
    },
  ],
  [
    'a time-out',
    () => {
      throw new DOMException('The operation timed out.', 'TimeoutError')
    },
  ],
  ['429', () => Response.json({ error: 'too_many_requests' }, { status: 429 })],
  ['500 with an error of OAuth', () => Response.json({ error: 'server_error' }, { status: 500 })],
  ['502 with HTML', () => html(502)],
  ['503 without a body', () => new Response(null, { status: 503 })],
])('a temporary failure leaves the session, and the next tab asks again: %s', async (_what, trouble) => {
  answer = trouble
  for (const end of await Promise.all([tab(), tab()].map(renewIn))) {
    expect(end).toHaveProperty('message')
    expect(end).not.toBeInstanceOf(RenewalRefused)
  }
  expect(asked).toBe(2)
  expect(tab().store.read()).toEqual(before)
})

test('a renewal brings what the provider sends, and keeps what it does not', async () => {
  answer = () => answerRenewal({ expires_in: 300, id_token: idToken({ ...claims, auth_time: 1 }) })
  const told = {
    access: 'new',
    refresh: 'used up',
    claims: { name: 'Ana' },
    provenAtMs: before.tokens.provenAtMs,
  }
  expect(await renewIn(tab())).toMatchObject({ tokens: told })
  answer = () => answerRenewal({ refresh_token: 'next', scope: 'openid' })
  expect(await renewIn(tab())).toMatchObject({
    tokens: { refresh: 'next', scope: 'openid', claims: before.tokens.claims, expiresAtMs: undefined },
  })
})

test.each([
  [300, 270],
  [20, 10],
])('tokens that last %i s are renewed after %i s, not for every request', async (lastsS, renewedAfterS) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  answer = () => answerRenewal({ expires_in: lastsS })
  const renewsAtMs = Date.now() + renewedAfterS * 1000
  expect(await renewIn(tab())).toMatchObject({ tokens: { renewsAtMs } })
})

test('a session that was ended while its tab waited for its turn is not renewed', async () => {
  answer = () => Response.json({ access_token: 'new', token_type: 'Bearer' })
  expect(await renewIn(tab())).toMatchObject({ renewals: 1, tokens: { access: 'new', refresh: 'used up' } })
  tab().store.end(before.id)
  expect(await renewIn(tab())).toBeInstanceOf(RenewalRefused)
  expect(asked).toBe(1)
})

test('messages of other tabs that came while the page loaded are handed over once and not kept', async () => {
  const [loading, other] = [tab(), tab()]
  other.tabs.send({ type: 'session', session: before })
  const arrived = new Promise<void>((resolve) => {
    loading.tabs.listen(() => resolve())
  })
  await arrived
  expect(loading.takeEarlyMessages()).toEqual([{ type: 'session', session: before }])
  expect(loading.takeEarlyMessages()).toEqual([])
})
