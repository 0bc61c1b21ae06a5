import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test, vi } from 'vitest'

import { endpoints, maxBodyBytes } from '#contract/index.ts'
import { testService } from '../testing/hooks.ts'

const service = testService()
let port: number
let authorization: string
beforeAll(async () => {
  ;({ port } = await service.listen())
  authorization = `authorization: Bearer ${await service.token('admin')}\r\n`
})

const wait = { timeout: 30_000, interval: 2 }

/**
 * Sends a HEAD on a connection that stays open, and GET /livez after the end of its headers. Returns the status of the
 * first, and all that came after its headers, without the headers of the second.
 */
async function headThenGet(
  path: string,
  extra: string,
  body = '',
): Promise<[status: number, behind: string]> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text = (text + chunk.toString()).replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  })
  await once(socket, 'connect')
  socket.write(`HEAD ${path} HTTP/1.1\r\nhost: localhost\r\n${extra}\r\n${body}`)
  await vi.waitFor(() => expect(text).toContain('\r\n\r\n'), wait)
  const [, status] = text.split(' ')
  socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
  await once(socket, 'close')
  const behind = text.slice(text.indexOf('\r\n\r\n') + 4)
  return [Number(status), behind.replace(/^HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\n/, '')]
}

/** Reads of the API with ids of nothing, and addresses beside it. */
const read = Object.values(endpoints)
  .filter(({ method }) => method === 'GET')
  .map(({ path }) => `/api${path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000')}`)
const beside = [
  '/livez',
  '/readyz',
  '/api/openapi.json',
  '/api/docs',
  '/api/docs/inter.woff2',
  '/api/nothing',
  '/nothing',
  '/',
  '/oidc/.well-known/openid-configuration',
]
const written = ['/api/users/search', '/api/users/batch', '/api/events/stream']

describe.each<[string, () => string]>([
  ['without a token', () => ''],
  ['with a token', () => authorization],
  ['with a token that is none', () => 'authorization: Bearer x\r\n'],
  ['that takes packed answers', () => `${authorization}accept-encoding: br, gzip\r\n`],
  ['of a page', () => 'accept: text/html\r\n'],
  ['from another origin', () => 'origin: https://console.example.org\r\n'],
])('a HEAD %s', (_what, extra) => {
  test.each([...read, ...beside, ...written])(
    'for %s has no body, and the next answer follows',
    async (path) => {
      const [status, behind] = await headThenGet(path, extra())
      expect([status, behind]).toEqual([expect.any(Number), '{"status":"ok"}'])
      expect(status).toBeLessThan(500)
    },
  )
})

test.each<[string, string, string]>([
  ['a body', 'content-length: 2\r\ncontent-type: application/json\r\n', '{}'],
  ['a body that is no JSON', 'content-length: 2\r\ncontent-type: text/plain\r\n', '{{'],
  [
    'a body in chunks',
    'transfer-encoding: chunked\r\ncontent-type: application/json\r\n',
    '2\r\n{}\r\n0\r\n\r\n',
  ],
  [
    'a body beyond the limit',
    `content-length: ${maxBodyBytes + 1}\r\ncontent-type: application/json\r\n`,
    ' '.repeat(maxBodyBytes + 1),
  ],
  ['conditions', 'if-match: "x"\r\nif-none-match: *\r\nrange: bytes=0-1\r\n', ''],
  ['the wish to go on', 'content-length: 2\r\nexpect: 100-continue\r\n', '{}'],
  ['a query that is wrong', 'x-a: b\r\n', ''],
])('a HEAD with %s has no body, and the next answer follows', async (_what, extra, body) => {
  const [status, behind] = await headThenGet('/api/users?limit=x', authorization + extra, body)
  expect([status, behind]).toEqual([expect.any(Number), '{"status":"ok"}'])
  expect(status).toBeLessThan(500)
})
