import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { TestIssuer } from '../../testing/issuer.ts'
import { testAudience } from '../../testing/service.ts'
import { bearerCheck } from './caller.ts'
import { IssuerKeys } from './issuer-keys.ts'
import { userInfoOf } from './user-info.ts'

const discovery = '/.well-known/openid-configuration'

let issuer: TestIssuer
let key: Awaited<ReturnType<typeof TestIssuer.newKey>>
/** Bytes that the issuer could get rid of in answers of its own making, and paths to which redirects led. */
let sent: number
beforeEach(async () => {
  issuer = await TestIssuer.start(testAudience)
  key = await TestIssuer.newKey('one')
  issuer.published = [key]
  issuer.saysBesides = { userinfo_endpoint: `${issuer.url}/userinfo` }
  sent = 0
})
afterEach(() => issuer.close())

type Answer = (response: ServerResponse) => unknown

/** Writes the chunk again and again until the client has closed the connection. */
async function pour(response: ServerResponse, chunk: Buffer): Promise<void> {
  const closed = once(response, 'close')
  while (!response.destroyed) {
    sent += chunk.length
    if (!response.write(chunk)) await Promise.race([once(response, 'drain').catch(() => {}), closed])
  }
}

const blanks = Buffer.alloc(65_536, ' ')
const endless: Answer = (response) => void pour(response, blanks)
const json =
  (value: unknown): Answer =>
  (response) =>
    response.end(JSON.stringify(value))
const packed =
  (coding: string, body: Buffer): Answer =>
  (response) =>
    response.setHeader('content-encoding', coding).end(body)
const redirect =
  (to: string, status = 302): Answer =>
  (response) =>
    response.writeHead(status, { location: to }).end()
async function drip(response: ServerResponse): Promise<void> {
  while (!response.destroyed) {
    response.write(' ')
    await setTimeout(100)
  }
}

/** 64 MB of blanks, which decode from some thousand bytes. */
const bomb = Buffer.alloc(64 * 1024 * 1024, ' ')
/** JSON with a member of this many levels. */
const deep =
  (levels: number): Answer =>
  (response) =>
    response.end(`{"keys":[{"x":${'['.repeat(levels)}${']'.repeat(levels)}}]}`)
const tooLong = 'answers more than 1,000,000 bytes'

/** Checks a token with a service that has just been started, and returns its answer and the operator's reading of it. */
async function ask(): Promise<{ status: number; retryAfter?: string | undefined; faults: string[] }> {
  const faults: string[] = []
  const keys = new IssuerKeys(issuer.url, (fault) => faults.push(fault.replaceAll(issuer.url, '')))
  const rules = {
    issuer: issuer.url,
    audience: testAudience,
    roleClaim: 'role',
    tokenLifetimeHours: 24,
    clockToleranceS: 60,
  }
  const token = await issuer.sign(key)
  try {
    await bearerCheck(rules, keys)([`Bearer ${token}`])
    return { status: 200, faults }
  } catch (error) {
    const { status, headers } = error as { status: number; headers: Record<string, string> }
    return { status, retryAfter: headers['retry-after'], faults }
  }
}

const answering = (path: string, answer: Answer) => {
  issuer.instead = (requested, response) => {
    if (requested === path) answer(response)
    return requested === path
  }
}

describe.each([discovery, '/keys'])('an answer for %s', (path) => {
  test.each<[string, Answer, string]>([
    ['that never ends', endless, tooLong],
    [
      'that says that it is 256 MB long',
      (response) => endless(response.setHeader('content-length', 2 ** 28)),
      tooLong,
    ],
    ['that is small as it comes and 64 MB when it is unpacked', packed('gzip', gzipSync(bomb)), tooLong],
    ['that is packed twice', packed('gzip, gzip', gzipSync(gzipSync(bomb))), tooLong],
    ['that is packed with brotli', packed('br', brotliCompressSync(bomb)), tooLong],
    [
      'that never ends and is an error',
      (response) => endless(response.writeHead(500)),
      'answers 500 instead of 200',
    ],
    ['that is empty', (response) => response.writeHead(204).end(), 'answers 204 instead of 200'],
    ['that is 10,000 levels deep', deep(10_000), 'answers JSON of more than 100 levels'],
    ['that is 101 levels deep', deep(98), 'answers JSON of more than 100 levels'],
    ['that is a page', (response) => response.end('<!doctype html>'), 'does not answer JSON'],
    ['that is not packed as it says', packed('gzip', Buffer.from('{}')), 'does not answer JSON'],
    ['that leads in a circle', redirect(path), `redirects to ${path} (302), and redirects are not followed`],
    [
      'that leads to http elsewhere',
      redirect('http://issuer.example.org/x?y=z#f', 301),
      'redirects to http://issuer.example.org/x (301), and redirects are not followed',
    ],
    [
      'that leads to this machine',
      redirect('http://127.0.0.1:1/keys', 307),
      'redirects to http://127.0.0.1:1/keys (307), and redirects are not followed',
    ],
    [
      'that leads to another path',
      redirect('/elsewhere', 308),
      'redirects to /elsewhere (308), and redirects are not followed',
    ],
    ['that leads to no address', redirect('http://', 303), 'redirects (303), and redirects are not followed'],
  ])('%s makes it 503, with the reason in the log', async (_what, answer, fault) => {
    answering(path, answer)
    const started = performance.now()
    expect(await ask()).toEqual({ status: 503, retryAfter: '2', faults: [`${path} ${fault}`] })
    expect(performance.now() - started).toBeLessThan(4000)
    // Sockets on both sides hold some of it.
    expect(sent).toBeLessThan(16_000_000)
    expect(issuer.requests.filter((requested) => requested !== discovery && requested !== '/keys')).toEqual(
      [],
    )
  })

  test('that drips is given up after five seconds', async () => {
    answering(path, (response) => void drip(response))
    const started = performance.now()
    expect(await ask()).toEqual({ status: 503, retryAfter: '2', faults: ['it does not answer in time'] })
    expect(performance.now() - started).toBeLessThan(8000)
  })

  test('that breaks off makes it 503', async () => {
    answering(path, (response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('{')
      setImmediate(() => response.destroy())
    })
    expect(await ask()).toEqual({ status: 503, retryAfter: '2', faults: ['it cannot be reached'] })
  })
})

