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
} from './bare-problems.ts'
import type { Refusal } from './problem.ts'

type RequestListener = (request: IncomingMessage, response: ServerResponse) => void

/** Requests of one connection that wait for their turn; a browser sends none before its last one is answered. */
const maxWaiting = 100
const maxSilences = 10

export const limits = {
  headersMs: 10_000,
  requestMs: 15_000,
  keepAliveMs: 72_000,
  /** An answer of which nothing is taken for ten such silences on end is given up, with its connection. */
  silenceMs: 1500,
  /** A connection without a request is kept this long while draining: one may already be on its way. */
  graceMs: 1000,
  drainMs: 10_000,
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Why it is not handed to the application. */
  readonly refusal: Refusal | undefined
}

interface Connection {
  current: Exchange | undefined
  readonly waiting: Exchange[]
  /** Answered once the requests before are, in place of what could not be read. */
  ending: Refusal | undefined
  idleSince: number
  bytesBeforeIdle: number
  silences: number
  lastSilence: number
}

/**
 * The sockets of the service. One request of a connection is answered at a time, and while others wait none is read: a
 * client that sends without reading holds one answer, and that for 15 seconds.
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

  /** May be called for several addresses. */
  createServer(listener: RequestListener): Server {
    const { headersMs, requestMs, keepAliveMs, silenceMs } = this.#limits
    const server = createServer({
      // A client that trickles its headers or its body is let go; Node's defaults leave it open for minutes.
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(1000, headersMs),
      keepAliveTimeout: keepAliveMs,
      // Node's own refusal has neither the header table nor a body.
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
    server.on('connect', (_request, socket) => this.#end(socket as Socket, noTunnels))
    server.on('clientError', (error, socket) => this.#unreadable(error, socket as Socket))
    server.on('timeout', (socket) => this.#closeSilent(socket))
    this.#servers.push(server)
    return server
  }

  /** Says that the end is near: answers close their connections, while others are still accepted. */
  announceEnd(): void {
    this.#draining = true
    for (const connection of this.#connections.values()) askToClose(connection)
  }

  /**
   * Stops accepting and ends every connection after its answers, within 10 seconds. Not as Node's own `close` does,
   * which cuts each connection that has no request at that moment, even where one is arriving.
   */
  async drain(): Promise<void> {
    // Right after a turn of the loop, in which all that had connected by then was accepted.
    await setImmediate()
    for (const server of this.#servers) if (server.listening) NetServer.prototype.close.call(server)
    // Only now: a client that is asked to close connects anew at once, and would do so to a queue that nobody empties.
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
    this.#connections.set(socket, {
      current: undefined,
      waiting: [],
      ending: undefined,
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
    if (!connection.current) this.#begin(listener, connection, exchange)
    else if (connection.waiting.length >= maxWaiting) socket.destroy()
    else {
      connection.waiting.push(exchange)
      // Not at once: at the end of a message Node resumes the socket.
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

  #unreadable(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (!connection || !socket.writable || error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    this.#end(socket, refusalOfUnreadable(error))
  }

  /** The last answer of a connection: after those to the requests before, where these are whole. */
  #end(socket: Socket, refusal: Refusal): void {
    const connection = this.#connections.get(socket)
    if (!connection || connection.ending) return
    connection.ending = refusal
    const { current } = connection
    if (!current) endWith(socket, refusal)
    else if (current.request.complete) socket.pause()
    else if (current.response.headersSent) socket.destroy()
    else endWith(socket, refusal)
  }

  /** Handles a connection on which neither side has sent anything for `silenceMs`, or since a keep-alive began. */
  #closeSilent(socket: Socket): void {
    const { silenceMs } = this.#limits
    const connection = this.#connections.get(socket)
    if (!connection || (!connection.current && socket.timeout !== silenceMs)) {
      socket.destroy()
      return
    }
    // The application is at work, or has nothing to tell; a request that does not arrive has its own limits.
    if (socket.writableLength === 0) return
    const now = performance.now()
    connection.silences = now - connection.lastSilence < silenceMs * 1.5 ? connection.silences + 1 : 1
    connection.lastSilence = now
    if (connection.silences >= maxSilences) {
      socket.destroy()
      return
    }
    // Sending on would count as a sign of life.
    socket.pause()
    socket.setTimeout(silenceMs)
  }
}

/** RFC 9112, 3.2: of two hosts a proxy may have looked at the other one. */
function refusalOfHost({ rawHeaders, httpVersion }: IncomingMessage): Refusal | undefined {
  const hosts = rawHeaders.filter((_text, at) => at % 2 === 1 && /^host$/i.test(rawHeaders[at - 1] ?? ''))
  const [host] = hosts
  if (host === undefined) return httpVersion === '1.1' ? hostMissing : undefined
  return hosts.length === 1 && isHost.test(host) ? undefined : hostInvalid
}

/** A name, or an address in brackets, with or without a port; an empty one is allowed where the address has no host. */
const isHost = /^(?:\[[\da-fv.:]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i

/** With the last answer: requests that wait behind it were accepted too. */
function askToClose({ current, waiting }: Connection): void {
  if (current && waiting.length === 0 && !current.response.headersSent)
    current.response.setHeader('connection', 'close')
}
