import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A TCP proxy between two local programs that can be cut: data stops arriving, and neither side is notified. */
export class Wire {
  readonly #server: Server
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #isCut = false

  private constructor(to: number) {
    this.#server = createServer((near) => this.#join(near, connect(to, '127.0.0.1')))
  }

  static async to(port: number): Promise<Wire> {
    const wire = new Wire(port)
    await once(wire.#server.listen(0, '127.0.0.1'), 'listening')
    return wire
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  cut(): void {
    this.#isCut = true
    for (const [near, far] of this.#pairs) {
      near.unpipe().pause()
      far.unpipe().pause()
    }
  }

  mend(): void {
    this.#isCut = false
    for (const [near, far] of this.#pairs) near.pipe(far).pipe(near)
  }

  close(): void {
    this.#server.close()
    for (const [near, far] of this.#pairs) {
      near.destroy()
      far.destroy()
    }
  }

  #join(near: Socket, far: Socket): void {
    const pair = [near, far] as const
    this.#pairs.add(pair)
    for (const socket of pair) {
      socket.setNoDelay()
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#pairs.delete(pair)
        near.destroy()
        far.destroy()
      })
    }
    if (!this.#isCut) near.pipe(far).pipe(near)
  }
}