describe('keys', () => {
  const set = (...more: unknown[]) => answering('/keys', json({ keys: [key.published, ...more] }))

  test.each<[string, () => void, string]>([
    [
      'that are a hundred thousand',
      () => set(...Array.from({ length: 100_000 }, () => ({}))),
      '/keys has 100,001 keys, and at most 1,000 are read',
    ],
    ['of which one is null', () => set(null), '/keys answers no set of keys'],
    ['that are a number', () => answering('/keys', json({ keys: 5 })), '/keys answers no set of keys'],
    ['that are null', () => answering('/keys', json(null)), '/keys answers no set of keys'],
    [
      'at an address of a file',
      () => (issuer.saysBesides = { jwks_uri: 'file:///etc/keys.json' }),
      'it names no http address of its keys',
    ],
    [
      'within their own address',
      () => (issuer.saysBesides = { jwks_uri: 'data:application/json,{"keys":[]}' }),
      'it names no http address of its keys',
    ],
    ['at no address', () => (issuer.saysBesides = { jwks_uri: 5 }), 'it names no http address of its keys'],
  ])('%s make it 503, with the reason in the log', async (_what, publish, fault) => {
    publish()
    expect(await ask()).toEqual({ status: 503, retryAfter: '2', faults: [fault] })
  })

  test.each<[string, Record<string, unknown>]>([
    [
      'a modulus of 5.6 million bits',
      { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(700_000, 255).toString('base64url') },
    ],
    [
      'an exponent of 700 KB',
      {
        kty: 'RSA',
        n: Buffer.alloc(256, 255).toString('base64url'),
        e: Buffer.alloc(700_000, 255).toString('base64url'),
      },
    ],
    ['a modulus that is a number', { kty: 'RSA', e: 'AQAB', n: 5 }],
    ['no members', {}],
    ['a kind that there is not', { kty: 'XYZ' }],
  ])('with one that has %s serve the others', async (_what, odd) => {
    const rsa = await TestIssuer.newKey('odd', 'RS256')
    set({ kid: 'odd', alg: 'RS256', use: 'sig', ...odd })
    expect(await ask()).toEqual({ status: 200, faults: [] })
    key = { ...rsa, id: 'odd' }
    issuer.published = [key]
    const one = await TestIssuer.newKey('one')
    answering('/keys', json({ keys: [one.published, { kid: 'odd', alg: 'RS256', ...odd }] }))
    expect(await ask()).toEqual({ status: 401, faults: [] })
  })

  test.each<[string, Answer]>([
    [
      'are text',
      (response) =>
        response.setHeader('content-type', 'text/plain').end(JSON.stringify({ keys: [key.published] })),
    ],
    [
      'are packed',
      (response) => packed('gzip', gzipSync(JSON.stringify({ keys: [key.published] })))(response),
    ],
    [
      'come with a million blanks but one',
      (response) => response.end(JSON.stringify({ keys: [key.published] }).padEnd(1_000_000)),
    ],
  ])('that %s are read', async (_what, answer) => {
    answering('/keys', answer)
    expect(await ask()).toEqual({ status: 200, faults: [] })
  })
})

describe('an answer of the userinfo endpoint', () => {
  const claims = Buffer.from(JSON.stringify({ sub: 'somebody', role: 'admin' }))
  test.each<[string, Answer, string]>([
    ['that never ends', endless, 'answers more than 65,536 bytes'],
    [
      'that is small as it comes and 64 MB when it is unpacked',
      packed('gzip', gzipSync(bomb)),
      'answers more than 65,536 bytes',
    ],
    [
      'that never ends and is an error',
      (response) => endless(response.writeHead(500)),
      'answers 500 instead of 200',
    ],
    ['that is a page', (response) => response.end('<!doctype html>'), 'does not answer JSON'],
    [
      'that leads elsewhere',
      redirect('http://127.0.0.1:1/'),
      'redirects to http://127.0.0.1:1/ (302), and redirects are not followed',
    ],
    ['that drips', (response) => void drip(response), ''],
  ])('%s makes it 503, with the reason in the log', async (_what, answer, fault) => {
    answering('/userinfo', answer)
    const ask = userInfoOf({ issuer: issuer.url, roleClaim: 'role' }, () => issuer.saysBesides)
    await expect(ask('token', 'somebody')).rejects.toMatchObject({
      status: 503,
      logged: `the userinfo endpoint of the issuer cannot be used: callers whose token names no role get 503: ${fault === '' ? 'it does not answer in time' : `${issuer.url}/userinfo ${fault}`}`,
    })
    expect(sent).toBeLessThan(16_000_000)
  })

  test('that is packed is read', async () => {
    answering('/userinfo', packed('gzip', gzipSync(claims)))
    const ask = userInfoOf({ issuer: issuer.url, roleClaim: 'role' }, () => issuer.saysBesides)
    expect(await ask('token', 'somebody')).toEqual(['admin'])
  })
})
