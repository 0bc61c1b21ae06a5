import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'

import { type Endpoint, endpoints, eventStream, type Role, rolesOf, scopes } from '#contract/index.ts'
import { testService } from '../../testing/hooks.ts'
import { startTestService, testAudience, testIssuer } from '../../testing/service.ts'
import { bearerCheck, type TokenRules } from './caller.ts'

const service = testService()

const ask = (headers: Record<string, string>, path = '/users') =>
  service.fetch(`${service.baseUrl}${path}`, { headers })
const bearer = async (claims: Record<string, unknown>, header?: Record<string, unknown>) =>
  ask({ authorization: `Bearer ${await service.sign({ role: 'admin', ...claims }, header)}` })

describe('a token', () => {
  test('from the issuer, for this audience and within its lifetime, is accepted', async () => {
    expect((await bearer({})).status).toBe(200)
    expect((await bearer({ aud: ['other', testAudience] })).status).toBe(200)
  })

  const now = Math.floor(Date.now() / 1000)
  test.each<[string, Record<string, unknown>, Record<string, unknown>?]>([
    ['expired', { exp: now - 60 }],
    ['not yet valid', { nbf: now + 600 }],
    ['without expiry', { exp: undefined }],
    ['without subject', { sub: undefined }],
    ['of another issuer', { iss: 'https://evil.example.org' }],
    ['for another audience', { aud: 'other' }],
    ['that is an ID token', {}, { typ: 'JWT' }],
    ['without type', {}, { typ: undefined }],
    ['of an unknown key', {}, { kid: 'unknown' }],
    ['that brings its key', {}, { jwk: { kty: 'EC' } }],
    ['that names where its key is', {}, { jku: 'https://evil.example.org/keys' }],
    ['that lives for 20 years', { exp: now + 20 * 365 * 86_400 }],
    ['that was made to live for 20 years, of which little is left', { iat: now - 20 * 365 * 86_400 }],
    ['that has been good for years, of which little is left', { nbf: now - 20 * 365 * 86_400 }],
    ['that is issued in years', { iat: now + 20 * 365 * 86_400, exp: now + 20 * 365 * 86_400 + 60 }],
  ])('%s is refused with 401 and a challenge', async (_what, claims, header) => {
    const response = await bearer(claims, header)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
    expect(await response.json()).toMatchObject({ code: 'invalid_token', status: 401 })
  })

  test('lives for a day at most: that long it may, and by a clock that is ahead', async () => {
    expect((await bearer({ iat: now, exp: now + 86_400 })).status).toBe(200)
    expect((await bearer({ iat: now + 30, exp: now + 30 + 86_400 })).status).toBe(200)
    expect((await bearer({ iat: now - 86_000, exp: now + 400 })).status).toBe(200)
    expect((await bearer({ iat: now - 3600, exp: now + 86_400 })).status).toBe(401)
    const refused = await bearer({ exp: now + 90_000 })
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('the 24 hours') })
  })

  test('is accepted if the clocks differ by a minute, or by as much as the settings allow', async () => {
    expect((await bearer({ nbf: now + 30, iat: now + 30 })).status).toBe(200)
    expect((await bearer({ nbf: now + 90 })).status).toBe(401)
    const keys = await generateKeyPair('ES256')
    const ask = async (clockToleranceS: number, claims: Record<string, number>) => {
      const token = await new SignJWT({
        iss: testIssuer,
        aud: testAudience,
        sub: 'x',
        exp: now + 600,
        ...claims,
      })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
        .sign(keys.privateKey)
      const rules = { issuer: testIssuer, audience: testAudience, roleClaim: 'role', tokenLifetimeHours: 1 }
      const find = async () => keys.publicKey
      const check = bearerCheck({ ...rules, clockToleranceS }, { find, reading: 0 })
      return await Promise.resolve(check([`Bearer ${token}`])).then(
        () => true,
        () => false,
      )
    }
    expect(await ask(0, { nbf: now + 30 })).toBe(false)
    expect(await ask(0, { exp: now - 1 })).toBe(false)
    expect(await ask(300, { nbf: now + 240 })).toBe(true)
    expect(await ask(300, { nbf: now + 3600, exp: now + 3700 })).toBe(false)
    expect(await ask(300, { exp: now - 240 })).toBe(true)
    expect(await ask(300, { exp: now - 301 })).toBe(false)
    // Maximum lifetime: an hour plus the clock tolerance.
    expect(await ask(0, { exp: now + 3660 })).toBe(false)
    expect(await ask(120, { exp: now + 3660 })).toBe(true)
  })

  test('that is none, garbage, unsigned, or signed with the public key as a secret is refused', async () => {
    const none = await ask({})
    expect(none.status).toBe(401)
    expect(none.headers.get('www-authenticate')).toBe('Bearer')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { iss: testIssuer, aud: testAudience, sub: 'x', role: 'admin', exp: now + 600 }
    const unsigned = `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(claims)}.`
    const { publicKey } = await generateKeyPair('ES256', { extractable: true })
    const symmetric = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'test' })
      .sign(new TextEncoder().encode(await exportSPKI(publicKey)))
    for (const authorization of [
      'Bearer',
      'Bearer x',
      'Basic eDp5',
      `Bearer ${unsigned}`,
      `Bearer ${symmetric}`,
      'x',
    ])
      expect((await ask({ authorization })).status).toBe(401)
  })

  test('in the address is not looked at', async () => {
    expect((await ask({}, `/users?access_token=${await service.token('admin')}`)).status).toBe(401)
  })

  test('that was accepted is refused once it has expired', async () => {
    const keys = await generateKeyPair('ES256')
    const sign = (exp: number) =>
      new SignJWT({ sub: 'x', role: 'admin' })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
        .setIssuer(testIssuer)
        .setAudience(testAudience)
        .setExpirationTime(exp)
        .sign(keys.privateKey)
    const check = bearerCheck(
      {
        issuer: testIssuer,
        audience: testAudience,
        roleClaim: 'role',
        tokenLifetimeHours: 24,
        clockToleranceS: 60,
      },
      { find: async () => keys.publicKey, reading: 0 },
    )
    // Expired but within the clock tolerance: accepted, and not cached.
    const now = Math.floor(Date.now() / 1000)
    const token = await sign(now - 2)
    expect(await check([`Bearer ${token}`])).toMatchObject({ subject: 'x' })
    expect(check([`Bearer ${token}`])).toBeInstanceOf(Promise)
    const longer = await sign(now + 60)
    await check([`Bearer ${longer}`])
    expect(check([`Bearer ${longer}`])).not.toBeInstanceOf(Promise)
  })
})

