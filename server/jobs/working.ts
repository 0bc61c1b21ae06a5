import type { Logger } from 'pino'

import { jobDays } from '#contract/index.ts'
import type { Caller } from '../http/auth/caller.ts'
import { asRefusal } from '../http/problem.ts'
import type { Database } from '../sealing/database.ts'
import { Worker } from '../store/worker.ts'
import { openTyped, type Typed } from './task.ts'
import { dropReasonsOfDeleted } from './reasons.ts'
import { setProperty } from './set-property.ts'
import {
  type Claim,
  claimJob,
  dropJobsOfNobody,
  dropOldJob,
  endLeases,
  nextUser,
  noteOutcome,
  releaseJob,
} from './storage.ts'

/** Several jobs take turns: a short one does not wait for a long one. */
const turnMs = 2000
/**
 * So long rests a job whose process has died. Longer than a turn; a statement at its end may take longer still: then another process goes
 * on with the next user, and waits for this one.
 */
const leaseMs = 10_000
/** After a failure of the store, or of our own. */
const jobRecoverMs = 1000
/** For a user whose write the database gives up. */
const maxTries = 3
const dropEveryMs = 3_600_000

interface WorkingOptions {
  readonly database: Database
  readonly log?: Logger | undefined
  /** How often it looks for work. */
  readonly pollMs?: number
}

/**
 * Does jobs, one user after the other, each in a transaction of its own that also notes what came of it. All that it
 * knows is in the database: killed at any moment, the job goes on with the next user when the lease is over.
 */
export class Working {
  readonly #options: WorkingOptions
  readonly #worker: Worker
  /** Nobody else has an embedded store: whoever held leases is gone. */
  #isAlone: boolean
  #dropAtMs = 0
  /** At whom each job failed last, and how often. */
  readonly #failures = new Map<string, { readonly at: number; readonly times: number }>()

  constructor(options: WorkingOptions) {
    this.#options = options
    this.#isAlone = options.database.engine === 'embedded'
    this.#worker = new Worker({
      step: (signal) => this.#step(signal),
      recoverMs: jobRecoverMs,
      tell: (error) => this.#tell(error),
    })
  }

  /** Takes no other user; the one that it is at is done first. */
  async stop(): Promise<void> {
    await this.#worker.stop()
  }

  async #step(signal: AbortSignal): Promise<number> {
    const { database, pollMs = 500 } = this.#options
    // With a full disk the store can only be read.
    if (database.isReadOnly()) return pollMs
    const isIdle = !(await this.#turn(signal))
    this.#isAlone = false
    return isIdle ? pollMs : 0
  }

  /** Works at a job for a while; false: there is none. */
  async #turn(signal: AbortSignal): Promise<boolean> {
    const { sql } = this.#options.database
    if (this.#isAlone) await endLeases(sql)
    if (performance.now() >= this.#dropAtMs) {
      // Set first: what cannot be dropped now keeps nobody waiting.
      this.#dropAtMs = performance.now() + dropEveryMs
      if (await dropOldJob(sql, jobDays)) this.#dropAtMs = 0
      else {
        await dropJobsOfNobody(sql)
        await dropReasonsOfDeleted(this.#options.database)
      }
    }
    const claim = await claimJob(sql, leaseMs)
    if (!claim) return false
    const typed = this.#openJob(claim)
    let state: 'running' | 'finished' | 'failed' = 'running'
    try {
      state = typed ? await this.#workAt(claim, typed, signal) : 'failed'
    } catch (error) {
      // Given back at once; where the store takes no writes, the lease ends by itself.
      await releaseJob(sql, claim, state).catch(() => undefined)
      throw error
    }
    await releaseJob(sql, claim, state)
    return true
  }

  /** `undefined`: with the keys that there are nobody can tell what the job is to set. */
  #openJob({ id, sealed }: Claim): Typed | undefined {
    try {
      return openTyped(this.#options.database.keys.indexKey, id, sealed)
    } catch (error) {
      this.#worker.report(error)
      return undefined
    }
  }

  async #workAt(claim: Claim, typed: Typed, signal: AbortSignal): Promise<'running' | 'finished'> {
    const { sql, keys } = this.#options.database
    const endsAtMs = performance.now() + turnMs
    const caller: Caller = { subject: claim.actor, scopes: new Set(claim.scopes), expires: Infinity }
    const set = { ...claim.asked, value: typed.value }
    // Whether one is needed was decided when the job was asked for.
    const reason = { given: typed.reason, required: false }
    const task = {
      set,
      dryRun: claim.dry_run,
      secret: keys.secrets.etag,
      failed: (error: unknown) => this.#worker.report(error),
    }
    let at: number | undefined = 0
    while (performance.now() < endsAtMs && !signal.aborted) {
      const after: number = at
      let tried: number | undefined
      const done = sql.transaction().execute(async (transaction) => {
        const next = await nextUser(transaction, claim, after)
        tried = next?.at
        if (!next) return undefined
        const found = await setProperty({ transaction, keys, caller, reason }, next, task)
        await noteOutcome(transaction, claim.id, next.at, found)
        return next.at
      })
      at = await done.then(
        (next) => {
          // A user was processed, so failures count from zero again when the job is resumed or applied.
          this.#failures.delete(claim.id)
          return next
        },
        (error: unknown) => this.#noteFailure(claim, tried, error),
      )
      if (at === undefined) return 'finished'
    }
    return 'running'
  }

  /** Goes on without a user whom the database has given up several times. Throws where it is to be tried again. */
  async #noteFailure({ id }: Claim, at: number | undefined, error: unknown): Promise<number> {
    // A statement that took too long, or a deadlock. A store that is away or full is no matter of one user.
    if (at === undefined || !/^(57014|40)/.test(String((error as { code?: unknown }).code))) throw error
    const last = this.#failures.get(id)
    const times = last?.at === at ? last.times + 1 : 1
    this.#failures.set(id, { at, times })
    if (times < maxTries) throw error
    this.#failures.delete(id)
    const detail = 'Saving this user took too long, three times. Set the property again later.'
    await noteOutcome(this.#options.database.sql, id, at, { outcome: 'refused', code: 'unavailable', detail })
    return at
  }

  #tell(error: unknown): void {
    const { name, code, stack } = error as Error & { code?: unknown }
    const isBug = asRefusal(error) === undefined
    this.#options.log?.error({ name, code, ...(isBug && { stack }) }, 'jobs have to wait')
  }
}
