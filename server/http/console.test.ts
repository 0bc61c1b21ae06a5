import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, onTestFinished } from 'vitest'

import { startTestService, type TestService } from '../testing/service.ts'
import { consoleAddresses } from './console.ts'
import { headerTable } from './errors/bare-problems.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const folder = mkdtempSync(path.join(tmpdir(), 'data-store-console-'))
const settings = {
  apiUrl: '/api',
  oidc: {
    authority: 'https://issuer.example.org',
    clientId: 'console',
    scope: 'openid',
    audience: 'a',
    roleClaim: 'role',
  },
  environment: { name: 'Test', colour: 'teal' },
  timeZone: 'UTC',
  session: 'tab' as const,
}
let provider: Record<string, unknown> | undefined
const start = (consoleUrl: string, additions: 'all' | 'none' = 'all') =>
  startTestService({ additions, console: { folder, consoleUrl, settings, provider: () => provider } })

let service: TestService
let below: TestService
beforeAll(async () => {
  for (const [name, text] of Object.entries({
    'index.html': '<base href="/" />the page',
    'favicon.svg': '<svg/>',
    'assets/index-1.js': 'code()',
    'assets/index-1.js.gz': 'packed',
    '.vite/manifest.json': '{}',
    '.env': 'SECRET=1',
  })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), text)
  }
  ;[service, below] = await Promise.all([
    start('http://data-store.test/'),
    start('http://data-store.test/shop/'),
  ])
})
afterAll(async () => {
  await Promise.all([service.close(), below.close()])
  rmSync(folder, { recursive: true })
})

async function get(address: string, accept = browser, from = service, method = 'GET') {
  const response = await from.fetch(`http://data-store.test${address}`, { method, headers: { accept } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('an address that nothing is at', () => {
  const long = 'x'.repeat(101)
  test.each(['/api', '/api/', '/api/nothing', '/api/users/1/nothing', '/api/.env', `/api/nothing/${long}`])(
    '%s is a problem, whatever the method and the caller',
    async (address) => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers, text } = await get(address, browser, service, method)
        expect(`${method} ${status}`).toBe(`${method} 404`)
        expect(Object.fromEntries(headers)).toMatchObject(headerTable)
        expect(headers.get('content-type')).toBe('application/json;charset=UTF-8')
        if (method !== 'HEAD')
          expect(JSON.parse(text)).toMatchObject({ status: 404, code: 'unknown_address' })
      }
    },
  )

  test.each([
    '/nothing',
    '/nothing?a=b',
    '/users/1/nothing',
    '/usersx',
    '/apis',
    '/assets/index-2.js',
    '/assets/',
    '/assets/index-1.js.gz',
    '/.vite/manifest.json',
    '/.env',
    '/index.html',
    '/%2e%76ite/manifest.json',
    `/nothing/${long}`,
    '//nothing',
  ])('%s is a page for people that says so, and a problem for everything else', async (address) => {
    const page = await get(address)
    expect(page.status).toBe(404)
    expect(page.headers.get('content-type')).toBe('text/html;charset=UTF-8')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.has('etag')).toBe(false)
    expect(page.text).toMatch(/^<base href="\/" \/>.*the page$/s)
    const head = await get(address, browser, service, 'HEAD')
    expect([head.status, head.headers.get('content-type'), head.text]).toEqual([
      404,
      'text/html;charset=UTF-8',
      '',
    ])
    const others = [
      ...['application/json', '*/*', 'text/*', 'text/html;q=0', ''].map((accept) => [accept, 'GET'] as const),
      ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => [browser, method] as const),
    ]
    for (const [accept, method] of others) {
      const { status, headers, text } = await get(address, accept, service, method)
      expect([accept, method, status]).toEqual([accept, method, 404])
      expect(Object.fromEntries(headers)).toMatchObject(headerTable)
      expect(headers.get('content-type')).toBe('application/json;charset=UTF-8')
      expect(JSON.parse(text)).toMatchObject({ status: 404, code: 'unknown_address' })
    }
  })

  test('is one too for a body of any kind, which is not read', async () => {
    const { status } = await service.fetch('http://data-store.test/api/nothing', {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x'.repeat(2_000_000),
    })
    expect(status).toBe(404)
  })

  test('is what an addition has where there are none', async () => {
    const bare = await start('http://data-store.test/', 'none')
    for (const address of ['/api/capabilities', '/api/openapi.json', '/api/docs', '/api/subscriptions/1']) {
      const { status, text } = await get(address, browser, bare)
      expect(status).toBe(404)
      expect(JSON.parse(text)).toMatchObject({ code: 'unknown_address' })
    }
    await bare.close()
  })
})

