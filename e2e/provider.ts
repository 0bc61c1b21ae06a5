// A small OpenID provider that imitates how real ones deviate from the standards.
import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

export interface Habits {
  /** Time of authentication in the ID token; defaults to `right`. */
  readonly authTime?: 'right' | 'zero' | 'old'
  /** `typ` in the header of access tokens; defaults to `at+jwt`. */
  readonly tokenType?: 'JWT' | 'none'
  /** Audience of access tokens; defaults to the service's. */
  readonly audience?: string
  /** Claims in every token, such as the role. */
  readonly claims?: Readonly<Record<string, unknown>>
  /** Claims that the userinfo endpoint returns in addition to the subject. */
  readonly userInfo?: Readonly<Record<string, unknown>>
  readonly hasNoRefreshTokens?: boolean
  /** Scopes that may be requested; any other is answered with `invalid_scope`. */
  readonly scopes?: readonly string[]
  /** How the provider refuses a renewal or fails a sign-in. */
  readonly refusal?: 'json' | 'empty' | 'empty 401' | 'html' | 'down'
  /** Whether the provider answers in the name of another issuer (mix-up, RFC 9207). */
  readonly isMixedUp?: boolean
}

/**
 * @param options Settings for the discovery document. They are fixed, because a service caches the document for
 * minutes.
 */
export async function startProvider(options: { endSession?: boolean; elsewhere?: boolean } = {}) {
  const provider = new Provider(options.endSession ?? true)
  const own = await listen(provider.answer)
  // With `elsewhere`, the endpoints for tokens, userinfo and signing out are at a second origin.
  const other = options.elsewhere === true ? await listen(provider.answer) : own
  await provider.begin(own.origin, other.origin)
  return Object.assign(provider, {
    async close() {
      await own.close()
      if (other !== own) await other.close()
    },
  })
}

class Provider {
  issuer = ''
  habits: Habits = { claims: { role: 'steward' } }
  /** Whether the provider issues tokens; while false, it refuses every request for one. */
  gives = true
  /** Number of renewals, and of endings of the provider's session. */
  renewals = 0
  endings = 0
  /** Parameters of the last authorization request. */
  asked = new URLSearchParams()
  readonly #endSession: boolean
  #endpoints = ''
  #key:
    | { readonly sign: (jwt: SignJWT, typ: string | undefined) => Promise<string>; readonly jwk: JWK }
    | undefined
  /** Authorization requests by the code that was issued for each. */
  readonly #codes = new Map<string, URLSearchParams>()

  constructor(endSession: boolean) {
    this.#endSession = endSession
  }

  async begin(issuer: string, endpoints: string) {
    this.issuer = issuer
    this.#endpoints = endpoints
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    this.#key = {
      jwk: { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' },
      sign: (jwt, typ) =>
        jwt
          .setProtectedHeader({ alg: 'ES256', kid: 'one', ...(typ !== undefined && { typ }) })
          .sign(privateKey),
    }
  }

  readonly answer: RequestListener = (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'authorization')
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end()
      return
    }
    void this.#answer(request, response)
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const { pathname, searchParams: query } = new URL(request.url ?? '', this.issuer)
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (pathname === '/.well-known/openid-configuration') json(this.#discovery())
    else if (pathname === '/keys') json({ keys: [this.#key?.jwk] })
    else if (pathname === '/auth') {
      const form = request.method === 'POST' ? new URLSearchParams(await bodyOf(request)) : undefined
      this.#authorize(query, form, response)
    } else if (pathname === '/token')
      await this.#token(new URLSearchParams(await bodyOf(request)), response, json)
    else if (pathname === '/userinfo') json({ sub: 'ana', name: 'Ana', ...this.habits.userInfo })
    else if (pathname === '/end') {
      this.endings += 1
      response.writeHead(302, { location: query.get('post_logout_redirect_uri') ?? '/' }).end()
    } else response.writeHead(404).end()
  }

  #discovery() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/auth`,
      jwks_uri: `${this.issuer}/keys`,
      token_endpoint: `${this.#endpoints}/token`,
      userinfo_endpoint: `${this.#endpoints}/userinfo`,
      ...(this.#endSession && { end_session_endpoint: `${this.#endpoints}/end` }),
    }
  }

  #authorize(query: URLSearchParams, form: URLSearchParams | undefined, response: ServerResponse) {
    const unknown = (query.get('scope') ?? '')
      .split(' ')
      .find((scope) => this.habits.scopes?.includes(scope) === false)
    const back = (answer: Record<string, string>) => {
      const to = new URL(query.get('redirect_uri') ?? '')
      const iss = this.habits.isMixedUp === true ? 'https://other.example.org' : this.issuer
      to.search = String(new URLSearchParams({ ...answer, state: query.get('state') ?? '', iss }))
      response.writeHead(302, { location: to.href }).end()
    }
    this.asked = query
    if (unknown !== undefined)
      back({ error: 'invalid_scope', error_description: `The scope ${unknown} is not known.` })
    else if (form?.has('deny') === true) back({ error: 'access_denied' })
    else if (form) {
      const code = randomUUID()
      this.#codes.set(code, query)
      back({ code })
    } else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          '<!doctype html><title>Provider</title><form method="post"><button>I am Ana</button><button name="deny">Leave</button></form>',
        )
  }

  async #token(
    form: URLSearchParams,
    response: ServerResponse,
    json: (body: unknown, status?: number) => unknown,
  ) {
    const asked = this.#codes.get(form.get('code') ?? '')
    this.#codes.delete(form.get('code') ?? '')
    const isRenewal = form.get('grant_type') === 'refresh_token'
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight = isRenewal || asked?.get('code_challenge') === proof
    if (!this.gives || !isRight) {
      this.#refuse(response, json)
      return
    }
    if (isRenewal) this.renewals += 1
    json(await this.#tokens(asked))
  }

  #refuse(response: ServerResponse, json: (body: unknown, status?: number) => unknown) {
    const { refusal = 'json' } = this.habits
    const html = (status: number) =>
      response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Error</title>')
    if (refusal === 'json') json({ error: 'invalid_grant' }, 400)
    else if (refusal === 'html') html(400)
    else if (refusal === 'down') html(503)
    else response.writeHead(refusal === 'empty' ? 400 : 401).end()
  }

  /** Issues tokens. `asked` is undefined for a renewal, which returns no ID token. */
  async #tokens(asked: URLSearchParams | undefined) {
    const {
      authTime = 'right',
      tokenType,
      audience = 'urn:data-store',
      claims,
      hasNoRefreshTokens,
    } = this.habits
    const now = Math.floor(Date.now() / 1000)
    const common = { iss: this.issuer, sub: 'ana', iat: now, exp: now + 3600, ...claims }
    const sign = async (more: object, typ: string | undefined) =>
      await this.#key?.sign(new SignJWT({ ...common, ...more }), typ)
    const accessType = tokenType === undefined ? 'at+jwt' : tokenType === 'none' ? undefined : tokenType
    const provenAt = { right: now, zero: 0, old: now - 9 * 3600 }[authTime]
    return {
      access_token: await sign({ aud: audience, scope: 'openid profile', jti: randomUUID() }, accessType),
      token_type: 'Bearer',
      expires_in: 300,
      ...(hasNoRefreshTokens !== true && { refresh_token: randomUUID() }),
      ...(asked && {
        id_token: await sign(
          { aud: asked.get('client_id'), nonce: asked.get('nonce'), auth_time: provenAt, name: 'Ana' },
          'JWT',
        ),
      }),
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += String(chunk)
  return text
}

async function listen(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
