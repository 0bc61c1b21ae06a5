import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'

import {
  endWith,
  hostInvalid,
  hostMissing,
  noTunnels,
  refusalOfUnreadable,
  refuse,
  unknownExpectation,
} from './errors/bare-problems.ts'
import type { Refusal } from './errors/problem.ts'
import { type UnreadableError, UnreadMethod } from './unread-method.ts'
import { isUpload } from './upload.ts'

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

/** Maximum number of queued requests per connection; a browser sends none before the previous one is answered. */
const maxWaiting = 100
const maxSilences = 10

export const limits = {
  headersMs: 10_000,
  requestMs: 15_000,
  keepAliveMs: 72_000,
  /**
   * Interval of inactivity; after ten in a row in which the client takes nothing of an answer, its connection is
   * closed.
   */
  silenceMs: 1500,
  /** Time for which a connection without a request stays open while draining: one may already be on its way. */
  graceMs: 1000,
  drainMs: 10_000,
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Reason why the request does not reach the application. */
  readonly refusal: Refusal | undefined
}

interface Connection {
  current: Exchange | undefined
  readonly waiting: Exchange[]
  /** Final answer, to unreadable input or CONNECT, sent after those to earlier requests. */
  ending: { readonly refusal: Refusal; readonly hasBody: boolean } | undefined
  readonly unread: UnreadMethod
  idleSince: number
  bytesBeforeIdle: number
  silences: number
  lastSilence: number
}

/**
 * The service's sockets. Each connection answers one request at a time, and is not read while others are queued: a
 * client that sends without reading holds one answer, for at most 15 seconds.
 */
export class Connections {
  readonly #connections = new Map<Socket, Connection>()
  readonly #servers: Server[] = []
  readonly #limits: typeof limits
  #draining = false

