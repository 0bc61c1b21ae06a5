import { locks } from 'node:worker_threads'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'

import { parseSettings } from '../api/settings.ts'
import { OidcSession } from './oidc-session.ts'
import { openSessionChannel } from './session-channel.ts'
import { beginSession, openSignIn } from './sign-in.ts'
import { timesOf } from './tokens.ts'

const issuer = 'https://issuer.test'
const claims = { sub: 'ana', name: 'Ana', role: 'steward' }
const settingsOf = (session: 'tab' | 'memory') =>
  parseSettings(
    { apiUrl: 'https://service.test/api', oidc: { authority: issuer, clientId: 'console' }, session },
    'http://console.test/',
  )
/** Lets the machine sleep: the clock advances, timers do not. */
const sleep = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)

/** Refresh tokens that were sent to the provider. */
let sent: string[]
const sessions: OidcSession[] = []

beforeAll(() => {
  // jsdom has no Web Locks.
  Object.defineProperty(navigator, 'locks', { value: locks, configurable: true })
  return () => Reflect.deleteProperty(navigator, 'locks')
})
beforeEach(() => {
  sent = []
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    sent.push(new URLSearchParams(body as string).get('refresh_token') ?? '')
    return Response.json({ access_token: `new ${sent.length}`, token_type: 'Bearer', expires_in: 300 })
  })
})
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.signOut()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  localStorage.clear()
  sessionStorage.clear()
})

/** Signs in, in a tab of its own. */
function signedIn(kept: 'tab' | 'memory' = 'tab', lastsS = 300): OidcSession {
  const settings = settingsOf(kept)
  const signIn = openSignIn(settings, openSessionChannel(settings), {
    issuer,
    token_endpoint: `${issuer}/token`,
  })
  const tokens = { access: 'first', refresh: 'r', ...timesOf(lastsS * 1000), provenAtMs: Date.now(), claims }
  const session = new OidcSession(signIn, beginSession(signIn, tokens), () => {})
  sessions.push(session)
  return session
}

const press = () => window.dispatchEvent(new KeyboardEvent('keydown'))

/** Resolves with a token if it comes before long. */
const soon = (token: Promise<string>) =>
  Promise.race([token, new Promise<string>((resolve) => setTimeout(resolve, 50, 'none'))])
const tokenOf = (session: OidcSession) => soon(session.token())

for (const kept of ['tab', 'memory'] as const)
  test.each([16, 31, 120, 540])(
    `a session kept in ${kept} that slept for %d minutes gives no token, whatever is done first, and renews none`,
    async (minutes) => {
      for (const act of [press, () => {}, (session: OidcSession) => session.stay()]) {
        const session = signedIn(kept)
        sleep(minutes)
        act(session)
        expect(await tokenOf(session)).toBe('none')
        expect(session.state()).toEqual({ status: 'locked', reason: minutes < 480 ? 'idle' : 'expired' })
      }
      expect(sent).toEqual([])
    },
  )

test('neither does one whose service has just refused its token', async () => {
  const session = signedIn()
  sleep(31)
  press()
  expect(await soon(session.tokenAfter('first'))).toBe('none')
  expect(sent).toEqual([])
})

test('a session continues after ten minutes asleep, with renewed tokens', async () => {
  const session = signedIn()
  sleep(10)
  press()
  expect(await tokenOf(session)).toBe('new 1')
  expect(session.state()).toEqual({ status: 'active' })
  expect(sent).toEqual(['r'])
})

test.each([30, 86_400])(
  'tokens that last %i seconds are neither renewed nor used after a sleep',
  async (lastsS) => {
    for (const act of [press, () => {}]) {
      const session = signedIn('tab', lastsS)
      sleep(16)
      act()
      expect(await tokenOf(session)).toBe('none')
    }
    expect(sent).toEqual([])
  },
)

test('a sleep while the renewal is under way locks, and its tokens are not used', async () => {
  const session = signedIn()
  let answer = () => {}
  vi.stubGlobal('fetch', async () => {
    sent.push('r')
    await new Promise<void>((resolve) => (answer = resolve))
    return Response.json({ access_token: 'new', token_type: 'Bearer', expires_in: 300 })
  })
  sleep(5)
  press()
  const token = session.token()
  await vi.waitUntil(() => sent.length === 1)
  sleep(31)
  answer()
  expect(await soon(token)).toBe('none')
  expect(session.state()).toMatchObject({ status: 'locked' })
  expect(Object.values(sessionStorage).join(' ')).not.toContain('new')
})

test('the longest session ends while its person works', async () => {
  const session = signedIn()
  for (let minutes = 0; minutes < 480; minutes += 10) {
    expect(session.state()).toEqual({ status: 'active' })
    sleep(10)
    press()
  }
  expect(session.state()).toEqual({ status: 'locked', reason: 'expired' })
  expect(await tokenOf(session)).toBe('none')
})
