import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, UnsecuredJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Browser, clientId, RunningSignIn } from '../testing/sign-in.ts'
import { accountPassword, accounts } from './accounts.ts'

let running: RunningSignIn
let browser: Browser

beforeEach(async () => {
  running = await RunningSignIn.start()
  browser = new Browser()
})
afterEach(async () => {
  vi.useRealTimers()
  await running.stop()
  if (running.failures.length > 0) throw new AggregateError(running.failures)
})

describe('signing in', () => {
  it.each(accounts)('gives $userName tokens that say who it is and in which role', async (account) => {
    const { url, access_token, id_token, refresh_token, expires_in } = await running.signIn(
      browser,
      account.userName,
    )

    expect(`${url.origin}${url.pathname}`).toBe(`${running.origin}/signed-in`)
    expect(url.searchParams.get('state')).toBe('the-state')
    const { payload } = await running.verify(access_token)
    expect(payload).toMatchObject({ sub: account.userName, role: account.role, client_id: clientId })
    expect(payload['scope']).toContain('openid profile')
    expect(Number(payload.exp) - Number(payload.iat)).toBe(300)
    expect(expires_in).toBe(300)
    expect(refresh_token).toBeTypeOf('string')
    expect(decodeJwt(id_token ?? '')).toMatchObject({
      iss: running.issuer,
      aud: clientId,
      nonce: 'the-nonce',
      name: account.name,
      role: account.role,
    })
  })

  it('is done by pressing a sample account', async () => {
    const page = await browser.open(running.authorizationUrl())
    const [, forms = ''] = page.text.split('<ul class="accounts">')
    const { url } = await browser.submit({ ...page, text: forms }, {})
    const { body } = await running.exchange(url.searchParams.get('code'))
    expect(decodeJwt(body.access_token ?? '').sub).toBe('support')
  })

  it('says when the password is wrong and keeps the user name that was typed', async () => {
    const page = await browser.open(running.authorizationUrl())
    const again = await browser.submit(page, { username: '"><b>steward', password: 'guess' })
    expect(again.text).toContain('User name or password is wrong')
    expect(again.text).toContain('value="&quot;&gt;&lt;b&gt;steward"')
    const { url } = await browser.submit(again, { username: 'steward', password: accountPassword })
    expect(url.searchParams.get('code')).not.toBeNull()
  })

  it('stops guessing after ten wrong passwords, for that user name only', async () => {
    const page = await browser.open(running.authorizationUrl())
    for (let guess = 0; guess < 10; guess++)
      await browser.submit(page, { username: 'admin', password: `${guess}` })
    const refused = await browser.submit(page, { username: 'admin', password: accountPassword })
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('Too many attempts')
    const { url } = await browser.submit(page, { username: 'support', password: accountPassword })
    expect(url.searchParams.get('code')).not.toBeNull()
  })

  it('answers an oversized form instead of reading it', async () => {
    const page = await browser.open(running.authorizationUrl())
    const answer = await browser.submit(page, { username: 'x'.repeat(5_000_000), password: 'x' })
    expect(answer.text).toContain('User name or password is wrong')
  })

  it('shows a page that leads back when the sign-in has been used already', async () => {
    const page = await browser.open(running.authorizationUrl())
    await browser.submit(page, { username: 'support', password: accountPassword })
    const late = await browser.submit(page, { username: 'support', password: accountPassword })
    expect(late.status).toBe(400)
    expect(late.text).toContain('This sign-in page has expired')
    expect(late.text).toContain(`href="${running.origin}/"`)
  })

  it('is not needed again while the session lasts, unless the console asks for it', async () => {
    expect((await running.signInSilently(browser)).get('error')).toBe('login_required')
    await running.signIn(browser, 'support')
    expect((await running.signInSilently(browser)).get('code')).not.toBeNull()
    const again = await browser.open(running.authorizationUrl({ prompt: 'login' }))
    expect(again.text).toContain('<h1>Sign in</h1>')
    expect(again.text).toMatch(/id="username"\s+name="username"\s+value="support"/)
    const hinted = await browser.open(running.authorizationUrl({ prompt: 'login', login_hint: 'admin' }))
    expect(hinted.text).toMatch(/id="username"\s+name="username"\s+value="admin"/)
  })

  it('replaces the session if somebody else signs in', async () => {
    const first = await running.signIn(browser, 'support')
    const page = await browser.open(running.authorizationUrl({ prompt: 'login' }))
    const handOver = await browser.submit(page, { username: 'steward', password: accountPassword })
    const { url } = await browser.submit(handOver, {})
    const { body } = await running.exchange(url.searchParams.get('code'))
    expect(decodeJwt(body.access_token ?? '')).toMatchObject({ sub: 'steward', role: 'steward' })
    expect((await running.refresh(first.refresh_token)).status).toBe(400)
  })

  it('asks for no consent, even when a client wants the page', async () => {
    const page = await browser.open(running.authorizationUrl({ prompt: 'consent' }))
    const { url } = await browser.submit(page, { username: 'support', password: accountPassword })
    expect(url.searchParams.get('code')).not.toBeNull()
  })

  it('comes back to the window over a page too', async () => {
    const redirect_uri = `${running.origin}/signed-in/popup`
    const page = await browser.open(running.authorizationUrl({ redirect_uri }))
    expect(page.status).toBe(200)
    const { url } = await browser.submit(page, { username: 'support', password: accountPassword })
    expect(`${url.origin}${url.pathname}`).toBe(redirect_uri)
    expect(url.searchParams.get('code')).not.toBeNull()
  })

  it('refuses an address that is not the console', async () => {
    const { url, status, text } = await browser.open(
      running.authorizationUrl({ redirect_uri: 'http://evil.example/signed-in' }),
    )
    expect(url.origin).toBe(running.origin)
    expect(status).toBe(400)
    expect(text).toContain('invalid_redirect_uri')
    expect(text).not.toMatch(/node_modules|\.js:\d+/)
  })

  it.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['plain PKCE', { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }, 'invalid_request'],
    ['the implicit flow', { response_type: 'id_token token' }, 'unsupported_response_type'],
    [
      'a request object',
      { request: new UnsecuredJWT({ client_id: clientId }).encode() },
      'request_not_supported',
    ],
    ['another API', { resource: 'urn:other' }, 'invalid_target'],
  ])('refuses %s', async (_what, changes, error) => {
    const { url } = await browser.open(running.authorizationUrl(changes))
    const answer = new URLSearchParams(url.search || url.hash.slice(1))
    expect(answer.get('error')).toBe(error)
  })

  it('refuses a code with the wrong verifier, and a code for the second time', async () => {
    await running.signIn(browser, 'support')
    const code = (await running.signInSilently(browser)).get('code')
    expect((await running.exchange(code, { code_verifier: 'x'.repeat(43) })).body.error).toBe('invalid_grant')
    const answers = await Promise.all([running.exchange(code), running.exchange(code)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })
})

