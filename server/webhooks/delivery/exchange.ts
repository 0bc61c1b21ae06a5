import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http'

/** Request of a try, and its response. */
export interface Exchange {
  readonly request: { readonly headers: Headers }
  /** Absent: nothing came back. */
  readonly response?: { readonly headers: Headers; readonly body: string; readonly truncated?: true }
}

type Headers = Readonly<Record<string, string>>

/** Bytes of a response body that are kept. */
const keptBytes = 4096
/** Characters of each response header that are kept. */
const keptCharacters = 1000

/** Response headers with secrets that a receiver meant only for us: credentials of a session or a login. */
const secretHeaders = /cookie|authori[sz]ation|authentication-info|token|secret|password|api-?key|session/i

/** Keeps what is told of a try while it is made. The body that we send is the event's, and is not kept again. */
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

  /** A part of the answer's body. Answers how long it is by now. */
  read(chunk: Buffer): number {
    if (this.#bytes < keptBytes) this.#chunks.push(chunk.subarray(0, keptBytes - this.#bytes))
    this.#bytes += chunk.length
    return this.#bytes
  }

  get result(): Exchange {
    const request = { headers: writeHeaders(this.#request.getHeaders()) }
    if (!this.#answer) return { request }
    const isTruncated = this.#bytes > keptBytes
    // Decoding as a stream leaves out a character that was cut off.
    const body = new TextDecoder().decode(Buffer.concat(this.#chunks), { stream: isTruncated })
    const headers = writeHeaders(this.#answer.headers, (name) => !secretHeaders.test(name))
    return { request, response: { headers, body, ...(isTruncated && { truncated: true }) } }
  }
}

function writeHeaders(
  headers: IncomingHttpHeaders | OutgoingHttpHeaders,
  isKept: (name: string) => boolean = () => true,
): Headers {
  const told = Object.entries(headers).flatMap(([name, value]) =>
    value !== undefined && isKept(name) ? [[name, String(value).slice(0, keptCharacters)] as const] : [],
  )
  return Object.fromEntries(told)
}
