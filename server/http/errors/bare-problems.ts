import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { problemBody, Refusal } from './problem.ts'

/**
 * Headers that the API document requires on every response of the API, errors included, and one that keeps other sites
 * from embedding an answer.
 */
export const headerTable = {
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
  expires: '0',
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '1; mode=block',
  'x-frame-options': 'DENY',
  'strict-transport-security': 'max-age=31536000 ; includeSubDomains ; preload',
  'cross-origin-resource-policy': 'same-origin',
} as const

export const badRequest = new Refusal('bad_request', 'The request is not valid HTTP.')
export const hostMissing = new Refusal('host_missing', 'Send a Host header: HTTP/1.1 requires one.')
export const hostInvalid = new Refusal(
  'invalid_host',
  'Send one Host header with one name or address, and perhaps a port.',
)
export const unknownExpectation = new Refusal(
  'unknown_expectation',
  'The only Expect header that is met here is 100-continue.',
)
const allow = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
export const noTunnels = new Refusal('method_not_allowed', 'CONNECT is not answered here.', {
  headers: { allow },
})
const unknownMethod = new Refusal(
  'method_not_allowed',
  `There is no such method here: use one of ${allow}.`,
  {
    headers: { allow },
  },
)

/** Refusals by the code with which Node rejects an unreadable request. */
const unreadable: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: new Refusal('request_timeout', 'The request did not arrive in time.'),
  HPE_HEADER_OVERFLOW: new Refusal(
    'headers_too_large',
    'The address and the headers are larger than 16 KB together.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new Refusal('body_too_large', 'The chunk extensions are too large.'),
}

/** A first line that is HTTP but for its method, which Node does not know. */
const requestLine = /^[!#$%&'*+.^`|~\w-]+ \S+ HTTP\/1\.[01]\r?\n/

interface Unreadable extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

export function refusalOfUnreadable({ code = '', rawPacket, bytesParsed = 0 }: Unreadable): Refusal {
  if (code === 'HPE_INVALID_METHOD' && rawPacket) {
    // A packet may begin with other requests; the error lies within the line of this one.
    const line = rawPacket.toString('latin1', rawPacket.subarray(0, bytesParsed).lastIndexOf('\n') + 1)
    if (requestLine.test(line)) return unknownMethod
  }
  return unreadable[code] ?? badRequest
}

function headersOf(refusal: Refusal, body: string) {
  return {
    ...headerTable,
    ...refusal.headers,
    'content-type': 'application/json;charset=UTF-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
}

/** Answers a request that does not reach the application. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  const body = problemBody(refusal, randomUUID())
  response.writeHead(refusal.status, headersOf(refusal, body)).end(body)
}

/**
 * Time for which bytes are still read after the answer: closing a socket with unread bytes would discard the answer.
 */
const lingerMs = 1000

/** Answers unreadable input or CONNECT, and closes the socket. */
export function endWith(
  socket: Duplex,
  { refusal, hasBody }: { readonly refusal: Refusal; readonly hasBody: boolean },
): void {
  const body = problemBody(refusal, randomUUID())
  const lines = Object.entries(headersOf(refusal, body)).map(([name, value]) => `${name}: ${value}`)
  const start = `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`
  socket.on('error', () => socket.destroy())
  socket.end([start, ...lines, '', hasBody ? body : ''].join('\r\n'))
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}
