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
import { type Exchange, Exchanging } from './exchange.ts'
import { hostOf, isLoopbackAddress, isLoopbackName, isPublicAddress, objectionTo } from './addresses.ts'

/** Outcome of one try. Without `error` the event has arrived. */
export interface Outcome {
  readonly status?: number
  readonly error?: AttemptError
  /** How long the receiver asks to be left alone. */
  readonly retryAfterMs?: number
}

export interface ReceiverOptions {
  /** Allows deliveries to loopback addresses of this machine, over plain http too. */
  readonly allowLoopback: boolean
  /** Until the answer begins. */
  readonly answerMs?: number
  /** Until it has ended, from the start of the try. */
  readonly wholeMs?: number
}

const maxAnswerBytes = 64 * 1024

/**
 * A connection is closed after so long without use, or earlier if the receiver asks for that (`Keep-Alive`): most
 * servers close it after five seconds or more, and what is sent just then is lost.
 */
const idleMs = 4000

/**
 * Sends to servers of other people, which may be slow, broken or not what they say. Connections are made to addresses
 * that were looked at, and to no others: neither redirects nor proxies (no `proxyEnv` below) nor a name that changes
 * its address in between lead anywhere else.
 */
export class Receivers {
  readonly #options: Required<ReceiverOptions>
  readonly #http = new HttpAgent({ keepAlive: true, timeout: idleMs })
  // Said, so that NODE_TLS_REJECT_UNAUTHORIZED does not decide it.
  readonly #https = new HttpsAgent({ keepAlive: true, timeout: idleMs, rejectUnauthorized: true })
  readonly #interrupts = new Set<() => void>()
  #closed = false

  constructor(options: ReceiverOptions) {
    this.#options = { answerMs: 15_000, wholeMs: 20_000, ...options }
  }

  /** One POST of a JSON text. Never rejects. `told`: what was sent and answered, where anything was. */
  async send(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    told: (exchange: Exchange) => void = () => {},
  ): Promise<Outcome> {
    const url = new URL(address)
    if (this.#closed) return { error: 'interrupted' }
    if (objectionTo(url, this.#options)) return { error: 'forbidden_address' }
    return await new Promise((resolve) => {
      this.#post(url, headers, body, (outcome, exchange) => {
        told(exchange)
        resolve(outcome)
      })
    })
  }

  /** Ends what is under way, as `interrupted`, and all connections. */
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
      // Harmless after a complete answer: the agent has already handed the connection on.
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
      // Read to its end, the connection serves again. From here on only the status counts, however the answer ends.
      response.on('data', (chunk: Buffer) => {
        if (exchanging.read(chunk) > maxAnswerBytes) finish(outcome)
      })
      response.on('error', () => finish(outcome))
      response.on('end', () => finish(outcome))
    })
    request.end(body)
  }

  /** Asked for names alone: a number is in the address, and was looked at before. */
  readonly #lookup: LookupFunction = (host, { all }, callback) => {
    void this.#addressesOf(host).then(
      (list) => (all ? callback(null, list) : callback(null, list[0]?.address ?? '', list[0]?.family)),
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }

  // Not by the system's own resolver: it answers in one of four threads that everything in this process shares, so that
  // a few slow name servers would hold up all deliveries. /etc/hosts is not looked at.
  async #addressesOf(host: string): Promise<LookupAddress[]> {
    const { allowLoopback } = this.#options
    if (isLoopbackName(host)) return ['127.0.0.1', '::1'].map(withFamily)
    const found = await Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
    const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    if (addresses.length === 0) throw new LookupError('dns')
    const isAllowed = (address: string) =>
      isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address))
    // One that is private among others is a trap, or a mistake that would show now and then only.
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

/** RFC 9110 section 10.2.3: seconds, or a date. */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\s*\d{1,9}\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}