describe('renewing', () => {
  it('takes a refresh token once; used again, the whole family ends', async () => {
    const first = await running.signIn(browser, 'steward')
    const second = await running.refresh(first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    await running.verify(second.body.access_token)

    expect((await running.refresh(first.refresh_token)).body.error).toBe('invalid_grant')
    expect((await running.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  it('gives one answer to two requests at the same time', async () => {
    const { refresh_token } = await running.signIn(browser, 'steward')
    const answers = await Promise.all([running.refresh(refresh_token), running.refresh(refresh_token)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  it('ends eight hours after the sign-in, however busy', async () => {
    const hoursMs = 60 * 60 * 1000
    const startMs = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: startMs })
    const first = await running.signIn(browser, 'support')
    vi.setSystemTime(startMs + 7.9 * hoursMs)
    const second = await running.refresh(first.refresh_token)
    expect(second.status).toBe(200)
    expect((await running.signInSilently(browser)).get('code')).not.toBeNull()
    vi.setSystemTime(startMs + 8.1 * hoursMs)
    expect((await running.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
    expect((await running.signInSilently(browser)).get('error')).toBe('login_required')
  })

  it('ends when the console gives the token back', async () => {
    const { refresh_token } = await running.signIn(browser, 'support')
    expect(
      (await running.post('/token/revocation', { client_id: clientId, token: refresh_token ?? '' })).status,
    ).toBe(200)
    expect((await running.refresh(refresh_token)).status).toBe(400)
  })
})

describe('signing out', () => {
  it('ends session and tokens and returns to the console, without a question', async () => {
    const { id_token, refresh_token } = await running.signIn(browser, 'support')
    const page = await browser.open(running.signOutUrl({ id_token_hint: id_token ?? '', state: 'bye' }))
    const script = /<script>(.*?)<\/script>/s.exec(page.text)?.[1] ?? ''
    expect(script).toContain('requestSubmit')
    expect(page.headers.get('content-security-policy')).toContain(sha256(script))

    const { url } = await browser.submit(page, { logout: 'yes' })
    expect(url.href).toBe(`${running.origin}/?state=bye`)
    expect((await running.signInSilently(browser)).get('error')).toBe('login_required')
    expect((await running.refresh(refresh_token)).status).toBe(400)
  })

  it('asks first when nothing shows that the console wants it', async () => {
    await running.signIn(browser, 'support')
    const page = await browser.open(running.signOutUrl({ client_id: clientId }))
    expect(page.text).toContain('Sign out of Data Store?')
    expect(page.text).not.toContain('<script')
    expect((await running.signInSilently(browser)).get('code')).not.toBeNull()
  })

  it('takes neither an unsigned hint nor an address that is not the console', async () => {
    const { id_token } = await running.signIn(browser, 'support')
    const forged = new UnsecuredJWT(decodeJwt(id_token ?? '')).encode()
    expect((await browser.open(running.signOutUrl({ id_token_hint: forged }))).status).toBe(400)
    const elsewhere = running.signOutUrl({
      client_id: clientId,
      post_logout_redirect_uri: 'http://evil.example/',
    })
    expect((await browser.open(elsewhere)).status).toBe(400)
  })
})

describe('towards browsers and strangers', () => {
  it('sets cookies that scripts cannot read and other sites cannot use', async () => {
    await running.signIn(browser, 'support')
    expect(browser.cookieAttributes.length).toBeGreaterThan(0)
    for (const attributes of browser.cookieAttributes) {
      expect(attributes).toEqual(expect.arrayContaining(['httponly', 'samesite=lax']))
      expect(attributes.find((attribute) => attribute.startsWith('path='))).toMatch(/^path=\/oidc\//)
    }
  })

  it('serves pages that load nothing but the face beside them, cannot be framed and are not stored', async () => {
    const { text, headers } = await browser.open(running.authorizationUrl())
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src; /)
    expect(policy).toContain(sha256(/<style>(.*?)<\/style>/s.exec(text)?.[1] ?? ''))
    expect(policy).toContain(`form-action 'self' ${running.origin} http://console.example;`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(text).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/)
    const [, face = ''] = /src: url\('\.\.\/([^']+)'\)/.exec(text) ?? []
    const font = await fetch(`${running.issuer}/${face}`)
    expect(font.headers.get('content-type')).toBe('font/woff2')
    expect(font.headers.get('cache-control')).toBe('public, max-age=86400')
  })

  it('lets the console read its answers, and no other origin', async () => {
    const { access_token } = await running.signIn(browser, 'support')
    const userInfo = async (origin: string) =>
      fetch(`${running.issuer}/me`, { headers: { authorization: `Bearer ${access_token}`, origin } })
    const allowed = (response: { headers: Headers }) => response.headers.get('access-control-allow-origin')
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'unknown' }
    expect(allowed(await running.post('/token', fields, { origin: running.origin }))).toBe(running.origin)
    expect(allowed(await running.post('/token', fields, { origin: 'http://evil.example' }))).toBeNull()
    expect(allowed(await userInfo('http://console.example'))).toBe('http://console.example')
    expect(allowed(await userInfo('http://evil.example'))).toBeNull()
  })

  it('tells about the account to a client that has its access token', async () => {
    const { access_token, id_token } = await running.signIn(browser, 'steward')
    const ask = (token: string | undefined) =>
      fetch(`${running.issuer}/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(await (await ask(access_token)).json()).toEqual({
      sub: 'steward',
      name: 'Data steward',
      preferred_username: 'steward',
      role: 'steward',
      email: 'steward@example.org',
    })
    const unsigned = new UnsecuredJWT(decodeJwt(access_token ?? '')).encode()
    for (const token of [id_token, unsigned, 'nonsense']) expect((await ask(token)).status).toBe(401)
  })

  it('registers no clients, and answers to its own names only', async () => {
    expect((await fetch(`${running.issuer}/reg`, { method: 'POST' })).status).toBe(404)
    const request = http.get(`${running.issuer}/jwks`, { headers: { host: 'rebound.example' } })
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    expect(response.resume().statusCode).toBe(421)
  })

  it('writes nothing to the console', async () => {
    const methods = (['log', 'info', 'warn', 'error'] as const).map((method) => vi.spyOn(console, method))
    const other = await RunningSignIn.start()
    const { id_token } = await running.signIn(browser, 'support')
    await browser.open(running.signOutUrl({ id_token_hint: id_token ?? '' }))
    await browser.open(running.authorizationUrl({ redirect_uri: 'http://evil.example/' }))
    await other.stop()
    for (const method of methods) expect(method).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })
})

describe('keys', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'identity-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('outlive a restart in a file that only its owner reads', async () => {
    const keyFile = join(folder, 'data', 'identity-keys.json')
    await running.stop()
    running = await RunningSignIn.start(keyFile)
    const { access_token } = await running.signIn(browser, 'support')
    const before = running.issuer
    await running.stop()
    running = await RunningSignIn.start(keyFile)
    await running.verify(access_token, before)
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    const jwks = await (await fetch(`${running.issuer}/jwks`)).text()
    expect(jwks).not.toContain(JSON.parse(await readFile(keyFile, 'utf8')).signing.d)
  })

  it('that are damaged are named, not quoted', async () => {
    const keyFile = join(folder, 'keys.json')
    await writeFile(keyFile, '{"signing":{"d":"secret"}}')
    const failure = await RunningSignIn.start(keyFile).catch((error: Error) => error.message)
    expect(failure).toContain(keyFile)
    expect(failure).not.toContain('secret')
  })
})

function sha256(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
