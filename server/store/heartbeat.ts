import { Socket } from 'node:net'
import { Client } from 'pg'

import type { Server } from './pools.ts'

const tickMs = 100
/** Asked so often, and given so long: a standstill is known 1.5 s after it began, and answered 503 within 2 s. */
const ticksBetween = 5
const ticksToAnswer = 10

/**
 * Tells a PostgreSQL that stands still (its machine, its disk, the network) from one that is at a slow statement: asked
 * for nothing, on a connection of its own, the one does not answer. Then all connections are given up, with an error for
 * whoever waits at them, and new ones fail at once, until it answers again. So are they when it has become a standby of
 * another, and until that one answers.
 */
export class Heartbeat {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #timer = setInterval(() => this.#tick(), tickMs).unref()
  #connection: Connection | undefined
  #isAsking = false
  /** Since it was asked, or since it answered. Not milliseconds: after a time in which this process got no turn, they would say nothing. */
  #ticks = 0
  #isStill = false

  constructor(server: Server) {
    this.#server = server
  }

  /** The socket of a new connection, for `pg`. */
  readonly socket = (): Socket => {
    const socket = new Socket()
    if (this.#isStill) {
      // Not even asked: each of these would wait there, and at every proxy on the way, for what stands still.
      socket.connect = () => socket
      setImmediate(() => socket.destroy(standstill('EHOSTDOWN')))
      return socket
    }
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return socket
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
      // After a failover: it takes no changes any more, and what it shows is old.
      if (rows[0]?.standby) return this.#giveUp()
    } catch {
      if (this.#connection !== connection) return
      // A refusal is an answer too, and one that requests get at once by themselves.
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
    // Between two questions; the next one finds the connection broken.
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
    // Asked again at once, at a new connection: after a failover another machine answers there.
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

/** With a code that says whether something was under way. */
const standstill = (code: 'ETIMEDOUT' | 'EHOSTDOWN') =>
  Object.assign(new Error('PostgreSQL stands still'), { code })
