import { hkdfSync, type KeyObject } from 'node:crypto'

import type { BatchProperty } from '#contract/index.ts'
import type { IndexKey } from '../sealing/data-keys.ts'
import { openValue, sealValue } from '../sealing/encryption.ts'

/** Property that a job sets, and the segment that its users are from. Stored in clear. */
export interface JobProperty extends Omit<BatchProperty, 'value'> {
  /** Undefined if the users were named, or found by a filter. */
  readonly segment?: string | undefined
}

/** Task of a job for one user. */
export interface UserTask {
  readonly dryRun: boolean
  /** Key for digests of the state that a dry run found. */
  readonly secret: KeyObject
  /** Called with unexpected errors, which are bugs of the service. */
  readonly failed: (error: unknown) => void
}

export interface SetTask extends UserTask {
  readonly set: BatchProperty
}

/** Input that people typed, which may contain personal data. */
export interface Typed {
  readonly value: unknown
  readonly reason?: string | undefined
  readonly undoReason?: string | undefined
  /** True if `value` identified a user whose deletion is final, and has been dropped. */
  readonly erased?: boolean | undefined
}

/** Seals the input of a job under a key of the service, since a job belongs to no user. */
export function sealTyped(indexKey: IndexKey, job: string, typed: Typed): string {
  return sealValue(jobKey(indexKey), sealedPlaceOfJob(job), typed)
}

export function openTyped(indexKey: IndexKey, job: string, sealed: string): Typed {
  return openValue(jobKey(indexKey), sealedPlaceOfJob(job), sealed) as Typed
}

const sealedPlaceOfJob = (job: string) => ({ user: job, key: 'asked', type: 'job' })

function jobKey(indexKey: IndexKey): Buffer {
  return Buffer.from(hkdfSync('sha256', indexKey(), '', 'data-store jobs', 32))
}
