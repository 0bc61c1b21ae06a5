import type { SealedGate } from '../events/sealed-gate.ts'
import type { Caller } from '../http/auth/caller.ts'
import type { Database } from '../sealing/database.ts'
import type { Claim, ClaimState } from './storage.ts'
import type { Typed } from './task.ts'

/** A turn of a job that this process has claimed. */
export interface Turn {
  readonly database: Database
  readonly claim: Claim
  /** Opened input of the person who asked. */
  readonly typed: Typed
  /** Author of the job, with the scopes of the request that began or resumed it. */
  readonly caller: Caller
  readonly gate: SealedGate
  /** Time of `performance.now()` at which the next job gets its turn. */
  readonly endsAtMs: number
  /** Aborted when the service stops. */
  readonly signal: AbortSignal
  /** Called with unexpected errors, which are bugs of the service. */
  readonly failed: (error: unknown) => void
}

/**
 * Does the work of a kind of job until its turn ends, and returns the state that the job is then in. Writes only in
 * transactions that also record what was done, and only while `claim` is held, so that a job can be killed at any moment.
 * Throws if the store is in trouble: the job is then tried again.
 */
export type WorkTurn = (turn: Turn) => Promise<ClaimState>
