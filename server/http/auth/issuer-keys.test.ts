import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { TestIssuer } from '../../testing/issuer.ts'
import { testAudience } from '../../testing/service.ts'
import { bearerCheck } from './caller.ts'
import { IssuerKeys } from './issuer-keys.ts'

const minuteMs = 60_000

let issuer: TestIssuer
let one: Awaited<ReturnType<typeof TestIssuer.newKey>>
let two: typeof one
let keys: IssuerKeys
/** Reported faults, as the operator reads them. */
let faults: string[]
let check: (authorization: readonly string[]) => unknown
beforeEach(async () => {
  issuer = await TestIssuer.start(testAudience)
  one = await TestIssuer.newKey('one')
  two = await TestIssuer.newKey('two')
  issuer.published = [one]
  const rules = {
    issuer: issuer.url,
    audience: testAudience,
    roleClaim: 'role',
    tokenLifetimeHours: 24,
    clockToleranceS: 60,
  }
  faults = []
  keys = new IssuerKeys(issuer.url, (fault) => faults.push(fault))
  check = bearerCheck(rules, keys)
})
afterEach(() => {
  vi.useRealTimers()
  issuer.close()
})

const later = (ms: number) => {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: now + ms })
}

/** Returns the status for a caller with this token: 200, or that of the refusal. */
async function ask(token: string): Promise<number> {
  try {
    await check([`Bearer ${token}`])
    return 200
  } catch (error) {
    return (error as { status: number }).status
  }
}
const askAs = async (key: typeof one, id = key.id) => await ask(await issuer.sign(key, {}, { kid: id }))
/** Sends `count` tokens, each naming an invented key, and returns the number of answers by status. */
async function flood(count: number): Promise<Record<number, number>> {
  const answers: Record<number, number> = {}
  for (let n = 0; n < count; n++) {
    const status = await askAs(two, `invented ${crypto.randomUUID()}`)
    answers[status] = (answers[status] ?? 0) + 1
  }
  return answers
}

describe('the keys of an issuer', () => {
  test('are found by discovery and read once for many tokens, also for many at once', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 20 }, () => issuer.sign(one, { jti: crypto.randomUUID() })),
    )
    expect(await Promise.all(tokens.map(ask))).toEqual(tokens.map(() => 200))
    expect(await askAs(one)).toBe(200)
    expect(issuer.requests).toEqual(['/.well-known/openid-configuration', '/keys'])
  })

  test('are read again every five minutes, and a key that was withdrawn then is trusted no longer', async () => {
    const token = await issuer.sign(one)
    expect(await ask(token)).toBe(200)
    issuer.published = [two]
    later(5 * minuteMs)
    expect(await ask(token)).toBe(401)
    expect(await askAs(two)).toBe(200)
    expect(issuer.looks).toBe(2)
  })

  test('are asked for where discovery says now', async () => {
    expect(await askAs(one)).toBe(200)
    issuer.keysPath = '/keys/new'
    issuer.published = [two]
    expect(await askAs(two)).toBe(200)
    expect(issuer.requests.at(-1)).toBe('/keys/new')
  })
})

