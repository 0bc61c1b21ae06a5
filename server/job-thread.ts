import { once } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import type { Logger } from 'pino'

import type { Config } from './config.ts'
import { endLeases, lookForJobs } from './jobs/storage.ts'
import { tellWaiting } from './jobs/working.ts'
import { type Database, type DatabasePlace, placeOf } from './sealing/database.ts'
import type { MasterKeys } from './sealing/master-keys.ts'
import { Worker } from './store/worker.ts'

/** Instructions for the thread. */
export interface JobThreadData {
  readonly place: DatabasePlace
  readonly settings: Pick<Config, 'logLevel' | 'sensitiveReads'>
  /** One word, 1 while the store is read-only. */
  readonly readOnly: Int32Array
}

/** A message to the thread: to end after the current users, or to use other master keys. */
export type JobThreadMessage = 'stop' | { readonly masters: MasterKeys }

/** Interval between looks for new jobs. */
const pollMs = 500
/** Time without jobs after which the thread ends and gives its memory back. */
const restMs = 30_000
/** Pause after a failure of the store. */
const lookAgainMs = 1000
/** Pause after the thread has ended by itself. */
const restartMs = 10_000
/**
 * Size of the young generation. Short collections matter to nobody in this thread, and the memory of longer ones is not
 * given back while jobs last.
 */
const youngMegabytes = 8
/**
 * Limit of the old generation. V8 collects garbage the sooner, the less it may keep: without a limit of its own, the
 * thread keeps 40 to 100 MB more. The longest rows that a file may have take 440 MB in an import.
 */
const oldMegabytes = 1024

/**
 * Works on jobs in a thread of its own, so that what they do with many rows never keeps requests from the event loop.
 * The thread lives while there are jobs.
 */
export class JobThread {
  readonly #database: Database
  readonly #settings: JobThreadData['settings']
  readonly #readOnly = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  readonly #worker: Worker
  #thread: Thread | undefined
  /**
   * Whether existing leases are stale: only one process can use an embedded store, so at its start the earlier holders
   * are gone.
   */
  #isAlone: boolean
  #neededAtMs = 0
  #beginsAtMs = 0

  constructor(database: Database, settings: JobThreadData['settings'], log?: Logger) {
    this.#database = database
    this.#settings = settings
    this.#isAlone = database.engine === 'embedded'
    database.keys.keyring.followers.add(this.#follow)
    this.#worker = new Worker({
      step: () => this.#look(),
      recoverMs: lookAgainMs,
      tell: tellWaiting(log),
    })
  }

  /** Stops after the current users. */
  async stop(): Promise<void> {
    this.#database.keys.keyring.followers.delete(this.#follow)
    await this.#worker.stop()
    await this.#end()
  }

  async #look(): Promise<number> {
    const isReadOnly = this.#database.isReadOnly()
    Atomics.store(this.#readOnly, 0, isReadOnly ? 1 : 0)
    if (isReadOnly) return pollMs
    if (this.#isAlone) await endLeases(this.#database.sql)
    this.#isAlone = false
    const { isAny, isFree } = await lookForJobs(this.#database.sql)
    if (isAny) this.#neededAtMs = performance.now()
    if (this.#thread) {
      if (performance.now() - this.#neededAtMs >= restMs) await this.#end()
    } else if (isFree && performance.now() >= this.#beginsAtMs) this.#begin()
    return pollMs
  }

  #begin(): void {
    const workerData: JobThreadData = {
      place: placeOf(this.#database),
      settings: this.#settings,
      readOnly: this.#readOnly,
    }
    const thread = new Thread(new URL('job-thread-run.ts', import.meta.url), {
      workerData,
      name: 'jobs',
      // The arguments of Node are for the program that the process was started with.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes, maxOldGenerationSizeMb: oldMegabytes },
    })
    this.#thread = thread
    // Without a listener, an error of the thread would end the process.
    thread.once('error', (error) => {
      this.#beginsAtMs = performance.now() + restartMs
      this.#worker.report(error)
    })
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
    })
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    if (!thread) return
    const ended = once(thread, 'exit')
    this.#tell('stop')
    await ended
  }

  readonly #follow = (masters: MasterKeys): void => this.#tell({ masters })

  #tell(message: JobThreadMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread?.postMessage(message)
  }
}