test('an id of any length is looked for', async () => {
  const { status, body } = await service.call('admin', 'GET', `/users/${'x'.repeat(3000)}`)
  expect(status).toBe(404)
  expect(body).toMatchObject({ code: 'user_not_found' })
})

describe('the page', () => {
  test('is at each address of the console, for those that take HTML', async () => {
    for (const address of [...consoleAddresses, 'signed-in', 'signed-in/popup']) {
      const target = `/${address.replaceAll(/:\w+/g, crypto.randomUUID())}`
      for (const accept of [browser, '*/*', 'text/*;q=0.5']) {
        const { status, text } = await get(`${target}?segment=1`, accept)
        expect([target, status]).toEqual([target, 200])
        expect(text).toMatch(/^<base href="\/" \/>.*the page$/s)
      }
      expect((await get(target, browser, service, 'HEAD')).status).toBe(200)
      expect((await get(target, 'application/json')).status).toBe(404)
      expect((await get(target, browser, service, 'POST')).status).toBe(404)
    }
  })

  test('is below the path of the console address, and nowhere else', async () => {
    for (const address of ['/shop', '/shop/', '/shop/users', '/shop/users/1/entities/2'])
      expect((await get(address, browser, below)).text).toContain('<base href="/shop/" />')
    expect((await get('/shop/config.json', '*/*', below)).status).toBe(200)
    expect((await get('/shop/assets/index-1.js', '*/*', below)).text).toBe('code()')
    for (const address of ['/', '/users', '/shopusers', '/assets/index-1.js']) {
      const { status, text } = await get(address, browser, below)
      expect(status).toBe(404)
      expect(JSON.parse(text)).toMatchObject({ code: 'unknown_address' })
    }
    const within = await get('/shop/nothing', browser, below)
    expect(within.status).toBe(404)
    expect(within.text).toContain('<base href="/shop/" />')
    expect((await get('/shop/.vite/manifest.json', browser, below)).text).not.toContain('{}')
  })

  test('contains the first answers that the console needs, and nothing that could end their block', async () => {
    const prefetched = async (from: TestService) => {
      const [block, ...others] = (await get('/', browser, from)).text.matchAll(
        /<script type="application\/json" id="prefetched">(.*?)<\/script>/gs,
      )
      expect(others).toEqual([])
      return JSON.parse(block?.[1] ?? '') as unknown
    }
    expect(await prefetched(service)).toEqual({ settings, features: service.features })
    provider = { issuer: 'https://issuer.example.org', note: '</script><!--<script>' }
    expect(await prefetched(service)).toEqual({ settings, features: service.features, provider })
    const bare = await start('http://data-store.test/', 'none')
    expect(await prefetched(bare)).toEqual({ settings, features: {}, provider })
    await bare.close()
  })

  test('is not sent again where it is unchanged', async () => {
    const ask = (etag: string) =>
      service.fetch('http://data-store.test/users', { headers: { accept: browser, 'if-none-match': etag } })
    provider = { issuer: 'https://one.example.org' }
    const etag = (await get('/users')).headers.get('etag') ?? ''
    const unchanged = await ask(etag)
    expect([unchanged.status, await unchanged.text()]).toEqual([304, ''])
    expect(unchanged.headers.get('content-security-policy')).toContain("default-src 'none'")
    for (const spelling of [`W/${etag}`, etag.replace(/"$/, '-gzip"'), `"other", ${etag}`, '*'])
      expect((await ask(spelling)).status).toBe(304)
    provider = { issuer: 'https://two.example.org' }
    expect((await ask(etag)).status).toBe(200)
  })

  test('is packed where that is understood, under a tag that is good for both', async () => {
    const plain = await get('/users')
    const { port } = await service.listen()
    const packed = (coding: string, etag = '') =>
      fetch(`http://localhost:${port}/users`, {
        headers: { accept: browser, 'accept-encoding': coding, 'if-none-match': etag },
      })
    const answer = await packed('br, gzip;q=0.5')
    const { headers } = answer
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(headers.get('vary')).toContain('accept-encoding')
    expect(await answer.text()).toBe(plain.text)
    expect((await packed('gzip', plain.headers.get('etag') ?? '')).status).toBe(304)
    expect((await packed('gzip', headers.get('etag') ?? '')).status).toBe(304)
    expect((await packed('gzip;q=0, identity')).headers.has('content-encoding')).toBe(false)
  })

  test('has a policy that lets no script make another, and shares no window', async () => {
    const { headers } = await get('/')
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain("trusted-types 'none'")
    expect(policy).toHaveLength(new Set(policy?.map((rule) => rule.split(' ')[0])).size)
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  test('is framed and embedded by nobody, and binds browsers to https only where it comes so', async () => {
    const secure = await start('https://data-store.test/')
    onTestFinished(() => secure.close())
    for (const address of ['/', '/favicon.svg', '/assets/index-1.js', '/config.json']) {
      const { headers } = await get(address)
      expect([address, headers.get('x-frame-options')]).toEqual([address, 'DENY'])
      expect([address, headers.get('cross-origin-resource-policy')]).toEqual([address, 'same-origin'])
      expect([address, headers.has('strict-transport-security')]).toEqual([address, false])
      const bound = (await get(address, browser, secure)).headers.get('strict-transport-security')
      expect([address, bound]).toEqual([address, 'max-age=31536000; includeSubDomains'])
    }
  })

  test('may ask where the issuer has its endpoints, as discovery tells it now, and nothing else', async () => {
    const connect = async () =>
      (await get('/')).headers
        .get('content-security-policy')
        ?.split('; ')
        .filter((rule) => rule.startsWith('connect-src'))
    provider = undefined
    expect(await connect()).toEqual(["connect-src 'self' https://issuer.example.org"])
    provider = {
      token_endpoint: 'https://tokens.example.org:8443/token',
      userinfo_endpoint: 'https://graph.example.org/oidc/userinfo',
      end_session_endpoint: 'https://issuer.example.org/logout',
      authorization_endpoint: 'https://pages.example.org/auth',
    }
    expect(await connect()).toEqual([
      "connect-src 'self' https://issuer.example.org https://tokens.example.org:8443 https://graph.example.org",
    ])
    provider = {
      token_endpoint: 'https://a;sandbox/token',
      userinfo_endpoint: 'data:text/plain,x',
      end_session_endpoint: ['*'],
    }
    expect(await connect()).toEqual(["connect-src 'self' https://issuer.example.org"])
    provider = undefined
  })

  test('brings its files, packed where that is understood', async () => {
    const { text, headers } = await get('/assets/index-1.js', '*/*')
    expect(text).toBe('code()')
    expect(headers.get('cache-control')).toContain('immutable')
    const packed = await service.fetch('http://data-store.test/assets/index-1.js', {
      headers: { 'accept-encoding': 'gzip, deflate' },
    })
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toContain('accept-encoding')
    expect((await get('/favicon.svg', 'image/*')).text).toBe('<svg/>')
  })
})