describe("the issuer's metadata", () => {
  test('is known without waiting for it, and read again behind an answer when it is old', async () => {
    expect(keys.metadata()).toBeUndefined()
    await vi.waitFor(() => expect(keys.metadata()).toMatchObject({ issuer: issuer.url }))
    const looks = issuer.looks
    issuer.keysPath = '/keys/new'
    later(5 * minuteMs)
    expect(keys.metadata()).toMatchObject({ jwks_uri: `${issuer.url}/keys` })
    await vi.waitFor(() => expect(keys.metadata()).toMatchObject({ jwks_uri: `${issuer.url}/keys/new` }))
    expect(issuer.looks).toBe(looks + 1)
  })

  test('is told once where it cannot be used, and again when something else is wrong', async () => {
    const faults: string[] = []
    const opened = async (url: string) => {
      const opening = new IssuerKeys(url, (fault) => faults.push(fault))
      for (let n = 0; n < 3; n++) await opening.open()
      return opening
    }
    expect((await opened(issuer.url)).metadata()).toMatchObject({ issuer: issuer.url })
    expect(faults).toEqual([])
    await opened(`${issuer.url}/`)
    expect(faults.splice(0)).toEqual([
      `it calls itself "${issuer.url}", and OIDC_ISSUER is "${issuer.url}/": they differ by the slash at the end`,
    ])
    issuer.saysInstead = null
    await opened(issuer.url)
    issuer.saysInstead = undefined
    expect(faults.splice(0)).toEqual([`it calls itself nothing, and OIDC_ISSUER is "${issuer.url}"`])
    await opened(`${issuer.url}/realms/one`)
    expect(faults.splice(0)).toEqual([
      `${issuer.url}/realms/one/.well-known/openid-configuration answers 500 instead of 200`,
    ])
    issuer.saysBesides = { issuer: 'https://other.example.org' }
    const healing = await opened(issuer.url)
    issuer.saysBesides = {}
    issuer.published = []
    await healing.open()
    expect(faults.splice(0)).toEqual([
      `it calls itself "https://other.example.org", and OIDC_ISSUER is "${issuer.url}"`,
      'it has no keys',
    ])
    issuer.close()
    await opened(issuer.url)
    expect(faults).toEqual(['it cannot be reached'])
  })

  test('costs an issuer in trouble no more than tokens do', async () => {
    issuer.published = []
    for (let page = 0; page < 50; page++) {
      keys.metadata()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await vi.waitFor(() => expect(issuer.looks).toBeGreaterThan(0))
    expect(issuer.looks).toBeLessThanOrEqual(5)
  })
})

describe('a rotation', () => {
  test('refuses no token, though unknown keys were named just before', async () => {
    expect(await askAs(one)).toBe(200)
    expect(await flood(3)).toEqual({ 401: 3 })
    issuer.published = [one, two]
    expect(await askAs(two)).toBe(200)
    expect(await askAs(one)).toBe(200)
    expect(issuer.looks).toBe(5)
  })

  test('refuses no token that comes while the keys are being read for another one', async () => {
    expect(await askAs(one)).toBe(200)
    const stray = issuer.sign(two, {}, { kid: 'stray' })
    const began = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    issuer.beforeKeys = async () => {
      began.resolve()
      await go.promise
    }
    const strayAnswer = stray.then(ask)
    await began.promise
    // The pending answer predates the new key's publication, but a token with that key has already arrived.
    issuer.published = [one, two]
    const early = askAs(two)
    await new Promise((resolve) => setImmediate(resolve))
    issuer.beforeKeys = () => {}
    go.resolve()
    expect(await strayAnswer).toBe(401)
    expect(await early).toBe(200)
  })

  test('each minute for hours leaves the budget as it was', async () => {
    for (let n = 0; n < 30; n++) {
      const key = await TestIssuer.newKey(`key ${n}`)
      issuer.published = [key]
      expect(await askAs(key)).toBe(200)
    }
    expect(await flood(5)).toEqual({ 401: 5 })
  })

  test('ends what was remembered of the key before, as soon as it is seen', async () => {
    const token = await issuer.sign(one)
    for (let n = 0; n < 3; n++) expect(await ask(token)).toBe(200)
    issuer.published = [two]
    expect(await askAs(two)).toBe(200)
    expect(await ask(token)).toBe(401)
  })

  test('refuses no token whose key somebody named before it was there', async () => {
    expect(await askAs(one)).toBe(200)
    expect(await askAs(two)).toBe(401)
    issuer.published = [one, two]
    expect(await askAs(two)).toBe(200)
    // Even after many failed lookups, the token may be valid, so the answer is 503 until another reload.
    const three = await TestIssuer.newKey('three')
    for (let n = 0; n < 20; n++) await askAs(three)
    issuer.published = [two, three]
    const token = await issuer.sign(three)
    const refused = Promise.resolve().then(() => check([`Bearer ${token}`]))
    await expect(refused).rejects.toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.any(String) },
    })
    expect(await askAs(one)).toBe(200)
    later(30_000)
    expect(await ask(token)).toBe(200)
    expect(await askAs(one)).toBe(401)
  })

  test.each([0, 1, 5, 19, 29, 31])(
    'calls no token invalid %i s after its key was named by somebody who keeps doing so',
    async (seconds) => {
      expect(await askAs(one)).toBe(200)
      for (let n = 0; n < 10; n++) await askAs(two)
      later(seconds * 1000)
      issuer.published = [one, two]
      const foreign = { ...two, privateKey: one.privateKey }
      for (let n = 0; n < 5; n++) expect([401, 503]).toContain(await askAs(foreign))
      expect([200, 503]).toContain(await askAs(two))
      later(61_000)
      expect(await askAs(two)).toBe(200)
    },
  )

  test('during a flood of invented keys is told to come back, and never that its token is invalid', async () => {
    expect(await askAs(one)).toBe(200)
    await flood(50)
    issuer.published = [one, two]
    const token = await issuer.sign(two)
    expect(await ask(token)).toBe(503)
    later(30_000)
    expect(await ask(token)).toBe(200)
  })
})

