import { request } from 'node:http'
import { CompactSign, type CryptoKey, exportJWK, exportSPKI, generateKeyPair, importJWK, SignJWT } from 'jose'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { type Endpoint, endpoints, eventStream } from '#contract/index.ts'
import { TestIssuer } from '../../testing/issuer.ts'
import { startTestService, testAudience, type TestService } from '../../testing/service.ts'
import { bearerCheck } from './caller.ts'
import { IssuerKeys } from './issuer-keys.ts'

const day = 86_400
const now = Math.floor(Date.now() / 1000)

let issuer: TestIssuer
let service: TestService
let port: number
let check: ReturnType<typeof bearerCheck>
let begin: () => void
/** Keys that the issuer publishes; tokens signed with the first are valid. */
let ec: Awaited<ReturnType<typeof TestIssuer.newKey>>
let rsa: typeof ec
/** A stranger's key under the id of the valid one. */
let foreign: typeof ec
/** Pairs of a fault and a token that has it. */
let badTokens: (readonly [string, string])[]

beforeAll(async () => {
  issuer = await TestIssuer.start(testAudience)
  ;[ec, rsa, foreign] = await Promise.all([
    TestIssuer.newKey('ec'),
    TestIssuer.newKey('rsa', 'RS256'),
    TestIssuer.newKey('ec'),
  ])
  issuer.published = [ec, rsa]
  const rules = {
    issuer: issuer.url,
    audience: testAudience,
    roleClaim: 'role',
    tokenLifetimeHours: 24,
    clockToleranceS: 60,
  }
  begin = () => {
    check = bearerCheck(rules, new IssuerKeys(issuer.url))
  }
  begin()
  service = await startTestService({ authenticate: (lines) => check(lines) })
  port = (await service.listen()).port
  badTokens = await Promise.all(
    Object.entries(makers).map(async ([what, make]) => [what, await make()] as const),
  )
})
// Resets the key lookup, so that an unknown key causes a reload each time, as with the first token that names it.
beforeEach(() => begin())
afterAll(async () => {
  await service.close()
  issuer.close()
})

/** Claims of access tokens that no ID token has. */
const access = { scope: 'openid profile' }
const good = () => issuer.sign(ec)
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claims = () => ({
  iss: issuer.url,
  aud: testAudience,
  sub: 'x',
  role: 'admin',
  iat: now,
  exp: now + 600,
})
const unsigned = (alg: string) => `${encode({ alg, typ: 'at+jwt', kid: 'ec' })}.${encode(claims())}.`

/** Signs with HMAC, using a public secret: the key that the issuer publishes, in one of its forms. */
async function symmetric(
  key: typeof ec,
  form: (published: typeof ec.published) => Promise<string | Uint8Array>,
): Promise<string> {
  const secret = await form(key.published)
  return await new SignJWT(claims())
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key.id })
    .sign(typeof secret === 'string' ? new TextEncoder().encode(secret) : secret)
}
const asPem = async (published: typeof ec.published) =>
  await exportSPKI((await importJWK(published, published.alg, { extractable: true })) as CryptoKey)
const asDer = async (published: typeof ec.published) =>
  Buffer.from((await asPem(published)).replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')

/** Signs a token with a new key; the header brings that key, or a certificate. */
async function bringing(header: 'jwk' | 'x5c'): Promise<string> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const own = header === 'jwk' ? await exportJWK(publicKey) : ['MIIB']
  return await new SignJWT(claims())
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'ec', [header]: own })
    .sign(privateKey)
}

const alter = async (change: (parts: string[]) => string[]) => change((await good()).split('.')).join('.')

