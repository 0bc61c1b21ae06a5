import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'

import type { Exchange, ExchangeHeaders } from '../exchanges.ts'
import { readBody } from './body-text.ts'

/** Maximum number of bytes kept of a response body. */
const keptBytes = 4096
/** Maximum number of characters kept of each header. */
const keptCharacters = 1000

/** Response headers that may hold secrets, such as session or login credentials, and are not stored. */
const secretHeaders = /cookie|authori[sz]ation|authentication-info|token|secret|password|api-?key|session/i

/** Records the request and the response of an attempt. The request body is not kept: it can be built from the event. */
export class Exchanging {
  readonly #request: ClientRequest
  #answer: IncomingMessage | undefined
  readonly #chunks: Buffer[] = []
  #bytes = 0

  constructor(request: ClientRequest) {
    this.#request = request
  }

  noteResponse(response: IncomingMessage): void {
    this.#answer = response
  }

  /** Adds a chunk of the response body. Returns the length so far. */
  read(chunk: Buffer): number {
    if (this.#bytes < keptBytes) this.#chunks.push(chunk.subarray(0, keptBytes - this.#bytes))
    this.#bytes += chunk.length
    return this.#bytes
  }

  get result(): Exchange {
    const request = { headers: writeHeaders(this.#request.getHeaders()) }
    if (!this.#answer) return { request }
    const given = this.#answer.headers
    const { text: body, isCut } = readBody(Buffer.concat(this.#chunks), {
      encoding: given['content-encoding'],
      type: given['content-type'],
      maxBytes: keptBytes,
      isCut: this.#bytes > keptBytes,
    })
    const headers = writeHeaders(given, (name) => !secretHeaders.test(name))
    return { request, response: { headers, body, ...(isCut && { truncated: true }) } }
  }
}

function writeHeaders(
  headers: IncomingHttpHeaders | OutgoingHttpHeaders,
  isKept: (name: string) => boolean = () => true,
): ExchangeHeaders {
  const kept = Object.entries(headers).flatMap(([name, value]) =>
    value !== undefined && isKept(name) ? [[name, String(value).slice(0, keptCharacters)] as const] : [],
  )
  return Object.fromEntries(kept)
}
