import type { IncomingMessage } from 'node:http'

/** Error of Node's parser, with the packet that it gave up and how much of that it had read. */
export type UnreadableError = NodeJS.ErrnoException & {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Number of bytes that tell HEAD from every other method. */
const enough = 'HEAD '.length

/**
 * Tells whether the request that a connection could not parse is a HEAD, whose answer has no body. Node gives up such
 * a request without its method, and knows no more than the last packet, which is not the first one if the headers are
 * too large or too slow. So this keeps the first bytes of each head that is not complete.
 *
 * A head that begins behind another request in the same packet, and is not complete there, counts as no HEAD: clients
 * that send without waiting are rare, and the connection is closed in any case.
 */
export class UnreadMethod {
  /** The last request whose headers were complete. */
  #latest: IncomingMessage | undefined
  /** Whether a request was entered, or a body ended, since the last packet. */
  #isBehind = false
  /** The first bytes of an incomplete head. */
  #start = ''

  enter(request: IncomingMessage): void {
    this.#latest = request
    this.#isBehind = true
  }

  /** Takes note of a packet that was just parsed without an error. */
  hear(packet: Buffer): void {
    if (this.#isBehind) this.#start = ''
    else if (this.#start.length < enough)
      this.#start = (this.#start + packet.toString('latin1', 0, 16)).trimStart().slice(0, enough)
    this.#isBehind = this.#isInBody
  }

  isHead({ rawPacket = Buffer.alloc(0), bytesParsed = rawPacket.length }: UnreadableError): boolean {
    if (this.#isInBody) return this.#latest?.method === 'HEAD'
    if (!this.#isBehind)
      return (this.#start + rawPacket.toString('latin1', 0, 16)).trimStart().startsWith('HEAD ')
    const parsed = rawPacket.toString('latin1', 0, bytesParsed).trimEnd()
    return parsed.slice(parsed.lastIndexOf('\r\n\r\n')).trimStart().startsWith('HEAD ')
  }

  get #isInBody(): boolean {
    return this.#latest !== undefined && !this.#latest.complete
  }
}