const makers: Record<string, () => Promise<string> | string> = {
  garbage: () => 'x',
  'garbage of three parts': () => 'x.y.z',
  'no signature': () => alter(([header = '', payload = '']) => [header, payload, '']),
  'the signature of another': () => issuer.sign(foreign),
  'altered claims': () =>
    alter(([header = '', , signature = '']) => [header, encode({ ...claims(), sub: 'other' }), signature]),
  expired: () => issuer.sign(ec, { iat: now - 3600, exp: now - 60 }),
  'not yet valid': () => issuer.sign(ec, { nbf: now + 600 }),
  'no end': () => issuer.sign(ec, { exp: undefined }),
  'an end in 20 years': () => issuer.sign(ec, { exp: now + 20 * 365 * day }),
  'no subject': () => issuer.sign(ec, { sub: undefined }),
  'another audience': () => issuer.sign(ec, { aud: 'urn:other' }),
  'no audience': () => issuer.sign(ec, { aud: undefined }),
  'another issuer': () => issuer.sign(ec, { iss: 'https://evil.example.org' }),
  'the issuer with a slash': () => issuer.sign(ec, { iss: `${issuer.url}/` }),
  'an ID token': () => issuer.sign(ec, { aud: 'data-store-console', nonce: 'n' }, { typ: 'JWT' }),
  'an ID token for this audience': () => issuer.sign(ec, {}, { typ: 'JWT' }),
  'an ID token with a nonce': () => issuer.sign(ec, { ...access, nonce: 'n' }, { typ: 'JWT' }),
  'an ID token with the hash of an access token': () =>
    issuer.sign(ec, { ...access, at_hash: 'h' }, { typ: undefined }),
  'an ID token with the hash of a code': () => issuer.sign(ec, { ...access, c_hash: 'h' }, { typ: 'JWT' }),
  'an ID token of Keycloak': () => issuer.sign(ec, { ...access, typ: 'ID' }, { typ: 'JWT' }),
  'an ID token of FusionAuth': () => issuer.sign(ec, { ...access, tty: 'it' }, { typ: 'JWT' }),
  'an ID token of Cognito': () => issuer.sign(ec, { ...access, token_use: 'id' }, { typ: undefined }),
  'a logout token': () => issuer.sign(ec, { ...access, events: {} }, { typ: 'JWT' }),
  'the type of a logout token': () => issuer.sign(ec, access, { typ: 'logout+jwt' }),
  'the type of a client’s proof': () => issuer.sign(ec, access, { typ: 'client-authentication+jwt' }),
  'no type, and nothing of an access token': () => issuer.sign(ec, {}, { typ: undefined }),
  'alg none': () => unsigned('none'),
  'alg None': () => unsigned('None'),
  'HS256 with the public EC key as PEM': () => symmetric(ec, asPem),
  'HS256 with the public EC key as DER': () => symmetric(ec, asDer),
  'HS256 with the public EC key as JWK': () => symmetric(ec, async (jwk) => JSON.stringify(jwk)),
  'HS256 with the public RSA key as PEM': () => symmetric(rsa, asPem),
  'HS256 with the public RSA key as PEM, trimmed': () =>
    symmetric(rsa, async (jwk) => (await asPem(jwk)).trim()),
  'HS256 with the public RSA key as DER': () => symmetric(rsa, asDer),
  'HS256 with the public RSA key as JWK': () => symmetric(rsa, async (jwk) => JSON.stringify(jwk)),
  'HS256 with the modulus': () => symmetric(rsa, async (jwk) => Buffer.from(jwk.n ?? '', 'base64url')),
  'an unknown key': () => issuer.sign(foreign, {}, { kid: 'unknown' }),
  'a key that it brings': () => bringing('jwk'),
  'a certificate that it brings': () => bringing('x5c'),
  'the address of a key': () => issuer.sign(foreign, {}, { jku: 'https://evil.example.org/keys' }),
  'the address of a certificate': () => issuer.sign(foreign, {}, { x5u: 'https://evil.example.org/keys' }),
}

interface Answer {
  status: number
  challenge: string | undefined
  code: string | undefined
}

/** Sends a request over a real socket, with each Authorization header on its own line. */
function ask(endpoint: Endpoint, authorization: readonly string[], query = ''): Promise<Answer> {
  const path = endpoint.path.replaceAll(/\{\w+\}/g, '01900000-0000-7000-8000-000000000000')
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        method: endpoint.method,
        path: `/api${path}${query}`,
        headers: {
          'content-type': 'application/json',
        },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            challenge: response.headers['www-authenticate'],
            code: (JSON.parse(text || '{}') as { code?: string }).code,
          }),
        )
      },
    )
    sent.on('error', reject)
    // Node writes a line for each element of a list; an empty list needs no header.
    if (authorization.length > 0) sent.setHeader('authorization', authorization)
    sent.end(endpoint.body ? '{}' : undefined)
  })
}

const all = Object.entries<Endpoint>({ ...endpoints, streamEvents: eventStream })
const guarded = all.filter(([, { needs }]) => needs !== 'public')

describe.each(guarded)('%s', (_name, endpoint) => {
  test('refuses every bad token with 401 and says so', async () => {
    for (const [what, token] of badTokens) {
      const { status, challenge, code } = await ask(endpoint, [`Bearer ${token}`])
      expect({ what, status, code }).toEqual({ what, status: 401, code: 'invalid_token' })
      // RFC 6750, section 3, allows only these characters.
      expect(challenge).toMatch(/^Bearer error="invalid_token", error_description="[ !#-[\]-~]+"$/)
    }
  })

  test('takes a token in one Authorization header and nowhere else', async () => {
    const token = await good()
    const none = { status: 401, challenge: 'Bearer', code: 'unauthorized' }
    expect(await ask(endpoint, [])).toEqual(none)
    expect(await ask(endpoint, [], `?access_token=${token}`)).toEqual(none)
    const malformed = [
      '',
      'Bearer',
      token,
      `Basic ${token}`,
      `Bearer ${token} ${token}`,
      `Bearer ${token}, Bearer x`,
    ]
    for (const authorization of malformed)
      expect(await ask(endpoint, [authorization])).toMatchObject({
        status: 401,
        challenge: expect.stringMatching(/^Bearer error="invalid_token"/),
      })
    for (const other of [`Bearer ${token}`, 'Bearer x', ''])
      expect(await ask(endpoint, [`Bearer ${token}`, other])).toMatchObject({
        status: 401,
        challenge: expect.stringMatching(/^Bearer error="invalid_request"/),
      })
  })
})

