import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRemoteJWKSet, jwtVerify } from 'jose'

import { accountPassword } from '../identity/accounts.ts'
import { createIdentityProvider } from '../identity/provider.ts'

export const clientId = 'data-store-console'
const audience = 'urn:data-store'
const verifier = randomBytes(32).toString('base64url')

interface Tokens {
  access_token: string
  id_token: string
  refresh_token: string
  expires_in: number
}

interface Page {
  url: URL
  status: number
  text: string
  headers: Headers
}

/** A development sign-in on its own port, with the requests that the console sends to it. */
export class RunningSignIn {
  readonly origin: string
  readonly issuer: string
  /** Failures that the caller did not cause; in a test, each is a bug. */
  readonly failures: unknown[] = []
  readonly #server: http.Server

  private constructor(server: http.Server) {
    this.#server = server
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    this.issuer = `${this.origin}/oidc`
  }

  static async start(keyFile?: string): Promise<RunningSignIn> {
    const server = http.createServer()
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const running = new RunningSignIn(server)
    const { handle } = await createIdentityProvider({
      issuer: running.issuer,
      audience,
      clientId,
      roleClaim: 'role',
      consoleUrls: [`${running.origin}/`, 'http://console.example/'],
      onError: (error) => running.failures.push(error),
      ...(keyFile === undefined ? {} : { keyFile }),
    }).catch((error: unknown) => {
      server.close()
      throw error
    })
    server.on('request', handle)
    return running
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  authorizationUrl(changes: Record<string, string | undefined> = {}): URL {
    const url = new URL(`${this.issuer}/auth`)
    const parameters = {
      client_id: clientId,
      response_type: 'code',
      scope: 'openid profile email offline_access roles',
      redirect_uri: `${this.origin}/signed-in`,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      nonce: 'the-nonce',
      state: 'the-state',
      ...changes,
    }
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined) url.searchParams.set(name, value)
    }
    return url
  }

  signOutUrl(parameters: Record<string, string>): URL {
    const url = new URL(`${this.issuer}/session/end`)
    const query = new URLSearchParams({ post_logout_redirect_uri: `${this.origin}/`, ...parameters })
    url.search = query.toString()
    return url
  }

  async post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams(fields)
    const response = await fetch(`${this.issuer}${path}`, { method: 'POST', body, headers })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as Partial<Tokens> & { error?: string },
    }
  }

  exchange(code: string | null, changes: Record<string, string> = {}) {
    return this.post('/token', {
      grant_type: 'authorization_code',
      client_id: clientId,
      code: code ?? '',
      code_verifier: verifier,
      redirect_uri: `${this.origin}/signed-in`,
      ...changes,
    })
  }

  refresh(token: string | undefined) {
    return this.post('/token', {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: token ?? '',
    })
  }

  async signIn(browser: Browser, userName: string): Promise<Tokens & { url: URL }> {
    const page = await browser.open(this.authorizationUrl())
    const { url } = await browser.submit(page, { username: userName, password: accountPassword })
    const { status, body } = await this.exchange(url.searchParams.get('code'))
    if (status !== 200) throw new Error(`No tokens: ${JSON.stringify(body)}`)
    return { url, ...(body as Tokens) }
  }

  /**
   * Signs in as the console does when it starts, without showing a page. Returns a `code` if there is a session,
   * otherwise the error `login_required`.
   */
  async signInSilently(browser: Browser): Promise<URLSearchParams> {
    const { url } = await browser.open(this.authorizationUrl({ prompt: 'none' }))
    return url.searchParams
  }

  /** Verifies an access token as the service does. */
  verify(token: string | undefined, issuer = this.issuer) {
    const jwks = createRemoteJWKSet(new URL(`${this.issuer}/jwks`))
    return jwtVerify(token ?? '', jwks, { issuer, audience, typ: 'at+jwt', algorithms: ['ES256'] })
  }
}

/** A minimal browser: follows redirects and keeps cookies by path, but stops at the first address of the console. */
export class Browser {
  /** Attributes of every cookie that was ever set, one list per cookie. */
  readonly cookieAttributes: string[][] = []
  readonly #cookies = new Map<string, { path: string; pair: string }>()

  async open(url: URL, init: RequestInit = {}): Promise<Page> {
    const cookie = [...this.#cookies.values()]
      .filter(({ path }) => url.pathname.startsWith(path))
      .map(({ pair }) => pair)
      .join('; ')
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', cookie },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice(5) ?? '/'
      this.cookieAttributes.push(attributes)
      this.#cookies.set(`${path} ${pair.split('=')[0]}`, { path, pair })
    }
    const { status, headers } = response
    const location = headers.get('location')
    if (location === null) return { url, status, headers, text: await response.text() }
    const next = new URL(location, url)
    const isConsole = next.origin !== url.origin || !next.pathname.startsWith('/oidc')
    return isConsole ? { url: next, status, headers, text: '' } : this.open(next)
  }

  /** Submits the first form of the page with its hidden fields and the given ones. */
  async submit(page: Pick<Page, 'url' | 'text'>, fields: Record<string, string>): Promise<Page> {
    const form = /<form[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(page.text)
    if (!form) throw new Error(`No form on the page: ${page.text}`)
    const hidden = (form[2] ?? '').matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)
    const all = { ...Object.fromEntries([...hidden].map((match) => match.slice(1))), ...fields }
    return this.open(new URL(form[1] ?? '', page.url), { method: 'POST', body: new URLSearchParams(all) })
  }
}