describe('tokens of unknown keys', () => {
  test('cost a few readings at once and then one in 30 seconds, however many they are', async () => {
    expect(await askAs(one)).toBe(200)
    expect(await flood(400)).toEqual({ 401: 5, 503: 395 })
    expect(issuer.looks).toBe(6)
    for (let n = 0; n < 10; n++) {
      later(30_000)
      await flood(10)
    }
    expect(issuer.looks).toBe(16)
    expect(await askAs(one)).toBe(200)
  })

  test('that name the same one cost two readings and then one in 30 seconds, and are called invalid after a reading alone', async () => {
    expect(await askAs(one)).toBe(200)
    const answers = async () => {
      const given: number[] = []
      for (let n = 0; n < 20; n++) given.push(await askAs(two))
      return given
    }
    expect(await answers()).toEqual([401, 401, ...Array.from({ length: 18 }, () => 503)])
    expect(issuer.looks).toBe(3)
    for (let spans = 1; spans <= 4; spans++) {
      later(30_000)
      expect(await answers()).toEqual([401, ...Array.from({ length: 19 }, () => 503)])
      expect(issuer.looks).toBe(3 + spans)
    }
    // The rest of the budget is left for other keys.
    issuer.published = [one, await TestIssuer.newKey('three')]
    expect(await askAs(issuer.published[1] ?? one)).toBe(200)
  })

  test('all at once share one reading', async () => {
    expect(await askAs(one)).toBe(200)
    const tokens = await Promise.all(
      Array.from({ length: 50 }, (_none, n) => issuer.sign(two, {}, { kid: `${n}` })),
    )
    expect(new Set(await Promise.all(tokens.map(ask)))).toEqual(new Set([401]))
    expect(issuer.looks).toBeLessThanOrEqual(3)
  })

  test('while the issuer fails cost no more than that, and known keys stay valid', async () => {
    const token = await issuer.sign(one)
    expect(await ask(token)).toBe(200)
    issuer.mood = 'failing'
    expect(await flood(400)).toEqual({ 503: 400 })
    expect(issuer.requests).toHaveLength(2 + 5)
    expect(await ask(token)).toBe(200)
    expect(await askAs(one)).toBe(200)
  })
})

describe('an issuer in trouble', () => {
  test.each(['failing', 'empty', 'nonsense'])(
    '%s makes it 503 with a time to come back, and heals',
    async (what) => {
      if (what === 'failing') issuer.mood = 'failing'
      else if (what === 'empty') issuer.published = []
      else issuer.published = [{ ...one, published: null as never }]
      const token = await issuer.sign(one)
      const first = Promise.resolve().then(() => check([`Bearer ${token}`]))
      await expect(first).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
      expect(await ask(token)).toBe(503)
      issuer.mood = 'well'
      issuer.published = [one]
      expect(await ask(token)).toBe(200)
    },
  )

  test('from the start is asked five times, then every five seconds', async () => {
    issuer.mood = 'failing'
    const token = await issuer.sign(one)
    for (let n = 0; n < 400; n++) expect(await ask(token)).toBe(503)
    expect(issuer.requests).toHaveLength(5)
    const refused = Promise.resolve().then(() => check([`Bearer ${token}`]))
    await expect(refused).rejects.toMatchObject({ headers: { 'retry-after': '5' } })
    issuer.mood = 'well'
    later(5000)
    expect(await ask(token)).toBe(200)
  })

  test('is asked again while its last keys are trusted, for an hour at most', async () => {
    const token = await issuer.sign(one)
    expect(await ask(token)).toBe(200)
    issuer.mood = 'failing'
    later(59 * minuteMs)
    for (let n = 0; n < 20; n++) expect(await askAs(one)).toBe(200)
    later(minuteMs)
    expect(await askAs(one)).toBe(503)
    issuer.mood = 'well'
    later(30_000)
    expect(await askAs(one)).toBe(200)
  })

  test('that takes a request and never answers holds up a token once, and none of a known key afterwards', async () => {
    expect(await askAs(one)).toBe(200)
    issuer.mood = 'hanging'
    expect(await Promise.all([askAs(two), askAs(two, 'another'), askAs(one)])).toEqual([503, 503, 200])
    expect(issuer.requests).toHaveLength(3)
    expect(faults).toEqual(['it does not answer in time'])
    later(6 * minuteMs)
    const started = issuer.requests.length
    // A reload starts in the background, and the request does not wait for it.
    expect(await askAs(one)).toBe(200)
    await vi.waitFor(() => expect(issuer.requests).toHaveLength(started + 1), 30_000)
    expect(await askAs(one)).toBe(200)
  })

  test('that offers its keys by http though it is https itself is not taken at its word', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({
        issuer: 'https://issuer.example.org',
        jwks_uri: `${issuer.url}/keys`,
        keys: [one.published],
      }),
    )
    const { find } = new IssuerKeys('https://issuer.example.org')
    await expect(find({ alg: 'ES256', kid: 'one' }, {} as never)).rejects.toMatchObject({ status: 503 })
    vi.unstubAllGlobals()
  })
})