test('one service accepts tokens of both keys of the issuer', async () => {
  const { listUsers } = endpoints
  expect(await ask(listUsers, [`Bearer ${await good()}`])).toMatchObject({ status: 200 })
  expect(await ask(listUsers, [`bearer ${await issuer.sign(rsa)}`])).toMatchObject({ status: 200 })
})

test.each<[string, Record<string, unknown>, string | undefined]>([
  ['the type of RFC 9068, in full', {}, 'application/at+jwt'],
  ['Keycloak', { typ: 'Bearer', azp: 'console', auth_time: 1, ...access }, 'JWT'],
  ['FusionAuth', { aud: [testAudience, 'console'], tty: 'at', ...access }, 'JWT'],
  ['Auth0', { aud: [testAudience, 'https://x.test/userinfo'], azp: 'console', ...access }, 'JWT'],
  ['Okta', { scp: ['openid'], cid: 'console', uid: 'x' }, undefined],
  ['Entra', { scp: 'users.all', azp: 'console', ver: '2.0' }, 'JWT'],
  ['Entra, for a machine', { azp: 'script', azpacr: '1' }, 'JWT'],
  ['a client of RFC 9068, without its type', { client_id: 'console' }, undefined],
])('an access token of another type is taken: %s', async (_provider, more, typ) => {
  const token = await issuer.sign(ec, more, { typ })
  expect(await ask(endpoints.listUsers, [`Bearer ${token}`])).toMatchObject({ status: 200 })
})

test('the log says what is wrong with a token of the issuer, and its sender is not told', async () => {
  const lines: string[] = []
  const log = pino({ base: null, level: 'warn' }, { write: (line) => void lines.push(line) })
  const rules = {
    issuer: issuer.url,
    audience: testAudience,
    roleClaim: 'role',
    tokenLifetimeHours: 24,
    clockToleranceS: 60,
  }
  const authenticate = bearerCheck(rules, new IssuerKeys(issuer.url))
  const logging = await startTestService({ authenticate, log })
  const faultOf = async (token: string) => {
    lines.length = 0
    const headers = { authorization: `Bearer ${token}` }
    const refused = await logging.fetch(`${logging.baseUrl}/users`, { headers })
    expect(await refused.json()).toMatchObject({ detail: 'The access token is not valid for this service.' })
    expect(lines).toHaveLength(1)
    return (JSON.parse(lines[0] ?? '') as { msg: string }).msg.replace('a token was refused: ', '')
  }
  expect(await faultOf(await issuer.sign(ec, { aud: ['account'] }))).toBe(
    `its audience is ["account"], and OIDC_AUDIENCE is ${testAudience}`,
  )
  expect(await faultOf(await issuer.sign(ec, { iss: `${issuer.url}/` }))).toBe(
    `its issuer is "${issuer.url}/", and OIDC_ISSUER is ${issuer.url}`,
  )
  expect(await faultOf(await issuer.sign(ec, access, { typ: 'logout+jwt' }))).toBe('its type is "logout+jwt"')
  expect(await faultOf(await issuer.sign(ec, { nonce: 'n' }, { typ: 'JWT' }))).toContain('nonce')
  expect(await faultOf(await issuer.sign(ec, {}, { typ: 'JWT' }))).toContain('no claim of access tokens')
  expect(await faultOf(await issuer.sign(foreign))).toContain(`none of the keys of ${issuer.url}`)
  expect(await faultOf('opaque')).toContain('it is no JWT')
  await logging.close()
})

test('public endpoints answer requests with a bad token, too', async () => {
  const open = all.filter(([, { needs }]) => needs === 'public')
  expect(open.map(([name]) => name)).toEqual(['listDataTypes', 'getCapabilities'])
  for (const [, endpoint] of open) expect(await ask(endpoint, ['Bearer x'])).toMatchObject({ status: 200 })
})

