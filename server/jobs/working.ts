import type { Logger } from 'pino'

import { SealedGate, type SensitiveReads } from '../events/sealed-gate.ts'
import { asRefusal } from '../http/errors/problem.ts'
import type { Database } from '../sealing/database.ts'
import { Worker } from '../store/worker.ts'
import { endJob } from './ending.ts'
import { type JobWork, kinds } from './kinds.ts'
import { type Claim, claimJob, type ClaimState, releaseJob } from './storage.ts'
import { openTyped, type Typed } from './task.ts'

/** Time for which a job runs before the next one gets its turn, so that a short job does not wait for a long one. */
const turnMs = 2000
/**
 * Lease of a job, after which another process continues it if its own has died. Longer than a turn. If the last
 * statement of a turn outlasts the lease, another process takes the job over and waits for that statement.
 */
const leaseMs = 10_000
/** Pause after a failure of the store or an unexpected error. */
const jobRecoverMs = 1000

interface WorkingOptions {
  readonly database: Database
  readonly log?: Logger | undefined
  readonly sensitiveReads?: SensitiveReads | undefined
  /** Work of further kinds of jobs. */
  readonly kinds?: JobWork
  /** Interval between looks for new jobs. */
  readonly pollMs?: number
}

/**
 * Processes jobs, one turn after the other. What a kind of job does in a turn, it records in the same transactions. So
 * if the process is killed at any moment, the job continues where it was when the lease ends.
 */
export class Working {
  readonly #options: WorkingOptions
  readonly #worker: Worker
  readonly #kinds: JobWork
  /** An undo may take the mark off a property, which opens its value. */
  readonly #gate: SealedGate

  constructor(options: WorkingOptions) {
    this.#options = options
    this.#kinds = { ...kinds, ...options.kinds }
    this.#gate = new SealedGate(options.sensitiveReads)
    this.#worker = new Worker({
      step: (signal) => this.#step(signal),
      recoverMs: jobRecoverMs,
      tell: tellWaiting(options.log),
    })
  }

  /** Stops after the current user. */
  async stop(): Promise<void> {
    await this.#worker.stop()
  }

  async #step(signal: AbortSignal): Promise<number> {
    const { database, pollMs = 500 } = this.#options
    // The store is read-only while the disk is full.
    if (database.isReadOnly()) return pollMs
    return (await this.#turn(signal)) ? 0 : pollMs
  }

  /** Works on a job for one turn; returns false if there is none. */
  async #turn(signal: AbortSignal): Promise<boolean> {
    const { sql } = this.#options.database
    const claim = await claimJob(sql, Object.keys(this.#kinds), leaseMs)
    if (!claim) return false
    const typed = this.#openJob(claim)
    let state: ClaimState = claim.undo ? 'undoing' : 'running'
    try {
      const isDropped = typed?.erased === true && !claim.undo
      state = typed && !isDropped ? await this.#workAt(claim, typed, signal) : 'failed'
    } catch (error) {
      // Releases the job at once; if the store rejects the write, the lease expires.
      await releaseJob(sql, claim, state).catch(() => undefined)
      throw error
    }
    if (state === 'running' || state === 'undoing') await releaseJob(sql, claim, state)
    else await endJob(sql, claim, state)
    return true
  }

  /** Returns `undefined` if the value that the job sets cannot be opened with the available keys. */
  #openJob({ id, sealed }: Claim): Typed | undefined {
    try {
      return openTyped(this.#options.database.keys.indexKey, id, sealed)
    } catch (error) {
      this.#worker.report(error)
      return undefined
    }
  }

  async #workAt(claim: Claim, typed: Typed, signal: AbortSignal): Promise<ClaimState> {
    const work = this.#kinds[claim.kind]
    if (!work) return 'failed'
    return await work({
      database: this.#options.database,
      claim,
      typed,
      caller: { subject: claim.actor, scopes: new Set(claim.scopes), expires: Infinity, job: claim.id },
      gate: this.#gate,
      endsAtMs: performance.now() + turnMs,
      signal,
      failed: (error) => this.#worker.report(error),
    })
  }
}

/** Returns a function that logs why jobs are not worked on. */
export const tellWaiting = (log: Logger | undefined) => (error: unknown) => {
  const { name, code, stack } = error as Error & { code?: unknown }
  const isBug = asRefusal(error) === undefined
  log?.error({ name, code, ...(isBug && { stack }) }, 'jobs have to wait')
}
