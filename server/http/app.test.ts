import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { beforeAll, describe, expect, test } from 'vitest'

import { endpoints, isFullService } from '#contract/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import { testService } from '../testing/hooks.ts'
import { startTestService } from '../testing/service.ts'
import { apiPagePaths } from './api-page.ts'

const service = testService()
let port: number
beforeAll(async () => {
  port = (await service.listen()).port
})

const headerTable = {
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '1; mode=block',
  'x-frame-options': 'DENY',
  'strict-transport-security': 'max-age=31536000 ; includeSubDomains ; preload',
  'cross-origin-resource-policy': 'same-origin',
}

const url = (path: string) => `http://127.0.0.1:${port}/api${path}`
const send = async (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
  fetch(url(path), {
    method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${await service.token('admin')}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })

/** Sends bytes unchanged over a socket, for requests that no HTTP client would send. */
function raw(text: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
    // The socket stays open, because Node drops a request whose sender closes before the answer.
    socket.write(text)
  })
}

describe('every response', () => {
  test.each([
    ['GET', '/users', 200],
    ['POST', '/users', 201],
    ['GET', '/datatypes', 200],
    ['GET', '/users/none', 404],
    ['GET', '/users?offset=x', 400],
    ['PUT', '/users', 405],
    ['GET', '/nothing', 404],
    ['GET', '/%', 400],
    ['GET', '/capabilities', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/events', 200],
  ])('carries the header table: %s %s %i', async (method, path, status) => {
    const body = method === 'POST' ? '{}' : undefined
    const response = await send(method, path, body, { 'accept-encoding': 'identity' })
    expect(response.status).toBe(status)
    expect(Object.fromEntries(response.headers)).toMatchObject(headerTable)
    const text = await response.text()
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    expect(response.headers.get('content-type')).toBe(text === '' ? null : 'application/json;charset=UTF-8')
  })

  test('without a token too, and for what is not HTTP at all', async () => {
    const response = await fetch(url('/users'))
    expect(response.status).toBe(401)
    expect(Object.fromEntries(response.headers)).toMatchObject(headerTable)
    const answer = await raw('HELLO\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer).toContain('strict-transport-security: max-age=31536000')
    expect(answer).toContain('"code":"bad_request"')
  })

  test('to a 204 has a length of 0 on the wire, and the connection stays usable', async () => {
    const made = await send('POST', '/users', '{}')
    const path = `/users/${made.headers.get('location')?.split('/').at(-1)}`
    const response = await send('DELETE', path)
    expect(response.status).toBe(204)
    expect(response.headers.get('content-length')).toBe('0')
    expect((await send('GET', '/datatypes')).status).toBe(200)
  })
})

describe('a refusal', () => {
  test('is problem details with a code and the request id', async () => {
    const response = await send('GET', '/users/none')
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      code: 'user_not_found',
      detail: 'There is no user with this id. It may have been deleted.',
      instance: expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })

  test('405 names what is allowed', async () => {
    const response = await send('PUT', '/users', '{}')
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST'])
  })

  test.each([
    ['not JSON', '{"name":', {}, 400, 'invalid_json'],
    ['nothing', '', {}, 400, 'invalid_json'],
    [
      'another type',
      'name=Ana',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['a wrong shape', '[]', {}, 422, 'validation'],
    ['a duplicate key', '{"name":"a","name":"b"}', {}, 400, 'invalid_json'],
    ['a deep nest', `{"properties":${'['.repeat(10_000)}`, {}, 400, 'invalid_json'],
    ['NUL', '{"name":"\\u0000"}', {}, 422, 'validation'],
    ['a lone surrogate', '{"name":"\\ud83d"}', {}, 422, 'validation'],
    ['a prototype', '{"__proto__":{"name":"x"}}', {}, 400, 'invalid_json'],
    ['too much', `{"name":"${'x'.repeat(1024 * 1024)}"}`, {}, 413, 'body_too_large'],
  ])('is the answer to a body that is %s', async (_what, body, headers, status, code) => {
    const response = await send('POST', '/users', body, headers)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ code })
  })

  test.each([
    ['utf-16', 'application/json; charset=utf-16'],
    ['UTF-16LE', 'application/json;charset=UTF-16LE'],
    ['utf-32 in quotes', 'application/json; charset="utf-32"'],
    ['iso-8859-1', 'application/json; charset=iso-8859-1'],
    ['windows-1252 behind another parameter', 'application/json; a=b; Charset = windows-1252'],
    ['utf-8 and utf-16', 'application/json; charset=utf-8; charset=utf-16'],
    ['utf-7', 'application/json; charset=utf-7'],
    ['none', 'application/json; charset='],
    ['"utf-8, utf-16"', 'application/json; charset="utf-8, utf-16"'],
  ])('with 415 answers a body in the charset %s, which would be read as UTF-8', async (_what, type) => {
    const response = await send('POST', '/users', '{"name":"Ana"}', { 'content-type': type })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({
      code: 'unsupported_media_type',
      detail: 'Send the body in UTF-8: Content-Type: application/json, without a charset.',
    })
  })

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;CHARSET="UTF-8"',
    "application/json; charset='utf8'",
    'application/json; charset=us-ascii',
    'application/json; profile="charset=utf-16"',
  ])('is none of a body as %s', async (type) => {
    const response = await send('POST', '/users', '{"name":"Ana"}', { 'content-type': type })
    expect(response.status).toBe(201)
  })

  test.each([
    'gzip',
    'x-gzip',
    'br',
    'deflate',
    'zstd',
    'GZIP',
    'gzip, identity',
    'identity, br',
    'aes128gcm',
  ])('with 415 answers a body encoded as %s, and says so', async (encoding) => {
    for (const path of ['/users', '/users/search', '/segments/preview']) {
      const response = await send('POST', path, '{}', { 'content-encoding': encoding })
      expect(response.status).toBe(415)
      expect(response.headers.get('accept-encoding')).toBe('identity')
      expect(await response.json()).toMatchObject({
        code: 'unsupported_media_type',
        detail: 'Send the body as it is: one with a Content-Encoding is not decoded here.',
      })
    }
  })

  test('names the encoding of a compressed body that does not declare it', async () => {
    const body = gzipSync('{"name":"Ana"}')
    const token = await service.token('admin')
    const head = `POST /api/users HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
    const answer = await raw(Buffer.concat([Buffer.from(head), body]))
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('The body is compressed (gzip). Send it uncompressed.')
    expect((await send('POST', '/users', '{"name":"Ana"}', { 'content-encoding': 'identity' })).status).toBe(
      201,
    )
    // Without a body, the header has no meaning.
    expect((await send('GET', '/users', undefined, { 'content-encoding': 'gzip' })).status).toBe(200)
  })

  test('with 401 answers two Authorization headers', async () => {
    const token = await service.token('admin')
    const answer = await raw(
      `GET /api/users HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })

  test('with 400 answers two reasons for one change, since neither can be trusted', async () => {
    const token = await service.token('admin')
    const user = await service.create('admin', '/users', { name: 'Ana' })
    const answer = await raw(
      `PATCH /api/users/${user} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 14\r\nChange-Reason: one\r\nchange-reason: two\r\nConnection: close\r\n\r\n{"name":"Eva"}`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 [^]*invalid_change_reason/)
    expect((await service.call('admin', 'GET', `/users/${user}`)).body).toMatchObject({ name: 'Ana' })
  })

  test('for a missing token comes before the body is read', async () => {
    const answer = await raw(
      `POST /api/users HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\nConnection: close\r\n\r\n{`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('addresses', () => {
  const post = async (host: string) => {
    const token = await service.token('admin')
    const answer = await raw(
      `POST /api/users HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`,
    )
    const [headers = '', body = ''] = answer.split('\r\n\r\n')
    return { status: Number(headers.split(' ')[1]), headers, body }
  }

  test('Location is on the origin that the request came to', async () => {
    const response = await send('POST', '/users', '{}')
    expect(response.headers.get('location')).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${port}/api/user/`))
  })

  test.each([
    'evil.example.org',
    'localhost.evil.example.org',
    '127.0.0.1.evil.example.org',
    'data-store.test.evil.example.org',
    'user@localhost',
    'evil/?x=',
    '169.254.169.254',
    '[fe80::1]',
  ])('a Host header that names another machine is refused instead of echoed: %s', async (host) => {
    const { status, headers, body } = await post(host)
    expect(status).toBe(400)
    expect(headers).not.toMatch(/^location:/im)
    expect(headers + body).not.toContain(host)
    expect(JSON.parse(body)).toMatchObject({
      code: 'invalid_host',
      detail: expect.stringContaining(/[@/]/.test(host) ? 'Send one Host header' : 'BASE_URL'),
    })
  })

  test.each(['localhost:8080', 'console.localhost', '127.0.0.2', '[::1]:1234', 'data-store.test'])(
    'one that names this machine, or the console, is where Location is: %s',
    async (host) => {
      const { status, headers } = await post(host)
      expect(status).toBe(201)
      expect(headers).toMatch(
        new RegExp(`^location: http://${host.replaceAll(/[[\].]/g, '\\$&')}/api/user/`, 'im'),
      )
    },
  )

  test('health is answered without a token', async () => {
    const health = async (path: string) => await (await fetch(`http://127.0.0.1:${port}${path}`)).json()
    expect(await health('/livez')).toEqual({ status: 'ok' })
    expect(await health('/readyz')).toEqual({ status: 'ok', outboxAgeSeconds: expect.any(Number) })
  })
})

describe('another origin', () => {
  const origin = 'https://console.example.org'

  test('that is configured may ask and read Location; any other may not', async () => {
    const preflight = await fetch(url('/users'), {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin)
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
    const response = await send('POST', '/users', '{}', { origin })
    expect(response.headers.get('access-control-expose-headers')).toContain('Location')
    const other = await send('POST', '/users', '{}', { origin: 'https://evil.example.org' })
    expect(other.headers.get('access-control-allow-origin')).toBeNull()
    expect(other.headers.get('vary')).toBe('Origin')
  })
})

describe('the description', () => {
  test('has every operation', async () => {
    const description = (await (await send('GET', '/openapi.json')).json()) as {
      paths: Record<string, object>
    }
    const operations = Object.values(description.paths).flatMap((path) => Object.keys(path))
    // The event stream is described too, though it is not among `endpoints`.
    expect(operations).toHaveLength(Object.keys(endpoints).length + 1)
    expect(JSON.stringify(description.paths['/events/stream'])).toMatch(
      /"Last-Event-ID".*"text\/event-stream"/,
    )
    expect(JSON.stringify(description.paths['/users/{user_id}'])).toMatch(/"ETag".*"If-Match".*"412"/)
    expect(JSON.stringify(description.paths['/users'])).toContain('"Idempotency-Key"')
    expect(JSON.stringify(description.paths['/events'])).toContain('"after"')
  })

  test('is not there, nor are capabilities, where the bare document is served', async () => {
    const bare = await startTestService({ additions: 'none' })
    for (const path of [
      '/capabilities',
      '/openapi.json',
      ...apiPagePaths,
      '/subscriptions',
      '/events/stream',
    ])
      expect((await bare.call('admin', 'GET', path)).status).toBe(404)
    await bare.close()
  })
})

test('capabilities name the release, and every addition that makes a service full', async () => {
  const response = await fetch(url('/capabilities'))
  const { release, features } = (await response.json()) as {
    release: string
    features: Record<string, number>
  }
  expect({ status: response.status, release, isFull: isFullService(features) }).toEqual({
    status: 200,
    release: manifest.version,
    isFull: true,
  })
})

test('the log tells the trace that a request says it belongs to, and nothing else that it sends there', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const logging = await startTestService({ log })
  try {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const sent = [
      `00-${trace}-00f067aa0ba902b7-01`,
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      'anna@example.org',
    ]
    for (const traceparent of sent)
      await logging.call('admin', 'GET', '/datatypes', undefined, { traceparent })
  } finally {
    await logging.close()
  }
  const traces = lines.map((line) => (JSON.parse(line) as { trace?: string }).trace)
  expect(traces).toEqual(['4bf92f3577b34da6a3ce929d0e0e4736', undefined, undefined])
  expect(lines.join('')).not.toContain('anna')
})
