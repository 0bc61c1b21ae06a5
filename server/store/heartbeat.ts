import { Socket } from 'node:net'
import { Client } from 'pg'

import type { Server } from './pools.ts'

const tickMs = 100
/**
 * Ticks between questions, and ticks to wait for an answer: a standstill is detected within 1.5 s, and answered with
 * 503 within 2 s.
 */
const ticksBetween = 5
const ticksToAnswer = 10

/**
 * Distinguishes a PostgreSQL that hangs (its machine, its disk, the network) from one that is busy with a slow
 * statement: the hanging one does not answer a trivial query on a separate connection. Then all connections are closed
 * with an error for their waiting callers, and new ones fail at once until PostgreSQL answers again. This also happens
 * when the server has become a standby, until the new primary answers.
 */
export class Heartbeat {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #timer = setInterval(() => this.#tick(), tickMs).unref()
  #connection: Connection | undefined
  #isAsking = false
  /**
   * Ticks since the last question or answer. Counted instead of measuring milliseconds, which would mean nothing after
   * a time in which this process did not run.
   */
  #ticks = 0
  #isStill = false

  constructor(server: Server) {
    this.#server = server
  }

  /** Creates the socket of a new connection for `pg`. */
  readonly socket = (): Socket => {
    const socket = new Socket()
    if (this.#isStill) {
      // Fails without connecting: an attempt would wait at the hanging server and at every proxy on the way.
      socket.connect = () => socket
      setImmediate(() => socket.destroy(standstill('EHOSTDOWN')))
      return socket
    }
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
  }

  /** Closes all connections, whatever still runs on them, and lets no new one through. */
  cut(): void {
    this.stop()
    this.#isStill = true
    for (const socket of this.#sockets) socket.destroy(standstill('ETIMEDOUT'))
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#drop()
  }

  #tick(): void {
    this.#ticks++
    if (!this.#isAsking && this.#ticks >= ticksBetween) void this.#ask()
    else if (this.#isAsking && this.#ticks >= ticksToAnswer) this.#giveUp()
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    this.#ticks = 0
    const connection = (this.#connection ??= this.#connect())
    try {
      await connection.opened
      const { rows } = await connection.client.query<{ standby: boolean }>(
        'select pg_is_in_recovery() as standby',
      )
      // After a failover this server accepts no changes any more, and its data is stale.
      if (rows[0]?.standby) return this.#giveUp()
    } catch {
      if (this.#connection !== connection) return
      // A refused connection is an answer too; requests get the same refusal at once by themselves.
      this.#drop()
    }
    this.#isAsking = false
    this.#ticks = 0
    this.#isStill = false
  }

  #connect(): Connection {
    const socket = new Socket().unref()
    const client = new Client({
      ...this.#server,
      application_name: 'data-store heartbeat',
      stream: () => socket,
    })
    // An error between two questions is ignored; the next question finds the connection broken.
    client.on('error', () => {})
    return { socket, client, opened: client.connect() }
  }

  #drop(): void {
    this.#connection?.socket.destroy()
    this.#connection = undefined
  }

  #giveUp(): void {
    this.#drop()
    this.#isAsking = false
    // Asks again at once on a new connection, since after a failover another machine answers there.
    this.#ticks = ticksBetween
    this.#isStill = true
    for (const socket of this.#sockets) socket.destroy(standstill('ETIMEDOUT'))
  }
}

interface Connection {
  readonly socket: Socket
  readonly client: Client
  readonly opened: Promise<unknown>
}

/** Creates the error of a closed connection; the code tells whether a request may have been under way. */
const standstill = (code: 'ETIMEDOUT' | 'EHOSTDOWN') =>
  Object.assign(new Error('PostgreSQL stands still'), { code })