  constructor(changed: Partial<typeof limits> = {}) {
    this.#limits = { ...limits, ...changed }
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Creates a server; several may share the connections. */
  createServer(listener: RequestListener): Server {
    const { headersMs, requestMs, keepAliveMs, silenceMs } = this.#limits
    const server = createServer({
      // Drops clients that trickle their headers or body; Node's defaults allow minutes.
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(1000, headersMs),
      keepAliveTimeout: keepAliveMs,
      // Node's own refusal has neither the required headers nor a body.
      requireHostHeader: false,
    })
    server.timeout = silenceMs
    server.on('connection', (socket) => this.#open(socket))
    server.on('request', (request, response) => {
      this.#enter(listener, { request, response, refusal: refusalOfHost(request) })
    })
    server.on('checkExpectation', (request, response) =>
      this.#enter(listener, {
        request,
        response,
        refusal: refusalOfHost(request) ?? unknownExpectation,
      }),
    )
    server.on('connect', (_request, socket) =>
      this.#end(socket as Socket, { refusal: noTunnels, hasBody: true }),
    )
    server.on('clientError', (error, socket) => this.#unreadable(error, socket as Socket))
    server.on('timeout', (socket) => this.#closeSilent(socket))
    this.#servers.push(server)
    return server
  }

  /** Announces the shutdown: answers close their connections, while new ones are still accepted. */
  announceEnd(): void {
    this.#draining = true
    for (const connection of this.#connections.values()) askToClose(connection)
  }

  /**
   * Stops accepting connections, and closes each after its answers, within 10 seconds. Unlike Node's `close`, it does
   * not cut connections on which a request is just arriving.
   */
  async drain(): Promise<void> {
    // Waits for a turn of the event loop, which accepts all pending connections.
    await setImmediate()
    for (const server of this.#servers) if (server.listening) NetServer.prototype.close.call(server)
    // Announced only now: a client that is asked to close reconnects at once, and would land in a queue that nobody
    // accepts from.
    this.announceEnd()
    const begun = performance.now()
    while (this.#connections.size > 0 && performance.now() - begun < this.#limits.drainMs) {
      await setTimeout(20)
      await setImmediate()
      const idleBefore = performance.now() - this.#limits.graceMs
      for (const [socket, { current, idleSince, bytesBeforeIdle }] of this.#connections)
        if (!current && Math.max(begun, idleSince) < idleBefore && socket.bytesRead === bytesBeforeIdle)
          socket.destroySoon()
    }
    for (const socket of this.#connections.keys()) socket.destroy()
  }

  #open(socket: Socket): void {
    const unread = new UnreadMethod()
    socket.on('data', (packet: Buffer) => unread.hear(packet))
    this.#connections.set(socket, {
      current: undefined,
      waiting: [],
      ending: undefined,
      unread,
      idleSince: performance.now(),
      bytesBeforeIdle: 0,
      silences: 0,
      lastSilence: 0,
    })
    socket.once('close', () => this.#connections.delete(socket))
  }

  #enter(listener: RequestListener, exchange: Exchange): void {
    const { socket } = exchange.request
    const connection = this.#connections.get(socket)
    if (!connection || socket.destroyed) return
    connection.unread.enter(exchange.request)
    if (!connection.current) this.#begin(listener, connection, exchange)
    else if (connection.waiting.length >= maxWaiting) socket.destroy()
    else {
      connection.waiting.push(exchange)
      // Deferred: Node resumes the socket at the end of a message.
      queueMicrotask(() => {
        if (connection.waiting.length > 0) socket.pause()
      })
    }
  }

  #begin(listener: RequestListener, connection: Connection, exchange: Exchange): void {
    const { request, response, refusal } = exchange
    connection.current = exchange
    response.once('close', () => this.#next(listener, connection, request.socket))
    if (this.#draining) askToClose(connection)
    if (refusal) refuse(response, refusal)
    else listener(request, response)
  }

  #next(listener: RequestListener, connection: Connection, socket: Socket): void {
    connection.current = undefined
    if (socket.destroyed) return
    const exchange = connection.waiting.shift()
    // The bytes after this request could not be parsed, so its body may never end.
    if (connection.ending && !exchange?.request.complete) return endWith(socket, connection.ending)
    if (connection.waiting.length === 0 && !connection.ending) socket.resume()
    if (exchange) return this.#begin(listener, connection, exchange)
    connection.idleSince = performance.now()
    connection.bytesBeforeIdle = socket.bytesRead
  }

  #unreadable(error: UnreadableError, socket: Socket): void {
    const connection = this.#connections.get(socket)
    // A file that is being received has a limit of its own.
    const { request } = connection?.current ?? {}
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && request && isUpload(request)) return
    if (!connection || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    this.#end(socket, { refusal: refusalOfUnreadable(error), hasBody: !connection.unread.isHead(error) })
  }

  /** Sends the last answer of a connection, after those to earlier complete requests. */
  #end(socket: Socket, ending: NonNullable<Connection['ending']>): void {
    const connection = this.#connections.get(socket)
    if (!connection || connection.ending) return
    connection.ending = ending
    const { current } = connection
    if (!current) endWith(socket, ending)
    else if (current.request.complete) socket.pause()
    else if (current.response.headersSent) socket.destroy()
    else endWith(socket, ending)
  }

  /** Handles a connection without traffic in either direction for `silenceMs` or, if idle, for `keepAliveMs`. */
  #closeSilent(socket: Socket): void {
    const { silenceMs } = this.#limits
    const connection = this.#connections.get(socket)
    if (!connection || (!connection.current && socket.timeout !== silenceMs)) {
      socket.destroy()
      return
    }
    // The application is still working or has nothing to send; incomplete requests have their own limits.
    if (socket.writableLength === 0) return
    const now = performance.now()
    connection.silences = now - connection.lastSilence < silenceMs * 1.5 ? connection.silences + 1 : 1
    connection.lastSilence = now
    if (connection.silences >= maxSilences) {
      socket.destroy()
      return
    }
    // Further input would count as activity.
    socket.pause()
    socket.setTimeout(silenceMs)
  }
}

/**
 * Returns the refusal for a missing or invalid Host (RFC 9112, 3.2): given two, a proxy may have used the other one.
 */
function refusalOfHost({ rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  const hosts = rawHeaders.filter((_text, at) => at % 2 === 1 && /^host$/i.test(rawHeaders[at - 1] ?? ''))
  const [host] = hosts
  if (host === undefined) return httpVersion === '1.1' ? hostMissing : undefined
  return hosts.length === 1 && isHost.test(host) ? undefined : hostInvalid
}

/** A name, or an address in brackets, with or without a port. Empty is allowed for targets without a host. */
const isHost = /^(?:\[[\da-fv.:]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i

/** Asks the client to close after the last answer; queued requests were accepted and come first. */
function askToClose({ current, waiting }: Connection): void {
  if (current && waiting.length === 0 && !current.response.headersSent)
    current.response.setHeader('connection', 'close')
}
