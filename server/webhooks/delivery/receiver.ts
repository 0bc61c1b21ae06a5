import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { TLSSocket } from 'node:tls'

import type { AttemptError } from '#contract/index.ts'
import { hostOf, isLoopbackAddress, isLoopbackName, isPublicAddress, objectionTo } from '../addresses.ts'
import type { Exchange } from '../exchanges.ts'
import { Exchanging } from './exchange.ts'

/** Outcome of one attempt. The event has arrived if `error` is undefined. */
export interface Outcome {
  readonly status?: number
  readonly error?: AttemptError
  /** How long the receiver asks not to be called again. */
  readonly retryAfterMs?: number
}

export interface ReceiverOptions {
  /** Allows deliveries to loopback addresses of this machine, over plain http too. */
  readonly allowLoopback: boolean
  /** Time limit until the response begins. */
  readonly answerMs?: number
  /** Time limit until the response ends, from the start of the attempt. */
  readonly wholeMs?: number
}

const maxAnswerBytes = 64 * 1024

/**
 * Idle time after which a connection is closed, unless the receiver asks for less (`Keep-Alive`). Most servers close
 * it after five seconds or more, and a request sent at that moment is lost.
 */
const idleMs = 4000

/**
 * Sends to servers of third parties, which may be slow, broken or malicious. Connects only to addresses that were
 * checked: no redirect, no proxy (no `proxyEnv` below) and no name that changes its address in the meantime can lead
 * elsewhere.
 */
export class Receivers {
  readonly #options: Required<ReceiverOptions>
  readonly #http = new HttpAgent({ keepAlive: true, timeout: idleMs })
  // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
  readonly #https = new HttpsAgent({ keepAlive: true, timeout: idleMs, rejectUnauthorized: true })
  readonly #interrupts = new Set<() => void>()
  #closed = false

  constructor(options: ReceiverOptions) {
    this.#options = { answerMs: 15_000, wholeMs: 20_000, ...options }
  }

  /**
   * Sends one POST of a JSON text. Never rejects. `told` receives the request, even if connecting
   * failed, and any response.
   */
  async send(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    report: (exchange: Exchange) => void = () => {},
  ): Promise<Outcome> {
    const url = new URL(address)
    if (this.#closed) return { error: 'interrupted' }
    if (objectionTo(url, this.#options)) return { error: 'forbidden_address' }
    return await new Promise((resolve) => {
      this.#post(url, headers, body, (outcome, exchange) => {
        report(exchange)
        resolve(outcome)
      })
    })
  }

  /** Ends requests in flight as `interrupted`, and closes all connections. */
  async close(): Promise<void> {
    this.#closed = true
    for (const interrupt of this.#interrupts) interrupt()
    this.#http.destroy()
    this.#https.destroy()
  }

  #post(
    url: URL,
    headers: Readonly<Record<string, string>>,
    body: string,
    ended: (outcome: Outcome, exchange: Exchange) => void,
  ): void {
    const { answerMs, wholeMs } = this.#options
    const started = performance.now()
    let answer: Outcome | undefined
    let settled = false
    const interrupt = () => finish(answer ?? { error: 'interrupted' })
    const finish = (outcome: Outcome) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      this.#interrupts.delete(interrupt)
      // Destroying is harmless after a complete response: the agent has already taken the connection back.
      request.destroy()
      ended(outcome, exchanging.result)
    }
    let timer = setTimeout(finish, answerMs, { error: 'timeout' })
    this.#interrupts.add(interrupt)

    const secure = url.protocol === 'https:'
    const request = (secure ? httpsRequest : httpRequest)({
      agent: secure ? this.#https : this.#http,
      method: 'POST',
      hostname: hostOf(url),
      port: url.port || (secure ? 443 : 80),
      path: url.pathname + url.search,
      lookup: this.#lookup,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Data-Store',
        accept: '*/*',
      },
    })
    const exchanging = new Exchanging(request)
    request.on('error', (error) => finish({ error: errorOf(error, request) }))
    request.on('upgrade', (response) => {
      exchanging.noteResponse(response)
      finish(outcomeOf(response))
    })
    request.on('response', (response) => {
      const outcome = (answer = outcomeOf(response))
      exchanging.noteResponse(response)
      clearTimeout(timer)
      timer = setTimeout(finish, started + wholeMs - performance.now(), outcome)
      // The response is read to its end so that the connection can be reused. From here on only the status counts,
      // however the response ends.
      response.on('data', (chunk: Buffer) => {
        if (exchanging.read(chunk) > maxAnswerBytes) finish(outcome)
      })
      response.on('error', () => finish(outcome))
      response.on('end', () => finish(outcome))
    })
    request.end(body)
  }

  /** Called only for names; an IP address in the URL has already been checked. */
  readonly #lookup: LookupFunction = (host, { all }, callback) => {
    void this.#addressesOf(host).then(
      (list) => (all ? callback(null, list) : callback(null, list[0]?.address ?? '', list[0]?.family)),
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }

  // Avoids the system's resolver: it runs in four threads shared by everything in this process, so a few slow name
  // servers would hold up all deliveries. /etc/hosts is ignored.
  async #addressesOf(host: string): Promise<LookupAddress[]> {
    const { allowLoopback } = this.#options
    if (isLoopbackName(host)) return ['127.0.0.1', '::1'].map(withFamily)
    const found = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (addresses.length === 0) throw new LookupError('dns')
    const isAllowed = (address: string) =>
      isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address))
    // A private address among public ones is an attack, or a mistake that would show only now and then.
    if (!addresses.every(isAllowed)) throw new LookupError('forbidden_address')
    return addresses.map(withFamily)
  }
}

const withFamily = (address: string): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })

class LookupError extends Error {
  readonly reason: 'dns' | 'forbidden_address'
  constructor(reason: 'dns' | 'forbidden_address') {
    super(reason)
    this.reason = reason
  }
}

function errorOf(error: NodeJS.ErrnoException, { socket }: ClientRequest): AttemptError {
  if (error instanceof LookupError) return error.reason
  const refused = socket instanceof TLSSocket && Boolean(socket.authorizationError)
  return refused || /^(ERR_TLS|ERR_SSL|EPROTO)/.test(error.code ?? '') ? 'tls' : 'connection'
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): Outcome {
  if (status >= 200 && status < 300) return { status }
  const error = status >= 300 && status < 400 ? 'redirect' : 'status'
  const retryAfterMs = readRetryAfter(headers['retry-after'])
  return { status, error, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** Parses `Retry-After`: seconds or a date (RFC 9110 section 10.2.3). */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
