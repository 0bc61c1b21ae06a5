import { Duplex } from 'node:stream'

interface Session {
  startSession(): Promise<void>
  /** Resolves when the engine may keep the thread again. */
  turn(): Promise<void>
  /** Whole frontend messages in, the backend's answers out. */
  run(messages: Buffer): Promise<Buffer>
}

// AuthenticationOk; ReadyForQuery without a transaction
const startupAnswer = Buffer.from('5200000008000000005a0000000549', 'hex')

// The messages that want an answer: Query, Sync, Flush. All others wait for one of them and go together: an error
// then makes the engine skip to the Sync, as the protocol says, instead of answering each of the rest with an error.
const answered = new Set([0x51, 0x53, 0x48])
const terminate = 0x58

/** The socket that `pg` writes to, with the engine at its other end. */
export class EngineSocket extends Duplex {
  readonly #engine: Session
  #started = false
  #unsent: Buffer = Buffer.alloc(0)

  constructor(engine: Session) {
    super()
    this.#engine = engine
  }

  connect() {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  setNoDelay() {
    return this
  }

  setKeepAlive() {
    return this
  }

  ref() {
    return this
  }

  unref() {
    return this
  }

  override _read() {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void) {
    void this.#answer(chunk, done)
  }

  // `pg` corks around parse, bind, describe, execute and sync, so these arrive here as one
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error) => void) {
    void this.#answer(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  override _final(done: () => void) {
    this.push(null)
    done()
  }

  async #answer(bytes: Buffer, done: (error?: Error) => void) {
    let failure: Error | undefined
    try {
      await this.#receive(bytes)
    } catch (error) {
      failure = error as Error
    }
    done(failure)
  }

  async #receive(bytes: Buffer) {
    this.#unsent = this.#unsent.length === 0 ? bytes : Buffer.concat([this.#unsent, bytes])
    if (!this.#started) {
      // the startup message has no type byte; its user, database and options say nothing to the engine
      if (this.#unsent.length < 4 || this.#unsent.length < this.#unsent.readInt32BE(0)) return
      this.#unsent = this.#unsent.subarray(this.#unsent.readInt32BE(0))
      this.#started = true
      await this.#engine.startSession()
      this.push(startupAnswer)
    }
    let end = 0
    for (let at = 0; at + 5 <= this.#unsent.length;) {
      const type = this.#unsent[at] ?? 0
      at += 1 + this.#unsent.readInt32BE(at + 1)
      if (at > this.#unsent.length || type === terminate) break
      if (answered.has(type)) end = at
    }
    if (end === 0) return
    const messages = this.#unsent.subarray(0, end)
    this.#unsent = this.#unsent.subarray(end)
    await this.#engine.turn()
    // its client gave up meanwhile: the session may be the next one's already
    if (this.destroyed) return
    this.push(await this.#engine.run(messages))
  }
}