describe("a caller's rights", () => {
  test.each(Object.entries<Endpoint>({ ...endpoints, streamEvents: eventStream }))(
    '%s needs the scopes that the contract says',
    async (name, endpoint) => {
      const path = endpoint.path.replace(/\{\w+\}/g, '01900000-0000-7000-8000-000000000000')
      const call = async (scope?: string) => {
        const headers =
          scope === undefined ? {} : { authorization: `Bearer ${await service.sign({ scope })}` }
        return await service.fetch(`${service.baseUrl}${path}`, {
          method: endpoint.method,
          headers: { 'content-type': 'application/json', ...headers },
          ...(endpoint.method !== 'GET' && endpoint.method !== 'DELETE' && { body: '{}' }),
        })
      }
      if (endpoint.needs === 'public') {
        expect((await call()).status).toBe(200)
        return
      }
      expect((await call()).status).toBe(401)
      for (const missing of endpoint.needs) {
        const others = endpoint.needs.filter((scope) => scope !== missing)
        const response = await call(['openid', 'events:nothing', ...others].join(' '))
        expect(response.status).toBe(403)
        expect(response.headers.get('www-authenticate')).toContain(missing)
        expect(await response.json()).toMatchObject({ code: 'insufficient_scope', scope: missing })
      }
      // A revert needs what the change needed, which only the changeset tells.
      const granted = name === 'revertChangeset' ? ['entities:write'] : endpoint.needs
      expect([401, 403]).not.toContain((await call(granted.join(' '))).status)
    },
  )

  test('is what a role may do, narrowed by the scopes that are named; the default role without either', async () => {
    const keys = await generateKeyPair('ES256')
    const scopesOf = async (claims: Record<string, unknown>, more: Partial<TokenRules> = {}) => {
      const token = await new SignJWT({ sub: 'x', ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
        .setIssuer(testIssuer)
        .setAudience(testAudience)
        .setExpirationTime('1h')
        .sign(keys.privateKey)
      const rules = { issuer: testIssuer, audience: testAudience, roleClaim: 'groups', ...more }
      const check = bearerCheck(
        { ...rules, tokenLifetimeHours: 24, clockToleranceS: 60 },
        { find: async () => keys.publicKey, reading: 0 },
      )
      return (await check([`Bearer ${token}`])).scopes
    }
    const scopesAs = async (claims: Record<string, unknown>) => [...(await scopesOf(claims))].sort()
    expect(await scopesAs({ groups: 'admin', scope: 'openid users:read' })).toEqual(['users:read'])
    expect(await scopesAs({ groups: 'admin', scope: ['openid', 'users:read'] })).toEqual(['users:read'])
    expect(await scopesAs({ groups: 'integrator', scope: 'events:read users:read' })).toEqual(['events:read'])
    expect(await scopesAs({ groups: 'integrator', scope: 'users:read' })).toEqual([])
    // The development sign-in and the console request such scopes, none of which belongs to this service.
    const usual = { groups: 'admin', scope: 'openid profile offline_access roles' }
    expect(await scopesAs(usual)).toEqual([...scopes].sort())
    expect((await scopesOf({ groups: 'support', scope: 'sensitive:read' })).has('sensitive:read')).toBe(false)
    expect(await scopesAs({ groups: ['other', 'integrator'] })).toEqual(['events:read', 'webhooks:manage'])
    expect(await scopesAs({ scope: 'openid users:read' })).toEqual(['users:read'])
    expect((await scopesOf({ groups: ['other'] })).size).toBe(0)
    const defaultRole = 'support'
    expect((await scopesOf({ scope: 'openid' }, { defaultRole })).has('users:read')).toBe(true)
    // Entra and Okta use `scp` for scopes.
    expect(await scopesAs({ groups: 'admin', scp: 'all users:read' })).toEqual(['users:read'])
    expect(await scopesAs({ groups: 'admin', scp: ['openid', 'users:read'] })).toEqual(['users:read'])
  })

  test('a role is found within claims, and under the name that the issuer has for it, and nowhere else', async () => {
    const rolesIn = (claims: Record<string, unknown>, roleMap?: Record<string, Role>) =>
      rolesOf(claims, { roleClaim: 'realm_access.roles', roleMap })
    const keycloak = { role: 'admin', roles: ['admin'], realm_access: { roles: ['offline', 'support'] } }
    expect(rolesIn(keycloak)).toEqual(['support'])
    expect(rolesIn({ 'realm_access.roles': 'steward', ...keycloak })).toEqual(['steward'])
    for (const realm of [
      null,
      'roles',
      'admin',
      ['admin'],
      { roles: { admin: false, support: null, steward: {}, integrator: 'no' } },
      { roles: [['admin']] },
    ])
      expect(rolesIn({ realm_access: realm })).toEqual([])
    expect(rolesOf({}, { roleClaim: '__proto__.constructor.name' })).toEqual([])
    expect(rolesOf({ a: 'admin' }, { roleClaim: 'a.length' })).toEqual([])

    // Zitadel's form: the keys are the roles, each with the organisations that granted it.
    const zitadel = 'urn:zitadel:iam:org:project:roles'
    const granted = { support: { '2934': 'acme.zitadel.cloud' }, boss: { '2934': 'acme.zitadel.cloud' } }
    expect(rolesOf({ [zitadel]: granted }, { roleClaim: zitadel })).toEqual(['support'])
    const bosses = { boss: 'admin' } as const
    expect(rolesOf({ [zitadel]: granted }, { roleClaim: zitadel, roleMap: bosses })).toEqual(['admin'])
    expect(rolesIn({ realm_access: { roles: { steward: true } } })).toEqual(['steward'])

    // Only the mapped names count: the issuer's own administrators need not be administrators here.
    const map = { 'ds-help': 'support', offline: 'integrator' } as const
    expect(rolesIn(keycloak, map)).toEqual(['integrator'])
    expect(rolesIn({ realm_access: { roles: ['admin', 'toString', '__proto__'] } }, map)).toEqual([])
    expect(rolesIn({ realm_access: { roles: 'ds-help' } }, map)).toEqual(['support'])
  })

  test.each([
    ['/resource_access/data.store/roles', ['steward']],
    ['/resource_access/a~1b~0c/roles', ['support']],
    ['/resource_access/a/b~0c/roles', []],
    ['/groups/1', ['integrator']],
    ['/groups/length', []],
    ['/groups/', []],
    ['/groups', ['admin', 'integrator']],
    ['/', ['admin']],
    ['', []],
    ['/resource_access/__proto__/roles', []],
    ['resource_access.data.store.roles', []],
    ['/resource access/roles', []],
  ])('a role is found by the JSON pointer %s as RFC 6901 has it', (roleClaim, expected) => {
    const claims = {
      resource_access: { 'data.store': { roles: ['steward'] }, 'a/b~c': { roles: ['support'] } },
      groups: ['admin', 'integrator'],
      '': 'admin',
    }
    expect(rolesOf(claims, { roleClaim })).toEqual(roleClaim === '' ? ['admin'] : expected)
  })

  test('has no access without a role, and the answer and the log say what its claim holds instead', async () => {
    const lines: string[] = []
    const log = pino({ base: null, level: 'warn' }, { write: (line) => void lines.push(line) })
    const keys = await generateKeyPair('ES256')
    const logging = async (roleClaim: string, claims: Record<string, unknown>) => {
      const authenticate = bearerCheck(
        {
          issuer: testIssuer,
          audience: testAudience,
          roleClaim,
          tokenLifetimeHours: 24,
          clockToleranceS: 60,
        },
        { find: async () => keys.publicKey, reading: 0 },
      )
      const own = await startTestService({ authenticate, log })
      const token = await new SignJWT({ iss: testIssuer, aud: testAudience, sub: 'x', ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
        .setExpirationTime('1h')
        .sign(keys.privateKey)
      lines.length = 0
      const headers = { authorization: `Bearer ${token}` }
      const response = await own.fetch(`${own.baseUrl}/users`, { headers })
      expect(response.headers.get('www-authenticate')).toBe(
        'Bearer error="insufficient_scope", scope="users:read"',
      )
      const body = (await response.json()) as { noRole?: unknown }
      expect(body).toMatchObject({ status: 403, code: 'insufficient_scope', scope: 'users:read' })
      await own.close()
      return [body.noRole, lines.map((line) => (JSON.parse(line) as { msg: string }).msg)]
    }
    const hint = 'OIDC_ROLE_CLAIM says where roles stand, ROLE_MAP what they are called'
    expect(await logging('role', { role: 'boss' })).toEqual([
      { claim: 'role', holds: '"boss"' },
      [`no role: the claim role holds "boss" (${hint})`],
    ])
    expect(await logging('realm_access.roles', { realm_access: { roles: ['a', 'b, "c"'] } })).toEqual([
      { claim: 'realm_access.roles', holds: '"a", "b, \\"c\\""' },
      [`no role: the claim realm_access.roles holds "a", "b, \\"c\\"" (${hint})`],
    ])
    expect(await logging('role', {})).toEqual([
      { claim: 'role' },
      [`no role: the token has no claim role (${hint})`],
    ])
    for (const role of [4711, [], {}, null, [['admin']], '', { admin: false }])
      expect(await logging('role', { role })).toMatchObject([
        { holds: 'nothing that could name a role' },
        [{}],
      ])
    const many = Array.from({ length: 300 }, (_, n) => `group ${n}`)
    expect(await logging('groups', { groups: many })).toMatchObject([
      { holds: expect.stringMatching(/^"group 0", .*"group 9" and 290 more$/) },
      [expect.any(String)],
    ])
    expect(await logging('groups', { groups: ['x'.repeat(5000)] })).toMatchObject([
      { holds: expect.stringMatching(/^"x{99}…"$/) },
      [expect.any(String)],
    ])
    // If the setting points at the wrong claim, personal data still stays out of the log.
    for (const [claim, value] of [
      ['email', 'ana'],
      ['name', 'Ana Kovač'],
      ['https://acme.example/upn', 'ana'],
      ['/address/formatted', 'Main Street 1'],
      ['groups', ['ana@example.org']],
      ['groups', ['+49 151 2345678']],
    ] as const) {
      const place = claim.startsWith('/') ? { address: { formatted: value } } : { [claim]: value }
      expect(await logging(claim, place)).toMatchObject([
        { claim, holds: 'a value that is not shown here' },
        [{}],
      ])
    }
    // If the token names a role or scopes, only a scope is missing, so the refusal does not mention roles.
    expect(await logging('role', { role: 'integrator' })).toEqual([undefined, []])
    expect(await logging('role', { role: 'boss', scope: 'events:read' })).toEqual([undefined, []])
  })
})
