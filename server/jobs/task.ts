import { hkdfSync } from 'node:crypto'

import type { BatchProperty } from '#contract/index.ts'
import { openValue, sealValue } from '../sealing/encryption.ts'
import type { IndexKey } from '../sealing/data-keys.ts'

/** Which property a job sets, and for whom: as rows hold it in the open. */
export interface JobProperty extends Omit<BatchProperty, 'value'> {
  /** Absent: users who were named, or found by a filter. */
  readonly segment?: string | undefined
}

/** Input that people type, which may be personal data. */
export interface Typed {
  readonly value: unknown
  readonly reason?: string | undefined
}

/** A job belongs to no user, so what it holds is sealed under a key of the service. */
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
