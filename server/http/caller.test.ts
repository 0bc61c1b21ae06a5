import { exportSPKI, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'

import { type Endpoint, endpoints, eventStream, type Role, rolesOf, scopes } from '#contract/index.ts'
import { bearerCheck, type TokenRules } from './caller.ts'
import { testAudience, testIssuer } from '../testing.ts'
import { testService } from '../testing-hooks.ts'

const service = testService()

const ask = (headers: Record<string, string>, path = '/users') =>
  service.fetch(`${service.baseUrl}${path}`, { headers })
const bearer = async (claims: Record<string, unknown>, header?: Record<string, unknown>) =>
  ask({ authorization: `Bearer ${await service.sign({ role: 'admin', ...claims }, header)}` })

describe('a token', () => {
  test('of the issuer, for this audience, in time, is accepted', async () => {
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
      { issuer: testIssuer, audience: testAudience, roleClaim: 'role', tokenLifetimeHours: 24 },
      { find: async () => keys.publicKey, reading: 0 },
    )
    // Within the tolerance for clocks that differ, but past its time: accepted, and not remembered beyond.
    const now = Math.floor(Date.now() / 1000)
    const token = await sign(now - 2)
    expect(await check([`Bearer ${token}`])).toMatchObject({ subject: 'x' })
    expect(check([`Bearer ${token}`])).toBeInstanceOf(Promise)
    const longer = await sign(now + 60)
    await check([`Bearer ${longer}`])
    expect(check([`Bearer ${longer}`])).not.toBeInstanceOf(Promise)
  })
})

describe('what a caller may do', () => {
  test.each(Object.entries<Endpoint>({ ...endpoints, streamEvents: eventStream }))(
    '%s needs the scopes that the contract says',
    async (_name, endpoint) => {
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
      expect([401, 403]).not.toContain((await call(endpoint.needs.join(' '))).status)
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
        { ...rules, tokenLifetimeHours: 24 },
        { find: async () => keys.publicKey, reading: 0 },
      )
      return (await check([`Bearer ${token}`])).scopes
    }
    const scopesAs = async (claims: Record<string, unknown>) => [...(await scopesOf(claims))].sort()
    expect(await scopesAs({ groups: 'admin', scope: 'openid users:read' })).toEqual(['users:read'])
    expect(await scopesAs({ groups: 'admin', scope: ['openid', 'users:read'] })).toEqual(['users:read'])
    expect(await scopesAs({ groups: 'integrator', scope: 'events:read users:read' })).toEqual(['events:read'])
    expect(await scopesAs({ groups: 'integrator', scope: 'users:read' })).toEqual([])
    // As the development sign-in and the console have it: no scope of ours is named.
    const usual = { groups: 'admin', scope: 'openid profile offline_access roles' }
    expect(await scopesAs(usual)).toEqual([...scopes].sort())
    expect((await scopesOf({ groups: 'support', scope: 'sensitive:read' })).has('sensitive:read')).toBe(false)
    expect(await scopesAs({ groups: ['other', 'integrator'] })).toEqual(['events:read', 'webhooks:manage'])
    expect(await scopesAs({ scope: 'openid users:read' })).toEqual(['users:read'])
    expect((await scopesOf({ groups: ['other'] })).size).toBe(0)
    const defaultRole = 'support'
    expect((await scopesOf({ scope: 'openid' }, { defaultRole })).has('users:read')).toBe(true)
    // As Entra and Okta name scopes.
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
      { roles: { admin: true } },
      { roles: [['admin']] },
    ])
      expect(rolesIn({ realm_access: realm })).toEqual([])
    expect(rolesOf({}, { roleClaim: '__proto__.constructor.name' })).toEqual([])
    expect(rolesOf({ a: 'admin' }, { roleClaim: 'a.length' })).toEqual([])

    // The issuer's own names count alone: its administrators may be others than ours.
    const map = { 'ds-help': 'support', offline: 'integrator' } as const
    expect(rolesIn(keycloak, map)).toEqual(['integrator'])
    expect(rolesIn({ realm_access: { roles: ['admin', 'toString', '__proto__'] } }, map)).toEqual([])
    expect(rolesIn({ realm_access: { roles: 'ds-help' } }, map)).toEqual(['support'])
  })
})