test("without the issuer's keys a token is neither accepted nor called invalid", async () => {
  const away = await TestIssuer.start(testAudience)
  away.mood = 'failing'
  away.published = [ec]
  const rules = {
    issuer: away.url,
    audience: testAudience,
    roleClaim: 'role',
    tokenLifetimeHours: 24,
    clockToleranceS: 60,
  }
  const waiting = await startTestService({ authenticate: bearerCheck(rules, new IssuerKeys(away.url)) })
  const headers = { authorization: `Bearer ${await away.sign(ec)}` }
  const read = async () => await waiting.fetch(`${waiting.baseUrl}/users`, { headers })
  const refused = await read()
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(refused.headers.get('www-authenticate')).toBeNull()
  expect(await refused.json()).toMatchObject({ code: 'unavailable' })
  away.mood = 'well'
  expect((await read()).status).toBe(200)
  await waiting.close()
  away.close()
})

describe('a part of a token that is of another kind than it should be', () => {
  const kinds = [null, true, 0, 4711, 1.5, '', ' ', 'x'.repeat(5000), [], ['x'], {}, { x: 1 }]
  const ofHeader = ['typ', 'kid', 'cty', 'crit', 'b64', 'zip']
  const ofClaims = [
    'sub',
    'iss',
    'aud',
    'exp',
    'iat',
    'nbf',
    'jti',
    'scope',
    'scp',
    'role',
    'nonce',
    'typ',
    'client_id',
  ]

  async function answersTo(place: 'header' | 'claims', name: string) {
    const tokens = kinds.map((value) => {
      const [claims, header] = place === 'claims' ? [{ [name]: value }, {}] : [{}, { [name]: value }]
      // Leaves out tokens that the library refuses to sign; no issuer sends them.
      return issuer.sign(ec, claims, header).catch(() => undefined)
    })
    const signed = (await Promise.all(tokens)).filter((token) => token !== undefined)
    return await Promise.all(signed.map((token) => ask(endpoints.listUsers, [`Bearer ${token}`])))
  }

  test.each([
    ...ofHeader.map((name) => ['header', name] as const),
    ...ofClaims.map((name) => ['claims', name] as const),
  ])('is refused, or counts for nothing: %s.%s', async (place, name) => {
    for (const { status } of await answersTo(place, name)) expect(status).toBeOneOf([200, 401, 403])
  })

  test.each([
    'null',
    '[]',
    '["x"]',
    '"x"',
    '4711',
    'true',
    '',
    ' ',
    '{',
    '{}',
    '{"sub":"x"}',
    '{"sub":"x"}{}',
    '\\xff',
  ])('is refused where its claims are %s, signed by the issuer', async (text) => {
    const payload = text === '\\xff' ? Uint8Array.of(255, 254) : new TextEncoder().encode(text)
    const token = await new CompactSign(payload)
      .setProtectedHeader({ alg: 'ES256', kid: 'ec', typ: 'at+jwt' })
      .sign(ec.privateKey)
    expect(await ask(endpoints.listUsers, [`Bearer ${token}`])).toMatchObject({
      status: 401,
      code: 'invalid_token',
    })
  })

  test.each([
    'alg',
    'typ',
    'kid',
    'cty',
    'crit',
    'b64',
    'zip',
    'jwk',
    'jku',
    'x5c',
    'x5u',
    'x5t',
    'enc',
    'epk',
  ])('is refused in a header that no library writes: %s', async (name) => {
    const [, payload, signature] = (await good()).split('.')
    for (const value of [...kinds, ['alg'], ['b64'], { alg: 'none' }, -0.0, 1e308]) {
      const header = encode({ alg: 'ES256', kid: 'ec', typ: 'at+jwt', [name]: value })
      const { status } = await ask(endpoints.listUsers, [`Bearer ${header}.${payload}.${signature}`])
      // An unknown `kid` may temporarily leave it undecided whether such a key exists.
      const accepted = name === 'kid' ? [401, 503] : [401]
      expect([name, value, accepted]).toEqual([name, value, expect.arrayContaining([status])])
    }
  })

  test.each(['null', '[]', '"x"', '1', 'true', '', '{', '{"alg":"ES256","alg":"none"}'])(
    'is refused where its header is %s',
    async (header) => {
      const [, payload, signature] = (await good()).split('.')
      const token = `${Buffer.from(header).toString('base64url')}.${payload}.${signature}`
      expect(await ask(endpoints.listUsers, [`Bearer ${token}`])).toMatchObject({ status: 401 })
    },
  )

  test('names nobody where it is no text, or none that can be seen', async () => {
    for (const sub of [null, true, 0, 4711, '', ' ', '\u200b', [], ['x'], {}])
      expect([
        sub,
        await ask(endpoints.listUsers, [`Bearer ${await issuer.sign(ec, { sub })}`]),
      ]).toMatchObject([sub, { status: 401, code: 'invalid_token' }])
  })
})
