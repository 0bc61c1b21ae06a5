import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'

interface SigningKey {
  readonly id: string
  readonly privateKey: CryptoKey
  /** Public key as the issuer publishes it. */
  readonly published: JWK
}

/** A real issuer on its own port, with discovery and keys. Counts requests, and fails on demand. */
export class TestIssuer {
  readonly url: string
  /** Requested paths, in order. */
  readonly requests: string[] = []
  /** Behaviour for requests: `failing` affects discovery and keys, `hanging` userinfo as well. */
  mood: 'well' | 'failing' | 'hanging' = 'well'
  /** Path of the keys, which discovery names. */
  keysPath = '/keys'
  /** Members that the discovery document adds or replaces. */
  saysBesides: Readonly<Record<string, unknown>> = {}
  /** Replacement for the discovery document, for example one that is no object. */
  saysInstead: unknown
  /** Returns the userinfo endpoint's answer to a token. */
  userInfo: (token: string) => { readonly status: number; readonly claims: unknown } = () => ({
    status: 401,
    claims: {},
  })
  /** Keys that the issuer publishes. */
  published: SigningKey[] = []
  /** Runs after a request for the keys and before its answer. */
  beforeKeys: () => void | Promise<void> = () => {}
  /** Answers a request for this path in its own way, and returns true; false leaves the answer to the issuer. */
  instead: (path: string, response: ServerResponse) => boolean = () => false
  readonly #server: ReturnType<typeof createServer>

  readonly #audience: string

  private constructor(server: ReturnType<typeof createServer>, audience: string) {
    this.#server = server
    this.#audience = audience
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start(audience: string): Promise<TestIssuer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const issuer = new TestIssuer(server, audience)
    server.on('request', (request, response) => void issuer.#answer(request, response))
    return issuer
  }

  static async newKey(id: string, alg = 'ES256'): Promise<SigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(alg)
    return { id, privateKey, published: { ...(await exportJWK(publicKey)), kid: id, alg, use: 'sig' } }
  }

  /** Number of requests for anything but discovery: in tests without userinfo, for the keys. */
  get looks(): number {
    return this.requests.filter((path) => path !== '/.well-known/openid-configuration').length
  }

  async sign(key: SigningKey, claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
    const now = Math.floor(Date.now() / 1000)
    return await new SignJWT({
      iss: this.url,
      aud: this.#audience,
      sub: 'somebody',
      role: 'admin',
      iat: now,
      exp: now + 3600,
      ...claims,
    })
      .setProtectedHeader({ alg: key.published.alg ?? '', kid: key.id, typ: 'at+jwt', ...header })
      .sign(key.privateKey)
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #answer({ url: path = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests.push(path)
    if (this.mood === 'hanging' || this.instead(path, response)) return
    if (path === '/userinfo') {
      const { status, claims } = this.userInfo(headers.authorization?.replace('Bearer ', '') ?? '')
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(claims))
      return
    }
    const found =
      path === '/.well-known/openid-configuration'
        ? this.saysInstead === undefined
          ? { issuer: this.url, jwks_uri: `${this.url}${this.keysPath}`, ...this.saysBesides }
          : this.saysInstead
        : path === this.keysPath
          ? { keys: this.published.map(({ published }) => published) }
          : undefined
    if (path === this.keysPath) await this.beforeKeys()
    if (this.mood === 'failing' || found === undefined) response.writeHead(500).end('{}')
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(found))
  }
}
