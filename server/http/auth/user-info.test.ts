import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { TestIssuer } from '../../testing/issuer.ts'
import { testAudience } from '../../testing/service.ts'
import { Refusal } from '../errors/problem.ts'
import { bearerCheck, type Caller, type TokenRules } from './caller.ts'
import { IssuerKeys } from './issuer-keys.ts'
import { userInfoOf } from './user-info.ts'

let issuer: TestIssuer
let key: Awaited<ReturnType<typeof TestIssuer.newKey>>
beforeEach(async () => {
  issuer = await TestIssuer.start(testAudience)
  key = await TestIssuer.newKey('one')
  issuer.published = [key]
  issuer.saysBesides = { userinfo_endpoint: `${issuer.url}/userinfo` }
})
afterEach(() => {
  vi.useRealTimers()
  issuer.close()
})

const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms })
/** Freezes the clock, so that differences of a millisecond can be tested on a slow machine. */
const stopClock = () => later(0)
const minuteMs = 60_000

const countRequests = () => issuer.requests.filter((path) => path === '/userinfo').length

function checking(more: Partial<TokenRules> = {}) {
  const keys = new IssuerKeys(issuer.url)
  const rules = {
    issuer: issuer.url,
    audience: testAudience,
    roleClaim: 'role',
    tokenLifetimeHours: 24,
    clockToleranceS: 60,
    ...more,
  }
  const check = bearerCheck(
    rules,
    keys,
    userInfoOf(rules, () => keys.metadata()),
  )
  return async (token: string): Promise<Caller> => await check([`Bearer ${token}`])
}
const says = (claims: unknown, status = 200) => {
  issuer.userInfo = () => ({ status, claims })
}
const silent = () => issuer.sign(key, { role: undefined, jti: crypto.randomUUID() })

test('a token that names no role has the one that the issuer tells, asked for once', async () => {
  const check = checking()
  // Loads the issuer's discovery document and keys.
  await check(await issuer.sign(key))
  const token = await silent()
  issuer.userInfo = (sent) => ({
    status: sent === token ? 200 : 401,
    claims: { sub: 'somebody', role: 'support' },
  })
  for (const { scopes } of [await check(token), await check(token)])
    expect([scopes.has('users:read'), scopes.has('webhooks:manage')]).toEqual([true, false])
  expect(countRequests()).toBe(1)
})

test('requests that come at once share an answer', async () => {
  says({ sub: 'somebody' })
  const reading = userInfoOf({ issuer: issuer.url, roleClaim: 'role' }, () => issuer.saysBesides)
  await Promise.all([
    reading('token', 'somebody'),
    reading('token', 'somebody'),
    reading('other', 'somebody'),
  ])
  expect(countRequests()).toBe(2)
})

test('a token that names a role, or a scope of ours, has that and no more', async () => {
  says({ sub: 'somebody', role: 'admin' })
  const check = checking()
  expect((await check(await issuer.sign(key, { role: 'support' }))).scopes.has('webhooks:manage')).toBe(false)
  const narrow = await issuer.sign(key, { role: undefined, scope: 'openid users:read' })
  expect([...(await check(narrow)).scopes]).toEqual(['users:read'])
  expect(countRequests()).toBe(0)
})

test.each<[string, unknown, number]>([
  ['of somebody else', { sub: 'other', role: 'admin' }, 200],
  ['of nobody', { role: 'admin' }, 200],
  ['without a role', { sub: 'somebody', role: 'boss' }, 200],
  ['that refuses the token', { sub: 'somebody', role: 'admin' }, 401],
  ['that is null', null, 200],
])('an answer %s gives nothing but the default role', async (_what, claims, status) => {
  says(claims, status)
  const caller = await checking()(await silent())
  expect(caller.scopes.size).toBe(0)
  expect(caller.noRole).toEqual({ claim: 'role', userInfo: true })
  const { scopes } = await checking({ defaultRole: 'integrator' })(await silent())
  expect([...scopes]).toEqual(['events:read', 'webhooks:manage'])
})

describe('an issuer in trouble', () => {
  test('makes it 503, is asked again after five seconds, and heals', async () => {
    says({}, 500)
    const check = checking({ defaultRole: 'support' })
    const token = await silent()
    for (let times = 0; times < 3; times++) {
      const refusal: unknown = await check(token).catch((error: unknown) => error)
      expect(refusal).toBeInstanceOf(Refusal)
      expect(refusal).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    }
    expect(countRequests()).toBe(1)
    says({ sub: 'somebody', role: 'admin' })
    later(5000)
    expect((await check(token)).scopes.has('webhooks:manage')).toBe(true)
    expect(countRequests()).toBe(2)
  })

  test('is one whose answer is longer than anybody needs', async () => {
    says({ sub: 'somebody', role: 'support', about: 'x'.repeat(65_536) })
    const refusal: unknown = await checking()(await silent()).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ status: 503 })
  })

  test('is trusted for an hour in what it told last, and not waited for', async () => {
    says({ sub: 'somebody', role: 'support' })
    const check = checking()
    const token = await silent()
    await check(token)
    // Keys and discovery fail too.
    issuer.mood = 'failing'
    says({}, 500)
    later(5 * minuteMs)
    for (let times = 0; times < 3; times++) expect((await check(token)).scopes.has('users:read')).toBe(true)
    expect(countRequests()).toBe(2)
    later(5000)
    // A request that never completes delays nobody.
    issuer.mood = 'hanging'
    for (let times = 0; times < 3; times++) expect((await check(token)).scopes.has('users:read')).toBe(true)
    await vi.waitFor(() => expect(countRequests()).toBe(3))
  })

  test('is trusted no longer than that, and tells a role that was withdrawn', async () => {
    stopClock()
    const reading = userInfoOf({ issuer: issuer.url, roleClaim: 'role' }, () => issuer.saysBesides)
    says({ sub: 'somebody', role: 'support' })
    expect(await reading('token', 'somebody')).toEqual(['support'])
    says({}, 500)
    later(60 * minuteMs - 1)
    expect(await reading('token', 'somebody')).toEqual(['support'])
    later(5001)
    await expect(reading('token', 'somebody')).rejects.toBeInstanceOf(Refusal)
    says({ sub: 'somebody' })
    later(5000)
    expect(await reading('token', 'somebody')).toEqual([])
  })
})

test('a role that is withdrawn ends within five minutes', async () => {
  stopClock()
  says({ sub: 'somebody', role: 'support' })
  const check = checking()
  await check(await issuer.sign(key))
  const token = await silent()
  expect((await check(token)).scopes.size).toBeGreaterThan(0)
  says({ sub: 'somebody' }, 401)
  later(5 * minuteMs - 1000)
  expect((await check(token)).scopes.size).toBeGreaterThan(0)
  later(1000)
  expect((await check(token)).scopes.size).toBe(0)
})

test('a token goes to no http address of an https issuer', async () => {
  const reading = userInfoOf({ issuer: 'https://issuer.example.org', roleClaim: 'role' }, () => ({
    userinfo_endpoint: `${issuer.url}/userinfo`,
  }))
  expect(await reading('token', 'somebody')).toBeUndefined()
  expect(countRequests()).toBe(0)
})
