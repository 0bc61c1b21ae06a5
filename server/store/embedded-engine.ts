/* oxlint-disable no-underscore-dangle -- names of PGlite's WebAssembly module */
import type { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import { EngineSocket } from './embedded-socket.ts'
import type { WatchData } from './embedded-watch.ts'

/** The embedded engine can answer nothing any more; a restart of the process recovers what was committed. */
export class EngineStopped extends Error {
  override name = 'EngineStopped'
}

// What is used of PGlite's WebAssembly module beyond its public interface. The exact version is pinned in
// package.json, and opening a folder proves that all of it still works (see `verifyCommitSyncs`).
interface EngineModule {
  HEAPU8: Uint8Array
  _InterruptPending: number
  _QueryCancelPending: number
  _PostgresMainLoopOnce: () => void
  _PostgresSendReadyForQueryIfNecessary: () => void
  _pgl_pq_flush: () => void
  stackRestore: (pointer: number) => void
}

// How long the engine may keep the thread before sockets and timers get their turn. Awaited queries resolve as
// microtasks, so without this a busy pool starves everything else of the process.
const turnMs = 5

// PGlite leaves the C code of a failed statement with this exit status, and recovers as PostgreSQL does.
const sqlError = 100

const cancellersKey = Symbol.for('data-store.cancel')
const cancellers: Map<number, (statement: number) => void> = ((globalThis as Record<symbol, unknown>)[
  cancellersKey
] ??= new Map()) as Map<number, (statement: number) => void>
let lastKey = 0

/**
 * One PGlite as something `pg` can connect to. PGlite holds one session; `connect()` hands it to one client after
 * the other, each with a session as fresh as a new connection's.
 */
export class Engine {
  readonly #pglite: PGlite
  readonly #failed: (error: Error) => void
  // see WatchData
  readonly #shared = new Int32Array(new SharedArrayBuffer(8))
  readonly #key = ++lastKey
  readonly #watch: Worker
  #statement = 0
  #turnEndsAt: number | undefined
  #inTransaction = false
  #used = false
  /** Every transaction that begins is refused to change anything. */
  readOnly = false
  #sessionIsReadOnly = false
  #failure: EngineStopped | undefined
  // Times that the engine's main loop was entered: shows that the guard around it is in place.
  entered = 0

  /** `lastWords` gives what the engine printed before it stopped; `failed` is told that it has, or lost its limit. */
  constructor(pglite: PGlite, lastWords: () => string | undefined, failed: (error: Error) => void) {
    this.#pglite = pglite
    this.#failed = failed
    this.#guard(lastWords)
    const workerData: WatchData = { shared: this.#shared, key: this.#key }
    // without the flags of this process, some of which (--eval) say what a thread runs
    this.#watch = new Worker(new URL('./embedded-watch.ts', import.meta.url), { workerData, execArgv: [] })
    this.#watch.on('error', failed)
    this.#watch.unref()
    cancellers.set(this.#key, (statement) => this.#cancel(statement))
  }

  /** Longest that one statement may run, in milliseconds; 0 = no limit, for upkeep and migrations. */
  set statementLimitMs(limitMs: number) {
    Atomics.store(this.#shared, 1, limitMs)
    Atomics.notify(this.#shared, 1)
  }

  connect(): Duplex {
    return new EngineSocket({
      startSession: () => this.#startSession(),
      turn: () => this.#turn(),
      run: (messages) => this.#run(messages),
    })
  }

  // Ends what an earlier client left behind: an open transaction, settings, advisory locks, prepared statements.
  async #startSession() {
    if (this.#inTransaction) await this.#run(simpleQuery('rollback'))
    if (this.#used) await this.#run(simpleQuery('discard all'))
    this.#sessionIsReadOnly = false
    this.#used = true
  }

  async #run(messages: Uint8Array): Promise<Buffer> {
    if (this.#failure) throw this.#failure
    if (this.#sessionIsReadOnly !== this.readOnly && !this.#inTransaction) {
      this.#sessionIsReadOnly = this.readOnly
      await this.#run(simpleQuery(`set default_transaction_read_only = ${this.readOnly ? 'on' : 'off'}`))
    }
    const answers: Buffer[] = []
    // wraps within 32 bits: a number only has to differ from the statement before
    this.#statement = (this.#statement % 0x3fffffff) + 1
    Atomics.store(this.#shared, 0, this.#statement)
    try {
      await this.#pglite.execProtocolRawStream(messages, {
        syncToFs: false,
        // the bytes are a view of the engine's memory, valid during the call only
        onRawData: (bytes) => void answers.push(Buffer.from(bytes)),
      })
    } finally {
      Atomics.store(this.#shared, 0, 0)
      // a cancel that came too late for this statement must not meet the next one
      if (this.#failure === undefined) this.#setCancel(0)
    }
    const answer = answers.length === 1 && answers[0] ? answers[0] : Buffer.concat(answers)
    // ReadyForQuery is always last: 'Z', its length 5, the transaction's state ('I' = none)
    if (answer.at(-6) === 0x5a) this.#inTransaction = answer.at(-1) !== 0x49
    return answer
  }

  /** After this the engine is never called again. A stopped one is left as it is: closing it would not return. */
  async close() {
    cancellers.delete(this.#key)
    await this.#watch.terminate()
    if (this.#failure) return
    this.#failure = new EngineStopped('The embedded database is closed')
    await this.#pglite.close()
  }

  // PGlite swallows every exception that leaves the engine: a panic (a full disk, a failed fsync) or a trap would be
  // followed by an answer without an error, which `pg` takes for success, and by a next statement that never returns
  // (both measured). So the first such exception ends the engine, and leaves PGlite by a way that it does not catch.
  #guard(lastWords: () => string | undefined) {
    const module = this.#module
    const enter = module._PostgresMainLoopOnce
    module._PostgresMainLoopOnce = () => {
      this.entered++
      try {
        enter()
      } catch (error) {
        if ((error as { status?: unknown }).status !== sqlError) this.#stop(lastWords(), error)
        throw error
      }
    }
  }

  #stop(lastWords: string | undefined, cause: unknown) {
    const failure = new EngineStopped(
      `The embedded database stopped${lastWords ? ` (${lastWords})` : ''}; start the service again to recover`,
      { cause },
    )
    this.#failure = failure
    const module = this.#module
    module.stackRestore = () => {
      throw failure
    }
    module._PostgresSendReadyForQueryIfNecessary = () => {}
    module._pgl_pq_flush = () => {}
    queueMicrotask(() => this.#failed(failure))
  }

  // Called through the inspector, in the middle of a statement: sets flags, as a signal handler would, nothing else.
  #cancel(statement: number) {
    if (Atomics.load(this.#shared, 0) === statement) this.#setCancel(1)
  }

  #setCancel(value: 0 | 1) {
    const module = this.#module
    // sig_atomic_t, little-endian, only ever 0 or 1: its first byte is all of it
    module.HEAPU8[module._QueryCancelPending] = value
    if (value === 1) module.HEAPU8[module._InterruptPending] = value
  }

  get #module() {
    return this.#pglite.Module as unknown as EngineModule
  }

  async #turn() {
    while (this.#turnEndsAt !== undefined && performance.now() > this.#turnEndsAt)
      await new Promise((resolve) => setImmediate(resolve))
    if (this.#turnEndsAt === undefined) {
      this.#turnEndsAt = performance.now() + turnMs
      setImmediate(() => (this.#turnEndsAt = undefined))
    }
  }
}

function simpleQuery(text: string) {
  const message = Buffer.alloc(6 + Buffer.byteLength(text))
  message[0] = 0x51
  message.writeInt32BE(message.length - 1, 1)
  message.write(text, 5)
  return message
}
